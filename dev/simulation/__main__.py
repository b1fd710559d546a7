"""`make simulation`: the crowd, for long, with a line of progress now and then and a table in the end. Exit 1, with the
fewest steps that show it, if a promise is broken."""

from __future__ import annotations

import argparse
import logging
import sys
import time

import hypothesis
from hypothesis import HealthCheck, Phase
from hypothesis.stateful import run_state_machine_as_test

from dev.simulation.crowd import Crowd


class Progress(Crowd):
    """The crowd, with a line every few seconds."""

    tell_at = 0.0

    def teardown(self) -> None:
        super().teardown()
        if time.monotonic() >= Progress.tell_at:
            Progress.tell_at = time.monotonic() + 5
            told = (f"{self.counts[name]:,} {name}" for name in ("runs", "tables", "moves", "screens like their view"))
            print(", ".join(told), flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m dev.simulation", description=__doc__)
    parser.add_argument("--runs", type=int, default=1_000)
    parser.add_argument("--steps", type=int, default=50, help="in a run, at most")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    logging.getLogger().addHandler(logging.NullHandler())
    began = time.monotonic()
    settings = hypothesis.settings(
        max_examples=options.runs,
        stateful_step_count=options.steps,
        deadline=None,
        database=None,
        print_blob=False,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    try:
        run_state_machine_as_test(hypothesis.seed(options.seed)(Progress), settings=settings)
    except Exception as broken:
        print(f"BROKEN: {type(broken).__name__}: {broken}", *getattr(broken, "__notes__", ()), sep="\n")
        return 1
    print(f"\nall promises held, in {time.monotonic() - began:.0f} s (seed {options.seed})")
    for name, times in sorted(Crowd.counts.items()):
        print(f"  {name:<32}{times:>9,}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
