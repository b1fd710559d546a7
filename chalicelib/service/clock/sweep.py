"""The sweep: moves matches on while nobody is looking. It runs every minute, and two runs may overlap.

It finds matches by the due index, whose times are lower bounds, reads each consistently, and either acts (a turn
whose time is up, a table to give up) or schedules the match for its true time. It also goes on with renames
and deletions that were cut short.

A run may be too short for all that is due, so no one source of work may use it up:

- every partition of the index has the same share: one look at each in turn, beginning at one drawn by lot, so that
  even runs of a single look reach all of them;
- in a partition half of the looks go to the most overdue, so that everything's turn comes, and half to the least, so
  that what comes due now does not wait for a backlog to be worked off, whoever has piled it up;
- a look at a match is one late move with what follows from it, or one new schedule, however far behind the match is;
- a look at an account goes on with a few of its matches, from where the last one stopped;
- a look at a set makes par of one of its deals.
"""

from __future__ import annotations

import logging
from collections import deque
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from chalicelib.match.cards import running_deal
from chalicelib.match.model import Actor, Match, Status
from chalicelib.match.transition import Transition
from chalicelib.service.errors import TryAgain
from chalicelib.service.people.accounts import Settled, bring_in_line
from chalicelib.service.ports import ACCOUNTS, SETS, SHARDS, Lost, Unavailable
from chalicelib.service.sets.upkeep import count_entry, make_par

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from chalicelib.service.ports import Due
    from chalicelib.service.services import Services

T = TypeVar("T")

BATCH = 50
AWAY_AFTER = 2
"""Time-outs running after which a seat counts as away."""

RETRY_AFTER = 15 * 60
"""Seconds until a match that could not be swept, or an account that could not be settled, is looked at again."""

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class SweepReport:
    """What one run did."""

    seen: int = 0
    """Matches looked at."""
    timed_out: int = 0
    abandoned: int = 0
    scheduled: int = 0
    lost: int = 0
    failed: int = 0
    """Matches, accounts and partitions that could not be dealt with."""
    settled: int = 0
    counted: int = 0
    """Entries of sets that were put into their histograms."""
    pars: int = 0
    """Deals of sets whose par was made."""
    lag: int = 0
    """The longest of `behind`."""
    behind: dict[str, int] = field(default_factory=dict)
    """By partition, for how many seconds its most overdue entry had been due when the run began."""
    finished: bool = True
    """Whether nothing due is left."""


def sweep(services: Services, out_of_time: Callable[[], bool] = lambda: False) -> SweepReport:
    """Go through everything that is due, until nothing is or time is up."""
    report = SweepReport()
    partitions = [*range(SHARDS), ACCOUNTS, SETS]
    lot = services.random_bytes(1)[0]
    first = lot % len(partitions)
    order = partitions[first:] + partitions[:first]
    queues = [_queue(services, partition, report, newest_first=lot >= 128) for partition in order]
    report.lag = max(report.behind.values(), default=0)
    for partition, due in _in_turn(queues):
        if out_of_time():
            report.finished = False
            break
        if partition == ACCOUNTS:
            _settle_account(services, due, report, out_of_time)
        elif partition == SETS:
            _make_par(services, due, report)
        else:
            report.seen += 1
            _look_at(services, due, report)
    return report


def _queue(services: Services, partition: int, report: SweepReport, *, newest_first: bool) -> Iterator[tuple[int, str]]:
    """What is due in a partition, from both of its ends in turn. Notes how far behind it is."""
    now = services.now()
    oldest = _ask(services, partition, BATCH, report)
    if oldest is None:
        return iter(())
    report.behind[_name(partition)] = now - oldest[0].since if oldest else 0
    seen: set[str] = set()
    ends = [_from_end(services, partition, report, seen, oldest)]
    if len(oldest) == BATCH:
        ends.insert(0 if newest_first else 1, _from_end(services, partition, report, seen, newest=True))
    return ((partition, due) for due in _in_turn(ends))


def _from_end(
    services: Services,
    partition: int,
    report: SweepReport,
    seen: set[str],
    due: tuple[Due, ...] | None = None,
    *,
    newest: bool = False,
) -> Iterator[str]:
    """What is due from one end of a partition on, `due` first if that is known already. What stays due though it was
    looked at (bad, or its race lost) blocks nothing: the next query reaches further."""
    limit = BATCH
    while due is not None or (due := _ask(services, partition, limit, report, newest=newest)) is not None:
        fresh = [each.id for each in due if each.id not in seen]
        for each in fresh:
            if each not in seen:  # the other end may have come to it meanwhile
                seen.add(each)
                yield each
        if len(due) < limit:
            return
        if not fresh:
            limit += BATCH
        due = None


def _ask(
    services: Services, partition: int, limit: int, report: SweepReport, *, newest: bool = False
) -> tuple[Due, ...] | None:
    """A query of what is due; None where the store does not answer, which ends this partition's part of the run."""
    try:
        return services.store.due(partition, services.now(), limit, newest=newest)
    except Unavailable:
        _no_answer(report, partition=partition)
        report.finished = False
        return None


def _name(partition: int) -> str:
    return {ACCOUNTS: "accounts", SETS: "sets"}.get(partition, str(partition))


def _in_turn(sources: Iterable[Iterator[T]]) -> Iterator[T]:
    """One item of each source after the other, until all are used up."""
    waiting = deque(sources)
    while waiting:
        source = waiting.popleft()
        for item in source:
            yield item
            waiting.append(source)
            break


def _settle_account(services: Services, player_id: str, report: SweepReport, out_of_time: Callable[[], bool]) -> None:
    try:
        settled = bring_in_line(services, player_id, out_of_time)
        report.settled += settled is Settled.WHOLE
        if settled is not Settled.FAILED:
            return
    except (Unavailable, TryAgain):
        _no_answer(report, player_id=player_id)
        return
    except Exception:
        _log.exception("an account could not be settled", extra={"player_id": player_id})
    report.failed += 1
    _postpone(partial(services.store.postpone_account, player_id, services.now() + RETRY_AFTER), player_id=player_id)


def _make_par(services: Services, set_id: str, report: SweepReport) -> None:
    try:
        make_par(services, set_id)
        report.pars += 1
    except Unavailable:
        _no_answer(report, set_id=set_id)
    except Exception:
        _log.exception("par could not be made", extra={"set_id": set_id})
        report.failed += 1
        _postpone(partial(services.store.postpone_set, set_id, services.now() + RETRY_AFTER), set_id=set_id)


def _look_at(services: Services, match_id: str, report: SweepReport) -> None:
    """One match. Whatever goes wrong with it stays with it."""
    try:
        match = services.store.match(match_id)
        if match is not None:
            _bring_on(services, match, report)
    except Lost:
        report.lost += 1  # somebody moved meanwhile: the next run sees
    except Unavailable:
        _no_answer(report, match_id=match_id)
    except Exception:
        _log.exception("a match could not be swept", extra={"match_id": match_id})
        report.failed += 1
        _postpone(partial(services.store.postpone, match_id, services.now() + RETRY_AFTER), match_id=match_id)


def _no_answer(report: SweepReport, **which: object) -> None:
    """The store's fault, not that of what was looked at: the next run tries again."""
    report.failed += 1
    _log.warning("the store did not answer", exc_info=True, extra=which)


def _bring_on(services: Services, match: Match, report: SweepReport) -> None:
    now, due_at = services.now(), match.due_at
    if due_at is None or due_at > now:
        services.store.reschedule(match, due_at)
        report.scheduled += 1
        return
    if match.status is Status.PLAYING and match.deadline_at is not None:
        _save(services, time_out(services, match))
        report.timed_out += 1
        return
    if match.status is Status.FINISHED:
        count_entry(services, match)
        report.counted += 1
        return
    transition = services.transition(match, deal=running_deal(match))
    transition.abandon()
    _save(services, transition)
    report.abandoned += 1


def _save(services: Services, transition: Transition) -> None:
    """Write the transition, and schedule it for its true time at once: its old one is past, and the next look would
    find it again."""
    change = transition.change()
    services.store.save(replace(change, match=replace(change.match, scheduled_at=change.match.due_at)))


def _postpone(postpone: Callable[[], None], **which: str) -> None:
    try:
        postpone()
    except Exception:
        _log.exception("what could not be swept could not be put off either", extra=which)


def time_out(services: Services, match: Match) -> Transition:
    """The turn's time is up: a bot makes that one move. After two running the seat is away, and its bot goes on."""
    deal = running_deal(match)
    if deal is None or deal.turn is None:
        raise ValueError("no turn to time out")
    transition, seat = services.transition(match, deal=deal), deal.turn
    place = match.places[seat]
    late = replace(place, timeouts=place.timeouts + 1)
    if late.timeouts >= AWAY_AFTER:
        transition.happen("seat_away", seat, replace(late, away=True), Actor.TIMEOUT)
    else:
        transition.settle(seat, late)
    transition.make(transition.choose(transition.match, deal), Actor.TIMEOUT)
    transition.run_on()
    return transition
