"""Taking seats, moving and leaving before the cards are dealt, and the start. Refusals: tests/api/test_refusals.py."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from chalicelib.engine import SEATS
from chalicelib.match.model import DAY, UNSTARTED_LIFE, SeatType, Start, Status
from chalicelib.service.errors import WrongState
from chalicelib.service.tables.invites import look_up_invite
from chalicelib.service.tables.matches import SeatRequest
from tests.service.meddling import first
from tests.service.people import EAST, NORTH, SOUTH, WEST, Hall, Person, refused

ME, BOT = SeatRequest("human"), SeatRequest("bot", "easy")
EMPTY = SeatType.EMPTY


def same_again(hall: Hall, match_id: str, *acts: Callable[[], object]) -> None:
    """Each act, done once more, changes nothing."""
    before = hall.match(match_id)
    for act in acts:
        act()
    assert before == hall.match(match_id)


class TestSitting:
    """PUT of a seat before the start."""

    def test_a_friend_with_the_code(self, hall: Hall) -> None:
        """Sits where there is room; a repetition answers the same, tells it again with all since, and changes
        nothing."""
        host, friend, third = hall.guests(*"ABC")
        table = host.open_table(start=Start.BY_HOST).view
        told = friend.join(table, SOUTH)
        assert (SOUTH, "B") == (told.view.seat, told.view.seats[SOUTH].player.name)  # type: ignore[union-attr]
        assert ["seat_taken"] == [event.type for event in told.events]
        third.join(table, EAST)
        same_again(hall, table.id, lambda: friend.join(table, SOUTH), lambda: friend.sit(table.id, SOUTH))
        assert (told.events[0], 2) == ((again := friend.join(table, SOUTH).events)[0], len(again))

    def test_a_code_ends(self, hall: Hall) -> None:
        """With the table's week, though the host may start it until the sweep gives it up."""
        host, friend = hall.guests("A", "B")
        table = host.open_table().view
        hall.wait(UNSTARTED_LIFE)
        refused("invite_not_found", friend.join, table, EAST)
        host.start(table.id)
        hall.sweep()
        assert Status.PLAYING is host.read(table.id).status

    def test_the_last_one_starts_it(self, hall: Hall) -> None:
        """With the fourth player the cards are dealt, and the code is worth nothing."""
        people = hall.guests(*"ABCD")
        table = people[0].open_table().view
        for person, seat in zip(people[1:], SEATS[1:], strict=True):
            told = person.join(table, seat)
        assert ["seat_taken", "match_started", "deal_started"] == [event.type for event in told.events][:3]
        view = told.view
        assert (Status.PLAYING, DAY, hall.clock.at + DAY) == (view.status, view.rules.turn_seconds, view.deadline_at)
        assert view.invite is None
        assert refused("seat_taken", hall.guest().join, table, EAST).current is None

    def test_the_invite_is_shown_while_a_seat_is_free(self, hall: Hall) -> None:
        """A full table shows none; its code is good, and leads to a table without a free seat."""
        host, friend, late = hall.guests("A", "B", "L")
        table = host.create(seats={NORTH: ME, SOUTH: BOT, WEST: BOT}, start=Start.BY_HOST).view
        assert table.invite is not None
        assert (EAST,) == look_up_invite(hall.services, table.invite.code).free_seats
        assert friend.join(table, EAST).view.invite is host.read(table.id).invite is None
        assert () == look_up_invite(hall.services, table.invite.code).free_seats
        refused("seat_taken", late.join, table, EAST)
        friend.leave(table.id, EAST)
        host.leave(table.id, WEST)
        assert table.invite == host.read(table.id).invite
        assert EAST == late.join(table, EAST).view.seat

    def test_the_last_seat(self, hall: Hall) -> None:
        """Fifty friends at once, one seat: one sits, the others are told that it is taken."""
        host, *friends = hall.guests(*["P"] * 51)
        table = host.create(seats={NORTH: ME, EAST: BOT, SOUTH: BOT}).view

        def tried(friend: Person) -> str:
            try:
                return str(friend.join(table, WEST).view.seat)
            except WrongState as failure:
                return failure.code

        with ThreadPoolExecutor(8) as pool:
            assert {"3": 1, "seat_taken": 49} == Counter(pool.map(tried, friends))

    def test_sent_away_while_sitting_down(self, hall: Hall) -> None:
        """Whoever takes another seat just when the host sends them away has none afterwards."""
        host, sent = hall.guests("A", "S")
        table = host.open_table().view
        sent.join(table, EAST)
        with hall.instead(save=first(lambda: host.leave(table.id, EAST))):
            refused("invite_not_found", sent.join, table, WEST)
        assert all(place.player_id != sent.id for place in hall.match(table.id).places)


class TestExpectedClock:
    """A clock that nobody asked for, before the start: as it will be if people take the free seats."""

    def test_it_goes_by_the_free_seats(self, hall: Hall) -> None:
        """A day as soon as a second human may play, none once bots have all the others; the feed tells each change, and
        with the seats as they are the start changes nothing."""
        host = hall.guest()
        view = host.create(start=Start.BY_HOST).view
        assert (Status.WAITING, None) == (view.status, view.rules.turn_seconds)
        freed = host.leave(view.id, EAST)
        assert freed is not None and DAY == freed.view.rules.turn_seconds
        assert freed.view.rules == freed.events[0].values["rules"]
        taken = host.seat_bot(view.id, EAST)
        assert taken.view.rules.turn_seconds is None and taken.view.rules == taken.events[0].values["rules"]
        assert "rules" not in host.seat_bot(view.id, EAST, "sharp").events[0].values
        told = [event.values["rules"] for event in host.feed(view.id) if "rules" in event.values]
        assert [view.rules, freed.view.rules, view.rules] == told
        host.leave(view.id, SOUTH)
        shown = hall.guest().join(host.read(view.id), SOUTH).view.rules
        assert DAY == shown.turn_seconds and shown == host.start(view.id).view.rules

    def test_one_that_was_asked_for_stays(self, hall: Hall) -> None:
        """Whoever sits, also alone with bots."""
        host = hall.guest()
        view = host.create(start=Start.BY_HOST, turn_seconds=3600).view
        freed = host.leave(view.id, EAST)
        assert freed is not None and 3600 == freed.view.rules.turn_seconds and "rules" not in freed.events[0].values
        assert 3600 == host.start(view.id).view.rules.turn_seconds


class TestLeaving:
    """DELETE of a seat before the start."""

    def test_whom_the_host_sends_away_stays_away(self, hall: Hall) -> None:
        """The code they know leads nowhere, and the new one lets in anybody but them, also once cards are dealt."""
        host, sent, friend = hall.guests("A", "S", "F")
        table = host.open_table(take_over=True).view
        sent.join(table, EAST)
        host.seat_bot(table.id, WEST)
        for seat in (EAST, WEST):
            host.leave(table.id, seat)
            assert EMPTY is hall.place(table.id, seat).type
        same_again(hall, table.id, lambda: host.leave(table.id, EAST), lambda: sent.leave(table.id, EAST))
        refused("match_not_found", sent.leave, table.id, NORTH)
        renewed = host.read(table.id)
        assert table.invite is not None and renewed.invite is not None
        assert table.invite.code != renewed.invite.code and table.invite.expires_at == renewed.invite.expires_at
        refused("invite_not_found", look_up_invite, hall.services, table.invite.code)
        assert table.id == look_up_invite(hall.services, renewed.invite.code).match_id
        for seat in SEATS:
            refused("invite_not_found", sent.join, table, seat)
            refused("removed_by_host", sent.join, renewed, seat)
        assert EAST == friend.join(renewed, EAST).view.seat
        host.start(table.id)
        refused("removed_by_host", sent.join, renewed, SOUTH)
        refused("match_not_found", sent.read, table.id)
        assert [] == list(sent.matches())

    def test_the_host_leaves(self, hall: Hall) -> None:
        """The role passes on, in order of play, and the old host has it no more."""
        host, friend, other = hall.guests("A", "B", "C")
        table = host.open_table().view
        friend.join(table, SOUTH)
        other.join(table, WEST)
        host.leave(table.id, NORTH)
        assert SOUTH == hall.match(table.id).host
        assert ["seat_left", "host_changed"] == [event.type for event in friend.feed(table.id)][-2:]
        host.join(table, NORTH)
        refused("host_only", host.start, table.id)
        assert Status.PLAYING is friend.start(table.id).view.status

    def test_the_last_one_leaves(self, hall: Hall) -> None:
        """The table is given up at once with its invite, and nobody has it among the live ones; repeating is fine."""
        host = hall.guest()
        table = host.open_table().view
        host.leave(table.id, NORTH)
        match = hall.match(table.id)
        assert (Status.ABANDONED, None, []) == (match.status, match.scheduled_at, list(host.matches(Status.WAITING)))
        assert table.invite is not None
        refused("invite_not_found", look_up_invite, hall.services, table.invite.code)
        same_again(hall, table.id, lambda: host.leave(table.id, NORTH))


class TestStart:
    """The start, when full or by the host."""

    def test_a_full_table_waits_for_its_host(self, hall: Hall) -> None:
        """Where it is so wished nobody else's sitting down starts it; starting again answers the same."""
        host, friend = hall.guests("A", "B")
        table = host.create(seats={NORTH: ME, EAST: BOT, WEST: BOT}, start=Start.BY_HOST).view
        assert Status.WAITING is friend.join(table, SOUTH).view.status
        assert Status.PLAYING is host.start(table.id).view.status
        same_again(hall, table.id, lambda: host.start(table.id))

    def test_early(self, hall: Hall) -> None:
        """The host need not wait: bots sit on the empty seats. Alone with bots there is no clock."""
        host = hall.guest()
        view = host.start(host.open_table().view.id).view
        assert [SeatType.HUMAN, *[SeatType.BOT] * 3] == [seat.type for seat in view.seats]
        assert (None, None) == (view.rules.turn_seconds, view.deadline_at)

    def test_the_hosts_bots(self, hall: Hall) -> None:
        """A bot sits, changes its level, and a repetition changes nothing; the last one starts the match."""
        host = hall.guest()
        table = host.open_table().view
        host.seat_bot(table.id, EAST)
        assert "sharp" == host.seat_bot(table.id, EAST, "sharp").view.seats[EAST].level
        same_again(hall, table.id, lambda: host.seat_bot(table.id, EAST, "sharp"))
        host.seat_bot(table.id, SOUTH)
        assert Status.PLAYING is host.seat_bot(table.id, WEST).view.status
        same_again(hall, table.id, lambda: host.seat_bot(table.id, WEST))
        refused("match_not_waiting", host.seat_bot, table.id, WEST, "sharp")

    def test_a_table_that_was_given_up(self, hall: Hall) -> None:
        """What is over does not start; who sits there may say so again."""
        host, friend = hall.guests("A", "B")
        table = host.open_table().view
        friend.join(table, EAST)
        hall.wait(UNSTARTED_LIFE)
        hall.sweep()
        refused("match_over", host.start, table.id)
        refused("match_over", host.seat_bot, table.id, SOUTH)
        refused("match_over", friend.sit, table.id, WEST)
        refused("match_over", friend.leave, table.id, EAST)
        assert Status.ABANDONED is friend.sit(table.id, EAST).view.status
