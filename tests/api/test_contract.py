"""The contract: as the code has it, valid, with valid examples, and nothing in it that a client would trip over."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from openapi_schema_validator import OAS31Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

from chalicelib import bots
from chalicelib.api.problems import ERRORS, PROBLEMS
from chalicelib.api.routes import ROUTES
from chalicelib.api.schemas import LEVELS
from chalicelib.service import errors as failures
from dev.contract.components import unions
from dev.openapi import written
from tests.api.client import document

ROOT = Path(__file__).resolve().parents[2]
FAILURES = "Malformed", "Unauthorized", "Forbidden", "NotFound", "WrongState", "Refused", "TooMany", "TryAgain"
STATUSES = dict(zip(FAILURES, (400, 401, 403, 404, 409, 422, 429, 503), strict=True))
OPERATIONS = [
    (path, method, operation) for path, methods in document()["paths"].items() for method, operation in methods.items()
]


def every(part: Any, name: str) -> Iterator[Any]:
    """The values of all members of this name, however deep."""
    if isinstance(part, dict):
        for key, value in part.items():
            if key == name:
                yield value
            yield from every(value, name)
    elif isinstance(part, list):
        for value in part:
            yield from every(value, name)


def schemas_of(operation: Any) -> Iterator[tuple[Any, Any]]:
    """(schema, example) of everything the operation takes and answers."""
    contents = list(every(operation, "content"))
    for content in contents:
        for media in content.values():
            assert media["examples"], operation["operationId"]
            for example in media["examples"].values():
                if "$ref" in example:
                    example = document()["components"]["examples"][example["$ref"].rpartition("/")[2]]
                yield media["schema"], example["value"]


def test_what_is_written_is_what_the_code_has() -> None:
    """openapi.yaml, openapi.json and docs/errors.md are as `make openapi` writes them."""
    for path, content in written().items():
        assert path.read_text(encoding="utf-8") == content, f"{path.name} is stale: make openapi"


def test_it_is_an_openapi_document() -> None:
    """By the official schema, and by its references."""
    assert [] == list(OpenAPIV31SpecValidator(document()).iter_errors())


@pytest.mark.parametrize(("path", "method", "operation"), OPERATIONS, ids=lambda value: str(value)[:30])
def test_every_example_is_valid(path: str, method: str, operation: Any) -> None:
    """Each request and answer of each operation has at least one example, and it fits the schema."""
    for schema, example in schemas_of(operation):
        whole = {"components": document()["components"], **schema}
        assert [] == [error.message for error in OAS31Validator(whole).iter_errors(example)]


def test_every_route_is_told() -> None:
    """Method, path, operation and tag, and nothing beside."""
    told = {(method.upper(), path, each["operationId"], *each["tags"]) for path, method, each in OPERATIONS}
    assert {(route.method, route.path, route.operation_id, route.tag) for route in ROUTES} == told
    assert len(ROUTES) == len({route.operation_id for route in ROUTES})


def test_names_that_generated_clients_can_keep() -> None:
    """operationIds are verb and noun; no schema has the name of something in Swift or Kotlin."""
    verbs = r"(create|get|list|update|delete|take|leave|start|make|enter|export)[A-Z][A-Za-z]+"
    assert all(re.fullmatch(verbs, route.operation_id) for route in ROUTES)
    taken = {
        *[
            "Call",
            "Pair",
            "Result",
            "Error",
            "Type",
            "Any",
            "Array",
            "Set",
            "Map",
            "List",
            "String",
            "Int",
            "Data",
            "Export",
        ]
    }
    assert not taken & set(document()["components"]["schemas"])


def test_the_introduction_is_short() -> None:
    """Generators put it at the head of every file; what else there is to say goes with the tags."""
    assert len(document()["info"]["description"]) < 400
    assert all(tag["description"] for tag in document()["tags"])
    assert {route.tag for route in ROUTES} == {tag["name"] for tag in document()["tags"]}


def test_every_header_has_an_example() -> None:
    """A mock server has nothing to send for a header without one."""
    headers = document()["components"]["headers"]
    assert headers and all(header["example"] for header in headers.values())
    used = [header for each in every(document()["paths"], "headers") for header in each.values()]
    assert used and all(list(header) == ["$ref"] for header in used)


def test_enums_have_names_and_share_no_word() -> None:
    """No enum stands inside another schema, and none is of cards, or of what answers may have more of some day."""
    named = [schema["enum"] for schema in document()["components"]["schemas"].values() if "enum" in schema]
    assert len(named) == len(list(every(document(), "enum")))
    assert not [enum for enum in named if {"AS", "match_created", "invited"} & set(enum)]
    words = [word for enum in named for word in enum]
    assert sorted(set(words)) == sorted(words)


def test_answers_have_no_null_and_are_open() -> None:
    """Nothing in an answer may be null, and no answer forbids members to come."""
    assert "null" not in str(list(every(document(), "type")))
    requests = {
        name for _, _, each in OPERATIONS for name in re.findall(r"schemas/(\w+)", str(each.get("requestBody")))
    }
    for name, schema in document()["components"]["schemas"].items():
        if schema.get("additionalProperties") is False:
            assert name in requests or name in ("SeatSetup", "SeatSetups"), name


def test_there_are_no_unions() -> None:
    """No schema is one of several: over unions many generators stumble."""
    for word in ("oneOf", "anyOf", "allOf", "discriminator", "const", "not", "if"):
        assert not list(every(document()["components"]["schemas"], word)), word
    schemas = document()["components"]["schemas"]
    for union in unions():
        flat = schemas[union.component]
        assert f"^({'|'.join(union.members)})$" == flat["properties"]["type"]["pattern"]
        for word, member in union.members.items():
            fields = member().fields
            assert set(fields) <= set(flat["properties"])
            line = re.search(rf"^\* `{word}`(.*?): ", flat["description"], re.MULTILINE)
            assert line is not None and set(fields) - {"type"} == set(re.findall(r"`(\w+)`", line[1]))
        assert "type" in flat["required"]


def test_the_levels_that_are_promised_are_there() -> None:
    """BotLevel lists what the bots can do."""
    assert bots.LEVELS == LEVELS


def raised() -> Iterator[tuple[str, int, str, set[str], type[failures.Failure]]]:
    """Where the service raises a failure: (file, line, code, names of parameters, class)."""
    for source in sorted((ROOT / "chalicelib" / "service").rglob("*.py")):
        for node in ast.walk(ast.parse(source.read_text())):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
                continue
            kind = getattr(failures, node.func.id, None)
            if not (isinstance(kind, type) and issubclass(kind, failures.Failure)):
                continue
            names = {keyword.arg for keyword in node.keywords if keyword.arg is not None}
            for code in _codes(node.args[0]):
                yield source.name, node.lineno, code, names, kind


def _codes(argument: ast.expr) -> list[str]:
    return [each.value for each in ast.walk(argument) if isinstance(each, ast.Constant) and isinstance(each.value, str)]


def test_every_failure_of_the_service_is_in_the_table() -> None:
    """Code, status and parameters of whatever a use case raises are those of the table of problems."""
    found = list(raised())
    assert len(found) > 30
    for file, line, code, names, kind in found:
        if code in ERRORS:  # told as an entry of `errors`
            assert set(ERRORS[code].params) == names, (file, line)
            continue
        assert code in PROBLEMS, f"chalicelib/api/problems.py has no {code}, which {file}:{line} raises"
        assert STATUSES[kind.__name__] == PROBLEMS[code].status, (file, line)
        own = {"retry_after_seconds"} if kind in (failures.TryAgain, failures.TooMany) else set()
        assert set(PROBLEMS[code].detail.params) == names | own, (file, line, code)


def test_every_problem_can_happen() -> None:
    """What no operation, nor the gateway, answers with is not in the table."""
    told = {code for _, _, operation in OPERATIONS for codes in every(operation, "x-codes") for code in codes}
    gateway = {"bad_request", "route_not_found", "method_not_allowed", "forbidden"}
    assert set(PROBLEMS) == told | gateway
    assert not told & gateway
