"""The `Matches` part of the store on DynamoDB.

A move is one consistent GetItem and one conditional UpdateItem of the match's item, no more. Whatever else is written
is one transaction in which the match's own condition, its version, guards all the rest.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from chalicelib.engine import SEATS
from chalicelib.service.model import Membership
from chalicelib.service.ports import AccountGone, Due, Lost, MembershipPage, SeatHeld
from chalicelib.store import keys
from chalicelib.store.codec import pack_match, unpack_match
from chalicelib.store.models import (
    WAKING,
    ClosedDealItem,
    EventsItem,
    InviteItem,
    MatchItem,
    MembershipItem,
    PlayerItem,
    SeedsItem,
)
from chalicelib.store.records import (
    MOST_IN_A_WRITE,
    last_version,
    pack_batch,
    pack_closed,
    starters,
    unpack_batch,
    unpack_closed,
)
from chalicelib.store.table import Table, Write, check_attributes
from chalicelib.store.wire import Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from pynamodb.expressions.condition import Condition
    from pynamodb.expressions.update import Action

    from chalicelib.service.model import Change, ClosedDeal, EventBatch, Match

_NEW = MatchItem.pk.does_not_exist()


class DynamoMatches:
    def __init__(self, table: Table) -> None:
        self._table = table

    # the match itself -----------------------------------------------------------------------------------------------

    def match(self, match_id: str) -> Match | None:
        item = self._table.get_raw(keys.match_key(match_id), keys.MATCH)
        return None if item is None else _match(match_id, item)

    def matches(self, match_ids: Iterable[str]) -> dict[str, Match]:
        wanted = [(keys.match_key(match_id), keys.MATCH) for match_id in match_ids]
        found = {}
        for item in self._table.get_many_raw(wanted):
            match_id = keys.id_of(item["pk"]["S"])
            with suppress(Unreadable):  # one bad item must not hide a player's other matches
                found[match_id] = _match(match_id, item)
        return found

    def save(self, change: Change) -> None:
        writes = self._writes(change)
        if change.also is not None:
            writes += self._writes(change.also)
        self._table.write(*writes)

    def _writes(self, change: Change) -> list[Write]:
        table, match, batch, closed = self._table, change.match, change.batch, change.closed
        pk = keys.match_key(match.id)
        writes = [table.put(match_item(match), _NEW) if change.read is None else self._step(match, change.read)]
        if batch is not None:
            sort = keys.event_sort(last_version(batch))
            writes.append(table.put(EventsItem(pk, sort, events=pack_batch(batch)), _NEW))
        if closed is not None:
            item = ClosedDealItem(pk, keys.deal_sort(closed.number), deal=pack_closed(closed))
            writes.append(table.put(item, _NEW))
        if change.seeds is not None:
            seeds, players = "\n".join(change.seeds), "\n".join(starters(match))
            writes.append(table.put(SeedsItem(pk, keys.SEEDS, seeds=seeds, players=players), _NEW))
        ours = _NEW | (InviteItem.match_id == match.id)
        if change.withdrawn is not None:
            writes.append(table.delete(keys.invite_key(change.withdrawn.code), keys.INVITE, ours))
        if change.invite is not None:
            invite = change.invite
            code = InviteItem(keys.invite_key(invite.code), keys.INVITE, match_id=match.id, ttl=invite.expires_at)
            writes.append(table.put(code, ours))
        for player in change.named:
            as_read = PlayerItem.deleted_at.does_not_exist() & (PlayerItem.revision == player.revision)
            writes.append(table.check(keys.player_key(player.id), keys.PROFILE, as_read, AccountGone))
        return writes + self._members(change)

    def _step(self, match: Match, read: int) -> Write:
        """The match's next state, in the place of version `read`.

        Written by hand, since it is half of every move: PynamoDB's expressions cost 3 % of one. The index keys are set
        to what they are, mostly, and the server writes no index for that.
        """
        values = {
            ":new": {"N": str(match.version)},
            ":match": {"B": pack_match(match)},
            ":read": {"N": str(read)},
        }
        if match.wake_at is None:
            update = "SET #v = :new, #m = :match REMOVE wake_shard, wake_at"
        else:
            update = "SET #v = :new, #m = :match, wake_shard = :shard, wake_at = :at"
            values[":shard"] = {"N": str(keys.wake_shard(match.id))}
            values[":at"] = {"N": str(match.wake_at)}
        kwargs = {
            "TableName": self._table.name,
            "Key": {"pk": {"S": keys.match_key(match.id)}, "sk": {"S": keys.MATCH}},
            "UpdateExpression": update,
            "ConditionExpression": "#v = :read",
            "ExpressionAttributeNames": {"#v": "version", "#m": "match"},
            "ExpressionAttributeValues": values,
        }
        return Write("Update", kwargs)

    # who plays ------------------------------------------------------------------------------------------------------

    def _members(self, change: Change) -> list[Write]:
        """Memberships and live markers. One transaction may touch an item once: who joins is not removed as well."""
        table, match = self._table, change.match
        dealt = match.deal > 0 and change.seeds is None
        joined = {joining.player_id: joining for joining in change.joined}
        gone = {leaving.player_id for leaving in change.removed + change.retired} - joined.keys()
        if not match.status.live:
            gone |= joined.keys() | {place.player_id for place in match.places if place.player_id is not None}
        writes = [
            table.delete(keys.player_key(removed.player_id), _sort(keys.MEMBER, removed))
            for removed in change.removed
            if removed.player_id not in joined
        ]
        live_sort = keys.membership_sort(keys.LIVE, match.created_at, match.id)
        writes += [table.delete(keys.player_key(player_id), live_sort) for player_id in sorted(gone)]
        for player_id, joining in joined.items():
            pk = keys.player_key(player_id)
            same = _NEW | (MembershipItem.seat == int(joining.seat)) if dealt else None
            held = MembershipItem(pk, _sort(keys.MEMBER, joining), seat=int(joining.seat))
            writes.append(table.put(held, same, SeatHeld))
            if player_id not in gone:
                writes.append(table.put(MembershipItem(pk, live_sort, seat=int(joining.seat)), None))
        return writes

    def memberships(
        self,
        player_id: str,
        limit: int,
        after: tuple[int, str] | None = None,
        *,
        live: bool = False,
        consistent: bool = False,
    ) -> MembershipPage:
        kind = keys.LIVE if live else keys.MEMBER
        condition: Condition = MembershipItem.sk.startswith(f"{kind}#")
        if after is not None:
            condition = MembershipItem.sk.between(f"{kind}#", keys.membership_sort(kind, *after))
        # One to see whether there is more; and the one to go on behind, since the bounds of BETWEEN are inclusive.
        wanted = limit + 1 if after is None else limit + 2
        items = self._table.query(
            MembershipItem,
            keys.player_key(player_id),
            condition,
            limit=wanted,
            newest_first=True,
            consistent=consistent,
        )
        found = [_membership(player_id, item) for item in items]
        rest = [one for one in found if after is None or (one.created_at, one.match_id) < after]
        page = tuple(rest[:limit])
        more = len(rest) > limit
        return MembershipPage(page, (page[-1].created_at, page[-1].match_id) if more else None)

    def membership(self, player_id: str, match: Match) -> Membership | None:
        sort = keys.membership_sort(keys.MEMBER, match.created_at, match.id)
        item = self._table.get(MembershipItem, keys.player_key(player_id), sort)
        return None if item is None else _membership(player_id, item)

    # when to look at it ---------------------------------------------------------------------------------------------

    def wake(self, match: Match, wake_at: int | None) -> None:
        actions: list[Action] = [MatchItem.wake_shard.remove(), MatchItem.wake_at.remove()]
        if wake_at is not None:
            actions = [MatchItem.wake_shard.set(keys.wake_shard(match.id)), MatchItem.wake_at.set(wake_at)]
        same = MatchItem.version == match.version
        with suppress(Lost):
            self._table.write(self._table.update(keys.match_key(match.id), keys.MATCH, actions, same))

    def put_off(self, match_id: str, wake_at: int) -> None:
        actions: list[Action] = [MatchItem.wake_at.set(wake_at)]
        with suppress(Lost):
            self._table.write(
                self._table.update(keys.match_key(match_id), keys.MATCH, actions, MatchItem.wake_at.exists())
            )

    def due(self, partition: int, now: int, limit: int, *, newest: bool = False) -> tuple[Due, ...]:
        # The index has keys alone, so that one kind will do to read entries of any.
        ready = MatchItem.wake_at <= now
        items = self._table.query(MatchItem, partition, ready, index=WAKING, limit=limit, newest_first=newest)
        return tuple(Due(keys.id_of(item.pk), int(item.wake_at or 0)) for item in items)

    # what lies beside it --------------------------------------------------------------------------------------------

    def closed_deals(self, match_id: str, first: int, last: int) -> tuple[ClosedDeal, ...]:
        if last < first:
            return ()
        condition = ClosedDealItem.sk.between(keys.deal_sort(first), keys.deal_sort(last))
        items = self._table.query(ClosedDealItem, keys.match_key(match_id), condition, consistent=True)
        return tuple(unpack_closed(keys.number_in(item.sk), item.deal) for item in items)

    def closed_deal(self, match_id: str, number: int) -> ClosedDeal | None:
        item = self._table.get(ClosedDealItem, keys.match_key(match_id), keys.deal_sort(number))
        return None if item is None else unpack_closed(number, item.deal)

    def batches(self, match_id: str, after: int, upto: int) -> tuple[EventBatch, ...]:
        # They lie under their last versions: the write that goes beyond `upto` ends soon after it.
        condition = EventsItem.sk.between(keys.event_sort(after + 1), keys.event_sort(upto + MOST_IN_A_WRITE - 1))
        items = self._table.query(EventsItem, keys.match_key(match_id), condition, consistent=True)
        return tuple(batch for batch in map(_batch, items) if batch.version <= upto)

    def latest_batches(self, match_id: str, limit: int) -> tuple[EventBatch, ...]:
        condition = EventsItem.sk.startswith(keys.EVENTS)
        pk = keys.match_key(match_id)
        items = self._table.query(EventsItem, pk, condition, limit=limit, newest_first=True, consistent=True)
        return tuple(map(_batch, items))

    def seeds(self, match_id: str) -> tuple[str, str, str, str] | None:
        item = self._table.get(SeedsItem, keys.match_key(match_id), keys.SEEDS)
        if item is None:
            return None
        north, east, south, west = item.seeds.split("\n")
        return north, east, south, west

    def seeds_of(self, player_id: str, match_ids: Iterable[str]) -> dict[str, str]:
        wanted = [(keys.match_key(match_id), keys.SEEDS) for match_id in match_ids]
        found = {}
        for item in self._table.get_many_raw(wanted):
            players = item["players"]["S"].split("\n")
            if player_id in players:
                seeds = item["seeds"]["S"].split("\n")
                found[keys.id_of(item["pk"]["S"])] = seeds[players.index(player_id)]
        return found

    def invited_to(self, code: str, now: int) -> str | None:
        item = self._table.get(InviteItem, keys.invite_key(code), keys.INVITE)
        return item.match_id if item is not None and item.ttl > now else None


def match_item(match: Match) -> MatchItem:
    """The one item that holds a match."""
    item = MatchItem(keys.match_key(match.id), keys.MATCH, version=match.version, match=pack_match(match))
    if match.wake_at is not None:
        item.wake_shard, item.wake_at = keys.wake_shard(match.id), match.wake_at
    return item


def _match(match_id: str, item: Mapping[str, Any]) -> Match:
    check_attributes(MatchItem, item)
    wake_at = item.get("wake_at")
    version, packed = int(item["version"]["N"]), item["match"]["B"]
    return unpack_match(match_id, version, packed, None if wake_at is None else int(wake_at["N"]))


def _batch(item: EventsItem) -> EventBatch:
    return unpack_batch(keys.number_in(item.sk), item.events)


def _sort(kind: str, membership: Membership) -> str:
    return keys.membership_sort(kind, membership.created_at, membership.match_id)


def _membership(player_id: str, item: MembershipItem) -> Membership:
    return Membership(player_id, keys.match_id_in(item.sk), SEATS[int(item.seat)], keys.number_in(item.sk))
