"""Bots cannot see through cards: deal the hidden hands anew, and every level still makes the same move.

python -m lab.blind --positions 10000
"""

from __future__ import annotations

import argparse
import random
import sys
from typing import TYPE_CHECKING

from chalicelib.bots import LEVELS, among, choose
from chalicelib.bots.seen import look
from chalicelib.bots.worlds import worlds
from chalicelib.engine import MOVES, AfterBank, Deal
from lab.table import dealt

if TYPE_CHECKING:
    from collections.abc import Iterator


def positions(seed: str, count: int) -> Iterator[Deal]:
    """Deals stopped at any moment at which a seat has a choice, after moves of steady bots mixed with random ones."""
    rng = random.Random(seed)
    number = 0
    while number < count:
        deal = dealt(seed, rng.getrandbits(40), rng.choice(list(AfterBank)))
        for _ in range(rng.randrange(53)):
            assert deal.turn is not None
            sober = rng.random() < 0.7
            move = choose(deal.view(deal.turn), "steady", b"") if sober else rng.choice(deal.legal_moves())
            deal = deal.play(move)
        if len(deal.legal_moves()) > 1:
            number += 1
            yield deal


def dealt_anew(deal: Deal, rng: random.Random) -> Deal:
    """The same moves on other hands: what the seat whose turn it is cannot see is dealt again, as voids allow."""
    assert deal.turn is not None
    seen = look(deal.view(deal.turn))
    (hands,) = worlds(seen, rng, 1)
    north, east, south, west = (
        sum((hands[seat][suit] | seen.played[seat][suit]) << 13 * suit for suit in range(4)) for seat in range(4)
    )
    other = Deal.start((north, east, south, west), deal.opener, deal.after_bank)
    for code in deal.codes:
        other = other.play(MOVES[code])
    return other


def changed(level: str, deal: Deal, rng: random.Random) -> bool:
    """Whether the level's move in this position is another one when the hidden cards are dealt anew."""
    assert deal.turn is not None
    other = dealt_anew(deal, rng)
    assert other.turn is deal.turn
    key = rng.randbytes(32)
    north, east, south, west = (rng.choice([*LEVELS, None]) for _ in range(4))
    opponents = among((north, east, south, west))
    return choose(deal.view(deal.turn), level, key, opponents) != choose(other.view(deal.turn), level, key, opponents)


def main(arguments: list[str]) -> int:
    """0 when no move changed."""
    parser = argparse.ArgumentParser(prog="python -m lab.blind", description=__doc__)
    parser.add_argument("--positions", type=int, default=10_000)
    parser.add_argument("--seed", default="blind")
    asked = parser.parse_args(arguments)
    if asked.positions < 1:
        parser.error("nothing would be tried")
    rng = random.Random(asked.seed)
    moved = dict.fromkeys(LEVELS, 0)
    redealt = 0
    for number, deal in enumerate(positions(asked.seed, asked.positions), 1):
        redealt += dealt_anew(deal, rng).hands != deal.hands
        for level in LEVELS:
            moved[level] += changed(level, deal, rng)
        if number % 500 == 0:
            print(f"{number} positions", file=sys.stderr, flush=True)
    for level, times in moved.items():
        verdict = "SHORT" if times else "ok"
        print(f"blind_{level} {times} moves changed of {asked.positions} ({redealt} truly dealt anew) 0 {verdict}")
    return 1 if any(moved.values()) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
