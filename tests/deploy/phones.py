"""Phones that go on refreshing their tokens while something happens to the stage."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tests.deploy.guest import Guest, Json, Unexpected

PATIENCE = 120
PAUSE = 0.2


class Phone(threading.Thread):
    """Refreshes its tokens again and again, and repeats what was not answered, as an app does."""

    def __init__(self, guest: Guest) -> None:
        super().__init__(daemon=True)
        self.refused: list[Json] = []
        self.refreshed = 0
        self._guest = guest
        self._over = threading.Event()

    def run(self) -> None:
        while not self._over.wait(PAUSE):
            status, answer = self._guest.ask("POST", "/tokens", refresh_grant(self._guest.tokens))
            if status == 200:
                self._guest.tokens = answer["tokens"]
                self.refreshed += 1
            elif status < 500 and status != 429:
                self.refused.append(answer)
                return

    def end(self) -> None:
        self._over.set()
        self.join()


@contextmanager
def phones(guests: list[Guest]) -> Iterator[list[Phone]]:
    """One for each guest, within this block."""
    made = [Phone(guest) for guest in guests]
    for phone in made:
        phone.start()
    try:
        yield made
    finally:
        for phone in made:
            phone.end()


def refresh_grant(tokens: Json) -> Json:
    """The request that a phone repeats until it is answered."""
    token = tokens["refresh_token"]
    nonce = hashlib.sha256(token.encode()).hexdigest()[:32]  # the same for each repeat, another for the next refresh
    return {"type": "refresh", "refresh_token": token, "client_nonce": nonce}


def until(holds: Callable[[], bool]) -> None:
    """Wait for something that phones do."""
    give_up = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > give_up:
            raise Unexpected("it never came")
        time.sleep(PAUSE)
