"""`make bench`: one table of every benchmark, or of those named; the last column is SHORT where a bar is missed."""

from __future__ import annotations

import importlib
import subprocess
import sys

BENCHES = dict.fromkeys(("cold_start", "move", "history", "live"), sys.executable) | {
    "games": ".venv-lab/bin/python"  # where open_spiel is
}


def main(names: list[str]) -> int:
    """0 when every bar is reached, 1 when one is SHORT."""
    if names[:1] == ["--here"]:
        short = False
        for row in importlib.import_module(f"dev.bench.{names[1]}").rows():
            print(row, flush=True)
            short |= row.short
        return short
    # Each in a process of its own, so that none warms up, or configures, the next one's modules.
    statuses = [subprocess.call([BENCHES[name], "-m", "dev.bench", "--here", name]) for name in names or BENCHES]
    return max(statuses)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
