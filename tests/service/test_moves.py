"""The way of a move: numbered, judged, made once. (Who is refused: tests/api/test_refusals.py.)"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import pytest

from chalicelib.engine import MOVES, Call
from chalicelib.match.model import DAY, Change, Status
from chalicelib.service.ports import Lost, Store, Unavailable
from tests.service.people import NORTH, Hall, four_at_cards, play_on


class TestRepeating:
    """A PUT that is sent again."""

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
        """The write stood though its answer was lost."""
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
