"""The scheduled run of the sweep, once a minute."""

from __future__ import annotations

import time
from typing import Any

from chalicelib.api import logs, wiring
from chalicelib.service import tally

MARGIN_MS = 5_000
"""Milliseconds before the run's end after which nothing more is begun."""


def run(context: Any) -> None:
    """One sweep, in the time that Lambda's `context` still has; what is left over the next one goes on with."""
    from chalicelib.service.sweep import sweep

    began = time.perf_counter()
    with tally.begun() as counted:
        report = sweep(wiring.house(), lambda: context.get_remaining_time_in_millis() < MARGIN_MS)
    logs.swept(report, time.perf_counter() - began, counted)
