"""Schemas of the contract, from marshmallow by apispec, with what it does not know: named enums and texts, objects told
apart by their `type`."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from marshmallow import Schema, fields

from chalicelib.api import schemas
from chalicelib.api.fields import Body, Choice, Either, OneOf, Part, Text, Truth, Whole
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
    """A field of requests as JSON Schema."""
    match field:
        case Choice(component=""):
            return {"type": "string", "const": next(iter(field.values))}
        case Choice() | Text(component=str()):
            return ref(str(field.component))
        case Text():
            more = {"pattern": field.pattern, "maxLength": field.longest}
            return {"type": "string"} | {name: value for name, value in more.items() if value}
        case Whole():
            return {"type": "integer", "minimum": field.minimum, "maximum": field.maximum}
        case Truth():
            return {"type": "boolean"}
        case Either():
            return ref(field.union.component)
        case Part():
            return ref(name_of(type(field.schema)))
    raise AssertionError(f"dev/contract/components.py: {type(field).__name__} is no kind of field it knows")


def _own_property(_converter: object, field: fields.Field[Any], ret: Json) -> Json:
    """What our own kinds of field add to, or put in place of, what apispec makes of them."""
    description = {"description": ret["description"]} if "description" in ret else {}
    match field:
        case Choice(component=""):
            ret.clear()
            return {"type": "string", "const": next(iter(field.values))}
        case Choice() | Text(component=str()):
            default = {"default": ret["default"]} if "default" in ret else {}
            ret.clear()
            return {**ref(str(field.component)), **description, **default}
        case Either():
            ret.clear()
            return {**ref(field.union.component), **description}
        case Text():
            pattern = {"pattern": field.pattern} if field.pattern else {}
            longest = {"maxLength": field.longest} if field.longest else {}
            return pattern | longest
        case Whole():
            return {"minimum": field.minimum, "maximum": field.maximum}
        case fields.Nested():
            nested = name_of(type(field.schema))
            ret.clear()
            return {**ref(nested), **description}
        case fields.List():
            ret.pop("additionalProperties", None)
            return {}
        case fields.Dict():
            ret["additionalProperties"] = True
            return {}
    return {}


def add_components(spec: APISpec, plugin: MarshmallowPlugin) -> None:
    """All named schemas."""
    if plugin.converter is None:
        raise AssertionError("the plugin belongs to a specification by now")
    plugin.converter.add_attribute_function(_own_property)  # type: ignore[no-untyped-call]  # as apispec has it
    for schema in (*answers.BY_NAME.values(), *_requests()):
        spec.components.schema(name_of(schema), schema=schema)
    made = spec.components.schemas
    for schema in (*answers.BY_NAME.values(), *_requests()):
        own = made[name_of(schema)]
        made[name_of(schema)] = {"type": "object", "description": prose(schema), **own}
    for union in unions():
        made[union.component] = _flat(union, made)
    for union in unions():
        for member in union.members.values():
            made.pop(member.__name__, None)
    for component, extra in _named(made):
        made.setdefault(component, extra)
    spec.components.schemas = dict(sorted(made.items()))


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


def _named(made: Mapping[str, Any]) -> Iterator[tuple[str, Json]]:
    """The enums and texts with names of their own, from the fields and parameters that use them."""
    for schema in (*answers.BY_NAME.values(), *_requests()):
        for field in _all_fields(schema()):
            if isinstance(field, Choice) and field.component:
                yield field.component, _enum(field.component, field.values)
            elif isinstance(field, Text) and field.component:
                text = {"type": "string", "pattern": field.pattern, "description": _said_of(field.component)}
                yield field.component, text
    for component, words in (("SeatName", schemas.SEAT_WORDS), ("MatchStatus", schemas.STATUS_WORDS)):
        yield component, _enum(component, words)


def _all_fields(schema: Schema) -> Iterator[fields.Field[Any]]:
    for field in schema.fields.values():
        yield field.inner if isinstance(field, fields.List) else field


def _enum(component: str, words: Mapping[str, object]) -> Json:
    return {"type": "string", "enum": list(words), "description": _said_of(component)}


def _said_of(component: str) -> str:
    if component not in PROSE:
        raise AssertionError(f"dev/contract/components.py: PROSE does not say what a {component} is")
    return PROSE[component]
