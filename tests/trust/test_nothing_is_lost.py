"""Faults between the app and a real store, and crashes of the store: nothing lost, nothing doubled, nothing half."""

from __future__ import annotations

import secrets
from collections.abc import Callable

import pytest

from chalicelib.service.services import Services
from chalicelib.store import DynamoStore, create_table
from dev.trust.crashes import play_through_crashes
from dev.trust.faults import try_dying, try_faults
from dev.trust.phones import PATIENCE
from dev.trust.proxy import Fault
from dev.trust.scenarios import SCENARIOS
from dev.trust.tally import Tally
from dev.trust.transport import InProcess
from tests.servers import Server

CRASHES = 4


@pytest.mark.slow
@pytest.mark.parametrize(
    "operation", ["", "createTokens", "takeSeat", "leaveSeat", "makeMove"], ids=lambda each: each or "sweep"
)
def test_faults_at_every_call(dynoxide: Server, operation: str) -> None:
    """A write that the store made and did not answer, and a conflict, at each call of an operation: repeated as the
    guide says it comes to the same, byte by byte. (`make trust` has eight more kinds of faults.)"""
    faults = (Fault.DROPPED_AFTER, Fault.CONFLICT)
    scenarios = [each for each in SCENARIOS if each.operation_id == operation]
    once, _ = try_faults(dynoxide.url, faults, scenarios, PATIENCE, 8, f"faults-{secrets.token_hex(4)}", lasting=False)
    assert [] == once.broken
    assert once.tried >= 2 * len(faults) * len(scenarios)


def test_a_deletion_that_dies(dynoxide: Server) -> None:
    """A deletion cut short at any of its calls is finished by the sweep, or has not begun."""
    tally = try_dying(dynoxide.url, f"dying-{secrets.token_hex(4)}")
    assert [] == tally.broken
    assert tally.tried > 10


@pytest.mark.parametrize("kind", ["dynoxide_on_disk", "local_store_on_disk"])
def test_the_store_is_killed(kind: str, request: pytest.FixtureRequest) -> None:
    """kill -9 of the store while matches are played: what was acknowledged is there when it is back."""
    start: Callable[[], Server] = request.getfixturevalue(kind)
    tally = Tally("no acknowledged move is lost while the store dies")
    servers = [start()]
    create_table("killed", servers[0].url)
    transport = InProcess(Services(DynamoStore("killed", servers[0].url)))

    def crash() -> None:
        servers[-1].kill()
        servers.append(start())

    play_through_crashes([transport, transport], crash, CRASHES, 4, tally)
    assert [] == tally.broken
    assert tally.tried > CRASHES
