"""The numbered feed, and deals that are over. (That it is gapless and what the answers told: dev/simulation.)"""

from __future__ import annotations

from random import Random

import pytest

from chalicelib.engine import client_digest, hand_of, shuffle
from chalicelib.match.model import DAY, Actor
from chalicelib.service.play import history
from tests.service.meddling import first
from tests.service.people import EAST, NORTH, SOUTH, Hall, four_at_cards, play_on


def test_hands_are_the_viewers(hall: Hall) -> None:
    """`deal_started` has my hand; a spectator's has none; nothing else differs."""
    people, match_id = hall.playing("ABCD", spectators=True, deals=2)
    play_on(people, match_id, 60)
    for events in zip(*(person.feed(match_id) for person in (*people, hall.guest())), strict=True):
        if events[0].type == "deal_started":
            *hands, none = (event.values.get("hand") for event in events)
            assert none is None and 4 == len(set(hands))
        else:
            assert 1 == len({repr(event) for event in events})


@pytest.mark.parametrize("meanwhile", [1, 70])
def test_a_deal_that_ends_while_it_is_read(hall: Hall, meanwhile: int) -> None:
    """The running deal ends, and the one after it: the feed ends where the match stood, with no event twice."""
    people, match_id = hall.playing("ABCD", deals=4)
    while hall.match(match_id).deal < 2 or len(hall.deal(match_id).moves) < 52:
        play_on(people, match_id, 1)
    before = people[NORTH].feed(match_id)
    with hall.instead(closed_deals=first(lambda: play_on(people, match_id, meanwhile))):
        assert before == people[NORTH].feed(match_id)
    assert (3 if meanwhile == 1 else 4) == hall.match(match_id).deal


def test_nothing_new(hall: Hall) -> None:
    """No items, the same version, and when to ask again."""
    host = hall.guest()
    view = host.create().view
    page = history.feed(hall.services, host.id, view.id, view.version, 10)
    assert ((), view.version, False) == (page.items, page.version, page.more)
    assert page.poll_after_seconds > 0


def test_names_are_todays(hall: Hall) -> None:
    """Past events tell how a player is called now, and of a deleted one only that."""
    host, friend, gone = hall.guests("A", "B", "G")
    view = host.open_table().view
    friend.join(view, EAST)
    gone.join(view, SOUTH)
    friend.rename("Bee")
    gone.delete()
    seats = [event.values["place"] for event in host.feed(view.id) if event.type == "seat_taken"]
    named = [(seat.player.name, seat.player.deleted) for seat in seats]  # type: ignore[attr-defined]
    assert [("A", False), ("Bee", False), ("", True)] == named


def test_a_record_is_the_whole_deal(hall: Hall) -> None:
    """Hands, moves with their numbers and makers, players, and the secrets that the cards came of."""
    people = host, friend = hall.guests("A", "B")
    view = host.open_table(client_seed="0a", deals=2).view
    friend.join(view, EAST, "0b")
    host.start(view.id)
    play_on(people, view.id, choose=Random(5))
    friend.delete()
    for number in (1, 2):
        record = history.deal_record(hall.services, host.id, view.id, number)
        assert (view.commitments[number - 1], ("0a", "0b", "", "")) == (record.commitment, record.client_seeds)
        assert client_digest(record.client_seeds).hex() == record.client_digest
        dealt = shuffle(bytes.fromhex(record.deal_secret or ""), bytes.fromhex(record.client_digest))
        assert [hand_of(hand) for hand in dealt.hands] == [hand_of(hand) for hand in record.deal.hands]
        assert list(range((number - 1) * 57 + 1, number * 57 + 1)) == [move.number for move in record.moves]
        assert record.deal.moves == tuple(made.move for made in record.moves)
        assert {Actor.PLAYER, Actor.BOT, Actor.RULE} == {made.actor for made in record.moves}
        assert [("A", False), ("", True), None, None] == [each and (each.name, each.deleted) for each in record.players]


def test_a_record_of_a_match_given_up(hall: Hall) -> None:
    """No result, but the moves so far and the secret: the cards can be checked all the same."""
    host = hall.guest()
    view = host.create(client_seed="ff").view
    host.move(view.id)
    host.leave(view.id, NORTH)
    record = history.deal_record(hall.services, host.id, view.id, 1)
    assert record.deal.result is None and record.moves
    assert (view.commitments[0], ("ff", "", "", "")) == (record.commitment, record.client_seeds)


def test_a_week_away_is_caught_up_with_in_one_call(hall: Hall) -> None:
    """A phone that was off for a week gets every card since in one page."""
    people = hall.guests(*"ABCD")
    view = four_at_cards(people, turn_seconds=14 * DAY)
    for _ in range(7 * 12):
        hall.wait(2 * 60 * 60)
        people[hall.turn(view.id)].move(view.id)
    page = history.feed(hall.services, people[NORTH].id, view.id, view.version, 1000)
    assert not page.more and sum(event.actor is Actor.PLAYER for event in page.items) == 84
    assert view.version + len(page.items) == page.version == people[NORTH].read(view.id).version
