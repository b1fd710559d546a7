"""A player's devices, each with a family of refresh tokens, of which one is good at a time.

A refresh token is the player's and the family's id (where to look), 32 secret bytes, and a proof that the family issued
it. Only hashes of tokens are kept. A token's successor is derived from it with the family's salt, so that a repeat
after a lost answer gets the same one, and nobody else can tell what it will be.

Who copies a token has the account until the owner's phone refreshes: then one of the two presents a token that was
exchanged already, with another `client_nonce`, and the family ends for both, with the families it has made.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from chalicelib.match.model import DAY
from chalicelib.service.errors import Refused, TryAgain, Unauthorized
from chalicelib.service.ports import Devices, Lost, Player, Session
from chalicelib.service.services import ID_BYTES, id_text
from chalicelib.service.table import ATTEMPTS, living

if TYPE_CHECKING:
    from collections.abc import Callable

    from chalicelib.service.services import Services

REFRESH_LIFE = 180 * DAY
"""Seconds a device may stay away before it has to be signed in anew."""
REPEAT_LIFE = 60
"""Seconds in which a token that was exchanged gets its successor again, whatever the nonce."""
MOST_DEVICES = 16
_ID = 16
_RANDOM = 8
"""Random bytes of a family's id; the others show that it is one of this player's."""
_SECRET = 43
_PROOF = 21
_LENGTH = _ID + _ID + _SECRET + _PROOF


class Grant(NamedTuple):
    """Who has come in, on which device, and the refresh token that keeps them in."""

    player: Player
    session_id: str
    refresh_token: str


def new_session(
    services: Services, player_id: str, name: str = "", opener: str = "", makers: tuple[str, ...] = ()
) -> tuple[Session, str]:
    """A device's new family and its first token. With an `opener`, the code and nonce that it comes in with, the token
    follows from it and the family's salt."""
    session_id, salt, now = (
        _session_id(player_id, services.random_bytes(_RANDOM)),
        services.random_bytes(32),
        services.now(),
    )
    if opener:
        token = first_token(player_id, session_id, salt, opener)
    else:
        token = _token(player_id, session_id, salt, services.random_bytes(32))
    session = Session(
        id=session_id,
        salt=salt,
        current=_hash(token),
        created_at=now,
        used_at=now,
        expires_at=now + REFRESH_LIFE,
        opened=digest(salt, "opener", opener) if opener else b"",
        name=name,
        makers=makers,
    )
    return session, token


def first_token(player_id: str, session_id: str, salt: bytes, opener: str) -> str:
    return _token(player_id, session_id, salt, digest(salt, "first token", opener))


def refresh(
    services: Services, refresh_token: str, client_nonce: str, admit: Callable[[str], None] = lambda session_id: None
) -> Grant:
    """The next refresh token of a device's family, and with it a fresh access token.

    A token that was exchanged already gets the same successor for a minute, and later with the nonce it was exchanged
    with, for as long as the successor was not used. Any other that the family has issued is a copy, and ends it: see
    `without`. A text that the family never issued changes nothing. `admit` is told the family of a token that is about
    to be exchanged; what it raises ends the attempt. It has no say about a repeat or a copy. `Refused`:
    client_nonce_used, the one of the refresh before: repeats could not be told from copies. `Unauthorized`:
    refresh_token_invalid, session_revoked, account_deleted.
    """
    if len(refresh_token) != _LENGTH or not refresh_token.isascii():
        raise Unauthorized("refresh_token_invalid")
    player_id, session_id = refresh_token[:_ID], refresh_token[_ID : 2 * _ID]
    admitted = False
    for _ in range(ATTEMPTS):
        devices = services.store.devices(player_id)
        session = signed_in(devices, session_id, services.now())
        if devices is None or session is None:
            raise _not_signed_in(services, player_id, session_id)
        if not _issued(session, refresh_token):
            raise Unauthorized("refresh_token_invalid")
        successor = _token(player_id, session_id, session.salt, digest(session.salt, "successor", refresh_token))
        rotated = _rotated(session, refresh_token, successor, client_nonce, services.now())
        if rotated is session:
            return Grant(living(services, player_id), session_id, successor)
        if rotated is not None and not admitted:
            admit(session_id)
            admitted = True
        try:
            services.store.save_devices(_with(devices, rotated) if rotated else without(devices, session_id))
        except Lost:
            continue
        if rotated is None:
            raise Unauthorized("session_revoked")
        return Grant(living(services, player_id), session_id, successor)
    raise TryAgain("try_again")


def _not_signed_in(services: Services, player_id: str, session_id: str) -> Unauthorized:
    """What to say of a token whose family is not there."""
    try:
        known = _session_id(player_id, base64.urlsafe_b64decode(session_id)[:_RANDOM]) == session_id
    except ValueError:
        known = False
    if not known:
        return Unauthorized("refresh_token_invalid")
    return _signed_out(services, player_id, "refresh_token_invalid")


def _rotated(session: Session, token: str, successor: str, client_nonce: str, now: int) -> Session | None:
    """The family once this token of its own is exchanged: as it is for one that was before, and may be again; None for
    a copy."""
    presented, nonce = _hash(token), digest(session.salt, "nonce", client_nonce)
    if hmac.compare_digest(presented, session.previous):
        again = now < session.used_at + REPEAT_LIFE or hmac.compare_digest(nonce, session.nonce)
        return session if again else None
    if not hmac.compare_digest(presented, session.current):
        return None
    if hmac.compare_digest(nonce, session.nonce):
        raise Refused("client_nonce_used")
    return replace(
        session,
        current=_hash(successor),
        previous=presented,
        nonce=nonce,
        used_at=now,
        expires_at=now + REFRESH_LIFE,
    )


def _with(devices: Devices, rotated: Session) -> Devices:
    return replace(devices, sessions=tuple(rotated if each.id == rotated.id else each for each in devices.sessions))


def without(devices: Devices, copied: str) -> Devices:
    """The devices when this family turns out to be in two hands: those that it has made by transfer codes, and those
    that they have made, may be the thief's too."""
    remaining = (each for each in devices.sessions if copied not in (each.id, *each.makers))
    return replace(devices, sessions=tuple(remaining))


def signed_in(devices: Devices | None, session_id: str, now: int) -> Session | None:
    """The device's family, if it is signed in."""
    sessions = devices.sessions if devices is not None else ()
    return next((each for each in sessions if each.id == session_id and each.expires_at > now), None)


def check_session(services: Services, player_id: str, session_id: str) -> None:
    """That the caller's device is signed in, and so that the account lives: a deletion signs all devices out in the
    write that it begins with. One read. `Unauthorized`: session_revoked, account_deleted."""
    if signed_in(services.store.devices(player_id), session_id, services.now()) is None:
        raise _signed_out(services, player_id, "account_deleted")


def _signed_out(services: Services, player_id: str, unknown: str) -> Unauthorized:
    """Why a device is not signed in. `unknown` is what to say of an account that never was."""
    player = services.store.player(player_id)
    if player is None:
        return Unauthorized(unknown)
    return Unauthorized("session_revoked" if player.deleted_at is None else "account_deleted")


def list_sessions(services: Services, player_id: str) -> tuple[Session, ...]:
    """The devices that are signed in, by the day of their last use. `Unauthorized`: account_deleted."""
    devices, now = services.store.devices(player_id), services.now()
    if devices is None:
        living(services, player_id)
        return ()
    living_on = (each for each in devices.sessions if each.expires_at > now)
    return tuple(sorted(living_on, key=lambda each: (-day_used(each), -each.created_at, each.id)))


def day_used(session: Session) -> int:
    """When the day (UTC) of a device's last refresh began, or when it was signed in. The minute stays untold: a thief
    with a copy of the token could see by it when the owner's phone has refreshed, and follow each time."""
    return max(session.created_at, session.used_at - session.used_at % DAY)


def sign_out(services: Services, player_id: str, session_id: str) -> None:
    """End one device's family; repeatable."""
    _keep(services, player_id, lambda session: session.id != session_id)


def sign_others_out(services: Services, player_id: str, session_id: str) -> None:
    """End the families of all devices but this one; repeatable."""
    _keep(services, player_id, lambda session: session.id == session_id)


def _keep(services: Services, player_id: str, stays: Callable[[Session], bool]) -> None:
    for _ in range(ATTEMPTS):
        devices = services.store.devices(player_id)
        remaining = tuple(filter(stays, devices.sessions)) if devices is not None else ()
        if devices is None or len(remaining) == len(devices.sessions):
            return None
        try:
            return services.store.save_devices(replace(devices, sessions=remaining))
        except Lost:
            continue
    raise TryAgain("try_again")


def digest(salt: bytes, purpose: str, text: str) -> bytes:
    """What follows from a secret text in this family, and differs for each purpose."""
    return hmac.digest(salt, f"{purpose}\n{text}".encode(), "sha256")


def _session_id(player_id: str, random: bytes) -> str:
    """A family's id. Families that have ended are not kept: by its form an id is told from garbage."""
    return id_text(random + hashlib.sha256(player_id.encode() + random).digest()[: ID_BYTES - _RANDOM])


def _issued(session: Session, token: str) -> bool:
    secret, proof = token[2 * _ID : 2 * _ID + _SECRET], token[2 * _ID + _SECRET :]
    return hmac.compare_digest(_proof(session.salt, secret), proof)


def _token(player_id: str, session_id: str, salt: bytes, secret: bytes) -> str:
    text = base64.urlsafe_b64encode(secret).decode().rstrip("=")
    return player_id + session_id + text + _proof(salt, text)


def _proof(salt: bytes, secret: str) -> str:
    return digest(salt, "proof", secret).hex()[:_PROOF]


def _hash(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()
