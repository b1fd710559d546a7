"""What the sweep asks: which matches are due. Each test has a store to itself."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chalicelib.service.model import Change, Match, Status
from chalicelib.service.ports import Store
from tests.contract import given
from tests.contract.conftest import NewStore
from tests.contract.given import NOW

SHARDS = range(4)


@pytest.fixture
def empty(new_store: NewStore) -> Store:
    return new_store()


def due(store: Store, now: int, limit: int = 100) -> dict[int, tuple[str, ...]]:
    """What is due, by shard, where anything is."""
    found = {shard: store.due(shard, now, limit) for shard in SHARDS}
    return {shard: ids for shard, ids in found.items() if ids}


def all_due(store: Store, now: int) -> set[str]:
    return {match_id for ids in due(store, now).values() for match_id in ids}


def test_a_match_is_due_when_its_time_has_come(empty: Store) -> None:
    """At that second, in one shard; a match that asks for nothing never is."""
    match = given.stored(empty, given.match(wake_at=NOW + 10))
    given.stored(empty, given.match(wake_at=None))

    assert {} == due(empty, NOW + 9)
    assert [(match.id,)] == list(due(empty, NOW + 10).values())
    assert [(match.id,)] == list(due(empty, NOW + 10**6).values())


def test_the_most_overdue_come_first(empty: Store) -> None:
    """In order of their times, no more than are asked for; every shard gets some of many."""
    matches = [given.stored(empty, given.match(wake_at=NOW + 7 * n % 100)) for n in range(100)]
    times = {match.id: match.wake_at for match in matches}

    everything = due(empty, NOW + 100)

    assert set(SHARDS) == set(everything)
    assert set(times) == all_due(empty, NOW + 100)
    for shard, ids in everything.items():
        assert sorted(ids, key=lambda match_id: (times[match_id], ids.index(match_id))) == list(ids)
        assert ids[:5] == empty.due(shard, NOW + 100, 5)


def test_a_match_is_filed_anew(empty: Store) -> None:
    """Under a later time, or under none; reading the match tells."""
    match = given.stored(empty, given.match(wake_at=NOW))

    empty.wake(match, NOW + 50)
    assert (set(), {match.id}) == (all_due(empty, NOW + 49), all_due(empty, NOW + 50))
    assert replace(match, wake_at=NOW + 50) == empty.match(match.id)

    empty.wake(match, None)
    assert set() == all_due(empty, NOW + 10**6)
    assert replace(match, wake_at=None) == empty.match(match.id)


def test_a_match_that_has_gone_on_is_not_filed_anew(empty: Store) -> None:
    """Whoever has looked at an old version has decided nothing; an unknown match is not made."""
    match = given.stored(empty, given.match(wake_at=NOW))
    empty.save(given.next_change(match))
    unknown = given.match()

    empty.wake(match, NOW + 50)
    empty.wake(unknown, NOW)

    assert {match.id} == all_due(empty, NOW)
    assert empty.match(unknown.id) is None


@pytest.mark.parametrize(
    ("ends", "wake_at", "due_then"),
    [(False, NOW + 5, False), (False, NOW, True), (True, None, False)],
)
def test_a_step_files_its_match(empty: Store, ends: bool, wake_at: int | None, due_then: bool) -> None:
    """The step's own time counts, and none once the match has ended."""
    match: Match = given.stored(empty, given.match(wake_at=NOW))
    status = Status.FINISHED if ends else Status.PLAYING

    empty.save(Change(given.stepped(match, status=status, wake_at=wake_at), match.version))

    assert due_then == (match.id in all_due(empty, NOW))


def test_accounts_to_be_settled(empty: Store) -> None:
    """A buried account waits until it is settled, the oldest first, apart from the matches."""
    buried = [given.player(empty) for _ in range(4)]
    given.player(empty)
    for age, player in enumerate(buried):
        empty.bury(player.id, NOW - age)
    match = given.stored(empty, given.match(wake_at=NOW - 50))

    assert tuple(player.id for player in reversed(buried)) == empty.unsettled(NOW, 10)
    assert (buried[3].id, buried[2].id) == empty.unsettled(NOW, 2)
    assert {match.id} == all_due(empty, NOW)

    empty.settle(buried[3].id, 2)
    empty.settle(buried[3].id, 2)
    assert (buried[2].id,) == empty.unsettled(NOW, 1)

    empty.put_off_account(buried[2].id, NOW + 60)
    empty.put_off_account(buried[3].id, NOW + 60)
    assert (buried[1].id, buried[0].id) == empty.unsettled(NOW + 59, 10)
    assert (buried[1].id, buried[0].id, buried[2].id) == empty.unsettled(NOW + 60, 10)


def test_a_match_is_put_off_whatever_it_holds(empty: Store) -> None:
    """By its id alone, for nothing can be read of it; one that is not filed is not filed by this."""
    filed = given.stored(empty, given.match(wake_at=NOW))
    unfiled = given.stored(empty, given.match(wake_at=None))

    for match_id in (filed.id, unfiled.id, given.new_id()):
        empty.put_off(match_id, NOW + 60)

    assert set() == all_due(empty, NOW + 59)
    assert {filed.id} == all_due(empty, NOW + 60)
    assert empty.match(filed.id) == replace(filed, wake_at=NOW + 60)
