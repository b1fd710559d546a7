"""Making matches, reading them, what a view shows, and looking invites up."""

from __future__ import annotations

import pytest

from chalicelib.engine import commitment, deal_secret
from chalicelib.match.cards import running_deal
from chalicelib.match.model import DAY, MOST_LIVE, UNSTARTED_LIFE, SeatType, Status
from chalicelib.match.view import GONE, MatchResult, PlayerRef, match_view
from chalicelib.service.tables.invites import look_up_invite
from chalicelib.service.tables.matches import SeatRequest, request_digest
from tests.service.people import EAST, NORTH, SOUTH, WEST, Hall, four_at_cards, play_on, refused

ME, EMPTY, BOT = SeatRequest("human"), SeatRequest("empty"), SeatRequest("bot", "easy")


def test_a_table_with_empty_seats_waits(hall: Hall) -> None:
    """Seats that are empty, or not named, wait for friends; the code is there, and a day's clock by default."""
    view = hall.guest().create(seats={SOUTH: ME, EAST: EMPTY, WEST: BOT}).view
    assert (Status.WAITING, SOUTH, DAY) == (view.status, view.host, view.rules.turn_seconds)
    assert view.invite is not None and view.invite.expires_at == hall.clock.at + UNSTARTED_LIFE
    assert [SeatType.EMPTY, SeatType.EMPTY, SeatType.HUMAN, SeatType.BOT] == [seat.type for seat in view.seats]
    assert view.deal is None and view.deal_number is None and view.next_move == 1


def test_commitments(hall: Hall) -> None:
    """There is one to each deal's secret, all different and the same ever after; the match's secret is nowhere in the
    view."""
    host = hall.guest()
    view = host.open_table(deals=16).view
    secret = hall.match(view.id).secret
    assert tuple(commitment(deal_secret(secret, number)) for number in range(1, 17)) == view.commitments
    assert 16 == len(set(view.commitments))
    started = host.start(view.id).view
    assert view.commitments == started.commitments
    assert repr(secret) not in repr(started) and secret.hex() not in repr(started)


class TestIdempotencyKey:
    """A repeated POST finds the first one's match."""

    def test_after_leaving(self, hall: Hall) -> None:
        """Whoever has left the table sees of it what a stranger does: all where it may be watched, or nothing."""
        host, friend = hall.guests("A", "B")
        for key, watched in (("open", True), ("closed", False)):
            table = host.create(key, seats={NORTH: ME}, spectators=watched).view
            friend.join(table, EAST)
            host.leave(table.id, NORTH)
        again = host.create("open", seats={NORTH: ME}, spectators=True).view
        assert (None, EAST) == (again.seat, again.host)
        refused("match_not_found", host.create, "closed", seats={NORTH: ME})

    def test_request_digest_ignores_order(self) -> None:
        assert request_digest({"a": 1, "b": [2]}) == request_digest({"b": [2], "a": 1})
        assert request_digest({"a": 1}) != request_digest({"a": 2})


def test_live_matches_are_capped(hall: Hall) -> None:
    """Nobody has more than so many live matches; one that ends makes room. Sitting down counts too."""
    host, friend = hall.guests("A", "B")
    made = [host.create(deals=1).view for _ in range(MOST_LIVE)]
    assert {"most": MOST_LIVE} == refused("too_many_matches", host.create).params
    table = friend.open_table().view
    assert refused("too_many_matches", host.join, table, EAST).current is None  # to a stranger it shows no more
    play_on((host,), made[0].id)
    assert EAST == host.join(table, EAST).view.seat


class TestReading:
    """Who sees what."""

    def test_reading_changes_nothing(self, hall: Hall) -> None:
        """GETs never write, even long after the deadline. Each player sees thirteen cards, all different."""
        people = hall.guests(*"ABCD")
        match_id = four_at_cards(people, turn_seconds=60).id
        before, cards = hall.match(match_id), set[object]()
        hall.wait(10 * DAY)
        for person in people:
            view = person.read(match_id)
            assert view.deal is not None
            cards |= set(view.deal.hand)
            person.feed(match_id)
            person.turns()
            list(person.matches())
        assert (before, 52) == (hall.match(match_id), len(cards))

    def test_previous_deal(self, hall: Hall) -> None:
        """The deal before the one on the table, with its result, at the end too."""
        people = hall.guests(*"ABCD")
        match_id = four_at_cards(people, deals=2).id
        while hall.match(match_id).deal == 1:
            play_on(people, match_id, 1)
        told = hall.match(match_id).results[0]
        assert (1, told) == people[NORTH].read(match_id).previous_deal
        play_on(people, match_id)
        view = people[NORTH].read(match_id)
        assert (1, told) == view.previous_deal and view.deal_number == 2 and view.deal is not None
        assert view.result is not None and told == view.result.deals[0]

    def test_names_given_and_not(self, hall: Hall) -> None:
        """Live matches name players themselves, who need have none; for ended ones the names are given; a deleted
        player is nobody."""
        people = hall.guests("", "B", "C")
        match = hall.match(four_at_cards(people).id)
        view = match_view(match, running_deal(match), NORTH, hall.clock())
        a, b, c = (person.id for person in people)
        assert [PlayerRef(a, ""), PlayerRef(b, "B"), PlayerRef(c, "C")] == [seat.player for seat in view.seats[:3]]
        view = match_view(match, running_deal(match), NORTH, hall.clock(), {a: PlayerRef(a, "Ann"), b: GONE, c: GONE})
        assert [PlayerRef(a, "Ann"), GONE, GONE] == [seat.player for seat in view.seats[:3]]

    def test_equal_totals_are_a_draw(self) -> None:
        """R4."""
        assert MatchResult(None, (0, 0), ()) == MatchResult.of(())


class TestInvites:
    """What a code shows before joining."""

    @pytest.mark.parametrize("what", ["is wrong", "is empty", "has expired", "is of a table that has started"])
    def test_a_code_that_leads_nowhere(self, hall: Hall, what: str) -> None:
        host = hall.guest()
        table = host.open_table().view
        assert table.invite is not None
        look_up_invite(hall.services, table.invite.code)
        hall.wait(UNSTARTED_LIFE - ("expired" not in what))
        if "started" in what:
            host.start(table.id)
        code = {"is wrong": "AAAAAAAA", "is empty": ""}.get(what, table.invite.code)
        refused("invite_not_found", look_up_invite, hall.services, code)
