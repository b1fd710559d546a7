"""Access tokens: JSON Web Tokens (RFC 7519) signed with HS256, 15 minutes long, for a player on one device."""

from __future__ import annotations

import base64
import binascii
import functools
import hmac
import json
import os
from typing import TYPE_CHECKING, NamedTuple

import jwt

from chalicelib.api import keyring
from chalicelib.api.http import Rejected

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jwt.types import Options

LIFETIME = 15 * 60
"""Seconds an access token is good for."""
KEYS_VARIABLE = "DO_DOONI_SIGNING_KEYS"
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


@functools.cache
def signing_keys() -> Mapping[str, bytes]:
    """Key id → secret. The first signs, all verify, so that keys can be rotated. There is no default."""
    text = os.environ.get(KEYS_VARIABLE) or keyring.secret_text()
    if not text:
        raise BadSigningKeys(f"neither {KEYS_VARIABLE} nor {keyring.SECRET_VARIABLE} is set")
    try:
        keys = {str(kid): _secret(secret) for kid, secret in json.loads(text).items()}
    except (ValueError, AttributeError, TypeError, binascii.Error):
        raise BadSigningKeys("the signing keys are not a JSON object from key id to base64url secret") from None
    if not keys or any(len(secret) < SHORTEST_KEY for secret in keys.values()):
        raise BadSigningKeys(f"a signing key needs at least {SHORTEST_KEY} bytes")
    return keys


def derived_key(label: str) -> bytes:
    """A key for another purpose, from the one that signs; from it nobody can tell that one (RFC 5869)."""
    return hmac.digest(next(iter(signing_keys().values())), f"do-dooni {label}".encode(), "sha256")


def _secret(text: str) -> bytes:
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


def issue(player_id: str, session_id: str, now: int) -> str:
    """A fresh access token."""
    kid, key = next(iter(signing_keys().items()))
    claims = {
        "iss": _ISSUER,
        "aud": _AUDIENCE,
        "sub": player_id,
        "sid": session_id,
        "iat": now,
        "exp": now + LIFETIME,
    }
    return jwt.encode(claims, key, algorithm=_ALGORITHM, headers={"kid": kid})


def caller(authorization: str | None, now: int) -> Caller:
    """Who sends this Authorization header (RFC 6750 §2.1). `Rejected`: token_missing, token_invalid, token_expired."""
    if not authorization:
        raise _unauthorized("token_missing")
    scheme, _, token = authorization.partition(" ")
    if scheme.lower() != "bearer":
        raise _unauthorized("token_invalid")
    keys = signing_keys()
    try:
        found, expires = _verified(token, keys[_key_id(token.partition(".")[0])])
    except (jwt.InvalidTokenError, KeyError, ValueError, TypeError, RecursionError):  # a head may be nested deeply
        raise _unauthorized("token_invalid") from None
    if expires <= now:
        raise _unauthorized("token_expired")
    return found


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
    expires, found = claims["exp"], Caller(claims["sub"], claims["sid"])
    if type(expires) is not int or not all(isinstance(part, str) and part for part in found):
        raise ValueError("claims of other kinds")
    return found, expires


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
