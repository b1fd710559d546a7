"""Many at once, on servers that many may write to at once: one wins, all others are told, and nothing is lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier

import pytest

from chalicelib.engine import SEATS
from chalicelib.match.log import Log
from chalicelib.match.model import MOST_LIVE, Change, EventBatch, SeatEvent
from chalicelib.service.ports import Devices, Lost, Player, SeatHeld, Store, TooManyLive, Unavailable
from tests.contract import given
from tests.contract.given import NOW

NORTH, EAST, *_ = SEATS
MANY = 200
SITTERS = 50


def at_once(calls: Sequence[Callable[[], object]]) -> list[object]:
    """What each call returned, or the failure it raised; all begin together."""
    ready = Barrier(len(calls))

    def run(call: Callable[[], object]) -> object:
        ready.wait()
        try:
            return call()
        except (Lost, SeatHeld, TooManyLive, Unavailable) as failure:
            return type(failure)

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def saving(store: Store, change: Change) -> Callable[[], object]:
    return lambda: store.save(change)


@pytest.mark.parametrize("different", [False, True], ids=["the same step", "different steps"])
def test_two_hundred_writers(real_store: Store, different: bool) -> None:
    """From one version: one step is made, that of the writer who was not told otherwise, whole."""
    match = given.stored(real_store, given.match())
    steps = [given.stepped(match, turn_at=match.turn_at + number * different) for number in range(MANY)]
    outcomes = at_once([saving(real_store, Change(step, match)) for step in steps])
    assert {None: 1, Lost: MANY - 1} == Counter(outcomes)
    assert steps[outcomes.index(None)] == real_store.match(match.id)


def test_no_event_is_lost(real_store: Store) -> None:
    """Writers who try until they have won leave one event each, and no version stands for two."""
    match = given.stored(real_store, given.match(log=Log()))
    writers = 20

    def persist(number: int) -> int:
        while True:
            now = real_store.match(match.id)
            assert now is not None
            event = SeatEvent("seat_taken", NOW, values={"writer": number})
            batch = EventBatch(now.version + 1, (event,))
            try:
                real_store.save(Change(given.stepped(now, log=now.log.with_marks(1)), now, batch=batch))
            except (Lost, Unavailable):
                continue
            return batch.version

    with ThreadPoolExecutor(writers) as pool:
        versions = list(pool.map(persist, range(writers)))
    batches = real_store.batches(match.id, 0, 10**6)
    last = real_store.match(match.id)
    assert list(range(match.version + 1, match.version + writers + 1)) == [batch.version for batch in batches]
    assert {batch.version: batch.events[0].values["writer"] for batch in batches} == {
        version: number for number, version in enumerate(versions)
    }
    assert last is not None
    assert (match.version + writers, Log().with_marks(writers)) == (last.version, last.log)


def test_the_last_seat(real_store: Store) -> None:
    """Fifty accounts sit down on one seat: one has it, and only in that one's list is the match."""
    players = [given.player(real_store) for _ in range(SITTERS)]
    match = given.stored(real_store, given.waiting_match())

    def sit(player: Player) -> Change:
        step = given.sitting(given.stepped(match), player)
        return Change(step, match, batch=given.batch(step.version, "seat_taken"), named=(player,))

    outcomes = at_once([saving(real_store, sit(player)) for player in players])
    assert 1 == outcomes.count(None)
    assert {None, Lost, Unavailable} >= set(outcomes)
    winner = players[outcomes.index(None)].id
    now = real_store.match(match.id)
    assert now is not None
    assert winner == now.places[0].player_id
    assert 1 == len(real_store.batches(match.id, 0, 10**6))
    assert [player.id for player in players if real_store.listed(player.id, 1).match_ids] == [winner]
    assert [player.id for player in players if real_store.live(player.id)] == [winner]


def test_seats_of_one_account(real_store: Store) -> None:
    """One account that takes seats of a dealt match from two phones gets one, whichever way they meet."""
    for _ in range(10):
        player = given.player(real_store)
        match = given.stored(real_store, given.match())
        changes = [Change(given.sitting(given.stepped(match), player, seat), match) for seat in (NORTH, EAST)]
        outcomes = at_once([saving(real_store, change) for change in changes])
        assert {None: 1, SeatHeld: 1} == Counter(outcomes)
        (membership,) = real_store.memberships(player.id, 2).items
        assert (NORTH, EAST)[outcomes.index(None)] is membership.seat


def test_new_matches_of_one_account(real_store: Store) -> None:
    """Of sixty matches that one account makes at once it has as many as anybody may, and all others are refused; one
    that met too many others to be judged leaves nothing, and may be made again."""
    player = given.player(real_store)
    matches = [given.sitting(given.match(), player) for _ in range(MOST_LIVE + 10)]
    waiting, outcomes = list(matches), Counter[object]()
    while waiting:
        told = at_once([saving(real_store, Change(match, None)) for match in waiting])
        outcomes.update(each for each in told if each is not Unavailable)
        waiting = [match for match, each in zip(waiting, told, strict=True) if each is Unavailable]
    assert {None: MOST_LIVE, TooManyLive: 10} == outcomes
    made = {match.id for match in matches if real_store.match(match.id) is not None}
    assert made == set(real_store.live(player.id)) == set(real_store.listed(player.id, 100).match_ids)


def test_one_rotation_of_many(real_store: Store) -> None:
    """Fifty rotations of one revision: one is kept."""
    player = given.player(real_store)
    devices = given.devices(real_store, player.id)
    (session,) = devices.sessions
    rotations = [
        replace(devices, sessions=(replace(session, current=bytes([number])),)) for number in range(1, SITTERS + 1)
    ]

    def rotate(rotated: Devices) -> Callable[[], object]:
        return lambda: real_store.save_devices(rotated)

    outcomes = at_once([rotate(rotated) for rotated in rotations])
    assert {None: 1, Lost: SITTERS - 1} == Counter(outcomes)
    assert replace(rotations[outcomes.index(None)], revision=2) == real_store.devices(player.id)


def test_counts_of_many(real_store: Store) -> None:
    """Of fifty uses at once just as many pass as may."""
    key = given.new_id()
    outcomes = at_once([lambda: real_store.count(key, 60, 7, 0)] * SITTERS)
    assert {0: 7, 60: SITTERS - 7} == Counter(outcomes)
