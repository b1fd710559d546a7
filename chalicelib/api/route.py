"""What a route is: one operation, with all that the app and the contract need to know of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from chalicelib.api.fields import Body, OneOf
    from chalicelib.api.http import Answer, Request
    from chalicelib.api.parameters import Parameter

BASE = "/v1"
"""What all paths begin with."""


class By(StrEnum):
    """Whose uses are counted together."""

    PLAYER = "player"
    DEVICE = "device"
    ADDRESS = "address"


@dataclass(frozen=True, slots=True)
class Rate:
    """How often in an hour. Operations with a rate of one name share its count.

    Without `failures` every well-formed request counts. With them only those that fail with one of these codes do, and
    nobody else behind the address is held up for them: see `limits`.
    """

    name: str
    most: int
    by: By
    failures: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """One operation."""

    method: str
    path: str
    """Behind `BASE`, with the names of path parameters in braces."""
    operation_id: str
    tag: str
    endpoint: Callable[[Request], Answer]
    status: int = 200
    answer: str | None = None
    """The schema of the answer's body in the contract; None: there is none."""
    path_parameters: tuple[Parameter, ...] = ()
    query: tuple[Parameter, ...] = ()
    body: type[Body] | type[OneOf] | None = None
    takes_key: bool = False
    """Whether an Idempotency-Key makes it repeatable."""
    for_all: bool = False
    """Whether it needs no access token."""
    signed_out_too: bool = False
    """Whether a write is open to a device that is signed out, until its access token ends: a move, which must cost no
    further read, and signing out itself."""
    deleted_too: bool = False
    """Whether an account that is deleted has what this asks for already."""
    rates: tuple[Rate, ...] = ()
    errors: tuple[str, ...] = ()
    """Codes of problems that the use case may answer with, beside those that follow from the form of the route."""
    etag: bool = False
    """Whether an answer other than to GET has an ETag, the view's."""
    location: bool = False
    no_store: bool = False
    """Whether nobody may keep the answer, because it holds tokens or goes stale at once."""

    @property
    def signs(self) -> bool:
        """Whether the answer holds a new access token: the keys are read before anything is counted or written."""
        return self.answer == "SignIn"

    @property
    def checks_session(self) -> bool:
        """Whether the caller's device must be signed in still, which takes a read: for every write but what is said to
        go on without, and for what uses up a limit of the player."""
        writes = self.method not in ("GET", "HEAD") and not self.signed_out_too
        return not self.for_all and (writes or any(rate.by is By.PLAYER for rate in self.rates))

    @property
    def conditional(self) -> bool:
        """Whether If-None-Match is looked at: every read that may be kept has an ETag."""
        return self.method == "GET" and not self.no_store
