"""Training deals: players of mixed levels play, sharp bots speak at random at times; kept is what they saw and made.

What `python -m lab.fit` learns sharp's estimates from. Chance is there so that contracts are seen that today's
sharp would not call, or would not leave, and sers that it would not name.
"""

from __future__ import annotations

import hashlib
import random
import sys
from dataclasses import dataclass, field
from multiprocessing import get_context
from typing import TYPE_CHECKING

from chalicelib.bots import auction
from chalicelib.bots.kernel import Hand
from chalicelib.bots.levels import decide, level_of
from chalicelib.bots.seen import Levels, Seen, among, look
from chalicelib.bots.sharp import Sharp
from chalicelib.bots.worth import worth
from chalicelib.engine import AfterBank, Call, Deal, DealView, Move, Pass, Phase, Ser, Suit, same_side
from lab.table import dealt

if TYPE_CHECKING:
    from collections.abc import Sequence

LEVELS = ("sharp", "sharp", "sharp", "steady", "easy")
"""Drawn from for each side, or each seat."""
MIXED = 0.3
"""How often partners are of levels drawn apart."""
AT_RANDOM = 0.3
"""How often a sharp bot calls, or names one of its two best sers, at random."""
DARING = 3
"""A call at random is at most so many above the lowest there is."""


@dataclass(frozen=True, slots=True)
class Spoke:
    """A level's own decision in the auction."""

    level: str
    hand: Hand
    highest: int
    """The highest call before, 0 for the opener."""
    partners: bool
    """That call is its partner's."""
    number: int
    """0 for a pass."""


@dataclass(frozen=True, slots=True)
class Reckoned:
    """A contract as a sharp seat reckoned it during the auction, and what became of it."""

    number: int
    banked: int
    """How often the playouts banked that number, of `worlds`."""
    worlds: int
    hand: Hand
    """Of the seat that reckoned."""
    ser: int
    """The ser that it named in the end; -1 when the contract is another seat's."""
    judge: int
    declarer: int
    opponents: Levels
    made: bool


@dataclass(slots=True)
class Practice:
    """What deals have shown."""

    spoke: list[Spoke] = field(default_factory=list)
    named: list[tuple[Hand, int]] = field(default_factory=list)
    """The hands, and the sers, of sharp declarers' own choice."""
    own: list[Reckoned] = field(default_factory=list)
    """Contracts as their declarers saw them when they called."""
    others: list[Reckoned] = field(default_factory=list)
    """Contracts as those saw them who spoke after them, and did not call."""

    def add(self, other: Practice) -> None:
        self.spoke += other.spoke
        self.named += other.named
        self.own += other.own
        self.others += other.others


def levels_of(rng: random.Random) -> Levels:
    """Who sits where."""
    north, east = rng.choice(LEVELS), rng.choice(LEVELS)
    if rng.random() < MIXED:
        return north, east, rng.choice(LEVELS), rng.choice(LEVELS)
    return north, east, north, east


def practise(seed: str, number: int) -> Practice:
    """Play one deal."""
    rng = random.Random(f"{seed}:{number}:practice")
    levels = levels_of(rng)
    opponents = among(levels)
    deal = dealt(seed, number, AfterBank.STREAK if rng.random() < 1 / 3 else AfterBank.FRESH)
    shown = Practice()
    looks: list[tuple[Seen, auction.Outlook]] = []
    while (turn := deal.turn) is not None:
        move = deal.forced_move()
        if move is None:
            key = hashlib.sha256(f"{seed}:{number}:{len(deal.codes)}".encode()).digest()
            level = levels[turn] or "sharp"
            view = deal.view(turn)
            if deal.phase is Phase.AUCTION and level == "sharp":
                seen = look(view, opponents)
                looks.append((seen, Sharp().outlook(seen, key)))
            if deal.phase is not Phase.PLAY and level == "sharp" and rng.random() < AT_RANDOM:
                move = _at_random(rng, deal, view)
            else:
                move = decide(level_of(level), view, key, opponents)
                if deal.phase is Phase.AUCTION:
                    shown.spoke.append(_spoke(look(view), level, move))
                elif isinstance(move, Ser) and level == "sharp":
                    shown.named.append((look(view).hand, int(move.suit)))
        deal = deal.play(move)
    for seen, outlook in looks:
        _reckon(shown, seen, outlook, deal)
    return shown


def _at_random(rng: random.Random, deal: Deal, view: DealView) -> Move:
    if deal.phase is Phase.SER:
        hand = look(view).hand
        return Ser(Suit(rng.choice(sorted(range(4), key=lambda ser: -worth(hand, ser))[:2])))
    calls: Sequence[Move] = [move for move in deal.legal_moves() if isinstance(move, Call)][:DARING]
    return rng.choice([*calls, Pass()] if deal.contract else calls)


def _spoke(seen: Seen, level: str, move: Move) -> Spoke:
    number = move.number if isinstance(move, Call) else 0
    return Spoke(level, seen.hand, seen.contract, same_side(seen.declarer, seen.seat), number)


def _reckon(shown: Practice, seen: Seen, outlook: auction.Outlook, deal: Deal) -> None:
    """Keep what a seat saw, if the contract that it looked at is the one that was played."""
    result, declarer = deal.result, deal.declarer
    assert result is not None
    assert declarer is not None
    number = result.contract
    if seen.seat == declarer:
        assert deal.ser is not None
        ser = int(deal.ser)
        if ser not in outlook.mine:
            return
        banked, kept = sum(outlook.mine[ser][number:]), shown.own
    elif (seen.declarer, seen.contract) == (declarer, number):
        ser = -1
        banked, kept = sum(outlook.theirs[number:]), shown.others
    else:
        return
    made = result.score > 0
    levels = seen.opponents.plays
    kept.append(Reckoned(number, banked, outlook.worlds, seen.hand, ser, seen.seat, int(declarer), levels, made))


def _one(job: tuple[str, int]) -> Practice:
    return practise(*job)


def practice(seed: str, deals: int, workers: int) -> Practice:
    """Play that many deals in some processes, telling the progress on stderr."""
    shown = Practice()
    with get_context("spawn").Pool(workers) as pool:
        # In order: sums of floats come out the same.
        for number, each in enumerate(pool.imap(_one, ((seed, number) for number in range(deals)), chunksize=4), 1):
            shown.add(each)
            if number % max(1, deals // 20) == 0:
                print(f"{number}/{deals} deals practised", file=sys.stderr, flush=True)
    return shown
