"""Access tokens: JSON Web Tokens (RFC 7519) signed with HS256, 15 minutes long, for a player on one device."""

from __future__ import annotations

import base64
import binascii
import functools
import hmac
import json
from typing import TYPE_CHECKING, NamedTuple

import jwt

from chalicelib.api import keyring
from chalicelib.api.http import Rejected

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from jwt.types import Options

LIFETIME = 15 * 60
"""Seconds an access token is good for, unless said otherwise."""
SHORTEST_KEY = 32
"""Bytes: HS256 wants a key as long as its hash (RFC 7518 §3.2)."""

_ALGORITHM = "HS256"
_ISSUER = "do-dooni"
_AUDIENCE = "do-dooni-api"
_CHECKS: Options = {
    "require": ["iss", "aud", "exp", "sub", "sid"],
    # The times are judged by the services' clock, below.
    "verify_exp": False,
    "verify_iat": False,
    "verify_nbf": False,
}


class Caller(NamedTuple):
    """Who holds a valid token: a player, and the device's session."""

    player_id: str
    session_id: str


class BadSigningKeys(Exception):
    """The keys this deployment was given are not usable. Says why, and never what they are."""


class Keys:
    """The signing keys, which sign and verify all tokens. There is no default.

    `read` gives them as text, None where there are none. It is called when a key is first needed, and again only if it
    failed. `lifetime`: seconds an access token is good for.
    """

    def __init__(self, read: Callable[[], str | None], lifetime: int = LIFETIME) -> None:
        self._read, self.lifetime = read, lifetime
        self._by_id: Mapping[str, bytes] = {}

    def by_id(self) -> Mapping[str, bytes]:
        """Key id → secret. The first signs, all verify, so that keys can be rotated."""
        if not self._by_id:
            self._by_id = _parsed(self._read())
        return self._by_id

    @property
    def newest(self) -> bytes:
        """The key that signs."""
        return next(iter(self.by_id().values()))

    def derived(self, label: str) -> bytes:
        """A key for another purpose, from the one that signs; from it nobody can tell that one (RFC 5869)."""
        return hmac.digest(self.newest, f"do-dooni {label}".encode(), "sha256")

    def issue(self, player_id: str, session_id: str, now: int) -> str:
        """A fresh access token."""
        claims = {
            "iss": _ISSUER,
            "aud": _AUDIENCE,
            "sub": player_id,
            "sid": session_id,
            "iat": now,
            "exp": now + self.lifetime,
        }
        return jwt.encode(claims, self.newest, algorithm=_ALGORITHM, headers={"kid": next(iter(self.by_id()))})

    def caller(self, authorization: str | None, now: int) -> Caller:
        """Who sends this Authorization header (RFC 6750 §2.1). `Rejected`: token_missing, token_invalid,
        token_expired."""
        if not authorization:
            raise _unauthorized("token_missing")
        scheme, _, token = authorization.partition(" ")
        if scheme.lower() != "bearer":
            raise _unauthorized("token_invalid")
        keys = self.by_id()
        try:
            caller, expires = _verified(token, keys[_key_id(token.partition(".")[0])])
        except (jwt.InvalidTokenError, KeyError, ValueError, TypeError, RecursionError):  # a head may be nested deeply
            raise _unauthorized("token_invalid") from None
        if expires <= now:
            raise _unauthorized("token_expired")
        return caller


def _parsed(text: str | None) -> Mapping[str, bytes]:
    if not text:
        raise BadSigningKeys(f"neither {keyring.KEYS_VARIABLE} nor {keyring.SECRET_VARIABLE} is set")
    try:
        keys = {str(kid): _secret(secret) for kid, secret in json.loads(text).items()}
    except (ValueError, AttributeError, TypeError, binascii.Error):
        raise BadSigningKeys("the signing keys are not a JSON object from key id to base64url secret") from None
    if not keys or any(len(secret) < SHORTEST_KEY for secret in keys.values()):
        raise BadSigningKeys(f"a signing key needs at least {SHORTEST_KEY} bytes")
    return keys


def _secret(text: str) -> bytes:
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


@functools.lru_cache(maxsize=1024)
def _verified(token: str, key: bytes) -> tuple[Caller, int]:
    """Whose a genuine token is, and when it ends. A player's moves come with the same one: it is checked only once."""
    claims = jwt.decode(
        token,
        key,
        algorithms=[_ALGORITHM],
        issuer=_ISSUER,
        audience=_AUDIENCE,
        options=_CHECKS,
    )
    expires, caller = claims["exp"], Caller(claims["sub"], claims["sid"])
    if type(expires) is not int or not all(isinstance(part, str) and part for part in caller):
        raise ValueError("claims of other kinds")
    return caller, expires


@functools.lru_cache(maxsize=64)
def _key_id(head: str) -> str:
    """The id of the key that a token's head names: there are few heads, and each is read once."""
    return str(json.loads(_secret(head))["kid"])


def _unauthorized(code: str) -> Rejected:
    return Rejected(code, headers=challenge(code))


def challenge(code: str) -> dict[str, str]:
    """The header that a 401 must have (RFC 9110 §11.6.1, RFC 6750 §3)."""
    error = "" if code == "token_missing" else ', error="invalid_token"'
    return {"WWW-Authenticate": f'Bearer realm="do-dooni"{error}'}
