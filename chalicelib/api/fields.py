"""Strict marshmallow fields, for bodies and parameters alike: nothing is coerced, null is refused. Their errors are
codes with parameters (`problems.ERRORS`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, ClassVar

from marshmallow import RAISE, Schema, ValidationError, fields

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def fault(code: str, **params: object) -> list[Any]:
    """What is wrong with a value, as marshmallow carries it through: a key of `problems.ERRORS`, and its parameters."""
    return [{"code": code, "params": params}]


class Value(fields.Field[Any]):
    """A member of a body, or a parameter. `expected` is its type in JSON."""

    expected = ""

    def __init__(self, **kwargs: Any) -> None:
        wrong = fault("wrong_type", expected=self.expected)
        super().__init__(error_messages={"required": fault("required"), "null": wrong, "invalid": wrong}, **kwargs)

    def check(self, value: Any) -> Any:
        """What the value stands for, or `ValidationError`."""
        raise NotImplementedError

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Any:
        return self.check(value)


class Text(Value):
    """A text. `component` names the schema in the contract, for a text of the game with a pattern of its own."""

    expected = "string"

    def __init__(
        self,
        *,
        pattern: str | None = None,
        longest: int | None = None,
        read: Callable[[str], Any] | None = None,
        component: str | None = None,
        **kwargs: Any,
    ) -> None:
        """`pattern` is for the whole text; `read` makes the value of it, or raises ValueError if it is off."""
        super().__init__(**kwargs)
        self.pattern, self.longest, self.read, self.component = pattern, longest, read, component
        self._matches = re.compile(pattern.removeprefix("^").removesuffix("$")).fullmatch if pattern else None

    def check(self, value: Any) -> Any:
        if not isinstance(value, str):
            raise self.make_error("invalid")
        if self.longest is not None and len(value) > self.longest:
            raise ValidationError(fault("too_long", maximum=self.longest))
        if self._matches is not None and not self._matches(value):
            raise ValidationError(fault("wrong_format", pattern=self.pattern))
        return value if self.read is None else self.read(value)


class Whole(Value):
    """A whole number between two bounds. 3.0 is 3: JSON has one kind of number (RFC 8259 §6), as has JSON Schema."""

    expected = "integer"

    def __init__(self, *, minimum: int, maximum: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.minimum, self.maximum = minimum, maximum

    def check(self, value: Any) -> int:
        if type(value) is float and value.is_integer():
            value = int(value)
        if type(value) is not int:
            raise self.make_error("invalid")
        if not self.minimum <= value <= self.maximum:
            raise ValidationError(fault("out_of_range", minimum=self.minimum, maximum=self.maximum))
        return value


class Truth(Value):
    """true or false."""

    expected = "boolean"

    def check(self, value: Any) -> bool:
        if type(value) is not bool:
            raise self.make_error("invalid")
        return value


class Choice(Value):
    """One of some words; `component` is the enum's name in the contract."""

    expected = "string"

    def __init__(self, component: str, values: Mapping[str, Any], **kwargs: Any) -> None:
        """`values`: word → the value it stands for."""
        super().__init__(**kwargs)
        self.component, self.values = component, values

    def check(self, value: Any) -> Any:
        if not isinstance(value, str):
            raise self.make_error("invalid")
        if value not in self.values:
            raise ValidationError(fault("not_allowed", allowed=list(self.values)))
        return self.values[value]


class Body(Schema):
    """An object that knows its members, and refuses others."""

    class Meta:
        unknown = RAISE

    error_messages: ClassVar[dict[str, Any]] = {  # type: ignore[misc]  # marshmallow declares it on instances
        # Schemas put these in a list by themselves.
        "unknown": fault("unknown_field")[0],
        "type": fault("wrong_type", expected="object")[0],
    }

    @classmethod
    def read(cls, value: Any) -> Any:
        """The values of the members that are there."""
        return _instance(cls).load(value)


class OneOf:
    """A union of bodies, told apart by their `type`."""

    component: ClassVar[str]
    members: ClassVar[Mapping[str, type[Body]]]

    @classmethod
    def read(cls, value: Any) -> Any:
        """The value of the member that `type` says."""
        if not isinstance(value, dict):
            raise ValidationError({"_schema": fault("wrong_type", expected="object")})
        if "type" not in value:
            raise ValidationError({"type": fault("required")})
        name = value["type"]
        if not isinstance(name, str):
            raise ValidationError({"type": fault("wrong_type", expected="string")})
        member = cls.members.get(name)
        if member is None:
            raise ValidationError({"type": fault("not_allowed", allowed=list(cls.members))})
        return member.read(value)


class Either(Value):
    """A member that is one of a union."""

    expected = "object"

    def __init__(self, union: type[OneOf], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.union = union

    def check(self, value: Any) -> Any:
        return self.union.read(value)


class Part(fields.Nested):
    """A member that is an object of its own."""

    def __init__(self, nested: type[Body], **kwargs: Any) -> None:
        wrong = fault("wrong_type", expected="object")
        super().__init__(nested, error_messages={"required": fault("required"), "null": wrong, "type": wrong}, **kwargs)


_instances: dict[type[Body], Body] = {}


def _instance(schema: type[Body]) -> Body:
    """One instance a class: making one costs more than using it."""
    instance = _instances.get(schema)
    if instance is None:
        instance = _instances[schema] = schema()
    return instance
