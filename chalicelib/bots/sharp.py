"""The sharp level: it deals itself hands that fit what it saw, plays each choice out in all of them, takes the best."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from . import auction
from .belief import likely_worlds
from .endgame import Endgame
from .kernel import playout

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .seen import Seen

SOLVED = {2: 60, 3: 60, 4: 24}
"""With that many cards in hand or fewer the end is solved, in at most so many worlds: what 40 ms allow."""
TRICK = 0.02
"""What a trick more is worth beside the contract: enough to choose by when the contract is settled."""
REACHED = 0.5
"""Worth more than this: the contract made, or broken, as my side wants it."""


class Verdict(NamedTuple):
    """A card, and the share of worlds in which my side makes, or breaks, the contract with it."""

    card: int
    chance: float


@dataclass(frozen=True, slots=True)
class Sharp:
    """The level with its effort, in playouts of a whole deal that a decision may take, about."""

    effort: int = 400

    def call(self, seen: Seen, key: bytes, /) -> int:
        """The call that scores most on average."""
        return auction.call(seen, self.outlook(seen, key))

    def ser(self, seen: Seen, key: bytes, /) -> int:
        """The ser in which the contract is most likely made."""
        return self.outlook(seen, key).best(seen.contract)[1]

    def outlook(self, seen: Seen, key: bytes) -> auction.Outlook:
        """What this level sees of contracts, its own and the present one, when it is asked with the same key."""
        return auction.outlook(seen, key, max(8, self.effort // 6))

    def play(self, seen: Seen, key: bytes, /) -> int:
        """The card that makes, or breaks, the contract most often; tricks count a little beside that."""
        options = choices(seen)
        return options[0] if len(options) == 1 else self.judge(seen, key, options).card

    def judge(self, seen: Seen, key: bytes, options: list[int]) -> Verdict:
        """The best of the cards, and how often it gets my side what it wants."""
        worth = worth_of(seen)
        total = dict.fromkeys(options, 0.0)
        reached = dict.fromkeys(options, 0)
        worlds = 0
        for outcomes in self.outcomes(seen, key, options):
            worlds += 1
            for card, ns in zip(options, outcomes, strict=True):
                total[card] += worth[ns]
                reached[card] += worth[ns] > REACHED
        best = max(options, key=lambda card: total[card])
        return Verdict(best, reached[best] / worlds)

    def outcomes(self, seen: Seen, key: bytes, options: list[int]) -> Iterator[list[int]]:
        """For each world, what ns banks from here on after each of the cards."""
        cards = seen.sizes[seen.seat]
        count = max(4, self.effort * 13 // (len(options) * (cards + 2)))
        if cards in SOLVED:
            for hands in likely_worlds(seen, Random(key), min(SOLVED[cards], count)):
                yield solved(seen, hands, options)
        else:
            for hands in likely_worlds(seen, Random(key), min(200, count)):
                yield played_out(seen, hands, options)


def played_out(seen: Seen, hands: list[list[int]], options: list[int]) -> list[int]:
    """What ns banks from here on after each card, played out."""
    outcomes = []
    for card in options:
        copy = [hand[:] for hand in hands]
        copy[seen.seat][card // 13] ^= 1 << card % 13
        table = (*seen.on_table, card)
        outcomes.append(playout(copy, seen.ser, seen.leader, seen.armed, seen.pile, seen.streak, table))
    return outcomes


def solved(seen: Seen, hands: list[list[int]], options: list[int]) -> list[int]:
    """What ns banks from here on after each card with best play by all."""
    endgame = Endgame(seen.ser, seen.streak)
    sets = [s | h << 13 | d << 26 | c << 39 for s, h, d, c in hands]
    outcomes = []
    for card in options:
        left = sets[:]
        left[seen.seat] ^= 1 << card
        outcomes.append(endgame.solve(left, seen.leader, seen.armed, seen.pile, (*seen.on_table, card)))
    return outcomes


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
    """For each number of tricks that ns may still bank, what it is worth to my side: the contract, then the tricks."""
    left = 13 - sum(seen.banked)
    declaring = (seen.declarer ^ seen.seat) & 1 == 0
    worth = []
    for ns in range(left + 1):
        over = (left - ns if seen.declarer & 1 else ns) - seen.missing()
        if not declaring:
            over = -1 - over
        worth.append((1.0 if over >= 0 else 0.0) + TRICK * over)
    return worth
