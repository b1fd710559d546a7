"""The keys of the one table: what lies where, and in which order.

match#ID      match                   a whole match, one item
              deal#NN                 a deal that is over
              event#VVVVVVVVVV        the seat events of one write, under the last one's version
              seeds                   the players' seeds, once the match has started
player#ID     profile                 an account, or its tombstone
              devices                 the devices that are signed in
              live                    the matches the player sits at
              STATUS#TTTTTTTTTT#ID    in the player's list: the match ID, made at T, that stands so
              offer#TTTTTTTTTT#ID     a seat of the match ID, made at T, is kept for the player
              member#ID               how the player stands to the match ID
set#ID        set                     the same deals for everybody who enters
              counts                  how many entries made each score
              result#NNNN#ID          the player ID has finished; the best first
invite#CODE   invite                  the match or the set a code leads to
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
DEVICES = "devices"
LIVE = "live"
OFFER = "offer"
MEMBERS = "member#"
EVENTS = "event#"
SET = "set"
COUNTS = "counts"
RESULTS = "result#"
_BEST = 5000
"""No set's score comes near."""


def match_key(match_id: str) -> str:
    return f"match#{match_id}"


def player_key(player_id: str) -> str:
    return f"player#{player_id}"


def set_key(set_id: str) -> str:
    return f"set#{set_id}"


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


def membership_sort(match_id: str) -> str:
    return MEMBERS + match_id


def list_sort(kind: str, created_at: int, match_id: str = "") -> str:
    """`kind` is a status or OFFER. Without an id it comes before all that were made at that second."""
    return f"{kind}#{_ordered(created_at)}#{match_id}"


def list_end(kind: str) -> str:
    """After all of a kind."""
    return f"{kind}#~"


def listed_in(sort: str) -> tuple[int, str]:
    """When the match was made, and its id, in a list's sort key."""
    _, created_at, match_id = sort.split("#", 2)
    return int(created_at), match_id


def result_sort(score: int, player_id: str) -> str:
    """The higher the score, the earlier."""
    return f"{RESULTS}{_BEST - score:04d}#{player_id}"


def result_in(sort: str) -> tuple[int, str]:
    """The score and the player in a result's sort key."""
    _, behind_best, player_id = sort.split("#", 2)
    return _BEST - int(behind_best), player_id


def number_in(sort: str) -> int:
    """The number in a deal's or an event's sort key."""
    return int(sort.split("#", 1)[1])


def window_sort(start: int) -> str:
    return _ordered(start)


def due_shard(match_id: str) -> int:
    """The partition of the due index in which a match is scheduled."""
    return crc32(match_id.encode()) % SHARDS


def _ordered(number: int) -> str:
    """Ten digits, so that text sorts as numbers do."""
    return f"{number:010d}"
