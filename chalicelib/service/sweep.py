"""The sweep: what moves matches on while nobody looks. It runs every minute, and may run twice at once.

It finds matches by the waking index, whose times are lower bounds, reads each consistently, and either acts (a turn
whose time is up, a table to give up) or files the match again under its true time.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from chalicelib.service.accounts import bring_in_line
from chalicelib.service.cards import running_deal
from chalicelib.service.model import Actor, Match, Status
from chalicelib.service.ports import Lost, Unavailable
from chalicelib.service.step import Step

if TYPE_CHECKING:
    from collections.abc import Callable

    from chalicelib.service.house import House

SHARDS = 4
BATCH = 50
AWAY_AFTER = 2
"""Time-outs running after which a seat counts as away."""
RETRY_AFTER = 15 * 60
"""Seconds until a match that could not be swept, or an account that could not be settled, is looked at again."""

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class SweepReport:
    """What one run did. `lag` is the longest time a deadline had been over, in seconds; `finished` says that nothing
    due is left."""

    seen: int = 0
    timed_out: int = 0
    abandoned: int = 0
    filed: int = 0
    lost: int = 0
    failed: int = 0
    settled: int = 0
    lag: int = 0
    finished: bool = False


def sweep(house: House, out_of_time: Callable[[], bool] = lambda: False) -> SweepReport:
    """Go through everything that is due, until nothing is or time is up; the next run goes on from there."""
    report = SweepReport()
    for shard in range(SHARDS):
        if not _sweep_shard(house, shard, out_of_time, report):
            return report
    report.finished = _settle_accounts(house, out_of_time, report)
    return report


def _settle_accounts(house: House, out_of_time: Callable[[], bool], report: SweepReport) -> bool:
    """Whether all that are due were looked at. One that cannot be finished waits, so that it holds up no other."""
    seen: set[str] = set()
    while fresh := [each for each in house.store.unsettled(house.now(), BATCH + len(seen)) if each not in seen]:
        for player_id in fresh:
            if out_of_time():
                return False
            seen.add(player_id)
            _settle_account(house, player_id, report)
    return True


def _settle_account(house: House, player_id: str, report: SweepReport) -> None:
    try:
        if bring_in_line(house, player_id):
            report.settled += 1
            return
    except Unavailable:
        report.failed += 1  # the store's fault: the next run tries again
        return
    except Exception:
        _log.exception("an account could not be settled", extra={"player_id": player_id})
    report.failed += 1
    _put_off(partial(house.store.put_off_account, player_id, house.now() + RETRY_AFTER), player_id=player_id)


def _sweep_shard(house: House, shard: int, out_of_time: Callable[[], bool], report: SweepReport) -> bool:
    """Whether the shard is done. What stays due though it was looked at (bad, or its race lost) blocks nothing: the
    next look reaches further."""
    seen: set[str] = set()
    limit = BATCH
    while True:
        due = house.store.due(shard, house.now(), limit)
        fresh = [match_id for match_id in due if match_id not in seen]
        for match_id in fresh:
            if out_of_time():
                return False
            seen.add(match_id)
            report.seen += 1
            _look_at(house, match_id, report)
        if len(due) < limit:
            return True
        if not fresh:
            limit += BATCH


def _look_at(house: House, match_id: str, report: SweepReport) -> None:
    """One match. Whatever goes wrong with it stays with it."""
    try:
        match = house.store.match(match_id)
        if match is not None:
            _bring_on(house, match, report)
    except Lost:
        report.lost += 1  # somebody moved meanwhile: the next run sees
    except Unavailable:
        report.failed += 1  # the store's fault, not the match's: the next run tries again
    except Exception:
        _log.exception("a match could not be swept", extra={"match_id": match_id})
        report.failed += 1
        _put_off(partial(house.store.put_off, match_id, house.now() + RETRY_AFTER), match_id=match_id)


def _bring_on(house: House, match: Match, report: SweepReport) -> None:
    now, due_at = house.now(), match.due_at
    if due_at is None or due_at > now:
        house.store.wake(match, due_at)
        report.filed += 1
        return
    report.lag = max(report.lag, now - due_at)
    if match.status is Status.PLAYING and match.deadline_at is not None:
        _save(house, time_out(match, now))
        report.timed_out += 1
        return
    step = Step(match, now, None, deal=running_deal(match))
    step.abandon()
    _save(house, step)
    report.abandoned += 1


def _save(house: House, step: Step) -> None:
    """Write the step, and file the match under its true time at once: its old one is past, and the next look would
    find it again."""
    change = step.change()
    house.store.save(replace(change, match=replace(change.match, wake_at=change.match.due_at)))


def _put_off(put_off: Callable[[], None], **which: str) -> None:
    try:
        put_off()
    except Exception:
        _log.exception("what could not be swept could not be put off either", extra=which)


def time_out(match: Match, now: int) -> Step:
    """The turn's time is up: a bot makes that one move. After two running the seat is away, and its bot goes on."""
    deal = running_deal(match)
    if deal is None or deal.turn is None:
        raise ValueError("no turn to time out")
    step, seat = Step(match, now, None, deal=deal), deal.turn
    place = match.places[seat]
    late = replace(place, timeouts=place.timeouts + 1)
    if late.timeouts >= AWAY_AFTER:
        step.happen("seat_away", seat, replace(late, away=True), Actor.TIMEOUT)
    else:
        step.settle(seat, late)
    step.make(step.bot_move(seat), Actor.TIMEOUT)
    step.run_on()
    return step
