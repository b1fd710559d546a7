"""Cards and moves as a person at a terminal reads and types them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

SUITS = "SHDC"
RANKS = "AKQJT98765432"
SYMBOLS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
NAMES = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
_TYPED_SUITS = {**{suit: suit for suit in SUITS}, **{symbol: suit for suit, symbol in SYMBOLS.items()}}

Move = dict[str, Any]


def card(text: str) -> str:
    """`AS` as ♠A, `TH` as ♥10."""
    return SYMBOLS[text[1]] + text[0].replace("T", "10")


def cards_by_suit(hand: Iterable[str]) -> str:
    """A hand on one line, suit by suit, high to low."""
    held = list(hand)
    rows = []
    for suit in SUITS:
        ranks = sorted((text[0] for text in held if text[1] == suit), key=RANKS.index)
        rows.append(f"{SYMBOLS[suit]} {' '.join(ranks).replace('T', '10') or '-'}")
    return "   ".join(rows)


def in_order(moves: Iterable[Move]) -> list[Move]:
    """Cards as a hand is shown, suit by suit, high to low; other moves as they come."""
    return sorted(moves, key=lambda move: _place(move["card"]) if move["type"] == "play" else (0, 0))


def _place(text: str) -> tuple[int, int]:
    return SUITS.index(text[1]), RANKS.index(text[0])


def move_text(move: Move) -> str:
    """What to type for a move."""
    match move["type"]:
        case "call":
            return str(move["number"])
        case "ser":
            return str(move["suit"])
        case "play":
            return str(move["card"]).replace("T", "10")
    return "pass"


def read_move(typed: str, legal: Sequence[Move]) -> Move | None:
    """The legal move that is meant, however it is typed: `8`, `p`, `hearts`, `AS`, `s a`, `♠10`; None: none of them."""
    text = "".join(typed.upper().split()).replace("10", "T")
    by_type = {kind: [move for move in legal if move["type"] == kind] for kind in ("call", "pass", "ser", "play")}
    if by_type["pass"] and text and "PASS".startswith(text):
        return by_type["pass"][0]
    for move in by_type["call"]:
        if text == str(move["number"]).replace("10", "T"):
            return move
    for move in by_type["ser"]:
        suit = move["suit"]
        if text and (NAMES[suit].upper().startswith(text) or text == SYMBOLS[suit]):
            return move
    if len(text) == 2:
        meant = {text[0] + _TYPED_SUITS.get(text[1], "?"), text[1] + _TYPED_SUITS.get(text[0], "?")}
        for move in by_type["play"]:
            if move["card"] in meant:
                return move
    return None
