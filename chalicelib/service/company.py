"""Who makes the moves at a table, and who made those of the auction: what a bot reckons with, and everybody may see."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from chalicelib.engine import SEATS
from chalicelib.service.log import Made
from chalicelib.service.model import Actor, by_seat

if TYPE_CHECKING:
    from chalicelib.bots import Company
    from chalicelib.engine import Deal, Seat
    from chalicelib.service.model import Match, Place

STAND_IN_LEVEL = "steady"
"""Somebody's partner depends on whoever stands in."""


def level_of(place: Place) -> str:
    """The level of the bot that sits here, or makes the moves when the player does not."""
    return place.level or STAND_IN_LEVEL


def company(match: Match, deal: Deal, asking: Seat | None = None) -> Company:
    """The company of the running deal. `asking` is the seat of a player who asks for a hint, and so is there."""
    from chalicelib.bots import Company  # where nobody human plays alone, a cold start does without

    plays = [
        None if place.present or seat is asking else level_of(place)
        for seat, place in zip(SEATS, match.places, strict=True)
    ]
    spoke = plays[:]
    made = (entry for entry in match.log.entries() if isinstance(entry, Made))
    for turn, entry in enumerate(islice(made, len(SEATS))):
        seat = SEATS[(deal.opener + turn) % len(SEATS)]
        spoke[seat] = None if entry.actor is Actor.PLAYER else level_of(match.places[seat])
    return Company(by_seat(plays), by_seat(spoke))
