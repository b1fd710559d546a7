"""Path and query parameters: texts of an address, each read strictly or refused."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from chalicelib.api.http import Rejected
from chalicelib.api.schemas import HOW_TYPED, LONGEST_CODE, SEAT_WORDS, STATUS_WORDS
from chalicelib.match.model import MAX_DEALS, MOVES_OF_A_DEAL

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

ID = "^[A-Za-z0-9_-]{16}$"
_IS_MATCH_ID = re.compile(ID[1:-1]).fullmatch
LAST_MOVE = MAX_DEALS * MOVES_OF_A_DEAL
"""The highest move number there can be."""
LAST_VERSION = 2**31 - 1
_LONGEST_NUMBER = len(str(LAST_VERSION))
EVENTS_AT_ONCE = 1000
MATCHES_AT_ONCE = 100
KEY = re.compile(r"[\x21-\x7e]{1,128}")
_BROKEN_ESCAPE = re.compile("%(?![0-9A-Fa-f]{2})")


class _Wrong(Exception):
    """The text of a parameter is off."""

    def __init__(self, code: str, **params: object) -> None:
        self.code, self.params = code, params


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter. `read` makes its value of its text."""

    name: str
    description: str
    schema: Mapping[str, object]
    read: Callable[[str], Any] = field(repr=False)
    default: object = None


def _number(name: str, description: str, minimum: int, maximum: int, default: int | None = None) -> Parameter:
    integer = re.compile(r"0|-?[1-9][0-9]*")

    def read(text: str) -> int:
        if not integer.fullmatch(text):
            raise _Wrong("wrong_type", expected="integer")
        if len(text) > _LONGEST_NUMBER or not minimum <= int(text) <= maximum:
            raise _Wrong("out_of_range", minimum=minimum, maximum=maximum)
        return int(text)

    schema: dict[str, object] = {"type": "integer", "minimum": minimum, "maximum": maximum}
    if default is not None:
        schema["default"] = default
    return Parameter(name, description, schema, read, default)


def _switch(name: str, description: str) -> Parameter:
    words = {"true": True, "false": False}

    def read(text: str) -> bool:
        if text not in words:
            raise _Wrong("wrong_type", expected="boolean")
        return words[text]

    return Parameter(name, description, {"type": "boolean", "default": False}, read, default=False)


def _words(name: str, description: str, component: str, words: Mapping[str, object]) -> Parameter:
    def read(text: str) -> object:
        if text not in words:
            raise _Wrong("not_allowed", allowed=list(words))
        return words[text]

    return Parameter(name, description, {"$ref": f"#/components/schemas/{component}"}, read)


def _text(name: str, description: str, pattern: str) -> Parameter:
    matches = re.compile(pattern.removeprefix("^").removesuffix("$")).fullmatch

    def read(text: str) -> str:
        if not matches(text):
            raise _Wrong("wrong_format", pattern=pattern)
        return text

    return Parameter(name, description, {"type": "string", "pattern": pattern}, read)


def _free_text(name: str, description: str, longest: int) -> Parameter:
    def read(text: str) -> str:
        if len(text) > longest:
            raise _Wrong("too_long", maximum=longest)
        return text

    return Parameter(name, description, {"type": "string", "maxLength": longest}, read)


def _cursor(text: str) -> str:
    return text  # read by `cursors`, which knows whose it is


MATCH = _text("match_id", "The match's id.", ID)
SESSION = _text("session_id", "The device's id, from `listSessions`.", ID)
SEAT = _words("seat", "The seat.", "SeatName", SEAT_WORDS)
MOVE_NUMBER = _number("move_number", "The number of the move in the match: `next_move` of the view.", 1, LAST_MOVE)
DEAL_NUMBER = _number("deal_number", "The deal's number in the match.", 1, MAX_DEALS)
INVITE_CODE = _free_text("code", f"The invite code. {HOW_TYPED}", LONGEST_CODE)
AFTER = _number("after", "Events with a higher version than this; 0: from the beginning.", 0, LAST_VERSION, 0)
EVENT_LIMIT = _number("limit", "At most so many events.", 1, EVENTS_AT_ONCE, 200)
WITH_VIEW = _switch("view", "Whether to answer with your view too, where there are new events.")
WITH_TRICKS = _switch("tricks", "Whether `deal` has all the finished tricks, not the last alone.")
MATCH_LIMIT = _number("limit", "At most so many matches.", 1, MATCHES_AT_ONCE, 20)
STATUS = _words("status", "Only matches that stand so.", "MatchStatus", STATUS_WORDS)
CURSOR = Parameter("cursor", "`next_cursor` of the page before.", {"type": "string", "maxLength": 200}, _cursor)


def read_path(known: tuple[Parameter, ...], given: Mapping[str, str]) -> dict[str, Any]:
    """The values of path parameters, which API Gateway passes on as they stand in the address: percent-encoded."""
    values, errors = {}, []
    for parameter in known:
        try:
            values[parameter.name] = parameter.read(_decoded(given[parameter.name]))
        except _Wrong as wrong:
            errors.append(_error(parameter.name, wrong))
    if errors:
        raise Rejected("invalid_parameter", errors=tuple(errors))
    return values


def match_id_in(given: Mapping[str, str]) -> str | None:
    """The match's id among a path's parameters, if there is one that is well formed."""
    try:
        text = _decoded(given.get(MATCH.name, ""))
    except _Wrong:
        return None
    return text if _IS_MATCH_ID(text) else None


def _decoded(text: str) -> str:
    """A segment of a path without its percent-encoding (RFC 3986 §2.1). Decoding twice is safe: no value has a `%`."""
    if "%" not in text:
        return text
    if _BROKEN_ESCAPE.search(text):
        raise _Wrong("invalid_escape")
    try:
        return unquote(text, errors="strict")
    except UnicodeDecodeError:
        raise _Wrong("invalid_escape") from None


def read_query(known: tuple[Parameter, ...], given: Mapping[str, list[str]]) -> dict[str, Any]:
    """The values of query parameters, defaults included; None where there is neither."""
    values: dict[str, Any] = {parameter.name: parameter.default for parameter in known}
    by_name = {parameter.name: parameter for parameter in known}
    errors = []
    for name, texts in given.items():
        try:
            parameter = by_name.get(name)
            if parameter is None:
                raise _Wrong("unknown_parameter")
            if len(texts) != 1:
                raise _Wrong("repeated_parameter")
            values[name] = parameter.read(texts[0])
        except _Wrong as wrong:
            errors.append(_error(name, wrong))
    if errors:
        raise Rejected("invalid_parameter", errors=tuple(errors))
    return values


def read_key(text: str | None) -> str | None:
    """The Idempotency-Key."""
    if text is not None and not KEY.fullmatch(text):
        wrong = _Wrong("wrong_format", pattern=f"^{KEY.pattern}$")
        raise Rejected("invalid_parameter", errors=(_error("Idempotency-Key", wrong),))
    return text


def invalid_cursor() -> Rejected:
    """The refusal of a cursor that was not given out like this."""
    return Rejected("invalid_parameter", errors=(_error("cursor", _Wrong("invalid_cursor")),))


def _error(name: str, wrong: _Wrong) -> dict[str, object]:
    return {"parameter": name[:64], "code": wrong.code, "params": wrong.params}
