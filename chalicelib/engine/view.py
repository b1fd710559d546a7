"""What one seat may see of a deal: an allow-list, built up from nothing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from chalicelib.engine.cards import Card, Suit, hand_of

if TYPE_CHECKING:
    from chalicelib.engine.deal import Deal
    from chalicelib.engine.moves import Move
    from chalicelib.engine.scoring import DealResult
    from chalicelib.engine.types import AfterBank, AuctionCall, Banked, FinishedTrick, Phase, Seat, Trick


@dataclass(frozen=True, slots=True)
class DealView:
    """A deal as a seat, or for seat None a spectator, sees it. Properties as in `Deal`."""

    seat: Seat | None
    opener: Seat
    after_bank: AfterBank
    phase: Phase
    turn: Seat | None
    calls: tuple[AuctionCall, ...]
    declarer: Seat | None
    contract: int | None
    ser: Suit | None
    trick: Trick | None
    tricks: tuple[FinishedTrick, ...]
    pile: int
    run_seat: Seat | None
    banked: Banked
    result: DealResult | None
    cards_left: tuple[int, int, int, int]
    """How many cards each seat holds."""
    hand: tuple[Card, ...] = field(repr=False)
    """The seat's own cards, suits S H D C, high to low; none for a spectator. No repr: it is nobody else's."""
    legal_moves: tuple[Move, ...] = field(repr=False)
    """The moves the seat may make now; none when it is not its turn."""


def view_of(deal: Deal, seat: Seat | None) -> DealView:
    """The deal as that seat sees it."""
    north, east, south, west = deal.left
    return DealView(
        seat=seat,
        opener=deal.opener,
        after_bank=deal.after_bank,
        phase=deal.phase,
        turn=deal.turn,
        calls=deal.calls,
        declarer=deal.declarer,
        contract=deal.contract,
        ser=deal.ser,
        trick=deal.trick,
        tricks=deal.tricks,
        pile=deal.pile,
        run_seat=deal.run_seat,
        banked=deal.banked,
        result=deal.result,
        cards_left=(north.bit_count(), east.bit_count(), south.bit_count(), west.bit_count()),
        hand=() if seat is None else hand_of(deal.left[seat]),
        legal_moves=deal.legal_moves() if seat is not None and seat == deal.turn else (),
    )
