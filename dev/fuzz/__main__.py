"""`make fuzz`: attack until enough requests are made, with progress, and a table at the end."""

from __future__ import annotations

import argparse
import sys
import time
from collections import defaultdict

from dev.fuzz.run import Findings, in_sequence, one_by_one, requests_of
from dev.fuzz.surroundings import Surroundings


def main() -> int:
    """1 if anything was found."""
    parser = argparse.ArgumentParser(prog="python -m dev.fuzz", description=__doc__)
    parser.add_argument("--requests", type=int, default=20_000, help="at least so many")
    parser.add_argument("--examples", type=int, default=60, help="of each operation, each time round")
    options = parser.parse_args()
    surroundings, findings, rounds = Surroundings(), Findings(), 0
    progress = _Progress(options.requests)
    while requests_of(surroundings) < options.requests:
        rounds += 1
        for found in (
            one_by_one(surroundings, options.examples, progress),
            in_sequence(surroundings, 2 * options.examples, 40, progress, seed=rounds),
        ):
            findings.found.update(found.found)
    _table(surroundings)
    print(f"\n{requests_of(surroundings)} requests in {progress.seconds():.0f} s, {len(findings.found)} findings")
    for (check, operation, message), sample in findings.found.items():
        print(f"\n{check}: {operation}\n  {message}\n  {sample}")
    return int(bool(findings.found))


class _Progress:
    def __init__(self, goal: int) -> None:
        self._goal, self._began, self._told = goal, time.monotonic(), 0.0

    def seconds(self) -> float:
        return time.monotonic() - self._began

    def __call__(self, what: str, requests: int) -> None:
        if self.seconds() - self._told >= 5:
            self._told = self.seconds()
            print(f"{self._told:5.0f} s  {requests:6d} of {self._goal} requests  {what}", flush=True)


def _table(surroundings: Surroundings) -> None:
    """Operation by operation, how often each status was answered."""
    rows: dict[str, dict[int, int]] = defaultdict(dict)
    for (method, route, status), count in sorted(surroundings.application.tally.items()):
        rows[f"{method} {route}" if status != 405 else "(methods that are not there)"].setdefault(status, 0)
        rows[f"{method} {route}" if status != 405 else "(methods that are not there)"][status] += count
    statuses = sorted({status for row in rows.values() for status in row})
    print(f"\n{'operation':44}" + "".join(f"{status:7d}" for status in statuses))
    for operation, row in sorted(rows.items()):
        print(f"{operation:44}" + "".join(f"{row.get(status, ''):>7}" for status in statuses))


if __name__ == "__main__":
    sys.exit(main())
