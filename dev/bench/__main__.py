"""`make bench`: every benchmark, or those named, one line a figure: name, value, unit, bar, ok or SHORT."""

from __future__ import annotations

import importlib
import pkgutil
import subprocess
import sys

import dev.bench

LAB = {"bots", "engine"}
"""Measured against open_spiel, which is in the laboratory's environment."""


def main(wanted: list[str]) -> int:
    """0 when every bar is reached, 1 when one is SHORT."""
    if wanted[:1] == ["--here"]:
        return _run(wanted[1])
    names = wanted or sorted(module.name for module in pkgutil.iter_modules(dev.bench.__path__))
    # Each in a process of its own, so that none warms up, or configures, the next one's modules.
    verdicts = [
        subprocess.call([".venv-lab/bin/python" if name in LAB else sys.executable, "-m", "dev.bench", "--here", name])
        for name in names
        if name != "__main__"
    ]
    return 1 if any(verdicts) else 0


def _run(name: str) -> int:
    module = importlib.import_module(f"dev.bench.{name}")
    short = False
    for row in module.rows() if hasattr(module, "rows") else ():
        print(row, flush=True)
        short |= row.short
    return 1 if short else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
