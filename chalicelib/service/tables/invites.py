"""What a code leads to: a table, or a set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chalicelib.match.cards import commitments, running_deal
from chalicelib.match.view import InviteView, seat_views
from chalicelib.service.errors import NotFound
from chalicelib.service.services import CODE_LENGTH, plain_code
from chalicelib.service.sets.results import set_view

if TYPE_CHECKING:
    from chalicelib.service.services import Services


def look_up_invite(services: Services, code: str) -> InviteView:
    """What a friend sees before joining. `NotFound`: invite_not_found, alike for a wrong and an expired code."""
    typed = plain_code(code)
    match_id = services.store.invited_to(typed, services.now()) if len(typed) == CODE_LENGTH else None
    match = services.store.match(match_id) if match_id is not None else None
    if match is None or match.invite is None or not match.takes_friends:
        return _look_up_set(services, typed)
    deal = running_deal(match)
    seats = seat_views(match, deal.view(None) if deal is not None else None)
    return InviteView(
        match_id=match.id,
        host=seats[match.host].player if match.host is not None else None,
        rules=match.rules,
        seats=seats,
        free_seats=match.free_seats,
        commitments=commitments(match),
        expires_at=match.invite.expires_at,
    )


def _look_up_set(services: Services, code: str) -> InviteView:
    """A challenge, as a table with one seat free: the friend's own."""
    set_id = services.store.set_of_code(code) if len(code) == CODE_LENGTH else None
    deal_set = services.store.deal_set(set_id) if set_id is not None else None
    if deal_set is None:
        raise NotFound("invite_not_found")
    view = set_view(services, "", deal_set)
    return InviteView(
        match_id=None,
        host=view.maker,
        rules=deal_set.rules,
        seats=view.seats,
        free_seats=(deal_set.seat,) if view.open else (),
        commitments=deal_set.commitments,
        expires_at=None,
        set_id=deal_set.id,
    )
