"""A player's devices, each with a family of refresh tokens, and the codes that sign another device in.

A refresh token is the player's and the family's id (where to look), 32 secret bytes, and a proof that the family issued
it. Only hashes of tokens are kept. A token's successor is derived from it with the family's salt, so that a repeat
after a lost answer gets the same one, and nobody else can tell what it will be.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from chalicelib.service.errors import TryAgain, Unauthorized
from chalicelib.service.house import plain_code
from chalicelib.service.model import DAY
from chalicelib.service.ports import AccountGone, Lost, Player, Session, TransferCode
from chalicelib.service.table import ATTEMPTS, living

if TYPE_CHECKING:
    from chalicelib.service.house import House

REFRESH_LIFE = 180 * DAY
"""Seconds a device may stay away before it has to be signed in anew."""
TRANSFER_LIFE = 10 * 60
REPEAT_LIFE = 60
"""Seconds in which a device whose answer was lost may exchange its transfer code again."""
_ID = 16
_SECRET = 43
_PROOF = 21
_LENGTH = _ID + _ID + _SECRET + _PROOF


@dataclass(frozen=True, slots=True)
class Grant:
    """Who has come in, on which device, and the refresh token that keeps them in."""

    player: Player
    session_id: str
    refresh_token: str


def new_session(house: House, player_id: str, code: str = "") -> tuple[Session, str]:
    """A device's new family and its first token. With a transfer code the token follows from it and the family's
    salt."""
    session_id, salt, now = house.new_id(), house.random_bytes(32), house.now()
    secret = _transferred(salt, code) if code else house.random_bytes(32)
    token = _token(player_id, session_id, salt, secret)
    session = Session(
        player_id=player_id,
        id=session_id,
        salt=salt,
        current=_hash(token),
        previous=b"",
        generation=0,
        created_at=now,
        used_at=now,
        expires_at=now + REFRESH_LIFE,
    )
    return session, token


def refresh(house: House, refresh_token: str) -> Grant:
    """The next refresh token of a device's family, and with it a fresh access token.

    A token whose successor was used already has been copied: its whole family ends. A text that the family never issued
    changes nothing. `Unauthorized`: refresh_token_invalid, session_revoked, account_deleted.
    """
    if len(refresh_token) != _LENGTH or not refresh_token.isascii():
        raise Unauthorized("refresh_token_invalid")
    player_id, session_id = refresh_token[:_ID], refresh_token[_ID : 2 * _ID]
    presented, now = _hash(refresh_token), house.now()
    for _ in range(ATTEMPTS):
        session = house.store.session(player_id, session_id)
        if session is None or not _issued(session, refresh_token):
            raise Unauthorized("refresh_token_invalid")
        player = living(house, player_id)
        if session.revoked or session.expires_at <= now:
            raise Unauthorized("session_revoked")
        secret = hmac.digest(session.salt, refresh_token.encode(), "sha256")
        successor = _token(player_id, session_id, session.salt, secret)
        if hmac.compare_digest(presented, session.previous):
            return Grant(player, session_id, successor)
        if not hmac.compare_digest(presented, session.current):
            house.store.end_session(player_id, session_id)
            raise Unauthorized("session_revoked")
        following = replace(
            session,
            current=_hash(successor),
            previous=presented,
            generation=session.generation + 1,
            used_at=now,
            expires_at=now + REFRESH_LIFE,
        )
        try:
            house.store.save_session(following, session.generation)
        except Lost:
            continue
        return Grant(player, session_id, successor)
    raise TryAgain("try_again")


def transfer_code(house: House, player_id: str, session_id: str) -> tuple[str, int]:
    """A code that signs one more device in, and when it expires.

    Only a device that is signed in itself gets one: an access token outlives its family by some minutes.
    `Unauthorized`: session_revoked, account_deleted.
    """
    living(house, player_id)
    session = house.store.session(player_id, session_id)
    if session is None or session.revoked or session.expires_at <= house.now():
        raise Unauthorized("session_revoked")
    code, expires_at = house.new_code() + house.new_code(), house.now() + TRANSFER_LIFE
    house.store.put_transfer_code(TransferCode(_hash(code), player_id, expires_at))
    return code, expires_at


def exchange(house: House, code: str) -> Grant:
    """Sign a device in with a transfer code. A repeat within a minute gets the same tokens, until they are used.

    `Unauthorized`: transfer_code_invalid (wrong, expired and used ones alike), account_deleted.
    """
    typed, now = plain_code(code), house.now()
    for _ in range(ATTEMPTS):
        kept = house.store.transfer_code(_hash(typed), now)
        if kept is None:
            raise Unauthorized("transfer_code_invalid")
        player = living(house, kept.player_id)
        if kept.session_id is not None:
            return _exchanged(house, player, kept.session_id, typed)
        session, token = new_session(house, player.id, typed)
        try:
            house.store.create_session(session, replace(kept, session_id=session.id))
        except Lost:
            continue
        except AccountGone:
            raise Unauthorized("account_deleted") from None
        return Grant(player, session.id, token)
    raise TryAgain("try_again")


def _exchanged(house: House, player: Player, session_id: str, code: str) -> Grant:
    """The same tokens again, for a moment, and as long as they were not used: two devices must not share a family."""
    session = house.store.session(player.id, session_id)
    if session is None or session.revoked or session.generation or session.created_at + REPEAT_LIFE <= house.now():
        raise Unauthorized("transfer_code_invalid")
    token = _token(player.id, session_id, session.salt, _transferred(session.salt, code))
    return Grant(player, session_id, token)


def sign_out(house: House, player_id: str, session_id: str) -> None:
    """End this device's family; repeatable."""
    house.store.end_session(player_id, session_id)


def _issued(session: Session, token: str) -> bool:
    secret, proof = token[2 * _ID : 2 * _ID + _SECRET], token[2 * _ID + _SECRET :]
    return hmac.compare_digest(_proof(session.salt, secret), proof)


def _token(player_id: str, session_id: str, salt: bytes, secret: bytes) -> str:
    text = base64.urlsafe_b64encode(secret).decode().rstrip("=")
    return player_id + session_id + text + _proof(salt, text)


def _proof(salt: bytes, secret: str) -> str:
    return hmac.digest(salt, secret.encode(), "sha256").hex()[:_PROOF]


def _transferred(salt: bytes, code: str) -> bytes:
    return hmac.digest(salt, b"transfer" + code.encode(), "sha256")


def _hash(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()
