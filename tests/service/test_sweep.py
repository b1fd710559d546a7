"""What moves matches on while nobody looks."""

from __future__ import annotations

import logging
from collections.abc import Callable

import pytest

from chalicelib.service import sweep as room
from chalicelib.service.log import Made
from chalicelib.service.model import DAY, UNSTARTED_LIFE, UNVISITED_LIFE, Actor, Change, Match, Status
from chalicelib.service.ports import Lost, Unavailable
from chalicelib.service.sweep import RETRY_AFTER, sweep
from chalicelib.store.keys import wake_shard
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
    """After many moves the match is found at its first deadline, and filed again under its true one."""
    (match_id,) = shared(hall, 1)
    first = hall.match(match_id).wake_at
    hall.wait(DAY - 1)
    mover = hall.place(match_id, hall.turn(match_id)).player_id
    assert mover is not None
    Person(hall, mover).move(match_id)
    assert first == hall.match(match_id).wake_at
    hall.wait(1)
    assert (1, 0) == ((report := hall.sweep()).filed, report.timed_out)
    assert hall.match(match_id).deadline_at == hall.match(match_id).wake_at


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
    left = iter([False] * 5)

    def out_of_time() -> bool:
        return next(left, True)

    first = sweep(hall.house, out_of_time)
    assert (5, False) == (first.timed_out, first.finished)
    second = hall.sweep()
    assert (len(made) - 5, True) == (second.timed_out, second.finished)


class TestBadMatches:
    """What goes wrong with one match stays with it."""

    @pytest.fixture
    def bad(self, hall: Hall, monkeypatch: pytest.MonkeyPatch) -> Callable[[set[str]], None]:
        """From now on these matches cannot be timed out."""
        time_out = room.time_out

        def spoil(ids: set[str]) -> None:
            def spoiled(match: Match, now: int) -> object:
                if match.id in ids:
                    raise ValueError("bad")
                return time_out(match, now)

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
        made = [match_id for match_id in shared(hall, 60) if wake_shard(match_id) == 0]
        hall.wait(MINUTE)
        assert len(made) > 5
        good = next(match_id for match_id in shared(hall, 30) if wake_shard(match_id) == 0)
        bad(set(made))
        monkeypatch.setattr(hall.store, "put_off", _unavailable)
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
