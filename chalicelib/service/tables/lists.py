"""A player's own matches in lists: all of them, and those that wait for the player."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chalicelib.engine import SEATS
from chalicelib.match.cards import running_deal
from chalicelib.match.model import UNSTARTED_LIFE, Match, SeatType, Status
from chalicelib.match.view import Offer, PlayerRef, Summary, SummaryPage, Waiting, seat_views
from chalicelib.service.table import refs

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from chalicelib.service.services import Services

MOST_OFFERS = 20
"""Offers that are shown, the newest: others make them, so they must not make the answer long."""


def list_mine(
    services: Services, caller: str, status: Status | None = None, limit: int = 20, after: tuple[int, str] | None = None
) -> SummaryPage:
    """The caller's matches, newest first, or those that stand so. `after` goes on behind a page's last match."""
    page = services.store.listed(caller, limit, after, status)
    matches = services.store.matches(page.match_ids)
    present = [matches[match_id] for match_id in page.match_ids if match_id in matches]
    if status is not None:
        present = [match for match in present if match.status is status]  # one may have gone on between the two reads
    return SummaryPage(summaries(services, present, caller), page.after)


def my_turns(services: Services, caller: str) -> Waiting:
    """What waits for the caller: matches with another human in which it is their turn, or that stand still until
    somebody is back, the nearest deadline first; and offers, the newest first."""
    live = services.store.live(caller, consistent=False)
    offers = services.store.offers(caller, services.now() - UNSTARTED_LIFE + 1, MOST_OFFERS, consistent=False)
    matches = services.store.matches([*live, *offers])
    shared = [matches[match_id] for match_id in live if match_id in matches and matches[match_id].humans > 1]
    waiting = [summary for summary in summaries(services, shared, caller) if summary.your_turn or summary.stands_still]
    waiting.sort(key=lambda summary: (summary.deadline_at is None, summary.deadline_at or summary.updated_at))
    offered = [matches[match_id] for match_id in offers if match_id in matches]
    return Waiting(tuple(waiting), tuple(_offers(services, offered, caller)))


def _offers(services: Services, matches: Sequence[Match], caller: str) -> Iterator[Offer]:
    for match, summary in zip(matches, summaries(services, matches, caller), strict=True):
        for seat, place in zip(SEATS, match.places, strict=True):
            if place.type is SeatType.INVITED and place.player_id == caller and match.status is Status.WAITING:
                yield Offer(summary, seat, match.rematch_of, match.created_at + UNSTARTED_LIFE)


def summaries(services: Services, matches: Sequence[Match], caller: str) -> tuple[Summary, ...]:
    """Matches in a list of the caller's own. The names of ended ones are read where they live, all at once."""
    ended = {
        place.player_id: None
        for match in matches
        if not match.status.live
        for place in match.places
        if place.player_id is not None
    }
    names = refs(services, list(ended))
    return tuple(_summary(match, caller, None if match.status.live else names) for match in matches)


def _summary(match: Match, caller: str, names: Mapping[str, PlayerRef] | None) -> Summary:
    deal = running_deal(match)
    seat = match.seat_of(caller)
    return Summary(
        id=match.id,
        version=match.version,
        status=match.status,
        seats=seat_views(match, deal.view(None) if deal is not None else None, names),
        your_seat=seat,
        your_turn=deal is not None and seat is not None and deal.turn == seat,
        scores=match.scores,
        created_at=match.created_at,
        deadline_at=match.deadline_at,
        updated_at=match.turn_at,
        stands_still=match.status is Status.PLAYING and not match.present,
        rematch_id=match.rematch_id,
        set_id=match.set_id,
    )
