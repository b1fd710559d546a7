"""A store between whose calls something else happens, or at one of whose calls the process ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from chalicelib.service.ports import Store


class Killed(BaseException):
    """The process is gone, in the middle of whatever it did."""


class MeddledStore:
    """`meddle` is called once, just before call number `at` (from 0) reaches the store."""

    def __init__(self, store: Store, at: int, meddle: Callable[[], None]) -> None:
        self._store = store
        self._at = at
        self._meddle = meddle
        self.calls = 0

    def __getattr__(self, name: str) -> Any:
        call = getattr(self._store, name)

        def meddled(*args: Any, **kwargs: Any) -> Any:
            number, self.calls = self.calls, self.calls + 1
            if number == self._at:
                self._meddle()
            return call(*args, **kwargs)

        return meddled
