"""Playing again: the same people, asked to the same seats, in a match made once."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from chalicelib.engine import SEATS
from chalicelib.match.cards import running_deal
from chalicelib.match.model import Place, SeatType, Start, Status
from chalicelib.match.transition import Transition
from chalicelib.match.view import Outcome
from chalicelib.service.errors import Forbidden, NotFound, Refused, TryAgain, WrongState
from chalicelib.service.services import derived_id
from chalicelib.service.table import Table, carry_out, living, may_see, readable, unchanged, view_of
from chalicelib.service.tables.matches import new_match, one_more, sit_down, start_if_full
from chalicelib.service.tables.seats import sit

if TYPE_CHECKING:
    from chalicelib.engine import Seat
    from chalicelib.match.model import Match
    from chalicelib.service.ports import Player
    from chalicelib.service.services import Services


def rematch(services: Services, caller: str, match_id: str, client_seed: str | None = None) -> Outcome:
    """A new match after one that has ended: the caller sits, the other humans are invited, bots sit as before.

    Whoever asks first makes it; everybody else finds it, and with it sits on the seat that is kept for them, or, having
    declined, on a free one. One that was given up before it started makes room for another, without an offer to who
    declined. `client_seed` is the caller's for the new match's shuffle: asking again with another one changes it, until
    cards are dealt.

    `NotFound`: match_not_found. `Forbidden`: not_seated, removed_by_host. `WrongState`: match_not_over, seat_taken (no
    seat is left), match_not_waiting (started without the caller). `Refused`: entry_played_once, too_many_matches,
    too_many_seat_changes.
    `Unauthorized`: account_deleted.
    """

    def decide() -> Transition | Outcome:
        table = readable(services, caller, match_id)
        match = table.match
        if table.seat is None:
            raise Forbidden("not_seated")
        if match.status.live:
            raise WrongState("match_not_over", view_of(services, table))
        if match.entry is not None:
            raise Refused("entry_played_once", view_of(services, table))
        player = living(services, caller)
        new = services.store.match(match.rematch_id) if match.rematch_id is not None else None
        if new is not None and (new.status is not Status.ABANDONED or new.deal):
            return _joined(services, table, table.seat, new, client_seed)
        one_more(services, caller, table)
        return _again(services, table, table.seat, player, client_seed or "", new)

    return carry_out(services, caller, decide)


def next_rematch_id(match: Match) -> str:
    """The id of the next rematch."""
    return derived_id("rematch", match.id, match.rematch_id or "")


def _joined(services: Services, old: Table, old_seat: Seat, new: Match, client_seed: str | None) -> Outcome:
    """The rematch that somebody has asked for before."""
    table = Table(new, old.caller, new.seat_of(old.caller), running_deal(new))
    if new.status is Status.WAITING and (table.seat is None or client_seed not in (None, new.seed_of(table.seat))):
        seat = table.seat if table.seat is not None else _seat_for(old.caller, old_seat, new)
        code = new.invite.code if new.invite is not None else None
        try:
            return sit(services, old.caller, new.id, seat, code, client_seed)
        except (WrongState, NotFound) as failure:
            if failure.code in ("match_over", "invite_not_found"):
                raise TryAgain("try_again") from None  # given up meanwhile, or has a new code: the next try sees that
            raise
    if not may_see(services, table):
        raise WrongState("match_not_waiting")
    return unchanged(services, table, 0)


def _seat_for(caller: str, old_seat: Seat, new: Match) -> Seat:
    """The seat that is kept for the caller; else their old one, or if that is taken another free one."""
    for seat in SEATS:
        if new.places[seat].player_id == caller:
            return seat
    free = new.free_seats
    return free[0] if free and old_seat not in free else old_seat


def _again(
    services: Services, table: Table, seat: Seat, player: Player, client_seed: str, given_up: Match | None
) -> Transition:
    old, now = table.match, services.now()
    guests = _guests(services, old, seat, given_up)
    # A seat whose player has left or is deleted stays empty, for whoever has the code.
    bots = {each: old.places[each] for each in SEATS if _plays_on(old.places[each])}
    waits = len(bots) < len(SEATS) - 1
    new_id = next_rematch_id(old)
    shares = waits or old.rules.take_over or old.rules.start is Start.BY_HOST
    rules = old.rules.with_humans(2 if waits else 1)
    match = new_match(services, new_id, rules, seat, now, share=shares, rematch_of=old.id)
    transition = services.transition(match, new=True)
    transition.happen("match_created", seat, turn_seconds=rules.turn_seconds, host=int(seat))
    for each in SEATS:
        if each is seat:
            sit_down(transition, each, player, client_seed)
        elif each in guests:
            guest = guests[each]
            transition.happen("seat_offered", each, Place(SeatType.INVITED, guest.id, guest.name))
            transition.named.append(guest)
        elif each in bots:
            transition.happen("seat_taken", each, Place(SeatType.BOT, level=bots[each].level))
    start_if_full(transition)
    before = services.transition(old)
    before.happen("rematch_created", seat, rematch_id=new_id)
    before.match = replace(before.match, rematch_id=new_id)
    transition.also = before.change()
    return transition


def _plays_on(place: Place) -> bool:
    return place.type is SeatType.BOT and not place.left


def _guests(services: Services, old: Match, asker: Seat, given_up: Match | None) -> dict[Seat, Player]:
    """The other humans, with their accounts as they are now; but nobody who has declined the one that was given up."""
    ids = {seat: old.places[seat].player_id for seat in SEATS if seat is not asker}
    wanted = {
        seat: player_id
        for seat, player_id in ids.items()
        if player_id is not None and old.places[seat].type is SeatType.HUMAN
        if given_up is None or _would_come(services, player_id, given_up)
    }
    players = services.store.players(wanted.values())
    return {
        seat: players[player_id]
        for seat, player_id in wanted.items()
        if player_id in players and players[player_id].deleted_at is None
    }


def _would_come(services: Services, player_id: str, given_up: Match) -> bool:
    """Whether the player had a seat there, or was still offered one, when it was given up."""
    if any(place.player_id == player_id for place in given_up.places):
        return True
    held = services.store.membership(player_id, given_up.id)
    return held is not None and held.until is None
