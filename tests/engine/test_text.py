"""How seats, suits, cards and moves are written and read, and the codes of the log."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chalicelib import engine
from chalicelib.engine import CARDS, MOVES, SEATS, SUITS, Call, Card, MalformedMove, Pass, Play, Seat, Ser, Side, Suit

NO_MOVES = [
    *("", "6", "14", "08", "7.0", "-7", "+7", "\u0668", "8 ", " 8", "8\n", "call 8", "PASS", "Pass", "None"),
    *("h", "X", "as", "SA", "1S", "10S", "AX", "ASS", "A S", "AS\n", "AS\x00", "A\u017f", "\uff21S", "\u2660"),
    "A" * 10000,
]


def test_pack_in_order() -> None:
    """Card 0 is the two of spades, 51 the ace of clubs: suits S H D C, in each 2 up to A."""
    assert [rank + suit for suit in "SHDC" for rank in "23456789TJQKA"] == [str(card) for card in CARDS]
    for index, card in enumerate(CARDS):
        assert (index, index // 13, index % 13, 1 << index) == (card.index, card.suit, card.rank, card.bit)


def test_codes() -> None:
    """Cards are 0 to 51, pass 52, calls 7 to 13 are 53 to 59, sers S H D C 60 to 63; each is written in a way of its
    own, which reads as the same move."""
    assert [*map(Play, CARDS), Pass(), *map(Call, range(7, 14)), *map(Ser, SUITS)] == list(MOVES)
    assert [(code, 1 << code) for code in range(64)] == [(move.code, move.bit) for move in MOVES]
    assert list(MOVES) == [engine.parse_move(engine.format_move(move)) for move in MOVES]
    assert (Call(8), Pass(), Ser(Suit.H), Play(Card.parse("AS"))) == tuple(
        map(engine.parse_move, ("8", "pass", "H", "AS"))
    )
    for move in MOVES:
        assert {Call: "call", Pass: "pass", Ser: "ser", Play: "play"}[type(move)] == move.type


@pytest.mark.parametrize("text", NO_MOVES)
def test_other_text_is_no_move(text: str) -> None:
    """Text that is no move, card or suit is malformed, and the error does not quote it."""
    for parse in (engine.parse_move, Card.parse, Suit.parse):
        with pytest.raises(MalformedMove) as malformed:
            parse(text)
        assert str(malformed.value) in {"not a move", "not a card", "not a suit"}


@given(st.text())
def test_any_text_is_read_or_malformed(text: str) -> None:
    """Whatever the text, reading gives a move that is written just so, or the one error."""
    try:
        move = engine.parse_move(text)
    except MalformedMove:
        return
    assert text == engine.format_move(move)


def test_seats_go_round() -> None:
    """North, east, south, west and round again; partners sit opposite. Nothing else is a seat."""
    assert ["north", "east", "south", "west"] == [seat.text for seat in SEATS]
    assert list(SEATS) == [Seat.parse(seat.text) for seat in SEATS]
    assert [Seat.EAST, Seat.SOUTH, Seat.WEST, Seat.NORTH] == [seat.next for seat in SEATS]
    assert [Seat.SOUTH, Seat.WEST, Seat.NORTH, Seat.EAST] == [seat.partner for seat in SEATS]
    assert ["ns", "ew", "ns", "ew"] == [seat.side for seat in SEATS]
    assert [Side.EW, Side.NS] == [side.other for side in Side]
    for text in ("", "North", "n", "north ", "0", "S", "northeast"):
        with pytest.raises(engine.Malformed):
            Seat.parse(text)


def test_no_other_call_or_card_can_be_made() -> None:
    for number in (-1, 0, 6, 14, 100):
        with pytest.raises(MalformedMove):
            Call(number)
    for index in (-1, 52):
        with pytest.raises(ValueError, match="0 to 51"):
            Card(index)


@given(st.sets(st.sampled_from(CARDS)))
def test_hand_and_set_round_trip(cards: set[Card]) -> None:
    """A hand is shown suit by suit, high to low, and holds just the cards of its set."""
    assert sorted(cards, key=lambda card: (card.suit, -card.rank)) == list(engine.hand_of(engine.mask_of(cards)))


def test_small_values_are_values() -> None:
    """The repr of a small value makes it again; a copy and a pickle are equal to it; a card or move cannot change."""
    for value in (*MOVES, *CARDS, *SEATS, *SUITS, *Side, *engine.AfterBank, *engine.Phase):
        assert value == eval(repr(value), vars(engine)) == copy.deepcopy(value) == pickle.loads(pickle.dumps(value))
        assert hash(value) == hash(copy.deepcopy(value))
    frozen: tuple[engine.Move | Card, ...] = (*MOVES, CARDS[0])
    for each in frozen:
        for name in ("code", "bit", "index", "card", "number", "suit"):
            with pytest.raises((AttributeError, TypeError)):
                setattr(each, name, 1)
