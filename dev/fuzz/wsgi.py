"""The app as a WSGI application (PEP 3333), behind the local gateway, with a tally of what it answered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from http import HTTPStatus
from typing import Any
from urllib.parse import quote

from chalicelib.api.routes import BASE
from dev.local.gateway import Gateway

Environ = dict[str, Any]
StartResponse = Callable[..., Any]


class Application:
    """Call it as WSGI has it. `tally`: (method, route, status) → how often."""

    def __init__(self, gateway: Gateway) -> None:
        self._gateway = gateway
        self.tally: Counter[tuple[str, str, int]] = Counter()

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        method, target = environ["REQUEST_METHOD"], _target(environ)
        length = int(environ.get("CONTENT_LENGTH") or 0)
        body = environ["wsgi.input"].read(length) if length else None
        answer = self._gateway.handle_request(method, target, _headers(environ), body)
        status = HTTPStatus(answer["statusCode"])
        self.tally[method, self._gateway.route(target).removeprefix(BASE), status.value] += 1
        content = (answer["body"] or "").encode()
        start_response(f"{status.value} {status.phrase}", [*answer["headers"].items()])
        return [content]


def _target(environ: Environ) -> str:
    """Path and query. WSGI decodes the path: what must be encoded in one is encoded again."""
    path = quote(environ["PATH_INFO"].encode("latin-1"), safe="/:@!$&'()*+,;=-._~")
    return path + (f"?{environ['QUERY_STRING']}" if environ.get("QUERY_STRING") else "")


def _headers(environ: Environ) -> dict[str, str]:
    headers = {
        name.removeprefix("HTTP_").replace("_", "-").title(): value
        for name, value in environ.items()
        if name.startswith("HTTP_")
    }
    if environ.get("CONTENT_TYPE"):
        headers["Content-Type"] = environ["CONTENT_TYPE"]
    return headers
