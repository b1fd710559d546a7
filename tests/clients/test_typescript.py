"""The TypeScript client: openapi-typescript and openapi-fetch, with the guide's code."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from dev.clients.guide import code
from dev.clients.tools import HERE, Failed, node, node_tool, run
from tests.clients.answers import SEATS, TOLD
from tests.clients.conftest import Client, or_skip


@pytest.fixture(scope="module")
def workshop(client: Client) -> Path:
    """The generated client, and beside it the guide's code and a program that plays with it, compiled."""
    folder = client("typescript")
    for own in (HERE / "typescript").iterdir():
        shutil.copy(own, folder)
    (folder / "guide.ts").write_text(code("ts"), encoding="utf-8")
    run([*or_skip(lambda: node_tool("tsc")), "-p", str(folder)])
    return folder


def test_it_plays_a_solo_deal(workshop: Path, server: str, future_file: str) -> None:
    """The guide's code compiles under --strict, plays a solo deal through an expired token, a lost answer and a busy
    server, reads an answer of tomorrow, shows every event once whatever comes between two requests, and gives up."""
    told = run([node(), str(workshop / "out/play.js"), server, future_file])
    played, read, watched, in_vain = map(json.loads, told.splitlines())
    assert "finished" == played["status"]
    assert {"ns", "ew"} == set(played["scores"])
    assert 52 == played["plays"]
    assert 12 <= played["decided"] <= 14  # perhaps a call, perhaps the ser, twelve cards; the thirteenth is forced
    assert 2 == played["kept"]  # the tokens of the sign-up, and those of the refresh
    assert {"seats": SEATS, "told": TOLD} == read
    assert {"told": list(range(5, 41)), "shown": 40, "drawn": 40} == watched
    pauses = [0.5, 1, 2, 4, 8]
    assert {"sent": 6, "code": "internal_error", "lost": "lost", "pauses": pauses} == in_vain


def test_strict_means_strict(workshop: Path) -> None:
    """A client that misspells a member does not compile: the types are those of the contract."""
    wrong = workshop / "wrong"
    wrong.mkdir(exist_ok=True)
    shutil.copy(HERE / "typescript/tsconfig.json", wrong)
    (wrong / "wrong.ts").write_text(
        'import type { MatchView } from "../guide.ts";\nexport const turn = (view: MatchView) => view.deal?.trun;\n'
    )
    with pytest.raises(Failed, match="'trun' does not exist"):
        run([*node_tool("tsc"), "-p", str(wrong)])
