"""The `Matches` part of the store on DynamoDB.

A move is one consistent GetItem and one conditional UpdateItem of the match's item, no more. Whatever else is written
is one transaction in which the match's own condition, its version, guards all the rest.
"""

from __future__ import annotations

import itertools
from contextlib import suppress
from typing import TYPE_CHECKING

from pynamodb.expressions.condition import size

from chalicelib.engine import SEATS
from chalicelib.match.list_changes import NO_CHANGES, list_changes
from chalicelib.match.model import DAY, MOST_LIVE, UNSTARTED_LIFE, Change, Membership, Standing, Status
from chalicelib.service.ports import AccountGone, Due, ListPage, Lost, MembershipPage, SeatHeld, TooManyLive
from chalicelib.store import keys
from chalicelib.store.codec import pack_match, unpack_match
from chalicelib.store.models import (
    DUE,
    ClosedDealItem,
    EventsItem,
    InviteItem,
    ListItem,
    LiveItem,
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
    read_seeds,
    unpack_batch,
    unpack_closed,
    write_seeds,
)
from chalicelib.store.table import DynamoTable, Write, check_attributes
from chalicelib.store.wire import NewerForm, Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from pynamodb.expressions.condition import Condition
    from pynamodb.expressions.update import Action

    from chalicelib.match.list_changes import ListChanges
    from chalicelib.match.model import ClosedDeal, EventBatch, Match, Seed

_NAMING = Status.WAITING.value, Status.PLAYING.value, keys.OFFER
"""Kinds of lists whose matches name a player, in falling order. While a copy of the name is old its match goes through
them only forwards: whoever takes an offered seat brings their present name."""
_NEW = MatchItem.pk.does_not_exist()
_STANDINGS = [standing.value for standing in Standing]


class DynamoMatches:
    def __init__(self, table: DynamoTable) -> None:
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
        before = change.before
        writes = [table.put(match_item(match), _NEW) if before is None else self._step(match, before.version)]
        if batch is not None:
            sort = keys.event_sort(last_version(batch))
            writes.append(table.put(EventsItem(pk, sort, events=pack_batch(batch)), _NEW))
        if closed is not None:
            item = ClosedDealItem(pk, keys.deal_sort(closed.number), deal=pack_closed(closed))
            writes.append(table.put(item, _NEW))
        if change.seeds is not None:
            writes.append(table.put(SeedsItem(pk, keys.SEEDS, seeds=write_seeds(change.seeds)), _NEW))
        if change.withdrawn is not None:
            ours = _NEW | (InviteItem.match_id == match.id)
            writes.append(table.delete(keys.invite_key(change.withdrawn.code), keys.INVITE, ours))
        if change.invite is not None:
            invite, ours = change.invite, _NEW | (InviteItem.match_id == match.id)
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
        if match.scheduled_at is None:
            update = "SET #v = :new, #m = :match REMOVE due_shard, scheduled_at"
        else:
            update = "SET #v = :new, #m = :match, due_shard = :shard, scheduled_at = :at"
            values[":shard"] = {"N": str(keys.due_shard(match.id))}
            values[":at"] = {"N": str(match.scheduled_at)}
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
        """Every item of the players' own that follows from the change, each once."""
        changes = list_changes(change)
        if changes is NO_CHANGES:  # a move
            return []
        return [
            *(self._membership_write(change, membership) for membership in changes.memberships),
            *self._live_writes(change.match.id, changes),
            *self._list_writes(change, changes),
        ]

    def _membership_write(self, change: Change, membership: Membership) -> Write:
        item = MembershipItem(
            keys.player_key(membership.player_id),
            keys.membership_sort(membership.match_id),
            seat=int(membership.seat),
            standing=membership.standing.value,
            ttl=membership.until,
        )
        standing = MembershipItem.standing
        # A word of a later version is in none of these, so that it is never overwritten.
        if membership.standing is not Standing.MEMBER:
            return self._table.put(item, _NEW | standing.is_in(*_STANDINGS), Lost)
        free = _NEW | (standing == Standing.GONE.value)
        sits: Condition = standing == Standing.MEMBER.value
        free |= sits & (MembershipItem.seat == int(membership.seat)) if change.dealt else sits
        return self._table.put(item, free, SeatHeld)

    def _live_writes(self, match_id: str, changes: ListChanges) -> Iterator[Write]:
        matches = LiveItem.matches
        taken = size(matches)  # type: ignore[no-untyped-call]  # PynamoDB leaves it untyped
        room = matches.does_not_exist() | (taken < MOST_LIVE) | matches.contains(match_id)
        for player_id in changes.sits:
            pk = keys.player_key(player_id)
            yield self._table.update(pk, keys.LIVE, [matches.add({match_id})], room, TooManyLive)
        for player_id in changes.goes:
            yield self._table.update(keys.player_key(player_id), keys.LIVE, [matches.delete({match_id})], None)

    def _list_writes(self, change: Change, changes: ListChanges) -> Iterator[Write]:
        match, before = change.match, change.before
        status = keys.list_sort(match.status.value, match.created_at, match.id)
        for player_id in changes.listed:
            yield self._table.put(ListItem(keys.player_key(player_id), status), None)
        if before is not None:
            status = keys.list_sort(before.status.value, match.created_at, match.id)
            for player_id in changes.unlisted:
                yield self._table.delete(keys.player_key(player_id), status)
        offer = keys.list_sort(keys.OFFER, match.created_at, match.id)
        for player_id in changes.offered:
            until = match.created_at + UNSTARTED_LIFE + DAY
            yield self._table.put(ListItem(keys.player_key(player_id), offer, ttl=until), None)
        for player_id in changes.withdrawn:
            yield self._table.delete(keys.player_key(player_id), offer)

    def listed(
        self, player_id: str, limit: int, after: tuple[int, str] | None = None, status: Status | None = None
    ) -> ListPage:
        # In the order in which a match goes through them: one that goes on meanwhile is met twice, but never missed.
        found = {
            entry
            for one in (Status if status is None else (status,))
            for entry in self._entries(player_id, one.value, limit + 1, before=after)
        }
        newest = sorted(found, reverse=True)
        page = newest[:limit]
        return ListPage(tuple(match_id for _, match_id in page), page[-1] if len(newest) > limit else None)

    def live(self, player_id: str, *, consistent: bool = True) -> tuple[str, ...]:
        item = self._table.get(LiveItem, keys.player_key(player_id), keys.LIVE, consistent=consistent)
        return () if item is None else tuple(sorted(item.matches or ()))

    def offers(
        self, player_id: str, since: int, limit: int | None = None, *, consistent: bool = True
    ) -> tuple[str, ...]:
        entries = self._entries(player_id, keys.OFFER, limit, since=since, consistent=consistent)
        return tuple(match_id for _, match_id in entries)

    def naming(self, player_id: str, limit: int, after: str = "") -> tuple[tuple[str, str], ...]:
        found: list[tuple[str, str]] = []
        for kind in _NAMING:
            if after and after < keys.list_sort(kind, 0):
                continue
            before = keys.listed_in(after) if after.startswith(f"{kind}#") else None
            entries = self._entries(player_id, kind, limit - len(found), before=before)
            found += [(keys.list_sort(kind, *entry), entry[1]) for entry in entries]
            if len(found) == limit:
                break
        return tuple(found)

    def _entries(
        self,
        player_id: str,
        kind: str,
        limit: int | None,
        *,
        since: int = 0,
        before: tuple[int, str] | None = None,
        consistent: bool = True,
    ) -> Iterator[tuple[int, str]]:
        """The newest of one kind, at most `limit`: made at `since` or later, and in order before `before`."""
        end = keys.list_end(kind) if before is None else keys.list_sort(kind, *before)
        condition = ListItem.sk.between(keys.list_sort(kind, max(since, 0)), end)
        # The bounds of BETWEEN are inclusive: the one to go on behind is read, too.
        wanted = None if limit is None else limit + (before is not None)
        pk = keys.player_key(player_id)
        items = self._table.query(ListItem, pk, condition, limit=wanted, newest_first=True, consistent=consistent)
        entries = (keys.listed_in(item.sk) for item in items)
        return itertools.islice((entry for entry in entries if entry != before), limit)

    def membership(self, player_id: str, match_id: str) -> Membership | None:
        item = self._table.get(MembershipItem, keys.player_key(player_id), keys.membership_sort(match_id))
        return None if item is None else _membership(player_id, item)

    def memberships(self, player_id: str, limit: int, after: str | None = None) -> MembershipPage:
        condition: Condition = MembershipItem.sk.startswith(keys.MEMBERS)
        if after is not None:
            condition = MembershipItem.sk.between(keys.membership_sort(after), keys.MEMBERS + "~")
        # One more tells whether there are more; the one to go on behind is read, too.
        items = self._table.query(MembershipItem, keys.player_key(player_id), condition, limit=limit + 2)
        found = [one for item in items if (one := _membership(player_id, item)).match_id != after]
        page = tuple(found[:limit])
        return MembershipPage(page, page[-1].match_id if len(found) > limit else None)

    def relist(self, match: Match) -> None:
        """Write every entry that the match has in its players' own lists, as if it were new, and take all others of it
        away: for a match that was restored."""
        change = Change(match, None)
        entries, writes = list_changes(change), self._members(change)
        for player_id in {place.player_id for place in match.places if place.player_id is not None}:
            pk = keys.player_key(player_id)
            kept = {match.status.value} if player_id in entries.listed else set()
            kept |= {keys.OFFER} if player_id in entries.offered else set()
            writes += [
                self._table.delete(pk, keys.list_sort(kind, match.created_at, match.id))
                for kind in (*(status.value for status in Status), keys.OFFER)
                if kind not in kept
            ]
            if player_id not in entries.sits:
                gone = [LiveItem.matches.delete({match.id})]
                writes.append(self._table.update(pk, keys.LIVE, gone, None))
        self._table.write(*writes)

    # when to look at it ---------------------------------------------------------------------------------------------

    def reschedule(self, match: Match, scheduled_at: int | None) -> None:
        actions: list[Action] = [MatchItem.due_shard.remove(), MatchItem.scheduled_at.remove()]
        if scheduled_at is not None:
            actions = [MatchItem.due_shard.set(keys.due_shard(match.id)), MatchItem.scheduled_at.set(scheduled_at)]
        same = MatchItem.version == match.version
        with suppress(Lost):
            self._table.write(self._table.update(keys.match_key(match.id), keys.MATCH, actions, same))

    def postpone(self, match_id: str, scheduled_at: int) -> None:
        actions: list[Action] = [MatchItem.scheduled_at.set(scheduled_at)]
        with suppress(Lost):
            self._table.write(
                self._table.update(keys.match_key(match_id), keys.MATCH, actions, MatchItem.scheduled_at.exists())
            )

    def due(self, partition: int, now: int, limit: int, *, newest: bool = False) -> tuple[Due, ...]:
        # The index has keys alone, so that one kind will do to read entries of any.
        ready = MatchItem.scheduled_at <= now
        items = self._table.query(MatchItem, partition, ready, index=DUE, limit=limit, newest_first=newest)
        return tuple(Due(keys.id_of(item.pk), int(item.scheduled_at or 0)) for item in items)

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

    def seeds(self, match_id: str) -> tuple[Seed, ...] | None:
        item = self._table.get(SeedsItem, keys.match_key(match_id), keys.SEEDS)
        return None if item is None else read_seeds(item.seeds)

    def seeds_of(self, player_id: str, match_ids: Iterable[str]) -> dict[str, str]:
        wanted = [(keys.match_key(match_id), keys.SEEDS) for match_id in match_ids]
        return {
            keys.id_of(item["pk"]["S"]): seed.digits
            for item in self._table.get_many_raw(wanted)
            for seed in read_seeds(item["seeds"]["S"])
            if seed.player_id == player_id
        }

    def invited_to(self, code: str, now: int) -> str | None:
        item = self._table.get(InviteItem, keys.invite_key(code), keys.INVITE)
        return item.match_id if item is not None and item.ttl is not None and item.ttl > now else None


def match_item(match: Match) -> MatchItem:
    """The one item that holds a match."""
    item = MatchItem(keys.match_key(match.id), keys.MATCH, version=match.version, match=pack_match(match))
    if match.scheduled_at is not None:
        item.due_shard, item.scheduled_at = keys.due_shard(match.id), match.scheduled_at
    return item


def _match(match_id: str, item: Mapping[str, Any]) -> Match:
    check_attributes(MatchItem, item)
    scheduled_at = item.get("scheduled_at")
    version, packed = int(item["version"]["N"]), item["match"]["B"]
    return unpack_match(match_id, version, packed, None if scheduled_at is None else int(scheduled_at["N"]))


def _batch(item: EventsItem) -> EventBatch:
    return unpack_batch(keys.number_in(item.sk), item.events)


def _membership(player_id: str, item: MembershipItem) -> Membership:
    match_id = item.sk.removeprefix(keys.MEMBERS)
    if item.standing not in _STANDINGS:
        raise NewerForm("a standing that this version does not know")
    until = None if item.ttl is None else int(item.ttl)
    return Membership(player_id, match_id, SEATS[int(item.seat)], Standing(item.standing), until)
