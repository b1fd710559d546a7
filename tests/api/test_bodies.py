"""How bodies are read: every way to get one wrong, and what is said of it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from chalicelib.api.strict_json import MAX_DEPTH
from tests.api.client import Client

JSON = {"Content-Type": "application/json"}
NO_OBJECTS: list[Any] = [[], "text", None, 7]


def nested(depth: int) -> bytes:
    return b'{"seats":' + b"[" * (depth - 1) + b"]" * (depth - 1) + b"}"


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        *((body, "syntax") for body in (b"{", b"not json", b"{'deals': 3}", b'{"deals": 3,}', b'{"deals": 3} {}')),
        *((body, "syntax") for body in (b'{"deals": 03}', b'{"deals": 0x3}', b"\xef\xbb\xbf{}", b'{"a": "\t"}')),
        (b'{"deals": ' + b"9" * 5000 + b"}", "syntax"),
        (b'{"name": "\xff"}', "not_utf8"),
        *((body, "duplicate_key") for body in (b'{"deals": 3, "deals": 3}', b'{"deals": 3, "de\\u0061ls": 3}')),
        (b'{"seats": {"north": {"type": "human", "type": "bot"}}}', "duplicate_key"),
        *((body, "not_a_number") for body in (b'{"deals": NaN}', b'{"deals": -Infinity}')),
        *((body, "too_deep") for body in (nested(MAX_DEPTH + 1), b"[" * 16_000)),
        (b'{"client_seed": "\\ud800"}', "lone_surrogate"),
    ],
)
def test_what_is_not_json(asha: Client, body: bytes, reason: str) -> None:
    """A body that is not the JSON we read is 400, with a reason, whatever the route."""
    for method, path in (("POST", "/matches"), ("PATCH", "/me"), ("POST", "/tokens")):
        reply = asha.call(method, path, raw=body, headers=JSON)
        assert (400, "malformed_json", {"reason": reason}) == (reply.status, reply.code, reply.body["params"])


@pytest.mark.parametrize(
    "text", ['{"deals": 3, "client_seed": "ab"}', ' {"deals":3.0}\r\n', '{"start": "when\\u005ffull"}']
)
def test_json_in_any_dress(asha: Client, text: str) -> None:
    """Blanks and escapes are JSON's own affair."""
    assert asha.call("POST", "/matches", raw=text.encode(), headers=JSON).status == 201


@pytest.mark.parametrize(
    ("body", "errors"),
    [
        *((body, [("", "wrong_type")]) for body in NO_OBJECTS),
        *(({"deals": deals}, [("/deals", "wrong_type")]) for deals in ("3", 3.5, True, None)),
        *(({"deals": deals}, [("/deals", "out_of_range")]) for deals in (1e300, 0, 17, 10**30)),
        *(({"spectators": spectators}, [("/spectators", "wrong_type")]) for spectators in (1, "true")),
        ({"after_bank": "Fresh"}, [("/after_bank", "not_allowed")]),
        ({"after_bank": 1}, [("/after_bank", "wrong_type")]),
        *(({"client_seed": seed}, [("/client_seed", "wrong_format")]) for seed in ("ABC", "ab\n", "a" * 33)),
        ({"deal": 3}, [("/deal", "unknown_field")]),
        ({"a/b~c": 3}, [("/a~1b~0c", "unknown_field")]),
        ({"seats": []}, [("/seats", "wrong_type")]),
        ({"seats": {"middle": {"type": "human"}}}, [("/seats/middle", "unknown_field")]),
        ({"seats": {"north": "human"}}, [("/seats/north", "wrong_type")]),
        ({"seats": {"north": {}}}, [("/seats/north/type", "required")]),
        ({"seats": {"north": {"type": 1}}}, [("/seats/north/type", "wrong_type")]),
        ({"seats": {"north": {"type": "cat"}}}, [("/seats/north/type", "not_allowed")]),
        ({"seats": {"north": {"type": "human", "level": "easy"}}}, [("/seats/north/level", "unknown_field")]),
        ({"seats": {"north": {"type": "bot", "level": "wise"}}}, [("/seats/north/level", "not_allowed")]),
        ({"seats": {"east": {"type": "bot", "client_seed": "0f"}}}, [("/seats/east/client_seed", "unknown_field")]),
        ({"deals": "3", "x": 1}, [("/deals", "wrong_type"), ("/x", "unknown_field")]),
    ],
)
def test_each_wrong_member_is_pointed_at(asha: Client, body: Any, errors: list[tuple[str, str]]) -> None:
    """Every member that is off is named by a JSON Pointer, with a code that says how."""
    reply = asha.call("POST", "/matches", raw=json.dumps(body).encode(), headers=JSON)
    assert (400, "invalid_body") == (reply.status, reply.code)
    assert errors == [(error["pointer"], error["code"]) for error in reply.body["errors"]]


MOVE, SEAT = f"/matches/{'A' * 16}/moves/1", f"/matches/{'A' * 16}/seats/east"


@pytest.mark.parametrize(
    ("path", "body", "errors"),
    [
        (MOVE, {"type": "call"}, [("/number", "required")]),
        *((MOVE, {"type": "call", "number": number}, [("/number", "out_of_range")]) for number in (6, 14)),
        (MOVE, {"type": "call", "number": "8"}, [("/number", "wrong_type")]),
        (MOVE, {"type": "pass", "number": 8}, [("/number", "unknown_field")]),
        (MOVE, {"type": "ser", "suit": "spades"}, [("/suit", "not_allowed")]),
        *((MOVE, {"type": "play", "card": card}, [("/card", "wrong_format")]) for card in ("10H", "as", "AS\n")),
        (MOVE, {"type": "double"}, [("/type", "not_allowed")]),
        (MOVE, {}, [("/type", "required")]),
        (SEAT, {"type": "bot", "client_seed": "0f"}, [("/client_seed", "unknown_field")]),
        ("/tokens", {"type": "transfer"}, [("/client_nonce", "required"), ("/code", "required")]),
        ("/tokens", {"type": "transfer", "code": 1, "client_nonce": "n" * 16}, [("/code", "wrong_type")]),
        ("/tokens", {"type": "recovery", "code": "A" * 65, "client_nonce": "n" * 64}, [("/code", "too_long")]),
        *(
            ("/tokens", {"type": "recovery", "code": "A", "client_nonce": nonce}, [("/client_nonce", "wrong_format")])
            for nonce in ("n" * 15, "n" * 15 + ".")
        ),
        (
            "/tokens",
            {"type": "refresh", "code": "A"},
            [("/client_nonce", "required"), ("/code", "unknown_field"), ("/refresh_token", "required")],
        ),
        # named as a part of an error is, and pointed at like any other
        ("/players", {"params": 1, "_schema": 1}, [("/_schema", "unknown_field"), ("/params", "unknown_field")]),
    ],
)
def test_each_type_has_its_members(asha: Client, path: str, body: Any, errors: list[tuple[str, str]]) -> None:
    """What is no move, no seat or no grant at all is 400, unlike one that may not be now."""
    reply = asha.call("PUT" if path in (MOVE, SEAT) else "POST", path, body)
    assert (400, "invalid_body") == (reply.status, reply.code)
    assert errors == sorted((error["pointer"], error["code"]) for error in reply.body["errors"])


J = "application/json"


@pytest.mark.parametrize(
    "content_type",
    [
        *(None, "", "json", "text/plain", "application/x-www-form-urlencoded", "application/octet-stream"),
        *(J + "; charset=latin-1", J + '; charset="utf-16"', J + '; x=";charset=utf-8"; charset=latin-1'),
        *(J + "; charset", J + "; charset=", J + '; charset="utf-8', J + " charset=utf-8", J + ", " + J, J + "/x"),
        *("; charset=utf-8", J + "\x00", "application/" + "j" * 8000, J + ";" * 8000 + "charset=latin-1"),
        *(J + "; charset*=a; charset*0=b", J + "; charset*=%00''x", J + "; charset*" + "9" * 4400 + "=a"),
        *(J + "; charset*0*=utf-8''x; charset*1=\udcff", "application/problem+json", J + "-patch+json"),
    ],
)
def test_what_is_not_sent_as_json(asha: Client, content_type: str | None) -> None:
    """A body under another Content-Type, or none, is 415."""
    headers = {} if content_type is None else {"Content-Type": content_type}
    reply = asha.call("POST", "/matches", raw=b"{}", headers=headers)
    assert (415, "unsupported_media_type") == (reply.status, reply.code)


@pytest.mark.parametrize(
    "content_type",
    [
        *(J, "Application/JSON", J + ";", J + " ; ;", J + ";charset=UTF-8", J + '; charset="utf-8"', J + "; version=1"),
        *(J + '; Charset="UTF-8"', J + "; charset=utf-8;", J + ";charset=utf-8 ; ", J + "\t;\tCHARSET=Utf-8"),
        *(J + "; profile=table; charset=utf-8", J + '; note="a;charset=latin-1"; charset=utf-8'),
    ],
)
def test_what_is_sent_as_json(asha: Client, content_type: str) -> None:
    """Names in any case, quoted or not, parameters that mean nothing, and a charset that says what is so anyway, are
    let pass (RFC 9110 §8.3.1)."""
    for name in ("Content-Type", "content-type", "CONTENT-TYPE"):
        assert 201 == asha.call("POST", "/matches", raw=b"{}", headers={name: content_type}).status


def test_a_body_that_is_too_large(asha: Client) -> None:
    """More than 16 KB is 413, whatever it is, before it is read; 16 KB are read."""
    for filling in (b" ", b"[", b"\xff"):
        reply = asha.call("POST", "/matches", raw=filling * 16385, headers={"Content-Type": "text/plain"})
        assert (413, "body_too_large", {"maximum": 16384}) == (reply.status, reply.code, reply.body["params"])
    assert 201 == asha.call("POST", "/matches", raw=b"{}" + b" " * 16382, headers=JSON).status


@pytest.mark.parametrize(
    ("name", "code"),
    [
        *((name, "invalid_name") for name in ("", " ", "a" * 25, "🂡" * 19, "a\nb", "a\u202eb", "a\x00", "\u200d")),
        *((name, "name_reserved") for name in ("Sharp bot", "D0 Dooni", "\u0405ystem")),
    ],
)
def test_names(asha: Client, name: str, code: str) -> None:
    """Trimmed and in NFC. Empty, too long, controlling the text, or read as a bot or the game."""
    assert "é" == asha.ok("PATCH", "/me", {"name": " e\u0301 "})["name"]
    for method, path in (("PATCH", "/me"), ("POST", "/players")):
        reply = asha.call(method, path, {"name": name})
        assert (400, "invalid_body") == (reply.status, reply.code)
        assert [("/name", code)] == [(each["pointer"], each["code"]) for each in reply.body["errors"]]
