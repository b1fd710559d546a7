"""The sharp level: it deals itself hands that fit what it saw, plays each choice out in all of them, takes the best."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from . import easy
from .kernel import playout
from .worlds import worlds

if TYPE_CHECKING:
    from .seen import Seen


@dataclass(frozen=True, slots=True)
class Sharp:
    """The level with its effort: how much it looks at before a card, in thousands of tricks played out."""

    effort: float = 6.0

    def call(self, seen: Seen, key: bytes, /) -> int:
        return easy.call(seen, key)

    def ser(self, seen: Seen, key: bytes, /) -> int:
        return easy.ser(seen, key)

    def play(self, seen: Seen, key: bytes, /) -> int:
        options = choices(seen)
        if len(options) == 1:
            return options[0]
        tricks = seen.sizes[seen.seat]
        count = int(min(200.0, 1000 * self.effort / (len(options) * (tricks + 2))))
        worth = worth_of(seen)
        total = dict.fromkeys(options, 0.0)
        me = seen.seat
        for hands in worlds(seen, Random(key), count):
            for card in options:
                copy = [hand[:] for hand in hands]
                copy[me][card // 13] ^= 1 << card % 13
                ns = playout(copy, seen.ser, seen.leader, seen.armed, seen.pile, seen.streak, (*seen.on_table, card))
                total[card] += worth[ns]
        return max(options, key=lambda card: total[card])


def choices(seen: Seen) -> list[int]:
    """The legal cards, one for each run of cards that nobody else's card parts; the lowest stands for its run."""
    suits = [seen.led] if seen.on_table and seen.hand[seen.led] else range(4)
    options = []
    for suit in suits:
        apart = seen.unseen[suit] | sum(1 << card % 13 for card in seen.on_table if card // 13 == suit)
        joined = False
        for rank in range(13):
            if seen.hand[suit] >> rank & 1:
                if not joined:
                    options.append(suit * 13 + rank)
                joined = True
            elif apart >> rank & 1:
                joined = False
    return options


def worth_of(seen: Seen) -> list[float]:
    """For each number of tricks that ns may still bank, what it is worth to my side."""
    left = 13 - sum(seen.banked)
    worth = []
    for ns in range(left + 1):
        got = ns if not seen.declarer & 1 else left - ns
        over = got - seen.missing()
        value = (1.0 if over >= 0 else 0.0) + 0.02 * over
        worth.append(value if (seen.declarer ^ seen.seat) & 1 == 0 else -value)
    return worth
