"""The sharp level: it deals itself hands that fit what it saw, plays its choices out in them, takes the best.

How long it thinks, everybody sees. So how much it works follows from what everybody sees, the cards left and those on
the table, and never from its hand: the only card that it may play takes it as much work as a choice among eight. What
the decision does not need is worked off for nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import cycle
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from chalicelib.bots import auction
from chalicelib.bots.belief import likely_worlds
from chalicelib.bots.endgame import Endgame, Spent
from chalicelib.bots.kernel import playout
from chalicelib.engine import same_side

if TYPE_CHECKING:
    from collections.abc import Callable

    from chalicelib.bots.kernel import Hands
    from chalicelib.bots.seen import Seen

    Values = dict[int, list[float]]
    Outcomes = Callable[[int, int, list[int]], list[list[int]]]

MOST = 150
"""Worlds that a decision looks at, at most."""
ENOUGH = 4
"""Playouts for each world drawn."""


class Solved(NamedTuple):
    """How an end is solved: in so many worlds, and by so many nodes of the solver a world, by cards on the table.

    That is what it takes in the mean, or a little more: where it takes more, fewer worlds count.
    """

    worlds: int
    nodes: tuple[int, int, int, int]


SOLVED = {
    2: Solved(60, (40, 22, 14, 12)),
    3: Solved(60, (200, 106, 84, 53)),
    4: Solved(24, (820, 440, 370, 230)),
}
"""With that many cards in hand or fewer the end is solved."""
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
        return self.judge(seen, key, choices(seen)).card

    def judge(self, seen: Seen, key: bytes, options: list[int]) -> Verdict:
        """The best of the cards, and how often it gets my side what it wants."""
        values = self.values(seen, key, options)
        best = max(options, key=lambda card: (len(values[card]), sum(values[card])))
        return Verdict(best, sum(value > REACHED for value in values[best]) / len(values[best]))

    def values(self, seen: Seen, key: bytes, options: list[int]) -> Values:
        """What each of the cards is worth in the worlds it is tried in; the promising are tried in more."""
        cards = seen.sizes[seen.seat]
        playouts = max(ENOUGH * cards, self.effort * 13 // (cards + 2))
        most = SOLVED[cards].worlds if cards in SOLVED else MOST
        worlds = list(likely_worlds(seen, Random(key), min(most, playouts // ENOUGH)))
        if cards in SOLVED:
            return all_solved(seen, worlds, options, len(worlds) * SOLVED[cards].nodes[len(seen.on_table)])
        return all_played_out(seen, worlds, options, playouts)


def all_played_out(seen: Seen, worlds: list[Hands], options: list[int], playouts: int) -> Values:
    """The worth of each card in worlds played out; exactly so many playouts are made."""

    def outcomes(first: int, count: int, cards: list[int]) -> list[list[int]]:
        return [played_out(seen, hands, cards) for hands in worlds[first : first + count]]

    values, spare = narrowed(options, playouts, len(worlds), worth_of(seen), outcomes)
    for each in range(spare):
        played_out(seen, worlds[each % len(worlds)], options[:1])
    return values


def narrowed(
    options: list[int], playouts: int, worlds: int, worth: list[float], outcomes: Outcomes
) -> tuple[Values, int]:
    """Tries all cards in some worlds, the better half of them in others, and so on, with equal shares of the playouts;
    and how many playouts were not needed. `outcomes`: what ns banks, in worlds from a first one on, after each card."""
    values: Values = {card: [] for card in options}
    alive, first = options, 0
    for rounds in range(max(1, (len(options) - 1).bit_length()), 0, -1):
        count = min(playouts // rounds // len(alive), worlds - first)
        for row in outcomes(first, count, alive):
            for card, ns in zip(alive, row, strict=True):
                values[card].append(worth[ns])
        first += count
        playouts -= count * len(alive)
        alive = sorted(alive, key=lambda card: -sum(values[card]))[: (len(alive) + 1) // 2]
    return values, playouts


def all_solved(seen: Seen, worlds: list[Hands], options: list[int], nodes: int) -> Values:
    """The worth of each card in as many worlds solved as that many nodes allow; all of them are gone through."""
    rows: list[list[int]] = []
    for number, hands in enumerate(cycle(worlds)):
        endgame = Endgame(seen.ser, seen.streak, nodes)
        try:
            outcomes = solved(endgame, seen, hands, options)
        except Spent:
            # One world was too much: rather than nothing, a guess.
            return valued(seen, options, rows or [played_out(seen, hands, options)])
        nodes = endgame.nodes
        if number < len(worlds):
            rows.append(outcomes)
    raise AssertionError("no worlds")


def valued(seen: Seen, options: list[int], rows: list[list[int]]) -> Values:
    """The worth of each card in each world, by what ns banks there."""
    worth = worth_of(seen)
    return {card: [worth[row[at]] for row in rows] for at, card in enumerate(options)}


def played_out(seen: Seen, hands: list[list[int]], options: list[int]) -> list[int]:
    """What ns banks from here on after each card, played out."""
    outcomes = []
    for card in options:
        copy = [hand[:] for hand in hands]
        copy[seen.seat][card // 13] ^= 1 << card % 13
        table = (*seen.on_table, card)
        outcomes.append(playout(copy, seen.ser, seen.leader, seen.armed, seen.pile, seen.streak, table))
    return outcomes


def solved(endgame: Endgame, seen: Seen, hands: list[list[int]], options: list[int]) -> list[int]:
    """What ns banks from here on after each card with best play by all. Raises `Spent`."""
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
    declaring = same_side(seen.declarer, seen.seat)
    worth = []
    for ns in range(left + 1):
        over = (left - ns if seen.declarer & 1 else ns) - seen.missing()
        if not declaring:
            over = -1 - over
        worth.append((1.0 if over >= 0 else 0.0) + TRICK * over)
    return worth
