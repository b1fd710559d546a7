"""What moves matches on while nobody looks."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable
from itertools import count

import pytest

from chalicelib.match.log import Made
from chalicelib.match.model import DAY, UNSTARTED_LIFE, UNVISITED_LIFE, Actor, Change, Match, Status
from chalicelib.service.clock import sweep as room
from chalicelib.service.clock.sweep import RETRY_AFTER, sweep
from chalicelib.service.ports import ACCOUNTS, SHARDS, Due, Lost, Unavailable
from chalicelib.service.services import Services
from chalicelib.store.keys import due_shard
from chalicelib.store.wire import Unreadable
from tests.service.people import Hall, Person, four_at_cards

MINUTE = 60


def shared(hall: Hall, count: int, **options: object) -> list[str]:
    """Ids of so many started matches of four."""
    people = hall.guests(*"ABCD")
    made = []
    for at in range(count):
        if at % 40 == 0:
            people = hall.guests(*"ABCD")
        made.append(four_at_cards(people, turn_seconds=DAY, **options).id)
    return made


def test_a_time_out(hall: Hall) -> None:
    """Once the deadline has passed, and not before, a bot makes that one move; the next turn has its whole time."""
    (match_id,) = shared(hall, 1)
    seat = hall.turn(match_id)
    hall.wait(DAY - 1)
    assert 0 == hall.sweep().seen
    hall.wait(1)
    report = hall.sweep()
    assert (1, 1, 0, True) == (report.seen, report.timed_out, report.lag, report.finished)
    match = hall.match(match_id)
    assert (seat.next, hall.clock.at + DAY) == (hall.turn(match_id), match.deadline_at)
    assert [Actor.TIMEOUT] == [made.actor for made in match.log.entries() if isinstance(made, Made)]


def test_moves_leave_the_index_alone(hall: Hall) -> None:
    """After many moves the match is found at its first deadline, and scheduled again under its true one."""
    (match_id,) = shared(hall, 1)
    first = hall.match(match_id).scheduled_at
    hall.wait(DAY - 1)
    mover = hall.place(match_id, hall.turn(match_id)).player_id
    assert mover is not None
    Person(hall, mover).move(match_id)
    assert first == hall.match(match_id).scheduled_at
    hall.wait(1)
    assert (1, 0) == ((report := hall.sweep()).scheduled, report.timed_out)
    assert hall.match(match_id).deadline_at == hall.match(match_id).scheduled_at


def test_twice_at_once(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """One sweep within another, between its read and its write: one move is made, the other sweep has lost."""
    (match_id,) = shared(hall, 1)
    hall.wait(DAY)
    save = hall.store.save

    def overlapped(change: Change) -> None:
        monkeypatch.setattr(hall.store, "save", save)
        assert 1 == hall.sweep().timed_out
        save(change)

    monkeypatch.setattr(hall.store, "save", overlapped)
    report = hall.sweep()
    assert (0, 1) == (report.timed_out, report.lost)
    assert 1 == len(hall.match(match_id).log.codes())


def test_tables_that_never_started(hall: Hall) -> None:
    """Given up after seven days, not before."""
    host = hall.guest()
    view = host.open_table().view
    hall.wait(UNSTARTED_LIFE - 1)
    hall.sweep()
    assert Status.WAITING is host.read(view.id).status
    hall.wait(1)
    assert 1 == hall.sweep().abandoned
    view = host.read(view.id)
    assert (Status.ABANDONED, None) == (view.status, view.invite)
    assert "match_abandoned" == host.feed(view.id)[-1].type


def test_matches_without_a_clock(hall: Hall) -> None:
    """Nobody is hurried; after 30 days without a move the match is given up."""
    host = hall.guest()
    view = host.create().view
    hall.wait(UNVISITED_LIFE - 1)
    hall.sweep()
    host.move(view.id)
    hall.wait(UNVISITED_LIFE - 1)
    hall.sweep()
    assert Status.PLAYING is host.read(view.id).status
    hall.wait(1)
    hall.sweep()
    assert Status.ABANDONED is host.read(view.id).status


def test_after_an_outage(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever has piled up in a day is done in one run, and nothing is looked at twice."""
    monkeypatch.setattr(room, "BATCH", 5)
    made = shared(hall, 60)
    hall.wait(2 * DAY)
    report = hall.sweep()
    assert (len(made), len(made), True, DAY) == (report.seen, report.timed_out, report.finished, report.lag)
    assert 0 == hall.sweep().seen


def test_stopping_in_time(hall: Hall) -> None:
    """A run that is out of time says so, and the next goes on."""
    made = shared(hall, 12)
    hall.wait(DAY)
    first = sweep(hall.services, after(5))
    assert (5, False) == (first.timed_out, first.finished)
    second = hall.sweep()
    assert (len(made) - 5, True) == (second.timed_out, second.finished)


class TestShares:
    """More is due than one run can look at. Time is counted in looks."""

    @pytest.fixture
    def entries(self, hall: Hall, monkeypatch: pytest.MonkeyPatch) -> Entries:
        """An index in the place of the store's; a look takes its entry out."""
        entries = Entries()
        monkeypatch.setattr(hall.store, "due", entries.due)
        for look in ("_look_at", "_settle_account"):
            monkeypatch.setattr(room, look, lambda _services, entry, *_: entries.look(entry))
        return entries

    def test_no_partition_waits_for_another(self, hall: Hall, entries: Entries) -> None:
        """With one overloaded, every other has its share in every run, accounts too."""
        for partition in (*range(SHARDS), ACCOUNTS):
            entries.file(partition, 10_000 if partition == 0 else 30, since=hall.clock.at)
        for run in range(1, 4):
            sweep(hall.services, after(50))
            assert dict.fromkeys((*range(SHARDS), ACCOUNTS), 10 * run) == Counter(where for where, _ in entries.looks)

    @pytest.mark.parametrize("most", [1, 2, 3, 4])
    def test_the_shortest_runs_reach_everything(self, hall: Hall, entries: Entries, most: int) -> None:
        """Runs of fewer looks than there are partitions, whatever their rhythm: none is left out for long."""
        for partition in (*range(SHARDS), ACCOUNTS):
            entries.file(partition, 1000, since=hall.clock.at)
        for _ in range(100):
            hall.wait(DAY)
            sweep(hall.services, after(most))
        share = 100 * most / (SHARDS + 1)
        assert all(share / 2 < looked < 2 * share for looked in Counter(where for where, _ in entries.looks).values())

    def test_a_backlog_holds_up_nobody_else(self, hall: Hall, entries: Entries) -> None:
        """Whoever has piled up thousands in every shard delays those who come due later by no more than a run, and is
        worked off all the same."""
        for partition in range(SHARDS):
            entries.file(partition, 5_000, since=hall.clock.at, whose="flood")
        for _ in range(20):
            hall.wait(MINUTE)
            for partition in range(SHARDS):
                entries.file(partition, 10, since=hall.clock.at - 1, whose="others")
            sweep(hall.services, after(200))
            assert not entries.left("others")
        assert 20 * 200 - 20 * 40 == Counter(whose for _, whose in entries.looks)["flood"]

    def test_the_oldest_come_first_otherwise(self, hall: Hall, entries: Entries) -> None:
        """What fits into one query is looked at in the order in which it came due."""
        for age in (5, 30, 10):
            entries.file(2, 1, since=hall.clock.at - age, whose=str(age))
        sweep(hall.services)
        assert ["30", "10", "5"] == [whose for _, whose in entries.looks]

    def test_how_far_behind(self, hall: Hall, entries: Entries) -> None:
        """Each partition's oldest entry is measured before the first look: a run that looks at nothing says it too."""
        entries.file(3, 2_000, since=hall.clock.at - DAY)
        entries.file(1, 1, since=hall.clock.at - 20)
        entries.file(ACCOUNTS, 1, since=hall.clock.at - 2 * DAY)
        report = sweep(hall.services, after(0))
        assert {"0": 0, "1": 20, "2": 0, "3": DAY, "accounts": 2 * DAY} == report.behind
        assert (2 * DAY, False, []) == (report.lag, report.finished, entries.looks)

    def test_a_partition_that_does_not_answer(self, hall: Hall, entries: Entries) -> None:
        """The others have their run; the report says that something is left."""
        for partition in range(SHARDS):
            entries.file(partition, 60, since=hall.clock.at)
        entries.silent = {1}
        report = sweep(hall.services)
        assert {0: 60, 2: 60, 3: 60} == Counter(where for where, _ in entries.looks)
        assert (1, False, ["0", "2", "3", "accounts"]) == (report.failed, report.finished, sorted(report.behind))


class Entries:
    """A due index by itself: entries by partition, each with an owner."""

    def __init__(self) -> None:
        self.silent: set[int] = set()
        """Partitions that do not answer."""
        self.looks: list[tuple[int, str]] = []
        """Of every look the partition, and whose entry it was."""
        self._numbers = count()
        self._scheduled: dict[str, tuple[int, int, str]] = {}

    def file(self, partition: int, number: int, since: int, whose: str = "") -> None:
        self._scheduled |= {f"{next(self._numbers):08}": (partition, since, whose) for _ in range(number)}

    def due(self, partition: int, now: int, limit: int, *, newest: bool = False) -> tuple[Due, ...]:
        if partition in self.silent:
            raise Unavailable
        scheduled = self._scheduled.items()
        due = [Due(entry, since) for entry, (where, since, _) in scheduled if where == partition and since <= now]
        return tuple(sorted(due, key=lambda each: (each.since, each.id), reverse=newest)[:limit])

    def look(self, entry: str) -> None:
        partition, _, whose = self._scheduled.pop(entry)
        self.looks.append((partition, whose))

    def left(self, whose: str) -> int:
        return sum(owner == whose for _, _, owner in self._scheduled.values())


def after(looks: int) -> Callable[[], bool]:
    """Out of time after so many looks."""
    asked = count()
    return lambda: next(asked) >= looks


class TestBadMatches:
    """What goes wrong with one match stays with it."""

    @pytest.fixture
    def bad(self, hall: Hall, monkeypatch: pytest.MonkeyPatch) -> Callable[[set[str]], None]:
        """From now on these matches cannot be timed out."""
        time_out = room.time_out

        def spoil(ids: set[str]) -> None:
            def spoiled(services: Services, match: Match) -> object:
                if match.id in ids:
                    raise ValueError("bad")
                return time_out(services, match)

            monkeypatch.setattr(room, "time_out", spoiled)

        return spoil

    def test_put_off(self, hall: Hall, bad: Callable[[set[str]], None], caplog: pytest.LogCaptureFixture) -> None:
        """It is reported and retried later; the others are played on."""
        made = shared(hall, 8)
        bad({made[0]})
        hall.wait(DAY)
        with caplog.at_level(logging.ERROR):
            report = hall.sweep()
        assert (7, 1, True) == (report.timed_out, report.failed, report.finished)
        assert [made[0]] == [record.match_id for record in caplog.records]  # type: ignore[attr-defined]
        assert 0 == hall.sweep().seen
        bad(set())
        hall.wait(RETRY_AFTER)
        assert 1 == hall.sweep().timed_out

    def test_one_that_cannot_be_read(self, hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
        """It is put off like any other, though nobody knows what is in it."""
        made = shared(hall, 3)
        read = hall.store.match

        def unreadable(match_id: str) -> Match | None:
            if match_id == made[0]:
                raise Unreadable("not a packed match")
            return read(match_id)

        monkeypatch.setattr(hall.store, "match", unreadable)
        hall.wait(DAY)
        report = hall.sweep()
        assert (2, 1) == (report.timed_out, report.failed)
        assert 0 == hall.sweep().seen
        monkeypatch.undo()
        hall.wait(RETRY_AFTER)
        assert 1 == hall.sweep().timed_out

    def test_many_block_nothing(
        self, hall: Hall, bad: Callable[[set[str]], None], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Not even where more of them than one look holds can't be put off, and are overdue before all others."""
        monkeypatch.setattr(room, "BATCH", 5)
        made = [match_id for match_id in shared(hall, 60) if due_shard(match_id) == 0]
        hall.wait(MINUTE)
        assert len(made) > 5
        good = next(match_id for match_id in shared(hall, 30) if due_shard(match_id) == 0)
        bad(set(made))
        monkeypatch.setattr(hall.store, "postpone", _unavailable)
        hall.wait(DAY)
        hall.sweep()
        assert 1 == len(hall.match(good).log.codes())

    def test_the_stores_fault(self, hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
        """Where the store did not answer the match is not put off: the next run tries again."""
        (match_id,) = shared(hall, 1)
        hall.wait(DAY)
        with monkeypatch.context() as broken:
            broken.setattr(hall.store, "save", _unavailable)
            assert 1 == hall.sweep().failed
        assert 1 == hall.sweep().timed_out
        assert 1 == len(hall.match(match_id).log.codes())

    def test_lost_races_are_seen_again(self, hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
        """Somebody moved meanwhile: the next run finds out what is due."""
        shared(hall, 1)
        hall.wait(DAY)

        def lost(change: Change) -> None:
            raise Lost

        with monkeypatch.context() as racing:
            racing.setattr(hall.store, "save", lost)
            assert 1 == hall.sweep().lost
        assert 1 == hall.sweep().timed_out


def _unavailable(*_: object) -> None:
    raise Unavailable
