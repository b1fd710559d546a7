"""What goes wrong in a deal.

    ValueError
      Malformed            text that means nothing in this game
        MalformedMove      ... where a move, a card or a suit was expected
        MalformedNotation  ... where the notation of a deal was expected (notation.py)
    IllegalMove            a move, but not one that may be made now; carries a reason of REASONS

No refusal of a move quotes the text it was given, or a card of another hand.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


class Malformed(ValueError):
    """Text that means nothing in this game."""


class MalformedMove(Malformed):
    """Text that is no move (no card, call, pass or suit) at all."""


class Sentence(str):
    """A sentence for a reader, with its parameters in braces: "It is {turn}'s turn."."""

    __slots__ = ()

    @property
    def params(self) -> tuple[str, ...]:
        """The names of the parameters."""
        return tuple(re.findall(r"\{(\w+)\}", self))


REASONS: Mapping[str, Sentence] = {
    "deal_over": Sentence("The deal is over."),
    "not_your_turn": Sentence("It is {turn}'s turn."),
    "auction_over": Sentence("The auction is over: no more calls or passes."),
    "auction_not_over": Sentence("The auction is not over yet: call or pass."),
    "ser_not_named": Sentence("The declarer has not named the ser yet."),
    "ser_already_named": Sentence("The ser has already been named."),
    "opener_must_call": Sentence("The opener must call and cannot pass."),
    "call_too_low": Sentence("The call must be at least {minimum}."),
    "must_pass": Sentence("13 has been called, so you can only pass."),
    "card_not_in_hand": Sentence("The card {card} is not in the hand."),
    "must_follow_suit": Sentence("You must follow suit: the hand has a card of the suit led, {suit}."),
}
"""Why a move is refused."""


class IllegalMove(Exception):
    """A move that may not be made now. It changed nothing."""

    def __init__(self, reason: str, **params: str | int) -> None:
        sentence = REASONS[reason]
        if set(params) != set(sentence.params):
            raise TypeError(f"{reason} takes the parameters {sentence.params}")
        super().__init__(sentence.format(**params))
        self.reason = reason
        self.params: dict[str, str | int] = params
