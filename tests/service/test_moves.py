"""The way of a move: numbered, judged, made once."""

from __future__ import annotations

from random import Random

import pytest

from chalicelib.engine import MOVES, Call, Pass
from chalicelib.match.model import DAY, Actor, Change, Status
from chalicelib.service.errors import Forbidden, NotFound, Refused, WrongState
from chalicelib.service.ports import Lost, Unavailable
from tests.service.people import NORTH, Hall, Person, four_at_cards, play_on


@pytest.fixture
def people(hall: Hall) -> tuple[Person, ...]:
    return hall.guests(*"ABCD")


@pytest.fixture
def match_id(people: tuple[Person, ...]) -> str:
    return four_at_cards(people, deals=2).id


def test_a_move(hall: Hall, people: tuple[Person, ...], match_id: str) -> None:
    """The mover's new view, and the events that came of it, numbered without gaps."""
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

    def test_the_same_move(self, hall: Hall, people: tuple[Person, ...], match_id: str) -> None:
        """200 with the view as it is now, and the events from that move on; nothing changes."""
        seat = hall.turn(match_id)
        first = people[seat].put(match_id, 1, Call(7))
        people[seat.next].put(match_id, 2, Pass())
        before = hall.match(match_id)
        again = people[seat].put(match_id, 1, Call(7))
        assert before == hall.match(match_id)
        assert (3, first.events[0]) == (again.view.next_move, again.events[0])
        assert ["call", "pass"] == [event.type for event in again.events]

    def test_another_move(self, hall: Hall, people: tuple[Person, ...], match_id: str) -> None:
        """409 with the current view: the number is taken."""
        seat = hall.turn(match_id)
        people[seat].put(match_id, 1, Call(7))
        with pytest.raises(WrongState, match="move_already_made") as failure:
            people[seat].put(match_id, 1, Call(8))
        assert {"move_number": 1, "next_move": 2} == failure.value.params
        assert failure.value.current == people[seat].read(match_id)

    def test_anothers_move(self, hall: Hall, people: tuple[Person, ...], match_id: str) -> None:
        """The same move at the same number by another seat is not theirs."""
        seat = hall.turn(match_id)
        people[seat].put(match_id, 1, Call(7))
        with pytest.raises(WrongState, match="move_already_made"):
            people[seat.next].put(match_id, 1, Call(7))

    def test_every_move_of_an_ended_match(self, hall: Hall, people: tuple[Person, ...], match_id: str) -> None:
        """Moves of closed deals, the last one's and forced ones included, are found in their records."""
        play_on(people, match_id, choose=Random(3))
        match = hall.match(match_id)
        assert match.status is Status.FINISHED
        moves = [event for event in people[NORTH].feed(match_id) if "move_number" in event.values]
        codes = [code for closed in hall.store.closed_deals(match_id, 1, 2) for code in closed.log.codes()]
        assert 2 * 57 == len(codes) == len(moves)
        for number, (code, made) in enumerate(zip(codes, moves, strict=True), 1):
            assert made.seat is not None
            again = people[made.seat].put(match_id, number, MOVES[code])
            assert match.version == again.events[-1].version
            if again.events_from is None:
                assert made == again.events[0]
            else:
                assert made == people[NORTH].feed(match_id, again.events_from)[0]
        assert match == hall.match(match_id)

    def test_after_a_lost_answer(
        self, hall: Hall, people: tuple[Person, ...], match_id: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The write stood though its answer was lost: the store reports a lost race, and the move is found made."""
        save = hall.store.save

        def lost_answer(change: Change) -> None:
            save(change)
            monkeypatch.undo()
            raise Lost

        monkeypatch.setattr(hall.store, "save", lost_answer)
        told = people[hall.turn(match_id)].put(match_id, 1, Call(9))
        assert 2 == told.view.next_move and ["call"] == [event.type for event in told.events]

    def test_after_an_unanswered_write(
        self, hall: Hall, people: tuple[Person, ...], match_id: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Where nothing is known of the write the caller is told so, and finds out by repeating."""
        save, seat = hall.store.save, hall.turn(match_id)

        def unanswered(change: Change) -> None:
            save(change)
            raise Unavailable

        monkeypatch.setattr(hall.store, "save", unanswered)
        with pytest.raises(Unavailable):
            people[seat].put(match_id, 1, Call(9))
        monkeypatch.undo()
        assert 2 == people[seat].put(match_id, 1, Call(9)).view.next_move


class TestRefusals:
    """What is no move here and now; nothing of it changes anything."""

    def test_beyond_the_next(self, hall: Hall, people: tuple[Person, ...], match_id: str) -> None:
        """409 with the number that is next."""
        with pytest.raises(WrongState, match="move_out_of_order") as failure:
            people[hall.turn(match_id)].put(match_id, 2, Call(7))
        assert {"next_move": 1} == failure.value.params and failure.value.current is not None

    def test_against_the_rules(self, hall: Hall, people: tuple[Person, ...], match_id: str) -> None:
        """422 with the engine's reason and the current view."""
        before, seat = hall.match(match_id), hall.turn(match_id)
        for person, move, reason in (
            (people[seat], Pass(), "opener_must_call"),
            (people[seat], MOVES[0], "auction_not_over"),
            (people[seat.next], Call(7), "not_your_turn"),
        ):
            with pytest.raises(Refused, match=reason) as failure:
                person.put(match_id, 1, move)
            assert failure.value.current == person.read(match_id)
        assert before == hall.match(match_id)

    def test_a_table_that_waits(self, hall: Hall) -> None:
        """409: not started yet."""
        host = hall.guest()
        with pytest.raises(WrongState, match="match_not_started"):
            host.put(host.open_table().view.id, 1, Call(7))

    def test_an_ended_match(self, hall: Hall, people: tuple[Person, ...], match_id: str) -> None:
        """409: over."""
        play_on(people, match_id)
        view = people[NORTH].read(match_id)
        for number in (view.next_move, view.next_move + 1):
            with pytest.raises(WrongState, match="match_over"):
                people[NORTH].put(match_id, number, Call(7))

    def test_those_without_a_seat(self, hall: Hall) -> None:
        """403 for those who may watch, 404 for those who may not."""
        stranger, people = hall.guest(), hall.guests(*"ABCD")
        private, watched = four_at_cards(people).id, four_at_cards(people, spectators=True).id
        with pytest.raises(NotFound, match="match_not_found"):
            stranger.put(private, 1, Call(7))
        with pytest.raises(Forbidden, match="not_seated"):
            stranger.put(watched, 1, Call(7))


def test_the_store_sees_one_read_and_one_write(
    hall: Hall, people: tuple[Person, ...], match_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A move reads the match once and writes it once, nothing besides, and never its place in the due index."""
    calls: list[str] = []
    for name in (
        "match",
        "save",
        "matches",
        "closed_deals",
        "closed_deal",
        "batches",
        "latest_batches",
        "membership",
        "player",
        "players",
    ):
        plain = getattr(hall.store, name)

        def counted(*args: object, name: str = name, plain: object = plain) -> object:
            calls.append(name)
            assert callable(plain)
            return plain(*args)

        monkeypatch.setattr(hall.store, name, counted)
    seat, scheduled_at = hall.turn(match_id), hall.match(match_id).scheduled_at
    calls.clear()
    hall.wait(DAY // 2)
    people[seat].put(match_id, 1, Call(7))
    assert ["match", "save"] == calls
    assert scheduled_at == hall.match(match_id).scheduled_at


def test_whole_matches_of_any_kind(hall: Hall) -> None:
    """Random play through whole matches: scores add up over the deals, and the winner is who has more."""
    for seed, humans in enumerate((4, 2, 1)):
        people = hall.guests(*["P"] * humans)
        view = four_at_cards(people, deals=3)
        play_on(people, view.id, choose=Random(seed))
        view = people[0].read(view.id)
        assert view.result is not None and 3 == len(view.result.deals)
        ns, ew = view.result.scores
        assert (ns, ew) == view.scores
        assert {True: "ns", False: "ew"}[ns > ew] == view.result.winner if ns != ew else view.result.winner is None
