"""The guide leads to things that are there."""

from __future__ import annotations

import re

import pytest

from chalicelib.api.routes import BASE, ROUTES
from chalicelib.bots.hint import HINTS
from chalicelib.match.model import DAY, UNSTARTED_LIFE, UNVISITED_LIFE
from dev.clients.programs import GUIDE, code

TEXT = GUIDE.read_text(encoding="utf-8")


def test_its_links_lead_somewhere() -> None:
    """Every link is to a file of this project, and to a heading of it where it names one."""
    links = re.findall(r"\]\((?!https?:)([^)]+)\)", TEXT)
    assert len(links) > 15
    assert [] == [link for link in links if not leads_somewhere(*link.partition("#")[::2])]


def leads_somewhere(file: str, heading: str) -> bool:
    page = GUIDE.parent / file if file else GUIDE
    if not heading:
        return page.exists()
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return heading in [re.sub(r"[^\w -]", "", line.lower()).replace(" ", "-") for line in headings]


def test_its_requests_are_operations() -> None:
    """Every request it names is one of the API's."""
    known = {(route.method, route.path) for route in ROUTES}
    named = re.findall(r"`(GET|POST|PUT|PATCH|DELETE) (/[^`?]*)`", TEXT)
    assert len(named) > 8
    assert set() == {(method, path.removeprefix(BASE)) for method, path in named} - known


def test_it_says_of_every_write_what_a_repetition_does() -> None:
    """Each operation that changes something is in one of the two tables of what happens when it is sent again; making a
    match is in both."""
    section = TEXT.partition("## Send, and send again")[2].partition("```ts")[0]
    once, anew = (re.findall(r"`(POST|PUT|PATCH|DELETE) (/[^`]*)`", part) for part in section.split("Four make"))
    writes = {(route.method, route.path.removeprefix(BASE)) for route in ROUTES if route.method != "GET"}
    assert writes == {*once, *anew}
    codes = {("POST", "/me/transfer-codes"), ("POST", "/me/recovery-code")}
    assert {("POST", "/matches"), ("POST", "/players"), *codes} == set(anew)
    assert {("POST", "/matches")} == set(once) & set(anew)


def test_it_has_every_hint() -> None:
    """The table of hints is that of the service: codes, parameters and meanings."""
    table = TEXT.partition("| code | `params` | meaning |\n|---|---|---|\n")[2].partition("\n\n")[0]
    rows = [tuple(cell.strip() for cell in row.strip("|").split("|")) for row in table.splitlines()]
    assert [(f"`{code}`", ", ".join(f"`{name}`" for name in why.params), why) for code, why in HINTS.items()] == rows


def test_it_says_when_matches_are_given_up() -> None:
    """The guide's days are those of the service."""
    given_up = TEXT.partition("`abandoned`: given up")[2].partition("\n- ")[0]
    assert [UNSTARTED_LIFE // DAY, UNVISITED_LIFE // DAY] == list(map(int, re.findall(r"(\d+) days", given_up)))


@pytest.mark.parametrize("language", ["ts", "kotlin", "swift"])
def test_its_code_is_found(language: str) -> None:
    """The code of each language is taken out of the page line by line, and all of it."""
    assert code(language).count("\n") == TEXT.count("\n")
    assert sum(bool(line) for line in code(language).splitlines()) > 60
