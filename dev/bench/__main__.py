"""`make bench`: one table of every benchmark, or of those named; the last column is SHORT where a bar is missed."""

from __future__ import annotations

import importlib
import subprocess
import sys

BENCHES = {name: f"dev.bench.{name}" for name in ("cold_start", "move", "history", "live")} | {"games": "lab.games"}


def main(names: list[str]) -> int:
    """0 when every bar is reached, 1 when one is SHORT."""
    if names[:1] == ["--here"]:
        short = False
        for row in importlib.import_module(names[1]).rows():
            print(row, flush=True)
            short |= row.short
        return short
    statuses = []
    for module in [BENCHES[name] for name in names or BENCHES]:
        # Each in a process of its own, so that none warms up, or configures, the next one's modules.
        python = ".venv-lab/bin/python" if module.startswith("lab.") else sys.executable
        statuses.append(subprocess.call([python, "-m", "dev.bench", "--here", module]))
    return max(statuses)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
