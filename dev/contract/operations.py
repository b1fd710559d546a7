"""The operations of the contract, from the route table."""

from __future__ import annotations

from collections import defaultdict
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from chalicelib.api.bodies import JSON
from chalicelib.api.fields import Body, OneOf
from chalicelib.api.limits import HOUR
from chalicelib.api.parameters import KEY, MATCH
from chalicelib.api.problems import CONTENT_TYPE, PROBLEMS
from chalicelib.api.route import By
from dev.contract.components import Json, name_of, prose, ref, schema_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chalicelib.api.parameters import Parameter
    from chalicelib.api.route import Rate, Route

_TAG: Json = {"pattern": '^".+"$'}
_NOT_ALWAYS = ("ViewETag", "WwwAuthenticate")
HEADERS: dict[str, Json] = {
    name: {"description": description}
    | ({} if name in _NOT_ALWAYS else {"required": True})
    | {"schema": {"type": "string"} | more, "example": example}
    for name, description, more, example in (
        ("ETag", "Changes whenever the answer would; send it as `If-None-Match`.", _TAG, '"41"'),
        (
            "Location",
            "Where the new thing is, relative to the address that was asked (RFC 9110 §10.2.2).",
            {"format": "uri-reference"},
            "matches/sWQhGXWGKXfScG5q",
        ),
        ("RetryAfter", "Seconds to wait before trying again.", {"pattern": "^[0-9]+$"}, "20"),
        ("CacheControl", "Nobody but the app may keep it.", {}, "private, no-cache"),
        ("Vary", "Another account's answer has the same address, and may have the same tag.", {}, "Authorization"),
        ("NoStore", "Nobody may keep a problem.", {}, "no-store"),
        ("ViewETag", "Of the view in the body, where there is one: what `getMatch` would answer with.", _TAG, '"41"'),
        (
            "WwwAuthenticate",
            "What would let you in (RFC 6750). Amazon's gateway sends it as `x-amzn-Remapped-WWW-Authenticate`: go by "
            "the problem's `code`.",
            {},
            'Bearer realm="do-dooni"',
        ),
    )
}
UNTOLD = frozenset(
    (
        "content-type",  # told as the key of `content`; OpenAPI passes over it among headers
        "access-control-allow-origin",  # CORS, the same on all answers: for browsers
        "access-control-allow-headers",
        "access-control-expose-headers",
        "access-control-max-age",
        "x-content-type-options",  # for browsers too: a view is no page
        "x-amzn-remapped-www-authenticate",  # what the gateway makes of WWW-Authenticate, and says so
        "allow",  # on 405, which is an answer of an address and of no operation
    )
)
"""Headers of ours, in small letters, that no operation declares, and why. What HTTP itself adds (`Date`,
`Content-Length`, …) is not the app's. Every other header that the app sends is in the contract."""
PARAMETERS: dict[str, Json] = {
    "IfNoneMatch": {
        "name": "If-None-Match",
        "in": "header",
        "description": "ETags of answers that you have. If the answer is one of them still, it is 304 without a body.",
        "schema": {"type": "string"},
        "example": '"41"',
    },
    "IdempotencyKey": {
        "name": "Idempotency-Key",
        "in": "header",
        "description": "Your own name for what you ask, drawn at random (a UUID): repeating it makes nothing twice.",
        "schema": schema_of(KEY.field),
        "example": "0b9f6f1e-7e50-4d5a-8f0c-5c1d8a9c3c55",
    },
}


def errors_of(route: Route) -> dict[int, list[str]]:
    """Status → the codes of all problems that the operation may answer with."""
    codes = ["invalid_parameter"]
    if route.body is not None:
        codes += ["malformed_json", "invalid_body", "unsupported_media_type"]
    if route.method != "GET":
        codes.append("body_too_large")
    if not route.for_all:
        codes += ["token_missing", "token_invalid", "token_expired"]
    if route.checks_session:
        codes += ["session_revoked"] if route.deleted_too else ["session_revoked", "account_deleted"]
    if route.rates:
        codes.append("rate_limited")
    codes += route.errors
    codes.append("internal_error")
    if route.tag != "Service":
        codes.append("try_again")
    by_status: dict[int, list[str]] = defaultdict(list)
    for code in codes:
        by_status[PROBLEMS[code].status].append(code)
    return dict(sorted(by_status.items()))


_BY = {By.PLAYER: "by one player", By.DEVICE: "by one device", By.ADDRESS: "from one address"}


def rate_limit(rate: Rate) -> str:
    """A limit as a sentence."""
    within = f"At most {rate.most:,} {'failures' if rate.failures else 'requests'} an hour {_BY[rate.by]}"
    codes = " or ".join(f"`{code}`" for code in rate.failures)
    return f"{within}{f' ({codes})' if codes else ''}."


def _rate_limits(route: Route) -> Json:
    """The limits for machines: how many of what, in so many seconds, by whom."""
    listed = [
        {"by": rate.by.value, "most": rate.most, "seconds": HOUR}
        | ({"failures": rate.failures} if rate.failures else {})
        for rate in route.rates
    ]
    return {"x-rate-limits": listed} if listed else {}


def operation(route: Route, examples: Mapping[str, Mapping[str, Any]]) -> Json:
    """One operation object. `examples`: "request" and "answer" → name → value."""
    summary, _, more = prose(route.endpoint).partition("\n")
    made: Json = {
        "operationId": route.operation_id,
        "tags": [route.tag],
        "summary": summary.rstrip("."),
        "description": (more.strip() or summary) + "".join(f"\n\n{rate_limit(rate)}" for rate in route.rates),
        "parameters": _parameters(route),
        "responses": _success(route, examples.get("answer", {}))
        | {str(status): _failure(route, codes) for status, codes in errors_of(route).items()},
    }
    made |= _rate_limits(route)
    if route.for_all:
        made["security"] = []
    if route.body is not None:
        made["requestBody"] = {
            "required": _needs_body(route.body),
            "content": {JSON: {"schema": ref(name_of(route.body)), "examples": _examples(examples.get("request", {}))}},
        }
    return made


def _needs_body(body: type[Body] | type[OneOf]) -> bool:
    return issubclass(body, OneOf) or any(field.required for field in body().fields.values())


def _examples(named: Mapping[str, Any]) -> Json:
    return {name: {"value": value} for name, value in named.items()}


def _parameters(route: Route) -> list[Json]:
    listed = [_parameter(parameter, "path") for parameter in route.path_parameters]
    listed += [_parameter(parameter, "query") for parameter in route.query]
    if route.takes_key:
        listed.append({"$ref": "#/components/parameters/IdempotencyKey"})
    if route.conditional:
        listed.append({"$ref": "#/components/parameters/IfNoneMatch"})
    return listed


def _parameter(parameter: Parameter, where: str) -> Json:
    made: Json = {"name": parameter.name, "in": where, "description": parameter.description}
    if where == "path":
        made["required"] = True
    default = {} if parameter.default is None else {"default": parameter.default}
    return made | {"schema": schema_of(parameter.field) | default}


def _header(name: str) -> Json:
    return {"$ref": f"#/components/headers/{name}"}


def _success(route: Route, examples: Mapping[str, Any]) -> Json:
    headers: Json = {"Cache-Control": _header("CacheControl")}
    if route.conditional or route.etag:
        headers["ETag"] = _header("ViewETag" if route.answer == "LeaveUpdate" else "ETag")
    if route.conditional and not route.for_all:
        headers["Vary"] = _header("Vary")
    if route.location:
        headers["Location"] = _header("Location")
    made: Json = {"description": HTTPStatus(route.status).phrase, "headers": headers}
    if route.answer is not None:
        made["content"] = {JSON: {"schema": ref(route.answer), "examples": _examples(examples)}}
    answers = {str(route.status): made}
    if route.conditional:
        answers["304"] = {"description": "You have it already.", "headers": dict(headers)}
    return answers


def _failure(route: Route, codes: list[str]) -> Json:
    status = PROBLEMS[codes[0]].status
    listed = "\n".join(f"* `{code}`: {PROBLEMS[code].detail}" for code in codes)
    made: Json = {"description": f"{PROBLEMS[codes[0]].title}.\n\n{listed}"}
    made["headers"] = {"Cache-Control": _header("NoStore")}
    if status in (409, 422) and (MATCH in route.path_parameters or route.takes_key):
        made["headers"]["ETag"] = _header("ViewETag")
    elif status in (429, 503):
        made["headers"]["Retry-After"] = _header("RetryAfter")
    elif status == 401:
        made["headers"]["WWW-Authenticate"] = _header("WwwAuthenticate")
    examples = {code: {"$ref": f"#/components/examples/{code}"} for code in codes}
    made["content"] = {CONTENT_TYPE: {"schema": ref("Problem"), "examples": examples}}
    made["x-codes"] = codes
    return made
