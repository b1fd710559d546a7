"""Players: signing up, names, everything kept about one, and leaving for good."""

from __future__ import annotations

import logging
from dataclasses import replace
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from chalicelib.engine import SEATS
from chalicelib.match.cards import running_deal
from chalicelib.match.model import Place, SeatType, Status
from chalicelib.match.sets import Source
from chalicelib.match.transition import Transition
from chalicelib.service.errors import TryAgain, Unauthorized
from chalicelib.service.people import devices
from chalicelib.service.people.devices import Grant
from chalicelib.service.ports import AccountGone, Devices, Lost, Player, Session, Settling, Unavailable
from chalicelib.service.sets.making import challenge_id
from chalicelib.service.table import ATTEMPTS, living
from chalicelib.service.tables.leaving import free, vacate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from chalicelib.engine import Seat
    from chalicelib.match.model import Membership
    from chalicelib.service.services import Services

EXPORTED_AT_ONCE = 100
TABLES_AT_ONCE = 20
"""Matches that are brought in line with an account at a time: by the request itself, and by each look of the sweep."""
_log = logging.getLogger(__name__)


def sign_up(services: Services, name: str = "", locale: str = "", device_name: str = "") -> Grant:
    """A new guest with this device as the first. `name` and `device_name` are clean ones, or "" for none."""
    player = Player(services.new_id(), name, services.now(), locale=locale)
    session, token = devices.new_session(services, player.id, device_name)
    services.store.create_player(player, Devices(player.id, (session,)))
    return Grant(player, session.id, token)


def read_player(services: Services, player_id: str) -> Player:
    """The caller's own profile. `Unauthorized`: account_deleted."""
    return living(services, player_id)


def rename(services: Services, player_id: str, name: str) -> Player:
    """Give the player another name, at every table that names them too.

    `name` is a clean one. Repeatable, and the sweep finishes what is left beyond the first tables, or was cut short.
    `Unauthorized`: account_deleted.
    """
    player = living(services, player_id)
    if player.name != name:
        try:
            player = services.store.rename(player_id, name, services.now())
        except AccountGone:
            raise Unauthorized("account_deleted") from None
    bring_in_line(services, player_id)
    return player


def set_locale(services: Services, player_id: str, locale: str) -> None:
    """The language that the player's app speaks to them. `Unauthorized`: account_deleted."""
    try:
        services.store.set_locale(player_id, locale)
    except AccountGone:
        raise Unauthorized("account_deleted") from None


def delete_player(services: Services, player_id: str) -> bool:
    """Remove the account. Repeatable, and the sweep finishes what is left: whether all is done.

    A tombstone comes first, and in the same write the devices and the recovery code go: from then on nothing new can be
    had for the account. Then its seats go to bots. Matches that have ended keep its id alone, which leads to the
    tombstone.
    """
    _mark_deleted(services, player_id)
    return bring_in_line(services, player_id) is Settled.WHOLE


def _mark_deleted(services: Services, player_id: str) -> None:
    """Make the account a tombstone, if it is not one."""
    for _ in range(ATTEMPTS):
        player = services.store.player(player_id)
        if player is None or player.deleted_at is not None:
            return None
        try:
            return services.store.mark_deleted(player, services.now())
        except Lost:
            continue
    raise TryAgain("try_again")


class Settled(Enum):
    """What a look at an account has come to."""

    WHOLE = "whole"
    MORE = "more"
    """There is more to be done, and the account stays scheduled."""
    FAILED = "failed"
    """All have been looked at, and some could not be brought in line."""


def bring_in_line(services: Services, player_id: str, out_of_time: Callable[[], bool] = lambda: False) -> Settled:
    """Bring live matches that name the player in line with the profile, renamed or deleted: a few, from where the last
    look has stopped on.

    Each is written only if the profile is still as it was read, so that of two changes at once the later stands
    everywhere, and a deleted player is never named again.
    """
    for _ in range(ATTEMPTS):
        player = services.store.player(player_id)
        if player is None or player.settled:
            return Settled.WHOLE
        try:
            return _look_at(services, player, out_of_time)
        except AccountGone:
            continue
    raise TryAgain("try_again")


def _look_at(services: Services, player: Player, out_of_time: Callable[[], bool]) -> Settled:
    """The next `TABLES_AT_ONCE` matches. One that fails does not keep the others back: all are gone through again.
    `Unavailable` or `TryAgain`, once that is noted, where it was a failure that passes."""
    after, missed = player.settling
    failed: list[Exception] = []
    page = services.store.naming(player.id, TABLES_AT_ONCE + 1, after)
    looked = 0
    for place, match_id in page[:TABLES_AT_ONCE]:
        if looked and out_of_time():
            break
        try:
            bring_match_in_line(services, player, match_id)
        except AccountGone:
            raise
        except Exception as failure:
            _log.warning("a match could not be brought in line", exc_info=True, extra={"match_id": match_id})
            failed.append(failure)
        after, looked = place, looked + 1
    missed, now = missed or bool(failed), services.now()
    whole = looked == len(page)
    passing = next((each for each in failed if isinstance(each, (Unavailable, TryAgain))), None)
    if whole and not missed:
        services.store.settle(player.id, player.revision)
        return Settled.WHOLE
    services.store.settle_on(player.id, player.revision, Settling() if whole else Settling(after, missed), now)
    if passing is not None:
        raise passing
    return Settled.FAILED if whole else Settled.MORE


def _rename(transition: Transition, seat: Seat, place: Place, player: Player) -> None:
    if place.name != player.name and not place.deleted:
        transition.happen("player_renamed", seat, replace(place, name=player.name))
        transition.named = [player]


def _remove(transition: Transition, seat: Seat, place: Place) -> None:
    if transition.match.status is Status.WAITING:
        free(transition, seat)
    elif place.type is SeatType.HUMAN:
        gone = replace(place, type=SeatType.BOT, name="", left=True, deleted=True, away=False, timeouts=0)
        vacate(transition, seat, gone)
    elif not place.deleted:
        transition.happen("player_deleted", seat, replace(place, name="", deleted=True))


def bring_match_in_line(services: Services, player: Player, match_id: str) -> None:
    """Change every place of a live match that names the player, until the write stands."""
    for _ in range(ATTEMPTS):
        match = services.store.match(match_id)
        if match is None or not match.status.live:
            return None
        transition = services.transition(match, deal=running_deal(match))
        for seat in SEATS:
            place = transition.match.places[seat]
            if place.player_id != player.id or not transition.match.status.live:
                continue
            if player.deleted_at is None:
                _rename(transition, seat, place, player)
            else:
                _remove(transition, seat, place)
        if transition.match.version == match.version:
            return None
        try:
            return services.store.save(transition.change())
        except Lost:
            continue
    raise TryAgain("try_again")


class Export(NamedTuple):
    """A page of all that is kept: JSON values, and the match to go on behind; None: there is no more."""

    content: dict[str, object]
    after: str | None


def export(services: Services, player_id: str, after: str | None = None, limit: int = EXPORTED_AT_ONCE) -> Export:
    """Everything that is kept about the player, a page of their matches at a time. Hashes of tokens are left
    out: they tell nobody anything."""
    player = living(services, player_id)
    profile: dict[str, object] = {"id": player.id, "created_at": player.created_at}
    profile |= {"name": player.name} if player.name else {}
    profile |= {"locale": player.locale} if player.locale else {}
    profile |= {"recovery_code_at": player.recovery_at} if player.recovery_at is not None else {}
    page = services.store.memberships(player_id, limit, after)
    content: dict[str, object] = {
        "player": profile,
        "devices": [_exported_device(session) for session in devices.list_sessions(services, player_id)],
        "offers": list(services.store.offers(player_id, 0, limit)),
        "matches": list(_exported(services, page.items)),
    }
    return Export(content, page.after)


def _exported_device(session: Session) -> dict[str, object]:
    device: dict[str, object] = {"session_id": session.id}
    device |= {"name": session.name} if session.name else {}
    return device | {"created_at": session.created_at, "used_at": devices.day_used(session)}


def _exported(services: Services, page: tuple[Membership, ...]) -> Iterator[dict[str, object]]:
    """Those where the player has sat: an offer that others made and took back is not told."""
    page = tuple(item for item in page if item.until is None)
    ids = [item.match_id for item in page]
    matches, seeds = services.store.matches(ids), services.store.seeds_of(page[0].player_id, ids) if page else {}
    ended = {challenge_id(match): match.id for match in matches.values() if match.status is Status.FINISHED}
    challenges = {ended[deal_set.id]: deal_set for deal_set in services.store.deal_sets(ended).values()}
    for item in page:
        exported: dict[str, object] = {
            "match_id": item.match_id,
            "seat": item.seat.text,
            "standing": item.standing.value,
        }
        match, challenge = matches.get(item.match_id), challenges.get(item.match_id)
        if match is not None:
            exported |= {"created_at": match.created_at, "status": match.status.value}
            own = match.status is Status.WAITING and match.places[item.seat].player_id == item.player_id
            seed = match.seed_of(item.seat) if own else seeds.get(item.match_id, "")
            exported |= {"client_seed": seed} if seed else {}
            exported |= {"deal_set_id": match.set_id} if match.set_id is not None else {}
        if challenge is not None and challenge.source == Source(item.match_id, item.player_id):
            exported |= {"deal_set_id": challenge.id, "challenge_code": challenge.code}
        yield exported
