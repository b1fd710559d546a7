"""Taking seats, moving and leaving before the cards are dealt, and the start."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from chalicelib.engine import SEATS
from chalicelib.match.model import DAY, UNSTARTED_LIFE, Change, SeatType, Start, Status
from chalicelib.service.errors import Forbidden, NotFound, Unauthorized, WrongState
from chalicelib.service.tables.matches import SeatRequest, look_up_invite
from tests.service.people import EAST, NORTH, SOUTH, WEST, Hall, Person, four_at_cards, play_on

ME = SeatRequest("human")


def same_again(hall: Hall, match_id: str, *acts: object) -> None:
    """Each act, done once more, changes nothing."""
    before = hall.match(match_id)
    for act in acts:
        assert callable(act)
        act()
    assert before == hall.match(match_id)


class TestSitting:
    """PUT of a seat before the start."""

    def test_a_friend_with_the_code(self, hall: Hall) -> None:
        """Sits where there is room; a repetition answers the same and changes nothing."""
        host, friend = hall.guests("A", "B")
        table = host.open_table().view
        told = friend.join(table, SOUTH)
        assert (SOUTH, "B") == (told.view.seat, told.view.seats[SOUTH].player.name)  # type: ignore[union-attr]
        assert ["seat_taken"] == [event.type for event in told.events]
        same_again(hall, table.id, lambda: friend.join(table, SOUTH), lambda: friend.sit(table.id, SOUTH))

    def test_a_repetition_tells_it_again(self, hall: Hall) -> None:
        """A lost answer loses no event: asked again, the request tells what it did, and all since."""
        host, friend, third = hall.guests("A", "B", "C")
        table = host.open_table(start=Start.BY_HOST).view
        sat = friend.join(table, EAST).events
        third.join(table, SOUTH)
        again = friend.join(table, EAST)
        assert ["seat_taken", "seat_taken"] == [event.type for event in again.events]
        assert sat[-1] == again.events[0]
        first = host.start(table.id)
        play_on((host, friend, third), table.id, moves=3)
        again = host.start(table.id)
        assert "match_started" == again.events[0].type
        assert again.events[0] in first.events and again.view.version == again.events[-1].version
        assert list(again.events) == list(host.feed(table.id, again.events[0].version - 1))

    def test_without_the_code(self, hall: Hall) -> None:
        """A private table is not there; one that may be watched asks for the code; a wrong or late one is none."""
        host, friend = hall.guests("A", "B")
        private, watched = host.open_table().view, host.open_table(spectators=True).view
        with pytest.raises(NotFound, match="match_not_found"):
            friend.sit(private.id, EAST)
        with pytest.raises(Forbidden, match="code_needed"):
            friend.sit(watched.id, EAST)
        for match_id in (private.id, "AAAAAAAAAAAAAAAA"):
            with pytest.raises(NotFound, match="invite_not_found"):
                friend.sit(match_id, EAST, "AAAAAAAA")
        hall.wait(UNSTARTED_LIFE)
        with pytest.raises(NotFound, match="invite_not_found"):
            friend.join(private, EAST)

    def test_taken_seats(self, hall: Hall) -> None:
        """Somebody's seat, and a bot's, are not to be had."""
        host, friend = hall.guests("A", "B")
        table = host.create(seats={NORTH: ME, EAST: SeatRequest("bot", "easy")}).view
        for seat in (NORTH, EAST):
            with pytest.raises(WrongState, match="seat_taken") as failure:
                friend.join(table, seat)
            assert {"seat": seat.text} == failure.value.params
            assert failure.value.current is None  # what GET would say
        assert 3 == hall.match(table.id).version

    def test_moving(self, hall: Hall) -> None:
        """Before the start a player may move; the old seat is free again, and the host stays host."""
        host, friend = hall.guests("A", "B")
        table = host.open_table().view
        view = host.sit(table.id, WEST).view
        assert (WEST, WEST, SeatType.EMPTY) == (view.seat, view.host, view.seats[NORTH].type)
        same_again(hall, table.id, lambda: host.sit(table.id, WEST))
        assert NORTH == friend.join(table, NORTH).view.seat
        assert [WEST, NORTH] == [hall.match(table.id).seat_of(person.id) for person in (host, friend)]

    def test_the_last_one_starts_it(self, hall: Hall) -> None:
        """With the fourth player the cards are dealt, and the code is worth nothing."""
        people = hall.guests(*"ABCD")
        table = people[0].open_table().view
        for person, seat in zip(people[1:], SEATS[1:], strict=True):
            told = person.join(table, seat)
        assert ["seat_taken", "match_started", "deal_started"] == [event.type for event in told.events][:3]
        assert (Status.PLAYING, DAY, None) == (told.view.status, told.view.rules.turn_seconds, told.view.invite)
        with pytest.raises(WrongState, match="seat_taken") as failure:
            hall.guest("E").join(table, EAST)
        assert failure.value.current is None

    def test_deleted(self, hall: Hall) -> None:
        """A deleted account takes no seat."""
        host, friend = hall.guests("A", "B")
        table = host.open_table().view
        friend.delete()
        with pytest.raises(Unauthorized, match="account_deleted"):
            friend.join(table, EAST)

    def test_the_invite_is_shown_while_a_seat_is_free(self, hall: Hall) -> None:
        """A full table shows none; its code is good, and leads to a table without a free seat. When a seat is left, it
        is shown again."""
        host, friend, late = hall.guests("A", "B", "L")
        bots = {seat: SeatRequest("bot", "easy") for seat in (SOUTH, WEST)}
        table = host.create(seats={NORTH: ME} | bots, start=Start.BY_HOST).view
        assert table.invite is not None
        code = table.invite.code
        assert (EAST,) == look_up_invite(hall.services, code).free_seats
        assert friend.join(table, EAST).view.invite is host.read(table.id).invite is None
        assert () == look_up_invite(hall.services, code).free_seats
        with pytest.raises(WrongState, match="seat_taken"):
            late.join(table, EAST)
        friend.leave(table.id, EAST)
        assert table.invite == host.read(table.id).invite
        assert EAST == late.join(table, EAST).view.seat

    def test_another_seed(self, hall: Hall) -> None:
        """Taking the own seat with another one stores it, and tells so; without one, or with the same, nothing
        happens."""
        host = hall.guest()
        table = host.open_table(client_seed="0a").view
        told = host.sit(table.id, NORTH, client_seed="0b")
        assert ["seat_taken"] == [event.type for event in told.events]
        assert "0b" == hall.match(table.id).seed_of(NORTH)
        same_again(hall, table.id, lambda: host.sit(table.id, NORTH), lambda: host.sit(table.id, NORTH, None, "0b"))

    def test_no_code_lets_in_where_nobody_can_sit(self, hall: Hall) -> None:
        """Whoever watches is not asked for a code that would not help, but told how it stands."""
        host, other = hall.guests("A", "B")
        solo, over = host.create(spectators=True).view.id, host.create(spectators=True, deals=1).view.id
        play_on((host,), over)
        for match_id, code in ((solo, "seat_taken"), (over, "match_over")):
            with pytest.raises(WrongState, match=code) as failure:
                other.sit(match_id, EAST)
            assert other.read(match_id) == failure.value.current

    def test_sent_away_comes_first(self, hall: Hall) -> None:
        """What somebody may (403) is told before how it stands (409)."""
        host, sent = hall.guests("A", "S")
        table = host.open_table(spectators=True).view
        sent.join(table, EAST)
        host.leave(table.id, EAST)
        renewed = host.read(table.id)
        host.start(table.id)
        with pytest.raises(Forbidden, match="removed_by_host"):
            sent.join(renewed, EAST)
        with pytest.raises(Forbidden, match="removed_by_host"):
            sent.sit(table.id, EAST)


class TestExpectedClock:
    """A clock that nobody asked for, before the start: as it will be if people take the free seats."""

    def test_it_goes_by_the_free_seats(self, hall: Hall) -> None:
        """A day as soon as a second human may play, none once bots have all the others; the feed tells each change."""
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

    def test_what_is_shown_holds(self, hall: Hall) -> None:
        """With the seats as they are when the last is taken, the start changes nothing of the rules."""
        host, friend = hall.guests("A", "B")
        table = host.create(start=Start.BY_HOST).view
        host.leave(table.id, SOUTH)
        shown = friend.join(host.read(table.id), SOUTH).view.rules
        assert DAY == shown.turn_seconds and shown == host.start(table.id).view.rules

    def test_one_that_was_asked_for_stays(self, hall: Hall) -> None:
        """Whoever sits."""
        host = hall.guest()
        view = host.create(start=Start.BY_HOST, turn_seconds=3600).view
        freed = host.leave(view.id, EAST)
        assert freed is not None and 3600 == freed.view.rules.turn_seconds and "rules" not in freed.events[0].values


class TestLeaving:
    """DELETE of a seat before the start."""

    def test_a_friend_leaves(self, hall: Hall) -> None:
        """The seat is free and the match gone from the friend's list; repeating it changes nothing."""
        host, friend = hall.guests("A", "B")
        table = host.open_table().view
        friend.join(table, EAST)
        friend.leave(table.id, EAST)
        assert SeatType.EMPTY is hall.place(table.id, EAST).type
        assert [] == list(friend.matches()) == list(friend.matches(Status.WAITING))
        same_again(hall, table.id, lambda: friend.leave(table.id, EAST))
        with pytest.raises(NotFound, match="match_not_found"):
            friend.read(table.id)

    def test_and_sits_elsewhere(self, hall: Hall) -> None:
        """Nothing was dealt: a player who left may have another seat, and a late repetition of leaving changes
        nothing."""
        host, friend = hall.guests("A", "B")
        table = host.open_table().view
        friend.join(table, EAST)
        friend.leave(table.id, EAST)
        friend.join(table, WEST)
        same_again(hall, table.id, lambda: friend.leave(table.id, EAST))
        assert WEST == friend.read(table.id).seat

    def test_the_host_removes_somebody(self, hall: Hall) -> None:
        """Players and bots; the removed one has the match no more, and may repeat leaving that seat, no other."""
        host, friend = hall.guests("A", "B")
        table = host.open_table().view
        friend.join(table, EAST)
        host.seat_bot(table.id, WEST)
        for seat in (EAST, WEST):
            host.leave(table.id, seat)
            assert SeatType.EMPTY is hall.place(table.id, seat).type
        same_again(hall, table.id, lambda: host.leave(table.id, EAST), lambda: friend.leave(table.id, EAST))
        assert [] == list(friend.matches())
        with pytest.raises(NotFound, match="match_not_found"):
            friend.leave(table.id, NORTH)

    def test_whom_the_host_sends_away_stays_away(self, hall: Hall) -> None:
        """The code they know leads nowhere, and the new one lets in anybody but them, also once cards are dealt."""
        host, sent, friend = hall.guests("A", "S", "F")
        table = host.open_table(take_over=True).view
        sent.join(table, EAST)
        host.leave(table.id, EAST)
        renewed = host.read(table.id)
        assert table.invite is not None and renewed.invite is not None
        assert table.invite.code != renewed.invite.code and table.invite.expires_at == renewed.invite.expires_at
        with pytest.raises(NotFound, match="invite_not_found"):
            look_up_invite(hall.services, table.invite.code)
        assert table.id == look_up_invite(hall.services, renewed.invite.code).match_id
        for seat in SEATS:
            with pytest.raises(NotFound, match="invite_not_found"):
                sent.join(table, seat)
            with pytest.raises(Forbidden, match="removed_by_host"):
                sent.join(renewed, seat)
        assert EAST == friend.join(renewed, EAST).view.seat
        host.start(table.id)
        with pytest.raises(Forbidden, match="removed_by_host"):
            sent.join(renewed, SOUTH)
        with pytest.raises(NotFound, match="match_not_found"):
            sent.read(table.id)

    def test_sent_away_while_sitting_down(self, hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
        """Whoever takes another seat just when the host sends them away has none afterwards."""
        host, sent = hall.guests("A", "S")
        table = host.open_table().view
        sent.join(table, EAST)
        save = hall.store.save

        def sent_away_first(change: Change) -> None:
            monkeypatch.setattr(hall.store, "save", save)
            host.leave(table.id, EAST)
            save(change)

        monkeypatch.setattr(hall.store, "save", sent_away_first)
        with pytest.raises(NotFound, match="invite_not_found"):
            sent.join(table, WEST)
        assert all(place.player_id != sent.id for place in hall.match(table.id).places)

    def test_a_free_seat_renews_no_code(self, hall: Hall) -> None:
        """Nor does a bot's, nor one that a friend leaves: nobody is sent away."""
        host, friend = hall.guests("A", "B")
        table = host.open_table().view
        friend.join(table, EAST)
        friend.leave(table.id, EAST)
        host.seat_bot(table.id, WEST)
        host.leave(table.id, WEST)
        assert table.invite == host.read(table.id).invite
        assert EAST == friend.join(table, EAST).view.seat

    def test_nobody_else_does(self, hall: Hall) -> None:
        """A friend removes nobody; a stranger finds nothing."""
        host, friend, stranger = hall.guests("A", "B", "C")
        table = host.open_table().view
        friend.join(table, EAST)
        with pytest.raises(Forbidden, match="host_only"):
            friend.leave(table.id, NORTH)
        with pytest.raises(NotFound, match="match_not_found"):
            stranger.leave(table.id, EAST)

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
        with pytest.raises(Forbidden, match="host_only"):
            host.start(table.id)
        assert Status.PLAYING is friend.start(table.id).view.status

    def test_the_last_one_leaves(self, hall: Hall) -> None:
        """The table is given up at once, and nobody has it among the live ones; repeating is fine."""
        host = hall.guest()
        table = host.open_table().view
        host.leave(table.id, NORTH)
        assert Status.ABANDONED is hall.match(table.id).status
        assert hall.match(table.id).scheduled_at is None
        assert [] == list(host.matches(Status.WAITING))
        same_again(hall, table.id, lambda: host.leave(table.id, NORTH))


class TestStart:
    """The start, when full or by the host."""

    def test_by_the_host(self, hall: Hall) -> None:
        """A full table waits for its host where it is so wished; starting again answers the same."""
        people = hall.guests(*"ABCD")
        view = four_at_cards(people, start=Start.BY_HOST)
        same_again(hall, view.id, lambda: people[0].start(view.id))

    def test_a_full_table_waits_for_its_host(self, hall: Hall) -> None:
        """Nobody else's sitting down starts it."""
        host, friend = hall.guests("A", "B")
        bots = {seat: SeatRequest("bot", "easy") for seat in (EAST, WEST)}
        table = host.create(seats={NORTH: ME} | bots, start=Start.BY_HOST).view
        assert Status.WAITING is friend.join(table, SOUTH).view.status
        assert Status.PLAYING is host.start(table.id).view.status

    def test_early(self, hall: Hall) -> None:
        """The host need not wait: bots sit on the empty seats. Alone with bots there is no clock."""
        host = hall.guest()
        view = host.start(host.open_table().view.id).view
        assert [SeatType.HUMAN, *[SeatType.BOT] * 3] == [seat.type for seat in view.seats]
        assert (None, None) == (view.rules.turn_seconds, view.deadline_at)

    def test_a_clock_that_was_asked_for_stays(self, hall: Hall) -> None:
        """Also alone with bots."""
        host = hall.guest()
        assert 3600 == host.start(host.open_table(turn_seconds=3600).view.id).view.rules.turn_seconds

    def test_two_humans_have_the_clock(self, hall: Hall) -> None:
        """A day a turn, running from the start."""
        view = four_at_cards(hall.guests("A", "B"))
        assert (DAY, hall.clock.at + DAY) == (view.rules.turn_seconds, view.deadline_at)

    def test_others_do_not_start(self, hall: Hall) -> None:
        """Only the host."""
        host, friend, stranger = hall.guests("A", "B", "C")
        table = host.open_table().view
        friend.join(table, EAST)
        with pytest.raises(Forbidden, match="host_only"):
            friend.start(table.id)
        with pytest.raises(NotFound, match="match_not_found"):
            stranger.start(table.id)

    def test_an_ended_match(self, hall: Hall) -> None:
        """What is over does not start."""
        host, friend = hall.guests("A", "B")
        table = host.open_table().view
        friend.join(table, EAST)
        hall.wait(UNSTARTED_LIFE)
        hall.sweep()
        with pytest.raises(WrongState, match="match_over"):
            host.start(table.id)
        with pytest.raises(WrongState, match="match_over"):
            friend.sit(table.id, WEST)
        with pytest.raises(WrongState, match="match_over"):
            friend.leave(table.id, EAST)
        assert Status.ABANDONED is friend.sit(table.id, EAST).view.status

    def test_late_but_before_the_sweep(self, hall: Hall) -> None:
        """A table is over when it is given up, not when its week is: until then its host may start it."""
        host = hall.guest()
        table = host.open_table().view
        hall.wait(UNSTARTED_LIFE)
        assert Status.PLAYING is host.start(table.id).view.status
        hall.sweep()
        assert Status.PLAYING is host.read(table.id).status


class TestBots:
    """The host's bots."""

    def test_on_free_seats(self, hall: Hall) -> None:
        """A bot sits, changes its level, and a repetition changes nothing; the last one starts the match."""
        host = hall.guest()
        table = host.open_table().view
        host.seat_bot(table.id, EAST)
        assert "sharp" == host.seat_bot(table.id, EAST, "sharp").view.seats[EAST].level
        same_again(hall, table.id, lambda: host.seat_bot(table.id, EAST, "sharp"))
        host.seat_bot(table.id, SOUTH)
        assert Status.PLAYING is host.seat_bot(table.id, WEST).view.status
        host.seat_bot(table.id, WEST)
        with pytest.raises(WrongState, match="match_not_waiting"):
            host.seat_bot(table.id, WEST, "sharp")

    def test_not_when_it_is_over(self, hall: Hall) -> None:
        """Whether it has been played or never started."""
        host = hall.guest()
        played, given_up = host.create(deals=1).view.id, host.open_table().view.id
        play_on((host,), played)
        hall.wait(UNSTARTED_LIFE)
        hall.sweep()
        for match_id in (played, given_up):
            with pytest.raises(WrongState, match="match_over") as failure:
                host.seat_bot(match_id, EAST, "sharp")
            assert not hall.match(match_id).status.live
            assert host.read(match_id) == failure.value.current

    def test_not_on_anybodys(self, hall: Hall) -> None:
        """A person's seat is taken; and only the host seats bots."""
        host, friend = hall.guests("A", "B")
        table = host.open_table().view
        friend.join(table, EAST)
        with pytest.raises(WrongState, match="seat_taken"):
            host.seat_bot(table.id, EAST)
        with pytest.raises(Forbidden, match="host_only"):
            friend.seat_bot(table.id, WEST)


def test_the_last_seat(hall: Hall) -> None:
    """Fifty friends at once, one seat: one sits, the others are told that it is taken."""
    host, *friends = hall.guests(*["P"] * 51)
    table = host.create(seats={NORTH: ME, EAST: SeatRequest("bot", "easy"), SOUTH: SeatRequest("bot", "easy")}).view

    def tried(friend: Person) -> str:
        try:
            return str(friend.join(table, WEST).view.seat)
        except WrongState as failure:
            return failure.code

    with ThreadPoolExecutor(8) as pool:
        assert {"3": 1, "seat_taken": 49} == Counter(pool.map(tried, friends))
