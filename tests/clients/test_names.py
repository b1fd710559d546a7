"""Generated code keeps the contract's names: a type is a schema, a member is a property, a function an operation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from chalicelib.api.problems import ERRORS, PROBLEMS
from dev.clients.generate import EXPLAINED, LANGUAGES, log, unexplained
from tests.clients.answers import camel, contract, operations, snake
from tests.clients.conftest import Client

MADE = ["python", "kotlin", "swift"]
PLACES = {
    "python": ("do_dooni_client/models", "do_dooni_client/api", "*_api.py"),
    "kotlin": ("src/main/kotlin/dodooni/models", "src/main/kotlin/dodooni/apis", "*.kt"),
    "swift": ("Sources/DoDooni/Models", "Sources/DoDooni/APIs", "*.swift"),
}
FUNCTION = {"python": r"    def (\w+)\(", "kotlin": r"suspend fun (\w+)\(", "swift": r"class func (\w+)\("}
AIDS = r"_.*|.*_with_http_info|.*_without_preload_content|.*WithRequestBuilder"
"""Functions that the generators add to each operation's own."""
PROSE = re.compile(r"/\*.*?\*/|\"\"\".*?\"\"\"|//[^\n]*|#[^\n]*", re.DOTALL)
RENAMED = {
    "python": r"\b([a-z]\w*_|(?:model|param|var)_\w+)(?=: )",
    "kotlin": r"(`\w+`|\b_\w+|\b\w+_)(?=: )",
    "swift": r"(`\w+`|\b_\w+|\b\w+_)(?=: )",
}


def models(client: Client, language: str) -> list[Path]:
    folder = client(language) / PLACES[language][0]
    return [path for path in folder.iterdir() if path.is_file()]


@pytest.mark.parametrize("language", MADE)
def test_types_are_schemas(client: Client, language: str) -> None:
    """There is a type for every schema that is more than a text, and no other: no InlineObject, no Response200."""
    schemas = contract()["components"]["schemas"]
    named = {name for name, schema in schemas.items() if "enum" in schema or schema.get("type") != "string"}
    names = {path.stem for path in models(client, language)} - {"__init__"}
    assert {snake(name) if language == "python" else name for name in named} == names


@pytest.mark.parametrize("language", MADE)
def test_functions_are_operations(client: Client, language: str) -> None:
    """There is a function for every operation that answers JSON, under its own name."""
    _, place, pattern = PLACES[language]
    told = "\n".join(path.read_text() for path in (client(language) / place).glob(pattern))
    found = {name for name in re.findall(FUNCTION[language], told) if not re.fullmatch(AIDS, name)}
    assert {snake(name) if language == "python" else name for name in operations()} == found


@pytest.mark.parametrize("language", MADE)
def test_members_are_properties(client: Client, language: str) -> None:
    """A member is called as the contract calls it, in the language's own way of writing."""
    found = {member for path in models(client, language) for member in members(language, path.read_text())}
    assert ("legal_moves", "legal_moves" if language == "python" else "legalMoves") in found
    kept = {wire: wire if language == "python" else camel(wire) for wire, _ in found}
    assert {(wire, name) for wire, name in found if kept[wire] != name} == set()


def members(language: str, text: str) -> Iterator[tuple[str, str]]:
    """Every member of a generated model: its name in JSON, and its name in the code."""
    match language:
        case "kotlin":
            yield from re.findall(r'@SerialName\(value = "(\w+)"\)\s+val (`?\w+`?):', text)
        case "swift":
            for keys in re.findall(r"enum CodingKeys.*?\n    }", text, re.DOTALL):
                yield from ((wire or name, name) for name, wire in re.findall(r'case (`?\w+`?)(?: = "(\w+)")?', keys))
        case "python":
            for properties in re.findall(r"__properties: ClassVar\[List\[str\]\] = \[(.*?)\]", text):
                for wire in re.findall(r'"(\w+)"', properties):
                    alias = re.search(rf'^    (\w+): .*alias="{wire}"', text, re.MULTILINE)
                    yield wire, alias[1] if alias else wire


@pytest.mark.parametrize("language", MADE)
def test_nothing_else_is_renamed(client: Client, language: str) -> None:
    """No name in models and operations is escaped or has an underscore hung on."""
    _, place, pattern = PLACES[language]
    files = [*models(client, language), *(client(language) / place).glob(pattern)]
    code = "\n".join(PROSE.sub("", path.read_text()) for path in files)
    assert set(re.findall(RENAMED[language], code)) - {"model_config"} == set()


def test_every_warning_is_explained(client: Client) -> None:
    """The generators warned of nothing that nobody has looked into; what is explained is still said, and a line that
    warns of something else is found."""
    told = "\n".join(log(client(language)) for language in LANGUAGES)
    assert [] == unexplained(told)
    assert [] == [words for words in EXPLAINED if words not in told]
    new = "[main] WARN  o.o.c.DefaultCodegen - Move_1 is renamed"
    assert [new] == unexplained(f"[main] INFO  writing file\n{new}\n")


def test_the_seat_of_a_path_is_typed(client: Client) -> None:
    """The one warning about a schema's name costs nothing: the parameter has its named type."""
    assert "seat: SeatName" in (client("kotlin") / "src/main/kotlin/dodooni/apis/SeatsApi.kt").read_text()


PARAMS = {
    "ProblemParams": [kind.detail.params for kind in PROBLEMS.values()],
    "DetailParams": [kind.params for kind in ERRORS.values()],
}


@pytest.mark.parametrize("schema", PARAMS)
def test_every_parameter_has_a_member(schema: str) -> None:
    """A client finds every parameter of a problem among the typed members of `params`, and no other is there."""
    named = {name for params in PARAMS[schema] for name in params}
    assert named == set(contract()["components"]["schemas"][schema]["properties"])
