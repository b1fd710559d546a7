"""What an endpoint is given and what it answers with; Chalice's own objects stay in the dispatcher."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from chalicelib.api.auth import Keys
    from chalicelib.service.services import Services


class Rejected(Exception):
    """The request's form is wrong: answered with the problem `code` before any use case is called."""

    def __init__(
        self,
        code: str,
        params: Mapping[str, object] | None = None,
        *,
        errors: tuple[dict[str, object], ...] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(code)
        self.code = code
        self.params = params
        self.errors = errors
        self.headers = headers or {}


def method_not_allowed(methods: Collection[str]) -> Rejected:
    """What an address with these methods, and HEAD with GET, says to others: they go in Allow (RFC 9110 §15.5.6)."""
    allowed = sorted({*methods, "HEAD"} if "GET" in methods else methods)
    return Rejected("method_not_allowed", {"allowed": allowed}, headers={"Allow": ", ".join([*allowed, "OPTIONS"])})


@dataclass(frozen=True, slots=True)
class Request:
    """A request that has been read and found well formed, from a caller who is known."""

    services: Services
    keys: Keys
    player_id: str
    """"" where anybody may call."""
    session_id: str
    path: Mapping[str, Any]
    """Path parameters, as their values (a number, a `Seat`, …)."""
    query: Mapping[str, Any]
    """Query parameters that were given, as their values, and the defaults of others."""
    body: Any
    """The validated body; `{}` where none was sent."""
    key: str | None = None
    """The Idempotency-Key."""
    admit: Callable[[str], None] = lambda session_id: None
    """Counts one use by a device that is known only once its token is read; `Rejected` (rate_limited)."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What goes back: `body` as JSON, a text as it is, or None for no content."""

    body: Mapping[str, object] | str | None
    headers: dict[str, str] = field(default_factory=dict)
    """A Location is a path below `BASE`, without the slash before it."""
