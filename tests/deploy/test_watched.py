"""Metrics, alarms, dashboard and the page about them know each other: what one of them leaves out is named."""

from __future__ import annotations

import json
import logging
import re
from typing import Any

import pytest

from chalicelib.api import schedule
from chalicelib.api.metrics import NAMESPACE_VARIABLE, UNITS
from chalicelib.service.services import Services
from dev.deploy.package import ROOT, STAGES, additions
from tests.api.client import Client
from tests.api.conftest import app, client, clock, rate_factor, services

__all__ = ["app", "client", "clock", "rate_factor", "services"]
OWN = {"Fn::Sub": "DoDooni/${AWS::StackName}"}
DIMENSIONS = {
    "AWS/ApiGateway": [{"ApiName", "Stage"}],
    "AWS/Lambda": [{"FunctionName"}],
    "AWS/DynamoDB": [{"TableName"}, {"TableName", "GlobalSecondaryIndexName"}],
}
"""Those by which AWS keeps the metrics that we read: with others, or some of them, it is a metric without data."""
METRICS = {
    "AWS/ApiGateway": {"Count", "4XXError", "5XXError", "Latency"},
    "AWS/Lambda": {"ConcurrentExecutions", "Duration", "Errors", "Throttles"},
    "AWS/DynamoDB": {
        "ConsumedReadCapacityUnits",
        "ConsumedWriteCapacityUnits",
        "ReadThrottleEvents",
        "WriteThrottleEvents",
    },
}
"""AWS's own, by namespace, as its pages spell them: another name is a metric without data."""
ALARMS = {
    name: resource["Properties"]
    for name, resource in additions(STAGES[0])["Resources"].items()
    if resource.get("Type") == "AWS::CloudWatch::Alarm"
}
WIDGETS = json.loads((ROOT / ".chalice/dashboard.json").read_text())["widgets"]
PAGE = (ROOT / "docs/operations.md").read_text(encoding="utf-8")


def _shown() -> set[str]:
    """The metrics of our own that the dashboard shows."""
    lines = [line for widget in WIDGETS for line in widget["properties"].get("metrics", ())]
    return {line[1] for line in lines if line[0] == "DoDooni/${AWS::StackName}"}


def _rows() -> set[str]:
    """The alarms that the page's table tells of."""
    table = PAGE.partition("## Alarms")[2].partition("\n## ")[0]
    first = [row.split("|")[1] for row in table.splitlines() if row.startswith("| `")]
    return {name for cell in first for name in re.findall(r"`([a-z-]+)`", cell)}


def test_every_metric_is_written(
    client: Client, services: Services, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A move, its repetition and a sweep mark each metric of `UNITS`."""

    class Context:
        def get_remaining_time_in_millis(self) -> int:
            return 60_000

    monkeypatch.setenv(NAMESPACE_VARIABLE, "Here")
    with caplog.at_level(logging.INFO, "chalicelib"):
        asha = client.guest()
        view = asha.solo()
        move = view["you"]["legal_moves"][0]
        assert [200, 200] == [asha.move(view, move).status for _ in range(2)]
        schedule.run(services, Context())
    lines: list[dict[str, Any]] = [record.msg for record in caplog.records if isinstance(record.msg, dict)]
    marks = {
        mark["Name"] for line in lines if "_aws" in line for mark in line["_aws"]["CloudWatchMetrics"][0]["Metrics"]
    }
    assert UNITS.keys() == marks, f"chalicelib/api/metrics.py: nobody writes {sorted(UNITS.keys() - marks)}"


@pytest.mark.parametrize("name", ALARMS)
def test_every_alarm_is_on_a_metric_that_is_written(name: str) -> None:
    """One of AWS's own, or one of `UNITS`: an alarm on any other would sleep for ever."""
    alarm = ALARMS[name]
    if alarm["Namespace"] == OWN:
        assert alarm["MetricName"] in UNITS, f"chalicelib/api/metrics.py has no {alarm['MetricName']}"
        assert "Dimensions" not in alarm, "our metrics have no dimensions: with some it is another metric"
    else:
        assert alarm["MetricName"] in METRICS[alarm["Namespace"]]
        assert {each["Name"] for each in alarm["Dimensions"]} in DIMENSIONS[alarm["Namespace"]]


def test_the_dashboard_reads_aws_metrics_that_there_are() -> None:
    """As the alarms: namespace, name, and the names of the dimensions."""
    lines = [line for widget in WIDGETS for line in widget["properties"].get("metrics", ())]
    read = [[word for word in line if isinstance(word, str)] for line in lines if line[0].startswith("AWS/")]
    assert read
    for namespace, name, *dimensions in read:
        assert name in METRICS[namespace]
        assert set(dimensions[::2]) in DIMENSIONS[namespace], (namespace, name)


@pytest.mark.parametrize("metric", UNITS)
def test_every_metric_is_shown(metric: str) -> None:
    """On the dashboard."""
    assert metric in _shown(), f".chalice/dashboard.json does not show {metric}"


def test_the_dashboard_shows_no_metric_that_is_not_written() -> None:
    """A line that stays empty looks like a quiet night."""
    assert _shown() <= UNITS.keys(), "chalicelib/api/metrics.py"


@pytest.mark.parametrize("name", ALARMS)
def test_every_alarm_is_explained(name: str) -> None:
    """What it means and what to do stands in docs/operations.md, under the name that the mail has; and it is shown."""
    called = ALARMS[name]["AlarmName"]["Fn::Sub"].removeprefix("${AWS::StackName}-")
    assert called in _rows(), f"docs/operations.md, Alarms, has no row for `{called}`"
    shown = [alarm for widget in WIDGETS for alarm in widget["properties"].get("alarms", ())]
    assert f"${{{name}.Arn}}" in shown, f".chalice/dashboard.json does not list {name}"


def test_the_page_explains_no_alarm_that_is_not_there() -> None:
    """A row of the table is about an alarm of the template."""
    called = {alarm["AlarmName"]["Fn::Sub"].removeprefix("${AWS::StackName}-") for alarm in ALARMS.values()}
    assert called == _rows()
