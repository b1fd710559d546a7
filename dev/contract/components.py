"""Schemas of the contract: bodies from the schemas that check them, answers from the shapes that build them."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from chalicelib.api import present, present_deal, present_hint, present_people, present_sets, problems, schemas
from chalicelib.api.endpoints import about
from chalicelib.api.fields import Body, Choice, Either, OneOf, Part, Text, Truth, Whole
from chalicelib.api.shapes import SEAT_TEXT, SUIT_TEXT, Shape
from chalicelib.engine import AfterBank, Phase, Side
from chalicelib.match.model import Start, Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from marshmallow import fields

Json = dict[str, Any]

_ENUMS: Mapping[str, tuple[str, Iterable[str]]] = {
    "AfterBank": (
        "R1: does the trick after a bank start a new run (`fresh`), or may it bank at once (`streak`)?",
        AfterBank,
    ),
    "BotLevel": ("How well a bot plays, weakest first.", schemas.LEVELS),
    "DealPhase": ("Where a deal stands.", Phase),
    "MatchStatus": ("Where a match stands.", Status),
    "SeatName": ("A seat, in order of play. North and south are partners, east and west too.", SEAT_TEXT),
    "Side": ("A pair of partners: `ns` (north, south) or `ew` (east, west).", Side),
    "StartRule": ("Whether a match starts when its last seat is taken, or when the host says so.", Start),
    "Suit": ("Spades, hearts, diamonds, clubs.", SUIT_TEXT),
}
_TEXTS = {
    "Card": ("Rank, then suit: `AS`, `TH`, `2C`.", schemas.CARD),
    "ClientSeed": ("A player's part in the shuffle: up to 32 lowercase hexadecimal digits.", schemas.CLIENT_SEED),
}


def ref(name: str) -> Json:
    return {"$ref": f"#/components/schemas/{name}"}


def prose(thing: object) -> str:
    """A docstring as Markdown."""
    return inspect.getdoc(thing) or ""


def name_of(schema: type) -> str:
    """A schema's name in the contract."""
    return schema.component if issubclass(schema, OneOf) else schema.__name__


def schema_of(field: fields.Field[Any]) -> Json:
    """A field of requests as JSON Schema."""
    made: Json
    match field:
        case Choice(component=""):
            made = {"type": "string", "const": next(iter(field.values))}
        case Choice() | Text(component=str()):
            made = ref(str(field.component))
        case Text():
            made = {"type": "string", "pattern": field.pattern, "maxLength": field.longest}
        case Whole():
            made = {"type": "integer", "minimum": field.minimum, "maximum": field.maximum}
        case Truth():
            made = {"type": "boolean"}
        case Either():
            made = ref(field.union.component)
        case Part():
            made = ref(name_of(type(field.schema)))
        case _:
            raise AssertionError(f"dev/contract/components.py knows no field like {type(field).__name__}")
    return {name: value for name, value in {**made, **field.metadata}.items() if value is not None}


def _object(description: str, properties: Json, required: Iterable[str]) -> Json:
    made: Json = {"type": "object", "description": description, "properties": properties}
    return made | ({"required": names} if (names := sorted(required)) else {})


def _body(schema: type[Body]) -> Json:
    members = schema().fields
    properties = {name: schema_of(field) for name, field in members.items()}
    required = (name for name, field in members.items() if field.required)
    return _object(prose(schema), properties, required) | {"additionalProperties": False}


def _answer(shape: Shape) -> Json:
    properties = {member.name: member.kind.schema for member in shape.members}
    return _object(shape.description, properties, (member.name for member in shape.members if member.required))


def components() -> dict[str, Json]:
    """All named schemas."""
    bodies = {name_of(schema): _body(schema) for schema in _requests()}
    made = bodies | {union.component: _flat(union, bodies) for union in unions()}
    for union in unions():
        for member in union.members.values():
            made.pop(member.__name__, None)
    made |= {shape.name: _answer(shape) for shape in shapes()}
    for name, (description, words) in _ENUMS.items():
        made[name] = {"type": "string", "enum": list(words), "description": description}
    for name, (description, pattern) in _TEXTS.items():
        made[name] = {"type": "string", "pattern": pattern, "description": description}
    return made


def shapes() -> Iterator[Shape]:
    """What answers look like."""
    for module in (present, present_deal, present_hint, present_people, present_sets, problems, about):
        yield from (thing for name, thing in vars(module).items() if isinstance(thing, Shape) and name[0] != "_")


def _requests() -> list[type[Body]]:
    public = [
        thing
        for thing in vars(schemas).values()
        if inspect.isclass(thing) and issubclass(thing, Body) and thing is not Body and thing.__name__[0] != "_"
    ]
    return sorted(public, key=lambda schema: schema.__name__)


def unions() -> Iterator[type[OneOf]]:
    """The bodies of which `type` says what else belongs to them."""
    for thing in vars(schemas).values():
        if inspect.isclass(thing) and issubclass(thing, OneOf) and thing is not OneOf:
            yield thing


def _flat(union: type[OneOf], made: Mapping[str, Any]) -> Json:
    """A union as one flat object, since many generators stumble over `oneOf`: `type` says which of the others apply. No
    enum: those of Go and C++ put the words of all enums in one scope, where a `ser` clashes with another.
    """
    words = ", ".join(f"`{word}`" for word in union.members)
    pattern = f"^({'|'.join(union.members)})$"
    properties: Json = {"type": {"type": "string", "pattern": pattern, "description": f"One of {words}."}}
    lines, required = [prose(union), ""], []
    for word, member in union.members.items():
        own = made[member.__name__]
        names = [name for name in own["properties"] if name != "type"]
        for name in names:
            if properties.setdefault(name, own["properties"][name]) != own["properties"][name]:
                raise AssertionError(f"{union.component}: two types differ about {name}")
        listed = ", ".join(f"`{name}`" if name in own["required"] else f"perhaps `{name}`" for name in names)
        lines.append(f"* `{word}`{f' with {listed}' if names else ''}: {own['description']}")
        required.append(set(own["required"]))
    return {
        "type": "object",
        "description": "\n".join(lines),
        "properties": properties,
        "required": sorted(set.intersection(*required)),
        "additionalProperties": False,
    }
