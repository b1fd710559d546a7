"""Matches of four phones each, one after another, and the account of what was acknowledged and what is there."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from random import Random

from dev.trust.crashes import compare
from dev.trust.follower import MOVES, Follower, move_in
from dev.trust.phones import seat_four
from dev.trust.tally import Tally
from dev.trust.transport import Json, Reply, Transport
from dev.trust.whole_match import Nudge, followers_of, play_alone

_LATEST = 2000


@dataclass
class Counting:
    """A door that counts what goes through it."""

    door: Transport
    statuses: Counter[int] = field(default_factory=Counter)
    unanswered: int = 0
    moves_took: list[float] = field(default_factory=list)
    """Seconds of the latest moves that were answered 200."""
    slowest: float = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def send(self, method: str, path: str, body: Json = None, headers: Mapping[str, str] | None = None) -> Reply:
        began = time.monotonic()
        try:
            reply = self.door.send(method, path, body, headers)
        except ConnectionError:
            with self._lock:
                self.unanswered += 1
            raise
        took = time.monotonic() - began
        with self._lock:
            self.statuses[reply.status] += 1
            self.slowest = max(self.slowest, took)
            if method == "PUT" and "/moves/" in path and reply.status == 200:
                self.moves_took.append(took)
                del self.moves_took[:-_LATEST]
        return reply


@dataclass
class Account:
    """What all the matches come to."""

    matches: int = 0
    acknowledged: int = 0
    lost: int = 0
    doubled: int = 0
    feeds: Tally = field(default_factory=lambda: Tally("feeds and views agree"))
    faults: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def close(self, group: list[Follower]) -> None:
        """Take a match that is over into the account."""
        compare(group, self.feeds)
        path, phone = group[0].path, group[0].phone
        told: list[Json] = []
        while page := phone.get(f"{path}/events?after={len(told)}&limit=1000")["items"]:
            told += page
        moves = [event for event in told if event["type"] in MOVES]
        times = Counter(event["move_number"] for event in moves)
        there = {(event["move_number"], event["seat"], str(move_in(event))) for event in moves}
        with self.lock:
            self.matches += 1
            self.doubled += sum(number - 1 for number in times.values())
            for follower in group:
                self.acknowledged += len(follower.acknowledged)
                self.lost += sum(
                    (number, follower.seat, str(move)) not in there for number, move in follower.acknowledged.items()
                )


def keep_playing(door: Transport, account: Account, until: float, seed: int) -> None:
    """One table after another until the time has come; the last one is broken off, and counts as far as it got."""
    chance = Random(seed)
    with ThreadPoolExecutor(4) as phones:
        while time.monotonic() < until:
            try:
                table = seat_four(door, chance.randrange(2**32), deals=chance.randint(1, 4), spectators=True)
                group, nudge = followers_of(table), Nudge()
                playing = [
                    phones.submit(
                        play_alone,
                        follower,
                        nudge,
                        lambda: time.monotonic() > until,
                        chance.randrange(2**32),
                        repeats=0.05,
                    )
                    for follower in group
                ]
                for phone in playing:
                    phone.result()
                account.close(group)
            except Exception as error:
                # Whatever it is, it is a broken promise: told in the end, and the next table goes on.
                with account.lock:
                    account.faults.append(f"{type(error).__name__}: {error}"[:300])
