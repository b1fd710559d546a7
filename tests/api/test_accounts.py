"""Guests, devices and tokens, and an account that is deleted."""

from __future__ import annotations

import re

import pytest

from chalicelib.api.routes import ROUTES, Route
from chalicelib.service.services import Services
from chalicelib.store.memory import MemoryStore
from dev.trust.items import content, copied
from tests.api.client import BODIES, Client, Foursome, path_of
from tests.api.conftest import Clock

OTHER = "nonce-of-another-one"
NOW = "2027-01-15T08:00:00Z"
WRITES = [route for route in ROUTES if route.method not in ("GET", "HEAD") and not route.for_all]
GO_ON = {"makeMove", "deleteSession"}
"""Writes that are open to a device that is signed out, until its access token ends."""


def test_a_guest_needs_nothing(client: Client) -> None:
    """`{}` or no body at all makes a player without a name, and tokens that nobody may store."""
    bodies: tuple[object, ...] = ({}, None)
    for body in bodies:
        reply = client.call("POST", "/players", body)
        assert (201, "no-store") == (reply.status, reply.headers["Cache-Control"])
        assert {"id", "created_at"} == set(reply.body["player"])
        assert ("Bearer", 900) == (reply.body["tokens"]["token_type"], reply.body["tokens"]["expires_in"])
    nobody = client.signed_in(reply.body)
    update = nobody.ok("POST", "/matches", {"seats": {"north": {"type": "human"}}})
    path = f"/matches/{update['match']['id']}"
    invitation = client.guest().ok("GET", f"/invites/{update['match']['invite']['code']}")
    (listed,) = nobody.ok("GET", "/matches")["items"]
    shown = [each["seats"][0]["player"] for each in (update["match"], listed, invitation)]
    taken = [event for event in nobody.ok("GET", f"{path}/events")["items"] if event["type"] == "seat_taken"]
    assert [{"id": nobody.player_id}] * 5 == [*shown, invitation["host"], taken[0]["place"]["player"]]


def test_a_language(client: Client) -> None:
    """BCP 47, in its usual case, of the profile alone; what is left out stays."""
    asha = client.guest()
    assert "pa-Guru-IN" == client.ok("POST", "/players", {"locale": "PA-guru-in"})["player"]["locale"]
    for changes, expected in (
        ({"locale": "HI"}, ("Asha", "hi")),
        ({"name": "Bea"}, ("Bea", "hi")),
        ({}, ("Bea", "hi")),
        ({"locale": "en-in-u-nu-deva"}, ("Bea", "en-IN-u-nu-deva")),
    ):
        me = asha.ok("PATCH", "/me", changes)
        assert expected == (me["name"], me["locale"])
    for wrong in ("", "h", "hindi language", "en_IN", "en-", "x" * 36, "-en", "en-IN\n"):
        reply = asha.call("PATCH", "/me", {"locale": wrong})
        assert (400, "/locale") == (reply.status, reply.body["errors"][0]["pointer"]), wrong


def test_a_refresh_token(client: Client, clock: Clock) -> None:
    """Sent again it gets the same successor; once that was used it is a copy, which ends the device."""
    token = client.ok("POST", "/players", {})["tokens"]["refresh_token"]
    for wrong in ("", "x", token[:-1], token + "x", token.swapcase(), "é" * len(token)):
        reply = client.grant("refresh", wrong)
        assert (401, "refresh_token_invalid") == (reply.status, reply.code)
        assert "x-amzn-Remapped-WWW-Authenticate" in reply.headers
    second = client.grant("refresh", token).body["tokens"]["refresh_token"]
    clock.at += 25 * 60 * 60
    assert second == client.grant("refresh", token).body["tokens"]["refresh_token"]
    third = client.grant("refresh", second, OTHER).body["tokens"]["refresh_token"]
    for copied_token in (token, third):
        reply = client.grant("refresh", copied_token)
        assert (401, "session_revoked") == (reply.status, reply.code)


@pytest.mark.parametrize(("kind", "path"), [("transfer", "/me/transfer-codes"), ("recovery", "/me/recovery-code")])
def test_a_code_signs_in(asha: Client, kind: str, path: str) -> None:
    """As the same player, on a new device; wrong codes answer alike, and sign nobody out."""
    assert "recovery_code_at" not in asha.ok("GET", "/me")
    code = asha.ok("POST", path)["code"]
    assert (NOW if kind == "recovery" else None) == asha.ok("GET", "/me").get("recovery_code_at")
    typed = "-".join(re.findall("....", code)).lower()
    reply = asha.grant(kind, typed)
    phone = asha.signed_in(reply.body)
    assert (asha.player_id, reply.body) == (phone.player_id, asha.grant(kind, typed).body)
    assert 201 == phone.call("POST", "/matches", {}).status
    assert (401 if kind == "recovery" else 201) == asha.call("POST", "/matches", {}).status
    assert code not in str(phone.ok("GET", "/me/export"))
    for wrong in ("AAAA", ""):
        refused = asha.grant(kind, wrong, OTHER)
        assert (422, f"{kind}_code_invalid") == (refused.status, refused.code)
        assert "x-amzn-Remapped-WWW-Authenticate" not in refused.headers


def test_my_devices(asha: Client, clock: Clock) -> None:
    """Listed with name and times, this one marked; signed out one by one, or all others, again too."""
    clock.at += 60
    tablet = asha.another(device_name=" Asha's  tablet ")
    listed = tablet.ok("GET", "/me/sessions")["items"]
    assert [("Asha's tablet", True), (None, False)] == [(each.get("name"), each["current"]) for each in listed]
    assert {"id", "created_at", "used_at", "current"} == set(listed[1])
    clock.at += 60
    third = tablet.another()
    for path, left in ((f"/me/sessions/{listed[1]['id']}", 2), ("/me/sessions", 1)):
        for _ in range(2):
            assert 204 == tablet.call("DELETE", path).status
        assert left == len(tablet.ok("GET", "/me/sessions")["items"])
    assert [listed[0] | {"current": True}] == tablet.ok("GET", "/me/sessions")["items"]
    assert "session_revoked" == third.call("POST", "/me/transfer-codes").code
    for _ in range(2):
        assert 204 == tablet.call("DELETE", "/me/session").status
    assert "session_revoked" == tablet.call("DELETE", "/me/sessions").code


@pytest.mark.parametrize("route", WRITES, ids=lambda route: route.operation_id)
def test_a_device_that_is_signed_out_writes_nothing(client: Client, services: Services, route: Route) -> None:
    """Every write but a move, from the moment it is signed out; reads and moves go on until the access token ends."""
    table = Foursome.started(client, deals=1)
    player, view = table.turn()
    player.ok("DELETE", "/me/session")
    path = path_of(route, match_id=table.id, seat=view["you"]["seat"], move_number=str(view["next_move"]))
    body = view["you"]["legal_moves"][0] if route.operation_id == "makeMove" else BODIES.get(route.operation_id)
    assert isinstance(services.store, MemoryStore)
    before = copied(services.store)
    reply = player.call(route.method, path, body)
    if route.operation_id in GO_ON:
        assert reply.status in (200, 204) and 200 == player.call("GET", table.path).status
    else:
        assert (401, "session_revoked") == (reply.status, reply.code)
        assert reply.headers["x-amzn-Remapped-WWW-Authenticate"].startswith("Bearer ")
        assert content(before) == content(services.store)


def test_a_deleted_account_has_nothing(asha: Client) -> None:
    """It is told so, and reads nothing of its own; deleting again and signing out are as good as done."""
    asha.ok("DELETE", "/me")
    for route in [*WRITES, *(route for route in ROUTES if route.operation_id in ("getMe", "exportMe", "listSessions"))]:
        expected = {"makeMove": (404, "match_not_found"), "deleteMe": (204, ""), "deleteSession": (204, "")}
        reply = asha.call(route.method, path_of(route), BODIES.get(route.operation_id))
        code = reply.code if reply.body else ""
        assert expected.get(route.operation_id, (401, "account_deleted")) == (reply.status, code), route.operation_id


def test_everything_about_me(asha: Client) -> None:
    """The export holds profile, devices and matches, with times as the API tells them."""
    match_id = asha.solo()["id"]
    told = asha.ok("GET", "/me/export")
    assert "Asha" == told["player"]["name"]
    assert [(match_id, "member")] == [(each["match_id"], each["standing"]) for each in told["matches"]]
    assert [] == told["offers"] and "next_cursor" not in told
    assert told["player"]["created_at"] == told["devices"][0]["created_at"] == NOW
