"""Errors on purpose, so that an app's handling of them can be tried: a share of the requests is answered 503."""

from __future__ import annotations

import random
from collections.abc import Callable

from dev.local.gateway import Answer, Gateway


class Faults:
    """Half of the 503s come before the app has seen the request, half after it was carried out: its answer is lost."""

    def __init__(self, share: float, chance: Callable[[], float] = random.random) -> None:
        self._share = share
        self._chance = chance

    def answer(self, gateway: Gateway, method: str, path: str, headers: dict[str, str], body: bytes | None) -> Answer:
        """The gateway's answer, or a 503 in its place. A preflight always gets its answer."""
        drawn = 1.0 if method == "OPTIONS" else self._chance()
        if drawn < self._share / 2:
            return _try_again(gateway)
        answer = gateway.handle_request(method, path, headers, body)
        return _try_again(gateway) if drawn < self._share else answer


def _try_again(gateway: Gateway) -> Answer:
    return gateway.refuse("try_again", {"retry_after_seconds": 1}, {"Retry-After": "1"})
