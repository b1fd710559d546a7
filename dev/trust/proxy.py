"""Between the app and its store: passes every call on, and makes of it what is asked for.

What the store does is real: after `SILENT_AFTER` it has committed, and the app is left without the answer.
"""

from __future__ import annotations

import http.client
import json
import select
import socketserver
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from http.server import BaseHTTPRequestHandler
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

LOOPBACK = "127.0.0.1"


class Fault(StrEnum):
    """What can go wrong with one call to a store."""

    THROTTLED = "throttled"
    INTERNAL_BEFORE = "500, nothing done"
    INTERNAL_AFTER = "500, all done"
    CONFLICT = "conflict"
    SILENT_BEFORE = "time-out before commit"
    SILENT_AFTER = "time-out after commit"
    DROPPED_BEFORE = "dropped before commit"
    DROPPED_AFTER = "dropped after commit"
    CUT = "answer cut short"
    SLOW = "slow"


_ERRORS = {
    Fault.THROTTLED: (400, "ProvisionedThroughputExceededException"),
    Fault.INTERNAL_BEFORE: (500, "InternalServerError"),
    Fault.INTERNAL_AFTER: (500, "InternalServerError"),
    Fault.CONFLICT: (400, "TransactionConflictException"),
}
_AFTER = frozenset((Fault.INTERNAL_AFTER, Fault.SILENT_AFTER, Fault.DROPPED_AFTER, Fault.CUT, Fault.SLOW))


@dataclass(frozen=True, slots=True)
class Call:
    """One call of the app's: `number` counts from 1 since the last `StoreProxy.watch`."""

    number: int
    operation: str
    request: bytes


Judge = Callable[[Call], Fault | None]


@dataclass
class StoreProxy:
    """Listens on a port of its own from `with` to its end."""

    store_url: str
    patience: float = 1.0
    """How long the app waits for an answer: silence is longer than that, slow is just within."""
    on_answer: Callable[[Call, dict[str, Any]], None] | None = None
    """Told of each answer; every call then asks for its ConsumedCapacity."""
    waited: float = 0
    """Seconds that the app has been made to wait, so far: what a busy machine adds is not among them."""
    _judge: Judge = lambda _call: None
    _calls: list[Call] = field(default_factory=list)
    _remember: bool = True
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def watch(self, judge: Judge = lambda _call: None, *, remember: bool = True) -> None:
        """Count calls from 1 again, and ask `judge` about each; without `remember` every call is number 1."""
        with self._lock:
            self._judge, self._calls, self._remember = judge, [], remember

    @property
    def calls(self) -> tuple[Call, ...]:
        """Those since `watch`."""
        with self._lock:
            return tuple(self._calls)

    def judged(self, operation: str, request: bytes) -> tuple[Call, Fault | None]:
        with self._lock:
            call = Call(len(self._calls) + 1, operation, request)
            if self._remember:
                self._calls.append(call)
            return call, self._judge(call)

    @property
    def url(self) -> str:
        return f"http://{LOOPBACK}:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        self._server = _Server((LOOPBACK, 0), _Connection)
        self._server.proxy = self
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    block_on_close = False
    allow_reuse_address = True
    request_queue_size = 256
    proxy: StoreProxy

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Connections break here all the time: that is what it is for."""


class _Connection(BaseHTTPRequestHandler):
    """One of the app's connections, with one to the store behind it."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server
    _behind: http.client.HTTPConnection | None = None

    def do_POST(self) -> None:
        proxy = self.server.proxy
        request = self.rfile.read(int(self.headers["Content-Length"]))
        operation = self.headers.get("X-Amz-Target", "").rpartition(".")[2]
        call, fault = proxy.judged(operation, request)
        if fault is None or fault in _AFTER:
            try:
                status, headers, content = self._pass_on(call)
            except (OSError, http.client.HTTPException):
                self._hang_up()  # the store itself is gone: so is the connection to it
                return
            if proxy.on_answer is not None:
                proxy.on_answer(call, json.loads(content))
        if fault in (Fault.SILENT_BEFORE, Fault.SILENT_AFTER):
            proxy.waited += proxy.patience
            select.select([self.connection], [], [], 60 * proxy.patience)  # until the app gives up
        if fault in (Fault.SILENT_BEFORE, Fault.SILENT_AFTER, Fault.DROPPED_BEFORE, Fault.DROPPED_AFTER):
            self._hang_up()
            return
        if fault in _ERRORS:
            status, headers, content = _error(fault, call)
        if fault is Fault.SLOW:
            proxy.waited += 0.8 * proxy.patience
            time.sleep(0.8 * proxy.patience)
        self._answer(status, headers, content, cut=fault is Fault.CUT)

    def _pass_on(self, call: Call) -> tuple[int, dict[str, str], bytes]:
        proxy = self.server.proxy
        request = call.request
        if proxy.on_answer is not None:
            request = json.dumps({**json.loads(request), "ReturnConsumedCapacity": "INDEXES"}).encode()
        if self._behind is None:
            where = urlsplit(proxy.store_url)
            assert where.hostname is not None
            self._behind = http.client.HTTPConnection(where.hostname, where.port, timeout=300)
        headers = {name: text for name, text in self.headers.items() if name.lower() not in ("host", "content-length")}
        self._behind.request("POST", "/", request, headers)
        answer = self._behind.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read()

    def _answer(self, status: int, headers: dict[str, str], content: bytes, *, cut: bool) -> None:
        self.send_response_only(status)
        for name, text in headers.items():
            if name.lower() not in ("content-length", "connection", "transfer-encoding"):
                self.send_header(name, text)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content[: len(content) // 2] if cut else content)
        if cut:
            self._hang_up()

    def _hang_up(self) -> None:
        self.close_connection = True

    def finish(self) -> None:
        if self._behind is not None:
            self._behind.close()
        super().finish()

    def log_message(self, *_args: Any) -> None:
        """What passes here is secret."""


def _error(fault: Fault, call: Call) -> tuple[int, dict[str, str], bytes]:
    """The store's own words for it."""
    status, kind = _ERRORS[fault]
    if fault is Fault.CONFLICT and call.operation == "TransactWriteItems":
        kind = "TransactionCanceledException"
    told: dict[str, Any] = {"__type": f"com.amazonaws.dynamodb.v20120810#{kind}", "message": "injected"}
    if kind == "TransactionCanceledException":
        others = len(json.loads(call.request)["TransactItems"]) - 1
        told["CancellationReasons"] = [{"Code": "TransactionConflict"}] + [{"Code": "None"}] * others
    return status, {"Content-Type": "application/x-amz-json-1.0"}, json.dumps(told).encode()
