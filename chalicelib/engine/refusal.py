"""Why a move is refused: the reason nearest to what the player misunderstood."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chalicelib.engine.cards import SUIT_CARDS
from chalicelib.engine.errors import IllegalMove
from chalicelib.engine.moves import HIGHEST_CALL, Call, Move, Pass, Play, Ser
from chalicelib.engine.types import Phase, Seat

if TYPE_CHECKING:
    from chalicelib.engine.deal import Deal


def refusal(deal: Deal, move: Move, seat: Seat | None) -> IllegalMove:
    """The error for a move that is not legal in `deal`, or not that seat's to make."""
    turn, phase = deal.turn, deal.phase
    if turn is None:
        return IllegalMove("deal_over")
    if seat is not None and seat != turn:
        return IllegalMove("not_your_turn", turn=turn.text)
    match move:
        case Call() | Pass():
            return _call_refused(deal, move) if phase is Phase.AUCTION else IllegalMove("auction_over")
        case Ser():
            return IllegalMove("auction_not_over" if phase is Phase.AUCTION else "ser_already_named")
        case Play() if phase is Phase.AUCTION:
            return IllegalMove("auction_not_over")
        case Play() if phase is Phase.SER:
            return IllegalMove("ser_not_named")
    return _card_refused(deal, turn, move)


def _call_refused(deal: Deal, move: Call | Pass) -> IllegalMove:
    if isinstance(move, Pass):
        return IllegalMove("opener_must_call")
    highest = max(call.number or 0 for call in deal.calls)
    return IllegalMove("must_pass") if highest == HIGHEST_CALL else IllegalMove("call_too_low", minimum=highest + 1)


def _card_refused(deal: Deal, turn: Seat, move: Play) -> IllegalMove:
    hand, trick = deal.left[turn], deal.trick
    if not hand & move.bit or trick is None:
        return IllegalMove("card_not_in_hand", card=str(move.card))
    led = trick.plays[0].card.suit
    assert hand & SUIT_CARDS[led], "a card of the hand is refused only for not following suit"
    return IllegalMove("must_follow_suit", suit=led.text)
