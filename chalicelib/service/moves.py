"""The way of a move: one read, the engine's judgement, one write."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from chalicelib.engine import IllegalMove, replay
from chalicelib.service import tally
from chalicelib.service.cards import closed_at_start, deal_at_start
from chalicelib.service.errors import Forbidden, Refused, WrongState
from chalicelib.service.feed import deal_events
from chalicelib.service.model import MOVES_OF_A_DEAL, Actor, Status
from chalicelib.service.step import Step
from chalicelib.service.table import Table, done, find, readable, unchanged, view_of

if TYPE_CHECKING:
    from chalicelib.engine import Deal, Move, Seat
    from chalicelib.service.house import House
    from chalicelib.service.view import Outcome


def make(house: House, caller: str, match_id: str, number: int, move: Move) -> Outcome:
    """Make move `number` of the match for the caller's seat; bots and forced moves follow in the same write.

    Made already by this seat, and the same: the view as it is, with the events from that move (or the return by it) on.
    `NotFound`: match_not_found. `Forbidden`: not_seated. `WrongState`: move_already_made, move_out_of_order,
    match_not_started, match_over. `Refused`: the engine's reasons.
    """

    def decide() -> Step | Outcome:
        table = find(house, caller, match_id)
        if table.seat is None:
            readable(house, caller, match_id)
            raise Forbidden("not_seated")
        next_move = next_number(table)
        if number < next_move:
            return _made_already(house, table, table.seat, number, move)
        if table.match.status is Status.WAITING:
            raise WrongState("match_not_started", view_of(house, table))
        if not table.match.status.live:
            raise WrongState("match_over", view_of(house, table))
        if number > next_move:
            raise WrongState("move_out_of_order", view_of(house, table), next_move=next_move)
        return _make(house, table, table.seat, move)

    return done(house, caller, decide)


def next_number(table: Table) -> int:
    """The number that the next move of the match has."""
    return table.match.base_move + 1 + (len(table.deal.codes) if table.deal is not None else 0)


def _make(house: House, table: Table, seat: Seat, move: Move) -> Step:
    deal = table.deal
    if deal is None:
        raise AssertionError("a match that is being played has a running deal")
    step = Step(table.match, house.now(), seat, deal=deal)
    place = table.match.places[seat]
    if place.away:
        from chalicelib.service.seats import come_back

        come_back(step, seat)
    elif place.timeouts:
        step.settle(seat, replace(place, timeouts=0))
    try:
        step.make(move, Actor.PLAYER, seat)
    except IllegalMove as refusal:
        raise Refused(refusal.reason, view_of(house, table), **refusal.params) from None
    step.run_on()
    return step


def _made_already(house: House, table: Table, seat: Seat, number: int, move: Move) -> Outcome:
    """A retry, a double tap or a lost answer finds its move made; anything else finds it made otherwise."""
    match = table.match
    closed = (
        house.store.closed_deal(match.id, 1 + (number - 1) // MOVES_OF_A_DEAL) if number <= match.base_move else None
    )
    told = closed or match
    codes = told.log.codes()
    index = number - told.base_move - 1
    start = closed_at_start(match, closed) if closed is not None else deal_at_start(match)
    if codes[index] != move.code or _turn_at(start, codes[:index]) != seat:
        raise WrongState("move_already_made", view_of(house, table), move_number=number, next_move=next_number(table))
    tally.current().repeated_moves += 1
    version = next(
        event.version for event in deal_events(match, told, seat) if event.values.get("move_number") == number
    )
    before = house.store.batches(match.id, version - 2, version - 1) if told.log.marks else ()
    if any(batch.events[-1].type == "seat_back" and batch.events[-1].seat is seat for batch in before):
        version -= 1  # the move brought its player back
    return unchanged(house, table, version - 1)


def _turn_at(start: Deal, codes: bytes) -> Seat | None:
    return replay(start.hands, start.opener, start.after_bank, codes).turn
