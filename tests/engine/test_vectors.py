"""The worked deals and shuffles, followed to the letter."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from chalicelib import engine
from chalicelib.engine import SEATS, AfterBank, Card, Deal, Seat, client_digest, deal_secret, format_move, parse_move

VECTORS = Path(__file__).parents[1] / "vectors"
WORKED_DEALS: list[dict[str, Any]] = json.loads((VECTORS / "deals.json").read_text())
WORKED_SHUFFLES: list[dict[str, Any]] = json.loads((VECTORS / "shuffle.json").read_text())


def hands_of(worked: dict[str, Any]) -> tuple[int, int, int, int]:
    north, east, south, west = (
        engine.mask_of(Card.parse(text) for text in worked["hands"][seat.text]) for seat in SEATS
    )
    return north, east, south, west


def test_all_worked_cases_are_here() -> None:
    """24 deals, half of them for each reading of R1, and 9 shuffles."""
    assert [12, 12] == [sum(deal["after_bank"] == reading for deal in WORKED_DEALS) for reading in AfterBank]
    assert 9 == len(WORKED_SHUFFLES)


@pytest.mark.parametrize("worked", WORKED_DEALS, ids=lambda worked: str(worked["seed"]))
def test_deal_goes_as_worked_out(worked: dict[str, Any]) -> None:
    """The seat to move, its legal moves, and the winners, banks and score are those worked out by hand."""
    deal = Deal.start(hands_of(worked), Seat.parse(worked["opener"]), AfterBank(worked["after_bank"]))
    banks = []
    for step in worked["moves"]:
        assert deal.turn is Seat.parse(step["seat"])
        assert step["legal"] == sorted(format_move(move) for move in deal.legal_moves())
        move = parse_move("pass" if step["type"] == "pass" else str(step["value"]))
        assert step["type"] == move.type
        before, deal = deal, deal.play(move, deal.turn)
        banks += [
            {"trick": len(deal.tricks), "pair": event.side, "tricks": event.tricks}
            for event in engine.events_of(before, move, deal)
            if event.type == "banked"
        ]
    assert deal.turn is None and deal.ser is not None and deal.result is not None
    assert (worked["banks"], worked["banked"]) == (banks, deal.banked._asdict())
    assert worked["winners"] == [trick.winner.text for trick in deal.tricks]
    assert deal.declarer is Seat.parse(worked["declarer"])
    assert (worked["contract"], worked["ser"]) == (deal.contract, deal.ser.text)
    assert worked["score"] == {side.value: deal.result.score_of(side) for side in engine.Side}


@pytest.mark.parametrize("worked", WORKED_SHUFFLES, ids=lambda w: f"{w['client_seeds']['north'] or 'no'}-{w['deal']}")
def test_shuffle_goes_as_worked_out(worked: dict[str, Any]) -> None:
    """Secret, engine.commitment, digest, hands, and for a first deal the opener are those worked out by hand."""
    secret = deal_secret(bytes.fromhex(worked["match_secret"]), worked["deal"])
    digest = client_digest([worked["client_seeds"][seat.text] for seat in SEATS])
    shuffled = engine.shuffle(secret, digest)
    assert worked["deal_secret"] == secret.hex()
    assert (worked["commitment"], worked["client_digest"]) == (engine.commitment(secret), digest.hex())
    assert hands_of(worked) == shuffled.hands
    assert worked["opener"] == (shuffled.opener.text if worked["deal"] == 1 else None)
