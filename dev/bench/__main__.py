"""`make bench`: every benchmark, or those named, one line a figure: name, value, unit, bar, ok or SHORT."""

from __future__ import annotations

import importlib
import pkgutil
import sys

import dev.bench


def main(wanted: list[str]) -> int:
    """0 when every bar is reached, 1 when one is SHORT."""
    names = sorted(module.name for module in pkgutil.iter_modules(dev.bench.__path__))
    unknown = set(wanted) - set(names)
    if unknown:
        print(f"no such benchmark: {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    short = 0
    for name in wanted or names:
        rows = getattr(importlib.import_module(f"dev.bench.{name}"), "rows", None) if name != "__main__" else None
        for row in rows() if rows else ():
            print(row, flush=True)
            short += row.short
    return 1 if short else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
