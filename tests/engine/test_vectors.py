"""The worked deals and shuffles, followed to the letter."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from chalicelib.engine import (
    SEATS,
    AfterBank,
    Card,
    Deal,
    Seat,
    Side,
    client_digest,
    commitment,
    deal_secret,
    events_of,
    format_move,
    mask_of,
    parse_move,
    replay,
    shuffle,
)

VECTORS = Path(__file__).parents[1] / "vectors"
WORKED_DEALS: list[dict[str, Any]] = json.loads((VECTORS / "deals.json").read_text())
WORKED_SHUFFLES: list[dict[str, Any]] = json.loads((VECTORS / "shuffle.json").read_text())


def hands_of(worked: dict[str, Any]) -> tuple[int, int, int, int]:
    north, east, south, west = (mask_of(Card.parse(text) for text in worked["hands"][seat.text]) for seat in SEATS)
    return north, east, south, west


def test_all_worked_cases_are_here() -> None:
    """24 deals, half of them for each reading of R1, and 9 shuffles."""
    assert [12, 12] == [sum(deal["after_bank"] == reading for deal in WORKED_DEALS) for reading in AfterBank]
    assert len(WORKED_SHUFFLES) == 9


@pytest.mark.parametrize("worked", WORKED_DEALS, ids=lambda worked: str(worked["seed"]))
def test_deal_goes_as_worked_out(worked: dict[str, Any]) -> None:
    """The seat to move, its legal moves, and the winners, banks and score are those worked out by hand."""
    deal = Deal.start(hands_of(worked), Seat.parse(worked["opener"]), AfterBank(worked["after_bank"]))
    banks = []
    for step in worked["moves"]:
        assert deal.turn is Seat.parse(step["seat"])
        assert sorted(format_move(move) for move in deal.legal_moves()) == step["legal"]
        move = parse_move("pass" if step["type"] == "pass" else str(step["value"]))
        assert step["type"] == move.type
        before, deal = deal, deal.play(move, deal.turn)
        banks += [
            {"trick": len(deal.tricks), "pair": event.side, "tricks": event.tricks}
            for event in events_of(before, move, deal)
            if event.type == "banked"
        ]

    assert deal.turn is None
    assert worked["banks"] == banks
    assert [trick.winner.text for trick in deal.tricks] == worked["winners"]
    assert worked["banked"] == deal.banked._asdict()
    assert deal.declarer is Seat.parse(worked["declarer"])
    assert worked["contract"] == deal.contract
    assert deal.ser is not None
    assert worked["ser"] == deal.ser.text
    assert deal.result is not None
    assert {side.value: deal.result.score_of(side) for side in Side} == worked["score"]
    assert replay(deal.hands, deal.opener, deal.after_bank, deal.codes) == deal


@pytest.mark.parametrize("worked", WORKED_SHUFFLES, ids=lambda w: f"{w['client_seeds']['north'] or 'no'}-{w['deal']}")
def test_shuffle_goes_as_worked_out(worked: dict[str, Any]) -> None:
    """Secret, commitment, digest, hands, and for a first deal the opener are those worked out by hand."""
    secret = deal_secret(bytes.fromhex(worked["match_secret"]), worked["deal"])
    digest = client_digest([worked["client_seeds"][seat.text] for seat in SEATS])
    shuffled = shuffle(secret, digest)

    assert worked["deal_secret"] == secret.hex()
    assert worked["commitment"] == commitment(secret)
    assert worked["client_digest"] == digest.hex()
    assert hands_of(worked) == shuffled.hands
    if worked["deal"] == 1:
        assert shuffled.opener is Seat.parse(worked["opener"])
    else:
        assert worked["opener"] is None
