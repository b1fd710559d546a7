"""A bot decides from what its seat sees."""

from __future__ import annotations

import random

import pytest

from chalicelib.bots import LEVELS
from lab.blind import changed, dealt_anew, positions

POSITIONS = {"sharp": 25}


@pytest.mark.parametrize("level", LEVELS)
def test_move_does_not_depend_on_hidden_cards(level: str) -> None:
    """Dealing the hidden cards anew, as far as voids allow, changes no move; `make blind` asks ten thousand times."""
    rng = random.Random(level)
    moved = [changed(level, deal, rng) for deal in positions("test", POSITIONS.get(level, 200))]
    assert moved.count(True) == 0


def test_hidden_cards_are_truly_dealt_anew() -> None:
    """The other deal has other hidden hands nearly always, and exactly the same view for the seat on turn."""
    rng = random.Random(2)
    differ = 0
    for deal in positions("anew", 100):
        other = dealt_anew(deal, rng)
        assert other.view(deal.turn) == deal.view(deal.turn)
        differ += other.hands != deal.hands
    assert differ > 80
