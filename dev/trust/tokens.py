"""Authorization headers that must let nobody in."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from collections.abc import Mapping
from typing import Any

import jwt

from dev.trust.phones import Phone
from dev.trust.transport import KEYS

_LEFT_OUT = object()


def wrong_tokens(phone: Phone, now: int) -> Mapping[str, str | None]:
    """By what is wrong with them; the first is none at all. `now` is the clock of the services."""
    kid, key = next(iter(KEYS.by_id().items()))
    claims: dict[str, Any] = jwt.decode(phone.access, options={"verify_signature": False})
    claims |= {"exp": now + 60}

    def signed(secret: bytes = key, key_id: str | None = kid, alg: str = "HS256", **more: object) -> str:
        told = {name: value for name, value in (claims | more).items() if value is not _LEFT_OUT}
        return "Bearer " + jwt.encode(told, secret, alg, {} if key_id is None else {"kid": key_id})

    def by_hand(header: Mapping[str, object], signature: bytes | None = None) -> str:
        head = f"{_text(json.dumps(header).encode())}.{_text(json.dumps(claims).encode())}"
        made = hmac.digest(key, head.encode(), "sha256") if signature is None else signature
        return f"Bearer {head}.{_text(made)}"

    head, _, tail = phone.access.partition(".")
    body, _, signature = tail.partition(".")
    other = _text(json.dumps(claims | {"sub": "A" * 16}).encode())
    return {
        "none": None,
        "garbage": "Bearer garbage",
        "an empty one": "Bearer ",
        "another scheme": "Basic " + phone.access,
        "a refresh token": "Bearer " + phone.refresh,
        "expired": signed(exp=now - 1),
        "expiring now": signed(exp=now),
        "a wrong key": signed(b"w" * 32),
        "the key's name as the key": signed(kid.encode().ljust(32, b"\0")),
        "a head nested deeply": f"Bearer {_text(b'[' * 6000)}.{body}.{signature}",
        "alg none": by_hand({"alg": "none", "typ": "JWT", "kid": kid}, b""),
        "alg nOnE": by_hand({"alg": "nOnE", "kid": kid}, b""),
        "alg none, signed": by_hand({"alg": "none", "kid": kid}),
        "alg HS512": signed(hashlib.sha512(key).digest(), alg="HS512"),
        "alg HS512 of the key": signed(key * 2, alg="HS512"),
        "no signature": f"Bearer {head}.{body}.",
        "another's name on it": f"Bearer {head}.{other}.{signature}",
        "a bit turned": f"Bearer {head}.{body}.{'A' if signature[0] != 'A' else 'B'}{signature[1:]}",
        "no key id": signed(key_id=None),
        "an unknown key id": signed(key_id="../" + kid),
        "another issuer": signed(iss="somebody"),
        "another audience": signed(aud="somewhere"),
        "no expiry": signed(exp=_LEFT_OUT),
        "an expiry in words": signed(exp="never"),
        "an endless expiry": signed(exp=1e300),
        "nobody's": signed(sub=_LEFT_OUT),
        "nobody's, by an empty name": signed(sub=""),
        "no device's": signed(sid=_LEFT_OUT),
    }


def _text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
