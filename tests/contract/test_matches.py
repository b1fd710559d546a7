"""Matches, and what lies beside them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from chalicelib.engine import Seat
from chalicelib.match.log import Log
from chalicelib.match.model import Actor, Change, EventBatch, Invite, Match, Place, SeatEvent, SeatType, Status
from chalicelib.service.ports import Lost, Store
from tests.contract import given
from tests.contract.given import NOW

MOST = 9_999_999
"""A version beyond all."""


def test_a_match_that_nobody_made_is_not_there(store: Store) -> None:
    """An unknown id leads to nothing, wherever it is asked for."""
    unknown = given.match()

    assert store.match(unknown.id) is None
    assert store.closed_deal(unknown.id, 1) is None
    assert () == store.closed_deals(unknown.id, 1, 16)
    assert () == store.latest_batches(unknown.id, 9)
    assert () == store.batches(unknown.id, 0, MOST)
    assert store.seeds(unknown.id) is None
    assert store.invited_to("NOSUCHCD", NOW) is None


@pytest.mark.parametrize("kind", [given.match, given.waiting_match, given.full_match])
def test_a_match_is_read_as_it_was_saved(store: Store, kind: Callable[[], Match]) -> None:
    """Every field comes back."""
    match = given.stored(store, kind())

    assert match == store.match(match.id)


def test_seeds_wait_with_the_match(store: Store) -> None:
    """Before the start the seeds are the match's, odd numbers of digits and none at all among them."""
    match = given.stored(store, given.waiting_match(seeds=given.seeds("", "0", "abc", "0123456789abcdef" * 2)))

    assert match == store.match(match.id)


def test_a_match_is_made_once(store: Store) -> None:
    """A second match of the same id is refused, and the first one stays."""
    first = given.stored(store, given.match())

    with pytest.raises(Lost):
        store.save(Change(replace(first, deal=2), None))

    assert first == store.match(first.id)


def test_a_step_follows_what_was_read(store: Store) -> None:
    """A step from the present version is kept; the same one again, or another from there, is lost."""
    match = given.stored(store, given.match())
    step = given.next_change(match)
    other = replace(step, match=replace(step.match, log=match.log.made(1, Actor.BOT, 9)))

    store.save(step)
    for late in (step, other):
        with pytest.raises(Lost):
            store.save(late)

    assert step.match == store.match(match.id)


def test_a_step_of_no_match_is_lost(store: Store) -> None:
    """A step cannot make a match."""
    match = given.match()

    with pytest.raises(Lost):
        store.save(given.next_change(match))

    assert store.match(match.id) is None


def test_a_step_may_be_of_many_versions(store: Store) -> None:
    """One write may carry many events: the version goes on by as many."""
    match = given.stored(store, given.match())
    later = replace(match, version=match.version + 40, log=Log(b"\x00\x01" * 57), scheduled_at=None)

    store.save(Change(later, match))

    assert later == store.match(match.id)


def test_one_write_keeps_all_its_parts(store: Store) -> None:
    """Events, a closed deal, seeds and an invite come with the step that brought them."""
    match = given.stored(store, given.full_match())
    batch, deal = given.batch(match.version + 1, "seat_taken"), given.closed_deal()
    invite, seeds = Invite(given.new_id()[:8], NOW + 9), given.seeds("", "ab", "1")

    store.save(given.next_change(match, batch=batch, closed=deal, seeds=seeds, invite=invite))

    assert (batch,) == store.batches(match.id, 0, MOST)
    assert deal == store.closed_deal(match.id, 1)
    assert seeds == store.seeds(match.id)
    for seed in seeds:
        assert {match.id: seed.digits} == store.seeds_of(seed.player_id, [match.id])
    assert {} == store.seeds_of(given.new_id(), [match.id, given.new_id()])
    assert match.id == store.invited_to(invite.code, NOW)


def test_a_lost_write_leaves_nothing(whole_store: Store) -> None:
    """Of a write that comes late no part is kept."""
    match = given.stored(whole_store, given.match())
    account = given.player(whole_store)
    whole_store.save(given.next_change(match))
    invite = Invite(given.new_id()[:8], NOW + 9)

    with pytest.raises(Lost):
        whole_store.save(
            Change(
                given.sitting(given.stepped(match), account),
                match,
                batch=given.batch(8, "seat_taken"),
                closed=given.closed_deal(),
                seeds=given.seeds("1"),
                invite=invite,
            )
        )

    assert () == whole_store.batches(match.id, 0, MOST)
    assert () == whole_store.closed_deals(match.id, 1, 16)
    assert whole_store.seeds(match.id) is None
    assert whole_store.invited_to(invite.code, NOW) is None
    assert () == whole_store.listed(account.id, 9).match_ids
    assert () == whole_store.live(account.id)


def test_closed_deals_come_in_order(store: Store) -> None:
    """From any number on, a deal that was given up among them; none is written over."""
    match = given.stored(store, given.match())
    deals = [given.closed_deal(number) for number in range(1, 16)] + [given.closed_deal(16, result=None)]
    for deal in deals:
        store.save(given.next_change(match, closed=deal))
        match = given.stepped(match)

    with pytest.raises(Lost):
        store.save(given.next_change(match, closed=given.closed_deal(3)))

    assert tuple(deals) == store.closed_deals(match.id, 1, 16)
    assert tuple(deals[4:7]) == store.closed_deals(match.id, 5, 7)
    assert () == store.closed_deals(match.id, 1, 0)
    assert deals[2] == store.closed_deal(match.id, 3)
    assert store.closed_deal(match.id, 17) is None


def test_batches_after_a_version(store: Store) -> None:
    """All events above a version are given, a write that began before it whole; never one that ended before."""
    match = given.stored(store, given.match())
    batches = [given.batch(8, "seat_left", "host_changed", "seat_away"), given.batch(11, "seat_back")]
    batches += [given.batch(100, "player_renamed", "seat_offered")]
    for batch in batches:
        last = batch.version + len(batch.events) - 1
        store.save(Change(replace(match, version=last), match, batch=batch))
        match = replace(match, version=last)

    assert tuple(batches) == store.batches(match.id, 0, MOST)
    assert tuple(batches) == store.batches(match.id, 9, MOST)
    assert tuple(batches[1:]) == store.batches(match.id, 10, MOST)
    assert tuple(batches[2:]) == store.batches(match.id, 100, MOST)
    assert () == store.batches(match.id, 101, MOST)


def test_batches_between_two_versions(store: Store) -> None:
    """Writes that hold an event of the stretch, one that goes on beyond it among them; the latest come last first."""
    match = given.stored(store, given.match())
    batches = [given.batch(version, *["seat_taken"] * size) for version, size in ((8, 3), (11, 1), (12, 2), (300, 1))]
    for batch in batches:
        last = batch.version + len(batch.events) - 1
        store.save(Change(replace(match, version=last), match, batch=batch))
        match = replace(match, version=last)

    assert tuple(batches[:1]) == store.batches(match.id, 7, 8)
    assert tuple(batches[:2]) == store.batches(match.id, 9, 11)
    assert tuple(batches[1:3]) == store.batches(match.id, 10, 12)
    assert () == store.batches(match.id, 13, 299)
    assert tuple(reversed(batches[2:])) == store.latest_batches(match.id, 2)
    assert tuple(reversed(batches)) == store.latest_batches(match.id, 9)


def test_seat_events_keep_what_they_say(store: Store) -> None:
    """Whatever a seat event holds comes back: its seat as it is from then on, and plain values."""
    match = given.stored(store, given.match())
    place = Place(SeatType.BOT, given.new_id(), "", "easy", away=True, left=True, deleted=True, timeouts=3)
    events = (
        SeatEvent("seat_left", NOW, Actor.TIMEOUT, Seat.NORTH, place, {"by": "host", "n": [1, None, {"x": "é"}]}),
        SeatEvent("match_created", NOW + 1),
    )

    store.save(Change(replace(match, version=9), match, batch=EventBatch(8, events)))

    assert (EventBatch(8, events),) == store.batches(match.id, 0, MOST)


def test_an_invite_leads_to_its_match_until_it_expires(store: Store) -> None:
    """At its last second a code is worth nothing."""
    match, invite = given.match(), Invite(given.new_id()[:8], NOW + 10)
    store.save(Change(match, None, invite=invite))

    assert match.id == store.invited_to(invite.code, NOW + 9)
    assert store.invited_to(invite.code, NOW + 10) is None


def test_an_invite_is_withdrawn(store: Store) -> None:
    """A code taken back leads nowhere, and may be taken back again."""
    match, old, new = given.match(), Invite(given.new_id()[:8], NOW + 10), Invite(given.new_id()[:8], NOW + 20)
    store.save(Change(match, None, invite=old))

    store.save(given.next_change(match, withdrawn=old, invite=new))
    match = given.stepped(match)
    store.save(given.next_change(match, withdrawn=old))

    assert store.invited_to(old.code, NOW) is None
    assert match.id == store.invited_to(new.code, NOW)


def test_a_code_is_one_matchs(store: Store) -> None:
    """A code that leads to a match is not given to another one, nor withdrawn by it."""
    match, other, invite = given.match(), given.stored(store, given.match()), Invite(given.new_id()[:8], NOW + 10)
    store.save(Change(match, None, invite=invite))

    with pytest.raises(Lost):
        store.save(given.next_change(other, invite=invite))
    with pytest.raises(Lost):
        store.save(given.next_change(other, withdrawn=invite))

    assert match.id == store.invited_to(invite.code, NOW)


def test_two_matches_step_together(store: Store) -> None:
    """A rematch and the mark in the match it follows are one write."""
    old = given.stored(store, given.match(status=Status.FINISHED))
    new = given.waiting_match(rematch_of=old.id)
    told = given.stepped(old, rematch_id=new.id)
    batches = given.batch(new.version, "match_created"), given.batch(told.version, "rematch_created")

    store.save(
        Change(new, None, batch=batches[0], also=Change(told, old, batch=batches[1])),
    )

    assert new == store.match(new.id)
    assert told == store.match(old.id)
    assert (batches[0],) == store.batches(new.id, 0, MOST)
    assert (batches[1],) == store.batches(old.id, 0, MOST)


def test_two_matches_step_both_or_neither(whole_store: Store) -> None:
    """If the second one's step is late, the first one is not made."""
    old = given.stored(whole_store, given.match(status=Status.FINISHED))
    whole_store.save(given.next_change(old))
    new = given.waiting_match(rematch_of=old.id)

    with pytest.raises(Lost):
        whole_store.save(Change(new, None, also=given.next_change(old)))

    assert whole_store.match(new.id) is None


def test_many_matches_at_once(store: Store) -> None:
    """However many ids, in one answer; unknown and repeated ones do no harm."""
    matches = [given.stored(store, given.match()) for _ in range(103)]
    ids = [match.id for match in matches]

    found = store.matches([*ids, given.new_id(), ids[0]])

    assert {match.id: match for match in matches} == found
    assert {} == store.matches([])
