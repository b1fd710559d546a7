"""The alarm on a sweep that falls behind, judged by the lines that sweeps write."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from chalicelib.api import logs, metrics
from chalicelib.match.model import DAY
from chalicelib.service import counters
from chalicelib.service.clock.sweep import sweep
from tests.service.people import Hall, four_at_cards

ALARMS = json.loads((Path(__file__).parents[2] / ".chalice" / "alarms.json").read_text())["Resources"]
LATE = ALARMS["SweepLate"]["Properties"]
MINUTE = 60
Measured = Callable[[Hall, int, int], list[float]]


@pytest.fixture
def measured(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> Measured:
    """Run a sweep of so many looks in each of so many minutes, and read from their lines what the alarm's metric is."""
    monkeypatch.setenv(metrics.NAMESPACE_VARIABLE, "Here")

    def run(hall: Hall, looks: int, minutes: int) -> list[float]:
        values = []
        for _ in range(minutes):
            asked = count()
            caplog.clear()
            with caplog.at_level(logging.INFO, "chalicelib.api.logs"):
                logs.swept(sweep(hall.services, lambda asked=asked: next(asked) >= looks), 0.1, counters.Counters())  # type: ignore[misc]
            line: Any = caplog.records[-1].msg
            (told,) = line["_aws"]["CloudWatchMetrics"]
            assert {"Name": LATE["MetricName"], "Unit": "Seconds"} in told["Metrics"]
            values.append(float(line[LATE["MetricName"]]))
            hall.wait(MINUTE)
        return values

    return run


def in_alarm(values: list[float]) -> bool:
    """Whether the alarm goes off at the last of these minutes."""
    assert (MINUTE, "GreaterThanThreshold") == (LATE["Period"], LATE["ComparisonOperator"])
    late = [value > LATE["Threshold"] for value in values[-LATE["EvaluationPeriods"] :]]
    return late.count(True) >= int(LATE["DatapointsToAlarm"])


@pytest.mark.parametrize("what", ["a shard", "a deletion"])
def test_what_is_never_reached(measured: Measured, what: str) -> None:
    """A day overdue, and no run looks at anything: the alarm goes off within three minutes."""
    hall = Hall()
    if what == "a shard":
        four_at_cards(hall.guests(*"ABCD"), turn_seconds=MINUTE)
    else:
        player = hall.store.player(hall.guest().id)
        assert player is not None
        hall.store.mark_deleted(player, hall.clock.at)
    hall.wait(MINUTE + DAY)
    assert in_alarm(measured(hall, 0, 3))


def test_a_run_that_makes_up_for_an_outage(measured: Measured) -> None:
    """One late run that does all wakes nobody, and neither does a sweep that keeps up."""
    hall = Hall()
    four_at_cards(hall.guests(*"ABCD"), turn_seconds=MINUTE)
    hall.wait(MINUTE + DAY)
    values = measured(hall, 1_000, 10)
    assert (DAY, 0) == (values[0], min(values))
    assert not any(in_alarm(values[:upto]) for upto in range(1, 11))
