"""What a seat sees of a deal: all that is public, its own hand, and nothing that depends on another's."""

from __future__ import annotations

from dataclasses import fields, replace
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from chalicelib.engine import (
    PACK,
    SEATS,
    Deal,
    DealView,
    Phase,
    Play,
    Seat,
    hand_of,
    replay,
)
from tests.strategies import deals, onlookers, seats, states_of

PUBLIC = {
    *("seat", "opener", "after_bank", "phase", "turn", "calls", "declarer", "contract", "ser", "trick", "tricks"),
    *("pile", "run_seat", "banked", "result", "cards_left"),
}
"""What everybody sees."""
OWN = {"hand", "legal_moves"}
"""What differs from seat to seat."""


def with_hidden_cards_moved(deal: Deal, seat: Seat | None, random: Random) -> Deal:
    """The same deal as far as `seat` can know: the cards still hidden from it are dealt anew to the others."""
    others = [other for other in SEATS if other is not seat]
    hidden = [card for other in others for card in hand_of(deal.left[other])]
    random.shuffle(hidden)
    hands = list(deal.hands)
    for other in others:
        held = deal.left[other].bit_count()
        hands[other] = hands[other] & ~deal.left[other] | sum(card.bit for card in hidden[:held])
        del hidden[:held]
    north, east, south, west = hands
    return replay((north, east, south, west), deal.opener, deal.after_bank, deal.codes)


def test_fields_of_a_view() -> None:
    """A view has these fields; a new one must be put in one of the two lists, after thought."""
    assert PUBLIC | OWN == {field.name for field in fields(DealView)}


@given(deals(), onlookers, st.integers(0, 2**32))
def test_view_does_not_depend_on_hidden_cards(deal: Deal, seat: Seat | None, seed: int) -> None:
    """Dealing the cards a seat cannot see anew among the others changes nothing in its view, at any moment."""
    other = with_hidden_cards_moved(deal, seat, Random(seed))
    assert deal.view(seat) == other.view(seat)
    assert deal.forced_move() is None or deal.forced_move() in deal.legal_moves()


@given(deals(), seats)
def test_seats_share_what_is_public(deal: Deal, seat: Seat) -> None:
    """A seat's view is the spectator's with its own hand and moves put in."""
    spectator, view = deal.view(None), deal.view(seat)
    assert view == replace(spectator, seat=seat, hand=view.hand, legal_moves=view.legal_moves)
    assert () == spectator.hand
    assert () == spectator.legal_moves


@given(deals())
def test_view_shows_what_the_deal_is(deal: Deal) -> None:
    """Everything public is as the deal has it."""
    view = deal.view(None)
    for name in PUBLIC - {"seat", "cards_left"}:
        assert getattr(deal, name) == getattr(view, name)
    assert [len(hand_of(left)) for left in deal.left] == list(view.cards_left)


@given(deals(), seats)
def test_hand_and_legal_moves_are_ones_own(deal: Deal, seat: Seat) -> None:
    """A seat sees the cards it still holds, sorted, and its legal moves only on its turn."""
    view = deal.view(seat)
    assert hand_of(deal.left[seat]) == view.hand
    assert (deal.legal_moves() if deal.turn is seat else ()) == view.legal_moves
    if view.phase is Phase.PLAY:
        assert all(isinstance(move, Play) and move.card in view.hand for move in view.legal_moves)


@given(deals(min_moves=5, max_moves=57))
def test_cards_seen_are_cards_played(deal: Deal) -> None:
    """The cards in tricks and those left make the whole pack, none twice."""
    on_table = deal.trick.plays if deal.trick else ()
    played = [play.card for plays in (*(trick.plays for trick in deal.tricks), on_table) for play in plays]
    assert len(set(played)) == len(played)
    assert sum(card.bit for card in played) + sum(deal.left) == PACK


@given(deals(), seats)
def test_repr_of_a_view_shows_no_hand(deal: Deal, seat: Seat) -> None:
    """A view's repr has no card that is not on the table, so that a log line cannot tell."""
    view = deal.view(seat)
    assert all(repr(card) not in repr(view) for card in view.hand)


@given(deals())
def test_view_keeps_up(deal: Deal) -> None:
    """Seen at each moment, a view has one more move on the table each time."""
    seen = [
        len(view.calls) + (view.ser is not None) + 52 - sum(view.cards_left)
        for view in (state.view(None) for state in states_of(deal))
    ]
    assert list(range(len(deal.moves) + 1)) == seen
