"""What a change must not leave out (docs/changing.md): each step that is missing is named."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import pytest

from chalicelib.api.routes import ROUTES
from chalicelib.api.schemas import Profile
from chalicelib.match.event_types import EVENT_TYPES
from tests.api.client import Client, document

SETTINGS: dict[str, Any] = {"name": "Bela", "locale": "pa-Guru-IN"}
"""A value of each setting that a player has, other than it is at first."""
QUERIES = [(route, parameter.name) for route in ROUTES for parameter in route.query]
SOURCES = {
    path: path.read_text(encoding="utf-8")
    for folder in ("engine", "match", "service")
    for path in (Path(__file__).resolve().parents[2] / "chalicelib" / folder).rglob("*.py")
    if path.name != "event_types.py"
}


@pytest.mark.parametrize("setting", Profile().fields)
def test_every_setting_is_kept_shown_and_exported(asha: Client, setting: str) -> None:
    """A player changes it, sees it, and finds it among all that is kept about them."""
    assert setting in SETTINGS, f"tests/api/test_left_out.py: SETTINGS has no {setting}"
    changed = {setting: SETTINGS[setting]}
    assert changed.items() <= asha.ok("PATCH", "/me", changed).items(), f"PATCH /me does not show {setting}"
    assert changed.items() <= asha.ok("GET", "/me").items(), f"{setting} is not stored"
    assert changed.items() <= asha.ok("GET", "/me/export")["player"].items(), f"the export leaves {setting} out"


@pytest.mark.parametrize(("route", "name"), QUERIES, ids=[f"{route.operation_id}-{name}" for route, name in QUERIES])
def test_every_parameter_is_looked_at(route: Any, name: str) -> None:
    """What the contract lets a caller ask for, the endpoint reads."""
    assert f'"{name}"' in inspect.getsource(route.endpoint), f"{route.endpoint.__name__} does not read {name}"


@pytest.mark.parametrize("kind", EVENT_TYPES)
def test_every_type_of_event_happens_and_is_told(kind: str) -> None:
    """Something makes it, and each of its members is in the contract's `Event`."""
    assert any(f'"{kind}"' in source for source in SOURCES.values()), f"nothing makes {kind} happen"
    members = document()["components"]["schemas"]["Event"]["properties"]
    told = {*EVENT_TYPES[kind].always, *EVENT_TYPES[kind].perhaps}
    assert told <= members.keys(), f"chalicelib/api/present.py: EVENT has no {sorted(told - members.keys())}"
