"""The numbered feed, and deals that are over."""

from __future__ import annotations

from random import Random

import pytest

from chalicelib.engine import SEATS, client_digest, hand_of, shuffle
from chalicelib.match.model import DAY, Actor, ClosedDeal
from chalicelib.match.view import Event
from chalicelib.service.errors import NotFound, Refused
from chalicelib.service.play import history
from tests.service.people import EAST, NORTH, Hall, four_at_cards, play_on


class TestFeed:
    """Events after a version."""

    def test_gapless_across_deals(self, hall: Hall) -> None:
        """From the first event to the last, whatever `after` and `limit` are; each page goes on where the last
        ended."""
        people = hall.guests("A", "B")
        match_id = four_at_cards(people, deals=3).id
        play_on(people, match_id, 90, Random(1))
        whole = people[NORTH].feed(match_id)
        assert list(range(1, hall.match(match_id).version + 1)) == [event.version for event in whole]
        after = 0
        pages: list[Event] = []
        while True:
            page = history.feed(hall.services, people[NORTH].id, match_id, after, 7)
            assert len(page.items) <= 7
            pages += page.items
            after = page.version
            if not page.more:
                break
        assert list(whole) == pages
        for after in range(0, len(whole), 17):
            assert whole[after:] == people[NORTH].feed(match_id, after)

    @pytest.mark.parametrize("meanwhile", [1, 70])
    def test_a_deal_that_ends_while_it_is_read(
        self, hall: Hall, monkeypatch: pytest.MonkeyPatch, meanwhile: int
    ) -> None:
        """Between the read of the match and that of its deals the running deal ends, and the one after it: the feed
        ends where the match stood, and no event is in it twice."""
        people = hall.guests("A", "B", "C", "D")
        match_id = four_at_cards(people, deals=4).id
        chance = Random(1)
        while hall.match(match_id).deal < 2 or len(hall.deal(match_id).moves) < 52:
            play_on(people, match_id, 1, chance)
        before = people[NORTH].feed(match_id)
        closed_deals = hall.store.closed_deals

        def after_more_moves(match_id: str, first: int, last: int) -> tuple[ClosedDeal, ...]:
            play_on(people, match_id, meanwhile, chance)
            return closed_deals(match_id, first, last)

        monkeypatch.setattr(hall.store, "closed_deals", after_more_moves)
        assert before == people[NORTH].feed(match_id)
        assert (3 if meanwhile == 1 else 4) == hall.match(match_id).deal

    def test_nothing_new(self, hall: Hall) -> None:
        """No items, the same version, and when to ask again."""
        host = hall.guest()
        view = host.create().view
        page = history.feed(hall.services, host.id, view.id, view.version, 10)
        assert ((), view.version, False) == (page.items, page.version, page.more)
        assert page.poll_after_seconds > 0

    def test_beyond_the_version(self, hall: Hall) -> None:
        """No event has that number yet."""
        host = hall.guest()
        view = host.create().view
        with pytest.raises(Refused, match="after_beyond_version") as refusal:
            host.feed(view.id, view.version + 1)
        assert {"version": view.version} == refusal.value.params
        assert refusal.value.current is not None

    def test_the_same_as_the_answers(self, hall: Hall) -> None:
        """What the writes told, the feed tells again, word for word, also after days."""
        people = hall.guests("A", "B")
        told = list(people[0].open_table().events)
        view = people[0].read(next(people[0].matches()).id)
        people[1].join(view, EAST)
        told_after = people[0].feed(view.id, len(told))
        told += told_after
        told += people[0].start(view.id).events
        random = Random(2)
        for _ in range(80):
            hall.wait(random.randrange(3 * 60 * 60))
            turn = hall.turn(view.id)
            told += people[turn].move(view.id, random).events
        hands = {event.version: event for event in people[0].feed(view.id) if event.type == "deal_started"}
        told = [hands.get(event.version, event) for event in told]
        assert tuple(told) == people[0].feed(view.id)

    def test_hands_are_the_viewers(self, hall: Hall) -> None:
        """`deal_started` has my hand; a spectator's has none; nothing else differs."""
        people = hall.guests(*"ABCD")
        match_id = four_at_cards(people, spectators=True, deals=2).id
        play_on(people, match_id, 60)
        feeds = [person.feed(match_id) for person in (*people, hall.guest())]
        for events in zip(*feeds, strict=True):
            if events[0].type == "deal_started":
                *hands, none = (event.values.get("hand") for event in events)
                assert none is None and 4 == len(set(hands))
            else:
                assert 1 == len({repr(event) for event in events})

    def test_names_are_todays(self, hall: Hall) -> None:
        """Past events tell how a player is called now, and of a deleted one only that."""
        host, friend, gone = hall.guests("A", "B", "G")
        view = host.open_table().view
        friend.join(view, EAST)
        gone.join(view, SEATS[2])
        friend.rename("Bee")
        gone.delete()
        named = [
            event.values["place"].player  # type: ignore[attr-defined]
            for event in host.feed(view.id)
            if event.type == "seat_taken"
        ]
        assert ["A", "Bee", ""] == [player.name for player in named]
        assert (None, True) == (named[2].id, named[2].deleted)


class TestDealRecords:
    """A deal that is over, whole."""

    def test_whole(self, hall: Hall) -> None:
        """Hands, moves with their numbers and makers, players, and the secrets that the cards came of."""
        people = hall.guests("A", "B")
        host, friend = people
        view = host.open_table(client_seed="0a", deals=2).view
        friend.join(view, EAST, "0b")
        host.start(view.id)
        play_on(people, view.id, choose=Random(5))
        for number in (1, 2):
            record = history.deal_record(hall.services, host.id, view.id, number)
            assert view.commitments[number - 1] == record.commitment
            assert ("0a", "0b", "", "") == record.client_seeds
            assert client_digest(record.client_seeds).hex() == record.client_digest
            dealt = shuffle(bytes.fromhex(record.deal_secret or ""), bytes.fromhex(record.client_digest))
            assert [hand_of(hand) for hand in dealt.hands] == [hand_of(hand) for hand in record.deal.hands]
            assert list(range((number - 1) * 57 + 1, number * 57 + 1)) == [move.number for move in record.moves]
            assert record.deal.moves == tuple(made.move for made in record.moves)
            assert {Actor.PLAYER, Actor.BOT, Actor.RULE} == {made.actor for made in record.moves}
            assert ["A", "B", None, None] == [player and player.name for player in record.players]

    def test_not_before_it_is_over(self, hall: Hall) -> None:
        """A running deal, and one that never was, are not found."""
        host = hall.guest()
        view = host.create().view
        for number in (1, 2, 17):
            with pytest.raises(NotFound, match="deal_not_found"):
                history.deal_record(hall.services, host.id, view.id, number)
        with pytest.raises(NotFound, match="match_not_found"):
            history.deal_record(hall.services, hall.guest().id, view.id, 1)

    def test_of_a_match_given_up(self, hall: Hall) -> None:
        """No result, but the moves so far and the secret: the cards can be checked all the same."""
        host = hall.guest()
        view = host.create(client_seed="ff").view
        host.move(view.id)
        host.leave(view.id, NORTH)
        record = history.deal_record(hall.services, host.id, view.id, 1)
        assert record.deal.result is None and record.moves
        assert view.commitments[0] == record.commitment
        assert ("ff", "", "", "") == record.client_seeds

    def test_deleted_players(self, hall: Hall) -> None:
        """Nobody's name is left, and the rest stays."""
        people = hall.guests("A", "B")
        match_id = four_at_cards(people, deals=1).id
        play_on(people, match_id)
        people[1].delete()
        told = history.deal_record(hall.services, people[0].id, match_id, 1).players[1]
        assert told is not None and (None, "", True) == (told.id, told.name, told.deleted)


def test_a_week_away_is_caught_up_with_in_one_call(hall: Hall) -> None:
    """A phone that was off for a week gets every card since in one page."""
    people = hall.guests(*"ABCD")
    view = four_at_cards(people, turn_seconds=14 * DAY)
    random = Random(8)
    for _ in range(7 * 12):
        hall.wait(2 * 60 * 60)
        people[hall.turn(view.id)].move(view.id, random)
    page = history.feed(hall.services, people[NORTH].id, view.id, view.version, 1000)
    assert not page.more and sum(event.actor is Actor.PLAYER for event in page.items) == 84
    assert view.version + len(page.items) == page.version == people[NORTH].read(view.id).version
