"""What a hand is worth to a declarer, in log-odds of making its contract.

The weights are a logistic fit to contracts played among sharp bots (`python -m dev.arena.fit`): an ace of ser makes the
odds nearly four times as good, and so on. Voids and singletons count for what they cut.
"""

from __future__ import annotations

from functools import cache
from math import exp
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .kernel import Hand

SER = {12: 1.25, 11: 0.7, 10: 0.35}
"""Honours of ser by rank: A K Q."""
SER_LENGTH = 0.55
PLAIN = {12: 0.75, 11: 0.45, 10: 0.15}
SHORT = (0.9, 0.65, 0.1)
"""A plain suit of none, one or two cards."""
AT_SEVEN, STEP, WEIGHT = -4.14, -0.53, 1.08
"""Log-odds of a hand worth nothing at 7, what each trick more costs, and what each point of worth gives."""


@cache
def as_ser(held: int) -> float:
    """What a holding is worth when its suit is ser."""
    return SER_LENGTH * held.bit_count() + sum(value for rank, value in SER.items() if held >> rank & 1)


@cache
def as_plain(held: int) -> float:
    """What a holding is worth when its suit is not ser."""
    length = held.bit_count()
    short = SHORT[length] if length < len(SHORT) else 0.0
    return short + sum(value for rank, value in PLAIN.items() if held >> rank & 1)


def gain(held: int) -> float:
    """What naming this suit the ser adds."""
    return as_ser(held) - as_plain(held)


def best_ser(hand: Hand) -> int:
    """The suit that makes most of a hand."""
    gains = [gain(held) for held in hand]
    return gains.index(max(gains))


def worth(hand: Hand, ser: int) -> float:
    """What the whole hand is worth with this ser."""
    return sum(map(as_plain, hand)) + gain(hand[ser])


def chance(hand: Hand, number: int) -> float:
    """The chance to make that many with the best ser, from the hand alone."""
    return probability(AT_SEVEN + STEP * (number - 7) + WEIGHT * worth(hand, best_ser(hand)))


def probability(log_odds: float) -> float:
    """From log-odds."""
    return 1 / (1 + exp(-log_odds))
