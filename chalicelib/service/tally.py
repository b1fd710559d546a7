"""What one request or run went through that its answer does not tell: lost races, a repeated move, the bots' time.

The use cases count; whoever began the tally reads it. Without one begun the counts go nowhere.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(slots=True)
class Tally:
    """`bot_seconds` is the time in which bots chose their moves."""

    lost_races: int = 0
    repeated_moves: int = 0
    bot_seconds: float = 0.0


_tally: ContextVar[Tally | None] = ContextVar("tally", default=None)


@contextmanager
def begun() -> Iterator[Tally]:
    """Within this block everything is counted in a fresh tally."""
    tally = Tally()
    token = _tally.set(tally)
    try:
        yield tally
    finally:
        _tally.reset(token)


def current() -> Tally:
    """The tally that counts here; a throw-away one if none was begun."""
    return _tally.get() or Tally()
