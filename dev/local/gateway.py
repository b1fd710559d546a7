"""The gateway in front of the app, as deployed: Chalice's local one, mended where it differs.

Deployed, the API is below a stage; path parameters arrive as they stand in the address, percent-encoded, and bodies as
text; some headers of answers are renamed; and what no route takes is answered by the gateway itself, in the API's own
manner: problem documents with CORS headers (`x-amazon-apigateway-gateway-responses`). docs/operations.md tells more.
"""

from __future__ import annotations

import json
import threading
import uuid
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from chalice.app import Chalice
from chalice.config import Config
from chalice.local import LocalChalice, LocalGateway

from chalicelib.api.http import method_not_allowed
from chalicelib.api.problems import HEADERS, problem
from chalicelib.api.routes import BASE, ROUTES

Answer = dict[str, Any]

STAGE = "local"
RENAMED = frozenset(
    ("authorization", "connection", "content-md5", "date", "max-forwards", "server", "user-agent", "www-authenticate")
)
"""Headers of a function's answer, in small letters, which arrive with `x-amzn-Remapped-` before their names."""
LARGEST_BODY = 10 * 1024 * 1024
"""Bytes: API Gateway's own limit."""


class ThreadedApp(LocalChalice):
    """The app with what Chalice keeps per app, request and context, kept per thread; `app.__class__ = ThreadedApp`."""

    _calls = threading.local()

    @property
    def lambda_context(self) -> Any:
        return self._calls.context

    @lambda_context.setter
    def lambda_context(self, context: Any) -> None:
        self._calls.context = context


class Gateway(LocalGateway):
    """One HTTP request in, the app's answer or the gateway's own refusal out."""

    def __init__(self, app: Chalice, config: Config, source_address: str) -> None:
        super().__init__(app, config)
        self._source_address = source_address

    def handle_request(self, method: str, path: str, headers: dict[str, str], body: bytes | None) -> Answer:
        """The answer in API Gateway's form: statusCode, headers, multiValueHeaders, body, isBase64Encoded."""
        if body is not None and len(body) > LARGEST_BODY:
            return self.refuse("body_too_large", {"maximum": LARGEST_BODY})
        try:
            event = self._event(method, path, headers, body)
        except ValueError:
            return self.refuse("route_not_found")
        methods = self._app_object.routes[event["requestContext"]["resourcePath"]]
        if method == "OPTIONS" and "OPTIONS" not in methods and any(entry.cors for entry in methods.values()):
            preflight = self._autogen_options_headers(event)
            return {"statusCode": 200, "headers": preflight, "multiValueHeaders": {}, "body": ""}
        if method not in methods:
            # The app lets more reach it than it takes (`dispatch.METHODS`), and says no to the rest itself.
            taken = [route.method for route in ROUTES if BASE + route.path == event["requestContext"]["resourcePath"]]
            rejected = method_not_allowed(taken or methods)
            return self.refuse(rejected.code, rejected.params, rejected.headers)
        context = self._generate_lambda_context()
        context.aws_request_id = event["requestContext"]["requestId"]
        answer: Answer = self._app_object(event, context)
        answer["headers"] = {_passed_on(name): value for name, value in answer["headers"].items()}
        return answer

    def refuse(
        self, code: str, params: Mapping[str, object] | None = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """What the gateway answers by itself: a problem document, with the CORS headers that all answers have."""
        document = problem(code, params, request_id=str(uuid.uuid4()))
        return {
            "statusCode": document["status"],
            "headers": {**HEADERS, **self._cors_headers(), **(headers or {})},
            "multiValueHeaders": {},
            "body": json.dumps(document),
        }

    def _cors_headers(self) -> dict[str, str]:
        entries = (entry for methods in self._app_object.routes.values() for entry in methods.values())
        return next((dict(entry.cors.get_access_control_headers()) for entry in entries if entry.cors), {})

    def route(self, path: str) -> str:
        """The template of the route that a path takes, for the log: the path itself may hold an invite's code."""
        try:
            return str(self.event_converter._route_matcher.match_route(path).route)
        except ValueError:
            return "(no route)"

    def _event(self, method: str, path: str, headers: dict[str, str], body: bytes | None) -> dict[str, Any]:
        event: dict[str, Any] = self._generate_lambda_event(method, path, headers, body)
        event["pathParameters"] = event["pathParameters"] or None
        event["path"] = urlsplit(path).path
        event["requestContext"] |= {"stage": STAGE, "path": f"/{STAGE}{event['path']}"}
        event["httpMethod"] = method
        if isinstance(event["body"], bytes) and not event.get("isBase64Encoded"):
            event["body"] = event["body"].decode(errors="replace")
        event["requestContext"]["requestId"] = str(uuid.uuid4())
        event["requestContext"]["identity"]["sourceIp"] = self._source_address
        return event


def _passed_on(name: str) -> str:
    return f"x-amzn-Remapped-{name}" if name.lower() in RENAMED else name
