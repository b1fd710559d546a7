"""What API Gateway answers by itself, in the API's own manner: problem documents, with the CORS headers of all answers.

Chalice emits none of these, so that an app in a browser could not even read that it is to wait.
"""

from __future__ import annotations

import json
from typing import Any

from chalicelib.api.app import CORS
from chalicelib.api.bodies import LARGEST_BODY
from chalicelib.api.problems import CONTENT_TYPE, problem

_NO_STORE = "'no-store'"

# The gateway's kind of refusal → the problem it is, and its parameters; the two defaults stand for what is not named.
# https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html
REFUSALS: dict[str, tuple[str, dict[str, object]]] = {
    "DEFAULT_4XX": ("bad_request", {}),
    "DEFAULT_5XX": ("internal_error", {}),
    "UNAUTHORIZED": ("token_invalid", {}),
    "ACCESS_DENIED": ("forbidden", {}),
    "WAF_FILTERED": ("forbidden", {}),
    # What the gateway says of a path that no route has.
    "MISSING_AUTHENTICATION_TOKEN": ("route_not_found", {}),
    "RESOURCE_NOT_FOUND": ("route_not_found", {}),
    # A stray Authorization header in Amazon's own form, on such a path.
    "INVALID_SIGNATURE": ("route_not_found", {}),
    "REQUEST_TOO_LARGE": ("body_too_large", {"maximum": LARGEST_BODY}),
    "UNSUPPORTED_MEDIA_TYPE": ("unsupported_media_type", {"allowed": ["application/json"]}),
    "THROTTLED": ("rate_limited", {"retry_after_seconds": 1}),
    "QUOTA_EXCEEDED": ("rate_limited", {"retry_after_seconds": 1}),
    "INTEGRATION_FAILURE": ("try_again", {"retry_after_seconds": 1}),
    "INTEGRATION_TIMEOUT": ("try_again", {"retry_after_seconds": 1}),
}


def gateway_responses() -> dict[str, Any]:
    """The value of `x-amazon-apigateway-gateway-responses`."""
    return {kind: _response(code, params) for kind, (code, params) in REFUSALS.items()}


def _response(code: str, params: dict[str, object]) -> dict[str, Any]:
    document = problem(code, params, request_id="$context.requestId")
    headers = {name: f"'{value}'" for name, value in CORS.get_access_control_headers().items()}
    headers |= {"Content-Type": f"'{CONTENT_TYPE}'", "Cache-Control": _NO_STORE}
    if "retry_after_seconds" in params:
        headers["Retry-After"] = f"'{params['retry_after_seconds']}'"
    return {
        "statusCode": str(document["status"]),
        "responseParameters": {f"gatewayresponse.header.{name}": value for name, value in headers.items()},
        "responseTemplates": {"application/json": json.dumps(document, ensure_ascii=False)},
    }
