"""A finished deal as JSON: nothing of it is hidden any more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chalicelib.api.present import (
    CARD_TEXT,
    MOVE_BODY,
    SEAT_TEXT,
    SUIT_TEXT,
    Json,
    calls,
    deal_result,
    moment,
    player,
    sides,
    trick,
)
from chalicelib.engine import SEATS, Deal, events_of, format_deal, hand_of

if TYPE_CHECKING:
    from chalicelib.match.view import DealRecord


def deal_record(record: DealRecord) -> Json:
    """DealRecord."""
    deal = record.deal
    shown = {
        "match_id": record.match_id,
        "deal_number": record.number,
        "started_at": moment(record.started_at),
        "ended_at": moment(record.ended_at),
        "opener": SEAT_TEXT[deal.opener],
        "after_bank": deal.after_bank.value,
        "seats": [_seat(seat, record) for seat in SEATS],
        "seed_order": [{"seat": SEAT_TEXT[seat], "player": player(who)} for seat, who, _ in record.seeds],
        "moves": [
            {
                "move_number": made.number,
                "seat": SEAT_TEXT[made.seat],
                "actor": made.actor.value,
                "at": moment(made.at),
                **MOVE_BODY[made.move.code],
            }
            for made in record.moves
        ],
        **outcome(deal),
        "commitment": record.commitment,
        "client_digest": record.client_digest,
    }
    return shown if record.deal_secret is None else shown | {"deal_secret": record.deal_secret}


def outcome(deal: Deal) -> Json:
    """What follows from a deal's cards and moves."""
    shown: Json = {
        "phase": deal.phase.value,
        "calls": calls(deal.calls),
        "tricks": [trick(each) for each in deal.tricks],
        "banks": _banks(deal),
        "banked": sides(deal.banked),
    }
    if deal.declarer is not None:
        shown["declarer"] = SEAT_TEXT[deal.declarer]
        shown["contract"] = deal.contract
    if deal.ser is not None:
        shown["ser"] = SUIT_TEXT[deal.ser]
    if deal.result is not None:
        shown["result"] = deal_result(deal.result)
        shown["notation"] = format_deal(deal)
    return shown


def _seat(seat: int, record: DealRecord) -> Json:
    shown: Json = {
        "seat": SEAT_TEXT[seat],
        "hand": [CARD_TEXT[card.index] for card in hand_of(record.deal.hands[seat])],
        "client_seed": record.client_seeds[seat],
    }
    who = record.players[seat]
    if who is not None:
        shown["player"] = player(who)
    return shown


def _banks(deal: Deal) -> list[Json]:
    """Each time the pile was banked: after which trick, by whom, how many tricks."""
    banks: list[Json] = []
    before = Deal.start(deal.hands, deal.opener, deal.after_bank)
    for move in deal.moves:
        after = before.play(move)
        number = len(after.tricks)
        banks += [
            {"trick_number": number, "seat": SEAT_TEXT[event.seat], "side": event.side.value, "tricks": event.tricks}
            for event in events_of(before, move, after)
            if event.type == "banked" and event.seat is not None and event.side is not None
        ]
        before = after
    return banks
