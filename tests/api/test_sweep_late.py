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


@pytest.fixture
def measured(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> Callable[[Hall, int], float]:
    """Run a sweep of so many looks, and read from its line what the alarm's metric is."""
    monkeypatch.setenv(metrics.NAMESPACE_VARIABLE, "Here")

    def run(hall: Hall, looks: int) -> float:
        asked = count()
        caplog.clear()
        with caplog.at_level(logging.INFO, "chalicelib.api.logs"):
            logs.swept(sweep(hall.services, lambda: next(asked) >= looks), 0.1, counters.Counters())
        line: Any = caplog.records[-1].msg
        (told,) = line["_aws"]["CloudWatchMetrics"]
        assert {"Name": LATE["MetricName"], "Unit": "Seconds"} in told["Metrics"]
        return float(line[LATE["MetricName"]])

    return run


@pytest.fixture
def hall() -> Hall:
    return Hall()


def in_alarm(values: list[float]) -> bool:
    """Whether the alarm goes off at the last of these minutes."""
    assert (MINUTE, "GreaterThanThreshold") == (LATE["Period"], LATE["ComparisonOperator"])
    late = [value > LATE["Threshold"] for value in values[-LATE["EvaluationPeriods"] :]]
    return late.count(True) >= int(LATE["DatapointsToAlarm"])


def test_a_shard_that_is_never_reached(hall: Hall, measured: Callable[[Hall, int], float]) -> None:
    """A day overdue, and no run looks at anything: the alarm goes off within three minutes."""
    four_at_cards(hall.guests(*"ABCD"), turn_seconds=MINUTE)
    hall.wait(MINUTE + DAY)
    values = []
    for _ in range(3):
        values.append(measured(hall, 0))
        hall.wait(MINUTE)
    assert in_alarm(values)


def test_a_deletion_that_is_never_reached(hall: Hall, measured: Callable[[Hall, int], float]) -> None:
    """Deletions are measured as shards are."""
    player = hall.store.player(hall.guest().id)
    assert player is not None
    hall.store.mark_deleted(player, hall.clock.at)
    hall.wait(DAY)
    assert in_alarm([measured(hall, 0) for _ in range(3)])


def test_a_run_that_makes_up_for_an_outage(hall: Hall, measured: Callable[[Hall, int], float]) -> None:
    """One late run that does all wakes nobody, and neither does a sweep that keeps up."""
    four_at_cards(hall.guests(*"ABCD"), turn_seconds=MINUTE)
    hall.wait(MINUTE + DAY)
    values = []
    for _ in range(10):
        values.append(measured(hall, 1_000))
        hall.wait(MINUTE)
        assert not in_alarm(values)
    assert (DAY, 0) == (values[0], min(values))
