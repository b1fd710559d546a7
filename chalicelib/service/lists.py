"""A player's own matches in lists: all of them, and those that wait for a move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chalicelib.service.cards import running_deal
from chalicelib.service.matches import MOST_LIVE
from chalicelib.service.model import Match, Status
from chalicelib.service.table import refs
from chalicelib.service.view import PlayerRef, Summary, SummaryPage, seat_views

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from chalicelib.service.house import House

MOST_PAGES = 10
"""Pages read for one answer, where a filter leaves few: the answer is then short, and its cursor goes on."""


def list_mine(
    house: House, caller: str, status: Status | None = None, limit: int = 20, after: tuple[int, str] | None = None
) -> SummaryPage:
    """The caller's matches, newest first, filtered by status. `after` goes on behind a page's last match."""
    live = status is not None and status.live
    found: list[Match] = []
    for _ in range(MOST_PAGES):
        page = house.store.memberships(caller, limit, after, live=live)
        matches = house.store.matches(item.match_id for item in page.items)
        for item in page.items:
            match = matches.get(item.match_id)
            if match is not None and (status is None or match.status is status):
                found.append(match)
                if len(found) == limit:
                    after = (item.created_at, item.match_id)
                    return SummaryPage(
                        summaries(house, found, caller), after if item is not page.items[-1] else page.after
                    )
        after = page.after
        if after is None:
            break
    return SummaryPage(summaries(house, found, caller), after)


def my_turns(house: House, caller: str) -> tuple[Summary, ...]:
    """Matches with another human that wait for the caller's move, the nearest deadline first."""
    matches = house.store.matches(live_matches(house, caller))
    shared = [match for match in matches.values() if match.status is Status.PLAYING and match.humans > 1]
    waiting = [told for told in summaries(house, shared, caller) if told.your_turn]
    return tuple(sorted(waiting, key=lambda told: (told.deadline_at is None, told.deadline_at or told.updated_at)))


def live_matches(house: House, player_id: str, *, consistent: bool = False) -> Iterator[str]:
    """Ids of the matches that the player has still to play. Invitations can make them more than `MOST_LIVE`."""
    after: tuple[int, str] | None = None
    while True:
        page = house.store.memberships(player_id, 2 * MOST_LIVE, after, live=True, consistent=consistent)
        yield from (item.match_id for item in page.items)
        after = page.after
        if after is None:
            return


def summaries(house: House, matches: Sequence[Match], caller: str) -> tuple[Summary, ...]:
    """Matches in a list of the caller's own. The names of ended ones are read where they live, all at once."""
    ended = {
        place.player_id: None
        for match in matches
        if not match.status.live
        for place in match.places
        if place.player_id is not None
    }
    names = refs(house, list(ended))
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
    )
