"""Stores between whose calls something else happens, whose calls fail, or at one of whose calls the process ends."""

from __future__ import annotations

from collections.abc import Callable, Container
from functools import partial
from typing import Any

from chalicelib.service.ports import Store

Instead = Callable[..., Any]
"""What happens instead of a call: it is given the call itself, and what that was called with."""


class Killed(BaseException):
    """The process is gone, in the middle of whatever it did."""


class MeddledStore:
    """Some calls, by their names, do something else."""

    def __init__(self, store: Store, calls: dict[str, Instead]) -> None:
        self._store, self._instead = store, calls

    def __getattr__(self, name: str) -> Any:
        call = getattr(self._store, name)
        return partial(self._instead[name], call) if name in self._instead else call


class InterruptedStore:
    """`meddle` is called once, just before call number `at` (from 0) reaches the store."""

    def __init__(self, store: Store, at: int, meddle: Callable[[], object]) -> None:
        self._store, self._at, self._meddle = store, at, meddle
        self.calls = 0

    def __getattr__(self, name: str) -> Any:
        call = getattr(self._store, name)

        def meddled(*args: Any, **kwargs: Any) -> Any:
            number, self.calls = self.calls, self.calls + 1
            if number == self._at:
                self._meddle()
            return call(*args, **kwargs)

        return meddled


def first(act: Callable[[], object]) -> Instead:
    """The act comes between what was read and the first such call."""
    waiting = [act]

    def call(plain: Callable[..., Any], *args: Any, **more: Any) -> Any:
        if waiting:
            waiting.pop()()
        return plain(*args, **more)

    return call


def failing(error: Exception, after: int = 0) -> Instead:
    """All such calls fail, but for the first few."""
    left = iter(range(after))

    def call(plain: Callable[..., Any], *args: Any, **more: Any) -> Any:
        if next(left, None) is None:
            raise error
        return plain(*args, **more)

    return call


def failing_for(ids: Container[str], error: Exception) -> Instead:
    """Such calls fail for these matches: whether an id is asked for, or a change is to be written."""

    def call(plain: Callable[..., Any], asked: Any, *args: Any, **more: Any) -> Any:
        if (asked if isinstance(asked, str) else asked.match.id) in ids:
            raise error
        return plain(asked, *args, **more)

    return call
