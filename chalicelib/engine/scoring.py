"""The score of a deal."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from chalicelib.engine.types import Side

LOST_FACTOR = -2
"""A side that banks less than its contract scores the contract times this."""


class DealResult(NamedTuple):
    """How a deal ended for the declarer's side; the other side scores 0."""

    side: Side
    contract: int
    banked: int
    made: bool
    score: int

    def score_of(self, side: Side) -> int:
        """What the deal adds to that side's total."""
        return self.score if side is self.side else 0


def result_of(side: Side, contract: int, banked: int) -> DealResult:
    """The result of a deal in which the declarer's side has banked so many of the 13 tricks."""
    made = banked >= contract
    return DealResult(side, contract, banked, made, contract if made else LOST_FACTOR * contract)
