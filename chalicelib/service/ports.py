"""What the use cases need of storage. `chalicelib.store` implements it on DynamoDB, and in memory for tests.

Every call may raise `Unavailable`: the store did not answer in time or refused for load. A write may or may not have
happened then: whoever repeats it reads first. Times are whole seconds since the epoch.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from chalicelib.engine import DealResult
    from chalicelib.match.model import Change, ClosedDeal, EventBatch, Match, Membership, Seed, Status
    from chalicelib.match.sets import DealSet, SetResult

SHARDS = 4
"""Matches are spread over so many partitions of the due index, numbered from 0. It may grow, and must never shrink:
what is scheduled in a partition that nobody reads is not found again."""
ACCOUNTS = -1
"""The partition of accounts that are not settled: renamed or deleted, but not everywhere yet. Its number does not
depend on `SHARDS`."""
SETS = -2
"""The partition of sets for which par is to be made."""


class Lost(Exception):
    """A write lost its race: the item is no longer as it was read (or our own earlier try has won). Read again and
    see."""


class AccountGone(Exception):
    """The account is deleted, or its profile is no longer as it was read. Read it again and see."""


class SeatHeld(Exception):
    """The write would give a seat to an account that may not have it: it has held another one since cards were dealt,
    or the host has sent it away."""


class TooManyLive(Exception):
    """The write would give an account more live matches than anybody may have."""


class Unavailable(Exception):
    """The store did not answer in time, or refused for load; or the keyring did. A write may or may not have
    happened."""


_until: ContextVar[float | None] = ContextVar("store_until", default=None)


@contextmanager
def budget(seconds: float) -> Iterator[None]:
    """Within this block no call to a store begins more than `seconds` from now: it is `Unavailable` instead."""
    token = _until.set(monotonic() + seconds)
    try:
        yield
    finally:
        _until.reset(token)


def in_budget() -> bool:
    """Whether a call to a store may still begin."""
    until = _until.get()
    return until is None or monotonic() < until


class Settling(NamedTuple):
    """How far a renaming or deletion has come with the live matches that name the player."""

    after: str = ""
    """The last one in the order of `naming` that was looked at; "" before the first."""
    missed: bool = False
    """Whether one could not be brought in line, so that all are gone through again."""


FIRST = Settling()


@dataclass(frozen=True, slots=True)
class Player:
    """An account. A deleted one stays as a tombstone: nothing but its id and times, `deleted_at` set.

    Live matches hold copies of the name. `revision` counts its changes, the deletion included, and `settled` says that
    all copies are as the profile is: until then the sweep goes on with it, behind `settling`.
    """

    id: str
    name: str
    """"" for a player without a name."""
    created_at: int
    deleted_at: int | None = None
    revision: int = 1
    settled: bool = True
    settling: Settling = FIRST
    locale: str = ""
    """The language an app speaks to them (BCP 47); "" where nobody has said."""
    recovery: bytes = b""
    """SHA-256 of the recovery code; b"" for none."""
    recovery_at: int | None = None
    """When the recovery code was made."""


@dataclass(frozen=True, slots=True)
class Session:
    """One device's token family. Only hashes are kept; `salt` derives each refresh token's successor."""

    id: str
    salt: bytes
    current: bytes
    """SHA-256 of the refresh token that is to be used next."""
    created_at: int
    used_at: int
    expires_at: int
    previous: bytes = b""
    """SHA-256 of the token before; b"" until the first is used."""
    nonce: bytes = b""
    """Digest of the `client_nonce` with which the one before was exchanged, at `used_at`."""
    opened: bytes = b""
    """Digest of the code and `client_nonce` that the device came in with; b"" for a new guest's first one."""
    name: str = ""
    makers: tuple[str, ...] = ()
    """Ids of the families it came from, by a transfer code and the next, of those that lived then."""


@dataclass(frozen=True, slots=True)
class Devices:
    """A player's devices: those that are signed in, and no others. All are read and written as one."""

    player_id: str
    sessions: tuple[Session, ...] = ()
    revision: int = 0
    """How often they have been written; 0: not yet."""


@dataclass(frozen=True, slots=True)
class TransferCode:
    """A short-lived code that signs another device in. Kept under its hash."""

    hash: bytes
    player_id: str
    maker: str
    """The family that made it, and with which it dies."""
    expires_at: int
    session_id: str = ""
    """The family it was exchanged for, once it was."""


class ListPage(NamedTuple):
    """A stretch of a player's list: ids of matches, newest first."""

    match_ids: tuple[str, ...]
    after: tuple[int, str] | None
    """(created_at, match_id) to go on behind; None: there is no more."""


class MembershipPage(NamedTuple):
    """A stretch of a player's memberships, in the order of the matches' ids."""

    items: tuple[Membership, ...]
    after: str | None
    """The match to go on behind; None: there is no more."""


class Due(NamedTuple):
    """Something whose time to be looked at has come."""

    id: str
    since: int


class Matches(Protocol):
    """Matches and all that belongs to them."""

    def match(self, match_id: str) -> Match | None:
        """The match as it is now (a consistent read of one item)."""

    def save(self, change: Change) -> None:
        """Make one change, whole, or raise `Lost`, `AccountGone`, `SeatHeld`, `TooManyLive`.

        The players' own lists change with it: see `list_changes`. A change of the match alone is one conditional
        write of one item; any other is one transaction. Index keys are written only where `scheduled_at` differs.
        """

    def postpone(self, match_id: str, scheduled_at: int) -> None:
        """Schedule a match that could not be dealt with for a later look, whatever its version; do nothing if it is
        not scheduled."""

    def reschedule(self, match: Match, scheduled_at: int | None) -> None:
        """Schedule the match anew in the due index, if it is still at this version (else do nothing)."""

    def due(self, partition: int, now: int, limit: int, *, newest: bool = False) -> tuple[Due, ...]:
        """At most `limit` of a partition whose `scheduled_at` has come: the most overdue, or with `newest` the least.

        A shard has matches, `ACCOUNTS` the accounts that are not settled.
        """

    def closed_deals(self, match_id: str, first: int, last: int) -> tuple[ClosedDeal, ...]:
        """Those of the match's deals with these numbers that are over, in order (consistent)."""

    def closed_deal(self, match_id: str, number: int) -> ClosedDeal | None: ...

    def batches(self, match_id: str, after: int, upto: int) -> tuple[EventBatch, ...]:
        """The writes that hold a seat event with a version above `after` and at most `upto`, whole and in order
        (consistent). It reads no others, or very few."""

    def latest_batches(self, match_id: str, limit: int) -> tuple[EventBatch, ...]:
        """The seat events of the last `limit` writes that had any, newest first (consistent)."""

    def seeds(self, match_id: str) -> tuple[Seed, ...] | None:
        """The seeds a started match was dealt with, in the order in which they came."""

    def seeds_of(self, player_id: str, match_ids: Iterable[str]) -> Mapping[str, str]:
        """The seed that the player gave to each of these matches, of those that started with them (eventually
        consistent)."""

    def invited_to(self, code: str, now: int) -> str | None:
        """The match that an unexpired invite code leads to."""

    def listed(
        self, player_id: str, limit: int, after: tuple[int, str] | None = None, status: Status | None = None
    ) -> ListPage:
        """At most `limit` of the matches in a player's list, newest first, or of those that stand so (consistent). What
        is read is bounded by `limit`."""

    def live(self, player_id: str, *, consistent: bool = True) -> tuple[str, ...]:
        """Ids of the at most `MOST_LIVE` matches the player sits at."""

    def offers(
        self, player_id: str, since: int, limit: int | None = None, *, consistent: bool = True
    ) -> tuple[str, ...]:
        """Ids of the newest matches, made at `since` or later, in which a seat is kept for the player."""

    def naming(self, player_id: str, limit: int, after: str = "") -> tuple[tuple[str, str], ...]:
        """At most `limit` of the live matches that name the player, behind `after` (consistent): where each lies, for
        `after`, and its id. A match that starts or is joined meanwhile is met twice, but never missed."""

    def membership(self, player_id: str, match_id: str) -> Membership | None:
        """How the player stands to this match, who has sat or declined there (consistent)."""

    def memberships(self, player_id: str, limit: int, after: str | None = None) -> MembershipPage:
        """All of them, for the player to see."""

    def matches(self, match_ids: Iterable[str]) -> Mapping[str, Match]:
        """Several at once (eventually consistent); those that are missing, or not readable, are left out."""


class Sets(Protocol):
    """Sets, and what their entries have made."""

    def deal_set(self, set_id: str, *, consistent: bool = True) -> DealSet | None: ...

    def deal_sets(self, set_ids: Iterable[str]) -> Mapping[str, DealSet]:
        """Those that are there (eventually consistent)."""

    def set_of_code(self, code: str) -> str | None:
        """The set that a code leads to."""

    def add_set(self, deal_set: DealSet, scheduled_at: int, result: SetResult | None = None) -> None:
        """A new set with its code, and the result of the match that it is made from, in one write. `Lost` if there is
        one of this id, or the code is taken."""

    def keep_par(self, deal_set: DealSet, result: DealResult, scheduled_at: int | None) -> None:
        """Par of the next deal after those that the set has; None: it was the last. `Lost` if it is known already."""

    def postpone_set(self, set_id: str, scheduled_at: int) -> None:
        """Look at the set again at that time only; do nothing if it is not scheduled."""

    def fold(self, match: Match, result: SetResult) -> None:
        """Count a finished entry, and schedule it no more, in one write. `Lost` if it is counted already."""

    def histogram(self, set_id: str) -> Mapping[int, int]:
        """How many entries made each score (eventually consistent)."""

    def set_results(self, set_id: str, limit: int) -> tuple[SetResult, ...]:
        """The best, equal ones by the players' ids (eventually consistent)."""


class Accounts(Protocol):
    """Players, their devices, and the codes that sign devices in."""

    def player(self, player_id: str) -> Player | None:
        """The account, a tombstone included (consistent)."""

    def players(self, player_ids: Iterable[str]) -> Mapping[str, Player]:
        """Several at once (eventually consistent)."""

    def create_player(self, player: Player, devices: Devices) -> None:
        """A new account with its first device, in one write. `Lost` if there is one of this id."""

    def rename(self, player_id: str, name: str, now: int) -> Player:
        """Another name: the account as it is then, a revision further and not settled. `AccountGone` for a deleted or
        unknown one."""

    def set_locale(self, player_id: str, locale: str) -> None:
        """Raises `AccountGone` for a deleted or unknown account."""

    def set_recovery(self, player: Player, code_hash: bytes, now: int) -> None:
        """Give the account a recovery code instead of the one it was read with. `Lost` if it has got another since, or
        is deleted."""

    def recovers(self, code_hash: bytes) -> str | None:
        """The account whose recovery code this is, or was: the account says which is good (consistent)."""

    def mark_deleted(self, player: Player, deleted_at: int) -> None:
        """Turn the account into a tombstone (a revision further, not settled), and drop its devices and its recovery
        code, in one write. `Lost` if it is deleted already, or has got another recovery code since it was read."""

    def settle(self, player_id: str, revision: int) -> None:
        """Note that every copy is as the profile was at this revision; do nothing if it has changed since."""

    def settle_on(self, player_id: str, revision: int, settling: Settling, scheduled_at: int) -> None:
        """Note how far the settling of this revision has come, to go on at that time; do nothing if the profile has
        changed since, or is settled."""

    def postpone_account(self, player_id: str, scheduled_at: int) -> None:
        """Look at an account that is not settled again at that time only."""

    def devices(self, player_id: str) -> Devices | None:
        """None if there are none, or the account is deleted or unknown (consistent)."""

    def save_devices(
        self, devices: Devices, *, used: TransferCode | None = None, recovered_with: bytes | None = None
    ) -> None:
        """Write them if they are still at `devices.revision`, which is then one more; else `Lost`.

        In the same write, `used` is marked as it says, and `recovered_with` must be the account's recovery code: `Lost`
        if the transfer code was used otherwise, or the recovery code is another or the account gone. Without
        `recovered_with` only an account that has devices can have its devices written.
        """

    def put_transfer_code(self, code: TransferCode) -> None: ...

    def transfer_code(self, code_hash: bytes, now: int) -> TransferCode | None:
        """An unexpired code, exchanged or not."""


class Limits(Protocol):
    """Counters for rate limits, off the path of a move."""

    def count(self, key: str, window: int, most: int, now: int) -> int:
        """Count one more use of `key` in the present window of `window` seconds.

        Returns 0 if that is within `most`, else the seconds until the window ends.
        """

    def uses(self, key: str, window: int, now: int) -> int:
        """How often `key` was counted in the present window (consistent)."""


class Store(Matches, Sets, Accounts, Limits, Protocol):
    """All of storage as one object."""
