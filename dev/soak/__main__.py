"""`make soak MINUTES=10`: concurrent matches over HTTP, against the API in a process of its own, a hundredth of whose
calls to the store fail. A line of progress now and then, and a table in the end."""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from chalicelib.store import create_table
from dev.driver import Json, OverHttp, Reply, seat_four
from dev.local.servers import STORE_CREDENTIALS, ApiProcess, free_port, start_dynoxide
from dev.trust.follower import ensure_alike, followers_of, play_on
from dev.trust.promise import Tally

FAULTY = 0.01
FLAT = 1.15
"""The server's memory at the end, at most, in what it had in the second third of the time."""
TELL_EVERY, SAMPLE_EVERY = 30, 2.0
LATEST = 2000


@dataclass
class Counting(OverHttp):
    """A way to the API that counts what goes through it."""

    url: str
    statuses: Counter[int] = field(default_factory=Counter)
    moves_took: list[float] = field(default_factory=list)
    """Seconds of the latest moves that were answered 200."""
    slowest: float = 0

    def __post_init__(self) -> None:
        super().__init__(self.url)

    def send(self, method: str, path: str, body: Json = None, headers: Mapping[str, str] | None = None) -> Reply:
        began = time.monotonic()
        reply = super().send(method, path, body, headers)
        took = time.monotonic() - began
        self.statuses[reply.status] += 1
        self.slowest = max(self.slowest, took)
        if "/moves/" in path and reply.status == 200:
            self.moves_took = [*self.moves_took[-LATEST:], took]
        return reply


def keep_playing(transport: Counting, tally: Tally, moves: Counter[str], until: float, seed: int) -> None:
    """One match after another until the time has come; the last one is broken off, and counts as far as it got."""
    chance = Random(seed)
    while time.monotonic() < until:
        try:
            with tally.attempt("a match"):
                followers = followers_of(seat_four(transport, seed, deals=chance.randint(1, 4), spectators=True))
                play_on(followers, chance, lambda: time.monotonic() > until, repeats=0.05)
                for follower in followers:
                    follower.settle()
                    moves["acknowledged"] += len(follower.acknowledged)
                ensure_alike(followers)
        except Exception as error:
            tally.add(f"{type(error).__name__}: {error}"[:300])  # whatever it is: told in the end, and the next goes on


def resident(pid: int) -> float:
    """Megabytes of memory that a process has."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m dev.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--matches", type=int, default=12 * (os.cpu_count() or 2), help="at once")
    options = parser.parse_args()
    os.environ.update(STORE_CREDENTIALS)
    tally, moves, memory, began = Tally("every match is told as it was played"), Counter[str](), [], time.monotonic()
    until, tell_at = began + 60 * options.minutes, began + TELL_EVERY
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        store = stack.enter_context(start_dynoxide(free_port(), folder / "store.db"))
        create_table("soak", store.url)
        api = ApiProcess(store.url, "soak", folder / "api.log", sweep=5, faults=FAULTY).start()
        stack.callback(api.stop)
        transport = stack.enter_context(Counting(api.url))
        pool = stack.enter_context(ThreadPoolExecutor(options.matches))
        playing = [pool.submit(keep_playing, transport, tally, moves, until, seed) for seed in range(options.matches)]
        assert api.server is not None
        while wait(playing, SAMPLE_EVERY).not_done:
            memory.append(resident(api.server.process.pid))
            if time.monotonic() >= tell_at:
                tell_at += TELL_EVERY
                took, statuses = 1000 * statistics.median(transport.moves_took or [0]), transport.statuses
                print(
                    f"{time.monotonic() - began:5.0f} s  {tally.tried} matches, {statuses.total()} requests, "
                    f"{statuses[503]} x 503, a move {took:.0f} ms, server {memory[-1]:.0f} MB, "
                    f"{tally.tried - tally.held} broken",
                    flush=True,
                )
    third, times = max(len(memory) // 3, 1), sorted(1000 * took for took in transport.moves_took) or [0.0]
    early, late = statistics.median(memory[third : 2 * third] or memory), statistics.median(memory[-third:])
    wrong = {status: times for status, times in transport.statuses.items() if status >= 400 and status != 503}
    flat = late <= FLAT * early
    rows = {
        "minutes": f"{options.minutes:g}, {options.matches} matches at once, {FAULTY:.0%} of the store's calls fail",
        "matches, and told as they were played": f"{tally.tried}, {tally.held}",
        "moves acknowledged, and found once": moves["acknowledged"],
        "requests, and answered 503": f"{transport.statuses.total()}, {transport.statuses[503]}",
        "answered otherwise than 2xx and 503": wrong or "none",
        "a move, median and 99th percentile": f"{times[len(times) // 2]:.0f}, {times[-len(times) // 100]:.0f} ms",
        "the slowest answer": f"{transport.slowest:.2f} s",
        "server memory, early and late": f"{early:.0f}, {late:.0f} MB: {'flat' if flat else 'GROWING'}",
        "what is broken": "; ".join(tally.broken[:5]) or "nothing",
    }
    print(*(f"{name:<40}{value}" for name, value in rows.items()), sep="\n")
    held = tally.kept and not wrong and flat
    print("held" if held else "BROKEN")
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
