"""The built page as a web server gives it: which file an address is, and its headers."""

from __future__ import annotations

import gzip
import hashlib
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from dev.web.build import BUILT

PAGE_PATHS = re.compile(r"/(?:new|settings|devices|back|about|t/[^/]+|m/[^/]+(?:/\d+)?)?")
"""Addresses within the page: all are its index."""

SECURITY_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
ALWAYS_ASK = "no-cache"
NEVER_CHANGES = "public, max-age=31536000, immutable"
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}


def page_answer(method: str, path: str, headers: Mapping[str, str]) -> dict[str, Any] | None:
    """The answer in API Gateway's form, or None where the page has nothing at this address."""
    name = urlsplit(path).path
    if method not in ("GET", "HEAD"):
        return None
    if PAGE_PATHS.fullmatch(name):
        name = "/index.html"
    file = next((file for file in BUILT.rglob("*") if file.is_file() and f"/{file.relative_to(BUILT)}" == name), None)
    if file is None or file.suffix not in TYPES:
        return None
    content = file.read_bytes()
    etag = f'"{hashlib.sha256(content).hexdigest()[:16]}"'
    given = {
        **SECURITY_HEADERS,
        "Content-Type": TYPES[file.suffix],
        "Cache-Control": NEVER_CHANGES if file.parent.name == "assets" else ALWAYS_ASK,
        "ETag": etag,
        "Vary": "Accept-Encoding",
    }
    sent = {key.lower(): value for key, value in headers.items()}
    if sent.get("if-none-match") == etag:
        return {"statusCode": 304, "headers": given, "multiValueHeaders": {}, "body": ""}
    if "gzip" in sent.get("accept-encoding", ""):
        content = gzip.compress(content, mtime=0)
        given["Content-Encoding"] = "gzip"
    return {"statusCode": 200, "headers": given, "multiValueHeaders": {}, "body": content}
