"""Nothing is lost, doubled or left half done, whatever goes wrong between the app and its store.

Each request is answered from one state of the store, and the store is dumped. Then, from that state, the same request
meets a fault at its first call to the store, at its second, and so on, and is repeated as the guide says until it is
answered 2xx. However often that took, the store must hold, byte by byte, what it holds after the request without a
fault.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from queue import SimpleQueue
from random import Random
from typing import Any, TypeAlias

from chalicelib.api.routes import BASE, ROUTES
from chalicelib.service.clock.sweep import sweep
from chalicelib.service.ports import Unavailable
from chalicelib.service.services import Services
from chalicelib.store import DynamoStore
from dev.driver import PATIENCE, InProcess, Json, Reply
from dev.trust.asks import DELETION, NOW, SWEEP, Ask, all_asks
from dev.trust.items import all_items, bare_client
from dev.trust.promise import Place, Tally, ensure, promise
from dev.trust.store_faults import Fault, meet

Items: TypeAlias = dict[tuple[str, str], Any]
Judge: TypeAlias = Callable[[int], Fault | None]
SLOWEST_ANSWER = 6.0
"""Seconds that a caller waits for the store at most, whatever it does."""
MOST_TRIES = 8
MOST_IN_A_BATCH = 25
LASTING = (
    Fault.CONFLICT,
    Fault.THROTTLED,
    Fault.INTERNAL_AFTER,
    Fault.SILENT_AFTER,
    Fault.DROPPED_BEFORE,
    Fault.SLOW,
)
"""What a store may go on doing. (Where every call is made and left unanswered, none that follows is not made.)"""
CALLS_NOTHING = frozenset(("getHealth",))
"""Operations that do without the store."""


class Bench:
    """A table of its own, the app around it, and a judge of what each call to the store meets."""

    def __init__(self, place: Place, patience: float) -> None:
        self.table, self.client, self.patience = place.table(), bare_client(place.store_url()), patience
        self.there: Items | None = {}
        """What the table holds, as long as nothing has been sent."""
        self.store = DynamoStore(self.table, place.store_url(), call_seconds=patience)
        client = self.store._table.connection.client
        self._send, client._make_api_call = client._make_api_call, self._call
        self.watch()

    def watch(self, judge: Judge = lambda _: None) -> None:
        """Count calls from 1 again, and ask `judge` about each."""
        self.judge, self.calls, self.waited = judge, list[str](), 0.0

    def _call(self, operation: str, request: Json) -> Json:
        self.calls.append(operation)
        fault = self.judge(len(self.calls))
        if fault is not None and ("time-out" in fault or fault is Fault.SLOW):
            self.waited += self.patience
        return meet(fault, self._send, operation, request, self.patience)

    def items(self) -> Items:
        """All there is, but counts of uses, which count tries without an answer too."""
        items = {(item["pk"]["S"], item["sk"]["S"]): item for item in all_items(self.client, self.table)}
        self.there = {key: item for key, item in items.items() if not key[0].startswith("count#")}
        return self.there

    def restore(self, wanted: Items) -> None:
        """Make the table hold these items and no others, writing only what differs."""
        there = self.items() if self.there is None else self.there
        changes = [{"PutRequest": {"Item": item}} for key, item in wanted.items() if there.get(key) != item]
        gone = [there[key] for key in there.keys() - wanted.keys()]
        changes += [{"DeleteRequest": {"Key": {"pk": item["pk"], "sk": item["sk"]}}} for item in gone]
        for at in range(0, len(changes), MOST_IN_A_BATCH):
            self.client.batch_write_item(RequestItems={self.table: changes[at : at + MOST_IN_A_BATCH]})

    def send(self, ask: Ask) -> Reply:
        """Once. Chance is the same at every try, so that the same state follows where it plays a part."""
        chance, self.there = Random(11) if ask.repeatable else Random(), None
        services = Services(self.store, lambda: NOW + ask.later, chance.randbytes)
        if ask.method != SWEEP:
            return ask.player.through(InProcess(services)).send(ask.method, ask.path, ask.body, ask.headers)
        try:  # what it could not do is left to the next one, as if it were repeated
            report = sweep(services)
        except Unavailable:
            return Reply(503, {"Retry-After": "1"})
        return Reply(503 if report.failed or report.lost or not report.finished else 200, {"Retry-After": "1"})


@cache
def world(store_url: str) -> tuple[list[Ask], Items]:
    """All requests, and the items of the store in which each has something to do."""
    bench, chance = Bench(Place(lambda: store_url, Path()), PATIENCE), Random(5)
    asks = all_asks(lambda at: InProcess(Services(bench.store, lambda: at, chance.randbytes)))
    sweep(Services(bench.store, lambda: NOW))  # makes par of the challenge, which takes long
    return asks, bench.items()


@dataclass
class Case:
    """One request with what it begins from and what must come of it."""

    ask: Ask
    before: Items
    after: Items
    reply: Reply
    calls: list[str]


def prepared(bench: Bench, ask: Ask, before: Items) -> Case:
    """Without a fault."""
    bench.watch()
    bench.restore(before)
    reply = bench.send(ask)
    assert reply.status < 300, f"{ask.name}: {reply.status} {reply.text:.300}"
    return Case(ask, before, bench.items(), reply, bench.calls)


def ensure_same(wanted: Items, found: Items) -> None:
    differ = [key for key in wanted.keys() | found.keys() if wanted.get(key) != found.get(key)]
    ensure(not differ, f"the store differs: {[(wanted.get(key), found.get(key)) for key in differ[:2]]!s:.600}")


def meet_and_repeat(bench: Bench, case: Case, number: int, fault: Fault, *, lasting: bool) -> None:
    """A fault at one call, or from it on until the request is answered; then the request again. Raises `Broken`."""
    bench.restore(case.before)
    bench.watch(lambda call: fault if call == number or (lasting and call > number) else None)
    for tried in itertools.count(1):
        waited = bench.waited
        reply = bench.send(case.ask)
        waited = bench.waited - waited
        ensure(case.ask.method == SWEEP or waited <= SLOWEST_ANSWER, f"the answer took {waited:.1f} s")
        if reply.status < 300:
            ensure(tried > 1 or len(bench.calls) >= number, "the call was not made at all")
            break
        ensure(reply.status == 503, f"{reply.status} {reply.text:.200}")
        ensure(int(reply.headers.get("Retry-After", "0")) >= 1, "503 without Retry-After")
        ensure(tried < MOST_TRIES, "the request never comes to an end")
        if lasting:
            bench.watch()
    bench.watch()
    if not case.ask.repeatable:
        kept, found = {key: item for key, item in case.before.items() if case.after.get(key) == item}, bench.items()
        ensure_same(kept, {key: found[key] for key in kept.keys() & found.keys()})
        return
    ensure(_answer(reply) == _answer(case.reply), f"answered {reply.text:.300}, without a fault {case.reply.text:.300}")
    ensure_same(case.after, bench.items())


def _answer(reply: Reply) -> Json:
    """What every try must be answered alike: of an update the view, since its events are those since the request."""
    return reply.body["match"] if isinstance(reply.body, dict) and "match" in reply.body else reply.body


def die_and_sweep(bench: Bench, case: Case, number: int, fault: Fault) -> None:
    """The process is gone with the call: made or not, nothing comes after it. The sweep does the rest."""
    bench.restore(case.before)
    bench.watch(lambda call: None if call < number else fault if call == number else Fault.DROPPED_BEFORE)
    reply = bench.send(case.ask)
    ensure(reply.status in (204, 503), f"{reply.status} {reply.text:.200}")
    bench.watch()
    begun = any("deleted_at" in item for (_, sort), item in bench.items().items() if sort == "profile")
    report, bench.there = sweep(Services(bench.store, lambda: NOW, Random(11).randbytes)), None
    ensure(report.finished and not report.failed, f"the sweep: {report}")
    ensure_same(case.after if begun else case.before, bench.items())


def try_all(
    place: Place,
    tally: Tally,
    faults: Sequence[Fault],
    attack: Callable[[Bench, Case, int, Fault], None],
    names: Sequence[str] = (),
    patience: float = 1.0,
    workers: int = 8,
) -> None:
    """The attack with each fault at each call of each request; `names` for some of them only."""
    benches = [Bench(place, patience) for _ in range(workers)]
    asks, before = world(place.store_url())
    patient = Bench(place, PATIENCE)  # so that no call is made twice because the machine is busy
    cases = [prepared(patient, ask, before) for ask in asks if not names or ask.name in names]
    free = SimpleQueue[Bench]()
    for bench in benches:
        free.put(bench)

    def run(case: Case, number: int, fault: Fault) -> None:
        bench = free.get()
        with tally.attempt(f"{case.ask.name}, call {number} ({case.calls[number - 1]}), {fault}"):
            attack(bench, case, number, fault)
        free.put(bench)

    with ThreadPoolExecutor(workers) as pool:
        jobs = [(case, number, fault) for case in cases for number in range(1, len(case.calls) + 1) for fault in faults]
        for job in [pool.submit(run, *job) for job in jobs]:
            job.result()
    tally.notes.append(f"{len(cases)} requests, {sum(len(case.calls) for case in cases)} calls, {len(faults)} faults")
    route = InProcess(Services(benches[0].store)).gateway.route
    reached = {(case.ask.method, route(BASE + case.ask.path)) for case in cases if case.calls}
    missed = {each.operation_id for each in ROUTES if (each.method, BASE + each.path) not in reached} - CALLS_NOTHING
    if missed and not names:
        tally.add(f"{missed} were never tried")


@promise(
    "a fault at any call of any operation: 2xx or 503 within 6 s, and after repeats the same store",
    long=len(Fault),
    short=2,
    slow=True,
)
def single_faults(place: Place, tally: Tally, faults: int) -> None:
    try_all(place, tally, tuple(Fault)[:faults], partial(meet_and_repeat, lasting=False))


@promise(
    "the store failing from any call on: 503 within 6 s, and after repeats the same store",
    long=len(LASTING),
    short=1,
    slow=True,
)
def lasting_faults(place: Place, tally: Tally, faults: int) -> None:
    try_all(place, tally, LASTING[:faults], partial(meet_and_repeat, lasting=True))


@promise("a deletion that dies at any call is finished by the sweep, or has not begun", long=2, short=2)
def dying_deletions(place: Place, tally: Tally, faults: int) -> None:
    try_all(place, tally, (Fault.DROPPED_BEFORE, Fault.DROPPED_AFTER)[:faults], die_and_sweep, [DELETION], PATIENCE, 2)
