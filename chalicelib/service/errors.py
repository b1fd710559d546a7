"""Why a use case was not carried out.

    Failure                     every one has a stable `code` and `params`
     ├─ Malformed      400      the request cannot be understood (a cursor, a value out of its range)
     ├─ Unauthorized   401      not signed in (any more): token_expired, session_revoked, account_deleted, …
     ├─ Forbidden      403      only somebody else may: host_only
     ├─ NotFound       404      there is no such thing, or it is not yours to see: both look alike
     ├─ WrongState     409      not possible in the present state; carries `current`, the caller's view
     ├─ Refused        422      understood, and against the rules; carries `current`
     ├─ TooMany        429      a rate limit; `retry_after` seconds
     └─ TryAgain       503      the store did not answer, or every try lost its race; `retry_after` seconds

The codes and their parameters stand in one table, `chalicelib.api.problems`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chalicelib.match.view import MatchView


class Failure(Exception):
    """Base of all. `params` are plain JSON values with which a client can describe it in its own language."""

    retry_after: int | None = None
    """Seconds after which trying again makes sense."""

    def __init__(self, code: str, current: MatchView | None = None, /, **params: object) -> None:
        super().__init__(code)
        self.code = code
        self.params = params
        self.current = current


class Malformed(Failure):
    pass


class Unauthorized(Failure):
    pass


class Forbidden(Failure):
    pass


class NotFound(Failure):
    pass


class WrongState(Failure):
    pass


class Refused(Failure):
    pass


class TooMany(Failure):
    def __init__(self, code: str, retry_after: int, **params: object) -> None:
        super().__init__(code, **params)
        self.retry_after = retry_after


class TryAgain(Failure):
    retry_after = 1

    def __str__(self) -> str:
        return "every try lost its race"
