"""The stores that the contract is tried on. Each is asked to keep the same promises by the same tests."""

from __future__ import annotations

import secrets
from collections.abc import Callable

import pytest

from chalicelib.service.ports import Store
from chalicelib.store import DynamoStore, create_table
from chalicelib.store.memory import MemoryStore

NewStore = Callable[[], Store]
"""Makes an empty store."""

SERVERS = ["local_store", "dynoxide"]
PATIENCE = 300.0
"""Seconds for a call: the machine may be busy with all the tests at once."""


def _on(url: str) -> NewStore:
    def new() -> Store:
        table = f"contract-{secrets.token_hex(6)}"
        create_table(table, url)
        return DynamoStore(table, url, call_seconds=PATIENCE)

    return new


@pytest.fixture(scope="session", params=["memory", *SERVERS])
def new_store(request: pytest.FixtureRequest) -> NewStore:
    """Every store there is."""
    return MemoryStore if request.param == "memory" else _on(request.getfixturevalue(request.param).url)


@pytest.fixture(scope="session")
def store(new_store: NewStore) -> Store:
    """One store for all tests, which keep out of each other's way by their ids."""
    return new_store()


@pytest.fixture(scope="session", params=SERVERS)
def real_store(request: pytest.FixtureRequest) -> Store:
    """The servers that many may write to at once."""
    return _on(request.getfixturevalue(request.param).url)()
