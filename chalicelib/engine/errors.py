"""What goes wrong in a deal.

    ValueError
      Malformed            text that means nothing in this game
        MalformedMove      ... where a move, a card or a suit was expected
        MalformedNotation  ... where the notation of a deal was expected (notation.py)
    IllegalMove            a move, but not one that may be made now; carries a reason of REASONS

No refusal of a move quotes the text it was given, or a card of another hand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping


class Malformed(ValueError):
    """Text that means nothing in this game."""


class MalformedMove(Malformed):
    """Text that is no move (no card, call, pass or suit) at all."""


class Reason(NamedTuple):
    """Why a move is refused: the sentence for a reader and the names of the parameters that go with it."""

    sentence: str
    params: tuple[str, ...] = ()


REASONS: Mapping[str, Reason] = {
    "deal_over": Reason("The deal is over."),
    "not_your_turn": Reason("It is {turn}'s turn.", ("turn",)),
    "auction_over": Reason("The auction is over: nobody calls or passes any more."),
    "auction_not_over": Reason("The auction is not over yet: call or pass."),
    "ser_not_named": Reason("The declarer has yet to name the ser."),
    "ser_already_named": Reason("The ser is already named."),
    "opener_must_call": Reason("The opener must call a number and may not pass."),
    "call_too_low": Reason("The call must be at least {minimum}.", ("minimum",)),
    "must_pass": Reason("13 has been called, so only a pass is left."),
    "card_not_in_hand": Reason("The card {card} is not in the hand.", ("card",)),
    "must_follow_suit": Reason("The hand holds a card of the led suit {suit}, and must follow it.", ("suit",)),
}


class IllegalMove(Exception):
    """A move that may not be made now. It changed nothing."""

    def __init__(self, reason: str, **params: str | int) -> None:
        known = REASONS[reason]
        if set(params) != set(known.params):
            raise TypeError(f"{reason} takes the parameters {known.params}")
        super().__init__(known.sentence.format(**params))
        self.reason = reason
        self.params: dict[str, str | int] = params
