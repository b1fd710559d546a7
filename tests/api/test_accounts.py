"""Guests, devices and tokens, and an account that is deleted."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest

from chalicelib.api.routes import ROUTES, Route
from chalicelib.service.services import Services
from chalicelib.store.memory import MemoryStore
from dev.trust.snapshot import changed, copied
from tests.api.client import Client, Reply, Table
from tests.api.conftest import Clock

NONCE = "nonce-of-this-phone"
OTHER = "nonce-of-another-one"
WRITES = [route for route in ROUTES if route.method not in ("GET", "HEAD") and not route.for_all]
GO_ON = {"makeMove", "deleteSession"}
"""Writes that are open to a device that is signed out, until its access token ends."""
BODIES: Mapping[str, Any] = {
    "updateMe": {"name": "Mallory", "locale": "hi"},
    "takeSeat": {"type": "human"},
    "createMatch": {},
    "createRematch": {},
}


def tokens(client: Client, body: object) -> Reply:
    return client.call("POST", "/tokens", body)


def refresh(client: Client, token: str, nonce: str = NONCE) -> Reply:
    return tokens(client, {"type": "refresh", "refresh_token": token, "client_nonce": nonce})


def signed_in(client: Client, reply: Reply) -> Client:
    """The device that an answer of `createTokens` has signed in."""
    assert 200 == reply.status, reply
    return client.with_token(reply.body["tokens"]["access_token"], reply.body["player"]["id"])


def another(client: Client, **more: str) -> Client:
    """One more device of this player."""
    code = client.ok("POST", "/me/transfer-codes")["code"]
    return signed_in(client, tokens(client, {"type": "transfer", "code": code, "client_nonce": NONCE, **more}))


def test_a_guest_needs_nothing(client: Client) -> None:
    """`{}` or no body at all makes a player without a name, and tokens that nobody may store."""
    bodies: tuple[object, ...] = ({}, None)
    for body in bodies:
        reply = client.call("POST", "/players", body)
        assert (201, "no-store") == (reply.status, reply.headers["Cache-Control"])
        assert {"id", "created_at"} == set(reply.body["player"])
        assert ("Bearer", 900) == (reply.body["tokens"]["token_type"], reply.body["tokens"]["expires_in"])


def test_without_a_name_at_the_table(client: Client) -> None:
    """`name` is left out wherever the player is shown: in the view, in events, in lists, to the invited."""
    made = client.ok("POST", "/players", {})
    nobody = client.with_token(made["tokens"]["access_token"], made["player"]["id"])
    update = nobody.ok("POST", "/matches", {"seats": {"north": {"type": "human"}}})
    path = f"/matches/{update['match']['id']}"
    invitation = client.guest().ok("GET", f"/invites/{update['match']['invite']['code']}")
    listed = nobody.ok("GET", "/matches")["items"][0]
    for shown in (update["match"], listed, invitation):
        assert {"id": nobody.player_id} == shown["seats"][0]["player"]
    assert {"id": nobody.player_id} == invitation["host"]
    taken = [event for event in nobody.ok("GET", f"{path}/events")["items"] if event["type"] == "seat_taken"]
    assert {"id": nobody.player_id} == taken[0]["place"]["player"]


def test_a_language(client: Client) -> None:
    """BCP 47, in its usual case, of the profile alone; what is left out stays."""
    asha = client.guest()
    told = client.ok("POST", "/players", {"locale": "PA-guru-in"})
    assert "pa-Guru-IN" == told["player"]["locale"]
    assert ("Asha", "hi") == _name_and_language(asha.ok("PATCH", "/me", {"locale": "HI"}))
    assert ("Bea", "hi") == _name_and_language(asha.ok("PATCH", "/me", {"name": "Bea"}))
    assert ("Bea", "hi") == _name_and_language(asha.ok("PATCH", "/me", {}))
    assert ("Bea", "en-IN-u-nu-deva") == _name_and_language(asha.ok("PATCH", "/me", {"locale": "en-in-u-nu-deva"}))
    assert "en-IN-u-nu-deva" == asha.ok("GET", "/me/export")["player"]["locale"]
    for wrong in ("", "h", "hindi language", "en_IN", "en-", "x" * 36, "-en", "en-IN\n"):
        reply = asha.call("PATCH", "/me", {"locale": wrong})
        assert (400, "/locale") == (reply.status, reply.body["errors"][0]["pointer"]), wrong


def _name_and_language(me: Mapping[str, str]) -> tuple[str, str]:
    return me["name"], me["locale"]


def test_reserved_names(asha: Client) -> None:
    """A name that reads as a bot or as the game is refused, when signing up as well."""
    for method, path in (("PATCH", "/me"), ("POST", "/players")):
        for name in ("Sharp bot", "D0 Dooni", "\u0405ystem"):
            reply = asha.call(method, path, {"name": name})
            assert [("/name", "name_reserved")] == [(each["pointer"], each["code"]) for each in reply.body["errors"]]


def test_a_lost_answer_loses_no_device(client: Client, clock: Clock) -> None:
    """A refresh token sent again gets the same successor: for a minute, and with its nonce for as long as it takes."""
    first = client.ok("POST", "/players", {})["tokens"]["refresh_token"]
    second = refresh(client, first).body["tokens"]["refresh_token"]
    assert second == refresh(client, first, OTHER).body["tokens"]["refresh_token"]
    clock.at += 25 * 60 * 60
    assert second == refresh(client, first).body["tokens"]["refresh_token"]
    used = refresh(client, second)
    assert (422, "client_nonce_used") == (used.status, used.code)
    third = refresh(client, second, OTHER).body["tokens"]["refresh_token"]
    stolen = refresh(client, first)
    assert (401, "session_revoked") == (stolen.status, stolen.code)
    assert "session_revoked" == refresh(client, third).code


def test_what_is_no_refresh_token(client: Client) -> None:
    """401 refresh_token_invalid, for garbage of any form."""
    token = client.ok("POST", "/players", {})["tokens"]["refresh_token"]
    for wrong in ("", "x", token[:-1], token + "x", token.swapcase(), "é" * len(token)):
        reply = refresh(client, wrong)
        assert (401, "refresh_token_invalid") == (reply.status, reply.code)
        assert "x-amzn-Remapped-WWW-Authenticate" in reply.headers
    assert 200 == refresh(client, token).status


def test_another_device(asha: Client, clock: Clock) -> None:
    """A transfer code signs it in as the same player; wrong, used and expired codes answer alike, and sign nobody
    out."""
    phone = another(asha)
    assert asha.player_id == phone.ok("GET", "/me")["id"]

    late = asha.ok("POST", "/me/transfer-codes")["code"]
    clock.at += 601
    for wrong in (late, "AAAA", ""):
        reply = tokens(asha, {"type": "transfer", "code": wrong, "client_nonce": OTHER})
        assert (422, "transfer_code_invalid") == (reply.status, reply.code)
        assert "x-amzn-Remapped-WWW-Authenticate" not in reply.headers


def test_the_way_back(asha: Client) -> None:
    """A recovery code, shown once: it signs a new device in, and the old ones out at once."""
    assert "recovery_code_at" not in asha.ok("GET", "/me")
    code = asha.ok("POST", "/me/recovery-code")["code"]
    assert "2027-01-15T08:00:00Z" == asha.ok("GET", "/me")["recovery_code_at"]
    typed = {"type": "recovery", "code": "-".join(re.findall("....", code)).lower(), "client_nonce": NONCE}
    reply = tokens(asha, typed)
    back = signed_in(asha, reply)
    assert reply.body == tokens(asha, typed).body
    assert asha.player_id == back.player_id
    assert (401, "session_revoked") == (asha.call("POST", "/matches", {}).status, asha.call("PATCH", "/me", {}).code)
    assert 201 == back.call("POST", "/matches", {}).status

    renewed = back.ok("POST", "/me/recovery-code")["code"]
    for wrong in (code, "AAAA", ""):
        refused = tokens(asha, {"type": "recovery", "code": wrong, "client_nonce": OTHER})
        assert (422, "recovery_code_invalid") == (refused.status, refused.code)
    assert code not in back.call("GET", "/me/export").body.__repr__()
    assert 200 == tokens(asha, {"type": "recovery", "code": renewed, "client_nonce": OTHER}).status


def test_my_devices(asha: Client, clock: Clock) -> None:
    """Listed with name and times, this one marked; signed out one by one, or all others."""
    clock.at += 60
    tablet = another(asha, device_name=" Asha's  tablet ")
    listed = tablet.ok("GET", "/me/sessions")["items"]
    assert [("Asha's tablet", True), (None, False)] == [(each.get("name"), each["current"]) for each in listed]
    assert {"id", "created_at", "used_at", "current"} == set(listed[1])
    clock.at += 60
    third = another(tablet)
    for _ in range(2):
        assert 204 == tablet.call("DELETE", f"/me/sessions/{listed[1]['id']}").status
    assert 2 == len(tablet.ok("GET", "/me/sessions")["items"])
    assert "session_revoked" == asha.call("DELETE", "/me/sessions").code
    for _ in range(2):
        assert 204 == tablet.call("DELETE", "/me/sessions").status
    assert [listed[0] | {"current": True}] == tablet.ok("GET", "/me/sessions")["items"]
    assert "session_revoked" == third.call("POST", "/me/transfer-codes").code
    assert (400, "invalid_parameter") == (tablet.call("DELETE", "/me/sessions/x").status, "invalid_parameter")


def test_too_many_devices(asha: Client) -> None:
    """422 for the seventeenth."""
    for _ in range(15):
        another(asha)
    code = asha.ok("POST", "/me/transfer-codes")["code"]
    reply = tokens(asha, {"type": "transfer", "code": code, "client_nonce": NONCE})
    assert (422, "too_many_devices", {"most": 16}) == (reply.status, reply.code, reply.body["params"])


def test_signing_out(client: Client) -> None:
    """The device's refresh token is worth nothing any more; repeatable."""
    made = client.ok("POST", "/players", {})
    device = client.with_token(made["tokens"]["access_token"])
    for _ in range(2):
        assert 204 == device.call("DELETE", "/me/session").status
    assert "session_revoked" == refresh(client, made["tokens"]["refresh_token"]).code


@pytest.mark.parametrize("route", WRITES, ids=lambda route: route.operation_id)
def test_a_device_that_is_signed_out_writes_nothing(client: Client, services: Services, route: Route) -> None:
    """Every write but a move, from the moment it is signed out; reads and moves go on until the access token ends."""
    table = Table.started(client, deals=1)
    player, view = table.turn()
    seat = view["you"]["seat"]
    player.ok("DELETE", "/me/session")
    path = route.path.replace("{match_id}", table.id).replace("{seat}", seat).replace("{session_id}", "A" * 16)
    body = BODIES.get(route.operation_id)
    if route.operation_id == "makeMove":
        path, body = path.replace("{move_number}", str(view["next_move"])), view["you"]["legal_moves"][0]
    assert isinstance(services.store, MemoryStore)
    before = copied(services.store)

    reply = player.call(route.method, path, body)

    if route.operation_id in GO_ON:
        assert reply.status in (200, 204)
        assert 200 == player.call("GET", table.path).status
    else:
        assert (401, "session_revoked") == (reply.status, reply.code)
        assert reply.headers["x-amzn-Remapped-WWW-Authenticate"].startswith("Bearer ")
        assert [] == changed(before, services.store)


@pytest.mark.parametrize("route", WRITES, ids=lambda route: route.operation_id)
def test_a_deleted_account_writes_nothing(client: Client, route: Route) -> None:
    """It is told so; deleting again and signing out are as good as done."""
    asha = client.guest()
    asha.ok("DELETE", "/me")
    path = (
        re.sub(r"\{(match|session)_id\}", "A" * 16, route.path).replace("{seat}", "east").replace("{move_number}", "1")
    )
    body = {"type": "pass"} if route.operation_id == "makeMove" else BODIES.get(route.operation_id)
    reply = asha.call(route.method, path, body)
    if route.operation_id == "makeMove":
        assert "match_not_found" == reply.code
    elif route.operation_id in ("deleteMe", "deleteSession"):
        assert 204 == reply.status
    else:
        assert (401, "account_deleted") == (reply.status, reply.code)


def test_a_deleted_account(client: Client) -> None:
    """DELETE /me is repeatable; then nothing of the account can be had, a match can be read but not played, and the
    others see `{"deleted": true}`."""
    table = Table.started(client, deals=1)
    gone, other = table.players[3], table.players[0]
    for _ in range(2):
        assert 204 == gone.call("DELETE", "/me").status
    for path in ("/me", "/me/export", "/me/sessions"):
        reply = gone.call("GET", path)
        assert (401, "account_deleted") == (reply.status, reply.code), path
    view = gone.ok("GET", table.path)
    assert "you" not in view
    reply = gone.call("PUT", f"{table.path}/moves/{view['next_move']}", {"type": "pass"})
    assert (403, "not_seated") == (reply.status, reply.code)
    assert {"deleted": True} == other.ok("GET", table.path)["seats"][3]["player"]


def test_everything_about_me(client: Client) -> None:
    """The export holds profile, devices and matches, with times as the API tells them."""
    table = Table.started(client, deals=1)
    told = table.players[1].ok("GET", "/me/export")

    assert "Bilal" == told["player"]["name"]
    assert [(table.id, "member")] == [(each["match_id"], each["standing"]) for each in told["matches"]]
    assert [] == told["offers"] and "next_cursor" not in told
    assert told["player"]["created_at"] == told["devices"][0]["created_at"] == "2027-01-15T08:00:00Z"
