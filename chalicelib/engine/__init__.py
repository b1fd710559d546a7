"""The rules of Do Dooni: pure, immutable to its users, the standard library only."""

from __future__ import annotations

from chalicelib.engine.cards import CARDS, PACK, RANKS, SUITS, Card, Suit, hand_of, mask_of
from chalicelib.engine.deal import Deal
from chalicelib.engine.errors import REASONS, IllegalMove, Malformed, MalformedMove, Sentence
from chalicelib.engine.events import DealEvent, events_of
from chalicelib.engine.moves import (
    HIGHEST_CALL,
    LOWEST_CALL,
    MOVES,
    Call,
    Move,
    Pass,
    Play,
    Ser,
    format_move,
    parse_move,
)
from chalicelib.engine.notation import MalformedNotation, format_deal, parse_deal
from chalicelib.engine.replay import replay
from chalicelib.engine.scoring import DealResult, result_of
from chalicelib.engine.shuffle import Shuffled, client_digest, commitment, deal_secret, opener_of, shuffle
from chalicelib.engine.state import NAMED
from chalicelib.engine.types import (
    SEATS,
    AfterBank,
    AuctionCall,
    Banked,
    FinishedTrick,
    Phase,
    Played,
    Seat,
    Side,
    Trick,
    same_side,
)
from chalicelib.engine.view import DealView

__all__ = [
    "CARDS",
    "HIGHEST_CALL",
    "LOWEST_CALL",
    "MOVES",
    "NAMED",
    "PACK",
    "RANKS",
    "REASONS",
    "SEATS",
    "SUITS",
    "AfterBank",
    "AuctionCall",
    "Banked",
    "Call",
    "Card",
    "Deal",
    "DealEvent",
    "DealResult",
    "DealView",
    "FinishedTrick",
    "IllegalMove",
    "Malformed",
    "MalformedMove",
    "MalformedNotation",
    "Move",
    "Pass",
    "Phase",
    "Play",
    "Played",
    "Seat",
    "Sentence",
    "Ser",
    "Shuffled",
    "Side",
    "Suit",
    "Trick",
    "client_digest",
    "commitment",
    "deal_secret",
    "events_of",
    "format_deal",
    "format_move",
    "hand_of",
    "mask_of",
    "opener_of",
    "parse_deal",
    "parse_move",
    "replay",
    "result_of",
    "same_side",
    "shuffle",
]
