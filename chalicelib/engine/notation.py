"""A finished deal as a short text that people read and `parse_deal` reads back (docs/notation.md).

Only a finished deal has a notation: a text of one that goes on would tell the hands.
"""

from __future__ import annotations

import re

from chalicelib.engine.cards import SUITS, Card, hand_of, mask_of
from chalicelib.engine.deal import Deal
from chalicelib.engine.errors import IllegalMove, Malformed
from chalicelib.engine.moves import parse_move
from chalicelib.engine.replay import replay
from chalicelib.engine.state import NAMED
from chalicelib.engine.types import SEATS, AfterBank, FinishedTrick, Seat

# Left to be compiled when something is read: the API only writes.
_HEAD = r"Do Dooni 1 (fresh|streak)"
_HAND = r"[NESW] ([^. ]+)\.([^. ]+)\.([^. ]+)\.([^. ]+)"
_AUCTION = r"Auction ([NESW]) (\w+), [NESW] (\w+), [NESW] (\w+), [NESW] (\w+)"
_SER = r"Ser [NESW] (\w)"
_TRICK = r"\d+ [NESW] (\w\w)\*? (\w\w)\*? (\w\w)\*? (\w\w)\*?(?: = \w\w \d+)?"

_HANDS_LINE, _AUCTION_LINE, _SER_LINE, _TRICKS_LINE, _LINES = 2, 6, 7, 8, 22
_VOID = "-"


class MalformedNotation(Malformed):
    """Text that is not the notation of a finished deal; `line` (from 1) is the first that is wrong."""

    def __init__(self, line: int, wrong: str) -> None:
        super().__init__(f"line {line}: {wrong}")
        self.line = line


def format_deal(deal: Deal) -> str:
    """The notation of a deal, ending in a new line; `ValueError` unless it has been played to its end."""
    if deal.result is None or deal.declarer is None or deal.ser is None:
        raise ValueError("only a finished deal has a notation")
    calls = ", ".join(f"{_letter(seat)} {number or 'pass'}" for seat, number in deal.calls)
    side, contract, _, made, score = deal.result
    lines = [
        f"Do Dooni 1 {deal.after_bank.value}",
        *(f"{_letter(seat)} {_format_hand(deal.hands[seat])}" for seat in SEATS),
        f"Auction {calls}",
        f"Ser {_letter(deal.declarer)} {deal.ser.text}",
        *_format_tricks(deal),
        f"Banked ns {deal.banked.ns}, ew {deal.banked.ew}",
        f"Result {side.value} {contract} {'made' if made else 'lost'} {score:+}",
    ]
    return "\n".join(lines) + "\n"


def parse_deal(text: str) -> Deal:
    """The deal whose notation this is, to the letter; `MalformedNotation` for any other text."""
    lines = text.split("\n")
    if len(lines) != _LINES + 1:
        raise MalformedNotation(min(len(lines), _LINES), f"a deal has {_LINES} lines, each with an end")
    (after_bank,) = _read(_HEAD, lines, 1)
    north, east, south, west = (_parse_hand(lines, _HANDS_LINE + seat) for seat in SEATS)
    opener, *calls = _read(_AUCTION, lines, _AUCTION_LINE)
    words = [(_AUCTION_LINE, call) for call in calls]
    words += [(_SER_LINE, ser) for ser in _read(_SER, lines, _SER_LINE)]
    for line in range(_TRICKS_LINE, _TRICKS_LINE + 13):
        words += [(line, card) for card in _read(_TRICK, lines, line)]
    try:
        deal = Deal.start((north, east, south, west), _seat(opener), AfterBank(after_bank))
    except ValueError as refused:
        raise MalformedNotation(_HANDS_LINE, str(refused)) from None
    for line, word in words:
        try:
            deal = deal.play(parse_move(word))
        except (Malformed, IllegalMove) as refused:
            raise MalformedNotation(line, str(refused)) from None
    # Winners, banks and the rest follow from the moves, and there is one way to write each: so compare.
    for line, (written, right) in enumerate(zip(lines, format_deal(deal).split("\n"), strict=True), 1):
        if written != right:
            raise MalformedNotation(line, f"by the moves this is: {right}")
    return deal


def _format_hand(mask: int) -> str:
    ranks = {suit: "".join(str(card)[0] for card in hand_of(mask) if card.suit is suit) for suit in SUITS}
    return ".".join(ranks[suit] or _VOID for suit in SUITS)


def _format_tricks(deal: Deal) -> list[str]:
    lines = []
    banked = 0
    for number, trick in enumerate(deal.tricks, 1):
        so_far = sum(replay(deal.hands, deal.opener, deal.after_bank, deal.codes[: NAMED + 4 * number]).banked)
        bank = f" = {trick.winner.side.value} {so_far - banked}" if so_far > banked else ""
        lines.append(f"{number} {_format_trick(trick)}{bank}")
        banked = so_far
    return lines


def _format_trick(trick: FinishedTrick) -> str:
    cards = [f"{card}*" if seat is trick.winner else str(card) for seat, card in trick.plays]
    return " ".join([_letter(trick.leader), *cards])


def _parse_hand(lines: list[str], line: int) -> int:
    suits = zip(SUITS, _read(_HAND, lines, line), strict=True)
    try:
        return mask_of(Card.parse(rank + suit.text) for suit, ranks in suits if ranks != _VOID for rank in ranks)
    except Malformed as refused:
        raise MalformedNotation(line, str(refused)) from None


def _read(pattern: str, lines: list[str], line: int) -> tuple[str, ...]:
    found = re.fullmatch(pattern, lines[line - 1])
    if found is None:
        raise MalformedNotation(line, "not of the form that belongs here")
    return found.groups()


def _letter(seat: Seat) -> str:
    return seat.text[0].upper()


def _seat(letter: str) -> Seat:
    return next(seat for seat in SEATS if _letter(seat) == letter)
