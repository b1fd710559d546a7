"""The page of the contract: as written, small, and closed to the outside."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest

from dev import docs_page
from dev.openapi import JSON


def test_it_is_as_written() -> None:
    """The page that is shipped is the one that `make docs` writes, around the script of the version that is named."""
    assert [] == docs_page.faults()


def test_it_is_small() -> None:
    """With the contract that it reads it is under 300 KB, as a phone gets it."""
    assert sum(len(gzip.compress(path.read_bytes())) for path in (docs_page.PAGE, JSON)) < 300_000


def test_it_asks_nobody_else() -> None:
    """Its policy lets it read from its own server alone, and run its own two scripts alone."""
    text = docs_page.PAGE.read_text(encoding="utf-8")
    script, _ = docs_page.taken_apart(text)
    own = text.replace(script, "")
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', own)
    assert policy is not None
    allowed = dict(part.split(" ", 1) for part in policy[1].split("; "))
    assert ("'none'", "'self'") == (allowed["default-src"], allowed["connect-src"])
    assert 2 == own.count("<script>") == len(re.findall(r"'sha256-[^']+'", allowed["script-src"]))
    assert [] == re.findall(r"(?:src|href|url)=\"(?!openapi\.json)[^\"]*", own)


def test_a_page_changed_by_hand_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another word around the script, or another script, is found."""
    text = docs_page.PAGE.read_text(encoding="utf-8")
    monkeypatch.setattr(docs_page, "PAGE", tmp_path / "docs.html")
    docs_page.PAGE.write_text(text.replace("Do Dooni API", "Do Dooni"), encoding="utf-8")
    assert ["the page is not as written: make docs"] == docs_page.faults()
    docs_page.PAGE.write_text(text.replace("RapiDoc 9.3.8", "RapiDoc 9.3.9"), encoding="utf-8")
    assert f"the script is not that of {docs_page.PACKAGE}" in docs_page.faults()
