"""API Gateway in front of the app: an HTTP request in, the function's event to Chalice, the answer out.

Deployed, the API is below a stage; path parameters arrive as they stand in the address, percent-encoded, and bodies as
text; some headers of answers are renamed; and what no route takes is answered by the gateway itself, in the API's own
manner: problem documents with CORS headers (`x-amazon-apigateway-gateway-responses`). docs/operations.md tells more.
"""

from __future__ import annotations

import json
import threading
import uuid
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qs

from chalice.app import Chalice

from chalicelib.api.http import method_not_allowed
from chalicelib.api.problems import HEADERS, problem
from chalicelib.api.routes import BASE, ROUTES
from dev.local.servers import LOOPBACK

Answer = dict[str, Any]
"""In API Gateway's form: statusCode, headers, multiValueHeaders, body."""

STAGE = "local"
RENAMED = frozenset(
    ("authorization", "connection", "content-md5", "date", "max-forwards", "server", "user-agent", "www-authenticate")
)
"""Headers of a function's answer, in lower case, which arrive with `x-amzn-Remapped-` before their names."""
LARGEST_BODY = 10 * 1024 * 1024
"""Bytes: API Gateway's own limit."""


class _PerThread:
    """An attribute that has another value in each thread."""

    def __init__(self) -> None:
        self._thread = threading.local()

    def __get__(self, app: Chalice | None, kind: type[Chalice]) -> Any:
        return getattr(self._thread, "value", None)

    def __set__(self, app: Chalice, value: Any) -> None:
        self._thread.value = value


class ThreadedApp(Chalice):
    """Chalice keeps the current request on the app; this keeps one per thread."""

    current_request: Any = _PerThread()
    lambda_context: Any = _PerThread()


class Gateway:
    """The app as requests reach it, from `source_address`. `request_id`: given to each request, else a new one."""

    def __init__(self, app: Chalice, source_address: str = LOOPBACK, request_id: str | None = None) -> None:
        app.__class__ = ThreadedApp
        self._app, self._source_address, self._request_id = app, source_address, request_id
        self._routes = [(path, path.split("/")) for path in sorted(app.routes)]  # "{" comes after all letters
        entries = (entry for methods in app.routes.values() for entry in methods.values())
        self._cors = next((dict(entry.cors.get_access_control_headers()) for entry in entries if entry.cors), {})

    def handle_request(self, method: str, target: str, headers: Mapping[str, str], body: bytes | None) -> Answer:
        """The app's answer, or the gateway's own refusal. `target` is the path, percent-encoded, and the query."""
        if body is not None and len(body) > LARGEST_BODY:
            return self.refuse("body_too_large", {"maximum": LARGEST_BODY})
        event = self.event(method, target, headers, body)
        if event is None:
            return self.refuse("route_not_found")
        resource = event["requestContext"]["resourcePath"]
        methods = self._app.routes[resource]
        if method == "OPTIONS" and any(entry.cors for entry in methods.values()):
            allowed = {"Access-Control-Allow-Methods": ",".join([*methods, "OPTIONS"])}
            return {"statusCode": 200, "headers": self._cors | allowed, "multiValueHeaders": {}, "body": ""}
        if method not in methods:
            # The app lets more reach it than it takes (`dispatch.METHODS`), and says no to the rest itself.
            declared = [route.method for route in ROUTES if BASE + route.path == resource]
            rejected = method_not_allowed(declared or methods)
            return self.refuse(rejected.code, rejected.params, rejected.headers)
        answer: Answer = self._app(event, SimpleNamespace(aws_request_id=event["requestContext"]["requestId"]))
        answer["headers"] = {_passed_on(name): value for name, value in answer["headers"].items()}
        return answer

    def event(self, method: str, target: str, headers: Mapping[str, str], body: bytes | None) -> dict[str, Any] | None:
        """What the function is called with; None where no route takes the path."""
        resource, parameters = self._match(target)
        if resource is None:
            return None
        path, _, query = target.partition("?")
        return {
            "httpMethod": method,
            "path": path,
            "headers": {name.lower(): value for name, value in headers.items()},
            "pathParameters": parameters or None,
            "multiValueQueryStringParameters": parse_qs(query, keep_blank_values=True) or None,
            "stageVariables": None,
            "body": None if body is None else body.decode(errors="replace"),
            "isBase64Encoded": False,
            "requestContext": {
                "httpMethod": method,
                "resourcePath": resource,
                "path": f"/{STAGE}{path}",
                "stage": STAGE,
                "requestId": self._request_id or str(uuid.uuid4()),
                "identity": {"sourceIp": self._source_address},
            },
        }

    def refuse(
        self, code: str, params: Mapping[str, object] | None = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """What the gateway answers by itself: a problem document, with the CORS headers that all answers have."""
        document = problem(code, params, request_id=str(uuid.uuid4()))
        return {
            "statusCode": document["status"],
            "headers": {**HEADERS, **self._cors, **(headers or {})},
            "multiValueHeaders": {},
            "body": json.dumps(document),
        }

    def route(self, target: str) -> str:
        """The template of the route that a request takes, for the log: the path itself may hold an invite's code."""
        return self._match(target)[0] or "(no route)"

    def _match(self, target: str) -> tuple[str | None, dict[str, str]]:
        """A route's template and the path's parameters. A path that ends in "/" is the same resource."""
        path = target.partition("?")[0]
        parts = (path.removesuffix("/") or "/").split("/")
        for template, names in self._routes:
            pairs = list(zip(names, parts, strict=False))
            if len(names) == len(parts) and all(name == part or name[:1] == "{" for name, part in pairs):
                return template, {name[1:-1]: part for name, part in pairs if name[:1] == "{"}
        return None, {}


def _passed_on(name: str) -> str:
    return f"x-amzn-Remapped-{name}" if name.lower() in RENAMED else name
