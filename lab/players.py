"""The arena's players by name: the levels, and variants that only the arena has.

easy, steady, sharp   the levels
sharp@100             sharp with another effort
sharp+1, sharp-1      any of them, calling one more or one fewer than it would
swift                 sharp, compiled (swift.py): the same moves, many times as fast
before                the same, calling as version 0.2 did (before.py)
open_hands            who sees all four hands
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from chalicelib.bots import LEVELS
from chalicelib.bots.levels import Level, level_of
from chalicelib.bots.sharp import Sharp

if TYPE_CHECKING:
    from chalicelib.bots.seen import Seen
    from chalicelib.engine import Deal, Move

COMPILED = ("swift", "before")
_NAME = re.compile(r"(?P<base>[a-z]+)(@(?P<effort>[0-9]{1,5}))?(?P<shift>[+-]1)?")


@dataclass(frozen=True, slots=True)
class Shifted:
    """A player that calls `by` more than another would. A pass stays one; what may not be said becomes a pass."""

    player: Level
    by: int

    def call(self, seen: Seen, key: bytes, /) -> int:
        number = self.player.call(seen, key)
        if not number:
            return 0
        shifted = min(number + self.by, 13)
        if shifted > max(seen.contract, 6):
            return shifted
        return 0 if seen.contract else number

    def ser(self, seen: Seen, key: bytes, /) -> int:
        return self.player.ser(seen, key)

    def play(self, seen: Seen, key: bytes, /) -> int:
        return self.player.play(seen, key)


@runtime_checkable
class SeesAll(Protocol):
    """A player who is given everything."""

    def move(self, deal: Deal) -> Move: ...


Player = Level | SeesAll


def player(name: str) -> Player:
    """The player of that name; `ValueError` if there is none."""
    if name == "open_hands":
        from lab.open_hand_solver import (
            OpenHandSolver,  # it is compiled, which takes seconds, and needs what nobody else needs
        )

        return OpenHandSolver()
    match = _NAME.fullmatch(name)
    if not match or match["base"] not in (*LEVELS, *COMPILED):
        raise ValueError(f"no player {name}")
    found: Level = level_of(match["base"] if match["base"] in LEVELS else "sharp")
    if match["effort"] and not isinstance(found, Sharp):
        raise ValueError(f"no effort to set in {name}")
    if isinstance(found, Sharp):
        kind = Sharp
        if match["base"] in COMPILED:
            from lab.before import Before
            from lab.swift import Swift

            kind = Swift if match["base"] == "swift" else Before
        found = kind(effort=int(match["effort"])) if match["effort"] else kind()
    return Shifted(found, int(match["shift"])) if match["shift"] else found


def known_as(name: str) -> str | None:
    """What the others at the table know of a player: its level, or that it is none, as a person is."""
    base = re.split("[@+-]", name)[0]
    if base in COMPILED:
        return "sharp"
    return base if base in LEVELS else None
