"""Sets: the same deals for everybody."""

from __future__ import annotations

from random import Random

import pytest

from chalicelib.engine import SEATS
from chalicelib.match.model import DAY, Status
from chalicelib.service.errors import Failure
from chalicelib.service.sets import entries, making, results
from tests.service.people import Hall, Person, play_on


def finished_match(player: Person, seed: int = 1, **options: object) -> str:
    """A solo match that the player has played to its end, with moves drawn by lot."""
    view = player.create(**{"deals": 1, "client_seed": "c0ffee", **options}).view
    play_on((player,), view.id, choose=Random(seed))
    assert player.read(view.id).status is Status.FINISHED
    return view.id


def test_a_challenge_is_the_same_cards(hall: Hall) -> None:
    asha, bilal = hall.guests("Asha", "Bilal")
    source = finished_match(asha)
    made = making.challenge(hall.services, asha.id, source)
    assert made == making.challenge(hall.services, asha.id, source)
    entered = entries.enter(hall.services, bilal.id, made.id).view
    assert entered.id == entries.enter(hall.services, bilal.id, made.id).view.id
    assert hall.deal(entered.id).hands == hall.deal_at_end(source).hands
    play_on((bilal,), entered.id, choose=Random(1))
    assert hall.match(entered.id).results == hall.match(source).results
    view = results.read(hall.services, bilal.id, made.id)
    assert not view.counted and view.ranking
    hall.sweep()
    view = results.read(hall.services, bilal.id, made.id)
    assert view.counted
    print(view.ranking, view.deals, hall.store.histogram(made.id))
    hall.wait(1)
    print(hall.sweep())
    assert len(results.read(hall.services, bilal.id, made.id).deals) == 1
    print(results.by_name(hall.services, bilal.id, made.id))


def test_daily(hall: Hall) -> None:
    asha, bilal = hall.guests("Asha", "Bilal")
    view = results.read_daily(hall.services, asha.id)
    print(view)
    e = entries.enter(hall.services, asha.id, view.dealt.id).view
    while not hall.sweep().pars == 0:
        hall.wait(60)
    play_on((asha,), e.id, choose=Random(1))
    print(results.read_daily(hall.services, asha.id).par_score, hall.sweep())
    print(results.read_daily(hall.services, asha.id).ranking)
