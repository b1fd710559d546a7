"""All of storage in memory, thread safe: for tests that need no server. It keeps the promises of `DynamoStore`.

What is kept is the packed form, so that a value which the real store could not hold is refused here too.
"""

from __future__ import annotations

from dataclasses import replace
from threading import Lock
from typing import TYPE_CHECKING, TypeAlias

from chalicelib.service.ports import AccountGone, Lost, MembershipPage, Player, SeatHeld, Session, TransferCode
from chalicelib.store.codec import pack_match, unpack_match
from chalicelib.store.keys import wake_shard
from chalicelib.store.records import last_version, pack_batch, pack_closed, unpack_batch, unpack_closed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chalicelib.service.model import Change, ClosedDeal, EventBatch, Match, Membership

_Seeds: TypeAlias = tuple[str, str, str, str]


class MemoryMatches:
    """The `Matches` part."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._players: dict[str, Player] = {}
        self._matches: dict[str, tuple[int, bytes, int | None]] = {}
        self._batches: dict[str, dict[int, bytes]] = {}
        self._closed: dict[str, dict[int, bytes]] = {}
        self._seeds: dict[str, _Seeds] = {}
        self._codes: dict[str, tuple[str, int]] = {}
        self._memberships: dict[str, dict[tuple[int, str], Membership]] = {}
        self._live: dict[str, dict[tuple[int, str], Membership]] = {}

    def match(self, match_id: str) -> Match | None:
        with self._lock:
            kept = self._matches.get(match_id)
        return None if kept is None else unpack_match(match_id, *kept)

    def matches(self, match_ids: Iterable[str]) -> dict[str, Match]:
        found = {match_id: self.match(match_id) for match_id in match_ids}
        return {match_id: match for match_id, match in found.items() if match is not None}

    def save(self, change: Change) -> None:
        changes = (change,) if change.also is None else (change, change.also)
        with self._lock:
            for one in changes:
                self._check_members(one)
            for one in changes:
                self._check_match(one)
            for one in changes:
                self._keep(one)

    def _check_members(self, change: Change) -> None:
        dealt = change.match.deal > 0 and change.seeds is None
        for joining in change.joined:
            player = self._players.get(joining.player_id)
            if player is None or player.deleted_at is not None:
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

    def _keep(self, change: Change) -> None:
        match, batch, closed = change.match, change.batch, change.closed
        packed = pack_match(match), pack_batch(batch) if batch else b"", pack_closed(closed) if closed else b""
        self._matches[match.id] = match.version, packed[0], match.wake_at
        if batch is not None:
            self._batches.setdefault(match.id, {})[last_version(batch)] = packed[1]
        if closed is not None:
            self._closed.setdefault(match.id, {})[closed.number] = packed[2]
        if change.seeds is not None:
            self._seeds[match.id] = change.seeds
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

    def due(self, shard: int, now: int, limit: int) -> tuple[str, ...]:
        with self._lock:
            due = sorted(
                (wake_at, match_id)
                for match_id, (_, _, wake_at) in self._matches.items()
                if wake_at is not None and wake_at <= now and wake_shard(match_id) == shard
            )
        return tuple(match_id for _, match_id in due[:limit])

    def closed_deals(self, match_id: str, first: int = 1) -> tuple[ClosedDeal, ...]:
        with self._lock:
            kept = sorted(self._closed.get(match_id, {}).items())
        return tuple(unpack_closed(number, packed) for number, packed in kept if number >= first)

    def closed_deal(self, match_id: str, number: int) -> ClosedDeal | None:
        with self._lock:
            packed = self._closed.get(match_id, {}).get(number)
        return None if packed is None else unpack_closed(number, packed)

    def batches(self, match_id: str, after: int) -> tuple[EventBatch, ...]:
        with self._lock:
            kept = sorted(self._batches.get(match_id, {}).items())
        return tuple(unpack_batch(last, packed) for last, packed in kept if last > after)

    def seeds(self, match_id: str) -> _Seeds | None:
        with self._lock:
            return self._seeds.get(match_id)

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


class MemoryAccounts:
    """The `Accounts` part."""

    def __init__(self) -> None:
        super().__init__()
        self._lock: Lock
        self._players: dict[str, Player]
        self._sessions: dict[str, dict[str, Session]] = {}
        self._transfer_codes: dict[bytes, TransferCode] = {}

    def player(self, player_id: str) -> Player | None:
        with self._lock:
            return self._players.get(player_id)

    def players(self, player_ids: Iterable[str]) -> dict[str, Player]:
        with self._lock:
            return {player_id: self._players[player_id] for player_id in player_ids if player_id in self._players}

    def create_player(self, player: Player, session: Session) -> None:
        with self._lock:
            if player.id in self._players:
                raise Lost
            self._players[player.id] = player
            self._sessions.setdefault(player.id, {})[session.id] = session

    def rename(self, player_id: str, name: str) -> None:
        with self._lock:
            self._players[player_id] = replace(self._alive(player_id), name=name)

    def _alive(self, player_id: str) -> Player:
        player = self._players.get(player_id)
        if player is None or player.deleted_at is not None:
            raise AccountGone
        return player

    def bury(self, player_id: str, deleted_at: int) -> None:
        with self._lock:
            player = self._players.get(player_id)
            if player is not None and player.deleted_at is None:
                self._players[player_id] = replace(player, name="", deleted_at=deleted_at, scrubbed=False)

    def scrubbed(self, player_id: str) -> None:
        with self._lock:
            player = self._players.get(player_id)
            if player is not None and player.deleted_at is not None:
                self._players[player_id] = replace(player, scrubbed=True)

    def unscrubbed(self, limit: int) -> tuple[str, ...]:
        with self._lock:
            waiting = sorted((p.deleted_at or 0, p.id) for p in self._players.values() if not p.scrubbed)
        return tuple(player_id for _, player_id in waiting[:limit])

    def session(self, player_id: str, session_id: str) -> Session | None:
        with self._lock:
            return self._sessions.get(player_id, {}).get(session_id)

    def sessions(self, player_id: str) -> tuple[Session, ...]:
        with self._lock:
            return tuple(session for _, session in sorted(self._sessions.get(player_id, {}).items()))

    def create_session(self, session: Session, code: TransferCode | None = None) -> None:
        with self._lock:
            self._alive(session.player_id)
            if session.id in self._sessions.get(session.player_id, {}):
                raise Lost
            if code is not None:
                kept = self._transfer_codes.get(code.hash)
                if kept is None or kept.session_id not in (None, session.id):
                    raise Lost
                self._transfer_codes[code.hash] = replace(kept, session_id=session.id)
            self._sessions.setdefault(session.player_id, {})[session.id] = session

    def save_session(self, session: Session, read_generation: int) -> None:
        with self._lock:
            kept = self._sessions.get(session.player_id, {}).get(session.id)
            if kept is None or kept.revoked or kept.generation != read_generation:
                raise Lost
            self._sessions[session.player_id][session.id] = session

    def end_session(self, player_id: str, session_id: str) -> None:
        with self._lock:
            kept = self._sessions.get(player_id, {}).get(session_id)
            if kept is not None:
                self._sessions[player_id][session_id] = replace(kept, revoked=True)

    def put_transfer_code(self, code: TransferCode) -> None:
        with self._lock:
            if code.hash in self._transfer_codes:
                raise Lost
            self._transfer_codes[code.hash] = code

    def transfer_code(self, code_hash: bytes, now: int) -> TransferCode | None:
        with self._lock:
            code = self._transfer_codes.get(code_hash)
        return code if code is not None and code.expires_at > now else None


class MemoryStore(MemoryAccounts, MemoryMatches):
    """A whole store that ends with the process."""

    def __init__(self) -> None:
        super().__init__()
        self._counts: dict[tuple[str, int], int] = {}

    def count(self, key: str, window: int, most: int, now: int) -> int:
        start = now - now % window
        with self._lock:
            self._counts[key, start] = uses = self._counts.get((key, start), 0) + 1
        return 0 if uses <= most else start + window - now


def _order(membership: Membership) -> tuple[int, str]:
    """The place in a player's list."""
    return membership.created_at, membership.match_id
