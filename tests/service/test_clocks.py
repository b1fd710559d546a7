"""Machines whose clocks differ: no feed tells that something happened before what came before it."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from random import Random

import pytest

from chalicelib.engine import Seat
from chalicelib.match.model import Status
from chalicelib.service.play import history
from dev.simulation.clock import Clock
from tests.service.people import EAST, NORTH, SOUTH, Hall, Person

MINUTE = 60


class JumpingClock(Clock):
    """Told by one machine after the other, up to so many seconds apart, while time goes on."""

    def __init__(self, apart: int) -> None:
        super().__init__()
        self._random, self._apart = Random(apart), apart

    def __call__(self) -> int:
        return self.at + self._random.randint(-self._apart, self._apart)


@pytest.mark.parametrize("apart", [5, 90, 4000])
def test_feeds_never_run_back(apart: int) -> None:
    """Through whole matches with renames, people who leave their seats, and late turns."""
    hall, random, left = Hall(clock=JumpingClock(apart)), Random(3), set[Seat]()
    people, match_id = hall.playing("ABCD", deals=3, spectators=True)
    while (match := hall.match(match_id)).status is Status.PLAYING:
        hall.wait(random.choice((0, 1, 7, MINUTE)))
        what = random.random()
        if what < 0.1:
            random.choice(people).rename(f"Asha {match.version}")
        elif what < 0.11 and len(left) < 2:
            gone = random.choice((EAST, SOUTH))
            if gone not in left:
                people[gone].leave(match_id, gone)
            left.add(gone)
        else:
            people[hall.turn(match_id)].move(match_id)
    people[NORTH].rename("Bela")
    people[NORTH].rematch(match_id)
    _check(hall, people[NORTH], match_id)


def test_the_next_deal_begins_after_the_last_ended(hall: Hall) -> None:
    """Its first event is told by a machine that is five seconds behind the one that told the last trick."""
    people, match_id = hall.playing("ABCD", deals=2)
    while hall.match(match_id).deal == 1:
        last = len(hall.deal(match_id).codes) == 52  # the thirteenth trick follows by itself
        hall.wait(-5 if last else MINUTE)
        people[hall.turn(match_id)].move(match_id)
    _check(hall, people[NORTH], match_id)


def test_before_the_start(hall: Hall) -> None:
    """Seats taken and left, the start and the end, each told an hour earlier than the one before."""
    host, friend, other = hall.guests("A", "B", "C")
    view = host.open_table(seat=NORTH).view
    for act in (
        partial(friend.join, view, EAST),
        partial(friend.leave, view.id, EAST),
        partial(other.join, view, SOUTH),
        partial(host.start, view.id),
        partial(host.leave, view.id, NORTH),
        partial(other.leave, view.id, SOUTH),
    ):
        hall.wait(-60 * MINUTE)
        act()
    match = hall.match(view.id)
    assert Status.ABANDONED is match.status and view.created_at <= match.turn_at
    _check(hall, other, view.id)


def _check(hall: Hall, reader: Person, match_id: str) -> None:
    told = [event.at for event in reader.feed(match_id)]
    assert told == sorted(told)
    closed = hall.store.closed_deals(match_id, 1, hall.match(match_id).deal)
    records = [history.deal_record(hall.services, reader.id, match_id, deal.number) for deal in closed]
    for record in records:
        times = [record.started_at, *(move.at for move in record.moves), record.ended_at]
        assert times == sorted(times)
    assert all(before.ended_at <= after.started_at for before, after in pairwise(records))
