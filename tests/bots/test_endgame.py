"""The solved end is what a plain search of every line of play in the engine's terms finds."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from chalicelib.bots.endgame import Endgame
from chalicelib.engine import AfterBank, Phase, Side
from tests.bots.deals import played_into, random_deal

if TYPE_CHECKING:
    from chalicelib.engine import Deal


def searched(deal: Deal) -> int:
    """What ns has banked at the end when both sides play for the most, by trying everything in the engine."""
    if deal.turn is None:
        return deal.banked.ns
    values = [searched(deal.play(move)) for move in deal.legal_moves()]
    return max(values) if deal.turn.side is Side.NS else min(values)


@pytest.mark.parametrize("after_bank", list(AfterBank))
def test_equals_a_plain_search(after_bank: AfterBank) -> None:
    """From positions of up to twelve cards, in mid-trick too, the endgame is worth what trying every line says."""
    rng = random.Random(after_bank.value)
    for _ in range(60):
        deal = played_into(rng, random_deal(rng, after_bank), rng.randint(45, 56))
        assert deal.phase is Phase.PLAY
        assert deal.trick is not None
        assert deal.ser is not None
        endgame = Endgame(int(deal.ser), after_bank is AfterBank.STREAK)
        table = [play.card.index for play in deal.trick.plays]
        more = endgame.solve(deal.left, int(deal.trick.leader), deal.run_seat is not None, deal.pile, table)
        assert deal.banked.ns + more == searched(deal)
