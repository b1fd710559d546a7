"""What an answer holds and a table may see is bounded, whatever has happened before."""

from __future__ import annotations

from random import Random

import pytest

from chalicelib.match.model import MOST_SEAT_CHANGES, MOST_SEAT_EVENTS, UNSTARTED_LIFE, SeatType, Start, Status
from chalicelib.match.view import Outcome
from chalicelib.service.errors import NotFound, Refused
from chalicelib.service.table import LOOKED_BACK, MOST_EVENTS
from tests.service.people import EAST, NORTH, SOUTH, WEST, Hall, Person, four_at_cards, play_on


def hop(person: Person, match_id: str, hops: int) -> None:
    """Change between east and west so many times."""
    for number in range(hops):
        person.sit(match_id, (WEST, EAST)[number % 2])


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
        seat = hall.turn(match_id)
        first = people[seat].read(match_id)
        assert first.deal is not None
        move = first.deal.legal_moves[0]
        people[seat].put(match_id, 1, move)
        play_on(people, match_id, choose=Random(1))
        again = people[seat].put(match_id, 1, move)
        assert (MOST_EVENTS, first.version) == (len(again.events), again.events_from)
        assert list(range(first.version + 1, again.view.version + 1)) == all_events(people[seat], again)

    def test_a_table_made_and_started_again(self, hall: Hall) -> None:
        """A repeated POST of a match or its start, and of the host's seat, after much coming and going."""
        host, friend = hall.guests("A", "B")
        made = host.create("key", seats=None, deals=1, take_over=True)
        table = host.open_table().view
        friend.join(table, EAST)
        swap_bots(host, table.id, 240)
        started = host.start(table.id)
        play_on((host, friend), table.id, 0)
        begin = next(event.version for event in started.events if event.type == "match_started")
        again = host.start(table.id)
        assert (begin, None) == (again.events[0].version, again.events_from)
        seated = host.sit(table.id, NORTH)
        assert 0 == seated.events_from
        assert list(range(1, seated.view.version + 1)) == all_events(host, seated)
        assert made.view.version == host.create("key", seats=None, deals=1, take_over=True).view.version

    def test_the_start_again_in_a_later_deal(self, hall: Hall) -> None:
        """It is told from where the match started."""
        people = hall.guests("A", "B")
        view = people[0].open_table(deals=3).view
        people[1].join(view, EAST)
        started = people[0].start(view.id)
        begin = next(event.version for event in started.events if event.type == "match_started")
        while hall.match(view.id).deal < 3:
            people[hall.turn(view.id)].move(view.id)
        again = people[0].start(view.id)
        whole = all_events(people[0], again)
        assert [*range(begin, again.view.version + 1)] == whole


def test_a_leaver_repeats_it(hall: Hall) -> None:
    """Whoever has left before the start may say so again, however much has happened since; a stranger finds nothing."""
    host, friend, stranger = hall.guests("A", "B", "C")
    table = host.open_table().view
    friend.join(table, EAST)
    friend.leave(table.id, EAST)
    friend.leave(table.id, EAST)
    with pytest.raises(NotFound, match="match_not_found"):
        hall.guest().leave(table.id, EAST)
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
        with pytest.raises(Refused, match="too_many_seat_changes") as refusal:
            swap_bots(host, table.id, MOST_SEAT_EVENTS)
        assert {"most": MOST_SEAT_EVENTS} == refusal.value.params
        version = hall.match(table.id).version
        assert MOST_SEAT_EVENTS == version
        seat = hall.match(table.id).seat_of(friend.id)
        assert seat is not None
        with pytest.raises(Refused, match="too_many_seat_changes"):
            late.join(table, SOUTH)
        with pytest.raises(Refused, match="too_many_seat_changes"):
            friend.sit(table.id, seat, client_seed="0a")
        with pytest.raises(Refused, match="too_many_seat_changes"):
            host.seat_bot(table.id, SOUTH)
        assert version == hall.match(table.id).version
        friend.sit(table.id, seat)
        friend.rename("Bee")
        friend.leave(table.id, seat)
        assert Status.PLAYING is host.start(table.id).view.status
        play_on((host,), table.id)
        assert Status.FINISHED is hall.match(table.id).status

    def test_of_one_player(self, hall: Hall) -> None:
        """Who changes seats again and again is kept from it, and nobody else: the host seats bots, others sit down."""
        host, hopper, friend = hall.guests("A", "B", "C")
        table = host.open_table(start=Start.BY_HOST).view
        hopper.join(table, EAST)
        hop(hopper, table.id, MOST_SEAT_CHANGES - 1)
        with pytest.raises(Refused, match="too_many_seat_changes") as refusal:
            hopper.sit(table.id, EAST if hall.match(table.id).seat_of(hopper.id) is WEST else WEST)
        assert {"most": MOST_SEAT_CHANGES} == refusal.value.params
        swap = hall.match(table.id).seat_of(hopper.id)
        assert swap is not None
        hopper.leave(table.id, swap)
        swap_bots(host, table.id, 2 * MOST_SEAT_CHANGES)
        friend.join(table, SOUTH)
        assert friend.id == hall.place(table.id, SOUTH).player_id

    def test_of_one_player_among_cards(self, hall: Hall) -> None:
        """The same for taking over, until a week later."""
        host, hopper, friend = hall.guests("A", "B", "C")
        table = four_at_cards((host,), take_over=True)
        for _ in range(MOST_SEAT_CHANGES):
            hopper.join(table, EAST)
            hopper.leave(table.id, EAST)
        with pytest.raises(Refused, match="too_many_seat_changes"):
            hopper.join(table, EAST)
        friend.join(table, EAST)
        hall.wait(UNSTARTED_LIFE)
        friend.leave(table.id, EAST)
        hopper.sit(table.id, EAST)
        assert hopper.id == hall.place(table.id, EAST).player_id

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
        play_on((host, friend), match_id)
        assert Status.FINISHED is hall.match(match_id).status
