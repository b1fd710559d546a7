"""Rate limits: 429 with Retry-After, by caller and by source address, and never for a move."""

from __future__ import annotations

import hashlib
import ipaddress
from collections.abc import Callable
from dataclasses import replace

import pytest

from chalicelib.api.routes import (
    GUESSES,
    GUESSES_THERE,
    PLAYERS,
    REFRESHES,
    ROUTES,
    SIGN_IN_FAILURES,
    By,
    Route,
)
from chalicelib.service.services import Services
from chalicelib.store.memory import MemoryStore
from tests.api.client import Client, Reply, Table, document
from tests.api.conftest import Clock


@pytest.fixture
def rate_factor() -> float:
    """As deployed."""
    return 1


def refused(reply: object) -> bool:
    status, headers, body = reply.status, reply.headers, reply.body  # type: ignore[attr-defined]
    if status != 429:
        return False
    assert "rate_limited" == body["code"]
    assert str(body["params"]["retry_after_seconds"]) == headers["Retry-After"]
    return True


tenth = pytest.mark.parametrize("rate_factor", [0.1])
"""A tenth of all limits, where a test goes up to one of many."""


def refresh(client: Client, token: str, nonce: str = "nonce-of-this-phone") -> Reply:
    return client.call("POST", "/tokens", {"type": "refresh", "refresh_token": token, "client_nonce": nonce})


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
    for day in range(2):
        clock.at += day * 86_400
        client.call("POST", "/players", {})
    keys = [key.removeprefix("players:") for key, _ in services.store._counts]
    assert 2 == len(set(keys))
    address = ipaddress.ip_address(client.address).packed
    assert not {hashlib.sha256(prefix + address).hexdigest()[:24] for prefix in (b"", b"source\n")} & set(keys)
    assert client.address not in str(keys)


def test_midnight_parts_no_hour(client: Client, services: Services, clock: Clock) -> None:
    """The last second of a day is counted with its hour, and the next with the next."""
    assert isinstance(services.store, MemoryStore)
    midnight = clock.at - clock.at % 86_400 + 86_400
    for at in (midnight - 3600, midnight - 1, midnight, midnight + 3599):
        clock.at = at
        client.call("POST", "/players", {})
    assert [2, 2] == list(services.store._counts.values())


def test_refreshing_by_device(client: Client, clock: Clock) -> None:
    """Sixty times an hour; another device behind the same address is not held up, nor is the account's other one."""
    made = client.ok("POST", "/players", {})
    token, bystander = made["tokens"]["refresh_token"], client.ok("POST", "/players", {})["tokens"]["refresh_token"]
    me = client.with_token(made["tokens"]["access_token"])
    code = {"type": "transfer", "code": me.ok("POST", "/me/transfer-codes")["code"], "client_nonce": "n" * 16}
    second = client.ok("POST", "/tokens", code)["tokens"]["refresh_token"]
    for use in range(REFRESHES.most):
        before, token = token, refresh(client, token, f"nonce-of-refresh-{use}").body["tokens"]["refresh_token"]
    assert refused(refresh(client, token))
    assert token == refresh(client, before).body["tokens"]["refresh_token"], "repeats are not counted"
    assert 200 == refresh(client, bystander).status
    assert 200 == refresh(client, second).status
    clock.at += 3600
    assert 200 == refresh(client, token).status


@tenth
def test_junk_locks_nobody_out(client: Client) -> None:
    """After too many junk tokens and codes from an address they are refused as such, and all behind the address who
    hold something good go on: tokens, transfer codes, recovery codes."""
    made = client.ok("POST", "/players", {})
    me = client.with_token(made["tokens"]["access_token"])
    code, recovery = me.ok("POST", "/me/transfer-codes")["code"], me.ok("POST", "/me/recovery-code")["code"]
    junk = made["tokens"]["refresh_token"][:-1] + "~"
    wrong: list[Callable[[], Reply]] = [
        lambda: refresh(client, junk),
        lambda: client.call("POST", "/tokens", {"type": "transfer", "code": "A" * 16, "client_nonce": "n" * 16}),
        lambda: client.call("POST", "/tokens", {"type": "recovery", "code": "A" * 20, "client_nonce": "n" * 16}),
    ]
    for use in range(SIGN_IN_FAILURES.most // 10):
        assert not refused(wrong[use % 3]())
    assert all(refused(each()) for each in wrong)
    assert not refused(
        replace(client, address="192.0.2.2").call(
            "POST", "/tokens", {"type": "refresh", "refresh_token": junk, "client_nonce": "n" * 16}
        )
    )
    assert 200 == refresh(client, made["tokens"]["refresh_token"]).status
    for grant in ({"type": "transfer", "code": code}, {"type": "recovery", "code": recovery}):
        assert 200 == client.call("POST", "/tokens", grant | {"client_nonce": "n" * 16}).status


@tenth
def test_junk_hides_nobodys_sign_out(client: Client) -> None:
    """Who is signed out, or deleted, is told so behind an address that has sent too much junk."""
    out, gone = client.ok("POST", "/players", {}), client.ok("POST", "/players", {})
    client.with_token(out["tokens"]["access_token"]).ok("DELETE", "/me/session")
    client.with_token(gone["tokens"]["access_token"]).ok("DELETE", "/me")
    wrong = {"type": "transfer", "code": "A" * 16, "client_nonce": "n" * 16}
    while not refused(client.call("POST", "/tokens", wrong)):
        pass
    for signed_in, code in ((out, "session_revoked"), (gone, "account_deleted")):
        reply = refresh(client, signed_in["tokens"]["refresh_token"])
        assert (401, code) == (reply.status, reply.code)


def test_a_device_that_is_signed_out_spends_nothing(client: Client) -> None:
    """Of its owner's limits: what they count is refused to it, a read too."""
    made = client.ok("POST", "/players", {})
    me = client.with_token(made["tokens"]["access_token"], made["player"]["id"])
    code = {"type": "transfer", "code": me.ok("POST", "/me/transfer-codes")["code"], "client_nonce": "n" * 16}
    thief = client.with_token(client.ok("POST", "/tokens", code)["tokens"]["access_token"])
    table = me.solo()
    me.ok("DELETE", "/me/sessions")
    for path in ("/invites/ABCDEFGH", "/me/export", f"/matches/{table['id']}/hint"):
        for _ in range(GUESSES.most + 1):
            reply = thief.call("GET", path)
            assert (401, "session_revoked") == (reply.status, reply.code)
    assert 404 == me.call("GET", "/invites/ABCDEFGH").status
    assert 200 == me.call("GET", "/me/export").status


def test_guesses_by_caller_wherever(client: Client) -> None:
    """Wrong invite codes are counted by who tries them, from whatever addresses, at the look-up and at the seat; after
    thirty a right one is refused too. Looking at a right one costs nothing."""
    table = Table.waiting(client)
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
    other = client.guest()
    assert (
        "invite_not_found" == other.call("PUT", f"{table.path}/seats/east", {"type": "human", "code": "AAAAAAAA"}).code
    )
    assert 200 == other.call("PUT", f"{table.path}/seats/east", claim).status


@tenth
def test_guesses_by_source_address(client: Client) -> None:
    """Guests are free: many of them at one address are stopped after so many failures, those who have failed. Who has
    not is let through, and who is at the table already needs no code."""
    table = Table.waiting(client)
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
    table = Table.started(client, deals=1)
    player = table.players[0]
    version = player.ok("GET", table.path)["version"]
    for number in range(60):
        assert not refused(player.call("PATCH", "/me", {"name": f"Asha {number}"}))
    assert refused(player.call("PATCH", "/me", {"name": "Asha"}))
    assert version + 60 == player.ok("GET", table.path)["version"]
    assert not refused(table.players[1].call("PATCH", "/me", {"name": "Bea"}))


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


def test_malformed_requests_do_not_count(client: Client) -> None:
    """Nor do those without a token."""
    for _ in range(200):
        client.call("POST", "/players", {"x": 1})
        client.call("GET", "/invites/AAAAAAAA")
    assert 201 == client.call("POST", "/players", {}).status


def test_moves_are_not_counted(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """A move, a read and the feed ask no counter, nor whether the device is signed in."""

    table = Table.started(client, deals=1)
    player, view = table.turn()
    for asked in ("count", "uses", "devices"):
        monkeypatch.setattr(MemoryStore, asked, None)
    assert 200 == player.move(view, view["you"]["legal_moves"][0]).status
    assert 200 == player.call("GET", table.path).status
    assert 200 == player.call("GET", f"{table.path}/events").status
