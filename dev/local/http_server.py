"""HTTP on loopback: uvicorn, with the gateway and the page's files as one ASGI application."""

from __future__ import annotations

import asyncio
import random
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from chalicelib.api.routes import BASE
from dev.local.asgi import Message, Receive, Send, read_body
from dev.local.gateway import LARGEST_BODY, Answer, Gateway
from dev.local.servers import LOOPBACK
from dev.web.files import page_answer

Log = Callable[[str, str, int, float], None]
"""Called with method, route, status and seconds of each request that was answered."""
_AT_ONCE = 64
"""Requests in the app at the same time: each may wait for the store."""


class Web:
    """The ASGI application. A share `faults` of the requests to the API is answered 503: half of these before the app
    has seen them, half after they were carried out, so that an app's handling of lost answers can be tried."""

    def __init__(
        self, gateway: Gateway, faults: float = 0, chance: Callable[[], float] = random.random, log: Log | None = None
    ) -> None:
        self.gateway, self._faults, self._chance, self._log = gateway, faults, chance, log or _print
        self._threads = ThreadPoolExecutor(_AT_ONCE)

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        started, method = time.perf_counter(), scope["method"]
        target = scope["raw_path"].decode("latin-1")
        if scope["query_string"]:
            target += "?" + scope["query_string"].decode("latin-1")
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        if scope["http_version"] not in ("1.0", "1.1") or {"content-length", "transfer-encoding"} <= headers.keys():
            answer = self.gateway.refuse("bad_request", headers={"Connection": "close"})
        else:
            body = await read_body(receive, LARGEST_BODY)
            if body is None:
                return  # the client has hung up
            loop = asyncio.get_running_loop()
            answer = await loop.run_in_executor(self._threads, self.answer, method, target, headers, body or None)
        await send(_head(answer, method))
        await send({"type": "http.response.body", "body": b"" if method == "HEAD" else _content(answer)})
        self._log(method, self.gateway.route(target), answer["statusCode"], time.perf_counter() - started)

    def answer(self, method: str, target: str, headers: dict[str, str], body: bytes | None) -> Answer:
        """A file of the page, the gateway's answer, or a 503 in its place. A preflight always gets its answer."""
        if not target.startswith(f"{BASE}/") and (page := page_answer(method, target, headers)) is not None:
            return page
        drawn = 1.0 if method == "OPTIONS" else self._chance()
        answer = None if drawn < self._faults / 2 else self.gateway.handle_request(method, target, headers, body)
        if answer is None or drawn < self._faults:
            return self.gateway.refuse("try_again", {"retry_after_seconds": 1}, {"Retry-After": "1"})
        return answer


def _print(method: str, route: str, status: int, seconds: float) -> None:
    print(f"{method} {route} {status} {1000 * seconds:.1f} ms", file=sys.stderr, flush=True)


def _content(answer: Answer) -> bytes:
    body: str | bytes = answer["body"] or ""
    return body if isinstance(body, bytes) else body.encode()


def _head(answer: Answer, method: str = "") -> Message:
    """A HEAD's answer tells the length that a GET's would have, or none (RFC 9110 §8.6): none."""
    headers: dict[str, str | list[str]] = answer["headers"] | answer["multiValueHeaders"]
    if answer["statusCode"] in (204, 304):
        headers.pop("Content-Type", None)
    elif method != "HEAD":
        headers["Content-Length"] = str(len(_content(answer)))
    pairs = [(name, each) for name, value in headers.items() for each in ([value] if isinstance(value, str) else value)]
    encoded = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in pairs]
    return {"type": "http.response.start", "status": answer["statusCode"], "headers": encoded}


def listener(port: int) -> socket.socket:
    """The port, taken at once: connections are let in by the server only."""
    server = socket.socket(proto=socket.IPPROTO_TCP)  # which asyncio looks for before it sets TCP_NODELAY
    server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        server.bind((LOOPBACK, port))
    except OSError:
        server.close()
        raise
    return server


@contextmanager
def serving(web: Web, port: socket.socket) -> Iterator[None]:
    """Within the `with`, a thread serves on a port that is already taken."""

    class Protocol(H11Protocol):
        """uvicorn's own, but what is not HTTP is refused with a problem document too."""

        def send_400_response(self, msg: str) -> None:
            refusal = web.gateway.refuse("bad_request", headers={"Connection": "close"})
            head = h11.Response(status_code=400, headers=_head(refusal)["headers"], reason=b"Bad Request")
            for part in (head, h11.Data(data=_content(refusal)), h11.EndOfMessage()):
                self.transport.write(self.conn.send(part) or b"")
            self.transport.close()

    settings = uvicorn.Config(
        web,
        http=Protocol,
        ws="none",
        lifespan="off",
        log_config=None,
        log_level="error",
        server_header=False,
        timeout_keep_alive=120,
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(settings)
    thread = threading.Thread(target=server.run, args=([port],), name="http")
    thread.start()
    while not server.started and thread.is_alive():
        time.sleep(0.005)
    try:
        yield
    finally:
        server.should_exit = True
        thread.join()
