"""The kinds of items in the one table, and its one index.

Keys are explained in `keys`, packed attributes in `codec` and `records`. No kind is bound to a table:
`DynamoTable` reads and writes them all.
"""

from __future__ import annotations

from typing import Any

from pynamodb.attributes import (
    BinaryAttribute,
    BooleanAttribute,
    NumberAttribute,
    UnicodeAttribute,
    UnicodeSetAttribute,
)
from pynamodb.indexes import GlobalSecondaryIndex, KeysOnlyProjection
from pynamodb.models import Model

DUE = "due"


def _packed() -> BinaryAttribute:
    return BinaryAttribute(legacy_encoding=False)


class DueIndex(GlobalSecondaryIndex[Any]):  # type: ignore[no-untyped-call]  # PynamoDB's __init_subclass__ is untyped
    """What the sweep looks for: matches by the time to look at them next, accounts that are not settled, sets
    without par."""

    class Meta:
        index_name = DUE
        projection = KeysOnlyProjection()

    due_shard = NumberAttribute(hash_key=True)
    scheduled_at = NumberAttribute(range_key=True)


class Item(Model):
    """The keys that every kind has."""

    pk = UnicodeAttribute(hash_key=True)
    sk = UnicodeAttribute(range_key=True)


class MatchItem(Item):
    version = NumberAttribute()
    match = _packed()
    due_shard = NumberAttribute(null=True)
    scheduled_at = NumberAttribute(null=True)
    due = DueIndex()


class ClosedDealItem(Item):
    deal = _packed()


class EventsItem(Item):
    events = _packed()


class SeedsItem(Item):
    seeds = UnicodeAttribute()
    """A line each, in the order in which they came: seat, player's id, digits."""


class MembershipItem(Item):
    seat = NumberAttribute()
    standing = UnicodeAttribute()
    ttl = NumberAttribute(null=True)


class ListItem(Item):
    """An entry of a player's list, or an offer: its keys say all."""

    ttl = NumberAttribute(null=True)


class LiveItem(Item):
    matches = UnicodeSetAttribute(null=True)


class InviteItem(Item):
    """Of a match, or of a set, whose code does not end."""

    match_id = UnicodeAttribute(null=True)
    set_id = UnicodeAttribute(null=True)
    ttl = NumberAttribute(null=True)


class SetItem(Item):
    """In the due index until par of every deal is known."""

    set = _packed()
    par = BinaryAttribute(legacy_encoding=False, null=True)
    """A byte a deal."""
    due_shard = NumberAttribute(null=True)
    scheduled_at = NumberAttribute(null=True)


class SetResultItem(Item):
    """An entry that was counted: its keys say all."""


class PlayerItem(Item):
    """An account, in the due index until it is settled; a tombstone has `deleted_at` and no name."""

    name = UnicodeAttribute(null=True)
    locale = UnicodeAttribute(null=True)
    recovery = BinaryAttribute(legacy_encoding=False, null=True)
    recovery_at = NumberAttribute(null=True)
    created_at = NumberAttribute()
    revision = NumberAttribute()
    deleted_at = NumberAttribute(null=True)
    due_shard = NumberAttribute(null=True)
    scheduled_at = NumberAttribute(null=True)
    settling = UnicodeAttribute(null=True)
    missed = BooleanAttribute(null=True)


class DevicesItem(Item):
    sessions = _packed()
    revision = NumberAttribute()
    ttl = NumberAttribute(null=True)
    """When the last of them expires."""


class TransferItem(Item):
    player_id = UnicodeAttribute()
    maker = UnicodeAttribute()
    session_id = UnicodeAttribute(null=True)
    ttl = NumberAttribute()


class RecoveryItem(Item):
    player_id = UnicodeAttribute()


class CountItem(Item):
    uses = NumberAttribute()
    ttl = NumberAttribute()
