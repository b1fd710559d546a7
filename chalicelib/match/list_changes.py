"""What a write changes in the players' own lists: computed from who was at the table before it, and who is after it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from chalicelib.engine import SEATS
from chalicelib.match.model import DAY, UNSTARTED_LIFE, Membership, SeatType, Standing, Status

if TYPE_CHECKING:
    from chalicelib.engine import Seat
    from chalicelib.match.model import Change, Match


class ListChanges(NamedTuple):
    """Each is of one match; players are ids. A player is at most once in each."""

    memberships: tuple[Membership, ...] = ()
    """To be kept as they are now."""
    sits: tuple[str, ...] = ()
    """Who sits at one more live match."""
    goes: tuple[str, ...] = ()
    """Who sits at one fewer."""
    listed: tuple[str, ...] = ()
    """In whose list the match is new or has another status: listed under its present status."""
    unlisted: tuple[str, ...] = ()
    """Whose entry under its former status goes."""
    offered: tuple[str, ...] = ()
    """Who is offered a seat."""
    withdrawn: tuple[str, ...] = ()
    """Whose offer is taken, declined or void."""


NO_CHANGES = ListChanges()


def list_changes(change: Change) -> ListChanges:
    """Of one match's change (`also` has its own)."""
    before, match = change.before, change.match
    if before is not None and before.status is match.status and before.places == match.places:
        return NO_CHANGES
    seated_before, seated_now = _sitting(before), _sitting(match)
    listed_before, listed_now = _listed(before), _listed(match)
    moved = before is None or before.status is not match.status
    offered_before, offered_now = _offered(before), _offered(match)
    memberships = [
        Membership(player_id, match.id, seat)
        for player_id, seat in seated_now.items()
        if seated_before.get(player_id) != seat
    ]
    if before is not None and before.status is Status.WAITING:
        here = {place.player_id for place in match.places}
        for player_id, seat in (seated_before | offered_before).items():
            if player_id not in here:
                standing = Standing.BARRED if player_id in change.barred else Standing.GONE
                until = None if player_id in seated_before else match.created_at + UNSTARTED_LIFE + DAY
                memberships.append(Membership(player_id, match.id, seat, standing, until))
    return ListChanges(
        memberships=tuple(memberships),
        sits=tuple(sorted(seated_now.keys() - seated_before.keys())),
        goes=tuple(sorted(seated_before.keys() - seated_now.keys())),
        listed=tuple(sorted(listed_now if moved else listed_now - listed_before)),
        unlisted=tuple(sorted(listed_before if moved else listed_before - listed_now)),
        offered=tuple(sorted(offered_now.keys() - offered_before.keys())),
        withdrawn=tuple(sorted(offered_before.keys() - offered_now.keys())),
    )


def _sitting(match: Match | None) -> dict[str, Seat]:
    """Who plays, away or not, while anything can still happen."""
    if match is None or not match.status.live:
        return {}
    return {
        place.player_id: seat
        for seat, place in zip(SEATS, match.places, strict=True)
        if place.player_id is not None and place.type is SeatType.HUMAN
    }


def _listed(match: Match | None) -> set[str]:
    """Who finds the match in their list: those who sit, and those who left while cards were played. One that was given
    up without cards is in nobody's."""
    if match is None or (match.status is Status.ABANDONED and not match.deal):
        return set()
    return {
        place.player_id
        for place in match.places
        if place.player_id is not None and place.type is not SeatType.INVITED and not place.deleted
    }


def _offered(match: Match | None) -> dict[str, Seat]:
    """For whom a seat is kept."""
    if match is None or match.status is not Status.WAITING:
        return {}
    return {
        place.player_id: seat
        for seat, place in zip(SEATS, match.places, strict=True)
        if place.player_id is not None and place.type is SeatType.INVITED
    }
