"""Nobody gets in: every operation with every wrong token."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from typing import Any

import jwt
import pytest

from chalicelib.api import auth
from chalicelib.api.app import create_app
from chalicelib.api.problems import PROBLEMS
from chalicelib.api.routes import ROUTES, Route
from chalicelib.service.services import Services
from tests.api.client import BODIES, Client, path_of
from tests.api.conftest import SIGNING_KEYS, Clock, key, keys_of

GUARDED = [route for route in ROUTES if not route.for_all]


def secret(kid: str) -> bytes:
    return base64.urlsafe_b64decode(SIGNING_KEYS[kid] + "==")


def signed(clock: Clock, kid: str = "new", algorithm: str = "HS256", sign_with: Any = None, **claims: Any) -> str:
    """A token that is right but for what is said."""
    whole = {
        "iss": "do-dooni",
        "aud": "do-dooni-api",
        "sub": "AAAAAAAAAAAAAAAA",
        "sid": "BBBBBBBBBBBBBBBB",
        "exp": clock.at + 900,
    } | claims
    whole = {name: value for name, value in whole.items() if value is not None}
    return jwt.encode(whole, secret("new") if sign_with is None else sign_with, algorithm, headers={"kid": kid})


def unsigned(clock: Clock) -> str:
    """alg: none, written by hand."""

    def part(value: object) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")

    claims = jwt.decode(signed(clock), options={"verify_signature": False})
    return f"{part({'alg': 'none', 'kid': 'new', 'typ': 'JWT'})}.{part(claims)}."


def wrong_tokens(clock: Clock) -> dict[str, tuple[str | None, str]]:
    """What is wrong → (Authorization header, the problem's code)."""
    good = signed(clock)
    tokens = {
        "garbage": "garbage",
        "empty": "",
        "three parts of nothing": "..",
        "not ASCII": "é.é.é",
        "a head of nothing but brackets": f"{base64.urlsafe_b64encode(b'[' * 6000).decode()}.e30.x",
        "cut": good[:-4],
        "altered": good[:-1] + ("A" if good[-1] != "A" else "E"),
        "alg none": unsigned(clock),
        "another algorithm": signed(clock, algorithm="HS512", sign_with=secret("new") * 2),
        "a key that is not ours": signed(clock, sign_with=b"x" * 32),
        "the other of our keys": signed(clock, kid="old"),
        "an unknown key id": signed(clock, kid="unknown"),
        "issued by another": signed(clock, iss="somebody"),
        "for another audience": signed(clock, aud="somebody"),
        "no issuer": signed(clock, iss=None),
        "no audience": signed(clock, aud=None),
        "no end": signed(clock, exp=None),
        "an end that is no number": signed(clock, exp="tomorrow"),
        "an end that is no whole number": signed(clock, exp=clock.at + 0.5),
        "no player": signed(clock, sub=None),
        "an empty player": signed(clock, sub=""),
        "a player that is no text": signed(clock, sub="1", sid=7),
        "no device": signed(clock, sid=None),
    }
    return {what: (f"Bearer {token}", "token_invalid") for what, token in tokens.items()} | {
        "no token": (None, "token_missing"),
        "an empty header": ("", "token_missing"),
        "another scheme": (f"Basic {good}", "token_invalid"),
        "no scheme": (good, "token_invalid"),
        "expired": (f"Bearer {signed(clock, exp=clock.at)}", "token_expired"),
    }


@pytest.mark.parametrize("route", GUARDED, ids=lambda route: route.operation_id)
def test_no_operation_lets_a_wrong_token_in(client: Client, clock: Clock, route: Route) -> None:
    """Each is 401 with the code that says why, before anything is looked for."""
    for what, (header, code) in wrong_tokens(clock).items():
        headers = {} if header is None else {"Authorization": header}
        reply = client.call(route.method, path_of(route), BODIES.get(route.operation_id), headers=headers)
        assert (401, code) == (reply.status, reply.code), what
        assert reply.headers["x-amzn-Remapped-WWW-Authenticate"].startswith("Bearer ")


def test_both_keys_let_in(asha: Client, clock: Clock) -> None:
    """While keys are rotated, tokens of either are good."""
    for kid in SIGNING_KEYS:
        token = signed(clock, kid, sign_with=secret(kid), sub=asha.player_id)
        assert asha.player_id == asha.with_token(token).ok("GET", "/me")["id"]


def test_two_rotations_in_a_phones_sleep(client: Client, services: Services) -> None:
    """A phone that has slept through two rotations meets token_invalid, refreshes, and is who it was: a refresh token
    hangs on no key."""
    made = client.ok("POST", "/players", {"name": "Asha"})
    phone = client.with_token(made["tokens"]["access_token"])
    for kid, older in (("newer", "new"), ("newest", "newer")):
        keys = {kid: key(kid[-1:].encode()), older: SIGNING_KEYS.get(older) or key(older[-1:].encode())}
        client, phone = (replace(each, app=create_app(services, keys_of(keys))) for each in (client, phone))
        if kid == "newer":
            assert 200 == phone.call("GET", "/me").status
    assert (401, "token_invalid") == (phone.call("GET", "/me").status, phone.call("POST", "/matches", {}).code)
    grant = {"type": "refresh", "refresh_token": made["tokens"]["refresh_token"], "client_nonce": "a" * 16}
    renewed = client.ok("POST", "/tokens", grant)
    assert made["player"] == renewed["player"]
    assert made["player"] == client.with_token(renewed["tokens"]["access_token"]).ok("GET", "/me")


def test_every_401_says_what_to_do() -> None:
    """To an access token the words are the same, whatever is wrong with it: refresh."""
    for code in ("token_missing", "token_invalid", "token_expired"):
        assert PROBLEMS[code].status == 401 and PROBLEMS[code].detail.endswith("Refresh, then repeat.")


def test_a_token_lasts_a_quarter_of_an_hour(asha: Client, clock: Clock) -> None:
    """And not a second more. The scheme's name has no case (RFC 9110 §11.1)."""
    for scheme in ("bearer", "BEARER"):
        headers = {"Authorization": f"{scheme} {asha.token}"}
        assert 200 == asha.with_token(None).call("GET", "/me", headers=headers).status
    clock.at += 899
    assert 200 == asha.call("GET", "/me").status
    clock.at += 1
    assert "token_expired" == asha.call("GET", "/me").code


@pytest.mark.parametrize(
    "keys", [None, "", "{}", "[]", "nonsense", '{"a": 1}', '{"a": "*"}', json.dumps({"a": key(b"x")[:40]})]
)
def test_there_is_no_default_key(keys: str | None) -> None:
    """Without usable keys nothing is signed, and the error does not quote them."""
    with pytest.raises(auth.BadSigningKeys) as caught:
        auth.Keys(lambda: keys).issue("player", "session", 0)
    assert key(b"x")[:40] not in str(caught.value)
