"""Each option of a table, from the request to the view: one that is left out anywhere on the way is named."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from chalicelib.api.fields import Choice, Truth, Whole
from chalicelib.api.schemas import MatchSetup
from chalicelib.match.model import Rules
from chalicelib.service.tables.matches import NewMatch
from tests.api.client import Client, Json, document

DERIVED = {"clock_by_default"}
"""What of the rules nobody asks for."""
OPTIONS = [field.name for field in fields(Rules) if field.name not in DERIVED]


def _asked(option: str) -> Any:
    """A value in a request, other than what the option is without."""
    field, default = MatchSetup().fields.get(option), getattr(NewMatch(), option, None)
    match field:
        case Truth():
            return not default
        case Choice():
            return next(word for word, value in field.values.items() if value != default)
        case Whole():
            return field.minimum if field.minimum != default else field.maximum
    raise AssertionError(f"chalicelib/api/schemas.py: MatchSetup has no {option} that a test could ask for")


def _shown(view: Json, option: str) -> Any:
    return view["rules"].get(option, view.get(option))


@pytest.mark.parametrize("option", OPTIONS)
def test_every_option_can_be_asked_for_and_is_kept(asha: Client, option: str) -> None:
    """The view of the new match, what a friend sees before joining, and what the store gives back show what was asked
    for. (One that is asked for, and shown as it is without, was lost on the way: `NewMatch`, `_new_table`, the packed
    match, `present.MATCH_RULES`.)"""
    asked = _asked(option)
    table = {"seats": {"north": {"type": "human"}}, option: asked}
    view = asha.ok("POST", "/matches", table)["match"]
    assert asked == _shown(view, option), f"{option} was asked for, and the answer shows another"
    assert asked == _shown(asha.ok("GET", f"/matches/{view['id']}"), option), f"{option} is not stored"
    if option in view["rules"]:
        friend = asha.guest("Bela").ok("GET", f"/invites/{view['invite']['code']}")
        assert asked == friend["rules"][option], f"{option} is not shown before joining"


@pytest.mark.parametrize("option", OPTIONS)
def test_every_option_is_in_the_contract(option: str) -> None:
    """Both in what is asked and in what is answered."""
    schemas = document()["components"]["schemas"]
    assert option in schemas["MatchSetup"]["properties"], "make openapi"
    shown = {**schemas["MatchRules"]["properties"], "spectators": ...}
    assert option in shown, "chalicelib/api/present.py: MATCH_RULES"


def test_a_rematch_keeps_every_option(asha: Client) -> None:
    """Playing again is playing by the same rules."""
    asked = {option: _asked(option) for option in OPTIONS} | {"deals": 1}
    view = asha.solo(**asked)
    if view["status"] == "waiting":
        view = asha.ok("POST", f"/matches/{view['id']}/start")["match"]
    while view["status"] == "playing":
        view = asha.move(view, view["you"]["legal_moves"][0]).body["match"]
    again = asha.ok("POST", f"/matches/{view['id']}/rematch")["match"]
    assert asked == {option: _shown(again, option) for option in OPTIONS}
