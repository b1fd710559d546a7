"""What dailies are like: `python -m dev.simulation.dailies [--days 100] [--players 8]` draws docs/dailies.svg.

Of each daily par is made, and so many people play it. A person decides by turns as `steady` and as `easy` does, each in
a measure of their own, so that no two play alike. Prints how often two people tie, how far their scores lie apart, and
how many of them par beats.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import combinations, repeat
from pathlib import Path
from random import Random
from statistics import mean, median, pstdev

from chalicelib import bots
from chalicelib.engine import Deal, DealView, Move
from chalicelib.match.model import Match
from chalicelib.match.opponents import bot_move
from chalicelib.match.sets import DealSet, par_of, played, total
from chalicelib.service.services import Services
from chalicelib.service.sets.making import daily_of
from chalicelib.store.memory import MemoryStore

OUT = Path("docs/dailies.svg")
WIDTH, HEIGHT, LEFT, BOTTOM, TOP, BIN = 640, 300, 60, 50, 20, 8


@dataclass(frozen=True, slots=True)
class Daily:
    """What par and the people have made of one."""

    par: int
    scores: tuple[int, ...]

    @property
    def percentile(self) -> float:
        """How many of the people par beats, ties counted by half."""
        worse = sum(score < self.par for score in self.scores) + sum(score == self.par for score in self.scores) / 2
        return 100 * worse / len(self.scores)


class Person:
    """Plays as `steady` does, or with a certain chance as `easy` does."""

    def __init__(self, chance: Random) -> None:
        self.chance, self.skill = chance, chance.random()

    def decide(self, view: DealView, around: bots.Opponents, _move_number: int) -> Move:
        level = "steady" if self.chance.random() < self.skill else "easy"
        return bots.choose(view, level, self.chance.randbytes(32), around)


def play(deal_set: DealSet, people: int, seed: str) -> Daily:
    """Par, and so many people's scores. What the bots answer to the same moves is thought out once."""
    known: dict[tuple[int, tuple[int, ...]], Move] = {}

    def choose(match: Match, deal: Deal) -> Move:
        at = match.deal, tuple(deal.codes)
        if at not in known:
            known[at] = bot_move(match, deal)
        return known[at]

    deals = range(1, deal_set.rules.deals + 1)
    par = tuple(par_of(deal_set, number, choose) for number in deals)
    scores = []
    for each in range(people):
        person = Person(Random(f"{seed} {each}"))
        results = tuple(played(deal_set, number, person.decide, choose) for number in deals)
        scores.append(total(results, deal_set.seat))
    return Daily(total(par, deal_set.seat), tuple(scores))


def figures(dailies: list[Daily]) -> list[str]:
    """Sentences."""
    pairs = [one == other for daily in dailies for one, other in combinations(daily.scores, 2)]
    spreads = [pstdev(daily.scores) for daily in dailies]
    percentiles = sorted(daily.percentile for daily in dailies)
    return [
        f"{len(dailies)} dailies, {len(dailies[0].scores)} people each",
        f"two people tie in {100 * mean(pairs):.0f} % of all pairs",
        f"scores of one daily have a standard deviation of {mean(spreads):.1f} points",
        f"par beats {mean(percentiles):.0f} % of the people (median {median(percentiles):.0f} %)",
        f"mean score {mean(score for daily in dailies for score in daily.scores):+.1f}, "
        f"mean par {mean(daily.par for daily in dailies):+.1f}",
    ]


def drawn(dailies: list[Daily]) -> str:
    """Two histograms as an SVG: the people's scores, and par's, in per cent of each."""
    people = _shares(score for daily in dailies for score in daily.scores)
    par = _shares(daily.par for daily in dailies)
    bins = range(min({*people, *par}), max({*people, *par}) + BIN, BIN)
    most = max(*people.values(), *par.values())
    step = (WIDTH - LEFT - 20) / len(bins)

    def bar(start: int, share: float, offset: float, colour: str) -> str:
        tall = share / most * (HEIGHT - BOTTOM - TOP)
        x = LEFT + (start - bins[0]) / BIN * step + offset * step
        return f'<path d="M{x:.1f} {HEIGHT - BOTTOM}v{-tall:.1f}h{0.4 * step:.1f}v{tall:.1f}z" fill="{colour}"/>'

    style = 'font-family="sans-serif" font-size="12" fill="#333"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
        "<title>Scores of simulated dailies: people's and par's</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        f'<path d="M{LEFT} {HEIGHT - BOTTOM}H{WIDTH - 20}" stroke="#333"/>',
    ]
    for start in bins:
        parts += [bar(start, people.get(start, 0), 0.05, "#26a"), bar(start, par.get(start, 0), 0.5, "#e80")]
        if start % (2 * BIN) == 0:
            x = LEFT + (start - bins[0]) / BIN * step
            parts.append(f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle" {style}>{start:+d}</text>')
    parts += [
        f'<text x="{LEFT + 10}" y="{TOP + 4}" {style}><tspan fill="#26a">■</tspan> people '
        f'<tspan fill="#e80">■</tspan> par</text>',
        f'<text x="{WIDTH / 2}" y="{HEIGHT - 10}" text-anchor="middle" {style}>points of own side less the other\'s, '
        f"over four deals</text>",
        f'<text x="{LEFT - 6}" y="{TOP + 4}" text-anchor="end" {style}>{most:.0f} %</text></svg>',
    ]
    return "\n".join(parts) + "\n"


def _shares(scores: Iterable[int]) -> dict[int, float]:
    """Per cent of the scores in each bin, by where it begins."""
    counts = Counter(score // BIN * BIN for score in scores)
    return {start: 100 * many / counts.total() for start, many in counts.items()}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m dev.simulation.dailies", description=__doc__)
    parser.add_argument("--days", type=int, default=100)
    parser.add_argument("--players", type=int, default=8)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    services = Services(MemoryStore(), random_bytes=Random(1).randbytes)
    days = [daily_of(services, day) for day in range(options.days)]
    dailies = []
    with ProcessPoolExecutor(options.jobs) as pool:
        for daily in pool.map(play, days, repeat(options.players), (deal_set.day for deal_set in days)):
            dailies.append(daily)
            print(daily, flush=True)
    print(*figures(dailies), sep="\n")
    OUT.write_text(drawn(dailies), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
