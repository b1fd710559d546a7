"""Schemas of the contract, from those of marshmallow."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from marshmallow import Schema, fields, missing

from chalicelib.api import schemas
from chalicelib.api.fields import Body, Choice, Either, OneOf, Text, Truth, Whole
from dev.contract import answers

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Json = dict[str, Any]

PROSE = {
    "AfterBank": "R1: does the trick after a bank start a new run (`fresh`), or may it bank at once (`streak`)?",
    "BotLevel": "How well a bot plays, weakest first.",
    "DealPhase": "Where a deal stands.",
    "MatchStatus": "Where a match stands.",
    "SeatName": "A seat, in order of play. North and south are partners, east and west too.",
    "Side": "A pair of partners: `ns` (north, south) or `ew` (east, west).",
    "StartRule": "Whether a match starts when its last seat is taken, or when the host says so.",
    "Suit": "Spades, hearts, diamonds, clubs.",
    "Card": "Rank, then suit: `AS`, `TH`, `2C`.",
    "ClientSeed": "A player's part in the shuffle: up to 32 lowercase hexadecimal digits.",
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
    """A field as JSON Schema, with its description and default."""
    made: Json
    if component := _component(field):
        made = ref(component)
    else:
        match field:
            case Choice():
                return {"type": "string", "const": next(iter(field.values))}
            case Text():
                made = {"type": "string", "pattern": field.pattern, "maxLength": field.longest}
            case Whole():
                made = {"type": "integer", "minimum": field.minimum, "maximum": field.maximum}
            case Truth():
                made = {"type": "boolean"}
            case fields.Float():
                made = {"type": "number"}
            case fields.List():
                made = {"type": "array", "items": schema_of(field.inner)}
            case fields.Dict():
                made = {"type": "object", "additionalProperties": True}
            case _:
                raise AssertionError(f"dev/contract/components.py knows no field like {type(field).__name__}")
    default = {} if field.load_default is missing else {"default": field.serialize("", {"": field.load_default})}
    return {name: value for name, value in (made | default | dict(field.metadata)).items() if value is not None}


def _component(field: fields.Field[Any]) -> str | None:
    """The name of the schema that a field refers to."""
    match field:
        case Choice() | Text():
            return field.component
        case Either():
            return field.union.component
        case fields.Nested():
            return name_of(type(field.schema))
    return None


def _object(schema: type[Schema]) -> Json:
    members = schema().fields
    made: Json = {
        "type": "object",
        "description": prose(schema),
        "properties": {name: schema_of(field) for name, field in members.items()},
    }
    if required := sorted(name for name, field in members.items() if field.required):
        made["required"] = required
    return made | ({"additionalProperties": False} if issubclass(schema, Body) else {})


def components() -> dict[str, Json]:
    """All named schemas."""
    made = {name_of(schema): _object(schema) for schema in _all_schemas()}
    made |= {union.component: _flat(union, made) for union in unions()}
    for union in unions():
        for member in union.members.values():
            made.pop(member.__name__, None)
    return made | dict(_named())


def _all_schemas() -> list[type[Schema]]:
    return [*answers.BY_NAME.values(), *_requests()]


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


def _named() -> Iterator[tuple[str, Json]]:
    """The enums and texts with names of their own, from the fields and parameters that use them."""
    for schema in _all_schemas():
        for field in schema().fields.values():
            inner = field.inner if isinstance(field, fields.List) else field
            if isinstance(inner, Choice) and inner.component:
                yield inner.component, _enum(inner.component, inner.values)
            elif isinstance(inner, Text) and inner.component:
                text = {"type": "string", "pattern": inner.pattern, "description": PROSE[inner.component]}
                yield inner.component, text
    for component, words in (("SeatName", schemas.SEAT_WORDS), ("MatchStatus", schemas.STATUS_WORDS)):
        yield component, _enum(component, words)


def _enum(component: str, words: Mapping[str, object]) -> Json:
    return {"type": "string", "enum": list(words), "description": PROSE[component]}
