"""Print a finished deal trick by trick: `python -m dev.replay FILE`.

The file holds the deal's notation (docs/notation.md), or a finished deal's JSON as the API gives it; `-` is the
standard input.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from chalicelib.engine import SEATS, SUITS, Deal, MalformedNotation, Seat, events_of, hand_of, parse_deal


def main(arguments: list[str]) -> int:
    """0 when the deal was printed, 1 when the file is no deal, 2 when it is not told or cannot be read."""
    if len(arguments) != 1 or arguments[0].startswith("--"):
        print("usage: python -m dev.replay FILE", file=sys.stderr)
        return 2
    try:
        text = sys.stdin.read() if arguments[0] == "-" else Path(arguments[0]).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as fault:
        print(f"{arguments[0]}: {fault}", file=sys.stderr)
        return 2
    try:
        deal = parse_deal(_notation_in(text))
    except MalformedNotation as fault:
        print(f"{arguments[0]}: {fault}", file=sys.stderr)
        return 1
    print("\n".join(told(deal)))
    return 0


def told(deal: Deal) -> Iterator[str]:
    """The lines that tell a finished deal: hands, auction, tricks with the pile, and the result."""
    for seat in SEATS:
        yield f"{seat.text:<5}  {_hand(deal, seat)}"
    yield ""
    before = Deal.start(deal.hands, deal.opener, deal.after_bank)
    for move in deal.moves:
        after = before.play(move)
        for event in events_of(before, move, after):
            who = "" if event.seat is None else event.seat.text
            if event.type in ("call", "pass"):
                yield f"{who} {'passes' if event.number is None else f'calls {event.number}'}"
            elif event.type == "ser" and event.suit is not None:
                yield f"{who} names {event.suit.text} the ser and leads"
                yield ""
            elif event.type == "trick_won":
                yield _trick(after, before.pile + 1)
            elif event.type == "banked" and event.side is not None:
                yield f"{'':>4}{event.side.value} bank {event.tricks}: ns {after.banked.ns}, ew {after.banked.ew}"
        before = after
    if deal.result is not None:
        side, contract, banked, made, score = deal.result
        yield ""
        yield f"{side.value} called {contract} and banked {banked}: {'made' if made else 'lost'}, {score:+}"


def _notation_in(text: str) -> str:
    """The text itself, or the `notation` of the JSON object it is."""
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        return text
    notation = content.get("notation") if isinstance(content, dict) else None
    return notation if isinstance(notation, str) else text


def _hand(deal: Deal, seat: Seat) -> str:
    """As in `S AT62  H J73  D Q84  C K95`."""
    cards = hand_of(deal.hands[seat])
    suits = ((suit, "".join(str(card)[0] for card in cards if card.suit is suit)) for suit in SUITS)
    return "  ".join(f"{suit.text} {ranks or '-'}" for suit, ranks in suits)


def _trick(deal: Deal, pile: int) -> str:
    """The trick just finished, its winning card in brackets, and how many the pile has with it."""
    trick = deal.tricks[-1]
    cards = "".join(f"[{card}]" if seat is trick.winner else f" {card} " for seat, card in trick.plays)
    number = len(deal.tricks)
    return f"{number:>2}  {trick.leader.text:<5} leads {cards}  {trick.winner.text:<5} wins, pile {pile}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
