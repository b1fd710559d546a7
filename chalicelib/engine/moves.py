"""The moves of a deal: call, pass, ser, play. Each has a text, and a code from 0 to 63 for the log.

Codes: cards 0 to 51 in the order of the pack, pass 52, calls 7 to 13 are 53 to 59, sers S H D C 60 to 63.
`MOVES[code]` is the one instance the engine hands out; a move made by hand is equal to it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from chalicelib.engine.cards import CARDS, SUITS, Card, Suit
from chalicelib.engine.errors import MalformedMove

LOWEST_CALL, HIGHEST_CALL = 7, 13

PASS_CODE = 52
CALL_CODE = PASS_CODE + 1 - LOWEST_CALL
"""What is added to a call's number to give its code."""
SER_CODE = CALL_CODE + HIGHEST_CALL + 1
"""What is added to a suit to give the code of naming it the ser."""


@dataclass(frozen=True, slots=True)
class Call:
    """Calls a number of tricks, 7 to 13."""

    number: int
    code: int = field(init=False, repr=False, compare=False)
    bit: int = field(init=False, repr=False, compare=False)
    type: ClassVar[Literal["call"]] = "call"

    def __post_init__(self) -> None:
        if not LOWEST_CALL <= self.number <= HIGHEST_CALL:
            raise MalformedMove("not a call")
        _number(self, CALL_CODE + self.number)


@dataclass(frozen=True, slots=True)
class Pass:
    """Passes in the auction."""

    code: int = field(init=False, repr=False, compare=False)
    bit: int = field(init=False, repr=False, compare=False)
    type: ClassVar[Literal["pass"]] = "pass"

    def __post_init__(self) -> None:
        _number(self, PASS_CODE)


@dataclass(frozen=True, slots=True)
class Ser:
    """Names the ser (trump)."""

    suit: Suit
    code: int = field(init=False, repr=False, compare=False)
    bit: int = field(init=False, repr=False, compare=False)
    type: ClassVar[Literal["ser"]] = "ser"

    def __post_init__(self) -> None:
        _number(self, SER_CODE + self.suit)


@dataclass(frozen=True, slots=True)
class Play:
    """Plays a card."""

    card: Card
    code: int = field(init=False, repr=False, compare=False)
    bit: int = field(init=False, repr=False, compare=False)
    type: ClassVar[Literal["play"]] = "play"

    def __post_init__(self) -> None:
        _number(self, self.card.index)


Move = Call | Pass | Ser | Play


def _number(move: Move, code: int) -> None:
    object.__setattr__(move, "code", code)
    object.__setattr__(move, "bit", 1 << code)


MOVES: tuple[Move, ...] = (
    *(Play(card) for card in CARDS),
    Pass(),
    *(Call(number) for number in range(LOWEST_CALL, HIGHEST_CALL + 1)),
    *(Ser(suit) for suit in SUITS),
)


def format_move(move: Move) -> str:
    """The move in one word: 8, pass, H, AS."""
    match move:
        case Call():
            return str(move.number)
        case Pass():
            return "pass"
        case Ser():
            return move.suit.text
        case Play():
            return str(move.card)


_MOVE_OF = {format_move(move): move for move in MOVES}


def parse_move(text: str) -> Move:
    """The move written by `format_move`; `MalformedMove` for any other text."""
    try:
        return _MOVE_OF[text]
    except KeyError:
        raise MalformedMove("not a move") from None
