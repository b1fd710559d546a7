"""The kinds of member that answers have."""

from __future__ import annotations

from typing import Any

from marshmallow import EXCLUDE, Schema, fields

from chalicelib.api.fields import Choice, Text, Truth, Whole
from chalicelib.api.schemas import CARD, CLIENT_SEED, SEAT_WORDS, STATUS_WORDS
from chalicelib.engine import HIGHEST_CALL, SUITS, AfterBank, Phase, Side
from chalicelib.match.model import MAX_DEALS, Start

LOTS = 2**31 - 1
MOST_POINTS = 2 * HIGHEST_CALL * MAX_DEALS


class Answer(Schema):
    """An object that may have more members than these."""

    class Meta:
        unknown = EXCLUDE


def _about(description: str | None, extra: dict[str, Any]) -> dict[str, Any]:
    extra.setdefault("required", True)
    metadata = extra.pop("metadata", {})
    return {"metadata": metadata | ({"description": description} if description else {}), **extra}


def text(description: str | None = None, pattern: str | None = None, **extra: Any) -> Text:
    return Text(pattern=pattern, **_about(description, extra))


def known(description: str, *words: str, **extra: Any) -> Text:
    """A word of a list that may grow: an app must get along with one it does not know."""
    listed = ", ".join(f"`{word}`" for word in words)
    return text(f"{description} One of {listed}; there may be more some day.", **extra)


def whole(description: str | None = None, minimum: int = 0, maximum: int = LOTS, **extra: Any) -> Whole:
    return Whole(minimum=minimum, maximum=maximum, **_about(description, extra))


def points(description: str | None = None, **extra: Any) -> Whole:
    """A score, which may be below nought."""
    return whole(description, -MOST_POINTS, MOST_POINTS, **extra)


def seconds(description: str) -> fields.Float:
    """A time span that may be a part of a second."""
    return fields.Float(required=True, metadata={"description": description, "format": "double", "minimum": 0})


def truth(description: str | None = None, **extra: Any) -> Truth:
    return Truth(**_about(description, extra))


def moment(description: str | None = None, **extra: Any) -> Text:
    return text(description, metadata={"format": "date-time"}, **extra)


def seat_name(description: str | None = None, **extra: Any) -> Choice:
    return Choice("SeatName", SEAT_WORDS, **_about(description, extra))


def side(description: str | None = None, **extra: Any) -> Choice:
    return Choice("Side", {word.value: word for word in Side}, **_about(description, extra))


def suit(description: str | None = None, **extra: Any) -> Choice:
    return Choice("Suit", {word.text: word for word in SUITS}, **_about(description, extra))


def card(**extra: Any) -> Text:
    return Text(pattern=CARD, component="Card", **_about(None, extra))


def seed(description: str | None = None, **extra: Any) -> Text:
    return Text(pattern=CLIENT_SEED, component="ClientSeed", **_about(description, extra))


def after_bank() -> Choice:
    return Choice("AfterBank", {word.value: word for word in AfterBank}, required=True)


def start() -> Choice:
    return Choice("StartRule", {word.value: word for word in Start}, required=True)


def phase(description: str | None = None) -> Choice:
    return Choice("DealPhase", {word.value: word for word in Phase}, **_about(description, {}))


def status(**extra: Any) -> Choice:
    return Choice("MatchStatus", STATUS_WORDS, **_about(None, extra))


def part(schema: type[Answer], description: str | None = None, **extra: Any) -> fields.Nested:
    return fields.Nested(schema, **_about(description, extra))


def each(schema: type[Answer], description: str | None = None, **extra: Any) -> fields.List[Any]:
    return many(fields.Nested(schema), description, **extra)


def many(inner: Any, description: str | None = None, **extra: Any) -> fields.List[Any]:
    return fields.List(inner, **_about(description, extra))


def hexadecimal(description: str, **extra: Any) -> Text:
    return text(description, "^[0-9a-f]{64}$", **extra)
