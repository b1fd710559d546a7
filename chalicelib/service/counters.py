"""Counters of one request or sweep that its answer does not show: lost races, repeated moves, the bots' time.

The use cases count; whoever opens the block reads the counts. Outside any block they go nowhere.
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


_counters: ContextVar[Counters | None] = ContextVar("counters", default=None)


@contextmanager
def begun() -> Iterator[Counters]:
    """Fresh counters for this block."""
    counters = Counters()
    token = _counters.set(counters)
    try:
        yield counters
    finally:
        _counters.reset(token)


def current() -> Counters:
    """The counters of the enclosing block; throw-away ones outside any."""
    return _counters.get() or Counters()
