"""The guide leads to things that are there."""

from __future__ import annotations

import re

import pytest

from chalicelib.api.routes import BASE, ROUTES
from dev.clients.guide import GUIDE, code

TEXT = GUIDE.read_text(encoding="utf-8")


def test_its_links_lead_somewhere() -> None:
    """Every link is to a file of this project or to a heading of the page."""
    headings = {
        re.sub(r"[^\w -]", "", line.lower()).replace(" ", "-") for line in re.findall(r"^## (.+)$", TEXT, re.MULTILINE)
    }
    links = re.findall(r"\]\((?!https?:)([^)]+)\)", TEXT)
    assert len(links) > 15
    assert [] == [
        link
        for link in links
        if (link[1:] not in headings if link.startswith("#") else not (GUIDE.parent / link).exists())
    ]


def test_its_requests_are_operations() -> None:
    """Every request it names is one of the API's."""
    known = {(route.method, route.path) for route in ROUTES}
    named = re.findall(r"`(GET|POST|PUT|PATCH|DELETE) (/[^`?]*)`", TEXT)
    assert len(named) > 8
    assert set() == {(method, path.removeprefix(BASE)) for method, path in named} - known


@pytest.mark.parametrize("language", ["ts", "kotlin", "swift"])
def test_its_code_is_found(language: str) -> None:
    """The code of each language is taken out of the page line by line, and all of it."""
    assert code(language).count("\n") == TEXT.count("\n")
    assert sum(bool(line) for line in code(language).splitlines()) > 60
