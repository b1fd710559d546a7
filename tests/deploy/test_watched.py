"""Metrics, alarms, dashboard and the page about them know each other: what one of them leaves out is named."""

from __future__ import annotations

import json
import logging
import re
from types import SimpleNamespace
from typing import Any

import pytest

from chalicelib.api import schedule
from chalicelib.api.metrics import NAMESPACE_VARIABLE, UNITS
from chalicelib.service.services import Services
from dev.deploy.package import ROOT, STAGES, additions
from tests.api.client import Client
from tests.api.conftest import app, client, clock, rate_factor, services

__all__ = ["app", "client", "clock", "rate_factor", "services"]
NAMESPACE = "DoDooni/${AWS::StackName}"
# Those by which AWS keeps the metrics that we read, and their names: with others it is a metric without data.
DIMENSIONS = {
    "AWS/ApiGateway": [{"ApiName", "Stage"}],
    "AWS/Lambda": [{"FunctionName"}],
    "AWS/DynamoDB": [{"TableName"}, {"TableName", "GlobalSecondaryIndexName"}],
}
METRICS = {
    "AWS/ApiGateway": {"Count", "4XXError", "5XXError", "Latency"},
    "AWS/Lambda": {"ConcurrentExecutions", "Duration", "Errors", "Throttles"},
    "AWS/DynamoDB": {
        *("ConsumedReadCapacityUnits", "ConsumedWriteCapacityUnits"),
        *("ReadThrottleEvents", "WriteThrottleEvents"),
    },
}
RESOURCES = additions(STAGES[0])["Resources"]
ALARMS: dict[str, Any] = {
    name: resource["Properties"]
    for name, resource in RESOURCES.items()
    if resource.get("Type") == "AWS::CloudWatch::Alarm"
}
WIDGETS = [widget["properties"] for widget in json.loads((ROOT / ".chalice/dashboard.json").read_text())["widgets"]]
LINES = [[word for word in line if isinstance(word, str)] for one in WIDGETS for line in one.get("metrics", ())]
"""Of the dashboard: namespace, name, then dimensions and their values."""


def test_every_metric_is_written(
    client: Client, services: Services, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A move, its repetition and a sweep mark each metric of `UNITS`."""
    monkeypatch.setenv(NAMESPACE_VARIABLE, "Here")
    with caplog.at_level(logging.INFO, "chalicelib"):
        asha = client.guest("Asha")
        view = asha.solo()
        move = view["you"]["legal_moves"][0]
        assert [200, 200] == [asha.move(view, move).status for _ in range(2)]
        schedule.run(services, SimpleNamespace(get_remaining_time_in_millis=lambda: 60_000))
    lines: list[dict[str, Any]] = [record.msg for record in caplog.records if isinstance(record.msg, dict)]
    marks = [line["_aws"]["CloudWatchMetrics"][0]["Metrics"] for line in lines if "_aws" in line]
    assert UNITS.keys() == {mark["Name"] for line in marks for mark in line}, "chalicelib/api/metrics.py"


def test_the_dashboard_shows_every_metric_and_no_other() -> None:
    """Of our own: a line that stays empty looks like a quiet night. Of AWS's: those that there are."""
    assert UNITS.keys() == {line[1] for line in LINES if line[0] == NAMESPACE}
    of_aws = [line for line in LINES if line[0].startswith("AWS/")]
    assert of_aws
    for namespace, name, *dimensions in of_aws:
        assert name in METRICS[namespace]
        assert set(dimensions[::2]) in DIMENSIONS[namespace], (namespace, name)


@pytest.mark.parametrize("name", ALARMS)
def test_every_alarm_is_on_a_metric_that_is_written_and_tells_its_reason(name: str) -> None:
    """An alarm on any other would sleep for ever. Whoever is woken reads why, and is told again when it is over."""
    alarm = ALARMS[name]
    if alarm["Namespace"] == {"Fn::Sub": NAMESPACE}:
        assert alarm["MetricName"] in UNITS, f"chalicelib/api/metrics.py has no {alarm['MetricName']}"
        assert "Dimensions" not in alarm, "our metrics have no dimensions: with some it is another metric"
    else:
        assert alarm["MetricName"] in METRICS[alarm["Namespace"]]
        assert {each["Name"] for each in alarm["Dimensions"]} in DIMENSIONS[alarm["Namespace"]]
    assert len(alarm["AlarmDescription"]) > 80 and alarm["AlarmActions"] and alarm["OKActions"]
    shown = [alarm for widget in WIDGETS for alarm in widget.get("alarms", ())]
    assert f"${{{name}.Arn}}" in shown, f".chalice/dashboard.json does not list {name}"


def test_the_page_explains_every_alarm_and_no_other() -> None:
    """What it means and what to do stands in docs/operations.md, under the name that the mail has."""
    table = (ROOT / "docs/operations.md").read_text(encoding="utf-8").partition("## Alarms")[2].partition("\n## ")[0]
    cells = [row.split("|")[1] for row in table.splitlines() if row.startswith("| `")]
    explained = {name for cell in cells for name in re.findall(r"`([a-z-]+)`", cell)}
    assert {one["AlarmName"]["Fn::Sub"].removeprefix("${AWS::StackName}-") for one in ALARMS.values()} == explained


def test_refusals_of_the_table_and_of_its_index_are_watched() -> None:
    """DynamoDB counts an index's by the index's name, and not among the table's own."""
    in_use = RESOURCES["APIHandler"]["Properties"]["Environment"]["Variables"]["DO_DOONI_TABLE"]
    indexes = [one["IndexName"] for one in RESOURCES["Table"]["Properties"]["GlobalSecondaryIndexes"]]
    watched = [
        (alarm["MetricName"], {one["Name"]: one["Value"] for one in alarm["Dimensions"]})
        for alarm in ALARMS.values()
        if alarm.get("Namespace") == "AWS/DynamoDB"
    ]
    places = [{"TableName": in_use}, *({"TableName": in_use, "GlobalSecondaryIndexName": index} for index in indexes)]
    assert [(f"{kind}ThrottleEvents", place) for place in places for kind in ("Read", "Write")] == watched
