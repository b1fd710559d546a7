"""Path and query parameters: texts of an address, checked by the same fields as the members of a body."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import unquote

from marshmallow import ValidationError

from chalicelib.api.fields import Choice, Text, Truth, Value, Whole, fault
from chalicelib.api.http import Rejected
from chalicelib.api.schemas import HOW_TYPED, ID, LONGEST_CODE, SEAT_WORDS, STATUS_WORDS
from chalicelib.match.model import MAX_DEALS, MOVES_OF_A_DEAL

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping


_IS_ID = re.compile(ID[1:-1]).fullmatch
LAST_MOVE = MAX_DEALS * MOVES_OF_A_DEAL
"""The highest move number there can be."""
LAST_VERSION = 2**31 - 1
EVENTS_AT_ONCE = 1000
MATCHES_AT_ONCE = 100
_IS_INTEGER = re.compile(r"0|-?[1-9][0-9]*").fullmatch
_BROKEN_ESCAPE = re.compile("%(?![0-9A-Fa-f]{2})")


def _whole(text: str) -> object:
    return int(text[:20]) if _IS_INTEGER(text) else text  # twenty digits are out of every range already


_IN_JSON: Mapping[type, Callable[[str], object]] = {
    Whole: _whole,
    Truth: lambda text: {"true": True, "false": False}.get(text, text),
}
"""What a text of an address is in JSON. One that is nothing stays a text, for the field to refuse."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter."""

    name: str
    description: str
    field: Value
    default: object = None

    def read(self, text: str) -> Any:
        """The value that a text stands for, or `ValidationError`."""
        return self.field.check(_IN_JSON.get(type(self.field), str)(text))


MATCH = Parameter("match_id", "The match's id.", Text(pattern=ID))
SET = Parameter("set_id", "The set's id.", Text(pattern=ID))
SESSION = Parameter("session_id", "The device's id, from `listSessions`.", Text(pattern=ID))
SEAT = Parameter("seat", "The seat.", Choice("SeatName", SEAT_WORDS))
MOVE_NUMBER = Parameter(
    "move_number", "The number of the move in the match: `next_move` of the view.", Whole(minimum=1, maximum=LAST_MOVE)
)
DEAL_NUMBER = Parameter("deal_number", "The deal's number in the match.", Whole(minimum=1, maximum=MAX_DEALS))
INVITE_CODE = Parameter("code", f"The invite code. {HOW_TYPED}", Text(longest=LONGEST_CODE))
AFTER = Parameter("after", "Only events with a higher version.", Whole(minimum=0, maximum=LAST_VERSION), 0)
EVENT_LIMIT = Parameter("limit", "At most this many events.", Whole(minimum=1, maximum=EVENTS_AT_ONCE), 200)
WITH_VIEW = Parameter("view", "Whether to answer with your view too, if there are new events.", Truth(), False)
WITH_TRICKS = Parameter("tricks", "Whether `deal` has all finished tricks, not only the last one.", Truth(), False)
MATCH_LIMIT = Parameter("limit", "At most this many matches.", Whole(minimum=1, maximum=MATCHES_AT_ONCE), 20)
STATUS = Parameter("status", "Only matches with this status.", Choice("MatchStatus", STATUS_WORDS))
CURSOR = Parameter("cursor", "`next_cursor` of the page before.", Text(longest=200))
KEY = Parameter("Idempotency-Key", "", Text(pattern=r"^[\x21-\x7e]{1,128}$"))


def read_path(known: tuple[Parameter, ...], given: Mapping[str, str]) -> dict[str, Any]:
    """The values of path parameters, which API Gateway passes on as they stand in the address: percent-encoded."""

    def read(parameter: Parameter) -> Any:
        return parameter.read(_decoded(given[parameter.name]))

    return _values((parameter.name, read, parameter) for parameter in known)


def read_query(known: tuple[Parameter, ...], given: Mapping[str, list[str]]) -> dict[str, Any]:
    """The values of query parameters, defaults included; None where there is neither."""
    by_name = {parameter.name: parameter for parameter in known}

    def read(name: str) -> Any:
        if name not in by_name:
            raise ValidationError(fault("unknown_parameter"))
        if len(given[name]) != 1:
            raise ValidationError(fault("repeated_parameter"))
        return by_name[name].read(given[name][0])

    defaults = {parameter.name: parameter.default for parameter in known}
    return defaults | _values((name, read, name) for name in given)


def read_key(text: str | None) -> str | None:
    """The Idempotency-Key."""
    return None if text is None else _values([(KEY.name, KEY.read, text)])[KEY.name]


def _values(reads: Iterable[tuple[str, Callable[[Any], Any], Any]]) -> dict[str, Any]:
    """Name → value, of (name, function, argument); `Rejected` with all that is wrong."""
    values: dict[str, Any] = {}
    errors: list[dict[str, object]] = []
    for name, read, argument in reads:
        try:
            values[name] = read(argument)
        except ValidationError as wrong:
            errors += ({"parameter": name[:64], **error} for error in cast("list[dict[str, object]]", wrong.messages))
    if errors:
        raise Rejected("invalid_parameter", errors=tuple(errors))
    return values


def match_id_in(given: Mapping[str, str]) -> str | None:
    """The match's id among a path's parameters, if there is one that is well formed."""
    try:
        text = _decoded(given.get(MATCH.name, ""))
    except ValidationError:
        return None
    return text if _IS_ID(text) else None


def invalid_cursor() -> Rejected:
    """The refusal of a cursor that was not given out like this."""
    return Rejected("invalid_parameter", errors=({"parameter": CURSOR.name, **fault("invalid_cursor")[0]},))


def _decoded(text: str) -> str:
    """A segment of a path without its percent-encoding (RFC 3986 §2.1). Decoding twice is safe: no value has a `%`."""
    if "%" not in text:
        return text
    try:
        if not _BROKEN_ESCAPE.search(text):
            return unquote(text, errors="strict")
    except UnicodeDecodeError:
        pass
    raise ValidationError(fault("invalid_escape"))
