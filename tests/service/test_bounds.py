"""What an answer holds and a table may see is bounded, whatever has happened before."""

from __future__ import annotations

from random import Random

import pytest

from chalicelib.match.model import MOST_SEAT_CHANGES, MOST_SEAT_EVENTS, UNSTARTED_LIFE, SeatType, Start, Status
from chalicelib.match.view import Outcome
from chalicelib.service.errors import Refused
from chalicelib.service.table import LOOKED_BACK, MOST_EVENTS
from tests.service.people import EAST, NORTH, SOUTH, WEST, Hall, Person, four_at_cards, play_on, refused


def swap_bots(host: Person, match_id: str, times: int) -> None:
    """Seat one bot after the other on the same seat."""
    for number in range(times):
        host.seat_bot(match_id, WEST, ("easy", "sharp")[number % 2])


def all_events(person: Person, told: Outcome) -> list[int]:
    """Versions of the events of an answer, those that were left out fetched from the feed."""
    versions = [event.version for event in told.events]
    assert len(versions) <= MOST_EVENTS
    if told.events_from is None:
        return versions
    whole = [event.version for event in person.feed(told.view.id, told.events_from)]
    assert whole[-len(versions) :] == versions and len(whole) > len(versions)
    return whole


class TestAnswers:
    """The answer to a repeated write carries the latest events, and says where the others begin."""

    def test_the_first_move_again_after_sixteen_deals(self, hall: Hall) -> None:
        """200 events and the version before the move; the feed has all from there."""
        people = hall.guests(*"ABCD")
        match_id = four_at_cards(people, deals=16).id
        mover = people[hall.turn(match_id)]
        view, move = mover.read(match_id), hall.deal(match_id).legal_moves()[0]
        play_on(people, match_id)
        again = mover.put(match_id, 1, move)
        assert (MOST_EVENTS, view.version) == (len(again.events), again.events_from)
        assert list(range(view.version + 1, again.view.version + 1)) == all_events(mover, again)

    def test_a_table_made_and_started_again(self, hall: Hall) -> None:
        """A repeated start, also in a later deal, is told from where the match started; a seat of long ago from the
        first event."""
        host, friend = people = hall.guests("A", "B")
        table = host.open_table(deals=3).view
        friend.join(table, EAST)
        swap_bots(host, table.id, 240)
        begin = next(event.version for event in host.start(table.id).events if event.type == "match_started")
        again = host.start(table.id)
        assert (begin, None) == (again.events[0].version, again.events_from)
        while hall.match(table.id).deal < 3:
            people[hall.turn(table.id)].move(table.id)
        assert [*range(begin, hall.match(table.id).version + 1)] == all_events(host, host.start(table.id))
        seated = host.sit(table.id, NORTH)
        assert 0 == seated.events_from
        assert list(range(1, seated.view.version + 1)) == all_events(host, seated)


def test_a_leaver_repeats_it(hall: Hall) -> None:
    """Whoever has left before the start may say so again, however much has happened since; a stranger finds nothing."""
    host, friend, stranger = hall.guests("A", "B", "C")
    table = host.open_table().view
    friend.join(table, EAST)
    friend.leave(table.id, EAST)
    refused("match_not_found", stranger.leave, table.id, EAST)
    stranger.join(table, EAST)
    swap_bots(host, table.id, LOOKED_BACK)
    before = hall.match(table.id)
    friend.leave(table.id, EAST)
    assert before == hall.match(table.id)


class TestSeats:
    """A table takes only so many changes of its seats, and can always be left and played at."""

    def test_before_the_start(self, hall: Hall) -> None:
        """Beyond the bound nobody sits, moves or has a bot seated; all may repeat, leave, and the host start."""
        host, friend, late = hall.guests("A", "B", "C")
        table = host.open_table().view
        friend.join(table, EAST)
        failure = refused("too_many_seat_changes", swap_bots, host, table.id, MOST_SEAT_EVENTS)
        assert ({"most": MOST_SEAT_EVENTS}, MOST_SEAT_EVENTS) == (failure.params, hall.match(table.id).version)
        refused("too_many_seat_changes", late.join, table, SOUTH)
        refused("too_many_seat_changes", friend.sit, table.id, EAST, client_seed="0a")
        refused("too_many_seat_changes", host.seat_bot, table.id, SOUTH)
        assert MOST_SEAT_EVENTS == hall.match(table.id).version
        friend.sit(table.id, EAST)
        friend.rename("Bee")
        friend.leave(table.id, EAST)
        assert Status.PLAYING is host.start(table.id).view.status
        play_on((host,), table.id)
        assert Status.FINISHED is hall.match(table.id).status

    def test_of_one_player(self, hall: Hall) -> None:
        """Who changes seats again and again is kept from it, and nobody else: the host seats bots, others sit down."""
        host, hopper, friend = hall.guests("A", "B", "C")
        table = host.open_table(start=Start.BY_HOST).view
        hopper.join(table, EAST)
        for number in range(MOST_SEAT_CHANGES - 1):
            hopper.sit(table.id, (WEST, EAST)[number % 2])
        failure = refused("too_many_seat_changes", hopper.sit, table.id, EAST)
        assert {"most": MOST_SEAT_CHANGES} == failure.params
        hopper.leave(table.id, WEST)
        swap_bots(host, table.id, 2 * MOST_SEAT_CHANGES)
        assert SOUTH == friend.join(table, SOUTH).view.seat

    def test_of_one_player_among_cards(self, hall: Hall) -> None:
        """The same for taking over, until a week later."""
        host, hopper, friend = hall.guests("A", "B", "C")
        table = four_at_cards((host,), take_over=True)
        for _ in range(MOST_SEAT_CHANGES):
            hopper.join(table, EAST)
            hopper.leave(table.id, EAST)
        refused("too_many_seat_changes", hopper.join, table, EAST)
        friend.join(table, EAST)
        hall.wait(UNSTARTED_LIFE)
        friend.leave(table.id, EAST)
        assert EAST == hopper.sit(table.id, EAST).view.seat

    def test_among_cards(self, hall: Hall) -> None:
        """The same in each deal: nobody takes a seat over any more, until the next one; who is there plays and
        leaves."""
        host, friend = hall.guests("A", "B")
        table = four_at_cards((host, friend), take_over=True, deals=2)
        match_id = table.id
        friend.leave(match_id, EAST)
        with pytest.raises(Refused, match="too_many_seat_changes") as refusal:
            for guest in hall.guests(*"ABCDEFGHIJKLMN"):
                for _ in range(MOST_SEAT_CHANGES):
                    guest.join(table, EAST)
                    guest.leave(match_id, EAST)
        assert {"most": MOST_SEAT_EVENTS} == refusal.value.params
        assert MOST_SEAT_EVENTS <= hall.match(match_id).log.marks < MOST_SEAT_EVENTS + 3
        while hall.match(match_id).deal == 1:
            host.move(match_id)
        friend.join(host.read(match_id), EAST)
        host.leave(match_id, NORTH)
        assert SeatType.BOT is hall.place(match_id, NORTH).type
        play_on((host, friend), match_id, choose=Random(1))
        assert Status.FINISHED is hall.match(match_id).status
