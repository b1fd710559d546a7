"""A hint is the sharp level's move, with a reason an app can say."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from chalicelib.bots import choose
from chalicelib.bots.hint import HINTS, Hint, hint
from chalicelib.bots.seen import Seen, beats, cards, look
from chalicelib.bots.steady import holds
from chalicelib.engine import AfterBank, Phase, Play
from tests.bots.deals import played_into, random_deal

if TYPE_CHECKING:
    from collections.abc import Iterator


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
        assert found.text == HINTS[found.code].format(**found.params)


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


WINNING = {"break_run", "must_win", "keep_lead", "take_over", "win", "cut"}
LOSING = {"let_partner_bank", "leave_trick", "let_go", "save_strength", "cannot_win"}


def hints_in_play(count: int) -> Iterator[tuple[Hint, Seen, list[int]]]:
    """Hints for a card where there is a choice, with what the seat sees and the cards it may play."""
    rng = random.Random(5)
    while count:
        deal = played_into(rng, random_deal(rng, AfterBank.FRESH), rng.randrange(5, 52))
        if deal.turn is not None and deal.phase is Phase.PLAY and len(deal.legal_moves()) > 1:
            view = deal.view(deal.turn)
            legal = [move.card.index for move in view.legal_moves if isinstance(move, Play)]
            yield hint(view, b""), look(view), legal
            count -= 1


def test_reasons_are_true() -> None:
    """What a reason says of the cards holds in the position: who is ahead, what is out, what else could be played."""
    told: set[str] = set()
    for found, seen, legal in hints_in_play(200):
        told.add(found.code)
        assert isinstance(found.move, Play)
        card = found.move.card.index
        still_open = 0 < seen.missing() <= 13 - sum(seen.banked)
        assert still_open == (found.code != "settled")
        if not still_open:
            continue
        if not seen.on_table:
            assert found.code not in WINNING | LOSING
            if found.code in ("lead_to_bank", "lead_master"):
                assert seen.unseen[card // 13] < 1 << card % 13
            if found.code == "lead_low":
                assert card % 13 < 9 and any(held >> 9 for held in seen.hand)
            continue
        at, best = seen.winning()
        ours, wins = at == len(seen.on_table) - 2, beats(card, best, seen.ser)
        could = [beats(each, best, seen.ser) for each in legal]
        assert found.code == "does_best" or wins == (found.code in WINNING)
        assert wins or found.code in LOSING | {"does_best"}
        assert ours or found.code not in ("keep_lead", "take_over", "let_partner_bank", "leave_trick")
        assert any(could) or found.code in ("cannot_win", "does_best")
        assert not (any(could) and found.code == "cannot_win")
        assert not all(could) or found.code in ("must_win", "break_run")
        if found.code in ("break_run", "let_go", "let_partner_bank"):
            assert seen.armed and at == 0 and found.params["tricks"] == seen.pile + 1
        if found.code == "keep_lead":
            assert len(seen.on_table) == 3 or holds(seen, best)
        if found.code == "take_over":
            unseen = cards(seen.unseen)
            assert any(beats(each, best, seen.ser) and not beats(each, card, seen.ser) for each in unseen)
    assert len(told) > 10


def test_a_call_pays_or_is_said_not_to() -> None:
    """A reason to call, or to leave the contract with partner, does not come with a chance that speaks against it."""
    rng = random.Random(8)
    for _ in range(60):
        deal = played_into(rng, random_deal(rng, AfterBank.FRESH), rng.randrange(4))
        assert deal.turn is not None
        found = hint(deal.view(deal.turn), b"")
        if found.code in ("call_pays", "leave_to_partner"):
            assert int(found.params["chance"]) >= 66
        if found.code in ("call_better", "leave_to_opponents"):
            assert int(found.params["chance"]) <= 67
