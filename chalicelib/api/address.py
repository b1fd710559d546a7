"""The address that a request comes from, as rate limits count it."""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chalice.app import Request

HEADER = "x-front-door"


def caller_address(request: Request, secret: str) -> str:
    """The address of the phone or the browser; "" if the gateway gives none.

    Behind the front door the gateway sees CloudFront's address. CloudFront appends the caller's to X-Forwarded-For and
    the gateway appends CloudFront's, so the caller's is the last but one; what stands before it anybody can write. The
    header counts only in a request that carries the front door's `secret`: the API has an address of its own too.
    """
    presented = request.headers.get(HEADER)
    if secret and presented and hmac.compare_digest(secret.encode(), presented.encode("utf-8", "surrogateescape")):
        forwarded: list[str] = request.headers.get("x-forwarded-for", "").split(",")
        if len(forwarded) > 1:
            return forwarded[-2].strip()
    return str((request.context.get("identity") or {}).get("sourceIp") or "")
