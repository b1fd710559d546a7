"""The move log of one deal, packed: the truth that everything else of a deal is computed from.

One entry after another. A move is a varint `minutes << 1` (whole minutes since the move before it, or since
the deal began) and a byte `actor << 6 | code` (codes: `chalicelib.engine.MOVES`). A mark is a varint
`count << 1 | 1`: so many seat events happened here. Marks that follow each other are one, so that a log grows by at
most one mark a move.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from chalicelib.match.model import Actor

if TYPE_CHECKING:
    from collections.abc import Iterator

_ACTORS = (Actor.PLAYER, Actor.BOT, Actor.STAND_IN, Actor.TIMEOUT)
_ACTOR_BITS = {actor: bits << 6 for bits, actor in enumerate(_ACTORS)}


_CODES = bytes(byte & 0x3F for byte in range(256))
_SHORT_WAITS = bytes(range(0, 0x80, 2))
"""Headers of moves that have one byte."""


class LoggedMove(NamedTuple):
    """A move in the log: its engine code, who made it, and the minutes from the deal's start."""

    code: int
    actor: Actor
    minutes: int


class Mark(NamedTuple):
    """So many seat events happened between two moves."""

    events: int


def _varint(number: int) -> bytes:
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


@dataclass(frozen=True, slots=True)
class Log:
    """A packed log. `packed` is what the store keeps."""

    packed: bytes = b""

    def _raw(self) -> Iterator[tuple[int, int]]:
        """(header number, move byte or -1) of each entry."""
        packed, at, end = self.packed, 0, len(self.packed)
        while at < end:
            byte = packed[at]
            at += 1
            header = byte & 0x7F
            shift = 7
            while byte & 0x80:
                byte = packed[at]
                at += 1
                header |= (byte & 0x7F) << shift
                shift += 7
            if header & 1:
                yield header, -1
            else:
                yield header, packed[at]
                at += 1

    @property
    def _plain(self) -> bool:
        """Whether there are moves alone, each within an hour of the one before, so that every entry has two bytes: the
        usual case, which is read in a sixth of the time."""
        return not self.packed[::2].translate(None, _SHORT_WAITS)

    def codes(self) -> bytes:
        """The moves' engine codes alone, in order: what a replay needs."""
        if self._plain:
            return self.packed[1::2].translate(_CODES)
        return bytes([move & 0x3F for _, move in self._raw() if move >= 0])

    def entries(self) -> Iterator[LoggedMove | Mark]:
        """Every entry in order."""
        minutes = 0
        for header, move in self._raw():
            if move < 0:
                yield Mark(header >> 1)
            else:
                minutes += header >> 1
                yield LoggedMove(move & 0x3F, _ACTORS[move >> 6], minutes)

    def after(self, moves: int) -> tuple[int, list[LoggedMove | Mark]]:
        """What comes after so many moves, and how many seat events happened before the last of them."""
        marks = minutes = 0
        rest: list[LoggedMove | Mark] = []
        for header, move in self._raw():
            if move >= 0:
                minutes += header >> 1
            if moves == 0:
                rest.append(Mark(header >> 1) if move < 0 else LoggedMove(move & 0x3F, _ACTORS[move >> 6], minutes))
            elif move < 0:
                marks += header >> 1
            else:
                moves -= 1
        return marks, rest

    def minutes(self) -> int:
        """Minutes from the deal's start to the last move."""
        if self._plain:
            return sum(self.packed[::2]) >> 1
        return sum(header >> 1 for header, move in self._raw() if move >= 0)

    def made_by(self, actor: Actor, since: int) -> int:
        """How many moves the actor made from minute `since` of the deal on."""
        bits, minutes, moves = _ACTOR_BITS[actor], 0, 0
        for header, move in self._raw():
            if move >= 0:
                minutes += header >> 1
                moves += minutes >= since and move & 0xC0 == bits
        return moves

    def with_move(self, code: int, actor: Actor, waited: int) -> Log:
        """The log with one more move, made `waited` minutes after the move before it."""
        return Log(self.packed + _varint(waited << 1) + bytes((_ACTOR_BITS[actor] | code,)))

    @property
    def marks(self) -> int:
        """How many seat events happened among the moves."""
        return sum(header >> 1 for header, move in self._raw() if move < 0)

    def with_marks(self, count: int) -> Log:
        """The log with `count` more seat events at its end."""
        if count <= 0:
            return self
        start = at = 0
        last_mark = 0
        for header, move in self._raw():
            start = at
            at += len(_varint(header)) + (move >= 0)
            last_mark = header >> 1 if move < 0 else 0
        if last_mark:
            return Log(self.packed[:start] + _varint((last_mark + count) << 1 | 1))
        return Log(self.packed + _varint(count << 1 | 1))
