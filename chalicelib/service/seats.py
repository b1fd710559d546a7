"""Taking seats before the start and while cards are played, and the start itself."""

from __future__ import annotations

import hmac
from dataclasses import replace
from typing import TYPE_CHECKING

from chalicelib.engine import SEATS, Seat
from chalicelib.service.errors import Forbidden, NotFound, Refused, WrongState
from chalicelib.service.house import plain_code
from chalicelib.service.matches import one_more, sit_down, start_if_full
from chalicelib.service.model import (
    MOST_SEAT_CHANGES,
    MOST_SEAT_EVENTS,
    UNSTARTED_LIFE,
    Place,
    SeatType,
    Seed,
    Standing,
    Status,
)
from chalicelib.service.step import Step
from chalicelib.service.table import Table, done, find, living, readable, repeated, shown, unchanged, view_of
from chalicelib.service.view import Outcome

if TYPE_CHECKING:
    from chalicelib.service.house import House
    from chalicelib.service.model import Invite, Match
    from chalicelib.service.ports import Player

SAT_DOWN = ("seat_taken", "seat_back")
"""Types of the events that put somebody on a seat."""


def sit(
    house: House, caller: str, match_id: str, seat: Seat, code: str | None = None, client_seed: str | None = None
) -> Outcome:
    """Take a seat, move to another before the start, or come back to one's own.

    Whoever has not been at the table yet needs its invite code, or an invitation. `NotFound`: match_not_found,
    invite_not_found (a wrong and an expired code alike). `Forbidden`: code_needed, removed_by_host.
    `WrongState`: seat_taken, already_seated, match_over, other_seat_held. `Refused`: too_many_matches,
    too_many_seat_changes. `Unauthorized`: account_deleted.
    """

    def decide() -> Step | Outcome:
        try:
            table = find(house, caller, match_id)
        except NotFound:
            raise NotFound("match_not_found" if code is None else "invite_not_found") from None
        player = living(house, caller)
        if table.seat is seat and not table.match.places[seat].away and _keeps_seed(table, client_seed):
            return repeated(house, table, SAT_DOWN, seat)
        _let_in(house, table, seat, code)
        if not table.match.status.live:
            raise WrongState("match_over", view_of(house, table))
        if table.match.status is Status.WAITING:
            return _sit_before_start(house, table, seat, player, client_seed)
        return _sit_among_cards(house, table, seat, player)

    return done(house, caller, decide)


def _let_in(house: House, table: Table, seat: Seat, code: str | None) -> None:
    """Those at the table are let in, and those who left it among cards; others by its code alone. To those without the
    match is as good as not there.

    Whoever has the code and comes too late is told so, but shown the table only where anybody may watch.
    """
    match = table.match
    if any(place.player_id == table.caller for place in match.places):
        return
    held = house.store.membership(table.caller, match.id)
    standing = held.standing if held is not None else None
    if standing is Standing.MEMBER:
        return
    if code is None and not match.rules.spectators:
        raise NotFound("match_not_found")
    if code is not None and not _code_is_good(code, match.invite, house.now()):
        raise NotFound("invite_not_found")
    if standing is Standing.BARRED:
        raise Forbidden("removed_by_host")
    if match.takes_friends and code is None:
        raise Forbidden("code_needed")
    if not match.takes_friends:
        if match.status.live:
            raise WrongState("seat_taken", shown(house, table), seat=seat.text)
        raise WrongState("match_over", shown(house, table))


def _code_is_good(code: str, invite: Invite | None, now: int) -> bool:
    """Whether this is the table's code, and has not expired."""
    if invite is None or invite.expires_at <= now:
        return False
    return hmac.compare_digest(plain_code(code).encode("utf-8", "surrogatepass"), invite.code.encode())


def _keeps_seed(table: Table, client_seed: str | None) -> bool:
    """Whether the caller's seed stays as it is: none is sent, the same one, or one that comes after the cards."""
    waiting = table.match.status is Status.WAITING
    return not waiting or table.seat is None or client_seed in (None, table.match.seed_of(table.seat))


def _sit_before_start(house: House, table: Table, seat: Seat, player: Player, client_seed: str | None) -> Step:
    match, place = table.match, table.match.places[seat]
    invited = place.type is SeatType.INVITED and place.player_id == player.id
    if not (place.type is SeatType.EMPTY or invited or table.seat is seat):
        raise WrongState("seat_taken", shown(house, table), seat=seat.text)
    _seats_may_change(house, table)
    if table.seat is None:
        one_more(house, player.id, table)
    _caller_may_change(house, table)
    if client_seed is None:
        client_seed = "" if table.seat is None else match.seed_of(table.seat)
    step = Step(match, house.now(), seat)
    for other in SEATS:
        if other is not seat and match.places[other].player_id == player.id:
            step.happen("seat_left", other, Place())
            step.seed(other, None)
    sit_down(step, seat, player, client_seed)
    if table.is_host and table.seat is not seat:
        step.pass_host(seat)
    start_if_full(step)
    return step


def _sit_among_cards(house: House, table: Table, seat: Seat, player: Player) -> Step:
    match, place = table.match, table.match.places[seat]
    if table.seat is not None and table.seat is not seat:
        raise WrongState("already_seated", view_of(house, table), seat=table.seat.text)
    if table.seat is seat:
        step = Step(match, house.now(), seat, deal=table.deal)
        come_back(step, seat)
        step.run_on()
        return step
    if place.type is not SeatType.BOT or not match.rules.take_over:
        raise WrongState("seat_taken", shown(house, table), seat=seat.text)
    held = house.store.membership(player.id, match.id)
    if held is not None and held.standing is Standing.MEMBER and held.seat is not seat:
        raise WrongState("other_seat_held", view_of(house, table), seat=held.seat.text)
    _seats_may_change(house, table)
    one_more(house, player.id, table)
    _caller_may_change(house, table)
    step = Step(match, house.now(), seat, deal=table.deal)
    _go_on_with(step, "seat_taken", seat, Place(SeatType.HUMAN, player.id, player.name, level=place.level))
    step.named.append(player)
    step.run_on()
    return step


def _seats_may_change(house: House, table: Table) -> None:
    """`Refused` (too_many_seat_changes) after more comings and goings than people make who want to play. It only keeps
    anybody from sitting down: leaving, coming back, starting and playing are always possible."""
    match = table.match
    happened = match.version if match.status is Status.WAITING else match.log.marks
    if happened >= MOST_SEAT_EVENTS:
        raise Refused("too_many_seat_changes", shown(house, table), most=MOST_SEAT_EVENTS)


def _caller_may_change(house: House, table: Table) -> None:
    """`Refused` (too_many_seat_changes) after more changes of the caller's own; each try is counted."""
    key = f"seat:{table.match.id}:{table.caller}"
    if house.store.count(key, UNSTARTED_LIFE, MOST_SEAT_CHANGES, house.now()):
        raise Refused("too_many_seat_changes", shown(house, table), most=MOST_SEAT_CHANGES)


def come_back(step: Step, seat: Seat) -> None:
    """An away player is present again."""
    _go_on_with(step, "seat_back", seat, replace(step.match.places[seat], away=False, timeouts=0))


def _go_on_with(step: Step, kind: str, seat: Seat, place: Place) -> None:
    """Somebody is present from now on. A table that stood still goes on, its clock begins anew; a solo match that is
    one no more gets the clock of a shared one."""
    begins, rules = not step.match.present, step.match.rules
    told: dict[str, object] = {}
    shared = rules.with_humans(step.match.humans + (step.match.places[seat].type is not SeatType.HUMAN))
    if rules.turn_seconds is None and shared.turn_seconds is not None:
        begins, told = True, {"turn_seconds": shared.turn_seconds}
        step.set_rules(shared)
    step.happen(kind, seat, place, None, **told)
    if begins:
        step.restart_clock()


def seat_bot(house: House, caller: str, match_id: str, seat: Seat, level: str) -> Outcome:
    """The host puts a bot on a free seat, or changes a bot's level, before the start.

    `Forbidden`: host_only. `WrongState`: match_over, match_not_waiting, seat_taken. `Refused`: too_many_seat_changes.
    """

    def decide() -> Step | Outcome:
        table = readable(house, caller, match_id)
        place = table.match.places[seat]
        if not table.is_host:
            raise Forbidden("host_only")
        if place == Place(SeatType.BOT, level=level):
            return repeated(house, table, SAT_DOWN, seat)
        if not table.match.status.live:
            raise WrongState("match_over", view_of(house, table))
        if table.match.status is not Status.WAITING:
            raise WrongState("match_not_waiting", view_of(house, table))
        if place.type not in (SeatType.EMPTY, SeatType.BOT):
            raise WrongState("seat_taken", view_of(house, table), seat=seat.text)
        _seats_may_change(house, table)
        step = Step(table.match, house.now(), table.seat)
        step.happen("seat_taken", seat, Place(SeatType.BOT, level=level))
        start_if_full(step)
        return step

    return done(house, caller, decide)


def start(house: House, caller: str, match_id: str, client_seed: str | None = None) -> Outcome:
    """The host starts now, bots on the seats nobody took. A started match is answered as it is.

    `client_seed` is the host's from now on: nobody can send one after it.

    `Forbidden`: host_only. `WrongState`: match_over.
    """

    def decide() -> Step | Outcome:
        table = readable(house, caller, match_id)
        match = table.match
        if not table.is_host:
            raise Forbidden("host_only")
        if match.status is Status.PLAYING:
            return unchanged(house, table, _started_at(house, match) - 1)
        if match.status is not Status.WAITING:
            raise WrongState("match_over", view_of(house, table))
        step = Step(match, house.now(), table.seat)
        if client_seed is not None:
            _send_seed(step, table, client_seed)
        step.start()
        step.run_on()
        return step

    return done(house, caller, decide)


def _send_seed(step: Step, table: Table, client_seed: str) -> None:
    """The caller, who sits, has another seed from now on; everybody is told."""
    assert table.seat is not None
    place = table.match.places[table.seat]
    step.seed(table.seat, Seed(table.seat, table.caller, client_seed))
    step.happen("seat_taken", table.seat, place, None, client_seed=client_seed)


def _started_at(house: House, match: Match) -> int:
    """The version at which the match started: the first deal begins with the next one."""
    first = match if match.deal == 1 else house.store.closed_deal(match.id, 1)
    return first.base_version if first is not None else 0
