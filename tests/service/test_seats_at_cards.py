"""Leaving and taking over while cards are played; being away, standing still and coming back."""

from __future__ import annotations

from random import Random

import pytest

from chalicelib.engine import MOVES, SEATS, Seat
from chalicelib.match.model import DAY, UNVISITED_LIFE, Actor, SeatType, Status
from tests.service.people import (
    EAST,
    NORTH,
    SOUTH,
    WEST,
    Hall,
    Person,
    invite_code,
    play_on,
    refused,
    send_away,
    time_out,
)


class TestLeaving:
    """DELETE of a seat while cards are played: for good."""

    def test_a_bot_takes_over(self, hall: Hall) -> None:
        """A bot goes on from the same hand; the table still knows whom it follows."""
        people, match_id = hall.playing("ABCD")
        leaver = people[EAST]
        leaver.leave(match_id, EAST)
        seat, view = people[NORTH].read(match_id).seats[EAST], leaver.read(match_id)
        assert (SeatType.BOT, True, False) == (seat.type, seat.left, seat.away)
        assert seat.player is not None and "B" == seat.player.name
        assert view.seat is None and view.deal is not None and () == view.deal.hand
        assert ((), ()) == (leaver.turns(), hall.store.live(leaver.id))
        before = hall.match(match_id)
        leaver.leave(match_id, EAST)
        assert before == hall.match(match_id)
        refused("not_seated", leaver.put, match_id, 1, hall.deal(match_id).legal_moves()[0])
        play_on(people, match_id, 20)
        assert Actor.STAND_IN in {event.actor for event in people[NORTH].feed(match_id) if event.seat is EAST}

    def test_for_good(self, hall: Hall) -> None:
        """The seat one had is to be had again only where friends may take over; no other seat is: it would show two
        hands."""
        people, strict = hall.playing("ABC")
        people[EAST].leave(strict, EAST)
        refused("seat_taken", people[EAST].sit, strict, EAST)
        people, match_id = hall.playing("ABC", take_over=True)
        people[EAST].leave(match_id, EAST)
        view = people[EAST].sit(match_id, EAST).view
        assert (EAST, False, (match_id,)) == (view.seat, view.seats[EAST].left, hall.store.live(people[EAST].id))

    def test_the_host_role_passes_on(self, hall: Hall) -> None:
        """To the next human in order of play who is present."""
        people, match_id = hall.playing("ABCD")
        send_away(hall, match_id, people, EAST)
        people[NORTH].leave(match_id, NORTH)
        assert SOUTH == hall.match(match_id).host

    def test_the_last_human_leaves(self, hall: Hall) -> None:
        """The match is given up; its deal is over without a result, and its cards are no secret any more."""
        people, match_id = hall.playing("AB")
        play_on(people, match_id, 7)
        for person, seat in zip(people, SEATS, strict=False):
            person.leave(match_id, seat)
        match = hall.match(match_id)
        assert (Status.ABANDONED, None, None) == (match.status, match.deadline_at, match.scheduled_at)
        closed, view = hall.store.closed_deal(match_id, 1), people[0].read(match_id)
        assert closed is not None and closed.result is None and closed.last_version < match.version
        assert view.deal is not None and view.deal.turn is None and view.result is None

    @pytest.mark.parametrize("asked", [None, 3600])
    def test_the_clock_that_nobody_asked_for_goes(self, hall: Hall, asked: int | None) -> None:
        """With one human left it stops, and the event tells; one that was asked for stays."""
        people, match_id = hall.playing("AB", turn_seconds=asked)
        view = people[0].read(match_id)
        assert (asked or DAY) == view.rules.turn_seconds
        people[1].leave(view.id, EAST)
        after = people[0].read(view.id)
        assert (asked, asked is not None) == (after.rules.turn_seconds, after.deadline_at is not None)
        (told,) = [event for event in people[0].feed(view.id, view.version) if event.type == "seat_left"]
        assert (after.rules if asked is None else None) == told.values.get("rules")


class TestTakingOver:
    """A friend with the code takes a bot's seat mid-match, where the table allows it."""

    def test_a_friend(self, hall: Hall) -> None:
        """Sees the hand from then on, and plays; the bot's level stays for a stand-in."""
        host, friend = hall.guests("A", "F")
        view = host.create(take_over=True).view
        assert (None, None) == (view.rules.turn_seconds, view.deadline_at)
        told = friend.join(view, SOUTH)
        assert ("seat_taken", told.view.rules) == (told.events[0].type, told.events[0].values["rules"])
        assert (DAY, hall.clock.at + DAY) == (told.view.rules.turn_seconds, told.view.deadline_at)
        assert (SOUTH, SeatType.HUMAN, None) == (told.view.seat, told.view.seats[2].type, told.view.seats[2].level)
        assert told.view.deal is not None and told.view.deal.hand
        play_on((host, friend), view.id)
        assert Status.FINISHED is friend.read(view.id).status

    def test_not_every_seat(self, hall: Hall) -> None:
        """Where take-over is off the seat is taken, and an away player's seat stays theirs."""
        (_, match_id), friend = hall.playing("AB"), hall.guest("F")
        refused("seat_taken", friend.sit, match_id, SOUTH, invite_code(hall, match_id))
        people, match_id = hall.playing("ABCD", take_over=True)
        send_away(hall, match_id, people, EAST)
        assert refused("seat_taken", friend.sit, match_id, EAST, invite_code(hall, match_id)).current is None
        assert people[NORTH].read(match_id).invite is None  # no seat is free

    def test_whose_level_is_shown(self, hall: Hall) -> None:
        """That of the bot that makes the moves: none while a human does, the stand-in's while they are away."""
        people, match_id = hall.playing("ABC", take_over=True)
        people = (*people, hall.guest("F"))
        people[3].join(people[NORTH].read(match_id), WEST)
        assert [None] * 4 == [seat.level for seat in people[NORTH].read(match_id).seats]
        for seat in (EAST, WEST):
            send_away(hall, match_id, people, seat)
        seats = people[NORTH].read(match_id).seats
        assert [None, "steady", None, "easy"] == [seat.level for seat in seats]
        told = [event for event in people[NORTH].feed(match_id) if event.type == "seat_away"]
        assert [seats[EAST].level, seats[WEST].level] == [event.values["place"].level for event in told]  # type: ignore[attr-defined]
        people[WEST].leave(match_id, WEST)
        assert "easy" == people[NORTH].read(match_id).seats[WEST].level

    def test_having_left_before_the_cards(self, hall: Hall) -> None:
        """Whoever left before any card was dealt has seen no hand, and may take any bot's seat."""
        host, left = hall.guests("A", "L")
        view = host.open_table(take_over=True, turn_seconds=DAY).view
        left.join(view, EAST)
        left.leave(view.id, EAST)
        host.start(view.id)
        assert SOUTH == left.join(view, SOUTH).view.seat

    def test_a_leavers_seat(self, hall: Hall) -> None:
        """A friend may follow one who left; the leaver then has no seat to come back to, nor one to leave but that."""
        people, match_id = hall.playing("ABC", take_over=True)
        leaver, friend = people[EAST], hall.guest("F")
        leaver.leave(match_id, EAST)
        friend.join(people[NORTH].read(match_id), EAST)
        for code in (None, "a wrong one"):
            refused("seat_taken", leaver.sit, match_id, EAST, code)
        refused("host_only", leaver.leave, match_id, SOUTH)
        leaver.leave(match_id, EAST)
        assert (None, friend.id) == (leaver.read(match_id).seat, hall.place(match_id, EAST).player_id)
        friend.leave(match_id, EAST)
        assert EAST == leaver.sit(match_id, EAST).view.seat
        refused("seat_taken", friend.sit, match_id, EAST)

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


class TestAway:
    """After two time-outs running a seat is away, and its bot plays at once."""

    def test_two_time_outs(self, hall: Hall) -> None:
        """The first leaves the player at the table, the second does not; a move of one's own between counts anew."""
        people, match_id = hall.playing("ABCD")
        seat = time_out(hall, match_id)
        assert (1, False) == (hall.place(match_id, seat).timeouts, hall.place(match_id, seat).away)
        while hall.turn(match_id) is not seat:
            people[hall.turn(match_id)].move(match_id)
        people[seat].move(match_id)
        assert 0 == hall.place(match_id, seat).timeouts
        send_away(hall, match_id, people, seat)
        told = [
            event.type for event in people[NORTH].feed(match_id) if (event.seat, event.actor) == (seat, Actor.TIMEOUT)
        ]
        assert (1, 3) == (told.count("seat_away"), len(told) - 1)
        for _ in range(20):
            assert hall.turn(match_id) is not seat
            people[hall.turn(match_id)].move(match_id)
        assert hall.place(match_id, seat).away

    def test_a_late_move(self, hall: Hall) -> None:
        """Until the sweep comes a late move still counts; after it, the number holds the bot's move."""
        people, match_id = hall.playing("ABCD")
        hall.wait(5 * DAY)
        people[hall.turn(match_id)].move(match_id)
        seat, number = hall.turn(match_id), people[NORTH].read(match_id).next_move
        legal = hall.deal(match_id).legal_moves()
        time_out(hall, match_id)
        other = next(move for move in legal if move.code != hall.match(match_id).log.codes()[-1])
        failure = refused("move_already_made", people[seat].put, match_id, number, other)
        assert failure.current is not None and number + 1 == failure.current.next_move

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
        told, again = host.sit(match_id, NORTH), host.sit(match_id, NORTH)
        assert Status.FINISHED is told.view.status
        assert (told.view, told.events) == (again.view, again.events)


class TestStandingStill:
    """With the last human away, nothing goes on by itself."""

    def all_away(self, hall: Hall, **options: object) -> tuple[tuple[Person, ...], str]:
        people, match_id = hall.playing("AB", **options)
        while hall.match(match_id).present:
            time_out(hall, match_id)
        return people, match_id

    def test_the_clock_stops(self, hall: Hall) -> None:
        """No deadline, and sweeps do nothing for a month, though bots sit there; then the match is given up."""
        people, match_id = self.all_away(hall, deals=16)
        before = hall.match(match_id)
        assert (None, 60) == (before.deadline_at, people[0].read(match_id).poll_after_seconds)
        for _ in range(10):
            hall.wait((UNVISITED_LIFE - 1) // 10)
            hall.sweep()
        assert before == hall.match(match_id)
        hall.wait(UNVISITED_LIFE)
        assert 1 == hall.sweep().abandoned
        assert (Status.ABANDONED, []) == (people[0].read(match_id).status, list(people[0].matches(Status.PLAYING)))

    def at_the_turn_of_a_player(self, hall: Hall) -> tuple[tuple[Person, ...], str, Seat]:
        """A bot's turn stands still too: then somebody comes, and all go on and away again."""
        people, match_id = self.all_away(hall)
        while hall.turn(match_id) not in (NORTH, EAST):
            people[NORTH].sit(match_id, NORTH)
            for _ in range(2):
                time_out(hall, match_id)
        return people, match_id, hall.turn(match_id)

    def test_somebody_comes_back(self, hall: Hall) -> None:
        """The table goes on, and the clock of the turn then waiting starts anew."""
        people, match_id, seat = self.at_the_turn_of_a_player(hall)
        hall.wait(20 * DAY)
        assert hall.clock.at + DAY == people[seat].sit(match_id, seat).view.deadline_at
        assert (seat, True) == (hall.turn(match_id), hall.place(match_id, (EAST, NORTH)[seat]).away)
        hall.wait(DAY - 1)
        hall.sweep()
        assert seat == hall.turn(match_id) and 0 == hall.place(match_id, seat).timeouts

    def test_coming_back_by_a_move(self, hall: Hall) -> None:
        """Whoever has the turn need only make the move; a repetition tells the return again too."""
        people, match_id, seat = self.at_the_turn_of_a_player(hall)
        number = people[seat].read(match_id).next_move
        told = people[seat].move(match_id, Random(1))
        assert ["seat_back", "player"] == [told.events[0].type, told.events[1].actor]
        assert not hall.place(match_id, seat).away
        assert told == people[seat].put(match_id, number, MOVES[hall.match(match_id).log.codes()[number - 1]])

    def test_a_friend_takes_over(self, hall: Hall) -> None:
        """A table that stood still for weeks goes on with the friend, whose clock starts then."""
        people, match_id = self.all_away(hall, take_over=True, deals=1)
        view = people[0].read(match_id)
        hall.wait(5 * DAY)
        view = hall.guest("F").join(view, SOUTH).view
        assert (SOUTH, hall.clock.at + DAY) == (hall.turn(match_id), view.deadline_at)
        hall.sweep()
        assert 0 == hall.place(match_id, SOUTH).timeouts
