"""The form of requests: addresses, parameters, methods, the order of the checks, and CORS."""

from __future__ import annotations

import re

import pytest

from chalicelib.api import problems
from chalicelib.api.routes import ROUTES
from dev.driver import Reply
from tests.api.client import Client, Foursome, path_of

NOBODY = "AAAAAAAAAAAAAAAA"


MATCH = f"/matches/{NOBODY}"
WRONG_IDS = "short", "a" * 17, "a%0Abcdefghijklmn", "%C3%A9AAAAAAAAAAAAAAA"


@pytest.mark.parametrize(
    ("path", "wrong"),
    [
        *((f"/matches/{wrong}", [("match_id", "wrong_format")]) for wrong in WRONG_IDS),
        *((f"{MATCH}/deals/{number}", [("deal_number", "out_of_range")]) for number in ("0", "17", "-1")),
        *((f"{MATCH}/deals/{number}", [("deal_number", "wrong_type")]) for number in ("01", "+1", "1.0", "%D9%A1")),
        ("/matches/short/deals/x", [("match_id", "wrong_format"), ("deal_number", "wrong_type")]),
        *((f"{MATCH}/events?after={after}", [("after", "out_of_range")]) for after in ("-1", "9" * 11, "9" * 5000)),
        *((f"{MATCH}/events?after={after}", [("after", "wrong_type")]) for after in ("1e3", "-0", "")),
        *((f"{MATCH}/events?limit={limit}", [("limit", "out_of_range")]) for limit in ("0", "-5", "1001")),
        (f"{MATCH}/events?limit=1&limit=2", [("limit", "repeated_parameter")]),
        (f"{MATCH}/events?since=3", [("since", "unknown_parameter")]),
        ("/matches?status=over", [("status", "not_allowed")]),
        *((f"/matches?cursor={cursor}", [("cursor", "invalid_cursor")]) for cursor in ("", "abc", "A" * 48)),
        *((path, [("x", "unknown_parameter")]) for path in ("/me?x=1", "/health?x")),
        ("/invites/" + "-" * 65, [("code", "too_long")]),
    ],
)
def test_parameters_are_read_strictly(asha: Client, path: str, wrong: list[tuple[str, str]]) -> None:
    """A parameter that is off is 400, and named."""
    reply = asha.call("GET", path)
    assert (400, "invalid_parameter") == (reply.status, reply.code)
    assert wrong == [(each["parameter"], each["code"]) for each in reply.body["errors"]]


@pytest.mark.parametrize("key", ["", " ", "a b", "é", "a" * 129, "a\x00"])
def test_idempotency_keys_are_visible_ascii(asha: Client, key: str) -> None:
    """Another kind of Idempotency-Key is 400."""
    reply = asha.call("POST", "/matches", {}, headers={"Idempotency-Key": key})
    assert (400, "invalid_parameter") == (reply.status, reply.code)


def test_unknown_routes(asha: Client) -> None:
    """What is not there is 404 route_not_found, signed in or not."""
    for path in ("/", "/matchess", "/matches/a/b/c", "//me", "/.env"):
        reply = asha.call("GET", path)
        assert (404, "route_not_found") == (reply.status, reply.code)
    assert "route_not_found" == asha.with_token(None).call("GET", "/nothing").code


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE", "QUERY"])
def test_wrong_methods(client: Client, method: str) -> None:
    """A method that a path does not have (HEAD goes with GET) is 405, before anything else is looked at."""
    for path in {route.path for route in ROUTES}:
        have = {route.method for route in ROUTES if route.path == path}
        have |= {"HEAD"} if "GET" in have else set()
        if method not in have:
            reply = client.call(method, re.sub("{.*?}", "x", path), raw=b"\xff" * 20000)
            assert 405 == reply.status
            assert [*sorted(have), "OPTIONS"] == reply.headers["Allow"].split(", ")
            if method != "HEAD":
                assert ("method_not_allowed", sorted(have)) == (reply.code, reply.body["params"]["allowed"])


def test_a_body_that_nobody_asked_for(client: Client) -> None:
    """A body sent to an operation that has none means nothing (RFC 9110 §9.3): the answer is as without it."""
    player, other = client.guest(), client.guest()
    routes = [route for route in ROUTES if route.body is None]
    assert len(routes) > 10
    for route in routes:
        path = path_of(route)
        without = player.call(route.method, path)
        sent = [(b"\xff{", "text/plain"), (b'{"limit": 0}', "application/json")]
        if route.method == "GET":  # of a size that no operation takes, too
            sent.append((b"x" * 20000, "text/plain"))
        for raw, media_type in sent:
            reply = other.call(route.method, path, raw=raw, headers={"Content-Type": media_type})
            assert (without.status, _code(without)) == (reply.status, _code(reply)), route.operation_id


def _code(reply: Reply) -> str:
    return str(reply.body.get("code", "")) if isinstance(reply.body, dict) else ""


def test_the_order_of_checks(client: Client) -> None:
    """400 before 401, 401 before 404, 404 before 409, 409 before 422: the first that applies is answered."""
    table = Foursome.started(client, deals=1)
    stranger, (player, view) = client.guest(), table.turn()
    wrong, illegal = {"type": "pass", "x": 1}, {"type": "play", "card": "AS"}
    for who, path, body, expected in (
        (client, f"{table.path}/moves/999999", wrong, (400, "invalid_parameter")),
        (client, f"{MATCH}/moves/500", wrong, (400, "invalid_body")),
        (client, f"{MATCH}/moves/500", illegal, (401, "token_missing")),
        (stranger, f"{MATCH}/moves/500", illegal, (404, "match_not_found")),
        (stranger, f"{table.path}/moves/500", illegal, (404, "match_not_found")),
        (player, f"{table.path}/moves/500", illegal, (409, "move_out_of_order")),
        (player, f"{table.path}/moves/{view['next_move']}", illegal, (422, "auction_not_over")),
    ):
        reply = who.call("PUT", path, body)
        assert expected == (reply.status, reply.code)


def test_the_form_comes_before_the_caller(client: Client) -> None:
    """On every operation that takes a body a malformed one is 400, 413 or 415, token or not."""
    json = {"Content-Type": "application/json"}
    for route in ROUTES:
        if route.body is None:
            continue
        for code, raw, headers in (
            ("body_too_large", b"{" * 20000, None),
            ("unsupported_media_type", b"{", None),
            ("malformed_json", b"{", json),
            ("invalid_body", b"[]", json),
        ):
            assert code == client.call(route.method, path_of(route), raw=raw, headers=headers).code


def test_errors_are_problem_documents(asha: Client) -> None:
    """RFC 9457: type, title, status, detail; and our code, params and request_id."""
    reply = asha.call("GET", f"/matches/{NOBODY}")
    assert problems.CONTENT_TYPE == reply.headers["Content-Type"]
    assert 404 == reply.status == reply.body["status"]
    assert "urn:problem-type:do-dooni:match_not_found" == reply.body["type"]
    assert {"type", "title", "status", "detail", "code", "params", "request_id"} == set(reply.body)


def test_browsers_may_call(asha: Client) -> None:
    """Preflights are answered, and all answers, errors too, tell which headers may be read."""
    preflight = asha.gateway.handle_request("OPTIONS", "/v1/matches", {"Origin": "https://game.example"}, None)
    assert 200 == preflight["statusCode"]
    allowed = preflight["headers"]["Access-Control-Allow-Headers"].split(",")
    assert {"Authorization", "Content-Type", "If-None-Match", "Idempotency-Key"} <= set(allowed)
    for reply in (
        asha.call("GET", "/me"),
        asha.call("GET", f"/matches/{NOBODY}"),
        asha.with_token(None).call("GET", "/me"),
    ):
        assert "ETag,Location,Retry-After,Date" == reply.headers["Access-Control-Expose-Headers"]
