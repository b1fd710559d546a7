"""From Chalice's request to an answer: the checks in their one order, the endpoint, every error as a problem document.

The order: 405, 413, 415, 400 (path, query, headers, body), 401, 429, then what the use case finds: 404, 403, 409, 422.
"""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from chalice.app import Response

from chalicelib.api import bodies, limits, logs, present
from chalicelib.api.address import caller_address
from chalicelib.api.auth import Caller, challenge
from chalicelib.api.conditional import etag_of, unchanged
from chalicelib.api.http import Answer, Rejected, Request, method_not_allowed
from chalicelib.api.parameters import match_id_in, read_key, read_path, read_query
from chalicelib.api.problems import HEADERS, problem
from chalicelib.api.route import BASE
from chalicelib.service.errors import Failure, Unauthorized
from chalicelib.service.people import devices
from chalicelib.service.ports import Unavailable, budget

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chalice.app import Request as ChaliceRequest

    from chalicelib.api.auth import Keys
    from chalicelib.api.route import Route
    from chalicelib.service.services import Services

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")
"""All of them reach the app on every path, so that a wrong one is answered like everything else (405)."""

STORE_SECONDS = 4.0
"""No call to the store begins later than this in a request. The last may take 2 s more: a phone waits 6 s at most."""

Headers = dict[str, str | list[str]]

_encode = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False, check_circular=False).encode


@dataclass(slots=True)
class Dispatcher:
    """Answers requests with what the app was made from (`create_app`)."""

    services: Services
    keys: Keys
    rate_factor: float
    front_door: str
    _cold: bool = True

    def respond(self, raw: ChaliceRequest | None, routes: Mapping[str, Route]) -> Response:
        """The answer to a request on a path that has these routes, by method."""
        if raw is None:
            raise AssertionError("a view is called for a request")
        request_id = raw.context.get("requestId") or str(uuid.uuid4())
        route = routes.get("GET" if raw.method == "HEAD" else raw.method)
        operation = route.operation_id if route else None
        match_id, cold, self._cold = match_id_in(raw.uri_params or {}), self._cold, False
        with logs.request(request_id, raw.method, raw.path, operation, match_id, cold=cold) as log:
            try:
                response = self._answer(raw, routes, route, request_id, log)
            except Exception as error:  # also one that arises while another is answered
                log.failed("internal_error", error)
                response = failure("internal_error", None, request_id)
            log.status = response.status_code
        if raw.method == "HEAD":
            response.body = ""
        return response

    def _answer(
        self,
        raw: ChaliceRequest,
        routes: Mapping[str, Route],
        route: Route | None,
        request_id: str,
        log: logs.RequestLog,
    ) -> Response:
        try:
            if route is None:
                raise method_not_allowed(routes)
            with budget(STORE_SECONDS):
                answer = self._carried_out(raw, route)
            log.answered(answer.body)
            return _success(raw, route, answer)
        except Rejected as rejected:
            log.code = rejected.code
            return failure(rejected.code, rejected.params, request_id, rejected.headers, rejected.errors)
        except Failure as refused:
            log.refused(refused)
            return _refused(refused, request_id)
        except Unavailable as unavailable:
            log.failed("try_again", unavailable)
            return failure("try_again", {"retry_after_seconds": 1}, request_id, {"Retry-After": "1"})

    def _carried_out(self, raw: ChaliceRequest, route: Route) -> Answer:
        request = self._read(raw, route)
        if route.checks_session:
            _check_session(request, route)
        if not route.rates:
            return route.endpoint(request)
        address = caller_address(raw, self.front_door)
        meter = limits.Meter(self.services, self.keys, route, request.player_id, address, self.rate_factor)
        in_body = isinstance(request.body, dict) and "code" in request.body
        meter.begin(guess=in_body or "code" in request.path)
        try:
            return route.endpoint(replace(request, admit=meter.admit))
        except Failure as refused:
            meter.failed(refused.code)
            raise

    def _read(self, raw: ChaliceRequest, route: Route) -> Request:
        """The request, found well formed and its caller known; `Rejected` otherwise."""
        headers = raw.headers
        sent = bodies.sent_with(raw) if route.method != "GET" else b""
        if route.body is not None and sent:
            bodies.check_media_type(headers.get("content-type"))
        path = read_path(route.path_parameters, raw.uri_params or {})
        query: Mapping[str, Any] = {}
        if route.query or raw.query_params:
            query = read_query(route.query, raw.to_original_event()["multiValueQueryStringParameters"] or {})
        key = read_key(headers.get("idempotency-key")) if route.takes_key else None
        body = bodies.read(route.body, sent) if route.body is not None else {}
        if route.signs:
            self.keys.by_id()  # where there are none nothing is counted or written either
        caller = Caller("", "")
        if not route.for_all:
            caller = self.keys.caller(headers.get("authorization"), self.services.now())
        return Request(self.services, self.keys, caller.player_id, caller.session_id, path, query, body, key)


def failure(
    code: str,
    params: Mapping[str, object] | None,
    request_id: str,
    headers: Mapping[str, str] | None = None,
    errors: tuple[dict[str, object], ...] = (),
    current: Mapping[str, object] | None = None,
) -> Response:
    """A problem document as a response."""
    document = problem(code, params, request_id=request_id, errors=errors, current=current)
    return Response(_encode(document), {**HEADERS, **(headers or {})}, int(str(document["status"])))


def _check_session(request: Request, route: Route) -> None:
    try:
        devices.check_session(request.services, request.player_id, request.session_id)
    except Unauthorized as refused:
        if not (route.deleted_too and refused.code == "account_deleted"):
            raise


def _relative(raw: ChaliceRequest, path: str) -> str:
    """A path below `BASE`, relative to the request's own (RFC 3986 §4.2), which holds below any stage and proxy."""
    folders = raw.path.count("/") - BASE.count("/") - 1
    if raw.context.get("path", "").endswith("/"):
        folders += 1
    return "../" * folders + path


def _success(raw: ChaliceRequest, route: Route, answer: Answer) -> Response:
    headers: Headers = {
        "Cache-Control": "no-store" if route.no_store else "private, no-cache",
        "X-Content-Type-Options": "nosniff",
        **answer.headers,
    }
    if "Location" in answer.headers:
        headers["Location"] = _relative(raw, answer.headers["Location"])
    if answer.body is None:
        return Response("", headers, route.status)
    body = answer.body if isinstance(answer.body, str) else _encode(answer.body)
    if route.conditional:
        etag = answer.headers.get("ETag") or etag_of(body)
        headers["ETag"] = etag
        headers["Vary"] = "Authorization"  # two accounts' views of one version share its tag, and a phone's cache
        if unchanged(raw.headers.get("if-none-match"), etag):
            return Response("", headers, 304)
    headers.setdefault("Content-Type", bodies.JSON)
    return Response(body, headers, route.status)


def _refused(refused: Failure, request_id: str) -> Response:
    current = present.match(refused.current) if refused.current is not None else None
    params = dict(refused.params)
    headers: dict[str, str] = {}
    if refused.retry_after is not None:
        params["retry_after_seconds"] = refused.retry_after
        headers["Retry-After"] = str(refused.retry_after)
    response = failure(refused.code, params, request_id, headers, current=current)
    if response.status_code == 401:
        response.headers.update(challenge(refused.code))
    if refused.current is not None:
        response.headers["ETag"] = refused.current.etag
    return response
