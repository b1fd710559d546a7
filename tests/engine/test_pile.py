"""Two in a row: hand-worked cases of rulings R1, R2 and R3, and the score. Winners are written n e s w, one letter a
trick."""

from __future__ import annotations

import pytest

from chalicelib.engine import AfterBank, Banked, Deal, DealResult, Seat, Side, events_of, result_of
from tests.engine.tricks import won_by
from tests.strategies import states_of

FRESH, STREAK = AfterBank
NORTH, EAST, SOUTH, WEST = Seat
Stand = tuple[int, int, int, Seat | None]
"""Tricks on hold, banked by ns, banked by ew, and whose win may bank with the next trick."""


def banks(deal: Deal) -> list[tuple[int, int]]:
    """(number of the trick that banked, tricks banked), in order."""
    states = states_of(deal)
    return [
        (len(after.tricks), event.tricks or 0)
        for before, move, after in zip(states, deal.moves, states[1:], strict=False)
        for event in events_of(before, move, after)
        if event.type == "banked"
    ]


@pytest.mark.parametrize(
    ("winners", "fresh", "streak"),
    [
        # R1: fresh, the third win in a row is the first of a new run; streak, it banks at once
        ("nn", (0, 2, 0, None), (0, 2, 0, NORTH)),
        ("nnn", (1, 2, 0, NORTH), (0, 3, 0, NORTH)),
        ("nnnn", (0, 4, 0, None), (0, 4, 0, NORTH)),
        ("nnne", (2, 2, 0, EAST), (1, 3, 0, EAST)),
        ("nnnee", (0, 2, 3, None), (0, 3, 2, EAST)),
        ("nnsn", (2, 2, 0, NORTH), (2, 2, 0, NORTH)),
        # R2: the partner winning the next trick ends my run and starts its own, which banks my trick too
        ("nsnsnsn", (7, 0, 0, NORTH), (7, 0, 0, NORTH)),
        ("nss", (0, 3, 0, None), (0, 3, 0, SOUTH)),
        # R3: an interrupted run loses nothing, and the next win banks all that is on hold
        ("nen", (3, 0, 0, NORTH), (3, 0, 0, NORTH)),
        ("nenn", (0, 4, 0, None), (0, 4, 0, NORTH)),
        ("nsnsee", (0, 0, 6, None), (0, 0, 6, EAST)),
        # with never two in a row, the winner of the 13th trick takes all 13
        ("neswneswneswn", (0, 13, 0, None), (0, 13, 0, None)),
        ("neswnnneewwss", (0, 8, 5, None), (0, 9, 4, None)),
    ],
)
def test_the_pile(winners: str, fresh: Stand, streak: Stand) -> None:
    for deal, expected in ((won_by(winners, FRESH), fresh), (won_by(winners, STREAK), streak)):
        assert expected == (deal.pile, deal.banked.ns, deal.banked.ew, deal.run_seat)


def test_when_a_whole_deal_banks() -> None:
    fresh, streak = (won_by("neswnnneewwss", reading) for reading in AfterBank)
    assert [(6, 6), (9, 3), (11, 2), (13, 2)] == banks(fresh)
    assert [(6, 6), (7, 1), (9, 2), (11, 2), (13, 2)] == banks(streak)
    assert (DealResult(Side.NS, 7, 8, True, 7), DealResult(Side.NS, 7, 9, True, 7)) == (fresh.result, streak.result)


def test_last_trick_after_a_bank() -> None:
    """R1, fresh: after a bank by the 12th trick the 13th banks alone; streak banks each trick from the second."""
    fresh, streak = (_all_spades(reading) for reading in AfterBank)
    assert [(2, 2), (4, 2), (6, 2), (8, 2), (10, 2), (12, 2), (13, 1)] == banks(fresh)
    assert [(2, 2), *((number, 1) for number in range(3, 14))] == banks(streak)


def _all_spades(after_bank: AfterBank) -> Deal:
    """North holds every spade, calls 13 and names them the ser."""
    north, east, south, west = (((1 << 13) - 1) << 13 * suit for suit in range(4))
    deal = Deal.start((north, east, south, west), NORTH, after_bank)
    while moves := deal.legal_moves():
        deal = deal.play(moves[0 if deal.calls else -1])
    return deal


@pytest.mark.parametrize(
    ("declarer", "contract", "banked", "expected"),
    [
        (NORTH, 7, Banked(7, 6), DealResult(Side.NS, 7, 7, True, 7)),
        (SOUTH, 7, Banked(13, 0), DealResult(Side.NS, 7, 13, True, 7)),
        (EAST, 9, Banked(5, 8), DealResult(Side.EW, 9, 8, False, -18)),
        (WEST, 13, Banked(0, 13), DealResult(Side.EW, 13, 13, True, 13)),
        (WEST, 13, Banked(1, 12), DealResult(Side.EW, 13, 12, False, -26)),
    ],
)
def test_contract_scores_or_costs_double(declarer: Seat, contract: int, banked: Banked, expected: DealResult) -> None:
    """Made: the contract, no more for tricks over it. Not made: minus twice the contract. The others: nothing."""
    result = result_of(declarer.side, contract, banked.of(declarer.side))
    assert expected == result
    assert (expected.score, 0) == (result.score_of(declarer.side), result.score_of(declarer.side.other))
