"""Addresses as API Gateway passes them on, and those that answers hold."""

from __future__ import annotations

import json
from urllib.parse import quote, urljoin

import pytest

from chalicelib.api.routes import BASE, ROUTES
from tests.api.client import Client, Foursome, path_of

READS = [route for route in ROUTES if route.method == "GET"]


@pytest.mark.parametrize(
    "front", ["https://api.example", "https://x.execute-api.example/live", "https://x.example/a/b"]
)
@pytest.mark.parametrize("slash", ["", "/"])
def test_a_location_is_right_from_wherever_it_was_asked(asha: Client, front: str, slash: str) -> None:
    """Below a stage's name, behind a proxy that adds or takes one, with a slash at the end or without: what counts is
    the address that the client asked."""
    headers = {"Authorization": f"Bearer {asha.token}"}
    for path in ("/v1/matches", f"/v1{asha.finished()}/rematch"):
        answer = asha.gateway.handle_request("POST", path + slash, headers, None)
        assert 201 == answer["statusCode"], answer
        made = json.loads(answer["body"])["match"]["id"]
        assert f"{front}/v1/matches/{made}" == urljoin(front + path + slash, answer["headers"]["Location"])


def test_path_parameters_are_decoded(client: Client) -> None:
    """Whatever a client encodes, however often it need not: the same match, seat and code as in plain text."""
    table = Foursome.waiting(client)
    host, friend = table.players[:2]
    code = host.ok("GET", table.path)["invite"]["code"]
    spaced = f"{code[:4].lower()} {code[4:]}"
    whole = "".join(f"%{ord(sign):02x}" for sign in code)
    for written in (code, quote(spaced), whole, f"{code[:4]}-{code[4:]}"):
        assert table.id == friend.ok("GET", f"/invites/{written}")["match_id"], written
    encoded = "".join(f"%{ord(sign):02X}" for sign in table.id)
    assert table.id == host.ok("GET", f"/matches/{encoded}")["id"]
    update = friend.ok("PUT", f"/matches/{encoded}/seats/%65ast", {"type": "human", "code": code})
    assert "east" == update["match"]["you"]["seat"]


@pytest.mark.parametrize("segment", ["%", "%4", "%zz", "abc%", "%FF", "%C3", "%ED%A0%80", "%2541", "%00", "a%2Fb"])
def test_a_broken_escape_is_malformed(asha: Client, segment: str) -> None:
    """400 that names the parameter, for every path parameter: no escape, not UTF-8, or escaped twice."""
    wrong = {"%2541", "%00", "a%2Fb"}  # well formed, and no value of any parameter
    for route in ROUTES:
        for parameter in route.path_parameters:
            reply = asha.call(route.method, path_of(route, **{parameter.name: segment}), {} if route.body else None)
            if parameter.name == "code" and segment in wrong:
                assert (404, "invite_not_found") == (reply.status, reply.code)
                continue
            assert (400, "invalid_parameter") == (reply.status, reply.code)
            (error,) = reply.body["errors"]
            assert parameter.name == error["parameter"]
            assert ("invalid_escape" != error["code"]) == (segment in wrong), error


def test_head(asha: Client) -> None:
    """On every address that has GET, HEAD is answered with the same status and headers, and no body (RFC 9110 §9.3.2):
    where there is something, where there is nothing, where nothing has changed, and to a stranger."""
    path = asha.finished()
    etag = asha.call("GET", path).headers["ETag"]
    paths = [path_of(route, match_id=path.rpartition("/")[2]) for route in READS]
    asked: list[tuple[Client, str, dict[str, str]]] = [(asha, each, {}) for each in paths]
    asked += [
        (asha, path, {"If-None-Match": etag}),
        (asha.with_token(None), path, {}),
        (asha, f"/matches/{'A' * 16}", {}),
    ]
    for who, where, headers in asked:
        get = who.gateway.handle_request("GET", BASE + where, _signed(who) | headers, None)
        head = who.gateway.handle_request("HEAD", BASE + where, _signed(who) | headers, None)
        assert "" == head["body"]
        assert (get["statusCode"], get["headers"]) == (head["statusCode"], head["headers"]), where
    assert {200, 304, 401, 404} <= {who.call("GET", where, headers=headers).status for who, where, headers in asked}


def _signed(who: Client) -> dict[str, str]:
    return {} if who.token is None else {"Authorization": f"Bearer {who.token}"}
