"""Where sets come from: a match that somebody has finished, or the day."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from chalicelib.engine import SEATS
from chalicelib.match.model import DAY, Rules, Start, by_seat
from chalicelib.match.sets import PAR_LEVEL, DealSet, SetResult, Source, can_be_a_challenge, total
from chalicelib.service.errors import Forbidden, NotFound, Refused, TryAgain, WrongState
from chalicelib.service.ports import Lost
from chalicelib.service.services import derived_id
from chalicelib.service.table import ATTEMPTS, living, readable, view_of

if TYPE_CHECKING:
    from chalicelib.engine import Seat
    from chalicelib.match.model import Match
    from chalicelib.service.services import Services

DAILY_DEALS = 4
TO_FINISH = DAY
"""Seconds that a daily may still be played once nobody enters any more."""


def challenge(services: Services, caller: str, match_id: str) -> DealSet:
    """The set of a match that the caller has finished alone: made once. An entry is of its own set already.

    `NotFound`: match_not_found. `Forbidden`: not_seated. `WrongState`: match_not_over. `Refused`: not_a_challenge,
    set_still_open, edition_retired. `Unauthorized`: account_deleted.
    """
    table = readable(services, caller, match_id)
    living(services, caller)
    match, seat = table.match, table.seat
    if match.status.live:
        raise WrongState("match_not_over", view_of(services, table))
    if match.entry is not None:
        return _own_set(services, match)
    if seat is None:
        raise Forbidden("not_seated")
    if not can_be_a_challenge(match, seat):
        raise Refused("not_a_challenge", view_of(services, table))
    set_id = challenge_id(match)
    for _ in range(ATTEMPTS):
        deal_set = services.store.deal_set(set_id)
        if deal_set is not None:
            return deal_set
        if not _has_its_bots(match):
            raise Refused("edition_retired", view_of(services, table))
        deal_set, result = _from(services, match, seat, caller), SetResult(caller, total(match.results, seat))
        try:
            services.store.add_set(deal_set, services.now(), result)
        except Lost:
            continue
        return deal_set
    raise TryAgain("try_again")


def _has_its_bots(match: Match) -> bool:
    """Whether the bots that the player has met still move."""
    from chalicelib import bots  # 7 ms, which a cold start among people does without

    return match.edition in bots.EDITIONS


def challenge_id(match: Match) -> str:
    """The set of these cards: whoever asks, and however often, it is the one."""
    return derived_id("set", match.secret.hex())


def _own_set(services: Services, match: Match) -> DealSet:
    """The set that an entry is of: not while it would show a daily's cards to those who have not played them."""
    deal_set = services.store.deal_set(match.entry.set_id) if match.entry is not None else None
    if deal_set is None:
        raise NotFound("set_not_found")
    if deal_set.day and not deal_set.ran_out(services.now()):
        raise Refused("set_still_open")
    return deal_set


def _from(services: Services, match: Match, seat: Seat, caller: str) -> DealSet:
    seeds = services.store.seeds(match.id) or ()
    return DealSet(
        id=challenge_id(match),
        secret=match.secret,
        client_seed=next((seed.digits for seed in seeds if seed.seat is seat), ""),
        rules=replace(match.rules, start=Start.WHEN_FULL, clock_by_default=False),
        seat=seat,
        line_up=by_seat(None if each is seat else match.places[each].level for each in SEATS),
        edition=match.edition,
        opens_at=services.now(),
        code=services.new_code(),
        source=Source(match.id, caller),
    )


def daily_of(services: Services, day: int, *, consistent: bool = True) -> DealSet:
    """The daily of a day (days since the epoch, UTC), made when it is first needed."""
    set_id = derived_id("daily", day_text(day))
    for _ in range(ATTEMPTS):
        deal_set = services.store.deal_set(set_id, consistent=consistent)
        if deal_set is not None:
            return deal_set
        deal_set = _daily(services, set_id, day)
        try:
            services.store.add_set(deal_set, services.now())
        except Lost:
            consistent = True
            continue
        return deal_set
    raise TryAgain("try_again")


def _daily(services: Services, set_id: str, day: int) -> DealSet:
    from chalicelib import bots  # 7 ms, which a cold start among people does without

    seat = SEATS[0]
    return DealSet(
        id=set_id,
        secret=services.random_bytes(32),
        client_seed="",
        rules=Rules(deals=DAILY_DEALS, hints=False),
        seat=seat,
        line_up=by_seat(None if each is seat else PAR_LEVEL for each in SEATS),
        edition=bots.EDITION,
        opens_at=day * DAY,
        closes_at=(day + 1) * DAY,
        runs_out_at=(day + 1) * DAY + TO_FINISH,
        day=day_text(day),
    )


def day_text(day: int) -> str:
    """A day since the epoch as RFC 3339 has it."""
    return time.strftime("%Y-%m-%d", time.gmtime(day * DAY))
