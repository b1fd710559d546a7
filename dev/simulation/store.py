"""The store of a simulation: all in memory, quick at finding what is due, and failing when it is told to."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING

from chalicelib.service.ports import ACCOUNTS, SHARDS, Due, Unavailable
from chalicelib.store.keys import due_shard
from chalicelib.store.memory import MemoryStore

if TYPE_CHECKING:
    from chalicelib.match.model import Change, Match


class Crashed(BaseException):
    """The process is gone, in the middle of whatever it did."""


class SeasonStore(MemoryStore):
    """With `lossy` some writes are not answered."""

    def __init__(self, random: Random) -> None:
        super().__init__()
        self._random = random
        self.on_save: Callable[[Match], None] = lambda _: None
        """Told of every match that has changed."""
        self._due: list[list[tuple[int, str]]] = [[] for _ in range(SHARDS)]
        self._deadlines: list[tuple[int, str]] = []
        self.due_at: dict[str, int | None] = {}
        self.lossy = False
        self.crash_in: int | None = None
        """After so many more calls the sweep crashes."""
        self.meanwhile: Callable[[], None] | None = None
        """Done once, between the next write's decision and the write itself."""
        self.unanswered = 0

    # what goes wrong ----------------------------------------------------------------------------------------------

    def _may_crash(self) -> None:
        if self.crash_in is not None:
            self.crash_in -= 1
            if self.crash_in <= 0:
                self.crash_in = None
                raise Crashed

    def save(self, change: Change) -> None:
        meanwhile, self.meanwhile = self.meanwhile, None
        if meanwhile is not None:
            meanwhile()
        self._may_crash()
        lost = self.lossy and self._random.random() < 0.01
        if lost and self._random.random() < 0.5:
            self.unanswered += 1
            raise Unavailable
        super().save(change)
        for one in (change, change.also):
            if one is not None:
                self._scheduled(one.match)
        self._may_crash()
        if lost:
            self.unanswered += 1
            raise Unavailable

    def match(self, match_id: str) -> Match | None:
        self._may_crash()
        return super().match(match_id)

    def reschedule(self, match: Match, scheduled_at: int | None) -> None:
        self._may_crash()
        super().reschedule(match, scheduled_at)
        self._index(match.id)

    # what is due --------------------------------------------------------------------------------------------------

    def _scheduled(self, match: Match) -> None:
        self._index(match.id)
        self.due_at[match.id] = match.due_at
        if match.due_at is not None:
            heapq.heappush(self._deadlines, (match.due_at, match.id))
        self.on_save(match)

    def _index(self, match_id: str) -> None:
        scheduled_at = self._matches[match_id][2]
        if scheduled_at is not None:
            heapq.heappush(self._due[due_shard(match_id)], (scheduled_at, match_id))

    def due(self, partition: int, now: int, limit: int, *, newest: bool = False) -> tuple[Due, ...]:
        self._may_crash()
        if newest or partition == ACCOUNTS:
            return super().due(partition, now, limit, newest=newest)
        due = self._due[partition]
        found: list[tuple[int, str]] = []
        while due and due[0][0] <= now and len(found) < limit:
            entry = heapq.heappop(due)
            if self._matches[entry[1]][2] == entry[0] and entry not in found[-1:]:
                found.append(entry)
        for entry in found:
            heapq.heappush(due, entry)
        return tuple(Due(match_id, scheduled_at) for scheduled_at, match_id in found)

    def next_wake(self) -> int | None:
        """When a sweep will next find something; None: never again."""
        nearest = None
        for due in self._due:
            while due and self._matches[due[0][1]][2] != due[0][0]:
                heapq.heappop(due)
            if due and (nearest is None or due[0][0] < nearest):
                nearest = due[0][0]
        return nearest

    def overdue(self, since: int) -> list[str]:
        """Matches whose true time had come by `since`, and are not brought on yet."""
        late = []
        while self._deadlines and self._deadlines[0][0] <= since:
            due_at, match_id = heapq.heappop(self._deadlines)
            if self.due_at[match_id] == due_at:
                late.append(match_id)
        return late
