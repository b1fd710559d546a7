"""Nothing is lost, doubled or left half done, whatever goes wrong between the app and its store.

Of each operation's request the store is brought to one state; the request is answered; the store is dumped. Then, from
the same state, the same request meets a fault at its first call to the store, at its second, and so on, and is repeated
as the guide says until it is answered 2xx. However often that took, the store must hold, byte by byte, what it holds
after the request without a fault. A second kind of run has every call fail from one on, until the request is answered.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from queue import SimpleQueue
from random import Random
from typing import Any

from chalicelib.api.routes import ROUTES
from chalicelib.service.clock.sweep import sweep
from chalicelib.service.ports import Unavailable
from chalicelib.service.services import Services
from chalicelib.store import DynamoStore, create_table
from dev.trust.items import Item, all_items, bare_client, restore
from dev.trust.phones import PATIENCE
from dev.trust.proxy import Call, Fault, Judge, StoreProxy
from dev.trust.scenarios import NOW, SCENARIOS, SWEEP, Ask, Scenario
from dev.trust.tally import Tally, ensure
from dev.trust.transport import InProcess, Json, Reply

SLOWEST_ANSWER = 6.0
"""Seconds that a caller waits for the store at most, whatever it does."""
MOST_TRIES = 8
LASTING = (
    Fault.THROTTLED,
    Fault.CONFLICT,
    Fault.INTERNAL_AFTER,
    Fault.SILENT_AFTER,
    Fault.DROPPED_BEFORE,
    Fault.SLOW,
)
"""What a store may go on doing. (Where every call is made and left unanswered, none that follows is not made.)"""
CALL_NOTHING = frozenset(("getHealth",))
"""Operations that do without the store."""


@dataclass
class Bench:
    """A table of its own behind a proxy of its own, and the app around it."""

    proxy: StoreProxy
    store: DynamoStore
    direct: DynamoStore
    """The same table, past the proxy."""
    client: Any
    table: str

    def set_up(self, items: Sequence[Item]) -> None:
        self.proxy.watch()
        restore(self.client, self.table, items)

    def dump(self) -> list[Item]:
        """Everything in the table, in order; what a `None` would be is not there. Tally of uses are left out: they
        count tries, those without an answer too."""
        kept = (item for item in all_items(self.client, self.table) if not item["pk"]["S"].startswith("count#"))
        return sorted(kept, key=lambda item: (item["pk"]["S"], item["sk"]["S"]))

    def close(self) -> None:
        self.proxy.__exit__(None, None, None)
        self.client.delete_table(TableName=self.table)

    def send(self, ask: Ask) -> Reply:
        """Once. Chance is the same at every try, so that the same state follows where it plays a part."""
        services = Services(
            self.store, lambda: NOW + ask.later, Random(11).randbytes if ask.repeatable else Random().randbytes
        )
        if ask.method == SWEEP:
            return _swept(services)
        return ask.phone.through(InProcess(services)).send(ask.method, ask.path, ask.body, ask.headers)


def _swept(services: Services) -> Reply:
    """A sweep, as if it were a request: what it could not do is left to the next."""
    try:
        report = sweep(services)
    except Unavailable:
        return Reply(503, {"retry-after": "1"}, "")
    done = report.finished and not report.failed and not report.lost
    return Reply(200 if done else 503, {"retry-after": "1"}, "")


@dataclass
class Case:
    """One scenario with what it begins from and what must come of it."""

    scenario: Scenario
    ask: Ask
    before: list[Item]
    after: list[Item]
    reply: Reply
    calls: tuple[Call, ...]


def prepared(bench: Bench, scenario: Scenario) -> Case:
    """The scenario's state, and its request answered without a fault.

    A machine that is busy with other things may be late by itself: then all of it is begun anew, a few times.
    """
    for _ in range(5):
        bench.set_up(())
        setting_up = Services(bench.direct, lambda: NOW, Random(5).randbytes)
        ask = scenario.prepare(InProcess(setting_up))
        before = bench.dump()
        bench.proxy.watch()
        reply = bench.send(ask)
        if reply.status < 300:
            return Case(scenario, ask, before, bench.dump(), reply, bench.proxy.calls)
        if reply.status != 503:
            break
    raise AssertionError(f"{scenario.name}: {reply.status} {reply.text:.300}")


def suffer(bench: Bench, case: Case, judge: Judge, *, until_answered: bool) -> int:
    """The request from the same state with faults; how many tries it took. Raises `Broken`."""
    ask = case.ask
    bench.set_up(case.before)
    bench.proxy.watch(judge)
    for tried in itertools.count(1):
        before = bench.proxy.waited
        reply = bench.send(ask)
        waited = bench.proxy.waited - before
        ensure(ask.method == SWEEP or waited <= SLOWEST_ANSWER, f"the answer took {waited:.1f} s")
        if reply.status < 300:
            break
        ensure(reply.status == 503, f"{reply.status} {reply.text:.200}")
        ensure(int(reply.headers.get("retry-after", "0")) >= 1, "503 without Retry-After")
        ensure(tried < MOST_TRIES, "the request never comes to an end")
        if until_answered:
            bench.proxy.watch()
    bench.proxy.watch()
    found = bench.dump()
    if not ask.repeatable:
        ensure(all(item in found for item in case.before), "what was there before is gone")
        return tried
    ensure(_answer(reply) == _answer(case.reply), f"answered {reply.text:.300}, without a fault {case.reply.text:.300}")
    ensure(found == case.after, f"the store differs: {_differing(case.after, found)}")
    return tried


def _answer(reply: Reply) -> Json:
    """What every try must be answered alike: of an update the view, since its events are those since the request."""
    if not reply.text:
        return None
    content = reply.json
    return content["match"] if isinstance(content, dict) and "match" in content else content


def _differing(wanted: list[Item], found: list[Item]) -> list[str]:
    """Keys of the items that are not alike, and in what."""
    one = {(item["pk"]["S"], item["sk"]["S"]): item for item in wanted}
    other = {(item["pk"]["S"], item["sk"]["S"]): item for item in found}
    keys = [key for key in one.keys() | other.keys() if one.get(key) != other.get(key)]
    return [f"{key}: {one.get(key)} expected, {other.get(key)} found"[:300] for key in sorted(keys)]


def benches(store_url: str, count: int, patience: float, name: str) -> Iterable[Bench]:
    for number in range(count):
        table = f"{name}-{number}"
        create_table(table, store_url)
        proxy = StoreProxy(store_url, patience).__enter__()
        store, direct = DynamoStore(table, proxy.url, call_seconds=patience), DynamoStore(table, store_url)
        yield Bench(proxy, store, direct, bare_client(store_url), table)


def try_faults(
    store_url: str,
    faults: Sequence[Fault] = tuple(Fault),
    scenarios: Sequence[Scenario] = SCENARIOS,
    patience: float = 1.0,
    workers: int = 8,
    name: str = "faults",
    *,
    lasting: bool = True,
) -> tuple[Tally, Tally]:
    """Each fault at each call of each scenario once; with `lasting` also from each call on. `patience` is how long the
    app waits for a call. The tallies of single and of lasting faults."""
    once = Tally("a fault at any call of any operation: 2xx or 503 within 6 s, and after repeats the same store")
    on = Tally("the store failing from any call on: 503 within 6 s, and after repeats the same store")
    free: SimpleQueue[Bench] = SimpleQueue()
    all_benches = list(benches(store_url, workers, patience, name))
    for bench in all_benches:
        free.put(bench)

    def run(case: Case, number: int, fault: Fault, tally: Tally, *, lasting: bool) -> None:
        met = threading.Event()

        def judge(call: Call) -> Fault | None:
            if call.number == number or (lasting and call.number > number):
                met.set()
                return fault
            return None

        bench = free.get()
        try:
            with tally.attempt(f"{case.scenario.name}, call {number} ({case.calls[number - 1].operation}), {fault}"):
                suffer(bench, case, judge, until_answered=lasting)
                ensure(met.is_set(), "the call was not made at all")
        finally:
            free.put(bench)

    try:
        cases = [prepared(all_benches[0], scenario) for scenario in scenarios]
        with ThreadPoolExecutor(workers) as pool:
            jobs = [
                pool.submit(run, case, number, fault, tally, lasting=tally is on)
                for tally, those in ((once, faults), (on, LASTING if lasting else ()))
                for case in cases
                for number in range(1, len(case.calls) + 1)
                for fault in those
            ]
            for job in jobs:
                job.result()
    finally:
        for bench in all_benches:
            bench.close()
    reached = {case.scenario.operation_id for case in cases if case.calls}
    for route in ROUTES:
        if scenarios is SCENARIOS and route.operation_id not in reached | CALL_NOTHING:
            once.add(f"{route.operation_id} was never tried")
    once.notes.append(f"{len(cases)} scenarios, {sum(len(case.calls) for case in cases)} calls, {len(faults)} faults")
    return once, on


def try_dying(store_url: str, name: str = "dying") -> Tally:
    """DELETE /me, cut short for good at each of its calls (made, or not made): the sweep does the rest."""
    tally = Tally("a deletion that dies at any call is finished by the sweep, or has not begun")
    (bench,) = benches(store_url, 1, PATIENCE, name)
    (scenario,) = (each for each in SCENARIOS if each.operation_id == "deleteMe")
    try:
        case = prepared(bench, scenario)
        for number, first in itertools.product(
            range(1, len(case.calls) + 1), (Fault.DROPPED_BEFORE, Fault.DROPPED_AFTER)
        ):

            def judge(call: Call, number: int = number, first: Fault = first) -> Fault | None:
                return None if call.number < number else first if call.number == number else Fault.DROPPED_BEFORE

            bench.set_up(case.before)
            bench.proxy.watch(judge)
            with tally.attempt(f"call {number} ({case.calls[number - 1].operation}), {first}"):
                reply = bench.send(case.ask)
                ensure(reply.status in (204, 503), f"{reply.status} {reply.text:.200}")
                bench.proxy.watch()
                begun = any(item["sk"] == {"S": "profile"} and "deleted_at" in item for item in bench.dump())
                report = sweep(Services(bench.store, lambda: NOW, Random(11).randbytes))
                ensure(report.finished and not report.failed, f"the sweep: {report}")
                wanted = case.after if begun else case.before
                ensure(bench.dump() == wanted, f"the store differs: {_differing(wanted, bench.dump())}")
    finally:
        bench.close()
    return tally
