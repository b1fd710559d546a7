"""Two in a row: hand-worked cases of rulings R1, R2 and R3. Winners are written n e s w, one letter a trick."""

from __future__ import annotations

import pytest

from chalicelib.engine import AfterBank, Deal, DealResult, Phase, Seat, Side, events_of
from tests.engine.tricks import won_by
from tests.strategies import states_of

FRESH, STREAK = AfterBank
NORTH, EAST, SOUTH, WEST = Seat


def stand(deal: Deal) -> tuple[int, int, int, Seat | None]:
    """Tricks on hold, banked by ns, banked by ew, and whose win may bank with the next trick."""
    return deal.pile, deal.banked.ns, deal.banked.ew, deal.run_seat


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
        ("nn", (0, 2, 0, None), (0, 2, 0, NORTH)),
        ("nnn", (1, 2, 0, NORTH), (0, 3, 0, NORTH)),
        ("nnnn", (0, 4, 0, None), (0, 4, 0, NORTH)),
        ("nnnnn", (1, 4, 0, NORTH), (0, 5, 0, NORTH)),
        ("nnne", (2, 2, 0, EAST), (1, 3, 0, EAST)),
        ("nnnee", (0, 2, 3, None), (0, 3, 2, EAST)),
        ("nnsn", (2, 2, 0, NORTH), (2, 2, 0, NORTH)),
        ("nennn", (1, 4, 0, NORTH), (0, 5, 0, NORTH)),
    ],
)
def test_r1_after_a_bank(winners: str, fresh: object, streak: object) -> None:
    """R1: fresh, the third win in a row is the first of a new run; streak, it banks at once."""
    assert fresh == stand(won_by(winners, FRESH))
    assert streak == stand(won_by(winners, STREAK))


@pytest.mark.parametrize("after_bank", AfterBank)
@pytest.mark.parametrize(
    ("winners", "expected"),
    [
        ("ns", (2, 0, 0, SOUTH)),
        ("nsn", (3, 0, 0, NORTH)),
        ("nsnsnsn", (7, 0, 0, NORTH)),
    ],
)
def test_r2_a_run_is_a_players(winners: str, expected: object, after_bank: AfterBank) -> None:
    """R2: the partner winning the next trick ends my run and starts its own; partners taking turns bank nothing."""
    assert expected == stand(won_by(winners, after_bank))


@pytest.mark.parametrize("after_bank", AfterBank)
def test_r2_partners_own_run_banks(after_bank: AfterBank) -> None:
    """R2: the partner's own two in a row bank the pile, my trick in it."""
    assert (0, 3, 0) == stand(won_by("nss", after_bank))[:3]


@pytest.mark.parametrize("after_bank", AfterBank)
def test_r3_an_interrupted_run_loses_nothing(after_bank: AfterBank) -> None:
    """R3: win, loss, win is no two in a row, but the pile has grown, and the next win banks it all."""
    assert (1, 0, 0, NORTH) == stand(won_by("n", after_bank))
    assert (2, 0, 0, EAST) == stand(won_by("ne", after_bank))
    assert (3, 0, 0, NORTH) == stand(won_by("nen", after_bank))
    assert (0, 4, 0) == stand(won_by("nenn", after_bank))[:3]
    assert (0, 0, 6) == stand(won_by("nsnsee", after_bank))[:3]


@pytest.mark.parametrize(
    ("after_bank", "expected", "score"),
    [
        (FRESH, [(6, 6), (9, 3), (11, 2), (13, 2)], DealResult(Side.NS, 7, 8, True, 7)),
        (STREAK, [(6, 6), (7, 1), (9, 2), (11, 2), (13, 2)], DealResult(Side.NS, 7, 9, True, 7)),
    ],
)
def test_whole_deal(after_bank: AfterBank, expected: object, score: DealResult) -> None:
    """A deal to its end, its banks in order, under both readings of R1."""
    deal = won_by("neswnnneewwss", after_bank)
    assert expected == banks(deal)
    assert score == deal.result
    assert (0, deal.banked.ns, deal.banked.ew, None) == stand(deal)


@pytest.mark.parametrize("after_bank", AfterBank)
def test_last_trick_banks_whatever_is_on_hold(after_bank: AfterBank) -> None:
    """With never two in a row, the winner of the 13th trick takes all 13."""
    deal = won_by("neswneswneswn", after_bank)
    assert deal.phase is Phase.DONE
    assert [(13, 13)] == banks(deal)
    assert (13, 0) == deal.banked


def test_last_trick_after_a_bank() -> None:
    """R1, fresh: after a bank by the 12th trick the 13th banks alone; streak banks each trick from the second."""
    fresh, streak = (_all_spades(reading) for reading in AfterBank)
    assert [(2, 2), (4, 2), (6, 2), (8, 2), (10, 2), (12, 2), (13, 1)] == banks(fresh)
    assert banks(streak) == [(2, 2), *((number, 1) for number in range(3, 14))]
    assert fresh.result == streak.result == DealResult(Side.NS, 13, 13, True, 13)


def _all_spades(after_bank: AfterBank) -> Deal:
    """North holds every spade, calls 13 and names them the ser."""
    north, east, south, west = (((1 << 13) - 1) << 13 * suit for suit in range(4))
    deal = Deal.start((north, east, south, west), NORTH, after_bank)
    while moves := deal.legal_moves():
        deal = deal.play(moves[0 if deal.phase is not Phase.AUCTION else -1])
    return deal
