"""The levels there are, and the one door to them. See docs/bots.md for how to add one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from chalicelib.bots import easy, steady
from chalicelib.bots.seen import PEOPLE, Opponents, Seen, look
from chalicelib.bots.sharp import Sharp
from chalicelib.engine import MOVES, Call, DealView, Move, Pass, Phase, Ser, Suit


class Level(Protocol):
    """A way to play: three questions, each answered from what the seat has seen. A module will do."""

    def call(self, seen: Seen, key: bytes, /) -> int:
        """A number to call, higher than `seen.contract`; 0 to pass, which the opener may not."""

    def ser(self, seen: Seen, key: bytes, /) -> int:
        """A suit."""

    def play(self, seen: Seen, key: bytes, /) -> int:
        """A legal card."""


EDITION = 1
"""Which bots these are. Whatever changes a move of theirs makes it another edition: the sets that are open are played
to their end with the one that they began with (docs/releasing.md)."""

EDITIONS: Mapping[int, Mapping[str, Level]] = {EDITION: {"easy": easy, "steady": steady, "sharp": Sharp()}}
"""Every edition that can be played, by level."""

LEVELS: tuple[str, ...] = tuple(EDITIONS[EDITION])
"""Their names, weakest first."""


def choose(view: DealView, level: str, key: bytes, opponents: Opponents = PEOPLE, edition: int = EDITION) -> Move:
    """The move that a bot of this level makes on its turn; all its chance comes from `key`.

    `opponents` is who is at the table, as every view of the match tells: against strong players contracts are harder.

    `ValueError` for a level that is none of `LEVELS`, for an edition that is none of `EDITIONS`, and for a view whose
    seat has no move to make.
    """
    return decide(level_of(level, edition), view, key, opponents)


def level_of(name: str, edition: int = EDITION) -> Level:
    """The way to play that has this name; `ValueError` if none has."""
    try:
        return EDITIONS[edition][name]
    except KeyError:
        raise ValueError("not a level") from None


def decide(bot: Level, view: DealView, key: bytes, opponents: Opponents = PEOPLE) -> Move:
    """The move of a way to play, whether it has a name in `LEVELS` or is only being tried; `ValueError` as `choose`."""
    if not view.legal_moves:
        raise ValueError("not this seat's turn")
    if len(view.legal_moves) == 1 and (view.phase is not Phase.PLAY or len(view.hand) == 1):
        return view.legal_moves[0]  # as everybody sees; a card that alone may be played is thought about like any other
    seen = look(view, opponents)
    match view.phase:
        case Phase.AUCTION:
            number = bot.call(seen, key)
            return Call(number) if number else Pass()
        case Phase.SER:
            return Ser(Suit(bot.ser(seen, key)))
        case _:
            return MOVES[bot.play(seen, key)]
