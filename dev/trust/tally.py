"""What was tried, how often, and how often the promise held."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock

_MOST_TOLD = 20


@dataclass
class Tally:
    """The count of one promise. Thread safe. A promise nobody tried to break has not held."""

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
            if fault is None:
                self.held += 1
            elif len(self.broken) < _MOST_TOLD:
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
        told = f"  ({'; '.join(self.notes)})" if self.notes else ""
        return f"{'held  ' if self.kept else 'BROKEN'}  {self.held:>7} of {self.tried:<7} {self.promise}{told}"


class Broken(AssertionError):
    """A promise is broken; the message says how."""


def ensure(holds: object, how: str) -> None:
    """Raises `Broken` unless it holds."""
    if not holds:
        raise Broken(how)
