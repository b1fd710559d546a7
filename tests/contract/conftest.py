"""The stores that the contract is tried on. Each is asked to keep the same promises by the same tests."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator

import pytest
from moto import mock_aws

from chalicelib.service.ports import Store
from chalicelib.store import DynamoStore, create_table
from chalicelib.store.memory import MemoryStore

NewStore = Callable[[], Store]
"""Makes an empty store."""

SERVERS = ["local_store", "dynoxide"]
PATIENCE = 300.0
"""Seconds for a call: the machine may be busy with all the tests at once."""


def _on(url: str | None) -> NewStore:
    def new() -> Store:
        table = f"contract-{secrets.token_hex(6)}"
        create_table(table, url)
        return DynamoStore(table, url, call_seconds=PATIENCE)

    return new


@pytest.fixture(scope="module", params=["memory", "moto", *SERVERS])
def new_store(request: pytest.FixtureRequest) -> Iterator[NewStore]:
    """Every store there is."""
    match request.param:
        case "memory":
            yield MemoryStore
        case "moto":
            with mock_aws():
                yield _on(None)
        case server:
            yield _on(request.getfixturevalue(server).url)


@pytest.fixture(scope="module")
def store(new_store: NewStore) -> Store:
    """One store for a module's tests, which keep out of each other's way by their ids."""
    return new_store()


@pytest.fixture(scope="module", params=["memory", *SERVERS])
def whole_store(request: pytest.FixtureRequest) -> Store:
    """Every store whose refused transactions leave nothing behind, as moto's do."""
    if request.param == "memory":
        return MemoryStore()
    return _on(request.getfixturevalue(request.param).url)()


@pytest.fixture(scope="module", params=SERVERS)
def real_store(request: pytest.FixtureRequest) -> Store:
    """The servers that many may write to at once."""
    return _on(request.getfixturevalue(request.param).url)()
