"""Playing again: the same people, asked to the same seats, in a match made once."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from chalicelib.engine import SEATS
from chalicelib.service.errors import Forbidden, WrongState
from chalicelib.service.house import derived_id
from chalicelib.service.matches import new_match, sit_down, start_if_full
from chalicelib.service.model import DAY, Membership, Place, SeatType
from chalicelib.service.step import Step
from chalicelib.service.table import done, living, readable, unchanged, view_of
from chalicelib.service.view import Outcome

if TYPE_CHECKING:
    from chalicelib.engine import Seat
    from chalicelib.service.house import House
    from chalicelib.service.model import Match
    from chalicelib.service.ports import Player
    from chalicelib.service.table import Table


def rematch(house: House, caller: str, match_id: str) -> Outcome:
    """A new match after one that has ended: the caller sits, the other humans are invited, bots sit as before.

    Whoever asks first makes it; everybody else finds it. `NotFound`: match_not_found. `Forbidden`: not_seated.
    `WrongState`: match_not_over.
    """

    def decide() -> Step | Outcome:
        table = readable(house, caller, match_id)
        match = table.match
        if table.seat is None:
            raise Forbidden("not_seated")
        if match.status.live:
            raise WrongState("match_not_over", view_of(house, table))
        player = living(house, caller)
        if match.rematch_id is not None:
            return unchanged(house, readable(house, caller, match.rematch_id), 0)
        return _again(house, table, table.seat, player)

    return done(house, caller, decide)


def _again(house: House, table: Table, seat: Seat, player: Player) -> Step:
    old, now = table.match, house.now()
    guests = _guests(house, old, seat)
    rules = replace(old.rules, clock_by_default=False)
    if old.rules.clock_by_default:
        rules = replace(old.rules, turn_seconds=DAY if guests else None)
    new_id = derived_id("rematch", old.id)
    match = new_match(house, new_id, rules, seat, now, share=bool(guests) or rules.take_over, rematch_of=old.id)
    step = Step(match, now, seat, new=True)
    step.happen("match_created", seat, turn_seconds=rules.turn_seconds, host=int(seat))
    for each in SEATS:
        place = old.places[each]
        if each is seat:
            sit_down(step, each, player, "")
        elif each in guests:
            guest = guests[each]
            step.happen("seat_offered", each, Place(SeatType.INVITED, guest.id, guest.name))
            step.joined.append(Membership(guest.id, match.id, each, match.created_at))
        elif place.type is SeatType.BOT and not place.left:
            step.happen("seat_taken", each, Place(SeatType.BOT, level=place.level))
        # a seat whose player has left or is deleted stays empty, for whoever has the code
    start_if_full(step)
    before = Step(old, now, None)
    before.happen("rematch_created", seat, rematch_id=new_id)
    before.match = replace(before.match, rematch_id=new_id)
    step.also = before.change()
    return step


def _guests(house: House, old: Match, asker: Seat) -> dict[Seat, Player]:
    """The other humans, with their accounts as they are now."""
    ids = {seat: old.places[seat].player_id for seat in SEATS if seat is not asker}
    wanted = {
        seat: player_id
        for seat, player_id in ids.items()
        if player_id is not None and old.places[seat].type is SeatType.HUMAN
    }
    found = house.store.players(wanted.values())
    return {
        seat: found[player_id]
        for seat, player_id in wanted.items()
        if player_id in found and found[player_id].deleted_at is None
    }
