"""`make arena A=sharp B=steady DEALS=500`: a duplicate match, and what it showed."""

from __future__ import annotations

import argparse
import sys

from chalicelib.engine import AfterBank
from lab.match import Terms, match
from lab.players import player
from lab.report import calibration, table


def main(arguments: list[str]) -> int:
    """Play the match that the command line asks for, and print its tables."""
    parser = argparse.ArgumentParser(prog="python -m lab", description=__doc__)
    parser.add_argument(
        "a", help="easy, steady, sharp, swift, before, open_hands, sharp@100 (another effort), sharp+1 (calls one more)"
    )
    parser.add_argument("b")
    parser.add_argument("--deals", type=int, default=500)
    parser.add_argument("--seed", default="arena")
    parser.add_argument("--after-bank", type=AfterBank, choices=list(AfterBank), default=AfterBank.FRESH)
    parser.add_argument("--workers", type=int, default=2)
    asked = parser.parse_args(arguments)
    if asked.deals < 1:
        parser.error("a match has a deal at least")
    if asked.workers < 1:
        parser.error("somebody has to play it")
    try:
        for name in (asked.a, asked.b):
            player(name)
    except ValueError as error:
        parser.error(str(error))
    terms = Terms(asked.a, asked.b, asked.seed, asked.after_bank)
    played = match(terms, range(asked.deals), asked.workers)
    print(table(terms, played))
    if bands := calibration(played):
        print(f"\n{bands}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
