"""A set as one caller may see it: sealed until they have finished it themselves."""

from __future__ import annotations

from itertools import islice, zip_longest
from typing import TYPE_CHECKING

from chalicelib.match.model import DAY, Status
from chalicelib.match.sets import DealOfSet, DealSet, SetResult, SetView, total
from chalicelib.service.errors import Forbidden
from chalicelib.service.sets.entries import entry_id, find_set
from chalicelib.service.sets.making import daily_of
from chalicelib.service.table import refs

if TYPE_CHECKING:
    from chalicelib.match.model import Match
    from chalicelib.match.view import PlayerRef
    from chalicelib.service.services import Services

MOST_RESULTS = 100


def read(services: Services, caller: str, set_id: str) -> SetView:
    """How the caller stands to a set. `NotFound`: set_not_found."""
    return set_view(services, caller, find_set(services, set_id))


def read_daily(services: Services, caller: str) -> SetView:
    """The same of today's, with tomorrow's commitments."""
    today = services.now() // DAY
    tomorrow = daily_of(services, today + 1, consistent=False)
    return set_view(services, caller, daily_of(services, today), tomorrow.commitments)


def set_view(services: Services, caller: str, deal_set: DealSet, next_commitments: tuple[str, ...] = ()) -> SetView:
    """What the caller may know of it: par and their own result of the deals that they have finished; what all others
    have made once they have finished the set. Of one that has run out everybody may know all."""
    match = services.store.match(entry_id(deal_set, caller))
    finished, over = match is not None and match.status is Status.FINISHED, deal_set.ran_out(services.now())
    own = match.results if match is not None else ()
    known = deal_set.rules.deals if over else len(own)
    score, counted = (total(own, deal_set.seat), _is_counted(match)) if finished else (None, False)
    source, histogram = deal_set.source, dict(services.store.histogram(deal_set.id)) if finished or over else None
    if histogram is not None and score is not None and not (counted and score in histogram):
        histogram[score] = histogram.get(score, 0) + 1
    return SetView(
        deal_set=deal_set,
        maker=refs(services, [source.player_id])[source.player_id] if source is not None else None,
        open=deal_set.takes_entries(services.now()),
        status=match.status if match is not None else None,
        match_id=match.id if match is not None else None,
        deals=tuple(DealOfSet(*both) for both in islice(zip_longest(own, deal_set.par), known)),
        score=score,
        counted=counted,
        histogram=histogram,
        next_commitments=next_commitments,
    )


def _is_counted(match: Match | None) -> bool:
    """An entry is scheduled until the sweep has counted it; a challenge's own match was counted with the set."""
    return match is not None and match.scheduled_at is None


def by_name(services: Services, caller: str, set_id: str) -> tuple[tuple[PlayerRef, SetResult], ...]:
    """What those who share a challenge have made of it, the best first; of a daily nobody's is told. The caller's
    own is there as soon as it is finished, counted or not.

    `NotFound`: set_not_found. `Forbidden`: set_sealed, before one's own finish.
    """
    deal_set = find_set(services, set_id)
    if deal_set.source is None:
        return ()
    match = services.store.match(entry_id(deal_set, caller))
    if match is None or match.status is not Status.FINISHED:
        raise Forbidden("set_sealed")
    own = SetResult(caller, total(match.results, deal_set.seat))
    others = (result for result in services.store.set_results(deal_set.id, MOST_RESULTS) if result.player_id != caller)
    results = sorted((own, *others), key=lambda result: -result.score)[:MOST_RESULTS]
    names = refs(services, [result.player_id for result in results])
    return tuple((names[result.player_id], result) for result in results)
