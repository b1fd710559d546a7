"""What is done for sets while nobody looks: tomorrow's daily and par made ahead, finished entries counted."""

from __future__ import annotations

import logging
from contextlib import suppress
from typing import TYPE_CHECKING

from chalicelib.match.model import DAY
from chalicelib.match.sets import SetResult, par_of, total
from chalicelib.service.errors import TryAgain
from chalicelib.service.ports import Lost, Unavailable
from chalicelib.service.sets.making import daily_of

if TYPE_CHECKING:
    from chalicelib.match.model import Match
    from chalicelib.service.services import Services

_log = logging.getLogger(__name__)


def prepare_daily(services: Services) -> None:
    """Make tomorrow's daily, so that its commitments are there a day before its cards, whoever asks. Where the store
    does not answer the next run makes it."""
    try:
        daily_of(services, services.now() // DAY + 1, consistent=False)
    except (Unavailable, TryAgain):
        _log.warning("tomorrow's daily could not be made", exc_info=True)


def make_par(services: Services, set_id: str) -> None:
    """Par of the next deal that has none: one a look."""
    deal_set = services.store.deal_set(set_id)
    if deal_set is None:
        return
    number = len(deal_set.par) + 1
    result = par_of(deal_set, number, services.choose)
    with suppress(Lost):  # another run has made it
        services.store.keep_par(deal_set, result, None if number == deal_set.rules.deals else services.now())


def count_entry(services: Services, match: Match) -> None:
    """Put a finished entry into its set's histogram: once, however often it is looked at."""
    seat = match.host
    if seat is None or (player_id := match.places[seat].player_id) is None:
        raise AssertionError("an entry has its player")
    try:
        services.store.fold(match, SetResult(player_id, total(match.results, seat)))
    except Lost:  # it is counted, and its answer was lost or it was restored since: it need not be looked at again
        services.store.reschedule(match, None)
