"""Being away, standing still and coming back while cards are played."""

from __future__ import annotations

from random import Random

import pytest

from chalicelib.engine import MOVES
from chalicelib.match.model import DAY, UNVISITED_LIFE, Actor, Status
from chalicelib.service.errors import WrongState
from tests.service.people import EAST, NORTH, SOUTH, Hall, Person, play_on, send_away, table, time_out

MINUTE = 60


class TestAway:
    """After two time-outs running a seat is away, and its bot plays at once."""

    def test_two_time_outs(self, hall: Hall) -> None:
        """The first leaves the player at the table, the second does not; a move of one's own between counts anew."""
        people = hall.guests(*"ABCD")
        match_id = table(people).id
        first = time_out(hall, match_id)
        assert (1, False) == (hall.place(match_id, first).timeouts, hall.place(match_id, first).away)
        while hall.turn(match_id) is not first:
            people[hall.turn(match_id)].move(match_id)
        people[first].move(match_id)
        assert 0 == hall.place(match_id, first).timeouts
        send_away(hall, match_id, people, first)
        told = [event for event in people[NORTH].feed(match_id) if event.seat is first]
        assert 3 == sum(event.actor is Actor.TIMEOUT and event.type != "seat_away" for event in told)
        assert 1 == sum(event.type == "seat_away" for event in told)

    def test_the_stand_in_plays_at_once(self, hall: Hall) -> None:
        """The others wait no more."""
        people = hall.guests(*"ABCD")
        match_id = table(people).id
        send_away(hall, match_id, people, EAST)
        for _ in range(20):
            assert hall.turn(match_id) is not EAST
            people[hall.turn(match_id)].move(match_id)
        assert hall.place(match_id, EAST).away

    def test_back_with_a_put(self, hall: Hall) -> None:
        """One PUT of the seat, and the player is present; it may be repeated."""
        people = hall.guests(*"ABCD")
        match_id = table(people).id
        send_away(hall, match_id, people, EAST)
        told = people[EAST].sit(match_id, EAST)
        assert "seat_back" == told.events[0].type and not told.view.seats[EAST].away
        before = hall.match(match_id)
        people[EAST].sit(match_id, EAST)
        assert before == hall.match(match_id)
        assert 0 == hall.place(match_id, EAST).timeouts

    def test_a_late_move(self, hall: Hall) -> None:
        """Until the sweep comes a late move still counts; after it, the number holds the bot's move."""
        people = hall.guests(*"ABCD")
        match_id = table(people).id
        seat = hall.turn(match_id)
        hall.wait(5 * DAY)
        people[seat].move(match_id)
        seat, number = hall.turn(match_id), people[NORTH].read(match_id).next_move
        legal = hall.deal(match_id).legal_moves()
        time_out(hall, match_id)
        codes = hall.match(match_id).log.codes()
        other = next(move for move in legal if move.code != codes[-1])
        with pytest.raises(WrongState, match="move_already_made") as failure:
            people[seat].put(match_id, number, other)
        assert failure.value.current is not None and number + 1 == failure.value.current.next_move


class TestStandingStill:
    """With the last human away, nothing goes on by itself."""

    def all_away(self, hall: Hall, **options: object) -> tuple[tuple[Person, ...], str]:
        people = hall.guests("A", "B")
        match_id = table(people, **options).id
        while hall.match(match_id).present:
            time_out(hall, match_id)
        return people, match_id

    def test_the_clock_stops(self, hall: Hall) -> None:
        """No deadline, and sweeps do nothing for a month."""
        people, match_id = self.all_away(hall)
        before = hall.match(match_id)
        assert before.deadline_at is None
        assert 60 == people[0].read(match_id).poll_after_seconds
        hall.wait(UNVISITED_LIFE - 1)
        hall.sweep()
        assert before == hall.match(match_id)

    def test_given_up_after_a_month(self, hall: Hall) -> None:
        """Nobody came back for 30 days."""
        people, match_id = self.all_away(hall)
        hall.wait(UNVISITED_LIFE)
        assert 1 == hall.sweep().abandoned
        assert Status.ABANDONED is people[0].read(match_id).status
        assert [] == list(people[0].matches(Status.PLAYING))

    def test_somebody_comes_back(self, hall: Hall) -> None:
        """The table goes on, and the clock of the turn then waiting starts anew."""
        people, match_id = self.all_away(hall)
        hall.wait(20 * DAY)
        view = people[EAST].sit(match_id, EAST).view
        assert hall.clock.at + DAY == view.deadline_at
        assert (EAST, True) == (hall.turn(match_id), hall.place(match_id, NORTH).away)
        hall.wait(DAY - 1)
        hall.sweep()
        assert EAST == hall.turn(match_id) and 0 == hall.place(match_id, EAST).timeouts

    def test_coming_back_by_a_move(self, hall: Hall) -> None:
        """Whoever has the turn need only make the move; a repetition tells the return again too."""
        people, match_id = self.all_away(hall)
        seat = hall.turn(match_id)
        while seat not in (NORTH, EAST):  # a bot's turn stands still too: somebody comes, and all go on and away again
            people[NORTH].sit(match_id, NORTH)
            time_out(hall, match_id)
            time_out(hall, match_id)
            seat = hall.turn(match_id)
        number = people[seat].read(match_id).next_move
        told = people[seat].move(match_id)
        assert ["seat_back", "player"] == [told.events[0].type, told.events[1].actor]
        assert not hall.place(match_id, seat).away
        move = MOVES[hall.match(match_id).log.codes()[number - 1]]
        assert told == people[seat].put(match_id, number, move)

    def test_a_friend_takes_over(self, hall: Hall) -> None:
        """A table that stood still for weeks goes on with the friend, whose clock starts then."""
        people, match_id = self.all_away(hall, take_over=True, deals=1)
        view = people[0].read(match_id)
        hall.wait(5 * DAY)
        friend = hall.guest("F")
        view = friend.join(view, SOUTH).view
        assert SOUTH == hall.turn(match_id)
        assert hall.clock.at + DAY == view.deadline_at
        hall.sweep()
        assert 0 == hall.place(match_id, SOUTH).timeouts


def test_bots_play_on_only_while_somebody_is_there(hall: Hall) -> None:
    """A match of one away human and three bots does not play itself out."""
    host = hall.guest()
    view = host.create(turn_seconds=MINUTE, deals=16).view
    play_on((host,), view.id, 30, Random(1))
    while hall.match(view.id).present:
        time_out(hall, view.id)
    before = hall.match(view.id)
    for _ in range(100):
        hall.wait(MINUTE)
        hall.sweep()
    assert before == hall.match(view.id)
