"""The events of a deal: each move, then what follows of it; enough to draw the table from."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given

from chalicelib import engine
from chalicelib.engine import Banked, Deal, DealEvent, DealView, FinishedTrick, Phase, Played, Seat, Trick, events_of
from tests.strategies import deals, onlookers, states_of

FIELDS = {
    "call": {"seat", "number"},
    "pass": {"seat"},
    "ser": {"seat", "suit"},
    "play": {"seat", "card"},
    "trick_won": {"seat", "trick_number"},
    "banked": {"seat", "side", "tricks"},
    "deal_scored": {"result"},
}


def drawn(start: DealView, event: DealEvent) -> DealView:
    """A screen after one more event, knowing the order of play and what each word means, but no rule of legality."""
    seat, trick = event.seat, start.trick
    if event.type == "deal_scored":
        return replace(start, phase=Phase.DONE, turn=None, trick=None, run_seat=None, result=event.result)
    assert seat is not None
    match event.type:
        case "call" | "pass":
            calls = (*start.calls, engine.AuctionCall(seat, event.number))
            if len(calls) < 4:
                return replace(start, calls=calls, turn=seat.next)
            seat, number = max(calls, key=lambda call: call.number or 0)
            return replace(start, calls=calls, phase=Phase.SER, turn=seat, declarer=seat, contract=number)
        case "ser":
            return replace(start, phase=Phase.PLAY, ser=event.suit, trick=Trick(seat, ()))
        case "play":
            assert event.card is not None and trick is not None
            north, east, south, west = (left - (at is seat) for at, left in zip(Seat, start.cards_left, strict=True))
            return replace(
                start,
                trick=Trick(trick.leader, (*trick.plays, Played(seat, event.card))),
                turn=seat.next,
                cards_left=(north, east, south, west),
                hand=tuple(card for card in start.hand if card != event.card),
            )
        case "trick_won":
            assert trick is not None and len(start.tricks) + 1 == event.trick_number
            won, pile = (*start.tricks, FinishedTrick(*trick, seat)), start.pile + 1
            return replace(start, tricks=won, trick=Trick(seat, ()), turn=seat, pile=pile, run_seat=seat)
        case "banked":
            assert start.pile == event.tricks
            ns, ew = start.banked
            banked = Banked(ns + start.pile, ew) if event.side == "ns" else Banked(ns, ew + start.pile)
            return replace(start, banked=banked, pile=0, run_seat=seat if start.after_bank == "streak" else None)
    raise AssertionError(event.type)


@given(deals(), onlookers)
def test_events_rebuild_the_view(deal: Deal, seat: Seat | None) -> None:
    """A screen drawn from the events alone equals the view of the seat after every move, legal moves aside."""
    states = states_of(deal)
    screen = states[0].view(seat)
    for before, move, after in zip(states, deal.moves, states[1:], strict=False):
        events = events_of(before, move, after)
        assert after.event_count - before.event_count == len(events)
        for event in events:
            screen = drawn(screen, event)
            assert FIELDS[event.type] | {"type"} == {n for n in DealEvent.__slots__ if getattr(event, n) is not None}
        assert replace(after.view(seat), legal_moves=()) == replace(screen, legal_moves=())
