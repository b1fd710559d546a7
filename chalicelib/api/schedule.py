"""The scheduled run of the sweep, once a minute."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from chalicelib.api import logs
from chalicelib.service import counters
from chalicelib.service.clock.sweep import sweep
from chalicelib.service.sets.upkeep import prepare_daily

if TYPE_CHECKING:
    from chalicelib.service.clock.sweep import SweepReport
    from chalicelib.service.services import Services

MARGIN_MS = 5_000
"""Milliseconds before the run's end after which nothing more is begun."""


class SweepEnded(Exception):
    """An error has ended the sweep; the log has its kind and place. The runtime writes this one out, words and all."""


def run(services: Services, context: Any) -> None:
    """One sweep, in the time that Lambda's `context` still has; what is left over the next one goes on with. Raises
    `SweepEnded`."""
    began = time.perf_counter()
    with counters.begun() as counts:
        report = _swept(services, context, began)
    if report is None:
        raise SweepEnded("see the log's line")  # out here nothing of the error clings to it
    logs.swept(report, time.perf_counter() - began, counts)


def _swept(services: Services, context: Any, began: float) -> SweepReport | None:
    try:
        report = sweep(services, lambda: context.get_remaining_time_in_millis() < MARGIN_MS)
        prepare_daily(services)
        return report
    except Exception as error:
        logs.sweep_failed(error, time.perf_counter() - began)
        return None
