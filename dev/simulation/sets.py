"""Dailies and challenges, played by many while answers are lost: `python -m dev.simulation.sets [--players 200] …`.

The store fails at any call, before or after it has done what it was asked, and second sweeps come in between. In the
end every histogram must be what a straight recount of all finished entries gives. Exit 1 if one is not. Bots move by
lot here: what is tried is the counting.
"""

from __future__ import annotations

import argparse
import logging
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any, TypeVar, cast

from chalicelib.engine import Deal, Move
from chalicelib.match.model import DAY, Match, Status
from chalicelib.match.sets import total
from chalicelib.service.clock.sweep import sweep
from chalicelib.service.errors import Failure
from chalicelib.service.people import accounts
from chalicelib.service.play import moves
from chalicelib.service.ports import SETS, Store, Unavailable
from chalicelib.service.services import Services
from chalicelib.service.sets import entries, making, results
from chalicelib.service.sets.upkeep import count_entry
from chalicelib.service.tables import leaving, matches
from chalicelib.service.tables.matches import NewMatch
from chalicelib.store.memory import MemoryStore
from dev.simulation.clock import Clock

T = TypeVar("T")
LOST = 0.02
"""How many of the calls to the store are lost."""


class LossyStore:
    """Loses calls and answers, and lets something else happen in between."""

    def __init__(self, store: Store, chance: Random, lost: float = 0.0) -> None:
        self._store, self._chance, self._lost = store, chance, lost
        self.between: Callable[[], object] | None = None

    def __getattr__(self, name: str) -> Any:
        return lambda *args, **more: self._call(name, args, more)

    def _call(self, name: str, args: Any, more: Any) -> Any:
        if name == "due" and args[0] == SETS:
            return ()  # par has tests of its own, and takes long
        lot = self._chance.random()
        if lot < self._lost / 2:
            raise Unavailable(f"{name} is lost")
        if self.between is not None and name == "fold" and lot > 0.9:
            between, self.between = self.between, None
            between()
            self.between = between
        answer = getattr(self._store, name)(*args, **more)
        if lot < self._lost:
            raise Unavailable(f"the answer to {name} is lost")
        return answer


@dataclass
class Crowd:
    """Players, the sets that they play, and what they have entered."""

    players: int
    chance: Random
    clock: Clock = field(default_factory=Clock)
    store: MemoryStore = field(default_factory=MemoryStore)
    counts: Counter[str] = field(default_factory=Counter)
    entered: set[tuple[str, str]] = field(default_factory=set)
    """Of everybody who plays on: the match and the player."""
    old: list[Match] = field(default_factory=list)
    """Finished entries as they were before they were counted."""

    def __post_init__(self) -> None:
        self.clock.at -= self.clock.at % DAY
        lossy = LossyStore(self.store, self.chance, LOST)
        self.services = Services(cast(Store, lossy), self.clock, self.chance.randbytes, self._by_lot)
        lossy.between = lambda: sweep(Services(cast(Store, LossyStore(self.store, self.chance)), self.clock))
        self.people = [self.insist(accounts.sign_up, f"P{number}").player.id for number in range(self.players)]

    def _by_lot(self, match: Match, deal: Deal) -> Move:
        legal = deal.legal_moves()
        return legal[(match.secret[len(deal.codes) % 32] + len(deal.codes)) % len(legal)]

    def insist(self, act: Callable[..., T], *args: Any) -> T:
        """As an app does: again, until there is an answer."""
        while True:
            try:
                return act(self.services, *args)
            except Unavailable:
                self.counts["lost"] += 1
            except Failure as failure:
                if failure.code != "try_again":
                    raise

    def enter(self, player: str, set_id: str) -> None:
        self.entered.add((self.insist(entries.enter, player, set_id).view.id, player))

    def challenge(self, player: str) -> None:
        """Play alone, and challenge a few others."""
        match_id = self.insist(matches.create, player, NewMatch(deals=self.chance.randint(1, 3))).view.id
        self.play(match_id, player)
        made = self.insist(making.challenge, player, match_id)
        for friend in self.chance.sample(self.people, min(len(self.people), 6)):
            self.enter(friend, made.id)
        self.counts["challenges"] += 1

    def play(self, match_id: str, player: str, most: int = 1_000) -> None:
        """So many moves, or to the end."""
        view = self.insist(matches.read, player, match_id)
        for _ in range(most):
            if view.deal is None or not (legal := view.deal.legal_moves):
                return
            view = self.insist(moves.make, player, match_id, view.next_move, self.chance.choice(legal)).view

    def sit_together(self) -> None:
        """A while in which some go on with what they have entered; a few leave or are deleted."""
        for match_id, player in self.chance.sample(sorted(self.entered), len(self.entered) // 2):
            lot = self.chance.random()
            match = self.store.match(match_id)
            if match is None or not match.status.live or match.ran_out(self.clock()):
                self.entered.discard((match_id, player))
            elif lot < 0.03 and match.host is not None:
                self.insist(leaving.leave, player, match_id, match.host)
            elif lot < 0.035 and player in self.people:
                self.people.remove(player)
                self.insist(accounts.delete_player, player)
            else:
                self.play(match_id, player, self.chance.choice((5, 60, 300)))
                if (match := self.store.match(match_id)) is not None and match.status is Status.FINISHED:
                    self.old.append(match)

    def sweep(self) -> None:
        """Perhaps: it may come late. Now and then an entry is counted by a sweep that has slept since it read it, or
        looked at again though it was counted."""
        if self.chance.random() < 0.4:
            self.counts["counted"] += sweep(self.services).counted
        for match in self.chance.sample(self.old, min(len(self.old), 3)):
            if self.chance.random() < 0.5:
                self.store.reschedule(match, self.clock())
            self.insist(count_entry, match)

    def settle(self) -> None:
        """Until the sweep finds nothing more."""
        self.clock.at += 40 * DAY
        quiet = 0
        while quiet < 5:
            report = sweep(self.services)
            quiet = 0 if report.seen or report.failed else quiet + 1

    def recounted(self) -> dict[str, Counter[int]]:
        """Set → how many entries made each score, from the entries themselves."""
        recount: dict[str, Counter[int]] = defaultdict(Counter)
        for match in map(self.store.match, list(self.store._matches)):
            if match is None or match.status is not Status.FINISHED or match.host is None:
                continue
            set_id = match.entry.set_id if match.entry is not None else making.challenge_id(match)
            if self.store.deal_set(set_id) is not None:
                recount[set_id][total(match.results, match.host)] += 1
                self.counts["finished entries"] += 1
        return recount


def simulate(players: int, days: int, challenges: int, seed: int) -> tuple[Counter[str], list[str]]:
    """What happened, and what is wrong."""
    crowd = Crowd(players, Random(seed))
    per_day = Counter(crowd.chance.randrange(days) for _ in range(challenges))
    for day in range(days):
        daily = crowd.insist(results.read_daily, crowd.people[0]).deal_set
        for _ in range(per_day[day]):
            crowd.challenge(crowd.chance.choice(crowd.people))
        for _ in range(4):
            for player in crowd.chance.sample(crowd.people, -(-len(crowd.people) // 20)):
                crowd.enter(player, daily.id)
            crowd.sit_together()
            crowd.sweep()
            crowd.clock.at += DAY // 4
        crowd.counts["dailies"] += 1
    crowd.settle()
    recount = crowd.recounted()
    wrong = [
        f"set {set_id}: {dict(crowd.store.histogram(set_id))}, not {dict(counts)}"
        for set_id, counts in recount.items()
        if crowd.store.histogram(set_id) != counts
    ]
    wrong += [f"set {set_id} counts what nobody made" for set_id in crowd.store._histograms.keys() - recount.keys()]
    wrong += [
        f"set {set_id} has other lines than scores"
        for set_id, counts in recount.items()
        if Counter(result.score for result in crowd.store.set_results(set_id, 10**9)) != counts
    ]
    crowd.counts["sets"] = len(recount)
    return crowd.counts, wrong


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m dev.simulation.sets", description=__doc__)
    parser.add_argument("--players", type=int, default=200)
    parser.add_argument("--days", type=int, default=30)
    parser.add_argument("--challenges", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    logging.getLogger().addHandler(logging.NullHandler())
    began = time.monotonic()
    counts, wrong = simulate(options.players, options.days, options.challenges, options.seed)
    print(*wrong, *(f"{name:<20}{times:>9,}" for name, times in sorted(counts.items())), sep="\n")
    print(f"{'every histogram is its recount' if not wrong else 'WRONG'}, in {time.monotonic() - began:.0f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
