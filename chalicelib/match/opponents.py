"""Who makes the moves at a table, and who made the calls: public, and taken into account by bots."""

from __future__ import annotations

import hmac
from itertools import islice
from typing import TYPE_CHECKING

from chalicelib.engine import SEATS
from chalicelib.match.cards import next_move_number
from chalicelib.match.log import LoggedMove
from chalicelib.match.model import Actor, by_seat

if TYPE_CHECKING:
    from chalicelib.bots import Opponents
    from chalicelib.engine import Deal, Move, Seat
    from chalicelib.match.model import Match, Place

STAND_IN_LEVEL = "steady"
"""A good one: the absent player's partner depends on it."""


def level_of(place: Place) -> str:
    """The level of the bot that sits here, or makes the moves when the player does not."""
    return place.level or STAND_IN_LEVEL


def bot_move(match: Match, deal: Deal) -> Move:
    """What the bot whose turn it is does, decided from its seat's view alone.

    Its chance follows from the number of the move, not from the version: what else happens at the table, a rename for
    one, changes no move.
    """
    from chalicelib import bots  # 7 ms, which a cold start among people does without

    turn = deal.turn
    if turn is None:
        raise ValueError("nobody moves after the deal")
    view = deal.view(turn)
    key = hmac.digest(match.secret, b"bot:%d" % next_move_number(match, deal), "sha256")
    edition = match.edition if match.edition in bots.EDITIONS else bots.EDITION  # an entry without its own is closed
    return bots.choose(view, level_of(match.places[turn]), key, opponents(match, deal), edition)


def opponents(match: Match, deal: Deal, asking: Seat | None = None) -> Opponents:
    """The opponents of the running deal. `asking` is the seat of a player who asks for a hint, and so is there."""
    from chalicelib.bots import Opponents  # 7 ms, which a cold start among people does without

    plays = [
        None if place.present or seat is asking else level_of(place)
        for seat, place in zip(SEATS, match.places, strict=True)
    ]
    spoke = plays[:]
    moves = (entry for entry in match.log.entries() if isinstance(entry, LoggedMove))
    for turn, entry in enumerate(islice(moves, len(SEATS))):
        seat = SEATS[(deal.opener + turn) % len(SEATS)]
        spoke[seat] = None if entry.actor is Actor.PLAYER else level_of(match.places[seat])
    return Opponents(by_seat(plays), by_seat(spoke))
