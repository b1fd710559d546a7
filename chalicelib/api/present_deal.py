"""A finished deal as JSON: nothing of it is hidden any more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from chalicelib.api import shapes as a
from chalicelib.api.present import AUCTION_CALL, DEAL_RESULT, MINUTES, PLAYER_REF, SIDE_TOTALS, TRICK
from chalicelib.api.shapes import Member, Shape, always, perhaps
from chalicelib.engine import SEATS, Deal, events_of, format_deal, hand_of
from chalicelib.match.model import MAX_DEALS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chalicelib.engine import Card, Seat
    from chalicelib.engine.events import DealEvent
    from chalicelib.match.view import DealRecord, PlayerRef


def _seats(record: DealRecord) -> Iterator[tuple[Seat, PlayerRef | None, tuple[Card, ...], str]]:
    for seat in SEATS:
        yield seat, record.players[seat], hand_of(record.deal.hands[seat]), record.client_seeds[seat]


def _banks(deal: Deal) -> Iterator[tuple[int, DealEvent]]:
    """Each time the pile was banked: after which trick, and the event."""
    before = Deal.start(deal.hands, deal.opener, deal.after_bank)
    for move in deal.moves:
        after = before.play(move)
        for event in events_of(before, move, after):
            if event.type == "banked":
                yield len(after.tricks), event
        before = after


DEAL_SEAT = Shape(
    "DealSeat",
    "A seat of a finished deal, with the hand it was dealt.",
    always("seat", a.seat_name(), 0),
    perhaps("player", a.part(PLAYER_REF, "Left out for a bot."), 1),
    always("hand", a.many(a.card()), 2),
    always("client_seed", a.word("ClientSeed", "The seat's part in the shuffle; empty for a bot."), 3),
)
SEED_SENDER = Shape(
    "SeedSender",
    "Somebody who sat at the table when the match started.",
    always("seat", a.seat_name(), 0),
    always("player", a.part(PLAYER_REF), 1),
)
_move = a.MOVE_BODY.__getitem__
MADE_MOVE = Shape(
    "MadeMove",
    "A move of a finished deal: one flat object whatever its type.",
    always("move_number", a.whole("Its number in the match.", 1), "number"),
    always("seat", a.seat_name()),
    always("actor", a.known("Who made it.", "player", "bot", "stand_in", "rule", "timeout")),
    always("at", a.moment(MINUTES)),
    always(
        "type", a.known("What it was.", "call", "pass", "ser", "play"), lambda entry: _move(entry.move.code)["type"]
    ),
    perhaps(
        "number",
        a.whole("The number that was called.", 7, 13),
        lambda entry: _move(entry.move.code).get("number"),
    ),
    perhaps("suit", a.word("Suit"), lambda entry: _move(entry.move.code).get("suit")),
    perhaps("card", a.word("Card"), lambda entry: _move(entry.move.code).get("card")),
)
BANK = Shape(
    "Bank",
    "The pile banked.",
    always("trick_number", a.whole("The trick that banked it, by its number in the deal.", 1, 13), 0),
    always("seat", a.seat_name(), lambda bank: bank[1].seat),
    always("side", a.word("Side"), lambda bank: bank[1].side),
    always("tricks", a.whole("How many tricks it was.", 1, 13), lambda bank: bank[1].tricks),
)
OUTCOME = (
    always("phase", a.word("DealPhase", "Where it stopped.")),
    always("calls", a.each(AUCTION_CALL)),
    perhaps("declarer", a.seat_name()),
    perhaps("contract", a.whole("", 7, 13)),
    perhaps("ser", a.suit()),
    always("tricks", a.each(TRICK)),
    always("banks", a.each(BANK), _banks),
    always("banked", a.part(SIDE_TOTALS)),
    perhaps("result", a.part(DEAL_RESULT, "Left out for a deal that was given up.")),
    perhaps(
        "notation",
        a.text("The whole deal as a short text, if it was played to its end."),
        lambda deal: None if deal.result is None else format_deal(deal),
    ),
)
"""What follows from a deal's cards and moves: of a `Deal`."""


def _of_its_deal(member: Member) -> Member:
    of: Any = member.of
    return member._replace(of=f"deal.{of}" if isinstance(of, str) else lambda record: of(record.deal))


DEAL_RECORD = Shape(
    "DealRecord",
    "A deal that is over, whole.",
    always("match_id", a.text()),
    always("deal_number", a.whole("", 1, MAX_DEALS), "number"),
    always("started_at", a.moment()),
    always("ended_at", a.moment()),
    always("opener", a.seat_name(), "deal.opener"),
    always("after_bank", a.word("AfterBank"), "deal.after_bank"),
    always("seats", a.each(DEAL_SEAT), _seats),
    always("moves", a.each(MADE_MOVE)),
    *map(_of_its_deal, OUTCOME),
    perhaps(
        "deal_secret",
        a.hexadecimal(
            "The secret it was shuffled with: its SHA-256 is the commitment. Of an entry once nobody else can play the "
            "cards: when its daily has run out, or of a challenge when you have finished it."
        ),
    ),
    always("commitment", a.hexadecimal("What was shown of it before.")),
    always("client_digest", a.hexadecimal("SHA-256 of the four seeds.")),
    always(
        "seed_order",
        a.each(
            SEED_SENDER,
            "Who sat at the start, in the order in which they sat down or sent their seeds: the last had the last word "
            "in the shuffle.",
        ),
        "seeds",
    ),
)
