"""Worlds: ways the hidden cards may lie, drawn evenly from all that fit what was seen.

A suit that some hidden seat is known to be void in is *tied*; the other suits' cards are *free* and all alike to
the count. Ties are few, so every way to share out the tied suits by number is listed, each with how many
worlds it stands for, and drawn by that weight. What is left is a shuffle.
"""

from __future__ import annotations

from itertools import accumulate
from math import comb
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from chalicelib.bots.kernel import Hands
    from chalicelib.bots.seen import Seen


class Split(NamedTuple):
    """A way to share out the tied suits: per tied suit the number of cards for each hidden seat."""

    shares: tuple[tuple[int, int, int], ...]
    worlds: int


def worlds(seen: Seen, rng: Random, count: int) -> Iterator[Hands]:
    """That many worlds: hands by seat, the seat's own among them. They may repeat."""
    hidden = [(seen.seat + step) & 3 for step in (1, 2, 3)]
    tied = [suit for suit in range(4) if seen.unseen[suit] and any(seen.void[seat] >> suit & 1 for seat in hidden)]
    pools = [_cards(suit, seen.unseen[suit]) for suit in tied]
    free = [card for suit in range(4) if suit not in tied for card in _cards(suit, seen.unseen[suit])]
    sizes = [seen.sizes[seat] for seat in hidden]
    splits = _splits(seen, hidden, tied, sizes, len(free))
    if len(splits) == 1:
        drawn = splits * count
    else:
        drawn = rng.choices(splits, cum_weights=list(accumulate(split.worlds for split in splits)), k=count)
    random = rng.random
    for split in drawn:
        hands: Hands = [[0, 0, 0, 0] for _ in range(4)]
        hands[seen.seat] = seen.hand[:]
        room = sizes[:]
        for pool, share in zip(pools, split.shares, strict=True):
            _deal(sorted(pool, key=lambda _: random()), share, hidden, hands)
            room = [room[i] - share[i] for i in range(3)]
        _deal(sorted(free, key=lambda _: random()), room, hidden, hands)
        yield hands


def _cards(suit: int, held: int) -> list[int]:
    return [suit * 13 + rank for rank in range(13) if held >> rank & 1]


def _deal(cards: list[int], share: tuple[int, int, int] | list[int], hidden: list[int], hands: Hands) -> None:
    at = 0
    for seat, number in zip(hidden, share, strict=True):
        hand = hands[seat]
        for card in cards[at : at + number]:
            hand[card // 13] |= 1 << card % 13
        at += number


def _splits(seen: Seen, hidden: list[int], tied: list[int], sizes: list[int], free: int) -> list[Split]:
    """Every way to share out the tied suits that leaves the free cards room, with its number of worlds."""
    splits = []

    def share_out(at: int, shares: tuple[tuple[int, int, int], ...], a: int, b: int, c: int, ways: int) -> None:
        if at == len(tied):
            splits.append(Split(shares, ways * comb(free, a) * comb(free - a, b)))
            return
        suit = tied[at]
        number = seen.unseen[suit].bit_count()
        most = [0 if seen.void[seat] >> suit & 1 else left for seat, left in zip(hidden, (a, b, c), strict=True)]
        for x in range(min(most[0], number) + 1):
            rest = number - x
            for y in range(max(0, rest - most[2]), min(most[1], rest) + 1):
                z = rest - y
                share_out(at + 1, (*shares, (x, y, z)), a - x, b - y, c - z, ways * comb(number, x) * comb(rest, y))

    share_out(0, (), sizes[0], sizes[1], sizes[2], 1)
    return splits
