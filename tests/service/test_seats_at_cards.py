"""Leaving, being away, coming back and taking over while cards are played."""

from __future__ import annotations

from random import Random

import pytest

from chalicelib.engine import MOVES, SEATS, Seat
from chalicelib.service.errors import Forbidden, WrongState
from chalicelib.service.model import DAY, UNVISITED_LIFE, Actor, SeatType, Status
from chalicelib.service.view import MatchView
from tests.service.people import EAST, NORTH, SOUTH, Hall, Person, four_at_cards, play_on

MINUTE = 60


def time_out(hall: Hall, match_id: str) -> Seat:
    """Let the time of the turn now waiting pass, and the sweep come by; whose turn it was."""
    seat = hall.turn(match_id)
    deadline = hall.match(match_id).deadline_at
    assert deadline is not None
    hall.clock.at = deadline
    hall.sweep()
    return seat


def send_away(hall: Hall, match_id: str, people: tuple[Person, ...], seat: Seat) -> None:
    """The others play on; this seat's player does nothing until it counts as away."""
    while not hall.place(match_id, seat).away:
        if hall.turn(match_id) is seat:
            time_out(hall, match_id)
        else:
            people[hall.turn(match_id)].move(match_id)


def table(people: tuple[Person, ...], **options: object) -> MatchView:
    return four_at_cards(people, turn_seconds=DAY, **options)


class TestLeaving:
    """DELETE of a seat while cards are played: for good."""

    def test_a_bot_takes_over(self, hall: Hall) -> None:
        """A bot goes on from the same hand; the table still knows whom it follows."""
        people = hall.guests(*"ABCD")
        match_id = table(people).id
        people[EAST].leave(match_id, EAST)
        seat = people[NORTH].read(match_id).seats[EAST]
        assert (SeatType.BOT, True, False) == (seat.type, seat.left, seat.away)
        assert seat.player is not None and "B" == seat.player.name
        play_on(people[:1] + people[2:], match_id, 20)
        assert Actor.STAND_IN in {event.actor for event in people[NORTH].feed(match_id) if event.seat is EAST}

    def test_the_leaver_watches(self, hall: Hall) -> None:
        """As a spectator, without a hand; the match waits for them no more, and leaving again changes nothing."""
        people = hall.guests(*"ABCD")
        match_id = table(people).id
        people[EAST].leave(match_id, EAST)
        view = people[EAST].read(match_id)
        assert view.seat is None and view.deal is not None and () == view.deal.hand
        assert [] == list(people[EAST].matches(Status.PLAYING)) and 1 == len(list(people[EAST].matches()))
        before = hall.match(match_id)
        people[EAST].leave(match_id, EAST)
        assert before == hall.match(match_id)
        with pytest.raises(Forbidden, match="not_seated"):
            people[EAST].put(match_id, 1, hall.deal(match_id).legal_moves()[0])

    def test_no_second_seat(self, hall: Hall) -> None:
        """Whoever has held cards here takes no other seat: it would show them two hands."""
        people = hall.guests(*"ABC")
        match_id = table(people, take_over=True).id
        people[EAST].leave(match_id, EAST)
        with pytest.raises(WrongState, match="other_seat_held") as failure:
            people[EAST].sit(match_id, Seat.WEST)
        assert {"seat": "east"} == failure.value.params
        with pytest.raises(WrongState, match="already_seated"):
            people[NORTH].sit(match_id, Seat.WEST)

    def test_for_good(self, hall: Hall) -> None:
        """The seat one had is to be had again only where friends may take over."""
        people = hall.guests(*"ABC")
        strict, open_ = table(people).id, table(people, take_over=True).id
        for match_id in (strict, open_):
            people[EAST].leave(match_id, EAST)
        with pytest.raises(WrongState, match="seat_taken"):
            people[EAST].sit(strict, EAST)
        view = people[EAST].sit(open_, EAST).view
        assert (EAST, False) == (view.seat, view.seats[EAST].left)
        assert [open_] == [told.id for told in people[EAST].matches(Status.PLAYING)]

    def test_nobody_removes_anybody(self, hall: Hall) -> None:
        """Not even the host, once cards are dealt."""
        people = hall.guests(*"ABCD")
        match_id = table(people).id
        with pytest.raises(Forbidden, match="host_only"):
            people[NORTH].leave(match_id, EAST)

    def test_the_host_role_passes_on(self, hall: Hall) -> None:
        """To the next human in order of play who is present."""
        people = hall.guests(*"ABCD")
        match_id = table(people).id
        send_away(hall, match_id, people, EAST)
        people[NORTH].leave(match_id, NORTH)
        assert SOUTH == hall.match(match_id).host

    def test_the_last_human_leaves(self, hall: Hall) -> None:
        """The match is given up; its deal is over without a result, and its cards are no secret any more."""
        people = hall.guests("A", "B")
        match_id = table(people).id
        play_on(people, match_id, 7)
        for person, seat in zip(people, SEATS, strict=False):
            person.leave(match_id, seat)
        match = hall.match(match_id)
        assert (Status.ABANDONED, None, None) == (match.status, match.deadline_at, match.wake_at)
        closed = hall.store.closed_deal(match_id, 1)
        assert closed is not None and closed.result is None and closed.last_version < match.version
        view = people[0].read(match_id)
        assert view.deal is not None and view.deal.turn is None and view.result is None
        with pytest.raises(Forbidden, match="not_seated"):
            people[0].put(match_id, view.next_move, hall.deal_at_end(match_id).legal_moves()[0])


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
        _, match_id = self.all_away(hall)
        before = hall.match(match_id)
        assert before.deadline_at is None
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


class TestTakingOver:
    """A friend with the code takes a bot's seat mid-match, where the table allows it."""

    def test_a_friend(self, hall: Hall) -> None:
        """Sees the hand from then on, and plays; the bot's level stays for a stand-in."""
        people = hall.guests("A", "B")
        view = table(people, take_over=True)
        friend = hall.guest("F")
        told = friend.join(view, SOUTH)
        assert "seat_taken" == told.events[0].type
        assert (SOUTH, SeatType.HUMAN, "easy") == (told.view.seat, told.view.seats[2].type, told.view.seats[2].level)
        assert told.view.deal is not None and told.view.deal.hand
        play_on((*people, friend), view.id)
        assert Status.FINISHED is friend.read(view.id).status

    def test_not_without_the_tables_leave(self, hall: Hall) -> None:
        """Where take-over is off the seat is taken."""
        people = hall.guests("A", "B")
        view = table(people, take_over=False)
        invite = hall.match(view.id).invite
        assert invite is not None
        with pytest.raises(WrongState, match="seat_taken"):
            hall.guest("F").sit(view.id, SOUTH, invite.code)

    def test_not_a_humans_seat(self, hall: Hall) -> None:
        """An away player's seat stays theirs."""
        people = hall.guests(*"ABCD")
        view = table(people, take_over=True)
        send_away(hall, view.id, people, EAST)
        with pytest.raises(WrongState, match="seat_taken") as failure:
            hall.guest("F").join(view, EAST)
        assert failure.value.current is None

    def test_having_left_before_the_cards(self, hall: Hall) -> None:
        """Whoever left, or was removed, before any card was dealt has seen no hand, and may take any bot's seat."""
        host, left, removed = hall.guests("A", "L", "R")
        view = host.open_table(take_over=True, turn_seconds=DAY).view
        left.join(view, EAST)
        left.leave(view.id, EAST)
        removed.join(view, EAST)
        host.leave(view.id, EAST)
        host.start(view.id)
        assert SOUTH == left.join(view, SOUTH).view.seat
        assert Seat.WEST == removed.join(view, Seat.WEST).view.seat

    def test_a_leavers_seat(self, hall: Hall) -> None:
        """A friend may follow one who left; the leaver then has no seat to come back to."""
        people = hall.guests(*"ABC")
        view = table(people, take_over=True)
        people[EAST].leave(view.id, EAST)
        friend = hall.guest("F")
        friend.join(view, EAST)
        with pytest.raises(Forbidden, match="code_needed"):
            people[EAST].sit(view.id, EAST)
        with pytest.raises(WrongState, match="seat_taken"):
            people[EAST].join(view, EAST)
        assert people[EAST].read(view.id).seat is None

    def test_a_solo_match_gets_a_clock(self, hall: Hall) -> None:
        """Nobody asked for a clock, and alone there was none: with two humans there is, and the event tells."""
        host, friend = hall.guests("A", "F")
        view = host.create(take_over=True).view
        assert (None, None) == (view.rules.turn_seconds, view.deadline_at)
        told = friend.join(view, SOUTH)
        assert (DAY, hall.clock.at + DAY) == (told.view.rules.turn_seconds, told.view.deadline_at)
        assert told.view.rules == told.events[0].values["rules"]


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
