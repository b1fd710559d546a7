"""What moves matches on while nobody looks."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import cast

import pytest

from chalicelib.match.log import LoggedMove
from chalicelib.match.model import DAY, MOST_LIVE, UNSTARTED_LIFE, UNVISITED_LIFE, Actor, Status
from chalicelib.service.clock.sweep import BATCH, RETRY_AFTER, sweep
from chalicelib.service.ports import ACCOUNTS, SETS, SHARDS, Due, Lost, Store, Unavailable
from chalicelib.store.keys import due_shard
from chalicelib.store.wire import Unreadable
from tests.service.meddling import failing, failing_for, first
from tests.service.people import Hall

MINUTE = 60
PARTITIONS = (*range(SHARDS), ACCOUNTS, SETS)


def after(looks: int) -> Callable[[], bool]:
    """Out of time after so many looks."""
    asked = count()
    return lambda: next(asked) >= looks


def shared(hall: Hall, number: int) -> list[str]:
    """Ids of so many started matches of four, of whom nobody has more than they may."""
    made = list[str]()
    while len(made) < number:
        _, match_id = hall.playing("ABCD")
        made += [match_id, *hall.copies(match_id, min(number - len(made), MOST_LIVE) - 1)]
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
    assert [Actor.TIMEOUT] == [made.actor for made in match.log.entries() if isinstance(made, LoggedMove)]


def test_moves_leave_the_index_alone(hall: Hall) -> None:
    """After many moves the match is found at its first deadline, and scheduled again under its true one."""
    people, match_id = hall.playing("ABCD")
    scheduled_at = hall.match(match_id).scheduled_at
    hall.wait(DAY - 1)
    people[hall.turn(match_id)].move(match_id)
    assert scheduled_at == hall.match(match_id).scheduled_at
    hall.wait(1)
    assert (1, 0) == ((report := hall.sweep()).scheduled, report.timed_out)
    assert hall.match(match_id).deadline_at == hall.match(match_id).scheduled_at


def test_twice_at_once(hall: Hall) -> None:
    """One sweep within another, between its read and its write: one move is made, the other sweep has lost."""
    (match_id,) = shared(hall, 1)
    hall.wait(DAY)
    with hall.instead(save=first(hall.sweep)):
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
    for _ in range(2):
        host.move(view.id)
        hall.wait(UNVISITED_LIFE - 1)
        hall.sweep()
    assert Status.PLAYING is host.read(view.id).status
    hall.wait(1)
    hall.sweep()
    assert Status.ABANDONED is host.read(view.id).status


def test_after_an_outage(hall: Hall) -> None:
    """Whatever has piled up in a day is done in one run, and nothing is looked at twice."""
    made = shared(hall, SHARDS * (BATCH + 10))
    hall.wait(2 * DAY)
    report = sweep(hall.services, after(5))
    assert (5, False, DAY) == (report.timed_out, report.finished, report.lag)
    report = hall.sweep()
    assert (len(made) - 5, len(made) - 5, True) == (report.seen, report.timed_out, report.finished)
    assert 0 == hall.sweep().seen


class Entries:
    """A due index by itself, in the place of a store: entries by partition, each with an owner."""

    def __init__(self) -> None:
        self.silent: set[int] = set()
        """Partitions that do not answer."""
        self.looks: list[tuple[int, str]] = []
        """Of every look the partition, and whose entry it was."""
        self._numbers = count()
        self._entries: dict[int, dict[str, tuple[int, str]]] = {partition: {} for partition in PARTITIONS}

    def file(self, partition: int, number: int, since: int, whose: str = "") -> None:
        self._entries[partition] |= {f"{next(self._numbers):08}": (since, whose) for _ in range(number)}

    def due(self, partition: int, now: int, limit: int, *, newest: bool = False) -> tuple[Due, ...]:
        if partition in self.silent:
            raise Unavailable
        due = sorted((since, entry) for entry, (since, _) in self._entries[partition].items() if since <= now)
        return tuple(Due(entry, since) for since, entry in (due[::-1] if newest else due)[:limit])

    def match(self, entry: str) -> None:
        for partition, entries in self._entries.items():
            if entry in entries:
                self.looks.append((partition, entries.pop(entry)[1]))

    player = deal_set = match


class TestShares:
    """More is due than one run can look at. Time is counted in looks."""

    @pytest.fixture
    def entries(self, hall: Hall) -> Entries:
        entries = Entries()
        hall.services = replace(hall.services, store=cast(Store, entries))
        return entries

    def test_no_partition_waits_for_another(self, hall: Hall, entries: Entries) -> None:
        """With one overloaded, every other has its share in every run, accounts too."""
        for partition in PARTITIONS:
            entries.file(partition, 1_000 if partition == 0 else 30, since=hall.clock.at)
        for run in range(1, 4):
            sweep(hall.services, after(10 * len(PARTITIONS)))
            assert dict.fromkeys(PARTITIONS, 10 * run) == Counter(where for where, _ in entries.looks)

    @pytest.mark.parametrize("most", [1, 2, 3, 4])
    def test_the_shortest_runs_reach_everything(self, hall: Hall, entries: Entries, most: int) -> None:
        """Runs of fewer looks than there are partitions, whatever their rhythm: none is left out for long."""
        for partition in PARTITIONS:
            entries.file(partition, 600, since=hall.clock.at)
        for _ in range(300):
            hall.wait(DAY)
            sweep(hall.services, after(most))
        share = 300 * most / len(PARTITIONS)
        assert all(share / 2 < looked < 2 * share for looked in Counter(where for where, _ in entries.looks).values())

    def test_a_backlog_holds_up_nobody_else(self, hall: Hall, entries: Entries) -> None:
        """Whoever has piled up a lot in every shard delays those who come due later by no more than a run, and is
        worked off all the same."""
        for partition in range(SHARDS):
            entries.file(partition, 1_000, since=hall.clock.at, whose="flood")
        for run in range(1, 11):
            hall.wait(MINUTE)
            for partition in range(SHARDS):
                entries.file(partition, 10, since=hall.clock.at - 1, whose="others")
            sweep(hall.services, after(200))
            looked = Counter(whose for _, whose in entries.looks)
            assert {"others": run * 10 * SHARDS, "flood": run * (200 - 10 * SHARDS)} == looked

    def test_the_oldest_come_first_otherwise(self, hall: Hall, entries: Entries) -> None:
        """What fits into one query is looked at in the order in which it came due."""
        for age in (5, 30, 10):
            entries.file(2, 1, since=hall.clock.at - age, whose=str(age))
        sweep(hall.services)
        assert ["30", "10", "5"] == [whose for _, whose in entries.looks]

    def test_how_far_behind(self, hall: Hall, entries: Entries) -> None:
        """Each partition's oldest entry is measured before the first look: a run that looks at nothing says it too."""
        for partition, number, age in ((3, 200, DAY), (1, 1, 20), (ACCOUNTS, 1, 2 * DAY)):
            entries.file(partition, number, since=hall.clock.at - age)
        report = sweep(hall.services, after(0))
        assert {"0": 0, "1": 20, "2": 0, "3": DAY, "accounts": 2 * DAY, "sets": 0} == report.behind
        assert (2 * DAY, False, []) == (report.lag, report.finished, entries.looks)

    def test_a_partition_that_does_not_answer(self, hall: Hall, entries: Entries) -> None:
        """The others have their run; the report says that something is left."""
        for partition in range(SHARDS):
            entries.file(partition, 60, since=hall.clock.at)
        entries.silent = {1}
        report = sweep(hall.services)
        assert {0: 60, 2: 60, 3: 60} == Counter(where for where, _ in entries.looks)
        assert (1, False) == (report.failed, report.finished)
        assert ["0", "2", "3", "accounts", "sets"] == sorted(report.behind)


class TestBadMatches:
    """What goes wrong with one match stays with it."""

    @pytest.mark.parametrize("error", [ValueError("bad"), Unreadable("not a packed match")], ids=["bad", "unreadable"])
    def test_put_off(self, hall: Hall, error: Exception, caplog: pytest.LogCaptureFixture) -> None:
        """It is reported and retried later, though nobody knows what is in it; the others are played on."""
        made = shared(hall, 8)
        hall.wait(DAY)
        with hall.instead(match=failing_for({made[0]}, error)):
            with caplog.at_level(logging.ERROR):
                report = hall.sweep()
            assert (7, 1, True) == (report.timed_out, report.failed, report.finished)
            assert [made[0]] == [record.match_id for record in caplog.records]  # type: ignore[attr-defined]
            assert 0 == hall.sweep().seen
        hall.wait(RETRY_AFTER)
        assert 1 == hall.sweep().timed_out

    def test_many_block_nothing(self, hall: Hall) -> None:
        """Not even where more of them than one look holds can't be put off, overdue before and after all others."""

        def first_shard(number: int) -> list[str]:
            hall.wait(MINUTE)
            return [match_id for match_id in shared(hall, number) if due_shard(match_id) == 0]

        older, good, newer = first_shard(SHARDS * (BATCH + 20)), first_shard(30)[0], first_shard(SHARDS * (BATCH + 20))
        assert min(len(older), len(newer)) > BATCH
        hall.wait(DAY)
        with hall.instead(match=failing_for([*older, *newer], ValueError()), postpone=failing(Unavailable())):
            hall.sweep()
        assert 1 == len(hall.match(good).log.codes())

    @pytest.mark.parametrize("error", [Unavailable(), Lost()], ids=["no answer", "a lost race"])
    def test_what_is_tried_again_at_once(self, hall: Hall, error: Exception) -> None:
        """Where the store did not answer, or somebody moved meanwhile, the match is not put off: the next run sees."""
        (match_id,) = shared(hall, 1)
        hall.wait(DAY)
        with hall.instead(save=failing(error)):
            report = hall.sweep()
        assert (isinstance(error, Unavailable), isinstance(error, Lost)) == (report.failed, report.lost)
        assert (1, 1) == (hall.sweep().timed_out, len(hall.match(match_id).log.codes()))
