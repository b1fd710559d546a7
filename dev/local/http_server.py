"""HTTP/1.1 on loopback: Chalice's own local server, with what API Gateway's front would do that it leaves out."""

from __future__ import annotations

import re
import socketserver
import sys
import time
from email.utils import formatdate
from functools import partial
from typing import Any

from chalice.app import Chalice
from chalice.config import Config
from chalice.local import ChaliceRequestHandler, LocalDevServer, ThreadedHTTPServer

from dev.local.faults import Faults
from dev.local.gateway import LARGEST_BODY, Answer, Gateway, ThreadedApp
from dev.local.servers import LOOPBACK
from dev.web.files import page_answer

_BODILESS = (204, 304)
_MOST_READ_AWAY = 8 * LARGEST_BODY
_CHUNK_SIZE = re.compile(rb"[0-9A-Fa-f]{1,8}")


class BadFraming(Exception):
    """The request's length cannot be told: the connection is of no more use."""


class LoopbackServer(ThreadedHTTPServer):
    """A thread for each connection. The port is taken at once; connections are let in by `server_activate()` only."""

    request_queue_size = 256

    def __init__(self, port: int) -> None:
        super().__init__((LOOPBACK, port), Handler, bind_and_activate=False)
        try:
            self.server_bind()
        except OSError:
            self.server_close()
            raise

    def server_bind(self) -> None:
        # HTTPServer's own asks DNS for the host's name, which can take seconds.
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = self.server_address[:2]

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is no news; anything else is."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


def dev_server(app: Chalice, server: LoopbackServer, faults: Faults) -> LocalDevServer:
    """Chalice's local server around `app`, on a port that is already taken."""
    app.__class__ = ThreadedApp

    def activated(_address: object, handler: Any) -> LoopbackServer:
        server.RequestHandlerClass = handler
        server.server_activate()
        return server

    config = Config.create(chalice_stage="local", lambda_timeout=29, lambda_memory_size=1024)
    handler = partial(Handler, faults=faults)
    return LocalDevServer(app, config, LOOPBACK, server.server_port, handler_cls=handler, server_cls=activated)


class Handler(ChaliceRequestHandler):
    """One connection: any number of requests, each through the gateway."""

    disable_nagle_algorithm = True  # with it, every answer on a kept connection takes 40 ms
    server_version, sys_version = "DoDooni", ""
    timeout = 120
    default_request_version = "HTTP/1.0"  # 0.9 would send even a refusal without a head

    def __init__(
        self, request: Any, client_address: Any, server: Any, app_object: Chalice, config: Config, faults: Faults
    ) -> None:
        self._faults = faults
        self._gateway = Gateway(app_object, config, client_address[0])
        super().__init__(request, client_address, server, app_object, config)

    def __getattr__(self, name: str) -> Any:
        # http.server looks for do_GET, do_TRACE, …: the gateway answers every method there is or may be.
        if name.startswith("do_"):
            return self._generic_handle
        raise AttributeError(name)

    def _generic_handle(self) -> None:
        started = time.perf_counter()
        try:
            headers, body = self._parse_payload()
        except BadFraming:
            self.close_connection = True
            answer = self._gateway.refuse("bad_request")
        else:
            page = page_answer(self.command, self.path, headers)
            answer = page or self._faults.answer(self._gateway, self.command, self.path, headers, body)
        self._send(answer)
        milliseconds = 1000 * (time.perf_counter() - started)
        route = self._gateway.route(self.path)
        print(f"{self.command} {route} {answer['statusCode']} {milliseconds:.1f} ms", file=sys.stderr, flush=True)

    do_GET = do_PUT = do_POST = do_HEAD = do_DELETE = do_PATCH = do_OPTIONS = _generic_handle

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """A request that http.server itself refuses (a broken request line, headers too long)."""
        self.close_connection = True
        self._send(self._gateway.refuse("bad_request"))

    def log_message(self, format: str, *args: Any) -> None:
        """http.server would log whole paths; what may be logged is printed where the request is handled."""

    def _parse_payload(self) -> tuple[dict[str, str], bytes | None]:
        headers = dict(self.headers)
        if self.headers.get("Transfer-Encoding"):
            return headers, self._read_chunks()
        text = self.headers.get("Content-Length", "0")
        if not (text.isascii() and text.isdigit()):
            raise BadFraming
        length = int(text)
        if length > LARGEST_BODY:
            self.close_connection = True
            return headers, self._read_away(min(length, _MOST_READ_AWAY))
        body: bytes = self.rfile.read(length)
        if len(body) < length:
            raise BadFraming
        return headers, body or None

    def _read_away(self, length: int) -> bytes:
        """A body of a size that is refused, in place of one too large to take: clients listen once all is sent."""
        while length > 0 and (chunk := self.rfile.read(min(length, 1 << 20))):
            length -= len(chunk)
        return bytes(LARGEST_BODY + 1)

    def _read_chunks(self) -> bytes:
        """A body sent in chunks (RFC 9112 §7.1), as some phones' HTTP clients do."""
        if self.headers["Transfer-Encoding"].strip().lower() != "chunked" or "Content-Length" in self.headers:
            raise BadFraming
        body = bytearray()
        while True:
            size_text = self.rfile.readline(100).split(b";")[0].strip()
            if not _CHUNK_SIZE.fullmatch(size_text):
                raise BadFraming
            size = int(size_text, 16)
            if len(body) + size > LARGEST_BODY:
                raise BadFraming
            chunk = self.rfile.read(size)
            body += chunk
            end = self.rfile.readline(10_000)
            if size == 0:
                while end not in (b"\r\n", b"\n", b""):  # trailer fields
                    end = self.rfile.readline(10_000)
                return bytes(body)
            if len(chunk) < size or end not in (b"\r\n", b"\n"):
                raise BadFraming

    def _send(self, answer: Answer) -> None:
        answer = self._handle_binary(answer)
        status, body = answer["statusCode"], answer.get("body") or ""
        content = body if isinstance(body, bytes) else body.encode()
        headers = {"Server": self.server_version, "Date": formatdate(usegmt=True), "Content-Type": "application/json"}
        headers |= answer["headers"] | answer["multiValueHeaders"]
        if status in _BODILESS:
            headers.pop("Content-Type")
        elif self.command != "HEAD":  # whose answer tells the length that a GET's would have, or none
            headers["Content-Length"] = str(len(content))
        if self.close_connection:
            headers["Connection"] = "close"
        self.send_response_only(status)
        self._send_headers(headers)
        if self.command != "HEAD" and status not in _BODILESS:
            self.wfile.write(content)
