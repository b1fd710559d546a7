"""The simulation itself: people, matches and sweeps, in the order of a clock that jumps to whatever comes next."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable
from itertools import count
from random import Random

from chalicelib.service.clock.sweep import sweep
from chalicelib.service.services import Services
from chalicelib.service.table import narrate
from dev.simulation.clock import START, Clock
from dev.simulation.crowd import Crowd
from dev.simulation.people import DAY, MINUTE
from dev.simulation.record import Broken
from dev.simulation.store import Crashed, SeasonStore

OPENING = 30 * DAY
"""Seconds in which all tables are opened."""
OUTAGES = 3


class Simulation:
    """`run()` plays it; `counts` tells what happened."""

    def __init__(self, matches: int, seed: int) -> None:
        self.random = Random(seed)
        self.clock = Clock(START)
        self.store = SeasonStore(self.random)
        self.services = Services(self.store, self.clock, self.random.randbytes)
        self.counts: Counter[str] = Counter()
        self.longest_wait = 0
        self._tables = matches
        self._agenda: list[tuple[int, int, Callable[[], None]]] = []
        self._number = count()
        size = max(8, matches // 2)
        self.crowd = Crowd(self.services, self.store, self.random, size, self._later, self.counts)
        self._last_sweep = START
        self._sweep_failed = False
        self._outages = [START + day * DAY for day in sorted(self.random.sample(range(1, OPENING // DAY), OUTAGES))]

    def run(self, progress: Callable[[Simulation], None] = lambda _: None) -> None:
        """Until every match has ended; then all promises are checked."""
        for _ in range(self._tables):
            self._later(self.random.randrange(OPENING), self.crowd.open_table)
        while True:
            scheduled_at = self.store.next_wake()
            sweep_at = None if scheduled_at is None else self._next_sweep(scheduled_at)
            if sweep_at is not None and (not self._agenda or sweep_at <= self._agenda[0][0]):
                self.clock.at = sweep_at
                self._sweep()
            elif self._agenda:
                at, _, act = heapq.heappop(self._agenda)
                self.clock.at = max(at, self.clock.at)
                act()
            else:
                break
            progress(self)
        self._check()

    def _later(self, seconds: int, act: Callable[[], None]) -> None:
        heapq.heappush(self._agenda, (self.clock.at + seconds, next(self._number), act))

    # sweeps -------------------------------------------------------------------------------------------------------

    def _next_sweep(self, scheduled_at: int) -> int:
        """Every minute; those that would find nothing are not run. In an outage none is for a day."""
        at = max(-(-scheduled_at // MINUTE) * MINUTE, self._last_sweep + MINUTE)
        for began in self._outages:
            if began <= at < began + DAY:
                at = began + DAY
        return at

    def _sweep(self) -> None:
        random, store = self.random, self.store
        chance = 1.0 if self._sweep_failed else random.random()  # never twice running
        before, self._last_sweep = self._last_sweep, self.clock.at
        self._sweep_failed = chance < 0.1
        turns = iter(range(random.randrange(12)) if 0.05 <= chance < 0.1 else count())
        if chance < 0.05:
            store.crash_in = random.randrange(1, 12)
        elif 0.1 <= chance < 0.25:
            store.meanwhile = self._overlapping
        self.counts["sweeps"] += 1
        self.counts["days without a sweep"] += self.clock.at - DAY in self._outages
        try:
            report = sweep(self.services, lambda: next(turns, None) is None)
        except Crashed:
            self.counts["sweeps that crashed"] += 1
        else:
            self.counts["sweeps cut short"] += not report.finished
            self.counts["time-outs"] += report.timed_out
            self.counts["given up"] += report.abandoned
            self.counts["scheduled again"] += report.scheduled
            self.counts["races lost by a sweep"] += report.lost
            self.longest_wait = max(self.longest_wait, report.lag)
            if report.failed:
                raise Broken("a match could not be swept")
        store.crash_in = store.meanwhile = None
        late = store.overdue(before)
        if late:
            raise Broken(f"{late} were due at the last sweep but one, and still are")

    def _overlapping(self) -> None:
        self.counts["sweeps within a sweep"] += 1
        sweep(self.services)

    # the end ------------------------------------------------------------------------------------------------------

    def _check(self) -> None:
        for match_id in self.store.due_at:
            match = self.store.match(match_id)
            if match is None or match.status.live or match.scheduled_at is not None:
                raise Broken(f"match {match_id} has not ended")
            self.counts[f"ended: {match.status.value}"] += 1
            self.crowd.record.check(match_id, match.version, narrate(self.services, match, 0, match.version).events)
            self.counts["events"] += match.version
        for player_id in self.crowd.people:
            if self.store.live(player_id):
                raise Broken("a match that has ended is still among somebody's live ones")
