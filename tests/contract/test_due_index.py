"""What the sweep asks: which matches are due. Each test has a store to itself."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chalicelib.match.model import Change, Match, Status
from chalicelib.service import ports
from chalicelib.service.ports import ACCOUNTS, Due, Store
from chalicelib.store import keys
from tests.contract import given
from tests.contract.conftest import NewStore
from tests.contract.given import NOW

SHARDS = range(ports.SHARDS)


@pytest.fixture
def empty(new_store: NewStore) -> Store:
    return new_store()


def due(store: Store, now: int, limit: int = 100) -> dict[int, tuple[str, ...]]:
    """What is due, by shard, where anything is."""
    found = {shard: due_in(store, shard, now, limit) for shard in SHARDS}
    return {shard: ids for shard, ids in found.items() if ids}


def due_in(store: Store, partition: int, now: int, limit: int = 100, *, newest: bool = False) -> tuple[str, ...]:
    return tuple(each.id for each in store.due(partition, now, limit, newest=newest))


def all_due(store: Store, now: int) -> set[str]:
    return {match_id for ids in due(store, now).values() for match_id in ids}


def test_a_match_is_due_when_its_time_has_come(empty: Store) -> None:
    """At that second, in one shard; a match that asks for nothing never is."""
    match = given.stored(empty, given.match(scheduled_at=NOW + 10))
    given.stored(empty, given.match(scheduled_at=None))

    assert {} == due(empty, NOW + 9)
    assert [(match.id,)] == list(due(empty, NOW + 10).values())
    assert [(match.id,)] == list(due(empty, NOW + 10**6).values())


def test_the_most_overdue_come_first(empty: Store) -> None:
    """In order of their times, no more than are asked for; every shard gets some of many."""
    matches = [given.stored(empty, given.match(scheduled_at=NOW + 7 * n % 100)) for n in range(100)]
    times = {match.id: match.scheduled_at for match in matches}

    everything = due(empty, NOW + 100)

    assert set(SHARDS) == set(everything)
    assert set(times) == all_due(empty, NOW + 100)
    for shard, ids in everything.items():
        assert sorted(ids, key=lambda match_id: (times[match_id], ids.index(match_id))) == list(ids)
        assert ids[:5] == due_in(empty, shard, NOW + 100, 5)
        assert ids[:-4:-1] == due_in(empty, shard, NOW + 100, 3, newest=True)


def test_it_is_told_since_when_they_are_due(empty: Store) -> None:
    """Of matches and of accounts."""
    match = given.stored(empty, given.match(scheduled_at=NOW - 7))
    player = given.player(empty)
    empty.mark_deleted(player, NOW - 5)

    assert [Due(match.id, NOW - 7)] == [each for shard in SHARDS for each in empty.due(shard, NOW, 9)]
    assert (Due(player.id, NOW - 5),) == empty.due(ACCOUNTS, NOW, 9)


def test_more_shards_lose_nothing(empty: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was scheduled before is found in the partitions of before, accounts in their own."""
    matches = {given.stored(empty, given.match(scheduled_at=NOW)).id for _ in range(20)}
    player = given.player(empty)
    empty.mark_deleted(player, NOW)

    monkeypatch.setattr(keys, "SHARDS", 8)
    later = {given.stored(empty, given.match(scheduled_at=NOW)).id for _ in range(20)}

    found = {shard: due_in(empty, shard, NOW) for shard in range(8)}
    assert matches | later == {match_id for ids in found.values() for match_id in ids}
    assert any(found[shard] for shard in range(4, 8))
    assert (player.id,) == due_in(empty, ACCOUNTS, NOW)


def test_a_match_is_filed_anew(empty: Store) -> None:
    """Under a later time, or under none; reading the match tells."""
    match = given.stored(empty, given.match(scheduled_at=NOW))

    empty.reschedule(match, NOW + 50)
    assert (set(), {match.id}) == (all_due(empty, NOW + 49), all_due(empty, NOW + 50))
    assert replace(match, scheduled_at=NOW + 50) == empty.match(match.id)

    empty.reschedule(match, None)
    assert set() == all_due(empty, NOW + 10**6)
    assert replace(match, scheduled_at=None) == empty.match(match.id)


def test_a_match_that_has_gone_on_is_not_filed_anew(empty: Store) -> None:
    """Whoever has looked at an old version has decided nothing; an unknown match is not made."""
    match = given.stored(empty, given.match(scheduled_at=NOW))
    empty.save(given.next_change(match))
    unknown = given.match()

    empty.reschedule(match, NOW + 50)
    empty.reschedule(unknown, NOW)

    assert {match.id} == all_due(empty, NOW)
    assert empty.match(unknown.id) is None


@pytest.mark.parametrize(
    ("ends", "scheduled_at", "due_then"),
    [(False, NOW + 5, False), (False, NOW, True), (True, None, False)],
)
def test_a_step_files_its_match(empty: Store, ends: bool, scheduled_at: int | None, due_then: bool) -> None:
    """The step's own time counts, and none once the match has ended."""
    match: Match = given.stored(empty, given.match(scheduled_at=NOW))
    status = Status.FINISHED if ends else Status.PLAYING

    empty.save(Change(given.stepped(match, status=status, scheduled_at=scheduled_at), match))

    assert due_then == (match.id in all_due(empty, NOW))


def test_accounts_to_be_settled(empty: Store) -> None:
    """A deleted account waits until it is settled, the oldest first, apart from the matches."""
    deleted = [given.player(empty) for _ in range(4)]
    given.player(empty)
    for age, player in enumerate(deleted):
        empty.mark_deleted(player, NOW - age)
    match = given.stored(empty, given.match(scheduled_at=NOW - 50))

    assert tuple(player.id for player in reversed(deleted)) == due_in(empty, ACCOUNTS, NOW)
    assert (deleted[3].id, deleted[2].id) == due_in(empty, ACCOUNTS, NOW, 2)
    assert {match.id} == all_due(empty, NOW)

    empty.settle(deleted[3].id, 2)
    empty.settle(deleted[3].id, 2)
    assert (deleted[2].id,) == due_in(empty, ACCOUNTS, NOW, 1)

    empty.postpone_account(deleted[2].id, NOW + 60)
    empty.postpone_account(deleted[3].id, NOW + 60)
    assert (deleted[1].id, deleted[0].id) == due_in(empty, ACCOUNTS, NOW + 59)
    assert (deleted[1].id, deleted[0].id, deleted[2].id) == due_in(empty, ACCOUNTS, NOW + 60)


def test_a_match_is_put_off_whatever_it_holds(empty: Store) -> None:
    """By its id alone, for nothing can be read of it; one that is not scheduled stays so."""
    scheduled = given.stored(empty, given.match(scheduled_at=NOW))
    unscheduled = given.stored(empty, given.match(scheduled_at=None))

    for match_id in (scheduled.id, unscheduled.id, given.new_id()):
        empty.postpone(match_id, NOW + 60)

    assert set() == all_due(empty, NOW + 59)
    assert {scheduled.id} == all_due(empty, NOW + 60)
    assert empty.match(scheduled.id) == replace(scheduled, scheduled_at=NOW + 60)
