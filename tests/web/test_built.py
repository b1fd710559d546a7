"""web/built is what its sources make, and small."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest

from dev.clients.tools import Failed, node, node_tool, run
from dev.local.servers import ROOT
from dev.web.build import BUILT, LIBRARY, RECORD, build_page, bundled_library, check_types, digest
from tests.clients.conftest import or_skip

FIRST_LOAD = 60 * 1024
LIBRARY_SIZE = 12 * 1024


def built(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def test_it_is_not_stale() -> None:
    """Whoever changes web/ or the library runs `make web`; this needs no npm."""
    assert RECORD.read_text().strip() == digest(), "web/built is stale: make web"


def test_it_is_what_npm_builds(tmp_path: Path) -> None:
    """The same sources give the same files, byte for byte."""
    or_skip(node)
    or_skip(lambda: build_page(tmp_path / "built"))
    committed = {name: content for name, content in built(BUILT).items() if name != RECORD.name}
    assert committed == built(tmp_path / "built")


@pytest.mark.slow
def test_types_fit_the_contract() -> None:
    """Page and library compile under --strict with types made from openapi.yaml."""
    or_skip(check_types)


def test_the_first_load_is_small() -> None:
    """Everything that a first visit fetches, compressed as it is sent."""
    sizes = {name: len(gzip.compress(content)) for name, content in built(BUILT).items() if name != RECORD.name}
    assert FIRST_LOAD >= sum(sizes.values()), sizes


def test_the_library_is_small() -> None:
    """The client library as a browser gets it, minified and compressed."""
    assert LIBRARY_SIZE >= len(gzip.compress(or_skip(bundled_library)))


def test_the_index_names_what_is_there() -> None:
    """Every file that the index and the service worker name exists, and nothing of another host."""
    index = (BUILT / "index.html").read_text()
    worker = (BUILT / "sw.js").read_text()
    assets = {f"/assets/{file.name}" for file in (BUILT / "assets").iterdir()}
    assert 2 == len(assets)
    assert all(asset in index and asset in worker for asset in assets)
    assert "//" not in index.replace("http://www.w3.org", "")
    assert "<script>" not in index
    assert "style=" not in index


@pytest.mark.parametrize("language", ["hi", "gu"])
def test_no_string_is_missing(language: str) -> None:
    """Each language says everything that English says, with the same values in it."""
    folder = ROOT / "web/src/words"
    english, other = (json.loads((folder / f"{code}.json").read_text()) for code in ("en", language))

    def values(text: str) -> set[str]:
        return set(re.findall(r"\{\w+\}", text))

    assert english.keys() == other.keys()
    assert [] == [key for key, text in other.items() if not text.strip()]
    assert {} == {key: text for key, text in other.items() if values(text) - values(english[key])}
    assert [] == [key for key in english if values(english[key]) - values(other[key])]


@pytest.mark.parametrize("language", ["hi", "gu"])
def test_no_word_means_two_things(language: str) -> None:
    """What English says in two ways, each language does too; and Hindi addresses the player as आप alone."""
    folder = ROOT / "web/src/words"
    english, other = (json.loads((folder / f"{code}.json").read_text()) for code in ("en", language))
    meanings: dict[str, set[str]] = {}
    for key, text in other.items():
        meanings.setdefault(text, set()).add(english[key].casefold())
    assert {} == {text: said for text, said in meanings.items() if len(said) > 1}
    assert [] == [text for text in other.values() if re.search("तुम|तुझ|तेरे|तेरी|तेरा", text)]


@pytest.mark.slow
def test_a_wrong_type_is_seen(tmp_path: Path) -> None:
    """The check of the types would tell: a member that the contract does not have does not compile."""
    (tmp_path / "wrong.ts").write_text(
        f'import type {{ MatchView }} from "{LIBRARY}/src/index.ts";\n'
        "export const turn = (view: MatchView) => view.deal?.trun;\n"
    )
    or_skip(check_types)
    flags = [
        "--noEmit",
        "--strict",
        "--module",
        "esnext",
        "--moduleResolution",
        "bundler",
        "--allowImportingTsExtensions",
    ]
    with pytest.raises(Failed, match="'trun' does not exist"):
        run([*node_tool("tsc"), *flags, str(tmp_path / "wrong.ts")])
