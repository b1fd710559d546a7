"""Two entries of a set in which the players make the same moves are the same, whatever else happens at one of them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Any, cast

import pytest

from chalicelib.engine import Move
from chalicelib.match import sets
from chalicelib.match.model import Status
from chalicelib.service.play import hints, moves
from chalicelib.service.ports import Store, Unavailable
from chalicelib.service.services import Services
from chalicelib.service.sets import entries, making
from chalicelib.service.tables.matches import SeatRequest
from tests.service.meddling import InterruptedStore, Killed
from tests.service.people import EAST, NORTH, SOUTH, WEST, Hall, Person, play_on

LEVELS = ["easy"] * 24 + ["steady"] * 5 + ["sharp"]


def a_set(hall: Hall, chance: Random) -> str:
    """A challenge from a random seat, against bots of random levels."""
    asha = hall.guest("Asha")
    seats = {seat: SeatRequest("bot", chance.choice(LEVELS)) for seat in (NORTH, EAST, SOUTH, WEST)}
    seats[chance.choice((NORTH, EAST, SOUTH, WEST))] = SeatRequest("human")
    match_id = asha.create(seats=seats, deals=1, client_seed="5eed").view.id
    play_on((asha,), match_id, choose=chance)
    return making.challenge(hall.services, asha.id, match_id).id


def rename(player: Person, _match_id: str, chance: Random) -> None:
    player.rename(f"Bilal {chance.random():.5}")


def another_container(player: Person, _match_id: str, chance: Random) -> None:
    player.hall.services = Services(player.hall.store, player.hall.clock, Random(chance.random()).randbytes)


def a_late_sweep(player: Person, _match_id: str, chance: Random) -> None:
    player.hall.wait(chance.randrange(100_000))
    player.hall.sweep()


def sitting_down_again(player: Person, match_id: str, _chance: Random) -> None:
    seat = player.read(match_id).seat
    assert seat is not None
    player.sit(match_id, seat)


def a_hint(player: Person, match_id: str, _chance: Random) -> None:
    hints.hint(player.hall.services, player.id, match_id)


DISTURBANCES: tuple[Callable[[Person, str, Random], None], ...] = (
    rename,
    another_container,
    a_late_sweep,
    sitting_down_again,
    a_hint,
)


def lost(call: Callable[..., Any], *args: Any, **more: Any) -> Any:
    """It happens, and nobody is told."""
    call(*args, **more)
    raise Unavailable


def kill() -> None:
    raise Killed


def send(player: Person, match_id: str, number: int, move: Move, trouble: str) -> None:
    """Make the move, with this trouble on the way; then again, as an app does that has had no answer."""
    hall = player.hall
    if trouble == "killed":  # before the write
        killing = replace(hall.services, store=cast(Store, InterruptedStore(hall.store, 1, kill)))
        with suppress(Killed):
            moves.make(killing, player.id, match_id, number, move)
    elif trouble == "lost":
        with hall.instead(save=lost), suppress(Unavailable):
            player.put(match_id, number, move)
    elif trouble == "two at once":
        meddled = InterruptedStore(hall.store, 1, lambda: player.put(match_id, number, move))
        moves.make(replace(hall.services, store=cast(Store, meddled)), player.id, match_id, number, move)
    player.put(match_id, number, move)


@pytest.mark.parametrize("pairs", [4, pytest.param(1_000, marks=pytest.mark.slow)])
def test_the_same_moves_meet_the_same_bots(pairs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Renames, other containers, late sweeps, hints, moves sent twice or by two devices at once, lost answers and
    processes killed before the write change no move of a bot's."""
    monkeypatch.setattr(sets, "PAR_LEVEL", "easy")  # the sweep makes par, too
    chance = Random(17)
    for _ in range(pairs):
        hall = Hall(seed=chance.randrange(10**6))
        set_id = a_set(hall, chance)
        calm, troubled = hall.guests("Calm", "Troubled")
        one, other = (entries.enter(hall.services, each.id, set_id).view.id for each in (calm, troubled))
        while hall.match(one).status is Status.PLAYING:
            view = calm.read(one)
            assert view.deal is not None
            move = chance.choice(view.deal.legal_moves)
            calm.put(one, view.next_move, move)
            if chance.random() < 0.3:
                chance.choice(DISTURBANCES)(troubled, other, chance)
            trouble = chance.choice(("killed", "lost", "two at once", "", "", "", ""))
            send(troubled, other, view.next_move, move, trouble)
        played = [[deal.log.codes() for deal in hall.store.closed_deals(each, 1, 9)] for each in (one, other)]
        assert played[0] == played[1]
        assert hall.match(one).results == hall.match(other).results
