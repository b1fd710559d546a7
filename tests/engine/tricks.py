"""A deal in which chosen seats win the tricks, so that a test can be about the pile and not about cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chalicelib.engine import SEATS, AfterBank, Deal, Move, Play, Seat, parse_move

if TYPE_CHECKING:
    from collections.abc import Iterator

# Each suit is dealt round the table from the top, each from another seat, so that anybody can win a trick.
_HANDS = tuple(
    sum(1 << suit * 13 + rank for suit in range(4) for rank in range(13) if (suit + 12 - rank) % 4 == seat)
    for seat in SEATS
)
_SEAT_OF = {seat.text[0]: seat for seat in SEATS}


def won_by(winners: str, after_bank: AfterBank) -> Deal:
    """A deal, spades the ser and north declaring 7, after as many tricks as there are letters (n e s w) of winners."""
    north, east, south, west = _HANDS
    deal = Deal.start((north, east, south, west), Seat.NORTH, after_bank)
    for text in ("7", "pass", "pass", "pass", "S"):
        deal = deal.play(parse_move(text))
    played = _search(deal, [_SEAT_OF[letter] for letter in winners], iter(range(20_000)))
    assert played is not None, f"these hands cannot be played to {winners}"
    return played


def _search(deal: Deal, winners: list[Seat], tries: Iterator[int]) -> Deal | None:
    """Try the likeliest cards first: the winner its best, the others their worst."""
    done = len(deal.tricks)
    if done == len(winners) or next(tries, None) is None:
        return deal if done == len(winners) else None
    wants = deal.turn is winners[done]
    for move in sorted(deal.legal_moves(), key=lambda move: _worth(deal, move), reverse=wants):
        after = deal.play(move)
        if len(after.tricks) == done or after.tricks[-1].winner is winners[done]:
            found = _search(after, winners, tries)
            if found is not None:
                return found
    return None


def _worth(deal: Deal, move: Move) -> tuple[bool, int]:
    assert isinstance(move, Play)
    cuts = deal.trick is not None and bool(deal.trick.plays) and move.card.suit is deal.ser
    return cuts, move.card.rank
