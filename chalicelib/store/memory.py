"""All of storage in memory, thread safe: for tests that need no server. It keeps the promises of `DynamoStore`.

What is kept is the packed form, so that a value which the real store could not hold is refused here too.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, TypeAlias

from chalicelib.service.ports import ACCOUNTS, AccountGone, Due, Lost, MembershipPage, SeatHeld
from chalicelib.store.codec import pack_match, unpack_match
from chalicelib.store.keys import wake_shard
from chalicelib.store.memory_accounts import MemoryAccounts
from chalicelib.store.records import last_version, pack_batch, pack_closed, starters, unpack_batch, unpack_closed
from chalicelib.store.wire import Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from chalicelib.service.model import Change, ClosedDeal, EventBatch, Match, Membership

_Seeds: TypeAlias = tuple[str, str, str, str]


class MemoryMatches(MemoryAccounts):
    """The `Matches` part, beside the accounts that it looks at when somebody sits down."""

    def __init__(self) -> None:
        super().__init__()
        self._matches: dict[str, tuple[int, bytes, int | None]] = {}
        self._batches: dict[str, dict[int, bytes]] = {}
        self._closed: dict[str, dict[int, bytes]] = {}
        self._seeds: dict[str, tuple[_Seeds, tuple[str, ...]]] = {}
        self._codes: dict[str, tuple[str, int]] = {}
        self._memberships: dict[str, dict[tuple[int, str], Membership]] = {}
        self._live: dict[str, dict[tuple[int, str], Membership]] = {}

    def match(self, match_id: str) -> Match | None:
        with self._lock:
            kept = self._matches.get(match_id)
        return None if kept is None else unpack_match(match_id, *kept)

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
        dealt = change.match.deal > 0 and change.seeds is None
        for named in change.named:
            player = self._players.get(named.id)
            if player is None or player.deleted_at is not None or player.revision != named.revision:
                raise AccountGone
        for joining in change.joined:
            held = self._memberships.get(joining.player_id, {}).get(_order(joining))
            if dealt and held is not None and held.seat is not joining.seat:
                raise SeatHeld

    def _check_match(self, change: Change) -> None:
        match = change.match
        kept = self._matches.get(match.id)
        if (None if kept is None else kept[0]) != change.read:
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
        self._matches[match.id] = match.version, packed_match, match.wake_at
        if batch is not None:
            self._batches.setdefault(match.id, {})[last_version(batch)] = packed_batch
        if closed is not None:
            self._closed.setdefault(match.id, {})[closed.number] = packed_closed
        if change.seeds is not None:
            self._seeds[match.id] = change.seeds, starters(match)
        if change.withdrawn is not None:
            self._codes.pop(change.withdrawn.code, None)
        if change.invite is not None:
            self._codes[change.invite.code] = match.id, change.invite.expires_at
        self._keep_members(change)

    def _keep_members(self, change: Change) -> None:
        match = change.match
        for removed in change.removed:
            self._memberships.get(removed.player_id, {}).pop(_order(removed), None)
        for gone in change.removed + change.retired:
            self._live.get(gone.player_id, {}).pop(_order(gone), None)
        for joined in change.joined:
            self._memberships.setdefault(joined.player_id, {})[_order(joined)] = joined
            if match.status.live:
                self._live.setdefault(joined.player_id, {})[_order(joined)] = joined
        if not match.status.live:
            for place in match.places:
                self._live.get(place.player_id or "", {}).pop((match.created_at, match.id), None)

    def wake(self, match: Match, wake_at: int | None) -> None:
        with self._lock:
            version, packed, _ = self._matches.get(match.id, (None, b"", None))
            if version is not None and version == match.version:
                self._matches[match.id] = version, packed, wake_at

    def put_off(self, match_id: str, wake_at: int) -> None:
        with self._lock:
            version, packed, filed = self._matches.get(match_id, (0, b"", None))
            if filed is not None:
                self._matches[match_id] = version, packed, wake_at

    def due(self, partition: int, now: int, limit: int, *, newest: bool = False) -> tuple[Due, ...]:
        with self._lock:
            filed = self._accounts_due.items() if partition == ACCOUNTS else self._filed_in(partition)
            due = sorted((wake_at, id_) for id_, wake_at in filed if wake_at <= now)
        return tuple(Due(id_, wake_at) for wake_at, id_ in (due[::-1] if newest else due)[:limit])

    def _filed_in(self, shard: int) -> Iterator[tuple[str, int]]:
        for match_id, (_, _, wake_at) in self._matches.items():
            if wake_at is not None and wake_shard(match_id) == shard:
                yield match_id, wake_at

    def closed_deals(self, match_id: str, first: int, last: int) -> tuple[ClosedDeal, ...]:
        with self._lock:
            kept = sorted(self._closed.get(match_id, {}).items())
        return tuple(unpack_closed(number, packed) for number, packed in kept if first <= number <= last)

    def closed_deal(self, match_id: str, number: int) -> ClosedDeal | None:
        with self._lock:
            packed = self._closed.get(match_id, {}).get(number)
        return None if packed is None else unpack_closed(number, packed)

    def batches(self, match_id: str, after: int, upto: int) -> tuple[EventBatch, ...]:
        with self._lock:
            kept = sorted(self._batches.get(match_id, {}).items())
        found = (unpack_batch(last, packed) for last, packed in kept if last > after)
        return tuple(batch for batch in found if batch.version <= upto)

    def latest_batches(self, match_id: str, limit: int) -> tuple[EventBatch, ...]:
        with self._lock:
            kept = sorted(self._batches.get(match_id, {}).items(), reverse=True)
        return tuple(unpack_batch(last, packed) for last, packed in kept[:limit])

    def seeds(self, match_id: str) -> _Seeds | None:
        with self._lock:
            seeds, _ = self._seeds.get(match_id, (None, None))
            return seeds

    def seeds_of(self, player_id: str, match_ids: Iterable[str]) -> dict[str, str]:
        with self._lock:
            kept = {match_id: self._seeds[match_id] for match_id in match_ids if match_id in self._seeds}
        return {
            match_id: seeds[players.index(player_id)]
            for match_id, (seeds, players) in kept.items()
            if player_id in players
        }

    def invited_to(self, code: str, now: int) -> str | None:
        with self._lock:
            match_id, expires_at = self._codes.get(code, (None, 0))
        return match_id if expires_at > now else None

    def memberships(
        self,
        player_id: str,
        limit: int,
        after: tuple[int, str] | None = None,
        *,
        live: bool = False,
        consistent: bool = False,
    ) -> MembershipPage:
        with self._lock:
            kept = sorted((self._live if live else self._memberships).get(player_id, {}).items(), reverse=True)
        rest = [membership for order, membership in kept if after is None or order < after]
        page = tuple(rest[:limit])
        return MembershipPage(page, _order(page[-1]) if len(rest) > limit else None)

    def membership(self, player_id: str, match: Match) -> Membership | None:
        with self._lock:
            return self._memberships.get(player_id, {}).get((match.created_at, match.id))


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


def _order(membership: Membership) -> tuple[int, str]:
    """The place in a player's list."""
    return membership.created_at, membership.match_id


def _packed(change: Change) -> tuple[bytes, bytes, bytes]:
    """Match, seat events and closed deal; b"" for what is not there."""
    batch, closed = change.batch, change.closed
    return pack_match(change.match), pack_batch(batch) if batch else b"", pack_closed(closed) if closed else b""
