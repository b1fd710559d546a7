"""The codes that sign a device in: a transfer code from another device, and the recovery code, the way back in.

Only hashes of codes are stored. A device that lost the answer sends the same code with the same `client_nonce` again
and gets the same tokens, as long as they have not been used.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import replace
from typing import TYPE_CHECKING

from chalicelib.match.model import DAY
from chalicelib.service.errors import Refused, TryAgain
from chalicelib.service.people.devices import MOST_DEVICES, Grant, digest, first_token, new_session, signed_in
from chalicelib.service.ports import Devices, Lost, Player, TransferCode
from chalicelib.service.services import plain_code
from chalicelib.service.table import ATTEMPTS, living

if TYPE_CHECKING:
    from chalicelib.service.ports import Session
    from chalicelib.service.services import Services

TRANSFER_LIFE = 10 * 60
TRANSFER_LENGTH = 16
USED_LIFE = DAY
"""Seconds for which a used transfer code is kept for its own device's repeats."""
RECOVERY_LENGTH = 20
"""100 bits: no search finds the code of a hash, nor that of any hash among millions."""


def transfer_code(services: Services, player_id: str, session_id: str) -> tuple[str, int]:
    """A code that signs one more device in, and when it expires. It dies with the device that made it."""
    code, expires_at = services.new_code(TRANSFER_LENGTH), services.now() + TRANSFER_LIFE
    services.store.put_transfer_code(TransferCode(_hash(code), player_id, session_id, expires_at))
    return code, expires_at


def transfer(services: Services, code: str, client_nonce: str, device_name: str = "") -> Grant:
    """Sign one more device in.

    `Refused`: transfer_code_invalid (wrong, expired and used ones alike, and those whose maker is signed out),
    too_many_devices.
    """
    typed, now = plain_code(code), services.now()
    opener = f"{typed}\n{client_nonce}"
    for _ in range(ATTEMPTS):
        stored = services.store.transfer_code(_hash(typed), now)
        devices = services.store.devices(stored.player_id) if stored is not None else None
        if stored is None or devices is None:
            raise Refused("transfer_code_invalid")
        if stored.session_id:
            repeated = _repeated(services, devices, opener)
            if repeated is None:
                raise Refused("transfer_code_invalid")
            return repeated
        maker = signed_in(devices, stored.maker, now)
        if maker is None:
            raise Refused("transfer_code_invalid")
        sessions = tuple(each for each in devices.sessions if each.expires_at > now)
        if len(sessions) >= MOST_DEVICES:
            raise Refused("too_many_devices", most=MOST_DEVICES)
        makers = (*(each.id for each in sessions if each.id in maker.makers), maker.id)
        session, token = new_session(services, stored.player_id, device_name, opener, makers)
        used = replace(stored, session_id=session.id, expires_at=now + USED_LIFE)
        try:
            services.store.save_devices(replace(devices, sessions=(*sessions, session)), used=used)
        except Lost:
            continue
        return Grant(living(services, stored.player_id), session.id, token)
    raise TryAgain("try_again")


def recovery_code(services: Services, player_id: str) -> str:
    """The account's new recovery code, told this once; the one before is worth nothing any more. `Unauthorized`:
    account_deleted."""
    for _ in range(ATTEMPTS):
        player = living(services, player_id)
        code = services.new_code(RECOVERY_LENGTH)
        try:
            services.store.set_recovery(player, _hash(code), services.now())
        except Lost:
            continue
        return code
    raise TryAgain("try_again")


def recover(services: Services, code: str, client_nonce: str, device_name: str = "") -> Grant:
    """Sign this device in, and all others out. The code stays good until another is made.

    `Refused`: recovery_code_invalid (wrong and replaced ones alike; and one whose tokens, for this nonce, were used: a
    request that arrives late must not sign its own device out).
    """
    typed = plain_code(code)
    code_hash, opener = _hash(typed), f"{typed}\n{client_nonce}"
    for _ in range(ATTEMPTS):
        player = _recovered(services, code_hash)
        devices = services.store.devices(player.id) or Devices(player.id)
        if any(_opened(each, opener) for each in devices.sessions):
            repeated = _repeated(services, devices, opener)
            if repeated is None:
                raise Refused("recovery_code_invalid")
            return repeated
        session, token = new_session(services, player.id, device_name, opener)
        try:
            services.store.save_devices(replace(devices, sessions=(session,)), recovered_with=code_hash)
        except Lost:
            continue
        return Grant(player, session.id, token)
    raise TryAgain("try_again")


def _recovered(services: Services, code_hash: bytes) -> Player:
    player_id = services.store.recovers(code_hash)
    player = services.store.player(player_id) if player_id is not None else None
    if player is None or player.deleted_at is not None or player.recovery != code_hash:
        raise Refused("recovery_code_invalid")
    return player


def _repeated(services: Services, devices: Devices, opener: str) -> Grant | None:
    """The tokens of the device that came in with this code and nonce, if they were not used yet."""
    for session in devices.sessions:
        if not session.previous and session.expires_at > services.now() and _opened(session, opener):
            token = first_token(devices.player_id, session.id, session.salt, opener)
            return Grant(living(services, devices.player_id), session.id, token)
    return None


def _opened(session: Session, opener: str) -> bool:
    return hmac.compare_digest(digest(session.salt, "opener", opener), session.opened)


def _hash(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()
