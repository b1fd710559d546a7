"""What one request or run went through that its answer does not tell: lost races, a repeated move, the bots' time.

The use cases count; whoever began them reads them. Without any the counts go nowhere.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(slots=True)
class Counters:
    """`bot_seconds` is the time in which bots chose their moves."""

    lost_races: int = 0
    repeated_moves: int = 0
    bot_seconds: float = 0.0


_tally: ContextVar[Counters | None] = ContextVar("counters", default=None)


@contextmanager
def begun() -> Iterator[Counters]:
    """Within this block everything is counted afresh."""
    counters = Counters()
    token = _tally.set(counters)
    try:
        yield counters
    finally:
        _tally.reset(token)


def current() -> Counters:
    """The counters of this block; throw-away ones outside any."""
    return _tally.get() or Counters()
