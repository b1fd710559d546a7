"""Every level finishes every deal, by legal moves, the same for the same key."""

from __future__ import annotations

import random

import pytest

from chalicelib.bots import LEVELS, choose
from chalicelib.engine import SEATS, AfterBank, Deal, Phase
from tests.bots.deals import random_deal

DEALS = {"sharp": 1}


@pytest.mark.parametrize("after_bank", list(AfterBank))
@pytest.mark.parametrize("level", LEVELS)
def test_finishes_deals(level: str, after_bank: AfterBank) -> None:
    """Four bots of a level play deals to the end; the engine takes each of their moves."""
    rng = random.Random(level)
    for number in range(DEALS.get(level, 60)):
        deal = random_deal(rng, after_bank)
        while deal.turn is not None:
            deal = deal.play(choose(deal.view(deal.turn), level, b"%d" % number), deal.turn)
        assert deal.phase is Phase.DONE


@pytest.mark.parametrize("level", LEVELS)
def test_repeats_itself(level: str) -> None:
    """Asked again with the same view and key, a bot makes the same move."""
    rng = random.Random(7)
    deal = random_deal(rng, AfterBank.FRESH)
    while deal.turn is not None:
        move = choose(deal.view(deal.turn), level, b"key")
        assert choose(deal.view(deal.turn), level, b"key") == move
        deal = deal.play(move)


def test_refuses_what_it_cannot_answer() -> None:
    """An unknown level and a seat whose turn it is not are errors of the caller."""
    deal: Deal = random_deal(random.Random(1), AfterBank.FRESH)
    assert deal.turn is not None
    with pytest.raises(ValueError, match="not a level"):
        choose(deal.view(deal.turn), "perfect", b"")
    with pytest.raises(ValueError, match="turn"):
        choose(deal.view(SEATS[deal.turn].next), "easy", b"")
