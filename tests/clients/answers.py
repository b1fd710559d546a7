"""Recorded answers: the contract's examples, which the app answered in a small story. And one of the future."""

from __future__ import annotations

import copy
import functools
import re
from typing import Any

import yaml

from dev.clients.tools import CONTRACT

Json = dict[str, Any]


@functools.cache
def contract() -> Json:
    """The document."""
    return yaml.load(CONTRACT.read_text(encoding="utf-8"), yaml.CSafeLoader)  # type: ignore[no-any-return]


def snake(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


def camel(name: str) -> str:
    return re.sub(r"_([a-z])", lambda letter: letter[1].upper(), name)


def operations() -> dict[str, Json]:
    """operationId → operation."""
    return {each["operationId"]: each for path in contract()["paths"].values() for each in path.values()}


def recorded() -> list[Json]:
    """Every example of an answer with a JSON body, problems too, each with its schema's name."""
    found = []
    for operation in operations().values():
        for response in operation["responses"].values():
            for media, content in response.get("content", {}).items():
                if "json" in media:
                    schema = content["schema"]["$ref"].rpartition("/")[2]
                    found += [{"schema": schema, "value": value} for value in _values(content)]
    return found


def _values(content: Json) -> list[Any]:
    examples = [
        contract()["components"]["examples"][each["$ref"].rpartition("/")[2]] if "$ref" in each else each
        for each in content["examples"].values()
    ]
    return [example["value"] for example in examples]


def future() -> Json:
    """What a server of tomorrow may answer: an unknown event, an unknown kind of seat, new members everywhere."""
    update = copy.deepcopy(operations()["makeMove"]["responses"]["200"]["content"]["application/json"])
    told: Json = next(value for value in _values(update) if value["match"]["you"]["hand"])
    version, west = told["match"]["version"], {"at": told["events"][0]["at"], "seat": "west"}
    oracle = west | {"actor": "oracle"}
    told["events"] = [
        {"version": version + 1, "type": "toss", "coin": {"side": "heads"}, **west},
        {"version": version + 2, "type": "play", "move_number": 9, "card": "AS", "mood": "glad", **oracle},
    ]
    told["match"]["seats"][1] = {"seat": "east", "type": "hologram", "away": False, "left": False, "height": 1.7}
    you = told["match"]["you"]
    you["legal_moves"] = [{"type": "play", "card": card} for card in you["hand"]]
    told["match"] |= {"version": version + 2, "weather": {"sky": ["clear"]}}
    told["match"]["rules"]["tempo"] = "allegro"
    return told


TOLD = [None, "west plays AS"]
"""The lines that the guide's code has for the future's events."""
SEATS = ["human", "hologram", "human", "human"]
