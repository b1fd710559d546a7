"""The terminal client's own words: what may be typed, and what is shown."""

from __future__ import annotations

from typing import Any

import pytest

from dev.play.screen import cards_by_suit, event_line, final, move_text, read_move, share, table

CALLS: list[dict[str, Any]] = [{"type": "call", "number": number} for number in (9, 10, 11)] + [{"type": "pass"}]
SERS: list[dict[str, Any]] = [{"type": "ser", "suit": suit} for suit in "SHDC"]
PLAYS: list[dict[str, Any]] = [{"type": "play", "card": card} for card in ("AS", "TS", "2C")]


TYPED = [
    (CALLS, {"9": 9, " 10 ": 10, "8": None, "p": "pass", "Pass": "pass", "passs": None, "": None}),
    (SERS, {"h": "H", "Diamonds": "D", "♣": "C", "x": None, "": None}),
    (PLAYS, dict.fromkeys(("as", "s a"), "AS") | dict.fromkeys(("10s", "♠10", "t♠"), "TS") | {"c2": "2C"}),
    (PLAYS, dict.fromkeys(("ks", "\x00\x00", "as as", "s", "♠", ""), None)),
]


@pytest.mark.parametrize(("legal", "typed"), TYPED)
def test_reads_what_is_meant(legal: list[dict[str, Any]], typed: dict[str, object]) -> None:
    """A move may be typed in the ways people write cards and calls; what is not a legal move is none. Whatever the list
    of legal moves shows can be typed back."""
    read = {text: read_move(text, legal) for text in typed}
    meant = {
        text: move and (move.get("number") or move.get("suit") or move.get("card", "pass"))
        for text, move in read.items()
    }
    assert typed == meant
    assert legal == [read_move(move_text(move), legal) for move in legal]


def test_a_hand_reads_high_to_low() -> None:
    """A hand is shown suit by suit, the highest card first, a void as a dash."""
    assert "♠ A 10   ♥ -   ♦ K   ♣ 9 2" == cards_by_suit(["2C", "TS", "KD", "AS", "9C"])


MATCH: dict[str, Any] = {
    "scores": {"ns": 8, "ew": -14},
    "rules": {"deals": 4},
    "seats": [{"seat": seat} for seat in ("north", "east", "south", "west")],
    "you": {"seat": "north", "hand": ["AS", "2C"], "legal_moves": [{"type": "play", "card": "AS"}]},
    "deal": {
        "deal_number": 2,
        "opener": "east",
        "turn": "north",
        "calls": [{"seat": "east", "number": 7}, {"seat": "south"}],
        "declarer": "east",
        "contract": 7,
        "ser": "H",
        "pile": {"tricks": 2, "run_seat": "west"},
        "banked": {"ns": 4, "ew": 5},
        "trick": {"leader": "west", "plays": [{"seat": "west", "card": "TS"}]},
    },
}


def test_the_table_shows_all_that_a_player_needs() -> None:
    """Score, contract, ser, banks, pile, run, trick, hand and legal moves are on the screen."""
    shown = table(MATCH)
    for part in (
        "deal 2 of 4",
        "ns 8, ew -14",
        "east called 7, ser ♥ hearts",
        "ns 4, ew 5",
        "2 on hold ▪▪; west won the last",
        "north* ·    east ·    south ·    west ♠10",
        "your hand (north):  ♠ A   ♥ -   ♦ -   ♣ 2",
        "you may:  AS",
    ):
        assert part in shown


@pytest.mark.parametrize(
    ("event", "line"),
    [
        ({"type": "deal_started", "deal": 1, "opener": "north"}, "— a new deal: you open —"),
        ({"type": "deal_started", "deal": 2, "opener": "east"}, "— a new deal: east opens —"),
        ({"type": "call", "seat": "north", "number": 8}, "  you call 8"),
        ({"type": "pass", "seat": "east"}, "  east passes"),
        ({"type": "play", "seat": "west", "card": "TH", "actor": "timeout"}, "  west plays ♥10 (out of time)"),
        ({"type": "trick_won", "seat": "south", "trick_number": 3}, "    trick 3 to south"),
        ({"type": "banked", "seat": "north", "side": "ns", "tricks": 3}, "    you bank the pile: 3 tricks for ns"),
        ({"type": "banked", "seat": "west", "side": "ew", "tricks": 1}, "    west banks the pile: 1 trick for ew"),
        ({"type": "something_new", "seat": "west"}, None),
    ],
)
def test_events_are_told_in_words(event: dict[str, Any], line: str | None) -> None:
    """An event is a line; a kind that is newer than the client is passed over."""
    assert line == event_line(event, "north")


def test_the_end_says_who_won() -> None:
    """The last line is from the player's side of the table."""
    assert "You win: you 8, they -14." in final(MATCH)


def test_a_result_can_be_sent_on() -> None:
    """Above, at and below par, and without; no card is in it."""
    deals = [{"points": 8, "par_points": par} for par in (-8, 8, 9)] + [{"points": 8}]
    dealt = {"type": "daily", "day": "2026-12-01", "score": 32, "rank": 3, "deals": deals}
    assert "Do Dooni, daily of 2026-12-01: +32, rank 3\n🟩🟨🟥⬜" == share(dealt)
    challenge = {"type": "challenge", "code": "7KQ2MXPA", "score": -4, "deals": []}
    assert "Do Dooni, challenge: -4\n\nBeat me: 7KQ2MXPA" == share(challenge)
