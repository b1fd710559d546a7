"""Making a move: one read, the engine's check, one write."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from chalicelib.engine import IllegalMove
from chalicelib.match.cards import as_played, next_move_number
from chalicelib.match.model import MOVES_OF_A_DEAL, Actor, Status
from chalicelib.match.narrator import version_of
from chalicelib.match.transition import Transition
from chalicelib.service import counters
from chalicelib.service.errors import Forbidden, Refused, WrongState
from chalicelib.service.table import Table, carry_out, find, require_sight, unchanged, view_of

if TYPE_CHECKING:
    from chalicelib.engine import Move, Seat
    from chalicelib.match.view import Outcome
    from chalicelib.service.services import Services


def make(services: Services, caller: str, match_id: str, number: int, move: Move) -> Outcome:
    """Make move `number` of the match for the caller's seat; bots and forced moves follow in the same write.

    Made already by this seat, and the same: the view as it is, with the events from that move (or the return by it) on.
    `NotFound`: match_not_found. `Forbidden`: not_seated. `WrongState`: move_already_made, move_out_of_order,
    match_not_started, match_over, set_closed. `Refused`: edition_retired, the engine's reasons.
    """

    def decide() -> Transition | Outcome:
        table = find(services, caller, match_id)
        if table.seat is None:
            require_sight(services, table)
            raise Forbidden("not_seated")
        next_move = next_move_number(table.match, table.deal)
        if number < next_move:
            return _made_already(services, table, table.seat, number, move)
        if table.match.status is Status.WAITING:
            raise WrongState("match_not_started", view_of(services, table))
        if not table.match.status.live:
            raise WrongState("match_over", view_of(services, table))
        if number > next_move:
            raise WrongState("move_out_of_order", view_of(services, table), next_move=next_move)
        if table.match.entry is not None:
            still_played(services, table)
        return _make(services, table, table.seat, move)

    return carry_out(services, caller, decide)


def still_played(services: Services, table: Table) -> None:
    """Refuses a move in an entry of a set that has run out, or whose bots are gone."""
    from chalicelib import bots  # 7 ms, which a cold start among people does without

    if table.match.ran_out(services.now()):
        raise WrongState("set_closed", view_of(services, table))
    if table.match.edition not in bots.EDITIONS:
        raise Refused("edition_retired", view_of(services, table))


def _make(services: Services, table: Table, seat: Seat, move: Move) -> Transition:
    deal = table.deal
    if deal is None:
        raise AssertionError("a match that is being played has a running deal")
    transition = services.transition(table.match, deal=deal)
    place = table.match.places[seat]
    if place.away:
        transition.come_back(seat)
    elif place.timeouts:
        transition.settle(seat, replace(place, timeouts=0))
    try:
        transition.make(move, Actor.PLAYER, seat)
    except IllegalMove as refusal:
        raise Refused(refusal.reason, view_of(services, table), **refusal.params) from None
    transition.run_on()
    return transition


def _made_already(services: Services, table: Table, seat: Seat, number: int, move: Move) -> Outcome:
    """A retry, a double tap or a lost answer finds its move made; anything else finds it made otherwise."""
    match = table.match
    closed = (
        services.store.closed_deal(match.id, 1 + (number - 1) // MOVES_OF_A_DEAL) if number <= match.base_move else None
    )
    record = closed or match
    codes, index = record.log.codes(), number - record.base_move - 1
    if codes[index] != move.code or as_played(match, record, index).turn != seat:
        next_move = next_move_number(match, table.deal)
        raise WrongState("move_already_made", view_of(services, table), move_number=number, next_move=next_move)
    counters.current().repeated_moves += 1
    version = version_of(match, record, number)
    before = services.store.batches(match.id, version - 2, version - 1) if record.log.marks else ()
    if any(batch.events[-1].type == "seat_back" and batch.events[-1].seat is seat for batch in before):
        version -= 1  # the move brought its player back
    return unchanged(services, table, version - 1)
