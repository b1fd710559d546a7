"""When an app is told to ask again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chalicelib.engine import DealView, Seat
from chalicelib.match.cards import running_deal
from chalicelib.match.model import DAY, Match
from chalicelib.match.pace import poll_after
from dev.bench.live import MOST_SECONDS, Live
from tests.service.people import EAST, Hall, four_at_cards, play_on


def others_turn(match: Match) -> DealView:
    """The running deal as somebody sees it who waits for another's move."""
    deal = running_deal(match)
    assert deal is not None and deal.turn is not None
    return deal.view(deal.turn.next)


def told(match: Match, idle: int) -> float:
    """What a waiting player is told when nothing has happened for so many seconds."""
    return poll_after(match, others_turn(match), match.turn_at + idle)


@pytest.mark.parametrize(("clock", "most"), [(60, 3), (3600, 60), (DAY, 60), (14 * DAY, 60)])
def test_it_grows_while_nothing_happens(hall: Hall, clock: int, most: int) -> None:
    """A second just after a move, whatever the clock; more the longer nobody moves; never long against the clock."""
    match = hall.match(four_at_cards(hall.guests(*"ABCD"), turn_seconds=clock).id)
    assert 1 == told(match, 0)
    waits = [told(match, idle) for idle in (0, 5, 10, 20, 60, 600, 6000)]
    assert waits == sorted(waits) and most == waits[-1]
    assert 2 == told(match, 20)


@pytest.mark.parametrize(
    ("names", "seconds", "expected"),
    [("ABCD", 0, 0.25), ("ABCD", 1, 0.5), ("ABCD", 3, 1.5), ("ABCD", 30, 2), ("AB", 4, 2)],
)
def test_it_follows_the_pace(hall: Hall, names: str, seconds: int, expected: float) -> None:
    """Two looks in the time that people take for a move, within bounds; what bots do in the same moment says nothing of
    how quick people are."""
    people, match_id = hall.playing(names)
    for _ in range(12):
        hall.wait(seconds)
        play_on(people, match_id, 1)
    assert expected == told(hall.match(match_id), 0)


def test_it_follows_the_last_minutes(hall: Hall) -> None:
    """A morning's wait soon says nothing of the evening: 40 moves in these 40 seconds and the minute before."""
    people, match_id = hall.playing("ABCD")
    hall.wait(DAY // 2)
    for _ in range(40):
        hall.wait(1)
        play_on(people, match_id, 1)
    assert 1.25 == told(hall.match(match_id), 0)


def test_ones_own_turn(hall: Hall) -> None:
    """Nothing but the clock happens then."""
    match = hall.match(hall.playing("ABCD")[1])
    deal = running_deal(match)
    assert deal is not None
    assert 30 == poll_after(match, deal.view(deal.turn), match.turn_at)


def test_a_table_that_waits(hall: Hall) -> None:
    """Short while people come and go, longer when nobody has for a while."""
    host, friend = hall.guests("A", "B")
    view = host.open_table().view
    assert 1 == view.poll_after_seconds
    hall.wait(DAY)
    assert 15 == host.read(view.id).poll_after_seconds
    friend.join(view, EAST)
    assert 1 == host.read(view.id).poll_after_seconds


def test_after_the_end(hall: Hall) -> None:
    """People who have played together may play again, so it grows slowly; after a solo match nothing comes."""
    (people, shared), (alone, solo) = hall.over("ABCD"), hall.over("A")
    assert (2, 3600) == (people[0].read(shared).poll_after_seconds, alone[0].read(solo).poll_after_seconds)
    for seconds, expected in ((600, 60), (DAY, 3600)):
        hall.wait(seconds)
        assert expected == people[0].read(shared).poll_after_seconds


def test_it_depends_on_nothing_hidden(hall: Hall) -> None:
    """Who waits is told the same whatever cards there are, and a clock that is behind does no harm."""
    match = hall.match(four_at_cards(hall.guests(*"ABCD")).id)
    other = replace(match, secret=bytes(32))
    turn = running_deal(match).turn  # type: ignore[union-attr]
    seats = [seat for seat in Seat if seat is not turn]
    deals = [running_deal(each) for each in (match, other)]
    assert {1.0} == {
        poll_after(each, deal.view(seat), match.turn_at - 5)
        for each, deal in zip((match, other), deals, strict=True)
        if deal is not None
        for seat in seats
    }


@pytest.mark.parametrize("clock", [60, DAY])
def test_a_live_deal_takes_seconds(clock: int) -> None:
    """Four phones that move at once are through a deal in seconds, at a short clock as at a long one, with few requests
    a move."""
    live = Live(0, clock, deals=2).play()
    assert live.seconds / live.deals < MOST_SECONDS
    assert live.polls < 4 * live.moves


def test_people_who_think_wait_for_themselves(hall: Hall) -> None:
    """Of a deal whose players think three seconds, the API adds a second a move at most."""
    live = Live(3, DAY, deals=1).play()
    assert live.seconds < live.moves * 4.5
    assert live.polls < 9 * live.moves
