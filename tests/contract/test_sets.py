"""Sets as stores keep them: made once, par in order, each entry counted once."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import pytest

from chalicelib.engine import AfterBank, DealResult, Seat, Side
from chalicelib.match.model import Change, Entry, Invite, Match, Rules, Start, Status
from chalicelib.match.sets import DealSet, SetResult, Source
from chalicelib.service.ports import SETS, Due, Lost, Store
from tests.contract import given
from tests.contract.given import NOW, RESULT, new_id

OTHER = DealResult(Side.NS, 7, 7, True, 7)


def new_set(**members: Any) -> DealSet:
    """One with something in every field."""
    plain = DealSet(
        id=new_id(),
        secret=bytes(range(32)),
        client_seed="c0ffee",
        rules=Rules(2, AfterBank.STREAK, 60, True, Start.BY_HOST, True, True, False),
        seat=Seat.EAST,
        line_up=("easy", None, "steady", "sharp"),
        edition=3,
        opens_at=NOW,
        closes_at=NOW + 1,
        runs_out_at=NOW + 2,
        day="2026-12-31",
        code=new_id()[:8],
        source=Source(new_id(), new_id()),
    )
    return replace(plain, **members)


def entry_of(store: Store, set_id: str, **members: Any) -> Match:
    """A finished entry that is scheduled to be counted."""
    match = given.match(status=Status.FINISHED, scheduled_at=NOW, entry=Entry(set_id), **members)
    return given.stored(store, match)


@pytest.mark.parametrize("name", [field.name for field in fields(DealSet) if field.name != "par"])
def test_every_field_is_kept(store: Store, name: str) -> None:
    """By itself, and among several."""
    deal_set = new_set()
    store.add_set(deal_set, NOW)
    for kept in (store.deal_set(deal_set.id), store.deal_sets([deal_set.id, new_id()])[deal_set.id]):
        assert getattr(deal_set, name) == getattr(kept, name)


def test_what_is_empty_is_empty_again(store: Store) -> None:
    """A daily has neither code nor source, a challenge neither day nor end."""
    for nothing in ({"code": "", "source": None}, {"day": "", "closes_at": None, "runs_out_at": None}):
        deal_set = new_set(client_seed="", **nothing)
        store.add_set(deal_set, NOW)
        assert deal_set == store.deal_set(deal_set.id)


def test_it_is_made_once(store: Store) -> None:
    """And no two have one code, whether it leads to a set or to a match."""
    deal_set, result = new_set(), SetResult(new_id(), 7)
    store.add_set(deal_set, NOW, result)
    match = given.match(invite=Invite(new_id()[:8], NOW + 9))
    store.save(Change(match, None, invite=match.invite))
    assert match.invite is not None
    for second in (new_set(id=deal_set.id), new_set(code=deal_set.code), new_set(code=match.invite.code)):
        with pytest.raises(Lost):
            store.add_set(second, NOW, result)
    assert (deal_set.id, None) == (store.set_of_code(deal_set.code), store.set_of_code("NOSUCHCD"))
    assert store.invited_to(deal_set.code, NOW) is None
    assert ({7: 1}, (result,)) == (store.histogram(deal_set.id), store.set_results(deal_set.id, 9))


def test_par_comes_deal_by_deal(store: Store) -> None:
    """Each once, until the sweep need not look any more."""
    deal_set = new_set()
    store.add_set(deal_set, NOW)
    assert Due(deal_set.id, NOW) in store.due(SETS, NOW, 1000)
    store.keep_par(deal_set, RESULT, NOW + 5)
    with pytest.raises(Lost):
        store.keep_par(deal_set, OTHER, NOW + 5)
    half = replace(deal_set, par=(RESULT,))
    assert half == store.deal_set(deal_set.id)
    assert deal_set.id not in {due.id for due in store.due(SETS, NOW + 4, 1000)}
    store.postpone_set(deal_set.id, NOW + 9)
    assert Due(deal_set.id, NOW + 9) in store.due(SETS, NOW + 9, 1000)
    store.keep_par(half, OTHER, None)
    store.postpone_set(deal_set.id, NOW)
    assert deal_set.id not in {due.id for due in store.due(SETS, NOW + 10**6, 1000)}
    assert replace(deal_set, par=(RESULT, OTHER)) == store.deal_set(deal_set.id)


def test_an_entry_is_counted_once(store: Store) -> None:
    """With the same write it is scheduled no more; scheduled again it is found to be counted."""
    set_id, player_id = new_id(), new_id()
    match = entry_of(store, set_id)
    store.fold(match, SetResult(player_id, -12))
    counted = store.match(match.id)
    assert counted == replace(match, scheduled_at=None)
    store.reschedule(match, NOW)
    with pytest.raises(Lost):
        store.fold(match, SetResult(player_id, -12))
    assert {-12: 1} == store.histogram(set_id)


def test_an_entry_that_goes_on_is_not_counted(store: Store) -> None:
    """It must be as it was read."""
    match = entry_of(store, new_id())
    store.save(given.next_change(match))
    with pytest.raises(Lost):
        store.fold(match, SetResult(new_id(), 1))
    assert match.entry is not None and {} == store.histogram(match.entry.set_id)


def test_the_best_come_first(store: Store) -> None:
    """Below nought too; no more than are asked for."""
    set_id = new_id()
    for score in (0, -416, 416, 5, -7, 5):
        store.fold(entry_of(store, set_id), SetResult(new_id(), score))
    assert [416, 5, 5, 0, -7, -416] == [result.score for result in store.set_results(set_id, 100)]
    assert [416, 5] == [result.score for result in store.set_results(set_id, 2)]
    assert {416: 1, 5: 2, 0: 1, -7: 1, -416: 1} == store.histogram(set_id)
    assert ((), {}) == (store.set_results(new_id(), 9), store.histogram(new_id()))
