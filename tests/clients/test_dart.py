"""The Dart clients, by OpenAPI Generator's two generators for it. No Dart is to be had here: their code is read."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from tests.clients.answers import camel, contract, snake
from tests.clients.conftest import Client

OBJECTS: Mapping[str, set[str]] = {
    name: {camel(member) for member in schema.get("required", ())}
    for name, schema in contract()["components"]["schemas"].items()
    if schema["type"] == "object"
}
"""Schema → the members that must be there."""


@pytest.mark.parametrize("name", OBJECTS)
def test_only_what_is_required_is_demanded(client: Client, name: str) -> None:
    """A class of either client demands the contract's required members, no more: a move its type alone, not a number, a
    suit and a card together. What has no value is left out of a request."""
    text = (client("dart") / f"lib/model/{snake(name)}.dart").read_text()
    lists = set(re.findall(r"^    this\.(\w+) = const \[\],", text, re.MULTILINE))  # empty where they are not there
    assert OBJECTS[name] == lists | set(re.findall(r"^    required this\.(\w+),", text, re.MULTILINE))
    assert "] = null;" not in text
    dio = (client("dart-dio") / f"lib/src/model/{snake(name)}.dart").read_text()
    head = dio.partition(f"abstract class {name} ")[2].partition(f"  {name}._();")[0]
    demanded = {member for null, member in re.findall(r"^  [\w<>]+(\??) get (\w+);", head, re.MULTILINE) if not null}
    assert OBJECTS[name] == demanded
