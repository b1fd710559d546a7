"""A served page, and Node scripts that drive Chromium on it."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from dev.clients.tools import NODE_MODULES, Missing, node, run
from dev.local.servers import free_port, start

HERE = Path(__file__).parent
PROOFS = ("mouse", "keyboard", "sizes", "touch", "offline", "back", "bots", "watch", "friends", "sets", "axe")


def chromium() -> str:
    """The path of Chromium; Missing where there is none, or nothing to drive it."""
    if not (NODE_MODULES / "playwright-core").exists():
        raise Missing("playwright-core is not here: it comes with npm (make setup)")
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if found := shutil.which(name):
            return found
    raise Missing("Chromium is not here: apt-get install chromium")


@contextmanager
def served() -> Iterator[str]:
    """The address of a page with an API and a store of its own, for as long as the `with` lasts."""
    with tempfile.TemporaryDirectory() as folder:
        state, log, port = Path(folder) / "state", Path(folder) / "log", free_port()
        command = [sys.executable, "-m", "dev.local", "--port", str(port), "--state", str(state)]
        with start("the page", command, port, log=log, patience=60) as server:
            yield server.url


def script(name: str, *arguments: str) -> Any:
    """Run a script of this folder; what it printed, as JSON. Failed where it says that something is wrong."""
    return json.loads(run([node(), str(HERE / name), *arguments]).splitlines()[-1])


def prove(base: str, name: str) -> Any:
    """Carry out one proof of proofs.mjs; what was seen."""
    return script("proofs.mjs", base, chromium(), name)
