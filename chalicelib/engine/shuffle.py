"""The shuffle anyone can check (docs/fair-shuffle.md): every deal follows from a secret committed to beforehand.

The steps named below are those of that page. Nothing here is logged or shown by a repr.
"""

from __future__ import annotations

import functools
import hmac
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import count
from typing import TYPE_CHECKING

from chalicelib.engine.errors import Malformed
from chalicelib.engine.types import SEATS, Seat

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_HEXADECIMAL = frozenset("0123456789abcdef")


@dataclass(frozen=True, slots=True)
class Shuffled:
    """The four hands as 52-bit sets, by seat, and the opener: the first deal's only (R5), of no meaning for others."""

    hands: tuple[int, int, int, int] = field(repr=False)
    opener: Seat = field(repr=False)


def deal_secret(match_secret: bytes, number: int) -> bytes:
    """Step 2: the 32-byte secret of deal `number` (1, 2, ...)."""
    return hmac.digest(match_secret, b"deal:%d" % number, "sha256")


def commitment(secret: bytes) -> str:
    """Step 3: what is shown of a deal's secret beforehand, 64 hexadecimal digits."""
    return sha256(secret).hexdigest()


def client_digest(seeds: Sequence[str]) -> bytes:
    """Step 4: 32 bytes from the seeds of north, east, south and west.

    A seed is 0 to 32 lowercase hexadecimal digits; `Malformed` for another text, or not four of them.
    """
    if len(seeds) != 4 or not all(len(seed) <= 32 and _HEXADECIMAL.issuperset(seed) for seed in seeds):
        raise Malformed("not four client seeds")
    return sha256("\n".join(seeds).encode()).digest()


@functools.lru_cache(maxsize=256)  # each move of a deal begins with the same shuffle
def shuffle(deal_secret: bytes, client_digest: bytes) -> Shuffled:
    """Steps 5 to 10: the hands of a deal, and the opener should it be a match's first."""
    stream = _stream(hmac.digest(deal_secret, client_digest, "sha256"))
    pack = list(range(52))
    for i in range(51, 0, -1):
        j = _draw(stream, i + 1)
        pack[i], pack[j] = pack[j], pack[i]
    north, east, south, west = (sum(1 << index for index in pack[seat::4]) for seat in SEATS)
    return Shuffled((north, east, south, west), SEATS[_draw(stream, 4)])


def opener_of(first: Seat, number: int) -> Seat:
    """R5: the opener of deal `number` (1, 2, ...) of a match whose first deal `first` opened."""
    return SEATS[(first + number - 1) % 4]


def _stream(key: bytes) -> Iterator[int]:
    """Step 6: endless bytes."""
    for block in count():
        yield from hmac.digest(key, block.to_bytes(4, "big"), "sha256")


def _draw(stream: Iterator[int], m: int) -> int:
    """Step 7: a number from 0 to m - 1, each equally likely."""
    fair = 256 - 256 % m
    while (byte := next(stream)) >= fair:
        pass
    return byte % m
