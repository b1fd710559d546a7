"""Rate limits: 429 with Retry-After, by caller and by source address, and never for a move."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chalicelib.api.routes import INVITES, PLAYERS
from chalicelib.service.house import House
from chalicelib.store.memory import MemoryStore
from tests.api.client import Client, Table
from tests.api.conftest import Clock


@pytest.fixture(autouse=True)
def tight(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """As deployed."""
    monkeypatch.setenv("DO_DOONI_RATE_FACTOR", "1")


def refused(reply: object) -> bool:
    status, headers, body = reply.status, reply.headers, reply.body  # type: ignore[attr-defined]
    if status != 429:
        return False
    assert "rate_limited" == body["code"]
    assert str(body["params"]["retry_after_seconds"]) == headers["Retry-After"]
    return True


def test_guests_by_source_address(client: Client, clock: Clock) -> None:
    """One address makes so many guests in an hour; another address, and the next hour, start anew."""
    for _ in range(PLAYERS.address):
        assert not refused(client.call("POST", "/players", {}))
    assert refused(client.call("POST", "/players", {}))
    assert 201 == replace(client, address="192.0.2.2").call("POST", "/players", {}).status
    clock.at += 3600
    assert 201 == client.call("POST", "/players", {}).status


def test_a_subscriber_is_one_address(client: Client) -> None:
    """IPv6 is counted by its /64, which is one subscriber's."""
    for number in range(PLAYERS.address):
        there = replace(client, address=f"2001:db8::{number:x}")
        assert not refused(there.call("POST", "/players", {}))
    assert refused(replace(client, address="2001:db8::ffff").call("POST", "/players", {}))
    assert not refused(replace(client, address="2001:db8:0:1::").call("POST", "/players", {}))


def test_invites_by_caller_wherever(client: Client) -> None:
    """Looking codes up is counted by the caller too, from whatever addresses."""
    guest = client.guest()
    for number in range(INVITES.caller):
        there = replace(guest, address=f"198.51.100.{number}")
        assert "invite_not_found" == there.call("GET", "/invites/AAAAAAAA").code
    assert refused(replace(guest, address="203.0.113.1").call("GET", "/invites/AAAAAAAA"))


def test_invites_by_source_address(client: Client) -> None:
    """Guests are free: many of them at one address count as one."""
    tried = 0
    for _ in range(10):
        guest = client.guest()
        for _ in range(100):
            if refused(guest.call("GET", "/invites/AAAAAAAA")):
                assert INVITES.address == tried
                return
            tried += 1
    raise AssertionError("nobody was stopped")


def test_names_by_caller(client: Client) -> None:
    """A name is told at every table, so that it may change so often only: nobody fills a match's feed with theirs."""
    table = Table.started(client, deals=1)
    player = table.players[0]
    version = player.ok("GET", table.path)["version"]
    for number in range(60):
        assert not refused(player.call("PATCH", "/me", {"name": f"Asha {number}"}))
    assert refused(player.call("PATCH", "/me", {"name": "Asha"}))
    assert version + 60 == player.ok("GET", table.path)["version"]


def test_malformed_requests_do_not_count(client: Client) -> None:
    """Nor do those without a token."""
    for _ in range(200):
        client.call("POST", "/players", {"x": 1})
        client.call("GET", "/invites/AAAAAAAA")
    assert 201 == client.call("POST", "/players", {}).status


def test_moves_are_not_counted(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """A move, a read and the feed ask no counter."""

    table = Table.started(client, deals=1)
    player, view = table.turn()
    monkeypatch.setattr(MemoryStore, "count", None)
    assert 200 == player.move(view, view["you"]["legal_moves"][0]).status
    assert 200 == player.call("GET", table.path).status
    assert 200 == player.call("GET", f"{table.path}/events").status
