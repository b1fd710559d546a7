"""Rate limits: 429 with Retry-After, by caller and by source address, and never for a move."""

from __future__ import annotations

import hashlib
import ipaddress
from dataclasses import replace

import pytest

from chalicelib.api.routes import GUESSES, GUESSES_THERE, PLAYERS, REFRESHES, ROUTES, SIGN_IN_FAILURES, By, Route
from chalicelib.service.services import Services
from chalicelib.store.memory import MemoryStore
from dev.driver import Reply
from tests.api.client import Client, Foursome, document
from tests.api.conftest import Clock, behind
from tests.service.meddling import failing


@pytest.fixture
def rate_factor() -> float:
    """As deployed."""
    return 1


def refused(reply: Reply) -> bool:
    if reply.status != 429:
        return False
    assert "rate_limited" == reply.code
    assert str(reply.body["params"]["retry_after_seconds"]) == reply.headers["Retry-After"]
    return True


tenth = pytest.mark.parametrize("rate_factor", [0.1])
"""A tenth of all limits, where a test goes up to one of many."""


@tenth
def test_guests_by_source_address(client: Client, clock: Clock) -> None:
    """One address makes so many guests in an hour; another address, and the next hour, start anew."""
    for _ in range(PLAYERS.most // 10):
        assert not refused(client.call("POST", "/players", {}))
    assert refused(client.call("POST", "/players", {}))
    assert 201 == replace(client, address="192.0.2.2").call("POST", "/players", {}).status
    clock.at += 3600
    assert 201 == client.call("POST", "/players", {}).status


@pytest.mark.parametrize("rate_factor", [0.01])
@pytest.mark.parametrize(
    ("same", "other"),
    [
        ("2001:db8:0:{:x}::1", "2001:db8:0:100::1"),
        ("::ffff:192.0.2.7", "192.0.2.8"),
        ("somewhere {}", "192.0.2.7"),
    ],
)
def test_what_is_one_address(client: Client, same: str, other: str) -> None:
    """IPv6 is counted by its /56, one subscriber's; IPv4 is the same in IPv6's clothes; what cannot be read is one."""
    for number in range(6):
        assert not refused(replace(client, address=same.format(number)).call("POST", "/players", {}))
    assert refused(replace(client, address=same.format(255)).call("POST", "/players", {}))
    assert refused(replace(client, address="").call("POST", "/players", {})) == ("somewhere" in same)
    assert not refused(replace(client, address=other).call("POST", "/players", {}))


def test_an_address_is_counted_by_its_digest(client: Client, services: Services, clock: Clock) -> None:
    """With a key of the day: another day's digest of the same address is another, and none is of the address alone."""
    assert isinstance(services.store, MemoryStore)
    midnight = clock.at - clock.at % 86_400 + 86_400
    for at in (midnight - 3600, midnight - 1, midnight, midnight + 3599):
        clock.at = at
        client.call("POST", "/players", {})
    assert [2, 2] == list(services.store._counts.values())
    keys = [key.removeprefix("players:") for key, _ in services.store._counts]
    assert 2 == len(set(keys))
    address = ipaddress.ip_address(client.address).packed
    assert not {hashlib.sha256(prefix + address).hexdigest()[:24] for prefix in (b"", b"source\n")} & set(keys)
    assert client.address not in str(keys)


def test_refreshing_by_device(client: Client, clock: Clock) -> None:
    """Sixty times an hour; another device behind the same address is not held up, nor is the account's other one."""
    made = client.ok("POST", "/players", {})
    token, bystander = made["tokens"]["refresh_token"], client.ok("POST", "/players", {})["tokens"]["refresh_token"]
    code = client.signed_in(made).ok("POST", "/me/transfer-codes")["code"]
    second = client.grant("transfer", code).body["tokens"]["refresh_token"]
    for use in range(REFRESHES.most):
        before, token = token, client.grant("refresh", token, f"nonce-of-refresh-{use}").body["tokens"]["refresh_token"]
    assert refused(client.grant("refresh", token))
    assert token == client.grant("refresh", before).body["tokens"]["refresh_token"], "repeats are not counted"
    assert [200, 200] == [client.grant("refresh", each).status for each in (bystander, second)]
    clock.at += 3600
    assert 200 == client.grant("refresh", token).status


@tenth
def test_junk_locks_nobody_out(client: Client) -> None:
    """After too many junk tokens and codes from an address they are refused as such, and all behind the address who
    hold something good go on: tokens, transfer codes, recovery codes. Who is signed out, or deleted, is told so."""
    made, out, gone = (client.ok("POST", "/players", {}) for _ in range(3))
    me = client.signed_in(made)
    code, recovery = me.ok("POST", "/me/transfer-codes")["code"], me.ok("POST", "/me/recovery-code")["code"]
    client.signed_in(out).ok("DELETE", "/me/session")
    client.signed_in(gone).ok("DELETE", "/me")
    tokens = [each["tokens"]["refresh_token"] for each in (made, out, gone)]
    junk = [("refresh", tokens[0][:-1] + "~"), ("transfer", "A" * 16), ("recovery", "A" * 20)]
    for use in range(SIGN_IN_FAILURES.most // 10):
        assert not refused(client.grant(*junk[use % 3]))
    assert all(refused(client.grant(*each)) for each in junk)
    assert not refused(replace(client, address="192.0.2.2").grant(*junk[0]))
    for token, expected in zip(tokens[1:], ("session_revoked", "account_deleted"), strict=True):
        reply = client.grant("refresh", token)
        assert (401, expected) == (reply.status, reply.code)
    for kind, good in (("refresh", tokens[0]), ("transfer", code), ("recovery", recovery)):
        assert 200 == client.grant(kind, good).status


def test_a_device_that_is_signed_out_spends_nothing(client: Client) -> None:
    """Of its owner's limits: what they count is refused to it, a read too."""
    me = client.guest()
    thief, table = me.another(), me.solo()
    me.ok("DELETE", "/me/sessions")
    for path in ("/invites/ABCDEFGH", "/me/export", f"/matches/{table['id']}/hint"):
        for _ in range(GUESSES.most + 1):
            reply = thief.call("GET", path)
            assert (401, "session_revoked") == (reply.status, reply.code)
    assert [404, 200] == [me.call("GET", path).status for path in ("/invites/ABCDEFGH", "/me/export")]


def test_guesses_by_caller_wherever(client: Client) -> None:
    """Wrong invite codes are counted by who tries them, from whatever addresses, at the look-up and at the seat; after
    thirty a right one is refused too. Looking at a right one costs nothing."""
    table = Foursome.waiting(client)
    code = table.players[0].ok("GET", table.path)["invite"]["code"]
    guest = client.guest()
    for number in range(GUESSES.most):
        there = replace(guest, address=f"198.51.100.{number}")
        assert 200 == there.call("GET", f"/invites/{code}").status
        wrong = there.call("GET", "/invites/AAAAAAAA")
        assert "invite_not_found" == wrong.code
    elsewhere = replace(guest, address="203.0.113.1")
    claim = {"type": "human", "code": code}
    assert refused(elsewhere.call("GET", f"/invites/{code}"))
    assert refused(elsewhere.call("PUT", f"{table.path}/seats/east", claim))
    other, wrong_claim = client.guest(), {"type": "human", "code": "AAAAAAAA"}
    assert "invite_not_found" == other.call("PUT", f"{table.path}/seats/east", wrong_claim).code
    assert 200 == other.call("PUT", f"{table.path}/seats/east", claim).status


@tenth
def test_guesses_by_source_address(client: Client) -> None:
    """Guests are free: many of them at one address are stopped after so many failures, those who have failed."""
    table = Foursome.waiting(client)
    code = table.players[0].ok("GET", table.path)["invite"]["code"]
    tried, guesser = 0, client.guest()
    while not refused(guesser.call("GET", "/invites/AAAAAAAA")):
        tried += 1
        if tried % 2 == 0:
            guesser = client.guest()
    assert GUESSES_THERE.most // 10 == tried
    assert refused(guesser.call("GET", f"/invites/{code}"))
    assert 200 == client.guest().call("GET", f"/invites/{code}").status
    friend = table.players[1]
    assert 200 == friend.call("PUT", f"{table.path}/seats/east", {"type": "human", "code": code}).status
    assert refused(friend.call("GET", "/invites/AAAAAAAA"))
    assert 200 == friend.call("PUT", f"{table.path}/seats/east", {"type": "human"}).status


def test_names_by_caller(client: Client) -> None:
    """A name is told at every table, so that it may change so often only: nobody fills a match's feed with theirs."""
    player = client.guest()
    view = player.solo()
    for number in range(60):
        assert not refused(player.call("PATCH", "/me", {"name": f"Asha {number}"}))
    assert refused(player.call("PATCH", "/me", {"name": "Asha"}))
    assert view["version"] + 60 == player.ok("GET", f"/matches/{view['id']}")["version"]
    assert not refused(client.guest().call("PATCH", "/me", {"name": "Bea"}))


@pytest.mark.parametrize("route", [route for route in ROUTES if route.rates], ids=lambda route: route.operation_id)
def test_who_is_charged(route: Route) -> None:
    """Whoever is known is charged as themselves: an address only for new guests, and for failures."""
    for rate in route.rates:
        assert rate.by is not By.ADDRESS or rate.failures or route.operation_id == "createPlayer"
        assert rate.by is not By.PLAYER or not route.for_all
    told = document()["paths"][route.path][route.method.lower()]
    assert [(rate.by, rate.most, list(rate.failures)) for rate in route.rates] == [
        (limit["by"], limit["most"], limit.get("failures", [])) for limit in told["x-rate-limits"]
    ]
    assert all(f"{rate.most:,}" in told["description"] for rate in route.rates)


@pytest.mark.parametrize("rate_factor", [1 / PLAYERS.most])
def test_malformed_requests_do_not_count(client: Client) -> None:
    """Nor do those without a token."""
    for _ in range(3):
        client.call("POST", "/players", {"x": 1})
        client.call("GET", "/invites/AAAAAAAA")
    assert [201, 429] == [client.call("POST", "/players", {}).status for _ in range(2)]


def test_moves_are_not_counted(client: Client, services: Services) -> None:
    """A move, a read and the feed ask no counter, nor whether the device is signed in."""
    table = Foursome.started(client, deals=1)
    player, view = table.turn()
    player = behind(player, services, **dict.fromkeys(("count", "uses", "devices"), failing(AssertionError())))
    assert 200 == player.move(view, view["you"]["legal_moves"][0]).status
    assert 200 == player.call("GET", table.path).status
    assert 200 == player.call("GET", f"{table.path}/events").status
