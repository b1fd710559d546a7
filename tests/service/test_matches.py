"""Making matches, reading them, and looking invites up."""

from __future__ import annotations

import pytest

from chalicelib.engine import AfterBank
from chalicelib.match.model import DAY, MOST_LIVE, UNSTARTED_LIFE, Change, SeatType, Start, Status
from chalicelib.service.errors import NotFound, Refused, Unauthorized
from chalicelib.service.tables.matches import SeatRequest, look_up_invite, request_digest
from tests.service.people import EAST, NORTH, SOUTH, WEST, Hall, four_at_cards, play_on

ME, EMPTY, BOT = SeatRequest("human"), SeatRequest("empty"), SeatRequest("bot", "easy")


def test_nothing_asked_is_a_solo_match_at_once(hall: Hall) -> None:
    """An empty request: me north, bots elsewhere, cards dealt, no clock, and no invite, as no seat can be had."""
    view = hall.guest().create().view
    assert [SeatType.HUMAN, *[SeatType.BOT] * 3] == [seat.type for seat in view.seats]
    assert (Status.PLAYING, NORTH, NORTH, None) == (view.status, view.seat, view.host, view.rules.turn_seconds)
    assert view.invite is None
    assert view.deal is not None and view.deal.turn == NORTH


def test_a_table_with_empty_seats_waits(hall: Hall) -> None:
    """Seats that are empty, or not named, wait for friends; the code is there, and a day's clock by default."""
    view = hall.guest().create(seats={SOUTH: ME, EAST: EMPTY, WEST: BOT}).view
    assert (Status.WAITING, SOUTH, DAY) == (view.status, view.host, view.rules.turn_seconds)
    assert view.invite is not None and view.invite.expires_at == hall.clock.at + UNSTARTED_LIFE
    assert [SeatType.EMPTY, SeatType.EMPTY, SeatType.HUMAN, SeatType.BOT] == [seat.type for seat in view.seats]
    assert view.deal is None and view.deal_number is None and view.next_move == 1


@pytest.mark.parametrize("seats", [{}, {NORTH: BOT}, {NORTH: ME, SOUTH: ME}])
def test_the_host_sits_once(hall: Hall, seats: dict[object, SeatRequest]) -> None:
    """Exactly one seat is the host's."""
    with pytest.raises(Refused, match="host_must_sit") as refusal:
        hall.guest().create(seats=seats)
    assert {"seats": sum(seat is ME for seat in seats.values())} == refusal.value.params


def test_options_are_kept(hall: Hall) -> None:
    """What was asked is what the table has."""
    host = hall.guest()
    rules = host.open_table(
        deals=16, after_bank=AfterBank.STREAK, turn_seconds=60, spectators=True, start=Start.BY_HOST, take_over=True
    ).view.rules
    assert (16, AfterBank.STREAK, 60) == (rules.deals, rules.after_bank, rules.turn_seconds)
    assert (True, Start.BY_HOST, True) == (rules.spectators, rules.start, rules.take_over)


def test_commitments_are_shown_from_the_start(hall: Hall) -> None:
    """One a deal, all different, and the same ever after."""
    host = hall.guest()
    view = host.open_table(deals=16).view
    assert 16 == len(set(view.commitments)) == len(view.commitments)
    assert view.commitments == host.start(view.id).view.commitments


class TestIdempotencyKey:
    """A repeated POST finds the first one's match."""

    def test_same_request(self, hall: Hall) -> None:
        """The same key and body: one match, its present view, all its events; and nothing has changed."""
        host = hall.guest()
        first = host.create("key", digest=request_digest({}))
        host.move(first.view.id)
        before = hall.match(first.view.id)
        again = host.create("key", digest=request_digest({}))
        assert (first.view.id, before.version) == (again.view.id, again.view.version)
        assert list(range(1, before.version + 1)) == [event.version for event in again.events]
        assert before == hall.match(first.view.id)
        assert 1 == len(list(host.matches()))

    def test_another_request(self, hall: Hall) -> None:
        """The same key for another body is refused."""
        host = hall.guest()
        host.create("key", digest=request_digest({"deals": 4}))
        with pytest.raises(Refused, match="idempotency_key_reused") as refusal:
            host.create("key", digest=request_digest({"deals": 5}))
        assert refusal.value.current is not None

    def test_keys_are_a_players_own(self, hall: Hall) -> None:
        """Two players may use one key."""
        one, two = hall.guests("A", "B")
        assert one.create("key").view.id != two.create("key").view.id

    def test_after_leaving(self, hall: Hall) -> None:
        """Whoever has left the table sees of it what a stranger does: all where it may be watched, or nothing."""
        host, friend = hall.guests("A", "B")
        for key, watched in (("open", True), ("closed", False)):
            table = host.create(key, seats={NORTH: ME}, spectators=watched).view
            friend.join(table, EAST)
            host.leave(table.id, NORTH)
        again = host.create("open", seats={NORTH: ME}, spectators=True).view
        assert (None, EAST) == (again.seat, again.host)
        with pytest.raises(NotFound, match="match_not_found"):
            host.create("closed", seats={NORTH: ME})

    def test_a_name_that_changes_meanwhile(self, hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
        """A rename between the reading of the account and the making of the table costs a try, not the request."""
        host = hall.guest("Old")
        save, renamed = hall.store.save, list[bool]()

        def rename_first(change: Change) -> None:
            if not renamed:
                renamed.append(True)
                host.rename("New")
            save(change)

        monkeypatch.setattr(hall.store, "save", rename_first)
        assert "New" == hall.place(host.create("key").view.id, NORTH).name

    def test_request_digest_ignores_order(self) -> None:
        """A JSON object is the same in any order."""
        assert request_digest({"a": 1, "b": [2]}) == request_digest({"b": [2], "a": 1})
        assert request_digest({"a": 1}) != request_digest({"a": 2})


def test_live_matches_are_capped(hall: Hall) -> None:
    """Nobody has more than so many live matches; one that ends makes room. Sitting down counts too."""
    host, friend = hall.guests("A", "B")
    made = [host.create(deals=1).view for _ in range(MOST_LIVE)]
    with pytest.raises(Refused, match="too_many_matches") as refusal:
        host.create()
    assert {"most": MOST_LIVE} == refusal.value.params
    table = friend.open_table().view
    with pytest.raises(Refused, match="too_many_matches") as refusal:
        host.join(table, EAST)
    assert refusal.value.current is None  # to a stranger the table shows itself no more than before
    play_on((host,), made[0].id)
    assert EAST == host.join(table, EAST).view.seat


def test_a_deleted_account_makes_nothing(hall: Hall) -> None:
    """401 for whoever is gone."""
    host = hall.guest()
    host.delete()
    with pytest.raises(Unauthorized, match="account_deleted"):
        host.create()


class TestReading:
    """Who sees what."""

    def test_strangers_see_nothing(self, hall: Hall) -> None:
        """A match that is not to be watched is as good as not there."""
        host, stranger = hall.guests("A", "B")
        view = host.create().view
        for match_id in (view.id, "AAAAAAAAAAAAAAAA"):
            with pytest.raises(NotFound, match="match_not_found"):
                stranger.read(match_id)
            with pytest.raises(NotFound, match="match_not_found"):
                stranger.feed(match_id)

    def test_spectators_see_no_hand(self, hall: Hall) -> None:
        """Where anybody may watch, they see the table and no cards in hand, and no invite."""
        host, stranger = hall.guests("A", "B")
        view = stranger.read(host.open_table(spectators=True).view.id)
        assert (None, None, None) == (view.seat, view.invite, view.deal)
        view = stranger.read(host.start(view.id).view.id)
        assert view.deal is not None
        assert ((), ()) == (view.deal.hand, view.deal.legal_moves)

    def test_a_seat_sees_its_own_hand(self, hall: Hall) -> None:
        """Thirteen cards each, all different."""
        people = hall.guests(*"ABCD")
        match_id = four_at_cards(people).id
        hands = [deal.hand for person in people if (deal := person.read(match_id).deal) is not None]
        assert 52 == len({card for hand in hands for card in hand})

    def test_reading_changes_nothing(self, hall: Hall) -> None:
        """GETs never write, even long after the deadline."""
        people = hall.guests(*"ABCD")
        match_id = four_at_cards(people, turn_seconds=60).id
        before = hall.match(match_id)
        hall.wait(10 * DAY)
        for person in people:
            person.read(match_id)
            person.feed(match_id)
            person.turns()
            list(person.matches())
        assert before == hall.match(match_id)


class TestInvites:
    """What a code shows before joining."""

    def test_what_is_seen(self, hall: Hall) -> None:
        """The host, the rules, the seats."""
        host = hall.guest("Asha")
        view = host.open_table(EAST).view
        assert view.invite is not None
        typed = f" {view.invite.code[:4].lower()}-{view.invite.code[4:]} "
        shown = look_up_invite(hall.services, typed)
        assert (view.id, view.rules, view.seats) == (shown.match_id, view.rules, shown.seats)
        assert shown.host is not None and "Asha" == shown.host.name

    def test_wrong_expired_and_used_up_codes(self, hall: Hall) -> None:
        """All alike: there is no such invite."""
        host = hall.guest()
        expired, started = host.open_table().view, host.open_table().view
        host.start(started.id)
        assert expired.invite is not None and started.invite is not None
        look_up_invite(hall.services, expired.invite.code)
        hall.wait(UNSTARTED_LIFE)
        for code in (expired.invite.code, started.invite.code, "AAAAAAAA", ""):
            with pytest.raises(NotFound, match="invite_not_found"):
                look_up_invite(hall.services, code)

    def test_a_table_given_up_has_none(self, hall: Hall) -> None:
        """The last one to leave takes the invite along."""
        host = hall.guest()
        view = host.open_table().view
        assert view.invite is not None
        host.leave(view.id, NORTH)
        with pytest.raises(NotFound, match="invite_not_found"):
            look_up_invite(hall.services, view.invite.code)
