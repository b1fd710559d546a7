"""Belief: of the worlds that are possible, those that are likely after what the declarer has said.

A world is kept with the probability that a declarer with that hand would have said it: the ser it named is most
likely its best suit, and a call it was free not to make most likely rests on a good hand. Passes tell little here.
"""

from __future__ import annotations

from math import exp
from typing import TYPE_CHECKING

from .worlds import worlds
from .worth import chance, gain

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from .kernel import Hand, Hands
    from .seen import Seen

CERTAINTY = 4.0
"""How surely the ser is the suit that gains most, in log-odds for each point of worth."""
TRIES = 6
"""Worlds drawn at most for each that is asked for."""


def likely_worlds(seen: Seen, rng: Random, count: int) -> Iterator[Hands]:
    """That many worlds, as `worlds` gives them, drawn by how likely they are now."""
    free_call = seen.contract and seen.declarer != seen.opener
    if seen.declarer == seen.seat or (seen.ser < 0 and not free_call):
        yield from worlds(seen, rng, count)
        return
    played = seen.played[seen.declarer]
    doubtful: list[Hands] = []
    for hands in worlds(seen, rng, TRIES * count):
        dealt = [left | gone for left, gone in zip(hands[seen.declarer], played, strict=True)]
        likelihood = would_name(dealt, seen.ser) if seen.ser >= 0 else 1.0
        if free_call:
            likelihood *= would_call(dealt, seen.contract)
        if rng.random() < likelihood:
            yield hands
            count -= 1
            if not count:
                return
        elif len(doubtful) < count:
            doubtful.append(hands)
    yield from doubtful[:count]


def would_name(hand: Hand, ser: int) -> float:
    """The probability that a declarer dealt this hand names this ser."""
    odds = [exp(CERTAINTY * gain(held)) for held in hand]
    return odds[ser] / sum(odds)


def would_call(hand: Hand, number: int) -> float:
    """The probability that a seat dealt this hand calls this number when it need not."""
    return 1 / (1 + exp(12 * (0.75 - chance(hand, number))))
