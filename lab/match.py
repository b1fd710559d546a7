"""A duplicate match: every deal is played twice, the sides swapped, so that luck with the cards cancels out."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from multiprocessing import get_context
from typing import TYPE_CHECKING

from chalicelib.engine import AfterBank, Side
from lab.players import player
from lab.table import Played, dealt, play_out

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class Terms:
    """What a match is played for: who plays, with which deals."""

    a: str
    b: str
    seed: str = "arena"
    after_bank: AfterBank = AfterBank.FRESH


@dataclass(frozen=True, slots=True)
class Duplicate:
    """One deal at both tables: A sits ns at the first and ew at the second."""

    first: Played
    second: Played

    @property
    def points(self) -> float:
        """A's points a deal, over the two."""
        return (self.first.points(Side.NS) + self.second.points(Side.EW)) / 2

    def tables(self) -> tuple[tuple[Played, Side], tuple[Played, Side]]:
        """Each table's deal, and the side A has there."""
        return (self.first, Side.NS), (self.second, Side.EW)


def duplicate(terms: Terms, number: int) -> Duplicate:
    """Play one deal of a match, at both tables."""
    a, b = terms.a, terms.b
    deal = dealt(terms.seed, number, terms.after_bank)
    salt = f"{terms.seed}:{number}"
    # The same chance at both tables, so that variants differ only where they decide otherwise; but a player against
    # itself would play the same game twice.
    again = f"{salt}:again" if a == b or player(a) == player(b) else salt
    return Duplicate(play_out(deal, (a, b), salt), play_out(deal, (b, a), again))


def _one(job: tuple[Terms, int]) -> tuple[int, Duplicate]:
    return job[1], duplicate(*job)


def match(terms: Terms, deals: Iterable[int], workers: int = 2) -> list[Duplicate]:
    """Play these deals of a match in some processes, telling the progress on stderr; in the order of the deals."""
    jobs = [(terms, number) for number in deals]
    played: dict[int, Duplicate] = {}
    with get_context("spawn").Pool(workers) as pool:
        for number, result in pool.imap_unordered(_one, jobs, chunksize=2):
            played[number] = result
            if len(played) % max(1, len(jobs) // 20) == 0:
                mean = sum(each.points for each in played.values()) / len(played)
                line = f"{terms.a} v {terms.b}: {len(played)}/{len(jobs)} deals, {mean:+.2f} points a deal"
                print(line, file=sys.stderr, flush=True)
    return [played[number] for number in sorted(played)]
