"""What happens in a deal, as flat events that every seat and spectator may see."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from chalicelib.engine.cards import Card, Suit
from chalicelib.engine.moves import Call, Move, Pass, Play, Ser

if TYPE_CHECKING:
    from chalicelib.engine.deal import Deal
    from chalicelib.engine.scoring import DealResult
    from chalicelib.engine.types import Seat, Side

DealEventType = Literal["call", "pass", "ser", "play", "trick_won", "banked", "deal_scored"]


@dataclass(frozen=True, slots=True)
class DealEvent:
    """One thing that happened; what does not apply to its type is None.

    call          seat, number
    pass          seat
    ser           seat, suit
    play          seat, card
    trick_won     seat, trick_number (1 to 13)
    banked        seat, side, tricks (how many were banked)
    deal_scored   result
    """

    type: DealEventType
    seat: Seat | None = None
    number: int | None = None
    suit: Suit | None = None
    card: Card | None = None
    trick_number: int | None = None
    side: Side | None = None
    tricks: int | None = None
    result: DealResult | None = None


def events_of(before: Deal, move: Move, after: Deal) -> tuple[DealEvent, ...]:
    """What came of a move from `before` to `after`: the move itself first, then what follows of it."""
    events = [_made(before.turn, move)]
    number = len(after.winners)
    if number > len(before.winners):
        winner = after.winners[-1]
        events.append(DealEvent("trick_won", seat=winner, trick_number=number))
        if not after.pile:
            events.append(DealEvent("banked", seat=winner, side=winner.side, tricks=before.pile + 1))
    if after.result is not None:
        events.append(DealEvent("deal_scored", result=after.result))
    return tuple(events)


def _made(seat: Seat | None, move: Move) -> DealEvent:
    match move:
        case Call():
            return DealEvent("call", seat=seat, number=move.number)
        case Pass():
            return DealEvent("pass", seat=seat)
        case Ser():
            return DealEvent("ser", seat=seat, suit=move.suit)
        case Play():
            return DealEvent("play", seat=seat, card=move.card)
