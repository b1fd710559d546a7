"""The compiled sharp is sharp, and what is explored with it is told rightly."""

from __future__ import annotations

import random

import pytest

from chalicelib.bots.seen import look
from chalicelib.bots.sharp import Sharp, choices
from chalicelib.engine import AfterBank, Phase
from lab.blind import positions
from lab.choices import ENOUGH, Choice, Explored, Final, explored, table_of
from lab.fit import contracts
from lab.swift import Swift

LEVELS = ("sharp", "steady", "sharp", "steady")


def test_the_same_worlds_and_outcomes() -> None:
    """In the auction and in play, early and late, it sees what sharp sees, to the last bit."""
    rng = random.Random(1)
    ends = 0
    for deal in positions("swift", 60):
        assert deal.turn is not None
        seen, key = look(deal.view(deal.turn)), rng.randbytes(32)
        if deal.phase is Phase.PLAY:
            options = choices(seen)
            assert Sharp().values(seen, key, options) == Swift().values(seen, key, options)
            ends += seen.sizes[seen.seat] <= 4
        else:
            assert Sharp().outlook(seen, key) == Swift().outlook(seen, key)
    assert ends > 5


@pytest.fixture(scope="module")
def shown() -> Explored:
    return explored("test", 2, LEVELS, AfterBank.FRESH, effort=60)


def test_every_alternative_is_played_out(shown: Explored) -> None:
    """A deal is explored the same each time: what each sharp seat chose, and what it might have."""
    assert explored("test", 2, LEVELS, AfterBank.FRESH, effort=60) == shown
    assert 4 == len(shown.spoke)
    for choice in shown.choices:
        assert "sharp" == LEVELS[choice.seen.seat]
        assert choice.called in choice.finals
        assert (0 in choice.finals) == bool(choice.seen.contract)
        for number, final in choice.finals.items():
            assert final.contract >= max(number, choice.seen.contract)
            assert final.points(choice.seen.seat) == -final.points((choice.seen.seat + 1) & 3)
    assert [each.final for each in contracts(shown.choices)]


@pytest.mark.parametrize(("actual", "verdict"), [(0, "ok"), (2, "SHORT")])
def test_a_kind_that_is_off_is_told(shown: Explored, actual: int, verdict: str) -> None:
    """A kind with enough decisions is held to a point; one with fewer to nothing."""
    one = next(choice for choice in shown.choices if choice.seen.contract)
    low = max(one.seen.contract, 7) + 1
    final = Final(one.seen.declarer, one.seen.contract, 0, 0)

    class Priced(Choice):
        def expected(self, number: int) -> float:
            return 0.0

    mine = Final(one.seen.seat, low, 0, actual)
    priced = Priced(one.seen, one.outlook, 0, {0: final, low: mine})
    assert all(line.endswith(f"| {verdict} |") for line in table_of([priced] * ENOUGH).splitlines()[2:])
    assert all(line.endswith("| few |") for line in table_of([priced] * (ENOUGH - 1)).splitlines()[2:])
