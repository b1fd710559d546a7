"""The way of a move: numbered, judged, made once. (Who is refused: tests/api/test_refusals.py.)"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import pytest

from chalicelib.engine import MOVES, Call, Pass
from chalicelib.match.model import DAY, Actor, Change, Status
from chalicelib.service.ports import Lost, Store, Unavailable
from tests.service.people import NORTH, Hall, four_at_cards, play_on, refused


def test_a_move(hall: Hall) -> None:
    """The mover's new view, and the events that came of it, numbered without gaps."""
    people, match_id = hall.playing("ABCD")
    seat, before = hall.turn(match_id), people[NORTH].read(match_id)
    told = people[seat].put(match_id, 1, Call(7))
    assert (2, before.version + 1, seat) == (told.view.next_move, told.view.version, told.view.seat)
    assert [("call", Actor.PLAYER, seat, {"number": 7, "move_number": 1})] == [
        (event.type, event.actor, event.seat, event.values) for event in told.events
    ]


def test_bots_follow_in_the_same_write(hall: Hall) -> None:
    """Alone with three bots it is always my turn again, or the deal is over: one write a move."""
    host = hall.guest()
    view = host.create(deals=1).view
    while view.status is Status.PLAYING:
        assert view.deal is not None and view.deal.turn == view.seat
        told = host.move(view.id)
        assert view.version + len(told.events) == told.view.version
        view = told.view


class TestRepeating:
    """A PUT that is sent again."""

    def test_the_same_move(self, hall: Hall) -> None:
        """The view as it is now, and the events from that move on; nothing changes. Another move at that number, or the
        same by another seat, is not theirs."""
        people, match_id = hall.playing("ABCD")
        seat = hall.turn(match_id)
        told = people[seat].put(match_id, 1, Call(7))
        people[seat.next].put(match_id, 2, Pass())
        before = hall.match(match_id)
        again = people[seat].put(match_id, 1, Call(7))
        assert (3, told.events[0]) == (again.view.next_move, again.events[0])
        assert ["call", "pass"] == [event.type for event in again.events]
        failure = refused("move_already_made", people[seat].put, match_id, 1, Call(8))
        assert ({"move_number": 1, "next_move": 3}, again.view) == (failure.params, failure.current)
        refused("move_already_made", people[seat.next].put, match_id, 1, Call(7))
        assert before == hall.match(match_id)

    def test_every_move_of_an_ended_match(self, hall: Hall) -> None:
        """Moves of closed deals, the last one's and forced ones included, are found in their records."""
        people = hall.guests(*"ABCD")
        match_id = four_at_cards(people, deals=2).id
        play_on(people, match_id, choose=Random(3))
        match = hall.match(match_id)
        moves = [event for event in people[NORTH].feed(match_id) if "move_number" in event.values]
        codes = [code for closed in hall.store.closed_deals(match_id, 1, 2) for code in closed.log.codes()]
        assert 2 * 57 == len(codes) == len(moves)
        for number, (code, made) in enumerate(zip(codes, moves, strict=True), 1):
            assert made.seat is not None
            again = people[made.seat].put(match_id, number, MOVES[code])
            assert match.version == again.events[-1].version
            whole = again.events if again.events_from is None else people[NORTH].feed(match_id, again.events_from)
            assert made == whole[0]
        assert match == hall.match(match_id)

    @pytest.mark.parametrize("failure", [Lost(), Unavailable()], ids=["lost", "unanswered"])
    def test_after_a_lost_answer(self, hall: Hall, failure: Exception) -> None:
        """The write stood though its answer was lost. Where the store reports a lost race, the move is found made;
        where nothing is known of the write the caller is told so, and finds out by repeating."""
        people, match_id = hall.playing("ABCD")
        once = iter([True])

        def unanswered(save: Callable[[Change], None], change: Change) -> None:
            save(change)
            if next(once, False):
                raise failure

        put = partial(people[hall.turn(match_id)].put, match_id, 1, Call(9))
        with hall.instead(save=unanswered):
            if isinstance(failure, Unavailable):
                with pytest.raises(Unavailable):
                    put()
            told = put()
        assert 2 == told.view.next_move and ["call"] == [event.type for event in told.events]


def test_the_store_sees_one_read_and_one_write(hall: Hall) -> None:
    """A move reads the match once and writes it once, nothing besides, and never its place in the due index."""
    people, match_id = hall.playing("ABCD")
    calls = list[str]()

    def counted(name: str, plain: Callable[..., Any], *args: object, **more: object) -> object:
        calls.append(name)
        return plain(*args, **more)

    every = {name: partial(counted, name) for name in dir(Store) if not name.startswith("_")}
    assert {"match", "save", "membership", "player", "count", "devices"} <= every.keys()
    seat, scheduled_at = hall.turn(match_id), hall.match(match_id).scheduled_at
    hall.wait(DAY // 2)
    with hall.instead(**every):
        people[seat].put(match_id, 1, Call(7))
    assert ["match", "save"] == calls
    assert scheduled_at == hall.match(match_id).scheduled_at


@pytest.mark.parametrize("humans", [4, 2, 1])
def test_whole_matches_of_any_kind(hall: Hall, humans: int) -> None:
    """Random play through whole matches: scores of the sides that declared add up over the deals, the winner is who has
    more, and moves are counted through the match."""
    people = hall.guests(*["P"] * humans)
    match_id, choose = four_at_cards(people, deals=3).id, Random(humans)
    while (match := hall.match(match_id)).status is Status.PLAYING:
        assert match.base_move + len(hall.deal(match_id).moves) + 1 == people[0].read(match_id).next_move
        play_on(people, match_id, 1, choose)
    view = people[0].read(match_id)
    assert view.result is not None and (3, 3 * 57 + 1) == (len(view.result.deals), view.next_move)
    ns, ew = (sum(deal.score for deal in view.result.deals if deal.side == side) for side in ("ns", "ew"))
    assert (ns, ew) == view.scores == view.result.scores
    assert view.result.winner == ("ns" if ns > ew else "ew" if ew > ns else None)
