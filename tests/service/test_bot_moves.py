"""Bots at a table: their chance, and what a fault in one does."""

from __future__ import annotations

import logging
from collections.abc import Callable
from random import Random

import pytest

from chalicelib import bots
from chalicelib.engine import MOVES, SEATS, DealView, Move
from chalicelib.match.log import Made
from chalicelib.match.model import DAY, Actor, Status
from chalicelib.service.errors import Refused
from chalicelib.service.play import hints as room
from chalicelib.service.play.hints import hint
from chalicelib.service.tables.matches import SeatRequest
from tests.service.people import EAST, NORTH, Hall, Person, play_on, send_away, table

SHARP = {NORTH: SeatRequest("human")} | dict.fromkeys(SEATS[1:], SeatRequest("bot", "sharp"))


class TestChance:
    """It follows from the match and the number of the move, and from nothing else that happens."""

    @pytest.mark.parametrize("seed", range(3))
    def test_renames_change_no_game(self, seed: int) -> None:
        """The same match is played with and without a rename before every move of its person."""

        def played(names: bool) -> list[int]:
            hall, choose = Hall(seed=seed), Random(seed)
            host = hall.guest()
            match_id = host.create(seats=SHARP, deals=1).view.id
            while (view := host.read(match_id)).status is Status.PLAYING:
                if names:
                    host.rename(f"Asha {view.next_move}")
                host.move(match_id, choose)
            return list(hall.deal_at_end(match_id).codes)

        assert played(names=False) == played(names=True)

    def test_a_hint_stays_the_same(self, hall: Hall) -> None:
        """However often the player is renamed before the move."""
        host = hall.guest()
        match_id = host.create(seats=SHARP).view.id
        told = hint(hall.services, host.id, match_id)
        for number in range(3):
            host.rename(f"Asha {number}")
            assert told == hint(hall.services, host.id, match_id)


class TestFaults:
    """A bot that raises, or answers with a move that is not legal, does not lock its table."""

    @pytest.fixture(params=["raises", "illegal"])
    def faulty(self, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
        def choose(view: DealView, *_: object) -> Move:
            if request.param == "raises":
                raise ZeroDivisionError
            return next(move for move in MOVES if move not in view.legal_moves)

        return lambda: monkeypatch.setattr(bots, "choose", choose)

    def test_moves_and_leaving_go_on(
        self, hall: Hall, faulty: Callable[[], None], caplog: pytest.LogCaptureFixture
    ) -> None:
        """Whole matches are played; each fault is logged with the match's id."""
        people = host, friend = hall.guests("A", "B")
        view = table(people, deals=2)
        faulty()
        with caplog.at_level(logging.ERROR, "chalicelib"):
            play_on(people, view.id, 40)
            host.leave(view.id, NORTH)
            play_on((host, friend), view.id)
        assert Status.FINISHED is hall.match(view.id).status
        assert {view.id} == {getattr(record, "match_id", None) for record in caplog.records}

    def test_it_plays_the_first_legal_move(self, hall: Hall, faulty: Callable[[], None]) -> None:
        """Which the record tells as a bot's, like any other."""
        people = hall.guests("A")
        faulty()
        view = table(people, deals=1)
        play_on(people, view.id)
        end = hall.deal_at_end(view.id)
        record = hall.store.closed_deal(view.id, 1)
        assert record is not None
        made = [entry for entry in record.log.entries() if isinstance(entry, Made)]
        assert {Actor.PLAYER, Actor.BOT} == {entry.actor for entry in made}
        assert 57 == len(made) and end.result is not None

    def test_the_sweep_goes_on(self, hall: Hall, faulty: Callable[[], None]) -> None:
        """Late turns are played, and the seats of players who stay away."""
        people = hall.guests(*"ABCD")
        view = table(people, deals=1)
        faulty()
        send_away(hall, view.id, people, EAST)
        play_on(people, view.id)
        assert Status.FINISHED is hall.match(view.id).status
        hall.wait(DAY)
        assert (0, True) == ((report := hall.sweep()).failed, report.finished)

    def test_a_hint_with_a_fault(self, hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
        """The player is told that there is none, with the view to go on from, and can play."""
        host: Person = hall.guest()
        match_id = host.create().view.id

        def fails(*_: object, **__: object) -> None:
            raise ZeroDivisionError

        monkeypatch.setattr(room, "hint_for", fails)
        with pytest.raises(Refused) as refusal:
            hint(hall.services, host.id, match_id)
        assert "hint_unavailable" == refusal.value.code
        assert refusal.value.current is not None
        host.move(match_id)
