"""The page of the contract: its script as npm has it, small, and closed to the outside."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest
import yaml

from dev import docs_page
from dev.openapi import JSON, YAML

PAGE = docs_page.FOLDER / "index.html"


def test_its_script_is_that_of_the_package() -> None:
    """RapiDoc and its licences are, to the byte, what npm's package of the named version holds."""
    assert [] == docs_page.changed_files()


def test_another_script_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A script with another word in it is named."""
    for name in docs_page.FILES:
        (tmp_path / name).write_bytes((docs_page.FOLDER / name).read_bytes())
    script = next(iter(docs_page.FILES))
    (tmp_path / script).write_bytes((tmp_path / script).read_bytes() + b";")
    monkeypatch.setattr(docs_page, "FOLDER", tmp_path)
    assert [script] == docs_page.changed_files()


def test_it_is_small() -> None:
    """With the contract and all it reads it is under 300 KB, as a phone gets it."""
    assert sum(len(gzip.compress(path.read_bytes())) for path in docs_page.FOLDER.iterdir()) < 300_000


def test_it_asks_nobody_else() -> None:
    """All that it loads lies beside it, and no script is written into it."""
    text = PAGE.read_text(encoding="utf-8")
    loaded = re.findall(r'(?:src|href|url)="([^"]*)"', text)
    assert {"/openapi.json"} | {
        f"/docs/{name}" for name in ("style.css", "layout.js", f"rapidoc-{docs_page.VERSION}.js")
    } == set(loaded)
    assert [] == re.findall(r"<script>|<style|onload=", text)


def test_the_contract_lies_beside_it() -> None:
    """openapi.json is openapi.yaml, and its server is the API beside the document, wherever that is served."""
    document = json.loads(JSON.read_text(encoding="utf-8"))
    assert yaml.safe_load(YAML.read_text(encoding="utf-8")) == document
    assert ["v1"] == [server["url"] for server in document["servers"]]
