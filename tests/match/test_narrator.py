"""One narrator for answers, polls and everybody else: whatever stretch is asked for, it tells the same."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from chalicelib.engine import SEATS, hand_of
from chalicelib.match.cards import as_played, deal_at_start
from chalicelib.match.model import ClosedDeal, Match
from chalicelib.match.narrator import Narration, tell, version_of
from chalicelib.match.view import PlayerRef
from tests.service.people import EAST, Hall, four_at_cards, play_on, send_away


@dataclass(frozen=True)
class Stored:
    """A match of two deals as the store has it, with comings and goings among the moves."""

    hall: Hall
    match: Match

    def tell(self, after: int, upto: int) -> Narration:
        store, match_id = self.hall.store, self.match.id
        names = {place.player_id: PlayerRef(place.player_id, "x") for place in self.match.places if place.player_id}
        closed, batches = store.closed_deals(match_id, 1, 2), store.batches(match_id, after, upto)
        return tell(self.match, closed, batches, after, upto, names)

    def records(self) -> tuple[ClosedDeal | Match, ...]:
        """Its deals, the running one last."""
        running = (self.match,) if self.match.status.live else ()
        return (*self.hall.store.closed_deals(self.match.id, 1, 2), *running)


@pytest.fixture(scope="module", params=[20, 10_000], ids=["in the second deal", "at the end"])
def stored(request: pytest.FixtureRequest) -> Stored:
    hall = Hall()
    people = hall.guests(*"ABCD")
    match_id = four_at_cards(people, turn_seconds=3600, deals=2).id
    play_on(people, match_id, 30)
    send_away(hall, match_id, people, EAST)
    people[EAST].sit(match_id, EAST)
    while hall.match(match_id).deal == 1:
        play_on(people, match_id, 1)
    play_on(people, match_id, request.param)
    return Stored(hall, hall.match(match_id))


def test_every_stretch_is_the_same_story(stored: Stored) -> None:
    """From any version to the next ones: what the whole has there, numbered without a gap."""
    whole = stored.tell(0, stored.match.version).events
    assert [*range(1, stored.match.version + 1)] == [event.version for event in whole]
    for length in (1, 3, len(whole)):
        for after in range(len(whole)):
            assert whole[after : after + length] == stored.tell(after, min(after + length, len(whole))).events


def test_a_move_is_found_by_its_number(stored: Stored) -> None:
    match = stored.match
    numbers = {event.version: event.values.get("move_number") for event in stored.tell(0, match.version).events}
    for record in stored.records():
        for number in range(record.base_move + 1, record.base_move + 1 + len(record.log.codes())):
            assert number == numbers[version_of(match, record, number)]


def test_only_hands_differ(stored: Stored) -> None:
    """Each seat is told its own hand at the start of a deal; a spectator none; all else is one object for all."""
    told = stored.tell(0, stored.match.version)
    starts = [event.version for event in told.events if event.type == "deal_started"]
    assert starts == sorted(told.hands)
    assert told.events is told.seen_by(None)
    for seat in SEATS:
        for common, own in zip(told.events, told.seen_by(seat), strict=True):
            if common.type == "deal_started":
                deal = deal_at_start(stored.match, common.values["deal_number"])  # type: ignore[arg-type]
                assert {**common.values, "hand": hand_of(deal.hands[seat])} == own.values
            else:
                assert common is own
    assert str(told.hands[starts[0]][0]) not in repr(told)


def test_the_deal_at_hand_spares_the_replay(stored: Stored) -> None:
    """A writer that has the deal as it was tells the same from there."""
    match, record = stored.match, stored.records()[-1]
    closed = (record,) if isinstance(record, ClosedDeal) else ()
    for moves in range(len(record.log.codes())):
        after = version_of(match, record, record.base_move + moves + 1) - 1
        told = tell(match, closed, (), after, match.version, {}, as_played(match, record, moves))
        assert tell(match, closed, (), after, match.version, {}) == told
