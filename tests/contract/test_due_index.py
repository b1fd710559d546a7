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


def scheduled(store: Store, at: int | None) -> Match:
    """A match in the store that is due then."""
    return given.stored(store, given.match(scheduled_at=at))


def due_in(store: Store, partition: int, now: int, limit: int = 100, *, newest: bool = False) -> tuple[str, ...]:
    return tuple(each.id for each in store.due(partition, now, limit, newest=newest))


def due(store: Store, now: int) -> set[str]:
    """The matches that are due, in all shards."""
    return {match_id for shard in SHARDS for match_id in due_in(store, shard, now)}


def test_a_match_is_due_when_its_time_has_come(empty: Store) -> None:
    """At that second, in one shard, and it is told since when; a match that asks for nothing never is."""
    match, player = scheduled(empty, NOW + 10), given.player(empty)
    scheduled(empty, None)
    empty.mark_deleted(player, NOW - 5)
    assert set() == due(empty, NOW + 9)
    for now in (NOW + 10, NOW + 10**6):
        assert [Due(match.id, NOW + 10)] == [each for shard in SHARDS for each in empty.due(shard, now, 9)]
    assert (Due(player.id, NOW - 5),) == empty.due(ACCOUNTS, NOW, 9)


def test_the_most_overdue_come_first(empty: Store) -> None:
    """In order of their times, no more than are asked for; every shard gets some of many."""
    times = {scheduled(empty, at).id: at for at in (NOW + 7 * n % 100 for n in range(60))}
    assert set(times) == due(empty, NOW + 100)
    for shard in SHARDS:
        ids = due_in(empty, shard, NOW + 100)
        assert ids and sorted(ids, key=lambda match_id: (times[match_id], ids.index(match_id))) == list(ids)
        assert ids[:5] == due_in(empty, shard, NOW + 100, 5)
        assert ids[:-4:-1] == due_in(empty, shard, NOW + 100, 3, newest=True)


def test_more_shards_lose_nothing(empty: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was scheduled before is found in the partitions of before, accounts in their own."""
    matches, player = {scheduled(empty, NOW).id for _ in range(20)}, given.player(empty)
    empty.mark_deleted(player, NOW)
    monkeypatch.setattr(keys, "SHARDS", 8)
    later = {scheduled(empty, NOW).id for _ in range(20)}
    found = [due_in(empty, shard, NOW) for shard in range(8)]
    assert matches | later == {match_id for ids in found for match_id in ids}
    assert any(found[4:])
    assert (player.id,) == due_in(empty, ACCOUNTS, NOW)


def test_a_match_is_filed_anew(empty: Store) -> None:
    """Under a later time, or under none; reading the match tells."""
    match, unknown = scheduled(empty, NOW), given.match()
    empty.reschedule(match, NOW + 50)
    assert (set(), {match.id}) == (due(empty, NOW + 49), due(empty, NOW + 50))
    assert replace(match, scheduled_at=NOW + 50) == empty.match(match.id)
    empty.reschedule(match, None)
    assert set() == due(empty, NOW + 10**6)
    assert replace(match, scheduled_at=None) == empty.match(match.id)
    gone_on = scheduled(empty, NOW)
    empty.save(given.next_change(gone_on))
    empty.reschedule(gone_on, NOW + 50)
    empty.reschedule(unknown, NOW)
    assert ({gone_on.id}, None) == (due(empty, NOW), empty.match(unknown.id))


def test_a_step_files_its_match(empty: Store) -> None:
    """The step's own time counts, and none once the match has ended."""
    for status, scheduled_at in ((Status.PLAYING, NOW + 5), (Status.PLAYING, NOW), (Status.FINISHED, None)):
        match = scheduled(empty, NOW)
        empty.save(Change(given.stepped(match, status=status, scheduled_at=scheduled_at), match))
        assert (scheduled_at == NOW) == (match.id in due(empty, NOW)), scheduled_at


def test_accounts_to_be_settled(empty: Store) -> None:
    """A deleted account waits until it is settled, the oldest first, apart from the matches."""
    deleted = [given.player(empty) for _ in range(4)]
    given.player(empty)
    for age, player in enumerate(deleted):
        empty.mark_deleted(player, NOW - age)
    match = scheduled(empty, NOW - 50)
    ids = [player.id for player in reversed(deleted)]
    assert tuple(ids) == due_in(empty, ACCOUNTS, NOW)
    assert tuple(ids[:2]) == due_in(empty, ACCOUNTS, NOW, 2)
    assert {match.id} == due(empty, NOW)
    for _ in range(2):
        empty.settle(ids[0], 2)
    assert (ids[1],) == due_in(empty, ACCOUNTS, NOW, 1)
    for player_id in ids[:2]:
        empty.postpone_account(player_id, NOW + 60)
    assert (ids[2], ids[3]) == due_in(empty, ACCOUNTS, NOW + 59)
    assert (ids[2], ids[3], ids[1]) == due_in(empty, ACCOUNTS, NOW + 60)


def test_a_match_is_put_off_whatever_it_holds(empty: Store) -> None:
    """By its id alone, for nothing can be read of it; one that is not scheduled stays so."""
    match, unscheduled = scheduled(empty, NOW), scheduled(empty, None)
    for match_id in (match.id, unscheduled.id, given.new_id()):
        empty.postpone(match_id, NOW + 60)
    assert (set(), {match.id}) == (due(empty, NOW + 59), due(empty, NOW + 60))
    assert replace(match, scheduled_at=NOW + 60) == empty.match(match.id)
