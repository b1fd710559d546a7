"""`make simulation`: people play, screens are built of events; each ends with a table. Exit 1 if a promise broke."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter

from dev.simulation.clock import START
from dev.simulation.people import DAY
from dev.simulation.record import Broken
from dev.simulation.simulation import Simulation
from dev.simulation.walk import Differs, Walk


def table(title: str, counts: Counter[str]) -> None:
    print(f"\n{title}")
    width = max(map(len, counts), default=0)
    for name, value in sorted(counts.items()):
        print(f"  {name:<{width}}  {value:>9,}")


class Progress:
    """A line every few seconds."""

    def __init__(self) -> None:
        self._next = time.monotonic()

    def __call__(self, simulation: Simulation) -> None:
        if time.monotonic() >= self._next:
            self._next += 5
            day, live = (
                (simulation.clock.at - START) // DAY,
                sum(due is not None for due in simulation.store.due_at.values()),
            )
            print(f"day {day}: {simulation.counts['matches']:,} tables opened, {live:,} live", flush=True)


def play(matches: int, seed: int) -> None:
    began = time.monotonic()
    simulation = Simulation(matches, seed)
    simulation.run(Progress())
    days = (simulation.clock.at - START) / DAY
    table(f"{matches:,} tables, {days:.0f} days in {time.monotonic() - began:.0f} s (seed {seed})", simulation.counts)
    print(f"  events acknowledged and found again  {simulation.crowd.record.count:,}")
    print(f"  writes that were not answered  {simulation.store.unanswered:,}")
    print(f"  longest wait for a sweep after a deadline, outages included  {simulation.longest_wait:,} s")


def compare(matches: int, seed: int) -> None:
    began = time.monotonic()
    compared: Counter[str] = Counter()
    happened: Counter[str] = Counter()
    for number in range(matches):
        walk = Walk(seed + number)
        try:
            walk.run()
        except Exception:
            print(f"in the match of seed {seed + number}:", file=sys.stderr)
            raise
        compared += walk.compared
        happened += walk.happened
        if number % 20 == 19:
            print(f"{number + 1} matches: {compared.total():,} screens equal their views", flush=True)
    table(f"{matches} matches, {time.monotonic() - began:.0f} s: screens built of events that equal the view", compared)
    table("what happened in them", happened)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=2_000)
    parser.add_argument("--screens", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    try:
        if asked.matches:
            play(asked.matches, asked.seed)
        if asked.screens:
            compare(asked.screens, asked.seed)
    except (Broken, Differs) as broken:
        print(f"BROKEN: {broken}", file=sys.stderr)
        return 1
    print("\nall promises held")
    return 0


if __name__ == "__main__":
    sys.exit(main())
