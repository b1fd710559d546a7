"""Leaving a seat: before the start it is free again, at cards a bot goes on from it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from chalicelib.engine import SEATS, Seat
from chalicelib.match.model import Place, SeatType, Status
from chalicelib.match.opponents import level_of
from chalicelib.match.transition import Transition
from chalicelib.service.errors import Forbidden, WrongState
from chalicelib.service.table import (
    Table,
    carry_out,
    find,
    may_see,
    repeated,
    require_sight,
    unchanged,
    view_of,
)

if TYPE_CHECKING:
    from chalicelib.match.view import Outcome
    from chalicelib.service.services import Services


LEFT = ("seat_left",)
"""Types of the events that say that a seat was left."""


def leave(services: Services, caller: str, match_id: str, seat: Seat) -> Outcome | None:
    """Leave a seat for good, or decline an offered one; the host may also free anybody's before the start. Repeatable.

    While cards are played a bot takes over, and the leaver may watch. Who leaves before the start may not, unless
    anybody may: None. Whom the host sends away may not come back, and the invite code is another one from then on. A
    table that nobody could come back to is given up. `NotFound`: match_not_found. `Forbidden`: host_only. `WrongState`:
    match_over, match_not_waiting (the host would free another's seat).
    """
    hidden = False

    def decide() -> Transition | Outcome:
        nonlocal hidden
        hidden = False
        table = find(services, caller, match_id)
        match, place = table.match, table.match.places[seat]
        if table.seat is None and _has_gone(services, table, seat):
            hidden = not may_see(services, table)
            return unchanged(services, table) if hidden else repeated(services, table, LEFT, seat)
        require_sight(services, table)
        own = place.player_id == caller
        if (own and place.left) or (place.type is SeatType.EMPTY and match.status is Status.WAITING):
            return repeated(services, table, LEFT, seat)
        if not own and not table.is_host:
            raise Forbidden("host_only")
        if not match.status.live:
            raise WrongState("match_over", view_of(services, table))
        if not own and match.status is not Status.WAITING:
            raise WrongState("match_not_waiting", view_of(services, table))
        transition = services.transition(match, deal=table.deal)
        if match.status is Status.WAITING:
            hidden = own and not match.rules.spectators
            if not own and place.player_id is not None:
                transition.send_away(place.player_id, services.new_code())
            free(transition, seat)
        else:
            vacate(transition, seat, replace(place, type=SeatType.BOT, left=True, away=False, timeouts=0))
        return transition

    outcome = carry_out(services, caller, decide)
    return None if hidden else outcome


def _has_gone(services: Services, table: Table, seat: Seat) -> bool:
    """Whether the caller has left or declined this seat, and the table does not show it any more."""
    if any(place.player_id == table.caller for place in table.match.places):
        return False
    held = services.store.membership(table.caller, table.match.id)
    return held is not None and held.seat is seat


def free(transition: Transition, seat: Seat) -> None:
    """Before the start: the seat is empty again."""
    transition.seed(seat, None)
    transition.happen("seat_left", seat, Place())
    _close_or_go_on(transition, seat)


def vacate(transition: Transition, seat: Seat, place: Place) -> None:
    """While cards are played: a bot goes on from the same seat. Who stays alone has no clock that nobody asked for."""
    values: dict[str, object] = {}
    match = transition.match
    staying = match.humans - (match.places[seat].type is SeatType.HUMAN)
    rules = match.rules.with_humans(staying)
    if staying and rules != match.rules:
        transition.set_rules(rules)
        values = {"turn_seconds": rules.turn_seconds}
    transition.happen("seat_left", seat, replace(place, level=level_of(place)), None, **values)
    _close_or_go_on(transition, seat)
    transition.run_on()


def _close_or_go_on(transition: Transition, left: Seat) -> None:
    """The host role passes on; a table without a human is given up."""
    humans = [each for each in _around(left) if transition.match.places[each].type is SeatType.HUMAN]
    if not humans:
        transition.abandon()
    elif transition.match.host is left:
        present = [each for each in humans if transition.match.places[each].present]
        transition.pass_host((present or humans)[0])


def _around(seat: Seat) -> list[Seat]:
    """The other seats in order of play."""
    return [SEATS[(seat + turn) % 4] for turn in (1, 2, 3)]
