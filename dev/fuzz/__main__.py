"""`make fuzz`: attack until enough requests are made, with progress, and a table at the end."""

from __future__ import annotations

import argparse
import logging
import sys
import time
from collections import Counter, defaultdict

from dev.fuzz.attack import Target


def main() -> int:
    """1 if anything was found."""
    parser = argparse.ArgumentParser(prog="python -m dev.fuzz", description=__doc__)
    parser.add_argument("--requests", type=int, default=20_000, help="at least so many")
    parser.add_argument("--examples", type=int, default=60, help="of each operation, each time round")
    options = parser.parse_args()
    logging.getLogger("chalicelib.api.logs").setLevel(logging.ERROR)
    found: dict[str, str] = {}
    target, began = Target(), time.monotonic()
    shown = began

    def report(what: str, requests: int) -> None:
        nonlocal shown
        if time.monotonic() - shown >= 5:
            shown = time.monotonic()
            print(f"{shown - began:5.0f} s  {requests:6d} of {options.requests} requests  {what}", flush=True)

    while target.answers.total() < options.requests:
        found |= target.attack(options.examples, 2 * options.examples, 40, report)
    print(_table(target.answers))
    print(f"\n{target.answers.total()} requests in {time.monotonic() - began:.0f} s, {len(found)} findings")
    for what, sample in found.items():
        print(f"\n{what}\n  {sample}")
    return int(bool(found))


def _table(answers: Counter[tuple[str, str, int]]) -> str:
    """Operation by operation, how often each status was answered."""
    rows: dict[str, Counter[int]] = defaultdict(Counter)
    for (method, route, status), count in answers.items():
        rows[f"{method} {route}" if status != 405 else "(other methods)"][status] += count
    statuses = sorted({status for row in rows.values() for status in row})
    lines = [f"\n{'operation':44}" + "".join(f"{status:7d}" for status in statuses)]
    lines += [
        f"{operation:44}" + "".join(f"{row[status] or '':>7}" for status in statuses)
        for operation, row in sorted(rows.items())
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
