"""What the easy level can be trusted to do."""

from __future__ import annotations

import pytest

from chalicelib.bots import choose
from chalicelib.engine import AfterBank, Card, Deal, Seat, format_move, mask_of, parse_move

HANDS = ("AKQJT98.K5.AK.AK", "32.742.QJT9.QJT9", "654.AQT86.87.876", "7.J93.65432.5432")
"""By seat, suits S H D C: a strong hand north, weak ones elsewhere."""


def after(*moves: str, opener: Seat = Seat.NORTH) -> Deal:
    north, east, south, west = (
        mask_of(Card.parse(rank + suit) for suit, ranks in zip("SHDC", hand.split("."), strict=True) for rank in ranks)
        for hand in HANDS
    )
    deal = Deal.start((north, east, south, west), opener, AfterBank.FRESH)
    for move in moves:
        deal = deal.play(parse_move(move))
    return deal


def easy(deal: Deal) -> str:
    assert deal.turn is not None
    return format_move(choose(deal.view(deal.turn), "easy", bytes(32)))


NORTH_DECLARES = ("9", "pass", "pass", "pass", "S")


@pytest.mark.parametrize(
    ("played", "answer"),
    [
        (("5H", "2H", "8H"), "9H"),  # the nine is enough, the jack is kept
        (("KH", "2H", "6H"), "3H"),  # beaten anyhow
        (("KH", "2H"), "6H"),  # partner's king stands: the ace stays in hand
    ],
)
def test_a_card(played: tuple[str, ...], answer: str) -> None:
    """It wins as cheaply as it can, spends nothing on a lost trick, and does not overtake its partner's sure one."""
    assert answer == easy(after(*NORTH_DECLARES, *played))


def test_calls_by_the_hand() -> None:
    """A weak hand passes over the lowest call, a strong one calls more and names its long suit."""
    assert "pass" == easy(after("7", opener=Seat.EAST))
    assert "8" == easy(after("7", "pass", "pass", opener=Seat.EAST))
    assert "S" == easy(after("7", "pass", "pass", "8", opener=Seat.EAST))
