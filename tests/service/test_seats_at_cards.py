"""Leaving and taking over while cards are played."""

from __future__ import annotations

import pytest

from chalicelib.engine import SEATS, Seat
from chalicelib.match.model import DAY, UNVISITED_LIFE, Actor, SeatType, Status
from chalicelib.service.errors import Forbidden, WrongState
from tests.service.people import (
    EAST,
    NORTH,
    SOUTH,
    WEST,
    Hall,
    four_at_cards,
    invite_code,
    play_on,
    send_away,
    table,
    time_out,
)


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
        assert () == people[EAST].turns() and (match_id,) != hall.store.live(people[EAST].id)
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
        assert (open_,) == hall.store.live(people[EAST].id)

    def test_nobody_removes_anybody(self, hall: Hall) -> None:
        """Not even the host, once cards are dealt: that is how it stands, and not for want of a right."""
        people = hall.guests(*"ABC")
        match_id = table(people, deals=1).id
        for seat in (EAST, WEST):
            with pytest.raises(WrongState, match="match_not_waiting") as failure:
                people[NORTH].leave(match_id, seat)
            assert people[NORTH].read(match_id) == failure.value.current
        with pytest.raises(Forbidden, match="host_only"):
            people[EAST].leave(match_id, NORTH)
        play_on(people, match_id)
        with pytest.raises(WrongState, match="match_over"):
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
        assert (Status.ABANDONED, None, None) == (match.status, match.deadline_at, match.scheduled_at)
        closed = hall.store.closed_deal(match_id, 1)
        assert closed is not None and closed.result is None and closed.last_version < match.version
        view = people[0].read(match_id)
        assert view.deal is not None and view.deal.turn is None and view.result is None
        with pytest.raises(Forbidden, match="not_seated"):
            people[0].put(match_id, view.next_move, hall.deal_at_end(match_id).legal_moves()[0])

    def test_the_clock_that_nobody_asked_for_goes(self, hall: Hall) -> None:
        """With one human left it stops, and the event tells; one that was asked for stays."""
        for asked, left in ((None, None), (3600, 3600)):
            people = hall.guests("A", "B")
            view = four_at_cards(people, turn_seconds=asked)
            assert (asked or DAY) == view.rules.turn_seconds
            people[1].leave(view.id, EAST)
            after = people[0].read(view.id)
            assert (left, left is not None) == (after.rules.turn_seconds, after.deadline_at is not None)
            told = [event for event in people[0].feed(view.id, view.version) if event.type == "seat_left"]
            assert (after.rules if asked is None else None) == told[0].values.get("rules")


class TestTakingOver:
    """A friend with the code takes a bot's seat mid-match, where the table allows it."""

    def test_a_friend(self, hall: Hall) -> None:
        """Sees the hand from then on, and plays; the bot's level stays for a stand-in."""
        people = hall.guests("A", "B")
        view = table(people, take_over=True)
        friend = hall.guest("F")
        told = friend.join(view, SOUTH)
        assert "seat_taken" == told.events[0].type
        assert (SOUTH, SeatType.HUMAN, None) == (told.view.seat, told.view.seats[2].type, told.view.seats[2].level)
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
            hall.guest("F").sit(view.id, EAST, invite_code(hall, view.id))
        assert failure.value.current is None
        assert view.invite is people[NORTH].read(view.id).invite is None  # no seat is free

    def test_whose_level_is_shown(self, hall: Hall) -> None:
        """That of the bot that makes the moves: none while a human does, the stand-in's while they are away."""
        people = hall.guests(*"ABC")
        view = table(people, take_over=True)
        people = (*people, hall.guest("F"))
        people[3].join(view, WEST)
        assert [None] * 4 == [seat.level for seat in people[NORTH].read(view.id).seats]
        for seat in (EAST, WEST):
            send_away(hall, view.id, people, seat)
        seats = people[NORTH].read(view.id).seats
        assert [None, "steady", None, "easy"] == [seat.level for seat in seats]
        told = [event for event in people[NORTH].feed(view.id) if event.type == "seat_away"]
        assert [seats[EAST].level, seats[WEST].level] == [event.values["place"].level for event in told]  # type: ignore[attr-defined]
        people[WEST].leave(view.id, WEST)
        assert "easy" == people[NORTH].read(view.id).seats[WEST].level

    def test_having_left_before_the_cards(self, hall: Hall) -> None:
        """Whoever left before any card was dealt has seen no hand, and may take any bot's seat."""
        host, left = hall.guests("A", "L")
        view = host.open_table(take_over=True, turn_seconds=DAY).view
        left.join(view, EAST)
        left.leave(view.id, EAST)
        host.start(view.id)
        assert SOUTH == left.join(view, SOUTH).view.seat

    def test_a_leavers_seat(self, hall: Hall) -> None:
        """A friend may follow one who left; the leaver then has no seat to come back to, nor one to leave but that.
        When the friend leaves, the leaver may come back as before, without a code."""
        people = hall.guests(*"ABC")
        view = table(people, take_over=True)
        people[EAST].leave(view.id, EAST)
        friend = hall.guest("F")
        friend.join(view, EAST)
        for code in (None, "a wrong one"):
            with pytest.raises(WrongState, match="seat_taken"):
                people[EAST].sit(view.id, EAST, code)
        with pytest.raises(Forbidden, match="host_only"):
            people[EAST].leave(view.id, SOUTH)
        people[EAST].leave(view.id, EAST)
        assert people[EAST].read(view.id).seat is None
        assert friend.id == hall.place(view.id, EAST).player_id
        friend.leave(view.id, EAST)
        assert EAST == people[EAST].sit(view.id, EAST).view.seat
        with pytest.raises(WrongState, match="seat_taken"):
            friend.sit(view.id, EAST)

    def test_a_return_that_ends_the_match(self) -> None:
        """Repeated it is answered as the first time: by the end of the match, with all that led to it."""
        hall = Hall(seed=1)  # in which the player is not the last one in the twelfth trick
        host = hall.guest()
        match_id = host.create(deals=1, turn_seconds=DAY).view.id
        while len(hall.deal(match_id).view(NORTH).hand) > 3:
            host.move(match_id)
        for _ in range(2):  # the eleventh trick and the twelfth: then nobody has a choice any more
            time_out(hall, match_id)
        assert hall.place(match_id, NORTH).away
        first = host.sit(match_id, NORTH)
        again = host.sit(match_id, NORTH)
        assert Status.FINISHED is first.view.status
        assert (first.view, first.events) == (again.view, again.events)

    def test_however_long_a_deal_takes(self, hall: Hall) -> None:
        """The code is good as long as the seat can be had: weeks into a deal, too."""
        host, friend = hall.guests("A", "F")
        view = host.create(take_over=True, deals=1).view
        for _ in range(3):
            hall.wait(UNVISITED_LIFE - 1)
            hall.sweep()
            view = host.move(view.id).view
        assert view.invite is not None and view.invite.expires_at > hall.clock.at
        assert SOUTH == friend.join(view, SOUTH).view.seat

    def test_a_solo_match_gets_a_clock(self, hall: Hall) -> None:
        """Nobody asked for a clock, and alone there was none: with two humans there is, and the event tells."""
        host, friend = hall.guests("A", "F")
        view = host.create(take_over=True).view
        assert (None, None) == (view.rules.turn_seconds, view.deadline_at)
        told = friend.join(view, SOUTH)
        assert (DAY, hall.clock.at + DAY) == (told.view.rules.turn_seconds, told.view.deadline_at)
        assert told.view.rules == told.events[0].values["rules"]
