"""What a hand is worth to a declarer, in log-odds of making its contract.

The weights are a logistic fit to contracts of sharp declarers (`python -m lab.fit`): an ace of ser makes the
odds more than four times as good, and so on. Voids and singletons count for what they cut.
"""

from __future__ import annotations

from functools import cache
from math import exp
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chalicelib.bots.kernel import Hand

SER = {12: 1.5, 11: 0.8, 10: 0.6}
"""Honours of ser by rank: A K Q."""
SER_LENGTH = 0.4
PLAIN = {12: 0.8, 11: 0.35, 10: 0.2}
SHORT = (1.4, 0.6, 0.2)
"""A plain suit of none, one or two cards."""
AT_SEVEN, STEP = -3.1, -0.62
"""Log-odds of a hand worth nothing at 7, and what each trick more costs."""


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
    return probability(AT_SEVEN + STEP * (number - 7) + worth(hand, best_ser(hand)))


def probability(log_odds: float) -> float:
    """From log-odds."""
    return 1 / (1 + exp(-log_odds))
