"""Bots are told who makes the moves of each seat: what everybody at the table sees, no more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chalicelib import bots
from chalicelib.engine import Phase
from chalicelib.match.opponents import opponents
from chalicelib.service.tables.matches import SeatRequest
from tests.service.people import EAST, NORTH, SOUTH, WEST, Hall, four_at_cards, play_on, time_out

if TYPE_CHECKING:
    import pytest

    from chalicelib.bots import Opponents
    from chalicelib.engine import DealView, Move


def test_bots_are_told_the_levels_at_the_table(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every decision of a bot comes with the levels by seat; the person who is there counts as one."""
    told: set[Opponents] = set()
    choose = bots.choose

    def listening(view: DealView, level: str, key: bytes, opponents: Opponents) -> Move:
        assert view.seat is not None
        assert opponents.plays[view.seat] == level
        told.add(opponents)
        return choose(view, level, key, opponents)

    monkeypatch.setattr(bots, "choose", listening)
    levels = {EAST: SeatRequest("bot", "easy"), SOUTH: SeatRequest("bot", "steady"), WEST: SeatRequest("bot", "easy")}
    host = hall.guest()
    view = host.create(seats={NORTH: SeatRequest("human")} | levels, deals=1).view
    play_on((host,), view.id)
    assert {bots.among((None, "easy", "steady", "easy"))} == told


def test_a_stand_in_is_a_bot(hall: Hall) -> None:
    """While a player is away, the bot that stands in counts, and is seen with its level by all."""
    host, friend = hall.guests("A", "B")
    view = host.create(
        seats={NORTH: SeatRequest("human"), EAST: SeatRequest("empty")}
        | {seat: SeatRequest("bot", "sharp") for seat in (SOUTH, WEST)},
        turn_seconds=3600,
    ).view
    friend.join(view, EAST)
    assert (None, None, "sharp", "sharp") == opponents(hall.match(view.id), hall.deal(view.id)).plays
    while not hall.place(view.id, EAST).away:
        if hall.turn(view.id) is NORTH:
            host.move(view.id)
        else:
            time_out(hall, view.id)
    match, deal = hall.match(view.id), hall.deal(view.id)
    assert (None, "steady", "sharp", "sharp") == opponents(match, deal).plays
    assert (None, None, "sharp", "sharp") == opponents(match, deal, asking=EAST).plays


def test_who_spoke_stays_who_spoke(hall: Hall) -> None:
    """A bot that goes on for somebody who left after the auction has not made their call; a time-out's bot has."""
    host, friend = hall.guests("A", "B")
    view = four_at_cards((host, friend))
    while hall.deal(view.id).phase is Phase.AUCTION:
        play_on((host, friend), view.id, moves=1)
    friend.leave(view.id, EAST)
    now = opponents(hall.match(view.id), hall.deal(view.id))
    assert ((None, "steady"), (None, None)) == (now.plays[:2], now.spoke[:2])
    view = four_at_cards((host, hall.guest()), turn_seconds=60)
    late = time_out(hall, view.id)
    assert (None, "steady") == (
        opponents(hall.match(view.id), hall.deal(view.id)).plays[late],
        opponents(hall.match(view.id), hall.deal(view.id)).spoke[late],
    )
