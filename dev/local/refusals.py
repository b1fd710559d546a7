"""What the gateway answers by itself, as problem documents."""

from __future__ import annotations

import json
from typing import Any


def refusal(status: int, headers: dict[str, str] | None = None) -> dict[str, Any]:
    """The answer for a request that no route takes, in API Gateway's form."""
    body = json.dumps({"status": status})
    return {
        "statusCode": status,
        "headers": {"Content-Type": "application/problem+json", **(headers or {})},
        "multiValueHeaders": {},
        "body": body,
    }
