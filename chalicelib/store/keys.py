"""The keys of the one table: what lies where, and in which order.

match#ID      match                   a whole match, one item
              deal#NN                 a deal that is over
              event#VVVVVVVVVV        the seat events of one write, under the last one's version
              seeds                   the players' seeds, once the match has started
player#ID     profile                 an account, or its tombstone
              session#ID              a device
              member#TTTTTTTTTT#ID    was or is one of the match ID, made at T
              live#TTTTTTTTTT#ID      the same, while there is still something to play
invite#CODE   invite                  the match a code leads to
transfer#HASH transfer                a code that signs another device in
count#KEY     TTTTTTTTTT              the uses of KEY in the window from T on
"""

from __future__ import annotations

from zlib import crc32

WAKE_SHARDS = 4
DELETION_SHARD = WAKE_SHARDS
"""Where the waking index holds accounts whose deletion has still to be finished."""


def wake_shard(match_id: str) -> int:
    """The part of the waking index, 0 to 3, in which a match is filed."""
    return crc32(match_id.encode()) % WAKE_SHARDS
