"""What answers look like, said once: a shape builds the JSON, and the contract is generated from the same table.

A member that is None is left out: no member is ever null.
"""

from __future__ import annotations

import functools
import time
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from chalicelib.engine import CARDS, HIGHEST_CALL, MOVES, SEATS, SUITS, Call, Pass, Play, Ser
from chalicelib.match.model import MAX_DEALS

if TYPE_CHECKING:
    from collections.abc import Callable

    from chalicelib.engine import Move

Json = dict[str, Any]

LOTS = 2**31 - 1
MOST_POINTS = 2 * HIGHEST_CALL * MAX_DEALS
SEAT_TEXT = [seat.text for seat in SEATS]
SUIT_TEXT = [suit.text for suit in SUITS]
CARD_TEXT = [str(card) for card in CARDS]


def _move_body(move: Move) -> Json:
    match move:
        case Call():
            return {"type": "call", "number": move.number}
        case Pass():
            return {"type": "pass"}
        case Ser():
            return {"type": "ser", "suit": move.suit.text}
        case Play():
            return {"type": "play", "card": str(move.card)}


MOVE_BODY = tuple(_move_body(move) for move in MOVES)
"""By code: the body that makes the move."""


@functools.lru_cache(maxsize=256)
def rfc3339(at: int) -> str:
    """Seconds since the epoch, in UTC."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(at))


class Kind(NamedTuple):
    """A kind of value: its JSON Schema, and what makes JSON of it (None: it is JSON already)."""

    schema: Json
    convert: Callable[[Any], Any] | None = None


class Member(NamedTuple):
    name: str
    kind: Kind
    of: str | int | Callable[[Any], Any]
    """Where its value is: an attribute's path, an item's number, or a function of the whole."""
    required: bool


class Shape:
    """An object of answers: call it with a value to have its JSON. Apps ignore members that they do not know."""

    def __init__(self, name: str, description: str, *members: Member) -> None:
        self.name, self.description, self.members = name, description, members
        self._parts = tuple((member.name, _getter(member.of), member.kind.convert) for member in members)

    def __call__(self, value: Any) -> Json:
        shown: Json = {}
        for name, get, convert in self._parts:
            member = get(value)
            if member is not None:
                shown[name] = member if convert is None else convert(member)
        return shown

    def without(self, name: str) -> Shape:
        """The same, but for one member."""
        return Shape(self.name, self.description, *(member for member in self.members if member.name != name))


def _getter(of: str | int | Callable[[Any], Any]) -> Callable[[Any], Any]:
    return attrgetter(of) if isinstance(of, str) else itemgetter(of) if isinstance(of, int) else of


def always(name: str, kind: Kind, of: str | int | Callable[[Any], Any] = "") -> Member:
    """A member that is always there; `of` is the attribute of its name, unless it is said otherwise."""
    return Member(name, kind, name if of == "" else of, required=True)


def perhaps(name: str, kind: Kind, of: str | int | Callable[[Any], Any] = "") -> Member:
    """A member that may be left out."""
    return always(name, kind, of)._replace(required=False)


def item(name: str) -> Callable[[Any], Any]:
    """The item of a mapping, if it is there."""
    return lambda mapping: mapping.get(name)


# kinds of value -------------------------------------------------------------------------------------------------------


def _kind(description: str, convert: Callable[[Any], Any] | None = None, /, **schema: Any) -> Kind:
    return Kind(schema | ({"description": description} if description else {}), convert)


def _ref(component: str) -> str:
    return f"#/components/schemas/{component}"


def text(description: str = "", **schema: Any) -> Kind:
    return _kind(description, type="string", **schema)


def known(description: str, *words: str) -> Kind:
    """A word of a list that may grow: an app must get along with one that it does not know."""
    listed = ", ".join(f"`{word}`" for word in words)
    return text(f"{description} One of {listed}; more may be added.")


def whole(description: str = "", minimum: int = 0, maximum: int = LOTS) -> Kind:
    return _kind(description, type="integer", minimum=minimum, maximum=maximum)


def points(description: str = "") -> Kind:
    """A score, which may be negative."""
    return whole(description, -MOST_POINTS, MOST_POINTS)


def seconds(description: str) -> Kind:
    """A time span that may be a part of a second."""
    return _kind(description, type="number", format="double", minimum=0)


def truth(description: str = "") -> Kind:
    return _kind(description, type="boolean")


def moment(description: str = "") -> Kind:
    return Kind(text(description, format="date-time").schema, rfc3339)


def hexadecimal(description: str = "") -> Kind:
    return text(description, pattern="^[0-9a-f]{64}$")


def word(component: str, description: str = "") -> Kind:
    """A word of the contract's enum, or a text with a pattern of its own, of this name."""
    return _kind(description, **{"$ref": _ref(component)})


def seat_name(description: str = "") -> Kind:
    return Kind(word("SeatName", description).schema, SEAT_TEXT.__getitem__)


def suit(description: str = "") -> Kind:
    return Kind(word("Suit", description).schema, SUIT_TEXT.__getitem__)


def card() -> Kind:
    return Kind(word("Card").schema, lambda card: CARD_TEXT[card.index])


def move(description: str = "") -> Kind:
    return Kind(word("Move", description).schema, lambda move: MOVE_BODY[move.code])


def part(shape: Shape, description: str = "") -> Kind:
    return Kind(word(shape.name, description).schema, shape)


def many(kind: Kind, description: str = "") -> Kind:
    convert = kind.convert
    schema = _kind(description, type="array", items=kind.schema).schema
    return Kind(schema, None if convert is None else lambda values: [convert(value) for value in values])


def each(shape: Shape, description: str = "") -> Kind:
    return many(part(shape), description)
