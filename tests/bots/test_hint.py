"""A hint is the sharp level's move, with a reason an app can say."""

from __future__ import annotations

import random

import pytest

from chalicelib.bots import choose
from chalicelib.bots.hint import HINTS, hint
from chalicelib.engine import AfterBank
from tests.bots.deals import played_into, random_deal


def test_says_what_sharp_would_do_and_why() -> None:
    """Everywhere in a deal the hint's move is sharp's own, and its code comes with the parameters it promises."""
    rng = random.Random(21)
    for at in (0, 1, 2, 3, 4, 5, 6, 8, 11, 17, 20, 30, 38, 44, 47, 50, 52):
        deal = played_into(rng, random_deal(rng, AfterBank.FRESH), at)
        assert deal.turn is not None
        view = deal.view(deal.turn)
        found = hint(view, b"key")
        assert found.move == choose(view, "sharp", b"key")
        assert set(HINTS[found.code].params) <= set(found.params)
        assert set(found.params) <= {*HINTS[found.code].params, "chance"}
        assert found.text == HINTS[found.code].sentence.format(**found.params)


def test_is_only_for_whose_turn_it_is() -> None:
    """A seat that has no move to make gets no hint."""
    deal = random_deal(random.Random(1), AfterBank.FRESH)
    assert deal.turn is not None
    with pytest.raises(ValueError, match="turn"):
        hint(deal.view(deal.turn.next), b"")


def test_names_the_run_that_must_be_broken() -> None:
    """When an opponent is about to bank and I win the trick, that is the reason given, with the tricks at stake."""
    rng = random.Random(3)
    for _ in range(4000):
        deal = played_into(rng, random_deal(rng, AfterBank.FRESH), 48)  # the last to play to the 11th trick
        view = deal.view(deal.turn)
        if view.trick and view.run_seat == view.trick.leader and view.pile >= 2:
            found = hint(view, b"")
            if found.code == "break_run":
                assert found.params["tricks"] == view.pile + 1
                assert found.params["seat"] == view.trick.leader.text
                return
    pytest.fail("no such position came up")
