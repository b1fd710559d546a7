"""The score of a deal."""

from __future__ import annotations

import pytest

from chalicelib.engine import Banked, DealResult, Seat, Side, result_of


@pytest.mark.parametrize(
    ("declarer", "contract", "banked", "expected"),
    [
        (Seat.NORTH, 7, Banked(7, 6), DealResult(Side.NS, 7, 7, True, 7)),
        (Seat.SOUTH, 7, Banked(13, 0), DealResult(Side.NS, 7, 13, True, 7)),
        (Seat.EAST, 9, Banked(5, 8), DealResult(Side.EW, 9, 8, False, -18)),
        (Seat.WEST, 13, Banked(0, 13), DealResult(Side.EW, 13, 13, True, 13)),
        (Seat.WEST, 13, Banked(1, 12), DealResult(Side.EW, 13, 12, False, -26)),
        (Seat.NORTH, 8, Banked(0, 13), DealResult(Side.NS, 8, 0, False, -16)),
    ],
)
def test_contract_scores_or_costs_double(declarer: Seat, contract: int, banked: Banked, expected: DealResult) -> None:
    """Made: the contract, no more for tricks over it. Not made: minus twice the contract. The others: nothing."""
    result = result_of(declarer, contract, banked)
    assert expected == result
    assert expected.score == result.score_of(declarer.side)
    assert 0 == result.score_of(declarer.side.other)
