"""A request's body: its size, its media type, its JSON, and what its schema says of it."""

from __future__ import annotations

from email.message import Message
from typing import TYPE_CHECKING, Any

from marshmallow import ValidationError
from marshmallow.exceptions import SCHEMA

from chalicelib.api import strict_json
from chalicelib.api.http import Rejected

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chalice.app import Request as ChaliceRequest

    from chalicelib.api.fields import Body, OneOf

LARGEST_BODY = 16 * 1024
"""Bytes."""
JSON = "application/json"
UTF_8 = "utf-8"


def sent_with(raw: ChaliceRequest) -> bytes:
    """What was sent, unless it is too large to be looked at (`Rejected`: body_too_large)."""
    packed = raw.to_original_event().get("body") or b""
    if len(packed) > LARGEST_BODY * 4 // 3 + 4:  # base64 makes three bytes four
        raise Rejected("body_too_large", {"maximum": LARGEST_BODY})
    sent = raw.raw_body or b""
    if len(sent) > LARGEST_BODY:
        raise Rejected("body_too_large", {"maximum": LARGEST_BODY})
    return sent if isinstance(sent, bytes) else sent.encode()


def check_media_type(content_type: str | None) -> None:
    """JSON it must be, in UTF-8 (RFC 8259 §8.1, §11: parameters mean nothing, but a charset must not deny it)."""
    if content_type == JSON:
        return
    message = Message()
    try:
        message["Content-Type"] = content_type or ""  # in all the forms of RFC 9110 §8.3.1
        readable = message.get_content_type() == JSON and message.get_content_charset(UTF_8) == UTF_8
    except (TypeError, ValueError):  # what the parser stumbles over: parameters that are cut in pieces, and others
        readable = False
    if not readable:
        raise Rejected("unsupported_media_type", {"allowed": [JSON]})


def read(schema: type[Body] | type[OneOf], sent: bytes) -> Any:
    """What the schema makes of a body; one that was not sent is `{}`. `Rejected`: malformed_json, invalid_body."""
    value = strict_json.parse(sent) if sent else {}
    try:
        return schema.read(value)
    except ValidationError as wrong:
        raise Rejected("invalid_body", errors=tuple(_errors(wrong.messages, ""))) from None


def _errors(messages: Any, pointer: str) -> Iterator[dict[str, object]]:
    """marshmallow's tree of errors as a list, each with a JSON Pointer (RFC 6901)."""
    if isinstance(messages, dict):
        for name, inner in messages.items():
            yield from _errors(inner, pointer if _of_itself(name, inner) else pointer + _step(str(name)))
    else:
        for error in messages:
            yield {"pointer": pointer, **error}


def _of_itself(name: str, inner: Any) -> bool:
    """Whether this is about the object, not about a member of it (which may be called as marshmallow calls it)."""
    return name == SCHEMA and all(error["code"] != "unknown_field" for error in _errors(inner, ""))


def _step(name: str) -> str:
    return "/" + name[:64].replace("~", "~0").replace("/", "~1")
