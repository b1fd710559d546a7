"""How seats, suits, cards and moves are written and read, and the codes of the log."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chalicelib.engine import (
    CARDS,
    MOVES,
    SEATS,
    SUITS,
    AfterBank,
    Call,
    Card,
    Malformed,
    MalformedMove,
    Move,
    Pass,
    Phase,
    Play,
    Seat,
    Ser,
    Side,
    Suit,
    format_move,
    hand_of,
    mask_of,
    parse_move,
)
from tests.strategies import moves

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
    """Cards are 0 to 51, pass 52, calls 7 to 13 are 53 to 59, sers S H D C 60 to 63."""
    assert [Play(card) for card in CARDS] == list(MOVES[:52])
    assert [Pass(), *map(Call, range(7, 14)), *map(Ser, SUITS)] == list(MOVES[52:])
    assert list(range(64)) == [move.code for move in MOVES]
    assert [1 << code for code in range(64)] == [move.bit for move in MOVES]


@given(moves)
def test_moves_are_read_as_written(move: Move) -> None:
    """Reading what was written gives the same move, and its type is the word for it."""
    assert move is parse_move(format_move(move))
    assert {Call: "call", Pass: "pass", Ser: "ser", Play: "play"}[type(move)] == move.type


def test_words_of_moves() -> None:
    """8, pass, H and AS are a call, a pass, a ser and a card."""
    assert (Call(8), Pass(), Ser(Suit.H), Play(Card.parse("AS"))) == tuple(map(parse_move, ("8", "pass", "H", "AS")))
    assert 64 == len({format_move(move) for move in MOVES})


@pytest.mark.parametrize("text", NO_MOVES)
def test_other_text_is_no_move(text: str) -> None:
    """Text that is no move, card or suit is malformed, and the error does not quote it."""
    for parse in (parse_move, Card.parse, Suit.parse):
        with pytest.raises(MalformedMove) as malformed:
            parse(text)
        assert str(malformed.value) in {"not a move", "not a card", "not a suit"}


@given(st.text())
def test_any_text_is_read_or_malformed(text: str) -> None:
    """Whatever the text, reading gives a move that is written just so, or the one error."""
    try:
        move = parse_move(text)
    except MalformedMove:
        return
    assert text == format_move(move)


@pytest.mark.parametrize("text", ["", "North", "n", "north ", "0", "S", "northeast"])
def test_other_text_is_no_seat(text: str) -> None:
    """Only north, east, south and west are seats."""
    with pytest.raises(Malformed):
        Seat.parse(text)


def test_seats_go_round() -> None:
    """North, east, south, west and round again; partners sit opposite."""
    assert ["north", "east", "south", "west"] == [seat.text for seat in SEATS]
    assert list(SEATS) == [Seat.parse(seat.text) for seat in SEATS]
    assert [Seat.EAST, Seat.SOUTH, Seat.WEST, Seat.NORTH] == [seat.next for seat in SEATS]
    assert [Seat.SOUTH, Seat.WEST, Seat.NORTH, Seat.EAST] == [seat.partner for seat in SEATS]
    assert ["ns", "ew", "ns", "ew"] == [seat.side for seat in SEATS]
    assert [Side.EW, Side.NS] == [side.other for side in Side]


@pytest.mark.parametrize("number", [-1, 0, 6, 14, 100])
def test_calls_are_7_to_13(number: int) -> None:
    """No call of another number can even be made."""
    with pytest.raises(MalformedMove):
        Call(number)


@pytest.mark.parametrize("index", [-1, 52])
def test_cards_are_52(index: int) -> None:
    """No card of another index can be made."""
    with pytest.raises(ValueError, match="0 to 51"):
        Card(index)


@given(st.sets(st.sampled_from(CARDS)))
def test_hand_and_set_round_trip(cards: set[Card]) -> None:
    """A hand is shown suit by suit, high to low, and holds just the cards of its set."""
    hand = hand_of(mask_of(cards))
    assert sorted(cards, key=lambda card: (card.suit, -card.rank)) == list(hand)


@pytest.mark.parametrize("value", [*MOVES, *CARDS, *SEATS, *SUITS, *Side, *AfterBank, *Phase], ids=repr)
def test_small_values_are_values(value: object) -> None:
    """The repr of a small value makes it again; a copy and a pickle are equal to it."""
    assert value == eval(repr(value))
    assert value == copy.deepcopy(value) == pickle.loads(pickle.dumps(value))
    assert hash(value) == hash(copy.deepcopy(value))


@pytest.mark.parametrize("value", [MOVES[0], MOVES[52], MOVES[53], MOVES[60], CARDS[0]], ids=repr)
def test_small_values_are_frozen(value: Move | Card) -> None:
    """Nobody can write to a card or a move."""
    for name in ("code", "bit", "index", "card", "number", "suit"):
        with pytest.raises((FrozenInstanceError, AttributeError, TypeError)):
            setattr(value, name, 1)
