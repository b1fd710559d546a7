"""Rate limits: so often in an hour. Never on a move's way.

Whoever is known is charged as themselves, and an address only for what it alone can be charged with: new guests, and
failures. A failure is charged once it is one, so that junk sent from an address keeps nobody behind it out.
"""

from __future__ import annotations

import hmac
import ipaddress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chalicelib.api.http import Rejected
from chalicelib.api.route import By

HOUR = 60 * 60
DAY = 24 * HOUR
_UNREADABLE = b"unreadable"
"""What all addresses that cannot be read are counted as."""

if TYPE_CHECKING:
    from chalicelib.api.auth import Keys
    from chalicelib.api.route import Rate, Route
    from chalicelib.service.services import Services


@dataclass(frozen=True, slots=True)
class Meter:
    """The limits of one request. `factor` multiplies them; 0 counts nothing."""

    services: Services
    keys: Keys
    route: Route
    player_id: str
    address: str
    factor: float

    def begin(self, *, guess: bool) -> None:
        """Count a request that is about to be carried out, or `Rejected` (rate_limited). `guess`: it has a code."""
        for rate in self._rates(By.PLAYER, By.ADDRESS):
            if not rate.failures:
                self._count(rate)
        if guess:
            self._refuse_guesser()

    def admit(self, session_id: str) -> None:
        """Count a request of this device, or `Rejected` (rate_limited)."""
        for rate in self._rates(By.DEVICE):
            self._count(rate, session_id)

    def failed(self, code: str) -> None:
        """Count a failure; `Rejected` (rate_limited) in its place if there were too many."""
        late = None
        for rate in self._rates(By.PLAYER, By.ADDRESS):
            if code in rate.failures:
                try:
                    self._count(rate)
                except Rejected as rejected:
                    late = rejected
        if late is not None:
            raise late

    def _refuse_guesser(self) -> None:
        """A player who has failed too often is refused before it is known whether this guess is right. So is one who
        has failed at all, once the address has too often: others behind it are not."""
        own = [rate for rate in self._rates(By.PLAYER) if rate.failures]
        failures = max((self._uses(rate) for rate in own), default=0)
        shared = [rate for rate in self._rates(By.ADDRESS) if rate.failures] if failures else []
        if any(failures >= self._most(rate) for rate in own) or any(
            self._uses(rate) >= self._most(rate) for rate in shared
        ):
            now = self.services.now()
            raise _limited(HOUR - now % HOUR)

    def _rates(self, *by: By) -> tuple[Rate, ...]:
        return tuple(rate for rate in self.route.rates if rate.by in by) if self.factor else ()

    def _most(self, rate: Rate) -> int:
        return max(1, int(rate.most * self.factor))

    def _count(self, rate: Rate, session_id: str = "") -> None:
        wait = self.services.store.count(self._key(rate, session_id), HOUR, self._most(rate), self.services.now())
        if wait:
            raise _limited(wait)

    def _uses(self, rate: Rate) -> int:
        return self.services.store.uses(self._key(rate), HOUR, self.services.now())

    def _key(self, rate: Rate, session_id: str = "") -> str:
        match rate.by:
            case By.PLAYER:
                who = self.player_id
            case By.DEVICE:
                who = session_id
            case By.ADDRESS:
                who = _origin(self.keys, self.address, self.services.now() // DAY)
        return f"{rate.name}:{who}"


def _limited(wait: int) -> Rejected:
    return Rejected("rate_limited", {"retry_after_seconds": wait}, headers={"Retry-After": str(wait)})


def _origin(keys: Keys, address: str, day: int) -> str:
    """What a subscriber has of the address (all of IPv4, the /56 of IPv6: RFC 6177), digested with a key of this day
    (UTC). Hours are counted within days, so that midnight parts no count."""
    key = keys.derived(f"source addresses of day {day}")
    return hmac.digest(key, _subscriber(address), "sha256").hex()[:24]


def _subscriber(address: str) -> bytes:
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return _UNREADABLE
    if parsed.version == 6:
        if parsed.ipv4_mapped is None:
            return parsed.packed[:7]
        parsed = parsed.ipv4_mapped
    return parsed.packed
