"""Random deals for the bots' tests."""

from __future__ import annotations

import random

from chalicelib.engine import SEATS, AfterBank, Deal


def random_deal(rng: random.Random, after_bank: AfterBank) -> Deal:
    """A deal of a shuffled pack with a random opener."""
    pack = list(range(52))
    rng.shuffle(pack)
    north, east, south, west = (sum(1 << card for card in pack[i::4]) for i in range(4))
    return Deal.start((north, east, south, west), rng.choice(SEATS), after_bank)


def played_into(rng: random.Random, deal: Deal, moves: int) -> Deal:
    """The deal after that many random legal moves, fewer if it ends."""
    for _ in range(moves):
        if deal.turn is None:
            break
        deal = deal.play(rng.choice(deal.legal_moves()))
    return deal
