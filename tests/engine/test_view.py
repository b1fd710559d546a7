"""What a seat sees of a deal: all that is public, its own hand, and nothing that depends on another's."""

from __future__ import annotations

from dataclasses import fields, replace
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from chalicelib.engine import PACK, SEATS, Deal, DealView, Phase, Play, Seat, hand_of, replay
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
def test_view_shows_what_the_deal_is(deal: Deal, seat: Seat) -> None:
    """Everything public is as the deal has it, and a seat's view is the spectator's with its own sorted hand and, on
    its turn, its moves. A repr, which may end up in a log, has no card of a hand."""
    spectator, view = deal.view(None), deal.view(seat)
    for name in PUBLIC - {"seat", "cards_left"}:
        assert getattr(deal, name) == getattr(spectator, name)
    assert [len(hand_of(left)) for left in deal.left] == list(spectator.cards_left)
    assert ((), ()) == (spectator.hand, spectator.legal_moves)
    own = hand_of(deal.left[seat]), deal.legal_moves() if deal.turn is seat else ()
    assert view == replace(spectator, seat=seat, hand=own[0], legal_moves=own[1])
    if view.phase is Phase.PLAY:
        assert all(isinstance(move, Play) and move.card in view.hand for move in view.legal_moves)
    assert all(repr(card) not in repr(view) for card in view.hand)


@given(deals())
def test_view_keeps_up(deal: Deal) -> None:
    """At each moment one more move is on the table; the cards in tricks and those left make the pack, none twice."""
    for at, state in enumerate(states_of(deal)):
        view = state.view(None)
        assert at == len(view.calls) + (view.ser is not None) + 52 - sum(view.cards_left)
    on_table = deal.trick.plays if deal.trick else ()
    played = [play.card for plays in (*(trick.plays for trick in deal.tricks), on_table) for play in plays]
    assert len(set(played)) == len(played)
    assert PACK == sum(card.bit for card in played) + sum(deal.left)
