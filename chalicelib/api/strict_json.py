"""JSON as this API reads it (RFC 8259, and I-JSON's RFC 7493 §2.3: no name twice), with nothing left to chance."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

from chalicelib.api.http import Rejected

MAX_DEPTH = 16
"""Levels of arrays and objects; the API's own bodies have three."""

REASONS = ("syntax", "not_utf8", "duplicate_key", "not_a_number", "too_deep", "lone_surrogate")

_STRINGS = re.compile(r'"(?:[^"\\]|\\.)*"?', re.DOTALL)
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def parse(raw: bytes) -> Any:
    """The value that `raw` holds; `Rejected` (malformed_json, with a reason of `REASONS`) if it is not JSON."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        _reject("not_utf8")
    if "\N{REPLACEMENT CHARACTER}" in text:  # what API Gateway makes of bytes that are not UTF-8
        _reject("not_utf8")
    if text.count("[") + text.count("{") > MAX_DEPTH and _depth(text) > MAX_DEPTH:
        _reject("too_deep")
    try:
        value = _decode(text)
    except (ValueError, RecursionError):
        _reject("syntax")
    if _SURROGATE.search(text) and not _encodable(value):
        _reject("lone_surrogate")
    return value


def _reject(reason: str) -> NoReturn:
    raise Rejected("malformed_json", {"reason": reason}) from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        _reject("duplicate_key")
    return value


def _constant(_name: str) -> NoReturn:
    _reject("not_a_number")


def _depth(text: str) -> int:
    deepest = depth = 0
    for sign in _STRINGS.sub("", text):
        if sign in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif sign in "]}":
            depth -= 1
    return deepest


def _encodable(value: Any) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


_decode = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant).decode
