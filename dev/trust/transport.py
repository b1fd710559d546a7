"""Ways to the API: in this process, with services of the caller's choice, and over HTTP. Both answer alike."""

from __future__ import annotations

import base64
import http.client
import json
import secrets
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Protocol, Self
from urllib.parse import urlsplit

from chalicelib.api.app import create_app
from chalicelib.api.auth import Keys
from chalicelib.service.services import Services
from dev.local.gateway import Gateway

Json = Any
LOOPBACK = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer; header names are in small letters."""

    status: int
    headers: Mapping[str, str]
    text: str

    @property
    def json(self) -> Json:
        return json.loads(self.text)

    @property
    def code(self) -> str:
        """The problem's code; "" for what is no problem."""
        return str(self.json["code"]) if self.status >= 400 else ""


class Transport(Protocol):
    """Sends one request and gives its answer. `ConnectionError` and `TimeoutError`: no answer came."""

    def send(self, method: str, path: str, body: Json = None, headers: Mapping[str, str] | None = None) -> Reply: ...


# In this process ------------------------------------------------------------------------------------------------------

_TEXT = json.dumps({"trust": base64.urlsafe_b64encode(secrets.token_bytes(32)).decode()})
KEYS = Keys(lambda: _TEXT)
"""What every app in this process signs with."""


@dataclass
class InProcess:
    """The app behind the local gateway, around given services."""

    services: Services
    address: str = LOOPBACK
    fixed_id: str | None = None
    rate_factor: float = 0
    _gateway: Gateway = field(init=False)

    def __post_init__(self) -> None:
        app = create_app(self.services, KEYS, rate_factor=self.rate_factor)
        self._gateway = Gateway(app, self.address, self.fixed_id)

    def send(self, method: str, path: str, body: Json = None, headers: Mapping[str, str] | None = None) -> Reply:
        sent = {"Content-Type": "application/json", **(headers or {})}
        content = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
        answer = self._gateway.handle_request(method, "/v1" + path, sent, content)
        told = {
            name.lower(): str(value) for name, value in {**answer["headers"], **answer["multiValueHeaders"]}.items()
        }
        return Reply(int(answer["statusCode"]), told, str(answer["body"]))


@dataclass
class OverHttp:
    """The API at `url` (with /v1): a kept connection for each thread, opened anew when it breaks."""

    url: str
    timeout: float = 30
    _kept: threading.local = field(default_factory=threading.local, repr=False)
    _opened: list[http.client.HTTPConnection] = field(default_factory=list, repr=False)

    def send(self, method: str, path: str, body: Json = None, headers: Mapping[str, str] | None = None) -> Reply:
        where = urlsplit(self.url)
        connection: http.client.HTTPConnection | None = getattr(self._kept, "connection", None)
        if connection is None:
            assert where.hostname is not None
            connection = self._kept.connection = http.client.HTTPConnection(where.hostname, where.port, self.timeout)
            self._opened.append(connection)
        content = None if body is None else json.dumps(body).encode()
        try:
            connection.request(
                method, where.path + path, content, {"Content-Type": "application/json", **(headers or {})}
            )
            answer = connection.getresponse()
            text = answer.read().decode()
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            raise ConnectionError(type(error).__name__) from error
        told = {name.lower(): value for name, value in answer.getheaders()}
        return Reply(answer.status, told, text)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for connection in self._opened:
            connection.close()
