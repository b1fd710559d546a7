"""The generated clients, and a server for them to play on."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest

from chalicelib.store import DynamoStore, create_table
from dev.clients.generate import generated
from dev.clients.tools import Missing
from tests.clients.answers import future
from tests.servers import ApiProcess, Server

Client = Callable[[str], Path]
T = TypeVar("T")


def or_skip(get: Callable[[], T]) -> T:
    """What `get` gives; where a tool is missing the test is skipped, and says which."""
    try:
        return get()
    except Missing as missing:
        pytest.skip(str(missing))


@pytest.fixture(scope="session")
def client() -> Client:
    """The folder of a language's client, up to date with the contract."""
    return lambda language: or_skip(lambda: generated(language))


@pytest.fixture
def table(dynoxide: Server) -> str:
    """A fresh table's name."""
    name = f"clients-{secrets.token_hex(6)}"
    create_table(name, dynoxide.url)
    return name


@pytest.fixture
def server(dynoxide: Server, table: str, api_process: Callable[[str, str], ApiProcess]) -> str:
    """The base of a running API's paths."""
    return api_process(dynoxide.url, table).url


@pytest.fixture
def store(dynoxide: Server, table: str) -> DynamoStore:
    """What the running API keeps."""
    return DynamoStore(table, dynoxide.url, call_seconds=30)


@pytest.fixture
def future_file(tmp_path: Path) -> str:
    """An answer of tomorrow, as a file."""
    file = tmp_path / "future.json"
    file.write_text(json.dumps(future()), encoding="utf-8")
    return str(file)
