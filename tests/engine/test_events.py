"""The events of a deal: each move, then what follows of it; enough to draw the table from."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given

from chalicelib.engine import (
    SEATS,
    AfterBank,
    AuctionCall,
    Banked,
    Deal,
    DealEvent,
    DealView,
    FinishedTrick,
    Phase,
    Played,
    Seat,
    Trick,
    count_of,
    events_of,
)
from tests.engine.tricks import won_by
from tests.strategies import deals, onlookers, states_of


def drawn(start: DealView, event: DealEvent) -> DealView:
    """A screen after one more event, knowing the order of play and what each word means, but no rule of legality."""
    match event.type:
        case "call" | "pass":
            assert event.seat is not None
            calls = (*start.calls, AuctionCall(event.seat, event.number))
            if len(calls) < 4:
                return replace(start, calls=calls, turn=event.seat.next)
            best = max(calls, key=lambda call: call.number or 0)
            seat, number = best
            return replace(start, calls=calls, phase=Phase.SER, turn=seat, declarer=seat, contract=number)
        case "ser":
            assert event.seat is not None
            return replace(start, phase=Phase.PLAY, ser=event.suit, trick=Trick(event.seat, ()))
        case "play":
            assert event.seat is not None
            assert event.card is not None
            assert start.trick is not None
            north, east, south, west = (
                left - (seat is event.seat) for seat, left in zip(SEATS, start.cards_left, strict=True)
            )
            trick = Trick(start.trick.leader, (*start.trick.plays, Played(event.seat, event.card)))
            return replace(
                start,
                trick=trick,
                turn=event.seat.next,
                cards_left=(north, east, south, west),
                hand=tuple(card for card in start.hand if card != event.card),
            )
        case "trick_won":
            assert event.seat is not None
            assert start.trick is not None
            assert len(start.tricks) + 1 == event.trick_number
            return replace(
                start,
                tricks=(*start.tricks, FinishedTrick(*start.trick, event.seat)),
                trick=Trick(event.seat, ()),
                turn=event.seat,
                pile=start.pile + 1,
                run_seat=event.seat,
            )
        case "banked":
            assert start.pile == event.tricks
            ns, ew = start.banked
            banked = Banked(ns + start.pile, ew) if event.side == "ns" else Banked(ns, ew + start.pile)
            streak = start.after_bank == "streak"
            return replace(start, banked=banked, pile=0, run_seat=event.seat if streak else None)
        case "deal_scored":
            return replace(start, phase=Phase.DONE, turn=None, trick=None, run_seat=None, result=event.result)
        case other:
            raise AssertionError(other)


@given(deals(), onlookers)
def test_events_rebuild_the_view(deal: Deal, seat: Seat | None) -> None:
    """A screen drawn from the events alone equals the view of the seat after every move, legal moves aside."""
    states = states_of(deal)
    screen = states[0].view(seat)
    for before, move, after in zip(states, deal.moves, states[1:], strict=False):
        events = events_of(before, move, after)
        assert len(events) == count_of(before, after)
        for event in events:
            screen = drawn(screen, event)
        assert replace(after.view(seat), legal_moves=()) == replace(screen, legal_moves=())


@given(deals(min_moves=57))
def test_events_of_a_whole_deal(deal: Deal) -> None:
    """A deal has 57 moves, 13 tricks won, banks that add up to 13, one score, each event with what its type has."""
    states = states_of(deal)
    events = [
        event
        for before, move, after in zip(states, deal.moves, states[1:], strict=False)
        for event in events_of(before, move, after)
    ]
    of_type = {name: [event for event in events if event.type == name] for name in _FIELDS}
    assert 57 == sum(len(of_type[name]) for name in ("call", "pass", "ser", "play"))
    assert list(range(1, 14)) == [event.trick_number for event in of_type["trick_won"]]
    assert 13 == sum(event.tricks or 0 for event in of_type["banked"])
    assert [deal.result] == [event.result for event in of_type["deal_scored"]]
    for event in events:
        present = {name for name in DealEvent.__slots__ if getattr(event, name) is not None}
        assert _FIELDS[event.type] | {"type"} == present


_FIELDS = {
    "call": {"seat", "number"},
    "pass": {"seat"},
    "ser": {"seat", "suit"},
    "play": {"seat", "card"},
    "trick_won": {"seat", "trick_number"},
    "banked": {"seat", "side", "tricks"},
    "deal_scored": {"result"},
}


def test_order_of_events() -> None:
    """The card comes first, then the trick it wins, then the bank that follows."""
    deal = won_by("nenn", AfterBank.FRESH)
    before = states_of(deal)[-2]
    card, won, banked = events_of(before, deal.moves[-1], deal)
    assert ("play", before.turn) == (card.type, card.seat)
    assert DealEvent("trick_won", seat=Seat.NORTH, trick_number=4) == won
    assert DealEvent("banked", seat=Seat.NORTH, side=Seat.NORTH.side, tricks=4) == banked
