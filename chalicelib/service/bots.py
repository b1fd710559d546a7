"""Bots at a table: the time they take is counted, and one with a fault in it costs no more than its move."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING

from chalicelib.match.opponents import bot_move
from chalicelib.service import counters

if TYPE_CHECKING:
    from collections.abc import Callable

    from chalicelib.engine import Deal, Move
    from chalicelib.match.model import Match

_log = logging.getLogger(__name__)


def choose(match: Match, deal: Deal, bot: Callable[[Match, Deal], Move] = bot_move) -> Move:
    """The move of the bot whose turn it is; its first legal one where it fails, so that the table goes on."""
    began = time.perf_counter()
    try:
        move = bot(match, deal)
        if move not in deal.legal_moves():
            raise ValueError("not a legal move")
        return move
    except Exception:
        _log.exception("a bot could not choose a move", extra={"match_id": match.id})
        return deal.legal_moves()[0]
    finally:
        counters.current().bot_seconds += time.perf_counter() - began
