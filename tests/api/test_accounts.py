"""Guests, devices and tokens, and an account that is deleted."""

from __future__ import annotations

from tests.api.client import Client, Table
from tests.api.conftest import Clock


def grant(client: Client, body: object) -> Client:
    tokens = client.ok("POST", "/tokens", body)
    return Client(tokens["tokens"]["access_token"], tokens["player"]["id"], seen=client.seen)


def test_a_guest_needs_nothing(client: Client) -> None:
    """`{}` or no body at all makes a player with a name, and tokens that nobody may store."""
    bodies: tuple[object, ...] = ({}, None)
    for body in bodies:
        reply = client.call("POST", "/players", body)
        assert (201, "Guest", "no-store") == (
            reply.status,
            reply.body["player"]["name"],
            reply.headers["Cache-Control"],
        )
        assert ("Bearer", 900) == (reply.body["tokens"]["token_type"], reply.body["tokens"]["expires_in"])


def test_a_lost_answer_loses_no_device(client: Client) -> None:
    """A refresh token sent again gets the same successor; after that was used it signs the device out."""
    first = client.ok("POST", "/players", {})["tokens"]["refresh_token"]

    def refresh(token: str) -> str:
        return str(client.ok("POST", "/tokens", {"type": "refresh", "refresh_token": token})["tokens"]["refresh_token"])

    second = refresh(first)
    assert second == refresh(first)
    third = refresh(second)
    stolen = client.call("POST", "/tokens", {"type": "refresh", "refresh_token": first})
    assert (401, "session_revoked") == (stolen.status, stolen.code)
    after = client.call("POST", "/tokens", {"type": "refresh", "refresh_token": third})
    assert "session_revoked" == after.code


def test_what_is_no_refresh_token(client: Client) -> None:
    """401 refresh_token_invalid, for garbage of any form."""
    token = client.ok("POST", "/players", {})["tokens"]["refresh_token"]
    for wrong in ("", "x", token[:-1], token + "x", token.swapcase(), "é" * len(token)):
        reply = client.call("POST", "/tokens", {"type": "refresh", "refresh_token": wrong})
        assert (401, "refresh_token_invalid") == (reply.status, reply.code)
        assert "x-amzn-Remapped-WWW-Authenticate" in reply.headers


def test_another_device(asha: Client, clock: Clock) -> None:
    """A transfer code signs it in as the same player; wrong, used and expired codes answer alike."""
    code = asha.ok("POST", "/me/transfer-codes")
    phone = grant(asha, {"type": "transfer", "code": code["code"].lower()})
    assert asha.player_id == phone.ok("GET", "/me")["id"]

    late = asha.ok("POST", "/me/transfer-codes")["code"]
    clock.at += 601
    for wrong in (late, "AAAA", ""):
        reply = asha.call("POST", "/tokens", {"type": "transfer", "code": wrong})
        assert (401, "transfer_code_invalid") == (reply.status, reply.code)


def test_signing_out(client: Client) -> None:
    """The device's refresh token is worth nothing any more; repeatable."""
    made = client.ok("POST", "/players", {})
    device = Client(made["tokens"]["access_token"], seen=client.seen)
    for _ in range(2):
        assert 204 == device.call("DELETE", "/me/session").status
    refresh = {"type": "refresh", "refresh_token": made["tokens"]["refresh_token"]}
    assert "session_revoked" == client.call("POST", "/tokens", refresh).code


def test_a_deleted_account(client: Client) -> None:
    """DELETE /me is repeatable; then nothing can be had for it, and the others see `{"deleted": true}`."""
    table = Table.started(client, deals=1)
    gone, other = table.players[3], table.players[0]
    for _ in range(2):
        assert 204 == gone.call("DELETE", "/me").status
    for method, path, body in (
        ("GET", "/me", None),
        ("PATCH", "/me", {"name": "Again"}),
        ("GET", "/me/export", None),
        ("POST", "/me/transfer-codes", None),
        ("POST", "/matches", {}),
    ):
        reply = gone.call(method, path, body)
        assert (401, "account_deleted") == (reply.status, reply.code), path
    assert {"deleted": True} == other.ok("GET", table.path)["seats"][3]["player"]


def test_everything_about_me(client: Client) -> None:
    """The export holds profile, devices and matches, with times as the API tells them."""
    table = Table.started(client, deals=1)
    told = table.players[1].ok("GET", "/me/export")

    assert "Bilal" == told["player"]["name"]
    assert [table.id] == [each["match_id"] for each in told["matches"]]
    assert told["player"]["created_at"] == told["devices"][0]["created_at"] == "2027-01-15T08:00:00Z"
