"""What whole matches need: this process prepared, and a store behind a proxy that meters and breaks."""

from __future__ import annotations

import secrets
from collections.abc import Iterator

import pytest

from chalicelib.store import create_table
from dev.trust.surroundings import prepare
from tests.servers import Server

prepare()


@pytest.fixture
def table(dynoxide: Server) -> Iterator[str]:
    """A fresh table on dynoxide."""
    name = f"e2e-{secrets.token_hex(6)}"
    create_table(name, dynoxide.url)
    yield name
