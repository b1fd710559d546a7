"""One measured figure and the bar it is held to."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """A figure, better the smaller it is; `bar` is the most it may be, None for a figure that is only told."""

    name: str
    value: float
    unit: str
    bar: float | None = None

    @property
    def short(self) -> bool:
        """Whether the bar is not reached."""
        return self.bar is not None and not self.value <= self.bar

    def __str__(self) -> str:
        bar = "-" if self.bar is None else f"{self.bar:g}"
        verdict = "-" if self.bar is None else "SHORT" if self.short else "ok"
        return f"{self.name} {self.value:.4g} {self.unit} {bar} {verdict}"
