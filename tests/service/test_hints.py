"""Hints: only on my turn, only from my view, and only where the table allows them."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from chalicelib.service.errors import Failure, Forbidden, NotFound, Refused, WrongState
from chalicelib.service.play.hints import hint
from tests.service.people import NORTH, Hall, four_at_cards, play_on


def test_a_hint_is_a_legal_move_with_its_reason(hall: Hall) -> None:
    """The one whose turn it is gets a move of its own, the same one however often it asks; asking changes nothing."""
    people = hall.guests(*"ABCD")
    view = four_at_cards(people, deals=1)
    for _ in range(12):
        match, turn = hall.match(view.id), hall.turn(view.id)
        told = hint(hall.services, people[turn].id, view.id)
        assert told.move in hall.deal(view.id).legal_moves()
        assert (told, match) == (hint(hall.services, people[turn].id, view.id), hall.match(view.id))
        assert told.code and told.text.endswith(".")
        people[turn].put(view.id, people[turn].read(view.id).next_move, told.move)


def test_who_gets_none(hall: Hall) -> None:
    """Whoever is not to move, is not seated, or does not know the match; and before the start and after the end."""
    people = hall.guests(*"ABCD")
    view = four_at_cards(people, spectators=True)
    turn = hall.turn(view.id)
    watcher, host = hall.guests("W", "H")
    waiting = host.open_table().view
    left, over = host.create().view, host.create(deals=1).view
    host.leave(left.id, NORTH)
    play_on((host,), over.id)
    cases: Mapping[tuple[str, str], tuple[type[Failure], str]] = {
        (people[turn.next].id, view.id): (Refused, "not_your_turn"),
        (watcher.id, view.id): (Forbidden, "not_seated"),
        (watcher.id, waiting.id): (NotFound, "match_not_found"),
        (host.id, waiting.id): (WrongState, "match_not_started"),
        (host.id, left.id): (Forbidden, "not_seated"),
        (host.id, over.id): (WrongState, "match_over"),
    }
    for (caller, match_id), (kind, code) in cases.items():
        with pytest.raises(kind) as refusal:
            hint(hall.services, caller, match_id)
        assert code == refusal.value.code


def test_a_table_without_hints(hall: Hall) -> None:
    """A table can switch them off."""
    host = hall.guest()
    view = host.create(hints=False).view
    with pytest.raises(Refused) as refusal:
        hint(hall.services, host.id, view.id)
    assert "hints_off" == refusal.value.code
    assert refusal.value.current is not None
