"""Bots at a table: what they reckon with, their chance, what a fault in one does; and hints."""

from __future__ import annotations

import hmac
import logging
from dataclasses import replace
from functools import partial
from random import Random
from typing import NoReturn

import pytest

from chalicelib import bots
from chalicelib.engine import MOVES, SEATS, Deal, Move, Phase
from chalicelib.match.log import LoggedMove
from chalicelib.match.model import DAY, Actor, Match, Status
from chalicelib.match.opponents import bot_move, opponents
from chalicelib.service import bots as room
from chalicelib.service.play.hints import hint
from chalicelib.service.tables.matches import SeatRequest
from tests.service.people import EAST, NORTH, SOUTH, WEST, Hall, play_on, refused, send_away, time_out

ME = {NORTH: SeatRequest("human")}
SHARP = ME | dict.fromkeys(SEATS[1:], SeatRequest("bot", "easy")) | {EAST: SeatRequest("bot", "sharp")}


def test_bots_are_told_the_levels_at_the_table(hall: Hall) -> None:
    """Every move of a bot is its level's choice, from its seat's view and the levels by seat, no more; the person who
    is there counts as one."""
    decided = []

    def listening(match: Match, deal: Deal) -> Move:
        assert deal.turn is not None
        place = match.places[deal.turn]
        key = hmac.digest(match.secret, b"bot:%d" % (match.base_move + len(deal.codes) + 1), "sha256")
        told = bots.among((None, "easy", "steady", "easy"))
        move = bots.choose(deal.view(deal.turn), place.level or "", key, told)
        decided.append(deal.turn)
        assert move == bot_move(match, deal)
        return move

    hall.services = replace(hall.services, choose=listening)
    levels = {EAST: SeatRequest("bot", "easy"), SOUTH: SeatRequest("bot", "steady"), WEST: SeatRequest("bot", "easy")}
    host = hall.guest()
    play_on((host,), host.create(seats=ME | levels, deals=1).view.id)
    assert {EAST, SOUTH, WEST} == set(decided)


def test_a_stand_in_is_a_bot(hall: Hall) -> None:
    """While a player is away the bot that stands in counts, and is seen with its level by all."""
    host, friend = people = hall.guests("A", "B")
    sharp = {seat: SeatRequest("bot", "sharp") for seat in (SOUTH, WEST)}
    view = host.create(seats=ME | sharp, turn_seconds=3600).view
    friend.join(view, EAST)
    host.start(view.id)
    assert (None, None, "sharp", "sharp") == opponents(hall.match(view.id), hall.deal(view.id)).plays
    send_away(hall, view.id, people, EAST)
    match, deal = hall.match(view.id), hall.deal(view.id)
    assert (None, "steady", "sharp", "sharp") == opponents(match, deal).plays
    assert (None, None, "sharp", "sharp") == opponents(match, deal, asking=EAST).plays
    people, match_id = hall.playing("AB")
    while hall.deal(match_id).phase is Phase.AUCTION:
        play_on(people, match_id, moves=1)
    people[EAST].leave(match_id, EAST)
    now = opponents(hall.match(match_id), hall.deal(match_id))
    assert ((None, "steady"), (None, None)) == (now.plays[:2], now.spoke[:2])
    _, match_id = hall.playing("AB")
    late = time_out(hall, match_id)
    now = opponents(hall.match(match_id), hall.deal(match_id))
    assert (None, "steady") == (now.plays[late], now.spoke[late])


@pytest.mark.parametrize("seed", range(2))
def test_renames_change_no_game(seed: int) -> None:
    """A bot's chance follows from the match and the number of the move: the same match is played, and the same hint is
    given, with and without a rename before every move of its person."""

    def played(names: bool) -> list[object]:
        hall, choose, hints = Hall(seed=seed), Random(seed), list[object]()
        host = hall.guest()
        match_id = host.create(seats=SHARP if seed else None, deals=1).view.id
        for number in range(9):  # two for the auction, and into the fourth trick or so
            if names:
                host.rename(f"Asha {number}")
            hints.append(hint(hall.services, host.id, match_id))
            host.move(match_id, choose)
        return [hints, hall.deal(match_id).codes]

    assert played(names=False) == played(names=True)


class TestFaults:
    """A bot that raises, or answers with a move that is not legal, does not lock its table: its first legal one is
    played, and recorded as a bot's."""

    @pytest.fixture(params=["raises", "illegal"])
    def faulty(self, hall: Hall, request: pytest.FixtureRequest) -> Hall:
        def fails(match: Match, deal: Deal) -> Move:
            if request.param == "raises":
                raise ZeroDivisionError
            return next(move for move in MOVES if move not in deal.legal_moves())

        hall.services = replace(hall.services, choose=partial(room.choose, bot=fails))
        return hall

    def test_moves_and_leaving_go_on(self, faulty: Hall, caplog: pytest.LogCaptureFixture) -> None:
        """Whole matches are played; each fault is logged with the match's id."""
        with caplog.at_level(logging.ERROR, "chalicelib"):
            people, match_id = faulty.playing("AB", deals=2)
            play_on(people, match_id, 40)
            people[0].leave(match_id, NORTH)
            play_on(people, match_id)
        assert Status.FINISHED is faulty.match(match_id).status
        assert {match_id} == {getattr(record, "match_id", None) for record in caplog.records}
        record = faulty.store.closed_deal(match_id, 1)
        assert record is not None
        made = [entry for entry in record.log.entries() if isinstance(entry, LoggedMove)]
        assert (57, {Actor.PLAYER, Actor.BOT}) == (len(made), {entry.actor for entry in made})

    def test_the_sweep_goes_on(self, faulty: Hall) -> None:
        """Late turns are played, and the seats of players who stay away."""
        people, match_id = faulty.playing("ABCD", deals=1)
        send_away(faulty, match_id, people, EAST)
        play_on(people, match_id)
        assert Status.FINISHED is faulty.match(match_id).status
        faulty.wait(DAY)
        assert (0, True) == ((report := faulty.sweep()).failed, report.finished)

    def test_a_hint_with_a_fault(self, hall: Hall) -> None:
        """The player is told that there is none, with the view to go on from, and can play."""

        def fails(*_: object, **__: object) -> NoReturn:
            raise ZeroDivisionError

        host = hall.guest()
        match_id = host.create().view.id
        failure = refused("hint_unavailable", hint, hall.services, host.id, match_id, fails)
        assert host.read(match_id) == failure.current
        host.move(match_id)


def test_a_hint_is_a_legal_move_with_its_reason(hall: Hall) -> None:
    """The one whose turn it is gets a move of its own, the same one however often it asks; asking changes nothing."""
    people, match_id = hall.playing("ABCD", deals=1)
    for _ in range(12):
        match, mover = hall.match(match_id), people[hall.turn(match_id)]
        told = hint(hall.services, mover.id, match_id)
        assert told.move in hall.deal(match_id).legal_moves()
        assert told.code and told.text.endswith(".")
        assert (told, match) == (hint(hall.services, mover.id, match_id), hall.match(match_id))
        mover.put(match_id, mover.read(match_id).next_move, told.move)
