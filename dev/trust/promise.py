"""Promises, the tally of the attempts to break each, and where the attempts are made."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Barrier, Lock
from typing import Any, TypeAlias

from chalicelib.service.services import Services
from chalicelib.store import DynamoStore, create_table
from dev.driver import PATIENCE, InProcess, Reply

MOST_TOLD = 20


class Broken(AssertionError):
    """A promise is broken; the message says how."""


def ensure(holds: object, how: object) -> None:
    """Raises `Broken` unless it holds."""
    if not holds:
        raise Broken(how)


@dataclass
class Tally:
    """How often a promise was tried, and held. Thread safe. A promise nobody tried to break has not held."""

    promise: str
    tried: int = 0
    held: int = 0
    broken: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """Figures worth telling beside the counts."""
    _lock: Lock = field(default_factory=Lock, repr=False)

    def add(self, fault: str | None = None) -> None:
        """One more attempt; `fault` says how the promise was broken, if it was."""
        with self._lock:
            self.tried += 1
            self.held += fault is None
            if fault is not None and len(self.broken) < MOST_TOLD:
                self.broken.append(fault)

    def expect(self, expected: object, actual: object, what: str) -> None:
        """One more attempt, which holds if the two are equal."""
        self.add(None if expected == actual else f"{what}: {expected!r} expected, {actual!r} found")

    @contextmanager
    def attempt(self, what: str) -> Iterator[None]:
        """One more attempt, which holds unless the block raises `Broken`."""
        try:
            yield
        except Broken as broken:
            self.add(f"{what}: {broken}")
        else:
            self.add()

    @property
    def kept(self) -> bool:
        return self.tried > 0 and self.held == self.tried

    def line(self) -> str:
        notes = f"  ({'; '.join(self.notes)})" if self.notes else ""
        return f"{'held  ' if self.kept else 'BROKEN'}  {self.held:>7} of {self.tried:<7} {self.promise}{notes}"


@dataclass
class Place:
    """Where attempts are made: a real store, which is started when somebody needs it, and a folder."""

    store_url: Callable[[], str]
    folder: Path

    def table(self) -> str:
        """The name of a new table of the store."""
        name = f"trust-{secrets.token_hex(4)}"
        create_table(name, self.store_url())
        return name

    def transport(self) -> InProcess:
        """The app in this process, on a table of its own."""
        return InProcess(Services(DynamoStore(self.table(), self.store_url(), call_seconds=PATIENCE)))


@dataclass(frozen=True)
class Promise:
    """`attack` tries to break it, `long` times in `make trust` and `short` times in the tests; `slow`: not in all."""

    text: str
    attack: Callable[[Place, Tally, int], None]
    long: int
    short: int
    slow: bool

    @property
    def name(self) -> str:
        return self.attack.__name__

    def tally(self, place: Place, times: int) -> Tally:
        tally = Tally(self.text)
        self.attack(place, tally, times)
        return tally


PROMISES: list[Promise] = []
Attack: TypeAlias = Callable[[Place, Tally, int], None]
Race: TypeAlias = Generator[Sequence[Callable[[], Any]], list[Reply], Any]


def promise(text: str, *, long: int, short: int, slow: bool = False) -> Callable[[Attack], Attack]:
    """The decorated function is an attack on this promise."""

    def register(attack: Attack) -> Attack:
        PROMISES.append(Promise(text, attack, long, short, slow))
        return attack

    return register


def race(text: str, *, long: int, short: int) -> Callable[[Callable[[InProcess, int], Race]], object]:
    """The decorated generator is one round of many requests at once: it yields them, is sent their answers, and ensures
    what must be so. What it returns is counted among the outcomes."""

    def register(one_round: Callable[[InProcess, int], Race]) -> Attack:
        def attack(place: Place, tally: Tally, rounds: int) -> None:
            transport, outcomes = place.transport(), dict[str, int]()
            for number in range(rounds):
                with tally.attempt(f"round {number}"):
                    outcome = _run(one_round(transport, number)) or "one way"
                    outcomes[outcome] = outcomes.get(outcome, 0) + 1
            if len(outcomes) > 1:
                tally.notes.append(", ".join(f"{outcome} {times} times" for outcome, times in sorted(outcomes.items())))

        attack.__name__ = one_round.__name__
        return promise(text, long=long, short=short)(attack)

    return register


def _run(one_round: Race) -> Any:
    calls = next(one_round)
    while True:
        try:
            calls = one_round.send(at_once(calls))
        except StopIteration as end:
            return end.value


def at_once(calls: Sequence[Callable[[], Any]]) -> list[Any]:
    """Call all of them at the same moment, each in a thread of its own; their results in order."""
    gate = Barrier(len(calls))

    def through_gate(call: Callable[[], Any]) -> Any:
        gate.wait()
        return call()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(through_gate, calls))
