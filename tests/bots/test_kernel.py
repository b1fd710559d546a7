"""The playout kernel counts what the engine counts."""

from __future__ import annotations

import random

import pytest

from chalicelib.bots.kernel import Hands, playout
from chalicelib.engine import MOVES, AfterBank, Phase, Side
from tests.bots.deals import played_into, random_deal


@pytest.mark.parametrize("after_bank", list(AfterBank))
def test_equals_the_engine(after_bank: AfterBank) -> None:
    """From any point of a random deal, the engine accepts each card of a playout and banks the same tricks."""
    rng = random.Random(after_bank.value)
    for _ in range(800):
        deal = played_into(rng, random_deal(rng, after_bank), rng.randint(5, 57))
        if deal.phase is not Phase.PLAY:
            continue
        assert deal.trick is not None
        assert deal.ser is not None
        hands: Hands = [[left >> 13 * suit & 0x1FFF for suit in range(4)] for left in deal.left]
        log: list[int] = []
        ns = playout(
            hands,
            int(deal.ser),
            int(deal.trick.leader),
            deal.run_seat is not None,
            deal.pile,
            after_bank is AfterBank.STREAK,
            [play.card.index for play in deal.trick.plays],
            log,
        )
        before, tricks_left = deal.banked, 13 - len(deal.tricks) + deal.pile
        for card in log:
            deal = deal.play(MOVES[card])
        assert deal.phase is Phase.DONE
        assert deal.banked.of(Side.NS) - before.ns == ns
        assert deal.banked.of(Side.EW) - before.ew == tricks_left - ns
