"""The scheduled run of the sweep, once a minute."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from chalicelib.api import logs, wiring
from chalicelib.service import tally
from chalicelib.service.sweep import sweep

if TYPE_CHECKING:
    from collections.abc import Callable

MARGIN_MS = 5_000
"""Milliseconds before the run's end after which nothing more is begun."""


def run(remaining_ms: Callable[[], float]) -> None:
    """One sweep, in the time that this run still has; what is left over the next one goes on with."""
    began = time.perf_counter()
    with tally.begun() as counted:
        report = sweep(wiring.house(), lambda: remaining_ms() < MARGIN_MS)
    logs.swept(report, time.perf_counter() - began, counted)
