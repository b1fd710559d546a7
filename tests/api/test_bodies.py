"""How bodies are read: every way to get one wrong, and what is said of it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from chalicelib.api.strict_json import MAX_DEPTH
from tests.api.client import Client

JSON = {"Content-Type": "application/json"}


def nested(depth: int) -> bytes:
    return b'{"seats":' + b"[" * (depth - 1) + b"]" * (depth - 1) + b"}"


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"{", "syntax"),
        (b"not json", "syntax"),
        (b"{'deals': 3}", "syntax"),
        (b'{"deals": 3,}', "syntax"),
        (b'{"deals": 3} {}', "syntax"),
        (b'{"deals": 03}', "syntax"),
        (b'{"deals": 0x3}', "syntax"),
        (b'\xef\xbb\xbf{"deals": 3}', "syntax"),
        (b'{"name": "\t"}', "syntax"),
        (b'{"deals": ' + b"9" * 5000 + b"}", "syntax"),
        (b'{"name": "\xff"}', "not_utf8"),
        (b'{"deals": 3, "deals": 3}', "duplicate_key"),
        (b'{"seats": {"north": {"type": "human", "type": "bot"}}}', "duplicate_key"),
        (b'{"deals": 3, "de\\u0061ls": 3}', "duplicate_key"),
        (b'{"deals": NaN}', "not_a_number"),
        (b'{"deals": -Infinity}', "not_a_number"),
        (nested(MAX_DEPTH + 1), "too_deep"),
        (b"[" * 16_000, "too_deep"),
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
        ([], [("", "wrong_type")]),
        ("text", [("", "wrong_type")]),
        (None, [("", "wrong_type")]),
        (7, [("", "wrong_type")]),
        ({"deals": "3"}, [("/deals", "wrong_type")]),
        ({"deals": 3.5}, [("/deals", "wrong_type")]),
        ({"deals": 1e300}, [("/deals", "out_of_range")]),
        ({"deals": True}, [("/deals", "wrong_type")]),
        ({"deals": None}, [("/deals", "wrong_type")]),
        ({"deals": 0}, [("/deals", "out_of_range")]),
        ({"deals": 17}, [("/deals", "out_of_range")]),
        ({"deals": 10**30}, [("/deals", "out_of_range")]),
        ({"spectators": 1}, [("/spectators", "wrong_type")]),
        ({"spectators": "true"}, [("/spectators", "wrong_type")]),
        ({"after_bank": "Fresh"}, [("/after_bank", "not_allowed")]),
        ({"after_bank": 1}, [("/after_bank", "wrong_type")]),
        ({"client_seed": "ABC"}, [("/client_seed", "wrong_format")]),
        ({"client_seed": "ab\n"}, [("/client_seed", "wrong_format")]),
        ({"client_seed": "a" * 33}, [("/client_seed", "wrong_format")]),
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
        ({"deals": "3", "x": 1}, [("/deals", "wrong_type"), ("/x", "unknown_field")]),
    ],
)
def test_each_wrong_member_is_pointed_at(asha: Client, body: Any, errors: list[tuple[str, str]]) -> None:
    """Every member that is off is named by a JSON Pointer, with a code that says how."""
    reply = asha.call("POST", "/matches", raw=json.dumps(body).encode(), headers=JSON)

    assert (400, "invalid_body") == (reply.status, reply.code)
    assert errors == [(error["pointer"], error["code"]) for error in reply.body["errors"]]


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ({"type": "call"}, ("/number", "required")),
        ({"type": "call", "number": 6}, ("/number", "out_of_range")),
        ({"type": "call", "number": 14}, ("/number", "out_of_range")),
        ({"type": "call", "number": "8"}, ("/number", "wrong_type")),
        ({"type": "pass", "number": 8}, ("/number", "unknown_field")),
        ({"type": "ser", "suit": "spades"}, ("/suit", "not_allowed")),
        ({"type": "play", "card": "10H"}, ("/card", "wrong_format")),
        ({"type": "play", "card": "as"}, ("/card", "wrong_format")),
        ({"type": "play", "card": "AS\n"}, ("/card", "wrong_format")),
        ({"type": "double"}, ("/type", "not_allowed")),
        ({}, ("/type", "required")),
    ],
)
def test_what_is_no_move_at_all(asha: Client, body: Any, error: tuple[str, str]) -> None:
    """Something that is no move is 400, unlike a move that is not legal."""
    view = asha.solo()
    reply = asha.move(view, body)

    assert (400, "invalid_body") == (reply.status, reply.code)
    assert [error] == [(each["pointer"], each["code"]) for each in reply.body["errors"]]


@pytest.mark.parametrize(
    "content_type",
    [
        None,
        "",
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/json; charset=latin-1",
        'application/json; charset="utf-16"',
        'application/json; x=";charset=utf-8"; charset=latin-1',
        "application/json; charset",
        "application/json; charset=",
        'application/json; charset="utf-8',
        "application/json charset=utf-8",
        "application/json, application/json",
        "application/json/x",
        "; charset=utf-8",
        "application/json\x00",
        "application/" + "j" * 8000,
        "application/json" + ";" * 8000 + "charset=latin-1",
        "json",
        "application/json; charset*=a; charset*0=b",
        "application/json; charset*=%00''x",
        "application/json; charset*" + "9" * 4400 + "=a",
        "application/json; charset*0*=utf-8''x; charset*1=\udcff",
        "application/problem+json",
        "application/json-patch+json",
        "application/octet-stream",
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
        "application/json",
        "Application/JSON",
        "application/json;",
        "application/json ; ;",
        "application/json;charset=UTF-8",
        'application/json; charset="utf-8"',
        'application/json; Charset="UTF-8"',
        "application/json; charset=utf-8;",
        "application/json;charset=utf-8 ; ",
        "application/json\t;\tCHARSET=Utf-8",
        "application/json; profile=table; charset=utf-8",
        'application/json; note="a;charset=latin-1"; charset=utf-8',
        "application/json; version=1",
    ],
)
@pytest.mark.parametrize("name", ["Content-Type", "content-type", "CONTENT-TYPE"])
def test_what_is_sent_as_json(asha: Client, name: str, content_type: str) -> None:
    """Names in any case, quoted or not, parameters that mean nothing, and a charset that says what is so anyway, are
    let pass (RFC 9110 §8.3.1)."""
    assert 201 == asha.call("POST", "/matches", raw=b"{}", headers={name: content_type}).status


def test_a_body_that_is_too_large(asha: Client) -> None:
    """More than 16 KB is 413, whatever it is, before it is read; 16 KB are read."""
    for filling in (b" ", b"[", b"\xff"):
        reply = asha.call("POST", "/matches", raw=filling * 16385, headers={"Content-Type": "text/plain"})
        assert (413, "body_too_large", {"maximum": 16384}) == (reply.status, reply.code, reply.body["params"])
    assert 201 == asha.call("POST", "/matches", raw=b"{}" + b" " * 16382, headers=JSON).status


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("Asha", "Asha"),
        ("  Asha ", "Asha"),
        ("e\u0301", "é"),
        ("क्\u200dष", "क्\u200dष"),
        ("🂡", "🂡"),
        ("ह" * 24, "ह" * 24),
    ],
)
def test_names_of_all_scripts(asha: Client, name: str, kept: str) -> None:
    """A name is trimmed and kept in NFC, up to 24 code points and 72 bytes."""
    assert kept == asha.ok("PATCH", "/me", {"name": name})["name"]


@pytest.mark.parametrize(
    "name",
    ["", " ", "a" * 25, "🂡" * 19, "a\nb", "a\u202eb", "a\u2066b", "\u200d", "\u200e", "a\x00", "\ufeffa", "\ue000"],
)
def test_names_that_are_none(asha: Client, name: str) -> None:
    """Empty, too long, or controlling the text: 400 at /name, when signing up as well."""
    for method, path in (("PATCH", "/me"), ("POST", "/players")):
        reply = asha.call(method, path, {"name": name})
        assert (400, "invalid_body") == (reply.status, reply.code)
        assert [("/name", "invalid_name")] == [(each["pointer"], each["code"]) for each in reply.body["errors"]]


@pytest.mark.parametrize(
    ("path", "body", "errors"),
    [
        ("/tokens", {"type": "transfer"}, [("/client_nonce", "required"), ("/code", "required")]),
        ("/tokens", {"type": "transfer", "code": 1, "client_nonce": "n" * 16}, [("/code", "wrong_type")]),
        ("/tokens", {"type": "recovery", "code": "A" * 65, "client_nonce": "n" * 64}, [("/code", "too_long")]),
        ("/tokens", {"type": "recovery", "code": "A", "client_nonce": "n" * 15}, [("/client_nonce", "wrong_format")]),
        (
            "/tokens",
            {"type": "recovery", "code": "A", "client_nonce": "n" * 15 + "."},
            [("/client_nonce", "wrong_format")],
        ),
        (
            "/tokens",
            {"type": "refresh", "code": "A"},
            [("/client_nonce", "required"), ("/code", "unknown_field"), ("/refresh_token", "required")],
        ),
        ("/players", {"params": 1, "_schema": 1}, [("/_schema", "unknown_field"), ("/params", "unknown_field")]),
    ],
)
def test_members_with_the_names_of_our_own(client: Client, path: str, body: Any, errors: list[tuple[str, str]]) -> None:
    """A body's member may be called as a part of an error is: it is pointed at like any other."""
    reply = client.call("POST", path, body)

    assert (400, "invalid_body") == (reply.status, reply.code)
    assert errors == sorted((error["pointer"], error["code"]) for error in reply.body["errors"])
