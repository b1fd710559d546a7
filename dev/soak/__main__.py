"""Concurrent matches over HTTP against the API in a process of its own, and a store on disk that fails at random."""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from random import Random

from chalicelib.store import create_table
from dev.local.servers import free_port, start_dynoxide
from dev.soak.matches import Account, Counting, keep_playing
from dev.trust.proxy import Call, Fault, StoreProxy
from dev.trust.surroundings import prepare
from dev.trust.transport import OverHttp
from tests.servers import ApiProcess

FAULTY = 0.01
"""How many calls to the store meet a fault."""
WEIGHTS = {fault: 1 if fault in (Fault.SILENT_BEFORE, Fault.SILENT_AFTER, Fault.SLOW) else 3 for fault in Fault}
FLAT = 1.15
"""The server's memory at the end, at most, in what it had when a third of the time was over."""
_TELL_EVERY = 30.0
_SAMPLE_EVERY = 2.0


class Chance:
    """Decides over every call to the store; counts the faults."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self.met: Counter[Fault] = Counter()
        self.calls = 0

    def __call__(self, _call: Call) -> Fault | None:
        self.calls += 1
        if self._random.random() >= FAULTY:
            return None
        (fault,) = self._random.choices(list(WEIGHTS), list(WEIGHTS.values()))
        self.met[fault] += 1
        return fault


def resident(pid: int) -> float:
    """Megabytes of memory that a process has."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m dev.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--matches", type=int, default=6 * (os.cpu_count() or 2), help="at once")
    options = parser.parse_args()
    prepare()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        store = stack.enter_context(start_dynoxide(free_port(), folder / "store.db"))
        create_table("soak", store.url)
        chance = Chance(seed=int(time.time()))
        proxy = stack.enter_context(StoreProxy(store.url))
        proxy.watch(chance, remember=False)
        api = ApiProcess(proxy.url, "soak", folder / "api.log", sweep=5).start()
        stack.callback(api.stop)
        door = Counting(stack.enter_context(OverHttp(api.url)))
        assert api.server is not None
        account, memory = _play(door, api.server.process.pid, options.minutes * 60, options.matches)
        return _close(account, door, chance, memory, options)


def _play(door: Counting, pid: int, seconds: float, matches: int) -> tuple[Account, list[float]]:
    account, memory = Account(), [resident(pid)]
    began = time.monotonic()
    until = began + seconds
    tables = [
        threading.Thread(target=keep_playing, args=(door, account, until, number), name=f"table {number}")
        for number in range(matches)
    ]
    for table in tables:
        table.start()
    print(f"{matches} matches at once for {seconds / 60:g} minutes, {FAULTY:.0%} of the store's calls fail", flush=True)
    tell_at = began + _TELL_EVERY
    while any(table.is_alive() for table in tables):
        time.sleep(_SAMPLE_EVERY)
        if time.monotonic() < until:
            memory.append(resident(pid))
        if time.monotonic() >= tell_at:
            tell_at += _TELL_EVERY
            _progress(time.monotonic() - began, account, door, memory[-1])
    return account, memory


def _progress(passed: float, account: Account, door: Counting, memory: float) -> None:
    took = statistics.median(door.moves_took or [0.0])
    requests = sum(door.statuses.values())
    print(
        f"{passed:5.0f} s  {account.matches} matches over, {requests} requests, {door.statuses[503]} x 503, "
        f"a move {1000 * took:.0f} ms, server {memory:.0f} MB, {account.lost} lost, {account.doubled} doubled",
        flush=True,
    )


def _close(account: Account, door: Counting, chance: Chance, memory: list[float], options: argparse.Namespace) -> int:
    third = max(len(memory) // 3, 1)
    early, late = statistics.median(memory[third : 2 * third] or memory), statistics.median(memory[-third // 2 :])
    took = sorted(door.moves_took) or [0.0]
    wrong = {status: times for status, times in door.statuses.items() if status >= 400 and status != 503}
    flat = late <= FLAT * early
    kept = not (account.lost or account.doubled or account.faults or account.feeds.broken or wrong) and flat
    rows = [
        ("minutes", f"{options.minutes:g}"),
        ("matches at once, four phones each", str(options.matches)),
        ("matches taken into the account", str(account.matches)),
        ("moves acknowledged", str(account.acknowledged)),
        ("of these lost", str(account.lost)),
        ("moves doubled", str(account.doubled)),
        ("feeds and views compared, and alike", f"{account.feeds.tried}, {account.feeds.held}"),
        ("requests", str(sum(door.statuses.values()))),
        ("answered 503, with the request repeated", str(door.statuses[503])),
        ("answered otherwise than 2xx and 503", str(wrong or "none")),
        ("calls to the store", str(chance.calls)),
        ("of these with a fault", ", ".join(f"{fault} {times}" for fault, times in sorted(chance.met.items()))),
        (
            "a move, median and 99th percentile",
            f"{1000 * took[len(took) // 2]:.0f} and {1000 * took[len(took) * 99 // 100]:.0f} ms",
        ),
        ("the slowest answer", f"{door.slowest:.2f} s"),
        (
            "server memory at first, at a third, at the end",
            f"{memory[0]:.0f}, {early:.0f}, {late:.0f} MB: {'flat' if flat else 'GROWING'}",
        ),
        ("other failures", "; ".join(account.faults[:5] + account.feeds.broken[:5]) or "none"),
    ]
    width = max(len(name) for name, _ in rows)
    print()
    for name, value in rows:
        print(f"{name:<{width}}  {value}")
    print("held" if kept else "BROKEN")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
