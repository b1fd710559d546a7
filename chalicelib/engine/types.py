"""The small named values of the table: seats, sides, phases, and what is seen of an auction and a trick."""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import TYPE_CHECKING, NamedTuple

from chalicelib.engine.errors import Malformed

if TYPE_CHECKING:
    from chalicelib.engine.cards import Card


class Side(StrEnum):
    """A pair of partners."""

    NS = "ns"
    EW = "ew"

    @property
    def other(self) -> Side:
        return Side.EW if self is Side.NS else Side.NS

    def __repr__(self) -> str:
        return f"Side.{self.name}"


def same_side(one: int, other: int) -> bool:
    """Whether two seats, by their numbers, are one seat or partners."""
    return (one ^ other) & 1 == 0


class Seat(IntEnum):
    """A place at the table; the numbers follow the order of play."""

    NORTH = 0
    EAST = 1
    SOUTH = 2
    WEST = 3

    @property
    def text(self) -> str:
        return self.name.lower()

    @property
    def next(self) -> Seat:
        return SEATS[(self + 1) % 4]

    @property
    def partner(self) -> Seat:
        return SEATS[(self + 2) % 4]

    @property
    def side(self) -> Side:
        return Side.EW if self % 2 else Side.NS

    @staticmethod
    def parse(text: str) -> Seat:
        """The seat named north, east, south or west; `Malformed` for any other text."""
        try:
            return _SEAT_OF[text]
        except KeyError:
            raise Malformed("not a seat") from None

    def __repr__(self) -> str:
        return f"Seat.{self.name}"


SEATS = tuple(Seat)
_SEAT_OF = {seat.text: seat for seat in SEATS}


class AfterBank(StrEnum):
    """R1: does the trick after a bank start a new run (fresh), or may it bank at once (streak)?"""

    FRESH = "fresh"
    STREAK = "streak"

    def __repr__(self) -> str:
        return f"AfterBank.{self.name}"


class Phase(StrEnum):
    """Where a deal stands."""

    AUCTION = "auction"
    SER = "ser"
    PLAY = "play"
    DONE = "done"

    def __repr__(self) -> str:
        return f"Phase.{self.name}"


class AuctionCall(NamedTuple):
    """What a seat said in the auction: a number from 7 to 13, or None for a pass."""

    seat: Seat
    number: int | None


class Played(NamedTuple):
    """A card on the table, and who put it there."""

    seat: Seat
    card: Card


class Trick(NamedTuple):
    """The trick being played: 0 to 3 cards so far, in order of play from the leader."""

    leader: Seat
    plays: tuple[Played, ...]


class FinishedTrick(NamedTuple):
    """A trick of four cards and the seat that won it."""

    leader: Seat
    plays: tuple[Played, ...]
    winner: Seat


class Banked(NamedTuple):
    """Tricks banked by each side so far."""

    ns: int
    ew: int

    def of(self, side: Side) -> int:
        return self.ns if side is Side.NS else self.ew
