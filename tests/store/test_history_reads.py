"""No operation reads more where more has happened before."""

from __future__ import annotations

import secrets

import pytest

from chalicelib.api.app import create_app
from chalicelib.api.auth import Keys
from chalicelib.api.routes import ROUTES
from chalicelib.service.services import Services
from chalicelib.store import DynamoStore
from dev.bench import history
from dev.bench.calls import Caller, make_table
from tests.servers import Server, new_signing_keys

SHORT, LONG = 10, 1_000


@pytest.fixture(scope="module")
def read(dynoxide: Server) -> dict[int, dict[tuple[str, str], float]]:
    """Read units of every request, by the length of the history."""
    table = f"history-{secrets.token_hex(6)}"
    services = Services(DynamoStore(table, dynoxide.url, call_seconds=30))
    app = create_app(services, Keys(new_signing_keys), rate_factor=0)
    make_table(dynoxide.url, table)
    return {length: history.units(Caller(app), services, dynoxide.url, table, length) for length in (SHORT, LONG)}


def test_each_operation_is_measured(read: dict[int, dict[tuple[str, str], float]]) -> None:
    """There is no route without a request here."""
    assert {route.operation_id for route in ROUTES} == {operation for operation, _ in read[SHORT]}


def test_a_long_history_costs_a_page_more_at_most(read: dict[int, dict[tuple[str, str], float]]) -> None:
    """A thousand seat events at each table and a thousand matches behind the player, against ten."""
    dearer = {
        request: (short, read[LONG][request])
        for request, short in read[SHORT].items()
        if read[LONG][request] > short + history.page_of(request[0])
    }
    assert {} == dearer


def test_what_never_reads_a_page_reads_the_same(read: dict[int, dict[tuple[str, str], float]]) -> None:
    """Single things cost what they cost, whatever there was before."""
    for request in (
        ("getMatch", ""),
        ("getDeal", ""),
        ("makeMove", ""),
        ("listEvents", "the first"),
        ("listEvents", "the last"),
        ("listEvents", "none"),
        ("leaveSeat", ""),
        ("createMatch", ""),
    ):
        assert read[LONG][request] <= read[SHORT][request] + 1, request
    assert 1 == read[LONG]["makeMove", ""]
