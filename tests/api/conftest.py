"""The services that API tests play with: a store in memory, a clock that is moved by hand, and keys of their own."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from chalicelib.api import auth, wiring
from chalicelib.service.services import Services
from chalicelib.store.memory import MemoryStore
from tests.api.client import Client


def key(byte: bytes) -> str:
    return base64.urlsafe_b64encode(byte * 32).decode().rstrip("=")


SIGNING_KEYS = {"new": key(b"n"), "old": key(b"o")}


@dataclass(slots=True)
class Clock:
    """Seconds since the epoch, standing still until moved."""

    at: int = 1_800_000_000

    def now(self) -> int:
        return self.at


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def services(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Iterator[Services]:
    """New services, which the app uses during the test."""
    services = Services(MemoryStore(), clock.now)
    monkeypatch.setenv(auth.KEYS_VARIABLE, json.dumps(SIGNING_KEYS))
    monkeypatch.setenv("DO_DOONI_RATE_FACTOR", "1000")
    monkeypatch.setattr(wiring, "services", lambda: services)
    auth.signing_keys.cache_clear()
    yield services
    auth.signing_keys.cache_clear()


@pytest.fixture
def client(services: Services) -> Client:
    """Nobody yet: `guest()` makes a player."""
    return Client()


@pytest.fixture
def asha(client: Client) -> Client:
    return client.guest("Asha")
