"""The services that API tests play with: a store in memory, a clock that is moved by hand, and keys of their own."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import cast

import pytest
from chalice.app import Chalice

from chalicelib.api.app import create_app
from chalicelib.api.auth import Keys
from chalicelib.service.ports import Store
from chalicelib.service.services import Services
from chalicelib.store.memory import MemoryStore
from tests.api.client import Client
from tests.service.meddling import Instead, MeddledStore


def key(byte: bytes) -> str:
    return base64.urlsafe_b64encode(byte * 32).decode().rstrip("=")


SIGNING_KEYS = {"new": key(b"n"), "old": key(b"o")}


def keys_of(by_id: Mapping[str, str]) -> Keys:
    return Keys(lambda: json.dumps(by_id))


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
def services(clock: Clock) -> Services:
    return Services(MemoryStore(), clock.now)


@pytest.fixture
def rate_factor() -> float:
    """Hardly any limits."""
    return 1000


@pytest.fixture
def app(services: Services, rate_factor: float) -> Chalice:
    return create_app(services, keys_of(SIGNING_KEYS), rate_factor=rate_factor)


@pytest.fixture
def client(app: Chalice) -> Client:
    """Nobody yet: `guest()` makes a player."""
    return Client(app)


def behind(client: Client, services: Services, **calls: Instead) -> Client:
    """The same caller, of an app at whose store these calls do something else."""
    meddled = replace(services, store=cast(Store, MeddledStore(services.store, calls)))
    return replace(client, app=create_app(meddled, keys_of(SIGNING_KEYS), rate_factor=1000))


@pytest.fixture
def asha(client: Client) -> Client:
    return client.guest("Asha")
