"""The keys of the one table: what lies where, and in which order.

match#ID      match                   a whole match, one item
              deal#NN                 a deal that is over
              event#VVVVVVVVVV        the seat events of one write, under the last one's version
              seeds                   the players' seeds, once the match has started
player#ID     profile                 an account, or its tombstone
              devices                 the devices that are signed in
              member#TTTTTTTTTT#ID    was or is one of the match ID, made at T
              live#TTTTTTTTTT#ID      the same, while there is still something to play
invite#CODE   invite                  the match a code leads to
transfer#HASH transfer                a code that signs another device in
recovery#HASH recovery                the account a recovery code leads back to
count#KEY     TTTTTTTTTT              the uses of KEY in the window from T on
"""

from __future__ import annotations

from zlib import crc32

from chalicelib.service.ports import SHARDS

MATCH = "match"
SEEDS = "seeds"
PROFILE = "profile"
INVITE = "invite"
TRANSFER = "transfer"
RECOVERY = "recovery"
MEMBER = "member"
LIVE = "live"
DEVICES = "devices"
EVENTS = "event#"


def match_key(match_id: str) -> str:
    return f"match#{match_id}"


def player_key(player_id: str) -> str:
    return f"player#{player_id}"


def invite_key(code: str) -> str:
    return f"invite#{code}"


def transfer_key(code_hash: bytes) -> str:
    return f"transfer#{code_hash.hex()}"


def recovery_key(code_hash: bytes) -> str:
    return f"recovery#{code_hash.hex()}"


def count_key(key: str) -> str:
    return f"count#{key}"


def id_of(key: str) -> str:
    """The id in a match's or a player's key."""
    return key.partition("#")[2]


def deal_sort(number: int) -> str:
    return f"deal#{number:02d}"


def event_sort(last_version: int) -> str:
    return EVENTS + _ordered(last_version)


def membership_sort(kind: str, created_at: int, match_id: str) -> str:
    """`kind` is MEMBER or LIVE."""
    return f"{kind}#{_ordered(created_at)}#{match_id}"


def number_in(sort: str) -> int:
    """The number in a deal's, an event's or a membership's sort key."""
    return int(sort.split("#", 2)[1])


def match_id_in(sort: str) -> str:
    """The match's id in a membership's sort key."""
    return sort.split("#", 2)[2]


def window_sort(start: int) -> str:
    return _ordered(start)


def wake_shard(match_id: str) -> int:
    """The partition of the waking index in which a match is filed."""
    return crc32(match_id.encode()) % SHARDS


def _ordered(number: int) -> str:
    """Ten digits, so that text sorts as numbers do."""
    return f"{number:010d}"
