"""Positions of a deal with open cards, and what best play makes of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from lab.open_cards.playout import mean_share
from lab.open_cards.search import can_bank

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lab.open_cards.bits import Ints

REMEMBERED = 1 << 22
"""Positions that are remembered, in 64 MB."""
UNBOUNDED = 1 << 60
NOISE, PLAYOUTS = 150, 100
"""Of 1,024 cards so many are mistakes; playouts to judge a card by."""


@dataclass(frozen=True, slots=True)
class Position:
    """A moment of play. Hands are 52-bit sets by seat, less the cards on the table, the leader's first."""

    hands: tuple[int, ...]
    ser: int
    streak: bool
    leader: int
    armed: bool = False
    pile: int = 0
    on_table: tuple[int, ...] = ()

    def after(self, card: int) -> Position:
        """With one more card on the table, which may be its fourth."""
        seat = (self.leader + len(self.on_table)) & 3
        hands = tuple(hand & ~(1 << card) if at == seat else hand for at, hand in enumerate(self.hands))
        table = (*self.on_table, card)
        return Position(hands, self.ser, self.streak, self.leader, self.armed, self.pile, table)


class Exact:
    """Solves positions. What it remembers saves time only: an answer that is not None does not depend on it."""

    def __init__(self, places: int = REMEMBERED) -> None:
        self._table = np.zeros((places, 2), np.int64)
        self._age = 1

    def forget(self) -> None:
        """Let go what is remembered, as for another deal."""
        self._age += 1

    def reaches(self, position: Position, need: int, budget: int = UNBOUNDED) -> bool | None:
        """Whether ns banks at least that many more with best play by all; None if that takes more than the budget."""
        on_table = spread(position.on_table)
        on_table.resize(4)
        found = can_bank(
            wide(position.hands),
            position.ser,
            int(position.streak),
            position.leader,
            int(position.armed),
            position.pile,
            on_table,
            len(position.on_table),
            need,
            self._table,
            self._age,
            budget,
        )
        return None if found < 0 else bool(found)


def wide(hands: Sequence[int]) -> Ints:
    """52-bit sets with 16 bits a suit."""
    return np.array([sum((hand >> 13 * suit & 0x1FFF) << 16 * suit for suit in range(4)) for hand in hands], np.int64)


def spread(cards: Sequence[int]) -> Ints:
    """Cards with 16 numbers a suit."""
    return np.array([card + card // 13 * 3 for card in cards], np.int64)


def share(position: Position, need: int) -> float:
    """In what share of playouts with some mistakes ns banks at least that many more."""
    on_table = spread(position.on_table)
    on_table.resize(4)
    return mean_share(
        wide(position.hands),
        position.ser,
        position.leader,
        int(position.armed),
        position.pile,
        int(position.streak),
        on_table,
        len(position.on_table),
        need,
        NOISE,
        PLAYOUTS,
    )
