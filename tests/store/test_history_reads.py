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


def test_no_operation_reads_more(read: dict[int, dict[tuple[str, str], float]]) -> None:
    """After a thousand seat events at each table and a thousand matches behind the player, against ten: a page more at
    most, and single things cost what they cost. Every route is measured."""
    assert {route.operation_id for route in ROUTES} == {operation for operation, _ in read[SHORT]}
    single = {("listEvents", which) for which in ("the first", "the last", "none")}
    single |= {(operation, "") for operation in ("getMatch", "getDeal", "makeMove", "leaveSeat", "createMatch")}
    assert single <= read[SHORT].keys()
    dearer = {
        request: (short, read[LONG][request])
        for request, short in read[SHORT].items()
        if read[LONG][request] > short + (1 if request in single else history.page_of(request[0]))
    }
    assert {} == dearer
    assert 1 == read[LONG]["makeMove", ""]
