"""Prices what sharp says: at each of its decisions in the auction every alternative is forced and played out.

.venv-lab/bin/python -m lab.choices --deals 500 [--against steady] [--after-bank streak]

A table of kinds of decisions: by how many points sharp expected the alternative to be better than a pass, or than the 7
of an opener, and by how many it was. All alternatives of a decision are played with the same cards and the same chance.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections import defaultdict
from dataclasses import dataclass, field
from multiprocessing import get_context
from typing import TYPE_CHECKING, NamedTuple

from chalicelib.bots import among
from chalicelib.bots.levels import Level, decide, level_of
from chalicelib.bots.seen import Levels, Opponents, Seen, look
from chalicelib.engine import HIGHEST_CALL, LOWEST_CALL, AfterBank, Call, Deal, Pass, Phase, same_side
from lab.report import interval
from lab.swift import Swift
from lab.table import dealt

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chalicelib.bots.auction import Outlook
    from chalicelib.bots.kernel import Hand
    from chalicelib.engine import Move

MOST_OFF, ENOUGH = 1.0, 300
"""Points that a kind with so many decisions may be off."""


class Final(NamedTuple):
    """What came of an auction."""

    declarer: int
    contract: int
    ser: int
    score: int

    def points(self, seat: int) -> int:
        """Of the seat's side."""
        return self.score if same_side(self.declarer, seat) else -self.score


@dataclass(frozen=True, slots=True)
class Choice:
    """A decision of a sharp seat in the auction, and what each alternative (0: pass) leads to."""

    seen: Seen
    outlook: Outlook
    called: int
    finals: dict[int, Final]

    def expected(self, number: int) -> float:
        """Points of the seat's side."""
        return self.outlook.called(number) if number else self.outlook.passed(self.seen.contract)

    def differences(self, number: int) -> tuple[float, float]:
        """By how much an alternative is expected to be better than a pass or a 7, and is."""
        least = 0 if self.seen.contract else LOWEST_CALL
        seat = self.seen.seat
        points = self.finals[number].points(seat) - self.finals[least].points(seat)
        return self.expected(number) - self.expected(least), points


class Spoke(NamedTuple):
    """What a level said of its own accord."""

    level: str
    seen: Seen
    number: int


@dataclass(slots=True)
class Explored:
    """What deals have shown."""

    choices: list[Choice] = field(default_factory=list)
    spoke: list[Spoke] = field(default_factory=list)
    named: list[tuple[Hand, int]] = field(default_factory=list)
    """Hands of sharp declarers, and the sers that they named."""

    def add(self, other: Explored) -> None:
        self.choices += other.choices
        self.spoke += other.spoke
        self.named += other.named


@dataclass(slots=True)
class Table:
    """Four players of given levels at one deal."""

    levels: Levels
    salt: str
    effort: int
    finals: dict[Sequence[int], Final] = field(default_factory=dict)

    @property
    def opponents(self) -> Opponents:
        return among(self.levels)

    def player(self, seat: int) -> Level:
        return Swift(self.effort) if self.levels[seat] == "sharp" else level_of(self.levels[seat] or "sharp")

    def key(self, deal: Deal) -> bytes:
        return hashlib.sha256(f"{self.salt}:{len(deal.codes)}".encode()).digest()

    def move(self, deal: Deal) -> Move:
        assert deal.turn is not None
        if forced := deal.forced_move():
            return forced
        return decide(self.player(deal.turn), deal.view(deal.turn), self.key(deal), self.opponents)

    def final(self, deal: Deal) -> Final:
        """Play on; auctions that come to the same are played once."""
        while deal.phase is Phase.AUCTION:
            deal = deal.play(self.move(deal))
        auction = deal.codes
        if auction not in self.finals:
            while deal.turn is not None:
                deal = deal.play(self.move(deal))
            assert deal.result is not None
            assert deal.declarer is not None
            assert deal.ser is not None
            self.finals[auction] = Final(int(deal.declarer), deal.result.contract, int(deal.ser), deal.result.score)
        return self.finals[auction]


def explored(seed: str, number: int, levels: Levels, after_bank: AfterBank, effort: int = 400) -> Explored:
    """One deal: what everybody says and names there, and every alternative of its sharp seats."""
    table = Table(levels, f"{seed}:{number}", effort)
    deal = dealt(seed, number, after_bank)
    shown = Explored()
    while deal.phase is Phase.AUCTION:
        move = table.move(deal)
        if deal.forced_move() is None:
            assert deal.turn is not None
            seen = look(deal.view(deal.turn), table.opponents)
            said = move.number if isinstance(move, Call) else 0
            level = levels[deal.turn] or "sharp"
            shown.spoke.append(Spoke(level, seen, said))
            if level == "sharp":
                finals = {each: table.final(deal.play(Call(each) if each else Pass())) for each in to_try(seen, said)}
                shown.choices.append(Choice(seen, Swift(effort).outlook(seen, table.key(deal)), said, finals))
        deal = deal.play(move)
    ser = table.move(deal)
    if ser.type == "ser" and levels[deal.turn or 0] == "sharp":
        shown.named.append((look(deal.view(deal.turn)).hand, int(ser.suit)))
    return shown


def to_try(seen: Seen, said: int) -> list[int]:
    """A pass or an opener's 7, the next two numbers, what the seat says of its own accord, and one more than that."""
    lowest = max(seen.contract + 1, LOWEST_CALL)
    tried = {lowest, lowest + 1, said} | ({0} if seen.contract else {lowest + 2}) | ({said + 1} if said else set())
    return sorted(number for number in tried if number <= HIGHEST_CALL)


def kinds(choice: Choice) -> Iterator[tuple[str, int]]:
    """The kinds that a decision belongs to, each with the alternative in question."""
    seen = choice.seen
    place = len(seen.calls)
    over = "the partner" if same_side(seen.declarer, seen.seat) else "an opponent"
    lowest = max(seen.contract, LOWEST_CALL) + 1
    for number in (lowest, lowest + 1):
        more = number - lowest
        if number not in choice.finals:
            continue
        if not seen.contract:
            yield f"open {number}", number
        else:
            yield f"{'one more' if more else 'the lowest call'} over {over}", number
            yield f"{'one more' if more else 'the lowest call'} over {over}, {3 - place} to speak", number
            if not more:
                yield f"{'called' if choice.called else 'passed'} over {over}: the lowest call", number


def table_of(choices: Sequence[Choice]) -> str:
    """Expected against actual, kind by kind."""
    rows: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for choice in choices:
        for kind, number in kinds(choice):
            rows[kind].append(choice.differences(number))
    lines = ["| decision | how many | expected | actual (95 %) | off by (95 %) | |", "|---|---|---|---|---|---|"]
    for kind, pairs in sorted(rows.items()):
        expected = interval([pair[0] for pair in pairs])[0]
        actual, half = interval([pair[1] for pair in pairs])
        off, wide = interval([pair[0] - pair[1] for pair in pairs])
        verdict = "few" if len(pairs) < ENOUGH else "ok" if abs(off) <= MOST_OFF else "SHORT"
        cells = [
            kind,
            f"{len(pairs)}",
            f"{expected:+.2f}",
            f"{actual:+.2f} ± {half:.2f}",
            f"{off:+.2f} ± {wide:.2f}",
            verdict,
        ]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


Job = tuple[str, int, Levels, AfterBank, int]
"""What `explored` is given."""


def jobs_of(seed: str, deals: int, against: str, after_bank: AfterBank, effort: int) -> list[Job]:
    """Deals of sharp partners against others, who sit either way round."""
    sides = ("sharp", against, "sharp", against), (against, "sharp", against, "sharp")
    return [(seed, number, sides[number % 2], after_bank, effort) for number in range(deals)]


def _one(job: Job) -> Explored:
    return explored(*job)


def explore(jobs: Sequence[Job], workers: int) -> Explored:
    """Explore deals in some processes, telling the progress on stderr."""
    shown = Explored()
    with get_context("spawn").Pool(workers) as pool:
        # In order: sums of floats come out the same.
        for number, each in enumerate(pool.imap(_one, jobs), 1):
            shown.add(each)
            if number % max(1, len(jobs) // 20) == 0:
                print(f"{number}/{len(jobs)} deals explored", file=sys.stderr, flush=True)
    return shown


def main(arguments: list[str]) -> int:
    """Explore deals, print the table."""
    parser = argparse.ArgumentParser(prog="python -m lab.choices", description=__doc__)
    parser.add_argument("--deals", type=int, default=500)
    parser.add_argument("--seed", default="choices")
    parser.add_argument("--against", choices=["easy", "steady", "sharp"], default="sharp")
    parser.add_argument("--after-bank", type=AfterBank, choices=list(AfterBank), default=AfterBank.FRESH)
    parser.add_argument("--effort", type=int, default=400)
    parser.add_argument("--workers", type=int, default=2)
    asked = parser.parse_args(arguments)
    jobs = jobs_of(asked.seed, asked.deals, asked.against, asked.after_bank, asked.effort)
    print(table_of(explore(jobs, asked.workers).choices))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
