"""Matches, and what lies beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from chalicelib.engine import Seat
from chalicelib.match.log import Log
from chalicelib.match.model import Actor, Change, EventBatch, Invite, Match, Place, SeatEvent, SeatType, Status
from chalicelib.service.ports import Lost, Store
from tests.contract import given
from tests.contract.given import NOW, invite, new_id

MOST = 9_999_999
"""A version beyond all."""


def with_batches(store: Store, batches: Sequence[EventBatch]) -> Match:
    """A match in the store, written once with each of these."""
    match = given.stored(store, given.match())
    for batch in batches:
        later = replace(match, version=batch.version + len(batch.events) - 1)
        store.save(Change(later, match, batch=batch))
        match = later
    return match


def test_a_match_that_nobody_made_is_not_there(store: Store) -> None:
    """An unknown id leads to nothing, wherever it is asked for, nor can a step make the match."""
    unknown = given.match()
    with pytest.raises(Lost):
        store.save(given.next_change(unknown))
    assert (None, None) == (store.match(unknown.id), store.closed_deal(unknown.id, 1))
    assert ((), ()) == (store.closed_deals(unknown.id, 1, 16), store.latest_batches(unknown.id, 9))
    assert ((), None) == (store.batches(unknown.id, 0, MOST), store.seeds(unknown.id))
    assert store.invited_to("NOSUCHCD", NOW) is None


@pytest.mark.parametrize(
    "match",
    [
        given.match(),
        given.waiting_match(),
        given.full_match(),
        given.waiting_match(seeds=given.seeds("", "0", "abc", "0123456789abcdef" * 2)),
    ],
    ids=["playing", "waiting", "something in every field", "waiting with seeds"],
)
def test_a_match_is_made_once_and_read_as_it_was_saved(store: Store, match: Match) -> None:
    match = given.stored(store, replace(match, id=new_id()))
    with pytest.raises(Lost):
        store.save(Change(replace(match, deal=2), None))
    assert match == store.match(match.id)


def test_a_step_follows_what_was_read(store: Store) -> None:
    """A step from the present version is kept, however many versions it goes on by; the same one again, or another
    from there, is lost."""
    match = given.stored(store, given.match())
    step = given.next_change(match)
    other = replace(step, match=replace(step.match, log=match.log.with_move(1, Actor.BOT, 9)))
    store.save(step)
    for late in (step, other):
        with pytest.raises(Lost):
            store.save(late)
    assert step.match == store.match(match.id)
    later = replace(step.match, version=match.version + 40, log=Log(b"\x00\x01" * 57), scheduled_at=None)
    store.save(Change(later, step.match))
    assert later == store.match(match.id)


def test_one_write_keeps_all_its_parts(store: Store) -> None:
    """Events, a closed deal, seeds and an invite come with the step that brought them."""
    match = given.stored(store, given.full_match())
    batch, deal = given.batch(match.version + 1, "seat_taken"), given.closed_deal()
    code, seeds = invite(9), given.seeds("", "ab", "1")
    store.save(given.next_change(match, batch=batch, closed=deal, seeds=seeds, invite=code))
    assert ((batch,), deal) == (store.batches(match.id, 0, MOST), store.closed_deal(match.id, 1))
    assert (seeds, match.id) == (store.seeds(match.id), store.invited_to(code.code, NOW))
    for seed in seeds:
        assert {match.id: seed.digits} == store.seeds_of(seed.player_id, [match.id])
    assert {} == store.seeds_of(new_id(), [match.id, new_id()])


def test_a_lost_write_leaves_nothing(store: Store) -> None:
    """Of a write that comes late no part is kept; nor of one in which another match's step is late."""
    match, account, code = given.stored(store, given.match()), given.player(store), invite(9)
    store.save(given.next_change(match))
    parts = {"batch": given.batch(8, "seat_taken"), "closed": given.closed_deal(), "seeds": given.seeds("1")}
    rematch = given.waiting_match(rematch_of=match.id)
    for late in (
        Change(given.sitting(given.stepped(match), account), match, invite=code, **parts),  # type: ignore[arg-type]
        Change(rematch, None, also=given.next_change(match)),
    ):
        with pytest.raises(Lost):
            store.save(late)
    assert ((), ()) == (store.batches(match.id, 0, MOST), store.closed_deals(match.id, 1, 16))
    assert (None, None) == (store.seeds(match.id), store.invited_to(code.code, NOW))
    assert ((), ()) == (store.listed(account.id, 9).match_ids, store.live(account.id))
    assert store.match(rematch.id) is None


def test_closed_deals_come_in_order(store: Store) -> None:
    """From any number on, a deal that was given up among them; none is written over."""
    match = given.stored(store, given.match())
    deals = [given.closed_deal(number) for number in range(1, 16)] + [given.closed_deal(16, result=None)]
    for deal in deals:
        store.save(given.next_change(match, closed=deal))
        match = given.stepped(match)
    with pytest.raises(Lost):
        store.save(given.next_change(match, closed=given.closed_deal(3)))
    for first, last in ((1, 16), (5, 7), (1, 0)):
        assert tuple(deals[first - 1 : last]) == store.closed_deals(match.id, first, last)
    assert (deals[2], None) == (store.closed_deal(match.id, 3), store.closed_deal(match.id, 17))


def test_batches_between_two_versions(store: Store) -> None:
    """Writes that hold an event of the stretch are given whole, those that begin before it or go on beyond it among
    them; never one that ended before. The latest come last first."""
    batches = [given.batch(version, *["seat_taken"] * size) for version, size in ((8, 3), (11, 1), (12, 2), (300, 1))]
    match = with_batches(store, batches)
    for after, upto, expected in (
        *((0, MOST, batches), (9, MOST, batches), (10, MOST, batches[1:]), (299, MOST, batches[3:])),
        *((300, MOST, []), (7, 8, batches[:1]), (9, 11, batches[:2]), (10, 12, batches[1:3]), (13, 299, [])),
    ):
        assert tuple(expected) == store.batches(match.id, after, upto), (after, upto)
    assert tuple(reversed(batches[2:])) == store.latest_batches(match.id, 2)
    assert tuple(reversed(batches)) == store.latest_batches(match.id, 9)


def test_seat_events_keep_what_they_say(store: Store) -> None:
    """Whatever a seat event holds comes back: its seat as it is from then on, and plain values."""
    place = Place(SeatType.BOT, new_id(), "", "easy", away=True, left=True, deleted=True, timeouts=3)
    values = {"by": "host", "n": [1, None, {"x": "é"}]}
    events = SeatEvent("seat_left", NOW, Actor.TIMEOUT, Seat.NORTH, place, values), SeatEvent("match_created", NOW + 1)
    match = with_batches(store, [EventBatch(8, events)])
    assert (EventBatch(8, events),) == store.batches(match.id, 0, MOST)


def test_an_invite_leads_to_its_match_until_it_expires_or_is_withdrawn(store: Store) -> None:
    """At its last second a code is worth nothing; one taken back leads nowhere, and may be taken back again."""
    match, other, old, new = given.match(), given.stored(store, given.match()), invite(10), invite(20)
    store.save(Change(match, None, invite=old))
    assert (match.id, None) == (store.invited_to(old.code, NOW + 9), store.invited_to(old.code, NOW + 10))
    taken: tuple[dict[str, Invite], ...] = ({"invite": old}, {"withdrawn": old})
    for parts in taken:
        with pytest.raises(Lost):
            store.save(given.next_change(other, **parts))
    assert match.id == store.invited_to(old.code, NOW)
    store.save(given.next_change(match, withdrawn=old, invite=new))
    store.save(given.next_change(given.stepped(match), withdrawn=old))
    assert (None, match.id) == (store.invited_to(old.code, NOW), store.invited_to(new.code, NOW))


def test_two_matches_step_together(store: Store) -> None:
    """A rematch and the mark in the match it follows are one write."""
    old = given.stored(store, given.match(status=Status.FINISHED))
    new = given.waiting_match(rematch_of=old.id)
    told = given.stepped(old, rematch_id=new.id)
    batches = given.batch(new.version, "match_created"), given.batch(told.version, "rematch_created")
    store.save(Change(new, None, batch=batches[0], also=Change(told, old, batch=batches[1])))
    for match, batch in zip((new, told), batches, strict=True):
        assert (match, (batch,)) == (store.match(match.id), store.batches(match.id, 0, MOST))


def test_many_matches_at_once(store: Store) -> None:
    """However many ids, in one answer; unknown and repeated ones do no harm."""
    matches = [given.stored(store, given.match()) for _ in range(103)]
    ids = [match.id for match in matches]
    assert {match.id: match for match in matches} == store.matches([*ids, new_id(), ids[0]])
    assert {} == store.matches([])
