"""One figure and its bar, and how contenders are timed."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple


class Row(NamedTuple):
    """A figure, better the smaller it is. `bar` is the most it may be; None: the figure is for a document only."""

    name: str
    value: float
    unit: str
    bar: float | None = None

    @property
    def short(self) -> bool:
        """Whether the bar is missed."""
        return self.bar is not None and not self.value <= self.bar

    def __str__(self) -> str:
        verdict = "" if self.bar is None else f"{self.bar:>8,g}  {'SHORT' if self.short else 'ok'}"
        return f"{self.name:<58}{self.value:>10,.4g} {self.unit:<16}{verdict}".rstrip()


def timed(call: Callable[[], object]) -> tuple[float, float]:
    """Seconds by the clock, and seconds of the processor."""
    wall, cpu = time.perf_counter(), time.process_time()
    call()
    return time.perf_counter() - wall, time.process_time() - cpu


def in_turns(*contenders: Callable[[], Sequence[float]], turns: int, warm_up: int = 0) -> list[tuple[float, ...]]:
    """The figures of each contender, measured in turns: of each the mean of the lower half, since a busy machine only
    ever adds."""
    taken: list[list[Sequence[float]]] = [[] for _ in contenders]
    for turn in range(warm_up + turns):
        for measure, figures in zip(contenders, taken, strict=True):
            measured = measure()
            if turn >= warm_up:
                figures.append(measured)
    return [
        tuple(statistics.mean(sorted(column)[: turns // 2]) for column in zip(*figures, strict=True))
        for figures in taken
    ]


def p95(values: Sequence[float]) -> float:
    return sorted(values)[int(0.95 * len(values))]
