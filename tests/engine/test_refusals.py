"""Every reason a move is refused for, and what goes with it."""

from __future__ import annotations

import pytest
from hypothesis import given

from chalicelib.engine import (
    MOVES,
    REASONS,
    SEATS,
    AfterBank,
    Deal,
    IllegalMove,
    Play,
    Seat,
    hand_of,
    parse_move,
)
from tests.strategies import deals

SUIT = (1 << 13) - 1
# North to west: all but the ace of a suit each, and the ace of the next seat's.
HANDS = (
    SUIT & ~(1 << 12) | 1 << 25,
    (SUIT & ~(1 << 12)) << 13 | 1 << 38,
    (SUIT & ~(1 << 12)) << 26 | 1 << 51,
    (SUIT & ~(1 << 12)) << 39 | 1 << 12,
)


def after(moves: str) -> Deal:
    deal = Deal.start(HANDS, Seat.NORTH, AfterBank.FRESH)
    for text in moves.split():
        deal = deal.play(parse_move(text))
    return deal


@pytest.mark.parametrize(
    ("moves", "move", "reason", "params"),
    [
        ("", "pass", "opener_must_call", {}),
        ("", "S", "auction_not_over", {}),
        ("", "2S", "auction_not_over", {}),
        ("8", "8", "call_too_low", {"minimum": 9}),
        ("8", "7", "call_too_low", {"minimum": 9}),
        ("8 pass 12", "11", "call_too_low", {"minimum": 13}),
        ("13", "13", "must_pass", {}),
        ("13 pass", "7", "must_pass", {}),
        ("13 pass pass", "S", "auction_not_over", {}),
        ("7 8 9 10", "11", "auction_over", {}),
        ("7 8 9 10", "pass", "auction_over", {}),
        ("7 8 9 10", "2S", "ser_not_named", {}),
        ("7 pass pass pass H", "S", "ser_already_named", {}),
        ("7 pass pass pass H", "H", "ser_already_named", {}),
        ("7 pass pass pass H", "13", "auction_over", {}),
        ("7 pass pass pass H", "2H", "card_not_in_hand", {"card": "2H"}),
        ("7 pass pass pass H 2S 2H 2D", "2C", "must_follow_suit", {"suit": "S"}),
        ("7 pass pass pass H 2S 2H 2D", "2H", "card_not_in_hand", {"card": "2H"}),
        ("7 pass pass pass H 2S 2H 2D AS 3H AC 3C", "2S", "card_not_in_hand", {"card": "2S"}),
    ],
)
def test_refused_with_its_reason(moves: str, move: str, reason: str, params: dict[str, object]) -> None:
    """The refusal says which rule the move breaks, and with what a client needs to explain it."""
    with pytest.raises(IllegalMove) as refused:
        after(moves).play(parse_move(move))
    assert (reason, params) == (refused.value.reason, refused.value.params)


def test_turn_is_judged_before_the_move() -> None:
    """A seat that is not to move hears so, whatever it tries."""
    with pytest.raises(IllegalMove) as refused:
        after("8").play(parse_move("2S"), Seat.WEST)
    assert ("not_your_turn", {"turn": "east"}) == (refused.value.reason, refused.value.params)


@given(deals(min_moves=57))
def test_nothing_is_legal_after_the_end(deal: Deal) -> None:
    """Once the deal is over every move of every seat is refused as such."""
    for move in MOVES:
        for seat in (*SEATS, None):
            with pytest.raises(IllegalMove) as refused:
                deal.play(move, seat)
            assert ("deal_over", {}) == (refused.value.reason, refused.value.params)


@given(deals(min_moves=5, max_moves=56))
def test_refusals_tell_nothing_of_other_hands(deal: Deal) -> None:
    """A card held by another and one already played are refused alike."""
    assert deal.turn is not None
    own = hand_of(deal.left[deal.turn])
    for move in MOVES:
        if isinstance(move, Play) and move.card not in own:
            with pytest.raises(IllegalMove) as refused:
                deal.play(move)
            assert f"The card {move.card} is not in the hand." == str(refused.value)


def test_sentences_name_their_parameters() -> None:
    """Each reason's sentence can be said with exactly the parameters the reason lists."""
    for slug, reason in REASONS.items():
        values = {name: f"<{name}>" for name in reason.params}
        error = IllegalMove(slug, **values)
        assert values == error.params
        assert all(value in str(error) for value in values.values())
        assert str(error).endswith(".")


def test_parameters_are_those_of_the_reason() -> None:
    """A refusal cannot be made with a parameter missing, one too many, or for a reason nobody listed."""
    with pytest.raises(TypeError):
        IllegalMove("call_too_low")
    with pytest.raises(TypeError):
        IllegalMove("deal_over", minimum=9)
    with pytest.raises(KeyError):
        IllegalMove("because")
