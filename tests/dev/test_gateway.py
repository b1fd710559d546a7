"""The local server behaves as the deployed gateway does, seen through a small app of its own."""

from __future__ import annotations

import http.client
import json
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from email.message import Message
from typing import Any

import pytest
from chalice.app import Chalice, Response

from dev.local.gateway import LARGEST_BODY, Gateway
from dev.local.http_server import Web, listener, serving

JSON = {"Content-Type": "application/json"}


def small_app() -> Chalice:
    app = Chalice("small")

    def body_now() -> str:
        assert app.current_request is not None
        raw = app.current_request.raw_body
        return raw.decode() if isinstance(raw, bytes) else raw

    @app.route("/things/{name}", methods=["PUT"], cors=True)
    def put_thing(name: str) -> dict[str, str]:
        before = body_now()
        time.sleep(0.002)
        return {"name": name, "before": before, "after": body_now()}

    @app.route("/things/{name}", methods=["DELETE"], cors=True)
    def delete_thing(name: str) -> Response:
        return Response("", status_code=204)

    return app


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with listener(0) as taken, serving(Web(Gateway(small_app())), taken):
        yield int(taken.getsockname()[1])


def ask(
    port: int, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None, **how: Any
) -> tuple[int, Message, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=300)
    try:
        connection.request(method, path, body, {**JSON, **(headers or {})}, **how)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()
    finally:
        connection.close()


def ask_raw(port: int, request: bytes) -> bytes:
    with socket.create_connection(("127.0.0.1", port), timeout=300) as connection:
        connection.sendall(request)
        answer = b""
        while chunk := connection.recv(65536):
            answer += chunk
        return answer


@pytest.mark.parametrize(
    ("method", "path", "status", "code", "allow"),
    [
        ("GET", "/nothing", 404, "route_not_found", None),
        ("OPTIONS", "/nothing", 404, "route_not_found", None),
        *(
            (method, "/things/a", 405, "method_not_allowed", "DELETE, PUT, OPTIONS")
            for method in ("GET", "TRACE", "QUERY")
        ),
    ],
)
def test_what_no_route_takes_is_a_problem_document(
    port: int, method: str, path: str, status: int, code: str, allow: str | None
) -> None:
    """Unknown paths and methods are refused in the API's own manner, with CORS headers; 405 says in Allow what the app
    takes (RFC 9110 §15.5.6)."""
    got, headers, body = ask(port, method, path)

    seen = [headers[name] for name in ("Content-Type", "Cache-Control", "Access-Control-Allow-Origin", "Allow")]
    assert (status, ["application/problem+json", "no-store", "*", allow]) == (got, seen)
    assert (status, code) == (json.loads(body)["status"], json.loads(body)["code"])


def test_a_head_request_gets_no_body(port: int) -> None:
    """HEAD is answered by headers alone, so that the next answer on the connection is not misread."""
    answer = ask_raw(port, b"HEAD /things/a HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n")

    assert b"405" in answer.splitlines()[0]
    assert answer.endswith(b"\r\n\r\n")


def test_a_preflight_is_answered_for_the_app(port: int) -> None:
    """OPTIONS of a route says which methods a page may use."""
    status, headers, body = ask(port, "OPTIONS", "/things/a")

    assert (200, b"") == (status, body)
    assert {"PUT", "DELETE", "OPTIONS"} == set(headers["Access-Control-Allow-Methods"].split(","))


@pytest.mark.parametrize("segment", ["a%2Fb%20%C3%A9", "%FF", "%zz", "a+b"])
def test_path_parameters_arrive_as_they_are_sent(port: int, segment: str) -> None:
    """Percent-encoded as in the address, well or not; an address that ends in "/" is the same."""
    for path in (f"/things/{segment}", f"/things/{segment}/?a=b"):
        assert segment == json.loads(ask(port, "PUT", path, b"{}")[2])["name"]


def test_an_answer_without_content_has_no_length(port: int) -> None:
    """204 has neither Content-Length nor Content-Type (RFC 9110 §8.6)."""
    status, headers, body = ask(port, "DELETE", "/things/a")

    assert (204, b"") == (status, body)
    assert "Content-Length" not in headers and "Content-Type" not in headers
    assert "Date" in headers


def test_a_body_arrives_as_text(port: int) -> None:
    """Also in chunks, from clients that do not know its length beforehand; what is not UTF-8 is replaced, as API
    Gateway does."""
    chunked: dict[str, Any] = {"headers": {"Transfer-Encoding": "chunked"}, "encode_chunked": True}

    assert "one two" == json.loads(ask(port, "PUT", "/things/a", iter([b"one ", b"two"]), **chunked)[2])["after"]
    assert "\ufffd" == json.loads(ask(port, "PUT", "/things/a", b"\xff")[2])["after"]


def test_a_body_over_the_gateways_limit_is_refused(port: int) -> None:
    """10 MB is the gateway's limit: the client gets to hear 413, not a broken connection."""
    status, _, body = ask(port, "PUT", "/things/a", bytes(LARGEST_BODY + 1))

    assert (413, "body_too_large") == (status, json.loads(body)["code"])


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"GARBAGE\r\n\r\n",
        b"GET /things/a HTTP/9.9\r\n\r\n",
        b"PUT /things/a HTTP/1.1\r\nContent-Length: many\r\n\r\n",
        b"PUT /things/a HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        b"PUT /things/a HTTP/1.1\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"PUT /things/a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n",
        b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nX: " + b"a" * 70_000 + b"\r\n\r\n",
    ],
    ids=lambda request_bytes: repr(request_bytes[:60]),
)
def test_what_is_no_http_is_refused_and_the_connection_closed(port: int, request_bytes: bytes) -> None:
    """A request that cannot be read is a 400 problem document, and its connection is of no more use."""
    head, _, body = ask_raw(port, request_bytes).partition(b"\r\n\r\n")

    assert b" 400 " in head.splitlines()[0]
    assert b"Cache-Control: no-store" in head.splitlines()
    assert "bad_request" == json.loads(body)["code"]


def test_requests_at_once_do_not_mix(port: int) -> None:
    """Chalice keeps the current request on the app: each thread must see its own."""

    def put(number: int) -> bool:
        said = json.dumps({"number": number})
        answer: dict[str, str] = json.loads(ask(port, "PUT", f"/things/{number}", said)[2])
        return {"name": str(number), "before": said, "after": said} == answer

    with ThreadPoolExecutor(20) as pool:
        assert [True] * 200 == list(pool.map(put, range(200)))


def test_some_answers_are_lost() -> None:
    """Of the requests that a share of faults falls on, half never reach the app and half are carried out: both are
    answered 503, with CORS headers, and told to try again. A preflight is not among them."""
    app, deleted = Chalice("counting"), []

    @app.route("/things/{name}", methods=["DELETE"], cors=True)
    def delete_thing(name: str) -> Response:
        deleted.append(name)
        return Response("", status_code=204)

    drawn = iter((0.0, 0.09, 0.1, 0.19, 0.2, 0.99))
    web = Web(Gateway(app), 0.2, lambda: next(drawn))

    def answer(method: str, name: int) -> Any:
        return web.answer(method, f"/things/{name}", {}, None)

    answers = [answer("DELETE", number) for number in range(6)]

    assert [503] * 4 + [204] * 2 == [each["statusCode"] for each in answers]
    assert ["2", "3", "4", "5"] == deleted
    assert "try_again" == json.loads(answers[0]["body"])["code"] == json.loads(answers[2]["body"])["code"]
    for each in answers[:4]:
        assert ("1", "*") == (each["headers"]["Retry-After"], each["headers"]["Access-Control-Allow-Origin"])
    assert 200 == answer("OPTIONS", 6)["statusCode"]
