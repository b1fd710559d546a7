"""Rate limits: so often in an hour, by caller and, since guests are free, by source address. Never on a move's way."""

from __future__ import annotations

import hashlib
import ipaddress
from typing import TYPE_CHECKING

from chalicelib.api.http import Rejected

HOUR = 60 * 60

if TYPE_CHECKING:
    from chalicelib.api.route import Rate
    from chalicelib.service.house import House


def count(house: House, rate: Rate, player_id: str, address: str, factor: float) -> None:
    """Count one use, or `Rejected` (rate_limited) with the seconds to wait."""
    if not factor:
        return
    for most, key in ((rate.caller, player_id), (rate.address, _origin(address))):
        if most and key:
            wait = house.store.count(f"{rate.name}:{key}", HOUR, max(1, int(most * factor)), house.now())
            if wait:
                raise Rejected("rate_limited", {"retry_after_seconds": wait}, headers={"Retry-After": str(wait)})


def _origin(address: str) -> str:
    """What a subscriber has of the address (all of IPv4, the /64 of IPv6: RFC 6177), digested: it is not kept."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return ""
    bits = parsed.packed if parsed.version == 4 else parsed.packed[:8]
    return hashlib.sha256(b"source\n" + bits).hexdigest()[:24]
