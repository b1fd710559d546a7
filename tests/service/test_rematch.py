"""Playing again."""

from __future__ import annotations

import pytest

from chalicelib.engine import Seat
from chalicelib.match.model import DAY, MOST_LIVE, UNSTARTED_LIFE, SeatType, Standing, Start, Status
from chalicelib.service.errors import Forbidden, NotFound, Refused, TryAgain, Unauthorized, WrongState
from chalicelib.service.people.accounts import export
from chalicelib.service.tables.lists import MOST_OFFERS
from chalicelib.service.tables.matches import SeatRequest
from chalicelib.service.tables.rematch import rematch
from tests.service.people import EAST, NORTH, SOUTH, WEST, Hall, Person, four_at_cards, play_on


@pytest.fixture
def people(hall: Hall) -> tuple[Person, ...]:
    return hall.guests(*"ABCD")


@pytest.fixture
def over(hall: Hall, people: tuple[Person, ...]) -> str:
    """The id of a match of four that is over."""
    view = four_at_cards(people, deals=1)
    play_on(people, view.id)
    return view.id


def test_the_others_are_invited(hall: Hall, people: tuple[Person, ...], over: str) -> None:
    """The asker sits on the same seat and is host; the others are invited to theirs, and see where the rematch is."""
    told = people[EAST].rematch(over)
    view = told.view
    assert (Status.WAITING, EAST, EAST) == (view.status, view.seat, view.host)
    assert [SeatType.INVITED, SeatType.HUMAN, *[SeatType.INVITED] * 2] == [seat.type for seat in view.seats]
    assert list(range(1, view.version + 1)) == [event.version for event in told.events]
    for person in people:
        assert view.id == person.read(over).rematch_id
        assert view.id == person.feed(over)[-1].values["rematch_id"]
        assert [over] == [told.id for told in person.matches(Status.FINISHED) if told.rematch_id == view.id]
    assert people[NORTH].read(view.id).seat is None
    assert [view.id] == [told.id for told in people[EAST].matches(Status.WAITING)]


def test_an_offer_is_told_to_those_who_are_asked(hall: Hall, people: tuple[Person, ...], over: str) -> None:
    """With the seat and the time it lasts; it is no match of theirs until they sit down."""
    view = people[EAST].rematch(over).view
    (offer,) = people[NORTH].offers()
    assert (view.id, NORTH, over) == (offer.match.id, offer.seat, offer.rematch_of)
    assert (hall.clock.at + UNSTARTED_LIFE, None) == (offer.expires_at, offer.match.your_seat)
    assert [over] == [told.id for told in people[NORTH].matches()]
    assert () == hall.store.live(people[NORTH].id) and () == people[EAST].offers()
    people[NORTH].sit(view.id, NORTH)
    assert () == people[NORTH].offers()
    assert (view.id,) == hall.store.live(people[NORTH].id)
    hall.wait(UNSTARTED_LIFE)
    assert () == people[SOUTH].offers()  # whether or not the sweep has come by
    hall.sweep()
    assert () == hall.store.offers(people[SOUTH].id, 0)


def test_others_fill_nobodys_list(hall: Hall, people: tuple[Person, ...], over: str) -> None:
    """Sixty rematches asked for and left again leave nothing with those who were asked."""
    for _ in range(60):
        view = people[EAST].rematch(over).view
        people[EAST].leave(view.id, EAST)
    for person in people:
        assert [over] == [told.id for told in person.matches(limit=100)]
        assert ((), ()) == (person.offers(), hall.store.live(person.id))


def test_others_take_nobodys_room(hall: Hall) -> None:
    """Fifty rematches at once cost those who are asked nothing: they may still have as many matches as anybody."""
    people = hall.guests("A", "B")
    ended = []
    for _ in range(MOST_LIVE):
        view = four_at_cards(people, deals=1)
        play_on(people, view.id)
        ended.append(view.id)
    for match_id in ended:
        people[1].rematch(match_id)
    asked = people[0]
    assert (MOST_OFFERS, ()) == (len(asked.offers()), hall.store.live(asked.id))
    for _ in range(MOST_LIVE):
        asked.create()
    with pytest.raises(Refused, match="too_many_matches"):
        asked.rematch(ended[0])


def test_made_once_however_many_ask(hall: Hall, people: tuple[Person, ...], over: str) -> None:
    """Everybody's asking leads to one match; with the last of them it starts."""
    made = [person.rematch(over).view for person in people]
    assert 1 == len({view.id for view in made})
    assert Status.PLAYING is made[-1].status
    again = [person.rematch(over).view for person in people]
    assert [made[-1].version] * 4 == [view.version for view in again]


def test_seated_on_accepting(hall: Hall, people: tuple[Person, ...], over: str) -> None:
    """A PUT of the offered seat accepts; no clock runs before all have."""
    view = people[NORTH].rematch(over).view
    for person, seat in ((people[EAST], EAST), (people[SOUTH], SOUTH)):
        view = person.sit(view.id, seat).view
        assert (Status.WAITING, None, seat) == (view.status, view.deadline_at, view.seat)
    hall.wait(3 * DAY)
    view = people[WEST].sit(view.id, WEST).view
    assert (Status.PLAYING, hall.clock.at + DAY) == (view.status, view.deadline_at)


def test_an_invited_player_sits_elsewhere(hall: Hall, people: tuple[Person, ...], over: str) -> None:
    """On a free seat; the offered one is then free for all."""
    view = people[NORTH].rematch(over).view
    people[EAST].leave(view.id, EAST)
    assert EAST == people[SOUTH].sit(view.id, EAST).view.seat
    assert SeatType.EMPTY is hall.place(view.id, SOUTH).type
    with pytest.raises(WrongState, match="seat_taken"):
        people[SOUTH].sit(view.id, WEST)


def test_seeds(hall: Hall, people: tuple[Person, ...], over: str) -> None:
    """Each brings a new one by asking, or none; alone against bots it counts too, though the match starts at once."""
    view = rematch(hall.services, people[NORTH].id, over, "5eed").view
    rematch(hall.services, people[EAST].id, over, "0a")
    north, east = (people[seat].id for seat in (NORTH, EAST))
    assert ((NORTH, north, "5eed"), (EAST, east, "0a")) == hall.match(view.id).seeds
    told = rematch(hall.services, people[NORTH].id, over, "ace")
    assert [("seat_taken", "ace")] == [(event.type, event.values["client_seed"]) for event in told.events]
    assert ((EAST, east, "0a"), (NORTH, north, "ace")) == hall.match(view.id).seeds
    for seed in ("ace", None):
        assert told.view == rematch(hall.services, people[NORTH].id, over, seed).view
    solo = people[NORTH].create(deals=1).view.id
    play_on((people[NORTH],), solo)
    again = rematch(hall.services, people[NORTH].id, solo, "cafe").view.id
    assert ((NORTH, north, "cafe"),) == hall.store.seeds(again)


def test_declining(hall: Hall, people: tuple[Person, ...], over: str) -> None:
    """A DELETE of the offered seat, again too; the offer is gone, and who asks for the rematch after all sits down."""
    view = people[NORTH].rematch(over).view
    people[EAST].leave(view.id, EAST)
    people[EAST].leave(view.id, EAST)
    assert SeatType.EMPTY is hall.place(view.id, EAST).type
    assert [over] == [told.id for told in people[EAST].matches()]
    with pytest.raises(NotFound, match="match_not_found"):
        people[EAST].read(view.id)
    assert () == people[EAST].offers()
    with pytest.raises(NotFound, match="match_not_found"):
        hall.guest().leave(view.id, EAST)
    assert EAST == people[EAST].rematch(over).view.seat
    assert {view.id, over} == {told.id for told in people[EAST].matches()}


def test_having_declined_too_late(hall: Hall, people: tuple[Person, ...], over: str) -> None:
    """Another free seat does; with none, or once the others have started, the asker is told so."""
    view = people[NORTH].rematch(over).view
    for seat in (EAST, SOUTH, WEST):
        people[seat].leave(view.id, seat)
    people[NORTH].seat_bot(view.id, EAST)
    assert SOUTH == people[EAST].rematch(over).view.seat
    people[NORTH].seat_bot(view.id, WEST)
    assert Status.PLAYING is hall.match(view.id).status
    with pytest.raises(WrongState, match="match_not_waiting"):
        people[SOUTH].rematch(over)


def test_having_declined_with_no_seat_left(hall: Hall) -> None:
    """At a table that its host starts, all seats may be taken while it waits."""
    people = hall.guests(*"ABCD")
    view = four_at_cards(people, deals=1, start=Start.BY_HOST)
    play_on(people, view.id)
    again = people[NORTH].rematch(view.id).view
    people[EAST].leave(again.id, EAST)
    people[NORTH].seat_bot(again.id, EAST)
    with pytest.raises(WrongState, match="seat_taken") as failure:
        people[EAST].rematch(view.id)
    assert {"seat": "east"} == failure.value.params


def test_an_offer_taken_back(hall: Hall, people: tuple[Person, ...], over: str) -> None:
    """Whose offered seat the host frees is not asked any more, and may not come by asking either."""
    view = people[NORTH].rematch(over).view
    people[NORTH].leave(view.id, EAST)
    assert () == people[EAST].offers()
    with pytest.raises(Forbidden, match="removed_by_host"):
        people[EAST].rematch(over)


def test_the_host_starts_without_them(hall: Hall, people: tuple[Person, ...], over: str) -> None:
    """Bots take the seats of those who have not come; alone there is no clock, since nobody asked for it."""
    view = people[NORTH].rematch(over).view
    view = people[NORTH].start(view.id).view
    assert [SeatType.HUMAN, *[SeatType.BOT] * 3] == [seat.type for seat in view.seats]
    assert view.rules.turn_seconds is None
    assert [over] == [told.id for told in people[EAST].matches()]
    assert () == people[EAST].offers()
    with pytest.raises(NotFound, match="match_not_found"):
        people[EAST].sit(view.id, EAST)
    with pytest.raises(WrongState, match="match_not_waiting"):
        people[EAST].rematch(over)


def test_no_seat_is_left(hall: Hall, people: tuple[Person, ...]) -> None:
    """Where the host says when it starts, a table may be full before: whoever declined is told which seat is not
    available, and whoever was sent away that they may not come."""
    over = four_at_cards(people, deals=1, start=Start.BY_HOST).id
    play_on(people, over)
    view = people[NORTH].rematch(over).view
    people[EAST].leave(view.id, EAST)
    people[NORTH].leave(view.id, SOUTH)
    for seat in (EAST, SOUTH):
        people[NORTH].seat_bot(view.id, seat)
    with pytest.raises(WrongState, match="seat_taken") as failure:
        people[EAST].rematch(over)
    assert ({"seat": "east"}, None) == (failure.value.params, failure.value.current)
    with pytest.raises(Forbidden, match="removed_by_host"):
        people[SOUTH].rematch(over)


def test_late_but_before_the_sweep(hall: Hall, people: tuple[Person, ...], over: str) -> None:
    """Whoever declined can try again: once the sweep has given the old one up, there is another."""
    view = people[NORTH].rematch(over).view
    people[EAST].leave(view.id, EAST)
    hall.wait(UNSTARTED_LIFE)
    with pytest.raises(TryAgain):
        people[EAST].rematch(over)
    hall.sweep()
    assert view.id != people[EAST].rematch(over).view.id


def test_given_up_before_it_started(hall: Hall, people: tuple[Person, ...], over: str) -> None:
    """Where the asker goes again, the others may still ask: for another."""
    first = people[NORTH].rematch(over).view
    people[NORTH].leave(first.id, NORTH)
    assert Status.ABANDONED is hall.match(first.id).status
    second = people[EAST].rematch(over).view
    assert second.id != first.id and Status.WAITING is second.status
    assert second.id == people[NORTH].rematch(over).view.id == people[SOUTH].read(over).rematch_id


def test_nobody_comes(hall: Hall, people: tuple[Person, ...], over: str) -> None:
    """A rematch that nobody joins within a week is given up, like any table."""
    view = people[NORTH].rematch(over).view
    hall.wait(UNSTARTED_LIFE)
    hall.sweep()
    assert Status.ABANDONED is people[EAST].read(view.id).status
    assert [] == list(people[EAST].matches(Status.WAITING))


def test_a_solo_match_starts_again_at_once(hall: Hall) -> None:
    """Bots sit as before, on the same levels."""
    host = hall.guest()
    bots = {seat: SeatRequest("bot", "sharp") for seat in (EAST, SOUTH, WEST)}
    view = host.create(deals=1, seats={NORTH: SeatRequest("human")} | bots).view
    play_on((host,), view.id)
    again = host.rematch(view.id).view
    assert (Status.PLAYING, None, None) == (again.status, again.invite, again.rules.turn_seconds)
    assert ["sharp"] * 3 == [seat.level for seat in again.seats[1:]]
    assert set(view.commitments).isdisjoint(again.commitments)


def test_seats_of_those_who_left(hall: Hall, people: tuple[Person, ...]) -> None:
    """They are not asked again: their seats are empty, for whoever has the code."""
    view = four_at_cards(people, deals=1)
    for seat in (EAST, SOUTH, WEST):
        people[seat].leave(view.id, seat)
    play_on(people, view.id)
    again = people[NORTH].rematch(view.id).view
    assert [SeatType.HUMAN, *[SeatType.EMPTY] * 3] == [seat.type for seat in again.seats]
    assert again.invite is not None
    with pytest.raises(Forbidden, match="not_seated"):
        people[EAST].rematch(view.id)


def test_a_decline_holds_for_the_next_one(hall: Hall, people: tuple[Person, ...], over: str) -> None:
    """Where a rematch was given up, who declined it, or was sent away, is not asked to the next ones; who had sat down
    or not answered is. All may still come by themselves."""
    first = people[NORTH].rematch(over).view.id
    people[WEST].rematch(over)
    people[WEST].leave(first, WEST)
    people[EAST].leave(first, EAST)
    people[NORTH].leave(first, NORTH)
    for _ in range(2):
        seats = people[NORTH].rematch(over).view.seats
        assert [SeatType.HUMAN, SeatType.EMPTY, SeatType.INVITED, SeatType.INVITED] == [seat.type for seat in seats]
        last = hall.match(over).rematch_id
        assert last is not None
        people[NORTH].leave(last, NORTH)
    assert () == people[EAST].offers()
    people[NORTH].rematch(over)
    assert SeatType.HUMAN is people[EAST].rematch(over).view.seats[EAST].type


def test_offers_of_others_leave_no_trace_for_good(hall: Hall, people: tuple[Person, ...], over: str) -> None:
    """What is kept of an offer that was taken back, declined or never answered ends with the table's life, and is not
    in the export; of a seat that was taken it is kept and told."""
    view = people[NORTH].rematch(over).view
    people[NORTH].leave(view.id, EAST)
    people[SOUTH].leave(view.id, SOUTH)
    people[WEST].rematch(over)
    people[WEST].leave(view.id, WEST)
    until = hall.match(view.id).created_at + UNSTARTED_LIFE + DAY

    def kept(seat: Seat) -> tuple[Standing, int | None]:
        held = hall.store.membership(people[seat].id, view.id)
        assert held is not None
        return held.standing, held.until

    assert [(Standing.BARRED, until), (Standing.GONE, until), (Standing.GONE, None)] == [
        *map(kept, (EAST, SOUTH, WEST))
    ]

    def told(seat: Seat) -> set[object]:
        matches = export(hall.services, people[seat].id).told["matches"]
        assert isinstance(matches, list)
        return {match["match_id"] for match in matches}

    assert [{over}, {over}, {over, view.id}] == [*map(told, (EAST, SOUTH, WEST))]
    with pytest.raises(Forbidden, match="removed_by_host"):
        people[EAST].rematch(over)


def test_the_deleted_are_not_asked(hall: Hall, people: tuple[Person, ...], over: str) -> None:
    """A deleted account's seat is empty; and a deleted account asks for nothing."""
    people[EAST].delete()
    view = people[NORTH].rematch(over).view
    assert SeatType.EMPTY is view.seats[EAST].type
    with pytest.raises(Unauthorized, match="account_deleted"):
        people[EAST].rematch(over)


def test_not_while_it_goes_on(hall: Hall, people: tuple[Person, ...]) -> None:
    """409, and for strangers there is nothing."""
    view = four_at_cards(people)
    with pytest.raises(WrongState, match="match_not_over"):
        people[NORTH].rematch(view.id)
    with pytest.raises(NotFound, match="match_not_found"):
        hall.guest().rematch(view.id)
