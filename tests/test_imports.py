"""The rooms of chalicelib know each other one way only: api → service → match → bots → engine; store → match and the
service's ports. And each foreign library lives in one room."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

# Room → the rooms it may import, itself aside. `store` sees of the service only its ports.
ROOMS: dict[str, set[str]] = {
    "engine": set(),
    "bots": {"engine"},
    "match": {"engine", "bots"},
    "service": {"engine", "bots", "match"},
    "store": {"engine", "match", "service"},
    "api": {"engine", "match", "service"},
}
SERVICE_PORTS = {"chalicelib.service.ports"}
FOREIGN: dict[str, set[str]] = {
    "chalice": {"api"},
    "marshmallow": {"api"},
    "jwt": {"api"},
    "pynamodb": {"store"},
    "botocore": {"store", "api"},
}


def files() -> list[Path]:
    return sorted((ROOT / "chalicelib").rglob("*.py"))


def imported(source: Path) -> Iterator[str]:
    """The full name of every module that a file imports, wherever in the file; `from a import b` gives a and a.b."""
    package = source.relative_to(ROOT).parent.parts
    for node in ast.walk(ast.parse(source.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*above, *([node.module] if node.module else [])])
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)


def broken_rules(source: Path) -> list[str]:
    """What a file imports and may not, in words."""
    room, where = source.relative_to(ROOT).parts[1], str(source.relative_to(ROOT))
    if room not in ROOMS:
        return [] if room == "__init__.py" else [f"{where}: {room} is no room of the services"]
    faults = []
    for name in imported(source):
        top, *rest = name.split(".")
        if top == "chalicelib" and rest:
            if rest[0] != room and rest[0] not in ROOMS[room]:
                faults.append(f"{room} may not know {rest[0]}: {where} imports {name}")
            elif room == "store" and rest[0] == "service" and not _is_a_port(name):
                faults.append(f"store may know the service's protocol only: {where} imports {name}")
        elif top not in sys.stdlib_module_names and top != "chalicelib" and room not in FOREIGN.get(top, set()):
            faults.append(f"{room} may not know {top}: {where} imports {name}")
    return faults


def _is_a_port(name: str) -> bool:
    return name == "chalicelib.service" or any(name == word or name.startswith(word + ".") for word in SERVICE_PORTS)


@pytest.mark.parametrize("source", files(), ids=lambda source: str(source.relative_to(ROOT)))
def test_imports_run_one_way(source: Path) -> None:
    """A file imports only the rooms and libraries that its own room may know."""
    assert [] == broken_rules(source)


def test_every_room_is_looked_at() -> None:
    """No room is left out because it moved."""
    assert set(ROOMS) == {folder.parent.name for folder in (ROOT / "chalicelib").glob("*/__init__.py")}


@pytest.mark.parametrize(
    ("room", "line"),
    [
        ("engine", "import random, chalice"),
        ("engine", "from ..match import model"),
        ("bots", "from chalicelib import store"),
        ("service", "import pynamodb.models"),
        ("store", "from chalicelib.service.play.moves import move"),
        ("api", "def late():\n    from chalicelib.store import Repository"),
    ],
)
def test_the_rule_sees_a_breach(room: str, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each kind of forbidden import is found, in whatever form it is written."""
    source = tmp_path / "chalicelib" / room / "breach.py"
    source.parent.mkdir(parents=True)
    source.write_text(line)
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path)

    assert 1 == len({fault.split(":")[0] for fault in broken_rules(source)})
