"""Taking seats before the start and while cards are played, and the start itself."""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING

from chalicelib.engine import SEATS, Seat
from chalicelib.match.model import (
    MOST_SEAT_CHANGES,
    MOST_SEAT_EVENTS,
    UNSTARTED_LIFE,
    Place,
    SeatType,
    Seed,
    Standing,
    Status,
)
from chalicelib.match.transition import Transition
from chalicelib.match.view import Outcome
from chalicelib.service.errors import Forbidden, NotFound, Refused, WrongState
from chalicelib.service.services import plain_code
from chalicelib.service.table import Table, carry_out, find, living, readable, repeated, shown, unchanged, view_of
from chalicelib.service.tables.matches import one_more, sit_down, start_if_full

if TYPE_CHECKING:
    from chalicelib.match.model import Invite, Match
    from chalicelib.service.ports import Player
    from chalicelib.service.services import Services

SAT_DOWN = ("seat_taken", "seat_back")
"""Types of the events that put somebody on a seat."""


def sit(
    services: Services, caller: str, match_id: str, seat: Seat, code: str | None = None, client_seed: str | None = None
) -> Outcome:
    """Take a seat, move to another before the start, or come back to one's own.

    Whoever has not been at the table yet needs its invite code, or an invitation. `NotFound`: match_not_found,
    invite_not_found (a wrong and an expired code alike). `Forbidden`: code_needed, removed_by_host.
    `WrongState`: seat_taken, already_seated, match_over, other_seat_held. `Refused`: too_many_matches,
    too_many_seat_changes. `Unauthorized`: account_deleted.
    """

    def decide() -> Transition | Outcome:
        try:
            table = find(services, caller, match_id)
        except NotFound:
            raise NotFound("match_not_found" if code is None else "invite_not_found") from None
        player = living(services, caller)
        if table.seat is seat and not table.match.places[seat].away and _keeps_seed(table, client_seed):
            return repeated(services, table, SAT_DOWN, seat)
        _let_in(services, table, seat, code)
        if not table.match.status.live:
            raise WrongState("match_over", view_of(services, table))
        if table.match.status is Status.WAITING:
            return _sit_before_start(services, table, seat, player, client_seed)
        return _sit_among_cards(services, table, seat, player)

    return carry_out(services, caller, decide)


def _let_in(services: Services, table: Table, seat: Seat, code: str | None) -> None:
    """Those at the table are let in, and those who left it among cards; others by its code alone. To those without the
    match is as good as not there.

    Whoever has the code and comes too late is told so, but shown the table only where anybody may watch.
    """
    match = table.match
    if any(place.player_id == table.caller for place in match.places):
        return
    held = services.store.membership(table.caller, match.id)
    standing = held.standing if held is not None else None
    if standing is Standing.MEMBER:
        return
    if code is None and not match.rules.spectators:
        raise NotFound("match_not_found")
    if code is not None and not _code_is_good(code, match.invite, services.now()):
        raise NotFound("invite_not_found")
    if standing is Standing.BARRED:
        raise Forbidden("removed_by_host")
    if match.takes_friends and code is None:
        raise Forbidden("code_needed")
    if not match.takes_friends:
        if match.status.live:
            raise WrongState("seat_taken", shown(services, table), seat=seat.text)
        raise WrongState("match_over", shown(services, table))


def _code_is_good(code: str, invite: Invite | None, now: int) -> bool:
    """Whether this is the table's code, and has not expired."""
    if invite is None or invite.expires_at <= now:
        return False
    return hmac.compare_digest(plain_code(code).encode("utf-8", "surrogatepass"), invite.code.encode())


def _keeps_seed(table: Table, client_seed: str | None) -> bool:
    """Whether the caller's seed stays as it is: none is sent, the same one, or one that comes after the cards."""
    waiting = table.match.status is Status.WAITING
    return not waiting or table.seat is None or client_seed in (None, table.match.seed_of(table.seat))


def _sit_before_start(
    services: Services, table: Table, seat: Seat, player: Player, client_seed: str | None
) -> Transition:
    match, place = table.match, table.match.places[seat]
    invited = place.type is SeatType.INVITED and place.player_id == player.id
    if not (place.type is SeatType.EMPTY or invited or table.seat is seat):
        raise WrongState("seat_taken", shown(services, table), seat=seat.text)
    _seats_may_change(services, table)
    if table.seat is None:
        one_more(services, player.id, table)
    _caller_may_change(services, table)
    if client_seed is None:
        client_seed = "" if table.seat is None else match.seed_of(table.seat)
    transition = services.transition(match)
    for other in SEATS:
        if other is not seat and match.places[other].player_id == player.id:
            transition.happen("seat_left", other, Place())
            transition.seed(other, None)
    sit_down(transition, seat, player, client_seed)
    if table.is_host and table.seat is not seat:
        transition.pass_host(seat)
    start_if_full(transition)
    return transition


def _sit_among_cards(services: Services, table: Table, seat: Seat, player: Player) -> Transition:
    match, place = table.match, table.match.places[seat]
    if table.seat is not None and table.seat is not seat:
        raise WrongState("already_seated", view_of(services, table), seat=table.seat.text)
    if table.seat is seat:
        transition = services.transition(match, deal=table.deal)
        transition.come_back(seat)
        transition.run_on()
        return transition
    if place.type is not SeatType.BOT or not match.rules.take_over:
        raise WrongState("seat_taken", shown(services, table), seat=seat.text)
    held = services.store.membership(player.id, match.id)
    if held is not None and held.standing is Standing.MEMBER and held.seat is not seat:
        raise WrongState("other_seat_held", view_of(services, table), seat=held.seat.text)
    _seats_may_change(services, table)
    one_more(services, player.id, table)
    _caller_may_change(services, table)
    transition = services.transition(match, deal=table.deal)
    transition.go_on_with("seat_taken", seat, Place(SeatType.HUMAN, player.id, player.name, level=place.level))
    transition.named.append(player)
    transition.run_on()
    return transition


def _seats_may_change(services: Services, table: Table) -> None:
    """`Refused` (too_many_seat_changes) after more comings and goings than people make who want to play. It only keeps
    anybody from sitting down: leaving, coming back, starting and playing are always possible."""
    match = table.match
    happened = match.version if match.status is Status.WAITING else match.log.marks
    if happened >= MOST_SEAT_EVENTS:
        raise Refused("too_many_seat_changes", shown(services, table), most=MOST_SEAT_EVENTS)


def _caller_may_change(services: Services, table: Table) -> None:
    """`Refused` (too_many_seat_changes) after more changes of the caller's own; each try is counted."""
    key = f"seat:{table.match.id}:{table.caller}"
    if services.store.count(key, UNSTARTED_LIFE, MOST_SEAT_CHANGES, services.now()):
        raise Refused("too_many_seat_changes", shown(services, table), most=MOST_SEAT_CHANGES)


def seat_bot(services: Services, caller: str, match_id: str, seat: Seat, level: str) -> Outcome:
    """The host puts a bot on a free seat, or changes a bot's level, before the start.

    `Forbidden`: host_only. `WrongState`: match_over, match_not_waiting, seat_taken. `Refused`: too_many_seat_changes.
    """

    def decide() -> Transition | Outcome:
        table = readable(services, caller, match_id)
        place = table.match.places[seat]
        if not table.is_host:
            raise Forbidden("host_only")
        if place == Place(SeatType.BOT, level=level):
            return repeated(services, table, SAT_DOWN, seat)
        if not table.match.status.live:
            raise WrongState("match_over", view_of(services, table))
        if table.match.status is not Status.WAITING:
            raise WrongState("match_not_waiting", view_of(services, table))
        if place.type not in (SeatType.EMPTY, SeatType.BOT):
            raise WrongState("seat_taken", view_of(services, table), seat=seat.text)
        _seats_may_change(services, table)
        transition = services.transition(table.match)
        transition.happen("seat_taken", seat, Place(SeatType.BOT, level=level))
        start_if_full(transition)
        return transition

    return carry_out(services, caller, decide)


def start(services: Services, caller: str, match_id: str, client_seed: str | None = None) -> Outcome:
    """The host starts now, bots on the seats nobody took. A started match is answered as it is.

    `client_seed` is the host's from now on: nobody can send one after it.

    `Forbidden`: host_only. `WrongState`: match_over.
    """

    def decide() -> Transition | Outcome:
        table = readable(services, caller, match_id)
        match = table.match
        if not table.is_host:
            raise Forbidden("host_only")
        if match.status is Status.PLAYING:
            return unchanged(services, table, _started_at(services, match) - 1)
        if match.status is not Status.WAITING:
            raise WrongState("match_over", view_of(services, table))
        transition = services.transition(match)
        if client_seed is not None:
            _send_seed(transition, table, client_seed)
        transition.start()
        transition.run_on()
        return transition

    return carry_out(services, caller, decide)


def _send_seed(transition: Transition, table: Table, client_seed: str) -> None:
    """The caller, who sits, has another seed from now on; everybody is told."""
    assert table.seat is not None
    place = table.match.places[table.seat]
    transition.seed(table.seat, Seed(table.seat, table.caller, client_seed))
    transition.happen("seat_taken", table.seat, place, None, client_seed=client_seed)


def _started_at(services: Services, match: Match) -> int:
    """The version at which the match started: the first deal begins with the next one."""
    first = match if match.deal == 1 else services.store.closed_deal(match.id, 1)
    return first.base_version if first is not None else 0
