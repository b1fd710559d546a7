"""The pack: suits, cards, and sets of cards as 52-bit integers (bit i stands for the card with index i)."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING

from chalicelib.engine.errors import MalformedMove

if TYPE_CHECKING:
    from collections.abc import Iterable

RANKS = "23456789TJQKA"
"""From low to high; a card's rank is the place in this string."""


class Suit(IntEnum):
    """A suit; the numbers follow the order of the pack."""

    S = 0
    H = 1
    D = 2
    C = 3

    @property
    def text(self) -> str:
        return self.name

    @staticmethod
    def parse(text: str) -> Suit:
        """The suit written S, H, D or C; `MalformedMove` for any other text."""
        try:
            return _SUIT_OF[text]
        except KeyError:
            raise MalformedMove("not a suit") from None

    def __repr__(self) -> str:
        return f"Suit.{self.name}"


SUITS = tuple(Suit)
_SUIT_OF = {suit.name: suit for suit in SUITS}


@dataclass(frozen=True, slots=True, repr=False)
class Card:
    """One of the 52 cards, by its index in the pack: suits S H D C, in each suit 2 up to A."""

    index: int
    suit: Suit = field(init=False, compare=False)
    rank: int = field(init=False, compare=False)
    bit: int = field(init=False, compare=False)

    def __post_init__(self) -> None:
        if not 0 <= self.index < 52:
            raise ValueError("a card's index is 0 to 51")
        object.__setattr__(self, "suit", SUITS[self.index // 13])
        object.__setattr__(self, "rank", self.index % 13)
        object.__setattr__(self, "bit", 1 << self.index)

    @staticmethod
    def parse(text: str) -> Card:
        """The card written rank then suit, as in TH; `MalformedMove` for any other text."""
        try:
            return _CARD_OF[text]
        except KeyError:
            raise MalformedMove("not a card") from None

    def __str__(self) -> str:
        return RANKS[self.rank] + self.suit.name

    def __repr__(self) -> str:
        return f"Card.parse('{self}')"


CARDS = tuple(Card(index) for index in range(52))
"""The pack in order: the one instance of each card that the engine hands out."""

_CARD_OF = {str(card): card for card in CARDS}

PACK = (1 << 52) - 1
"""All 52 cards."""

SUIT_CARDS = tuple(((1 << 13) - 1) << (13 * suit) for suit in SUITS)
"""The 13 cards of each suit."""

_DISPLAY_ORDER = tuple(sorted(CARDS, key=lambda card: (card.suit, -card.rank)))


def hand_of(mask: int) -> tuple[Card, ...]:
    """The cards of a set as a player holds them: suits S H D C, in each suit high to low."""
    return tuple(card for card in _DISPLAY_ORDER if mask & card.bit)


def mask_of(cards: Iterable[Card]) -> int:
    """The set of these cards."""
    mask = 0
    for card in cards:
        mask |= card.bit
    return mask
