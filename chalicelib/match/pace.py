"""When to ask again: how long an app should wait before it looks for news.

Half the time that people at the table take for a move, and longer while nothing happens. It follows from what everybody
at the table can see.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from chalicelib.match.model import Actor, Status

if TYPE_CHECKING:
    from chalicelib.engine import DealView
    from chalicelib.match.model import Match

SHORTEST, USUAL, LONGEST_AT_PLAY = 0.25, 1.0, 2.0
"""Seconds between two looks while people play: at most four a second, at least one in two seconds."""
LONGEST = 60
LONGEST_WAITING = 15
"""For others to sit down."""
IN_VAIN = 3600
"""Where nothing will happen any more."""
OWN_TURN = 30
"""Only the clock, or the player's other phone, makes a move then."""
IDLE_SHARE = 10
"""The next look comes after a tenth of the time in which nothing has happened."""


def poll_after(match: Match, deal: DealView | None, now: int) -> float:
    """Seconds until the next look. `deal` is the running one as the caller sees it."""
    if match.status is Status.WAITING:
        return _within(USUAL, (now - match.last_at) / IDLE_SHARE, LONGEST_WAITING)
    idle = (now - match.turn_at) / IDLE_SHARE
    if not match.status.live:
        # People who have played together may play again.
        return _within(2 * USUAL, idle, IN_VAIN) if match.humans > 1 else IN_VAIN
    if not match.present:
        return LONGEST
    if deal is not None and deal.seat is not None and deal.seat == deal.turn:
        return OWN_TURN
    clock = match.rules.turn_seconds
    most = LONGEST if clock is None else min(LONGEST, clock // 20)
    return _within(_pace(match) / 2, idle, most)


def _within(least: float, wished: float, most: float) -> float:
    return round(min(max(least, wished), most), 2)


def _pace(match: Match) -> float:
    """Seconds that people lately take for a move, of this deal and of its last minute or two."""
    elapsed = match.turn_at - match.base_at
    since = max(elapsed // 60 - 1, 0)
    moves = match.log.made_by(Actor.PLAYER, since)
    if not moves:
        return 2 * USUAL
    return min(max((elapsed - 60 * since) / moves, 2 * SHORTEST), 2 * LONGEST_AT_PLAY)
