"""Playing again."""

from __future__ import annotations

import pytest

from chalicelib.engine import SEATS, Seat
from chalicelib.match.model import DAY, MOST_LIVE, UNSTARTED_LIFE, SeatType, Standing, Start, Status
from chalicelib.service.errors import TryAgain
from chalicelib.service.people.accounts import export
from chalicelib.service.tables.lists import MOST_OFFERS
from chalicelib.service.tables.matches import SeatRequest
from chalicelib.service.tables.rematch import rematch
from tests.service.people import EAST, NORTH, SOUTH, WEST, Hall, Person, play_on, refused

HUMAN, INVITED, EMPTY, BOT = SeatType.HUMAN, SeatType.INVITED, SeatType.EMPTY, SeatType.BOT
People = tuple[Person, ...]


@pytest.fixture
def ended(hall: Hall) -> tuple[People, str]:
    return hall.over("ABCD")


@pytest.fixture
def people(ended: tuple[People, str]) -> People:
    return ended[0]


@pytest.fixture
def over(ended: tuple[People, str]) -> str:
    """The id of a match of four that is over."""
    return ended[1]


def test_the_others_are_invited(people: People, over: str) -> None:
    """The asker sits on the same seat and is host; the others are invited to theirs, and see where the rematch is."""
    told = people[EAST].rematch(over)
    view = told.view
    assert (Status.WAITING, EAST, EAST) == (view.status, view.seat, view.host)
    assert [INVITED, HUMAN, INVITED, INVITED] == [seat.type for seat in view.seats]
    assert list(range(1, view.version + 1)) == [event.version for event in told.events]
    for person in people:
        assert view.id == person.read(over).rematch_id == person.feed(over)[-1].values["rematch_id"]
        assert [over] == [told.id for told in person.matches(Status.FINISHED) if told.rematch_id == view.id]
    assert people[NORTH].read(view.id).seat is None
    assert [view.id] == [told.id for told in people[EAST].matches(Status.WAITING)]


def test_an_offer_is_told_to_those_who_are_asked(hall: Hall, people: People, over: str) -> None:
    """With the seat and the time it lasts; it is no match of theirs until they sit down."""
    view = people[EAST].rematch(over).view
    (offer,) = people[NORTH].offers()
    assert (view.id, NORTH, over) == (offer.match.id, offer.seat, offer.rematch_of)
    assert (hall.clock.at + UNSTARTED_LIFE, None) == (offer.expires_at, offer.match.your_seat)
    assert [over] == [told.id for told in people[NORTH].matches()]
    assert () == hall.store.live(people[NORTH].id) and () == people[EAST].offers()
    people[NORTH].sit(view.id, NORTH)
    assert ((), (view.id,)) == (people[NORTH].offers(), hall.store.live(people[NORTH].id))
    hall.wait(UNSTARTED_LIFE)
    assert () == people[SOUTH].offers()  # whether or not the sweep has come by
    hall.sweep()
    assert () == hall.store.offers(people[SOUTH].id, 0)
    assert Status.ABANDONED is people[EAST].read(view.id).status


def test_others_fill_nobodys_list(hall: Hall, people: People, over: str) -> None:
    """Rematches asked for and left again leave nothing with those who were asked."""
    for _ in range(5):
        people[EAST].leave(people[EAST].rematch(over).view.id, EAST)
    for person in people:
        assert [over] == [told.id for told in person.matches(limit=100)]
        assert ((), ()) == (person.offers(), hall.store.live(person.id))
    asked, asker = people[:2]
    ended = hall.copies(over, MOST_LIVE)
    for match_id in ended:
        asker.rematch(match_id)
    assert (MOST_OFFERS, ()) == (len(asked.offers()), hall.store.live(asked.id))
    for _ in range(MOST_LIVE):
        asked.create()
    refused("too_many_matches", asked.rematch, ended[0])


def test_made_once_however_many_ask(people: People, over: str) -> None:
    """Everybody's asking leads to one match; with the last of them it starts."""
    made = [person.rematch(over).view for person in people]
    assert (1, Status.PLAYING) == (len({view.id for view in made}), made[-1].status)
    assert [made[-1].version] * 4 == [person.rematch(over).view.version for person in people]


def test_seated_on_accepting(hall: Hall, people: People, over: str) -> None:
    """A PUT of the offered seat accepts, or of a free one, and then the offered one is free for all; no clock runs
    before all have."""
    view = people[NORTH].rematch(over).view
    people[EAST].leave(view.id, EAST)
    assert EAST == people[SOUTH].sit(view.id, EAST).view.seat
    assert EMPTY is hall.place(view.id, SOUTH).type
    refused("seat_taken", people[SOUTH].sit, view.id, WEST)
    view = people[EAST].rematch(over).view
    assert (Status.WAITING, None, SOUTH) == (view.status, view.deadline_at, view.seat)
    hall.wait(3 * DAY)
    view = people[WEST].sit(view.id, WEST).view
    assert (Status.PLAYING, hall.clock.at + DAY) == (view.status, view.deadline_at)


def test_seeds(hall: Hall, people: People, over: str) -> None:
    """Each brings a new one by asking, or none; alone against bots it counts too, though the match starts at once."""
    north, east = (people[seat].id for seat in (NORTH, EAST))
    view = rematch(hall.services, north, over, "5eed").view
    rematch(hall.services, east, over, "0a")
    assert ((NORTH, north, "5eed"), (EAST, east, "0a")) == hall.match(view.id).seeds
    told = rematch(hall.services, north, over, "ace")
    assert [("seat_taken", "ace")] == [(event.type, event.values["client_seed"]) for event in told.events]
    assert ((EAST, east, "0a"), (NORTH, north, "ace")) == hall.match(view.id).seeds
    for seed in ("ace", None):
        assert told.view == rematch(hall.services, north, over, seed).view
    solo = people[NORTH].create(deals=1).view.id
    play_on(people[:1], solo)
    assert ((NORTH, north, "cafe"),) == hall.store.seeds(rematch(hall.services, north, solo, "cafe").view.id)


def test_declining(hall: Hall, people: People, over: str) -> None:
    """A DELETE of the offered seat, again too; the offer is gone, and who asks for the rematch after all sits down."""
    view = people[NORTH].rematch(over).view
    for _ in range(2):
        people[EAST].leave(view.id, EAST)
    assert (EMPTY, ()) == (hall.place(view.id, EAST).type, people[EAST].offers())
    assert [over] == [told.id for told in people[EAST].matches()]
    refused("match_not_found", people[EAST].read, view.id)
    refused("match_not_found", hall.guest().leave, view.id, EAST)
    assert EAST == people[EAST].rematch(over).view.seat
    assert {view.id, over} == {told.id for told in people[EAST].matches()}


def test_having_declined_too_late(hall: Hall, people: People, over: str) -> None:
    """Another free seat does; with none, or once the others have started, the asker is told so."""
    view = people[NORTH].rematch(over).view
    for seat in (EAST, SOUTH, WEST):
        people[seat].leave(view.id, seat)
    people[NORTH].seat_bot(view.id, EAST)
    assert SOUTH == people[EAST].rematch(over).view.seat
    people[NORTH].seat_bot(view.id, WEST)
    assert Status.PLAYING is hall.match(view.id).status
    refused("match_not_waiting", people[SOUTH].rematch, over)


def test_no_seat_is_left(hall: Hall) -> None:
    """Where the host says when it starts, a table may be full before: whoever declined is told which seat is not
    available, and whose offered seat the host freed that they may not come."""
    people, over = hall.over("ABCD", start=Start.BY_HOST)
    view = people[NORTH].rematch(over).view
    people[EAST].leave(view.id, EAST)
    people[NORTH].leave(view.id, SOUTH)
    assert () == people[SOUTH].offers()
    for seat in (EAST, SOUTH):
        people[NORTH].seat_bot(view.id, seat)
    failure = refused("seat_taken", people[EAST].rematch, over)
    assert ({"seat": "east"}, None) == (failure.params, failure.current)
    refused("removed_by_host", people[SOUTH].rematch, over)


def test_the_host_starts_without_them(people: People, over: str) -> None:
    """Bots take the seats of those who have not come; alone there is no clock, since nobody asked for it."""
    view = people[NORTH].rematch(over).view
    view = people[NORTH].start(view.id).view
    assert [HUMAN, BOT, BOT, BOT] == [seat.type for seat in view.seats]
    assert (None, [over]) == (view.rules.turn_seconds, [told.id for told in people[EAST].matches()])
    assert () == people[EAST].offers()
    refused("match_not_found", people[EAST].sit, view.id, EAST)
    refused("match_not_waiting", people[EAST].rematch, over)


def test_late_but_before_the_sweep(hall: Hall, people: People, over: str) -> None:
    """Whoever declined can try again: once the sweep has given the old one up, there is another."""
    view = people[NORTH].rematch(over).view
    people[EAST].leave(view.id, EAST)
    hall.wait(UNSTARTED_LIFE)
    with pytest.raises(TryAgain):
        people[EAST].rematch(over)
    hall.sweep()
    assert view.id != people[EAST].rematch(over).view.id


def test_given_up_before_it_started(hall: Hall, people: People, over: str) -> None:
    """Where the asker goes again, the others may still ask: for another."""
    told = people[NORTH].rematch(over).view
    people[NORTH].leave(told.id, NORTH)
    assert Status.ABANDONED is hall.match(told.id).status
    second = people[EAST].rematch(over).view
    assert second.id != told.id and Status.WAITING is second.status
    assert second.id == people[NORTH].rematch(over).view.id == people[SOUTH].read(over).rematch_id


def test_a_solo_match_starts_again_at_once(hall: Hall) -> None:
    """Bots sit as before, on the same levels; the shuffles are new."""
    host = hall.guest()
    bots = dict.fromkeys(SEATS, SeatRequest("bot", "steady")) | {NORTH: SeatRequest("human")}
    view = host.create(deals=1, seats=bots).view
    play_on((host,), view.id)
    again = host.rematch(view.id).view
    assert (Status.PLAYING, None, None) == (again.status, again.invite, again.rules.turn_seconds)
    assert ["steady"] * 3 == [seat.level for seat in again.seats[1:]]
    assert set(view.commitments).isdisjoint(again.commitments)


def test_seats_of_those_who_left_or_are_deleted(hall: Hall) -> None:
    """They are not asked again: their seats are empty, for whoever has the code; and they may not ask."""
    people, match_id = hall.playing("ABCD", deals=1)
    for seat in (EAST, SOUTH):
        people[seat].leave(match_id, seat)
    play_on(people, match_id)
    people[WEST].delete()
    again = people[NORTH].rematch(match_id).view
    assert [HUMAN, EMPTY, EMPTY, EMPTY] == [seat.type for seat in again.seats] and again.invite is not None
    refused("not_seated", people[EAST].rematch, match_id)
    refused("account_deleted", people[WEST].rematch, match_id)


def test_a_decline_holds_for_the_next_one(hall: Hall, people: People, over: str) -> None:
    """Where a rematch was given up, who declined it, or was sent away, is not asked to the next ones; who had sat down
    or not answered is. All may still come by themselves."""
    told = people[NORTH].rematch(over).view.id
    people[WEST].rematch(over)
    for seat in (WEST, EAST, NORTH):
        people[seat].leave(told, seat)
    for _ in range(2):
        again = people[NORTH].rematch(over).view
        assert [HUMAN, EMPTY, INVITED, INVITED] == [seat.type for seat in again.seats]
        people[NORTH].leave(again.id, NORTH)
    assert () == people[EAST].offers()
    people[NORTH].rematch(over)
    assert HUMAN is people[EAST].rematch(over).view.seats[EAST].type


def test_offers_of_others_leave_no_trace_for_good(hall: Hall, people: People, over: str) -> None:
    """What is kept of an offer that was taken back, declined or never answered ends with the table's life, and is not
    in the export; of a seat that was taken it is kept and told."""
    view = people[NORTH].rematch(over).view
    people[NORTH].leave(view.id, EAST)
    people[SOUTH].leave(view.id, SOUTH)
    people[WEST].rematch(over)
    people[WEST].leave(view.id, WEST)
    until = hall.match(view.id).created_at + UNSTARTED_LIFE + DAY

    def kept(seat: Seat) -> tuple[Standing, int | None, set[object]]:
        held = hall.store.membership(people[seat].id, view.id)
        matches = export(hall.services, people[seat].id).content["matches"]
        assert held is not None and isinstance(matches, list)
        return held.standing, held.until, {match["match_id"] for match in matches}

    assert (Standing.BARRED, until, {over}) == kept(EAST)
    assert (Standing.GONE, until, {over}) == kept(SOUTH)
    assert (Standing.GONE, None, {over, view.id}) == kept(WEST)
    refused("removed_by_host", people[EAST].rematch, over)
