"""The client library as npm gives it: packed, installed in an empty folder, and played with."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from dev.clients.tools import HERE, node, run
from dev.web.build import LIBRARY, build_library
from tests.clients.conftest import or_skip


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty folder in which the packed library was installed."""
    or_skip(build_library)
    folder = tmp_path_factory.mktemp("app")
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not here")
    packed = run([npm, "pack", str(LIBRARY), "--silent", "--pack-destination", str(folder)]).strip().splitlines()[-1]
    (folder / "package.json").write_text('{"private": true, "type": "module"}')
    subprocess.run([npm, "install", "--silent", "--offline", "--no-audit", f"./{packed}"], cwd=folder, check=True)
    shutil.copy(HERE / "library/play.mjs", folder)
    return folder


def test_the_installed_library_plays(installed: Path, server: str) -> None:
    """It plays a deal over a bad road and proves its cards, sends a pending move again after a restart, refreshes once
    for all tabs, gives up when it should and takes no page for an answer, and saves what has not changed."""
    played, restarted, refreshed, patience, cached = map(
        json.loads, run([or_skip(node), str(installed / "play.mjs"), server]).splitlines()
    )
    broken = dict.fromkeys(("secret", "opener", "banked", "score", "winners", "moves"), False)
    assert {
        "status": "finished",
        "whole": True,
        "apart": 0,
        "refreshes": 1,
        "proved": 10,
        "broken": broken,
        "other": ["commitment", "seed"],
    } == played
    assert {"unsettled": True, "restored": True, "kept": True, "made": True, "left": True} == restarted
    assert {"answers": 1, "sent": 2, "nonces": 1, "refused": True, "out": 1, "signedIn": False} == refreshed
    pages = {"pages": [[True, 0], [True, 0], [True, 4], [True, 4]], "out": True}
    gives_up = {"unsettled": True, "soon": [0.5, 1, 2, 4], "asked": [2.25] * 4, "refused": True, "late": []}
    assert gives_up | pages == patience
    assert {"statuses": [200, 304], "same": True, "skew": True} == cached


def test_its_types_come_with_it(installed: Path) -> None:
    """A program in TypeScript compiles against the installed package alone."""
    assert {"index.d.ts", "proof.d.ts", "schema.d.ts"} <= {
        file.name for file in (installed / "node_modules/do-dooni/dist").iterdir()
    }
