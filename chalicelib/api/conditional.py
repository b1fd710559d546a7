"""Conditional requests (RFC 9110 §13): does the client have this answer already?"""

from __future__ import annotations

import hashlib
import re

_TAG = re.compile(r'(?:W/)?("[\x21\x23-\x7e\x80-\xff]*")')
# Unambiguous, so no input backtracks.
_LIST = re.compile(rf"[\s,]*{_TAG.pattern}(?:\s*,[\s,]*{_TAG.pattern})*[\s,]*")


def etag_of(body: str) -> str:
    """A tag for an answer that has no version of its own: a digest of it."""
    return f'"{hashlib.sha256(body.encode()).hexdigest()[:20]}"'


def unchanged(if_none_match: str | None, etag: str) -> bool:
    """Whether If-None-Match names this answer, by the weak comparison (§8.8.3.2). Other text is ignored."""
    if not if_none_match:
        return False
    if if_none_match.strip() == "*":
        return True
    if if_none_match == etag:
        return True
    return bool(_LIST.fullmatch(if_none_match)) and etag in _TAG.findall(if_none_match)
