"""R6: the only moves the server may make by itself are those the whole table can see are forced."""

from __future__ import annotations

import pytest
from hypothesis import given

from chalicelib.engine import AfterBank, Call, Deal, Pass, Phase, Seat, parse_move
from tests.engine.tricks import won_by
from tests.strategies import deals


@given(deals())
def test_forced_moves_are_public(deal: Deal) -> None:
    """A pass once 13 is called, each card of the 13th trick, and nothing else, however single a legal move is."""
    thirteen = deal.phase is Phase.AUCTION and any(call.number == 13 for call in deal.calls)
    last_trick = deal.phase is Phase.PLAY and len(deal.tricks) == 12
    if thirteen or last_trick:
        assert deal.legal_moves() == (deal.forced_move(),)
    else:
        assert deal.forced_move() is None


def test_all_pass_after_13() -> None:
    """13 called by the opener makes three passes by itself, and then the declarer is free to name the ser."""
    deal = won_by("", AfterBank.FRESH)
    deal = Deal.start(deal.hands, Seat.WEST, AfterBank.FRESH)
    assert deal.forced_move() is None
    deal = deal.play(Call(13))
    for _ in range(3):
        move = deal.forced_move()
        assert Pass() == move
        deal = deal.play(Pass())
    assert deal.forced_move() is None
    assert deal.play(parse_move("H")).forced_move() is None


@pytest.mark.parametrize("after_bank", AfterBank)
def test_last_trick_plays_itself(after_bank: AfterBank) -> None:
    """From the end of the 12th trick four forced moves, the lead the first of them, end the deal."""
    deal = won_by("nennnneeswwn", after_bank)
    made = 0
    while move := deal.forced_move():
        deal, made = deal.play(move), made + 1
    assert (4, Phase.DONE) == (made, deal.phase)


def test_single_card_is_not_forced() -> None:
    """Having to follow with one's only card of the suit is nobody else's to know: it is not played for you."""
    north = (1 << 13) - 1 & ~1 | 1 << 13
    east = ((1 << 13) - 1) << 13 & ~(1 << 13) | 1
    deal = Deal.start((north, east, ((1 << 13) - 1) << 26, ((1 << 13) - 1) << 39), Seat.NORTH, AfterBank.FRESH)
    for text in ("13", "pass", "pass", "pass", "S", "AS"):
        deal = deal.play(parse_move(text))
    assert (parse_move("2S"),) == deal.legal_moves()
    assert deal.forced_move() is None
