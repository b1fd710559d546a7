"""Opaque cursors: where a list goes on, sealed for the player it was given to, so that an altered one is told apart."""

from __future__ import annotations

import base64
import hmac
import re
from typing import TYPE_CHECKING

from chalicelib.api.parameters import invalid_cursor

if TYPE_CHECKING:
    from chalicelib.api.auth import Keys

_SEAL = 12
"""Bytes of the seal."""
_FORM = re.compile(r"[A-Za-z0-9_-]{24,200}")


def write(keys: Keys, player_id: str, after: tuple[int, str]) -> str:
    """The cursor behind (created_at, match_id) of a player's list."""
    text = f"{after[0]} {after[1]}".encode()
    return _encoded(_sealed(keys.newest, player_id, text) + text)


def read(keys: Keys, player_id: str, cursor: str) -> tuple[int, str]:
    """What `write` was given; `Rejected` for anything it did not write for this player."""
    if not _FORM.fullmatch(cursor):
        raise invalid_cursor()
    try:
        raw = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
    except ValueError:
        raise invalid_cursor() from None
    seal, text = raw[:_SEAL], raw[_SEAL:]
    genuine = any(hmac.compare_digest(seal, _sealed(key, player_id, text)) for key in keys.by_id().values())
    if not genuine or _encoded(raw) != cursor:
        raise invalid_cursor()
    created_at, match_id = text.decode().split(" ")
    return int(created_at), match_id


def _encoded(raw: bytes) -> str:
    """The one way to write these bytes: base64 has spare bits, which nobody may play with."""
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def _sealed(key: bytes, player_id: str, text: bytes) -> bytes:
    return hmac.digest(key, b"cursor\n" + player_id.encode() + b"\n" + text, "sha256")[:_SEAL]
