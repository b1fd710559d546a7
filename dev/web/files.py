"""The files that are served beside the API: the page, and the contract with its page. Their addresses and headers.

The local server and the front door of a stage both serve them by this.
"""

from __future__ import annotations

import functools
import gzip
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from dev.docs_page import FOLDER as DOCS
from dev.web.build import BUILT

PAGE_PATHS = re.compile(r"/(?:new|settings|devices|back|about|daily|[ts]/[^/]+|m/[^/]+(?:/\d+)?)?")
"""Addresses within the page: all are its index."""

_CLOSED = (
    "default-src 'none'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
PAGE_HEADERS = {
    "Content-Security-Policy": f"{_CLOSED}; style-src 'self'; img-src 'self'; manifest-src 'self'; worker-src 'self'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
DOCS_HEADERS = PAGE_HEADERS | {
    "Content-Security-Policy": f"{_CLOSED}; style-src 'self' 'unsafe-inline'; img-src 'self' data:"
}
"""RapiDoc writes styles into the page, with pictures in them."""
ALWAYS_ASK = "no-cache"
NEVER_CHANGES = "public, max-age=31536000, immutable"
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
}
"""What is not of these types is not served."""


@dataclass(frozen=True, slots=True)
class File:
    """`key` is the address without the leading slash."""

    path: Path
    key: str
    security_headers: Mapping[str, str]

    @property
    def unchanging(self) -> bool:
        """Whether another content would have another name."""
        return self.path.parent.name == "assets"

    @property
    def content_type(self) -> str:
        return TYPES[self.path.suffix]

    @property
    def cache_control(self) -> str:
        return NEVER_CHANGES if self.unchanging else ALWAYS_ASK


def files() -> list[File]:
    """Every file that is served."""
    page = [File(path, str(path.relative_to(BUILT)), PAGE_HEADERS) for path in _in(BUILT)]
    return page + [File(path, _docs_key(path), DOCS_HEADERS) for path in _in(DOCS)]


def _in(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix in TYPES)


def _docs_key(path: Path) -> str:
    own = {"index.html": "docs", "openapi.json": "openapi.json"}
    return own.get(path.name, f"docs/{path.name}")


def page_answer(method: str, path: str, headers: Mapping[str, str]) -> dict[str, Any] | None:
    """The answer in API Gateway's form, or None where no file has this address."""
    address = urlsplit(path).path
    if method not in ("GET", "HEAD"):
        return None
    key = "index.html" if PAGE_PATHS.fullmatch(address) else address.removeprefix("/")
    file = next((file for file in files() if file.key == key), None)
    if file is None:
        return None
    content = file.path.read_bytes()
    etag = f'"{hashlib.sha256(content).hexdigest()[:16]}"'
    given = {
        **file.security_headers,
        "Content-Type": file.content_type,
        "Cache-Control": file.cache_control,
        "ETag": etag,
        "Vary": "Accept-Encoding",
    }
    sent = {key.lower(): value for key, value in headers.items()}
    if sent.get("if-none-match") == etag:
        return {"statusCode": 304, "headers": given, "multiValueHeaders": {}, "body": ""}
    if "gzip" in sent.get("accept-encoding", ""):
        content = _gzipped(content)
        given["Content-Encoding"] = "gzip"
    return {"statusCode": 200, "headers": given, "multiValueHeaders": {}, "body": content}


@functools.lru_cache(maxsize=64)
def _gzipped(content: bytes) -> bytes:
    return gzip.compress(content, mtime=0)
