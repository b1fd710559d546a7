"""All of storage in memory, thread safe: for tests that need no server. It keeps the promises of `DynamoStore`.

What is kept is the packed form, so that a value which the real store could not hold is refused here too.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from chalicelib.match.list_changes import list_changes
from chalicelib.match.model import MOST_LIVE, Standing
from chalicelib.service.ports import (
    ACCOUNTS,
    SETS,
    AccountGone,
    Due,
    ListPage,
    Lost,
    MembershipPage,
    SeatHeld,
    TooManyLive,
)
from chalicelib.store.codec import pack_match, unpack_match
from chalicelib.store.keys import OFFER, due_shard, list_sort
from chalicelib.store.memory_sets import MemorySets
from chalicelib.store.records import last_version, pack_batch, pack_closed, unpack_batch, unpack_closed
from chalicelib.store.wire import Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from chalicelib.match.model import Change, ClosedDeal, EventBatch, Match, Membership, Seed, Status


class MemoryMatches(MemorySets):
    """The `Matches` part, beside the accounts that it looks at when somebody sits down."""

    def __init__(self) -> None:
        super().__init__()
        self._batches: dict[str, dict[int, bytes]] = {}
        self._closed: dict[str, dict[int, bytes]] = {}
        self._seeds: dict[str, tuple[Seed, ...]] = {}
        self._memberships: dict[str, dict[str, Membership]] = {}
        self._live: dict[str, set[str]] = {}
        self._listed: dict[str, dict[tuple[int, str], Status]] = {}
        self._offers: dict[str, set[tuple[int, str]]] = {}

    def match(self, match_id: str) -> Match | None:
        with self._lock:
            stored = self._matches.get(match_id)
        return None if stored is None else unpack_match(match_id, *stored)

    def matches(self, match_ids: Iterable[str]) -> dict[str, Match]:
        found = {}
        for match_id in match_ids:
            with suppress(Unreadable):
                match = self.match(match_id)
                if match is not None:
                    found[match_id] = match
        return found

    def save(self, change: Change) -> None:
        changes = (change,) if change.also is None else (change, change.also)
        with self._lock:
            for one in changes:
                self._check_members(one)
            for one in changes:
                self._check_match(one)
            for one, packed in [(one, _packed(one)) for one in changes]:
                self._keep(one, *packed)

    def _check_members(self, change: Change) -> None:
        for named in change.named:
            player = self._players.get(named.id)
            if player is None or player.deleted_at is not None or player.revision != named.revision:
                raise AccountGone
        changes, match_id = list_changes(change), change.match.id
        for membership in changes.memberships:
            held = self._memberships.get(membership.player_id, {}).get(match_id)
            if held is None or membership.standing is not Standing.MEMBER:
                continue
            other = change.dealt and held.standing is Standing.MEMBER and held.seat is not membership.seat
            if other or held.standing is Standing.BARRED:
                raise SeatHeld
        for player_id in changes.sits:
            if len(self._live.get(player_id, set()) - {match_id}) >= MOST_LIVE:
                raise TooManyLive

    def _check_match(self, change: Change) -> None:
        match = change.match
        stored = self._matches.get(match.id)
        if (None if stored is None else stored[0]) != (None if change.before is None else change.before.version):
            raise Lost
        batch, closed = change.batch, change.closed
        if batch is not None and last_version(batch) in self._batches.get(match.id, {}):
            raise Lost
        if closed is not None and closed.number in self._closed.get(match.id, {}):
            raise Lost
        if change.seeds is not None and match.id in self._seeds:
            raise Lost
        for code in (change.invite, change.withdrawn):
            if code is not None and self._codes.get(code.code, (match.id,))[0] != match.id:
                raise Lost

    def _keep(self, change: Change, packed_match: bytes, packed_batch: bytes, packed_closed: bytes) -> None:
        match, batch, closed = change.match, change.batch, change.closed
        self._matches[match.id] = match.version, packed_match, match.scheduled_at
        if batch is not None:
            self._batches.setdefault(match.id, {})[last_version(batch)] = packed_batch
        if closed is not None:
            self._closed.setdefault(match.id, {})[closed.number] = packed_closed
        if change.seeds is not None:
            self._seeds[match.id] = change.seeds
        if change.withdrawn is not None:
            self._codes.pop(change.withdrawn.code, None)
        if change.invite is not None:
            self._codes[change.invite.code] = match.id, change.invite.expires_at
        self._keep_members(change)

    def _keep_members(self, change: Change) -> None:
        changes, match = list_changes(change), change.match
        order = match.created_at, match.id
        for membership in changes.memberships:
            self._memberships.setdefault(membership.player_id, {})[match.id] = membership
        for player_id in changes.sits:
            self._live.setdefault(player_id, set()).add(match.id)
        for player_id in changes.goes:
            self._live[player_id].discard(match.id)
        for player_id in changes.unlisted:
            del self._listed[player_id][order]
        for player_id in changes.listed:
            self._listed.setdefault(player_id, {})[order] = match.status
        for player_id in changes.offered:
            self._offers.setdefault(player_id, set()).add(order)
        for player_id in changes.withdrawn:
            self._offers[player_id].discard(order)

    def reschedule(self, match: Match, scheduled_at: int | None) -> None:
        with self._lock:
            version, packed, _ = self._matches.get(match.id, (None, b"", None))
            if version is not None and version == match.version:
                self._matches[match.id] = version, packed, scheduled_at

    def postpone(self, match_id: str, scheduled_at: int) -> None:
        with self._lock:
            version, packed, scheduled = self._matches.get(match_id, (0, b"", None))
            if scheduled is not None:
                self._matches[match_id] = version, packed, scheduled_at

    def due(self, partition: int, now: int, limit: int, *, newest: bool = False) -> tuple[Due, ...]:
        with self._lock:
            others = {ACCOUNTS: self._accounts_due, SETS: self._sets_due}
            scheduled = others[partition].items() if partition in others else self._scheduled_in(partition)
            due = sorted((scheduled_at, id_) for id_, scheduled_at in scheduled if scheduled_at <= now)
        return tuple(Due(id_, scheduled_at) for scheduled_at, id_ in (due[::-1] if newest else due)[:limit])

    def _scheduled_in(self, shard: int) -> Iterator[tuple[str, int]]:
        for match_id, (_, _, scheduled_at) in self._matches.items():
            if scheduled_at is not None and due_shard(match_id) == shard:
                yield match_id, scheduled_at

    def closed_deals(self, match_id: str, first: int, last: int) -> tuple[ClosedDeal, ...]:
        with self._lock:
            stored = sorted(self._closed.get(match_id, {}).items())
        return tuple(unpack_closed(number, packed) for number, packed in stored if first <= number <= last)

    def closed_deal(self, match_id: str, number: int) -> ClosedDeal | None:
        with self._lock:
            packed = self._closed.get(match_id, {}).get(number)
        return None if packed is None else unpack_closed(number, packed)

    def batches(self, match_id: str, after: int, upto: int) -> tuple[EventBatch, ...]:
        with self._lock:
            stored = sorted(self._batches.get(match_id, {}).items())
        found = (unpack_batch(last, packed) for last, packed in stored if last > after)
        return tuple(batch for batch in found if batch.version <= upto)

    def latest_batches(self, match_id: str, limit: int) -> tuple[EventBatch, ...]:
        with self._lock:
            stored = sorted(self._batches.get(match_id, {}).items(), reverse=True)
        return tuple(unpack_batch(last, packed) for last, packed in stored[:limit])

    def seeds(self, match_id: str) -> tuple[Seed, ...] | None:
        with self._lock:
            return self._seeds.get(match_id)

    def seeds_of(self, player_id: str, match_ids: Iterable[str]) -> dict[str, str]:
        return {
            match_id: seed.digits
            for match_id in match_ids
            for seed in self.seeds(match_id) or ()
            if seed.player_id == player_id
        }

    def invited_to(self, code: str, now: int) -> str | None:
        with self._lock:
            match_id, expires_at = self._codes.get(code, (None, 0))
        return match_id if expires_at > now else None

    def listed(
        self, player_id: str, limit: int, after: tuple[int, str] | None = None, status: Status | None = None
    ) -> ListPage:
        with self._lock:
            stored = sorted(self._listed.get(player_id, {}).items(), reverse=True)
        rest = [
            order
            for order, stands in stored
            if (after is None or order < after) and (status is None or stands is status)
        ]
        page = rest[:limit]
        return ListPage(tuple(match_id for _, match_id in page), page[-1] if len(rest) > limit else None)

    def live(self, player_id: str, *, consistent: bool = True) -> tuple[str, ...]:
        with self._lock:
            return tuple(sorted(self._live.get(player_id, set())))

    def offers(
        self, player_id: str, since: int, limit: int | None = None, *, consistent: bool = True
    ) -> tuple[str, ...]:
        with self._lock:
            stored = sorted(self._offers.get(player_id, set()), reverse=True)
        return tuple(match_id for created_at, match_id in stored if created_at >= since)[:limit]

    def naming(self, player_id: str, limit: int, after: str = "") -> tuple[tuple[str, str], ...]:
        with self._lock:
            listed = [(status.value, order) for order, status in self._listed.get(player_id, {}).items() if status.live]
            offers = [(OFFER, order) for order in self._offers.get(player_id, set())]
        found = sorted(((list_sort(kind, *order), order[1]) for kind, order in listed + offers), reverse=True)
        return tuple(each for each in found if not after or each[0] < after)[:limit]

    def membership(self, player_id: str, match_id: str) -> Membership | None:
        with self._lock:
            return self._memberships.get(player_id, {}).get(match_id)

    def memberships(self, player_id: str, limit: int, after: str | None = None) -> MembershipPage:
        with self._lock:
            stored = sorted(self._memberships.get(player_id, {}).items())
        rest = [membership for match_id, membership in stored if after is None or match_id > after]
        page = tuple(rest[:limit])
        return MembershipPage(page, page[-1].match_id if len(rest) > limit else None)


class MemoryStore(MemoryMatches):
    """A whole store that ends with the process."""

    def __init__(self) -> None:
        super().__init__()
        self._counts: dict[tuple[str, int], int] = {}

    def count(self, key: str, window: int, most: int, now: int) -> int:
        start = now - now % window
        with self._lock:
            self._counts[key, start] = uses = self._counts.get((key, start), 0) + 1
        return 0 if uses <= most else start + window - now

    def uses(self, key: str, window: int, now: int) -> int:
        with self._lock:
            return self._counts.get((key, now - now % window), 0)


def _packed(change: Change) -> tuple[bytes, bytes, bytes]:
    """Match, seat events and closed deal; b"" for what is not there."""
    batch, closed = change.batch, change.closed
    return pack_match(change.match), pack_batch(batch) if batch else b"", pack_closed(closed) if closed else b""
