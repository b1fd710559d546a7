"""Players: signing up, names, everything kept about one, and leaving for good."""

from __future__ import annotations

import logging
import unicodedata
from dataclasses import replace
from typing import TYPE_CHECKING

from chalicelib.engine import SEATS
from chalicelib.service import devices
from chalicelib.service.cards import running_deal
from chalicelib.service.devices import Grant
from chalicelib.service.errors import Malformed, TryAgain, Unauthorized
from chalicelib.service.leaving import free, vacate
from chalicelib.service.model import MAX_NAME_BYTES, MAX_NAME_POINTS, Place, SeatType, Status
from chalicelib.service.ports import AccountGone, Lost, Player, Unavailable
from chalicelib.service.step import Step
from chalicelib.service.table import ATTEMPTS, living

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chalicelib.engine import Seat
    from chalicelib.service.house import House
    from chalicelib.service.model import Membership

DEFAULT_NAME = "Guest"
_log = logging.getLogger(__name__)
_JOINERS = "\u200c\u200d"
"""Zero-width (non-)joiner: format characters by their class, and letters' parts in Devanagari."""


def clean_name(typed: str) -> str:
    """A name as it is kept: NFC, without blanks around it. `Malformed`: invalid_name."""
    name = unicodedata.normalize("NFC", typed).strip()
    bad = any(
        unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp") and sign not in _JOINERS
        for sign in name
    )
    if bad or not 1 <= len(name) <= MAX_NAME_POINTS or len(name.encode()) > MAX_NAME_BYTES or not name.strip(_JOINERS):
        raise Malformed("invalid_name", most_code_points=MAX_NAME_POINTS, most_bytes=MAX_NAME_BYTES)
    return name


def sign_up(house: House, name: str | None = None) -> Grant:
    """A new guest with this device as the first."""
    player = Player(house.new_id(), DEFAULT_NAME if name is None else clean_name(name), house.now())
    session, token = devices.new_session(house, player.id)
    house.store.create_player(player, session)
    return Grant(player, session.id, token)


def read_player(house: House, player_id: str) -> Player:
    """The caller's own profile. `Unauthorized`: account_deleted."""
    return living(house, player_id)


def rename(house: House, player_id: str, name: str) -> Player:
    """Give the player another name, at every table that names them too.

    Repeatable, and the sweep finishes what was cut short. `Malformed`: invalid_name. `Unauthorized`:
    account_deleted.
    """
    player, cleaned = living(house, player_id), clean_name(name)
    if player.name != cleaned:
        try:
            player = house.store.rename(player_id, cleaned, house.now())
        except AccountGone:
            raise Unauthorized("account_deleted") from None
    bring_in_line(house, player_id)
    return player


def delete_player(house: House, player_id: str) -> bool:
    """Remove the account. Repeatable, and the sweep finishes what was cut short: whether all is done.

    A tombstone comes first: from then on nothing new can be had for the account. Then its seats go to bots and its
    devices are signed out. Matches that have ended keep its id alone, which leads to the tombstone.
    """
    house.store.bury(player_id, house.now())
    return bring_in_line(house, player_id)


def bring_in_line(house: House, player_id: str) -> bool:
    """Bring every live match that names the player in line with the profile, renamed or deleted: whether all are.

    Each is written only if the profile is still as it was read, so that of two changes at once the later stands
    everywhere, and a deleted player is never named again.
    """
    for _ in range(ATTEMPTS):
        player = house.store.player(player_id)
        if player is None or player.settled:
            return True
        try:
            whole = _brought_in_line(house, player)
        except AccountGone:
            continue
        if whole:
            house.store.settle(player_id, player.revision)
        return whole
    raise TryAgain("try_again")


def _brought_in_line(house: House, player: Player) -> bool:
    whole = True
    for page in _all_matches(house, player.id):
        seen = house.store.matches(item.match_id for item in page)
        for item in page:
            if item.match_id not in seen or seen[item.match_id].status.live:
                whole &= _table_in_line(house, player, item.match_id)
    if player.deleted_at is not None:
        for session in house.store.sessions(player.id):
            house.store.end_session(player.id, session.id)
    return whole


def _table_in_line(house: House, player: Player, match_id: str) -> bool:
    """Whether this match is. One that is broken does not keep the others back."""
    try:
        _change_places(house, player, match_id)
    except (AccountGone, Unavailable, TryAgain):
        raise
    except Exception:
        _log.exception("a match could not be brought in line with an account", extra={"match_id": match_id})
        return False
    return True


def _rename(step: Step, seat: Seat, place: Place, player: Player) -> None:
    if place.name != player.name and not place.deleted:
        step.happen("player_renamed", seat, replace(place, name=player.name))
        step.named = [player]


def _remove(step: Step, seat: Seat, place: Place) -> None:
    if step.match.status is Status.WAITING:
        free(step, seat, place)
    elif place.type is SeatType.HUMAN:
        gone = replace(place, type=SeatType.BOT, name="", left=True, deleted=True, away=False, timeouts=0)
        vacate(step, seat, gone)
    elif not place.deleted:
        step.happen("player_deleted", seat, replace(place, name="", deleted=True))


def _change_places(house: House, player: Player, match_id: str) -> None:
    """Change every place of a live match that names the player, until the write stands."""
    for _ in range(ATTEMPTS):
        match = house.store.match(match_id)
        if match is None or not match.status.live:
            return None
        step = Step(match, house.now(), None, deal=running_deal(match))
        for seat in SEATS:
            place = step.match.places[seat]
            if place.player_id != player.id or not step.match.status.live:
                continue
            if player.deleted_at is None:
                _rename(step, seat, place, player)
            else:
                _remove(step, seat, place)
        if step.match.version == match.version:
            return None
        try:
            return house.store.save(step.change())
        except Lost:
            continue
    raise TryAgain("try_again")


def _all_matches(house: House, player_id: str) -> Iterator[tuple[Membership, ...]]:
    """Everything the player is or was one of, a page at a time; what was written before is among it."""
    after: tuple[int, str] | None = None
    while True:
        page = house.store.memberships(player_id, 100, after, consistent=True)
        yield page.items
        after = page.after
        if after is None:
            return


def export(house: House, player_id: str) -> dict[str, object]:
    """Everything that is kept about the player, as JSON values. Hashes of tokens are not: they tell nobody anything."""
    player = living(house, player_id)
    return {
        "player": {"id": player.id, "name": player.name, "created_at": player.created_at},
        "devices": [
            {"session_id": each.id, "created_at": each.created_at, "used_at": each.used_at, "revoked": each.revoked}
            for each in house.store.sessions(player_id)
        ],
        "matches": [told for page in _all_matches(house, player_id) for told in _exported(house, page)],
    }


def _exported(house: House, page: tuple[Membership, ...]) -> Iterator[dict[str, object]]:
    ids = [item.match_id for item in page]
    matches, seeds = house.store.matches(ids), house.store.seeds_of(page[0].player_id, ids) if page else {}
    for item in page:
        told: dict[str, object] = {"match_id": item.match_id, "seat": item.seat.text, "created_at": item.created_at}
        match = matches.get(item.match_id)
        if match is not None:
            told["status"] = match.status.value
            own = match.status is Status.WAITING and match.places[item.seat].player_id == item.player_id
            seed = match.seeds[item.seat] if own else seeds.get(item.match_id, "")
            if seed:
                told["client_seed"] = seed
        yield told
