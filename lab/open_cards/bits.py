"""Open cards in plain ints, compiled: the words that the search (`search.py`) and the playout (`playout.py`) share.

Shapes
    cards    a set of cards as an int64: 16 bits a suit, S lowest, of which 13 are used; bit 0 of a suit is the 2.
    card     `suit * 16 + rank`.
    hands    four sets, by seat 0..3, north east south west.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeAlias, TypeVar, cast

import numba
import numpy as np
from numba.cpython.unsafe import numbers
from numpy.typing import NDArray

P = ParamSpec("P")
R = TypeVar("R")
Ints: TypeAlias = NDArray[np.int64]
# Numba passes their first argument itself.
leading_zeros = cast("Callable[[int], int]", numbers.leading_zeros)
trailing_zeros = cast("Callable[[int], int]", numbers.trailing_zeros)

SUIT = 0x1FFF
"""The whole first suit."""
LEADER, ARMED, PILE, NEED, LEFT = range(5)
"""What stands before a trick: who leads, whether winning it banks, the pile, what ns needs, the tricks to play."""


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """Compiled on its first call in a process. Not kept on disk: a change in a room that it calls would be missed."""
    return cast("Callable[P, R]", numba.njit(forceinline=True, error_model="numpy")(function))


@compiled
def lowest(cards: int) -> int:
    """The lowest card of a set that is not empty."""
    return trailing_zeros(cards)


@compiled
def highest(cards: int) -> int:
    """The highest card of a set that is not empty."""
    return 63 - leading_zeros(cards)


@compiled
def count(cards: int) -> int:
    """How many cards."""
    cards -= cards >> 1 & 0x5555555555555555
    cards = (cards & 0x3333333333333333) + (cards >> 2 & 0x3333333333333333)
    cards = cards + (cards >> 4) & 0x0F0F0F0F0F0F0F0F
    return cards * 0x0101010101010101 >> 56


@compiled
def beats(card: int, best: int, ser: int) -> bool:
    """Whether a card played later beats the best so far."""
    return card > best if card >> 4 == best >> 4 else card >> 4 == ser
