"""What a log line says, and what it never does."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from typing import Any

import pytest

from chalicelib.api import logs, metrics
from chalicelib.api.metrics import NAMESPACE_VARIABLE, marked
from chalicelib.service import tally
from chalicelib.service.sweep import SweepReport


def _line(message: object, error: BaseException | None = None, name: str = "chalicelib.service.sweep") -> Any:
    info = (type(error), error, error.__traceback__) if error is not None else None
    record = logging.LogRecord(name, logging.ERROR, "", 0, message, (), info)
    return json.loads(logs.Lines().format(record))


def test_an_error_is_told_by_kinds_and_places() -> None:
    """Of an error and its causes a line has the kinds and where they arose, not the words: those may quote a card."""
    try:
        try:
            raise KeyError("AS")
        except KeyError as cause:
            raise RuntimeError("Asha holds AS") from cause
    except RuntimeError as error:
        line = _line("a match could not be swept", error)
    assert ["RuntimeError", "KeyError"] == line["errors"]
    assert line["where"][-1].startswith("test_logs.py:")
    assert "AS" not in json.dumps(line).replace("RuntimeError", "")


def test_an_error_that_is_its_own_cause_is_told_once() -> None:
    """A circle of causes does not hold the log up."""
    error = RuntimeError()
    error.__cause__ = error
    assert ["RuntimeError"] == _line("odd", error)["errors"]


def test_a_library_is_not_believed() -> None:
    """Of a library's record the words are kept and the values, which may be anything, are not."""
    record = logging.LogRecord("botocore", logging.WARNING, "", 0, "retrying %s", ("secret",), None)
    assert {"event": "retrying %s", "level": "WARNING"} == json.loads(logs.Lines().format(record))


def test_chalice_is_not_believed_either() -> None:
    """An error that only Chalice is left to catch is told like any other, in a line of JSON without its words."""
    script = """
import app
from chalicelib.api import dispatch
def fails(*_arguments): raise KeyError("Asha holds AS")
dispatch._answer = fails
request = {"resourcePath": "/v1/health", "httpMethod": "GET"}
names = "headers", "multiValueHeaders", "multiValueQueryStringParameters", "pathParameters", "stageVariables", "body"
app.app(dict.fromkeys(names) | {"headers": {}, "isBase64Encoded": False, "requestContext": request}, None)
"""
    deployed = {**os.environ, "AWS_LAMBDA_FUNCTION_NAME": "here"}
    ran = subprocess.run([sys.executable, "-c", script], env=deployed, capture_output=True, text=True, check=True)
    (line,) = map(json.loads, ran.stdout.splitlines())
    assert ("ERROR", ["KeyError"]) == (line["level"], line["errors"])
    assert "Asha" not in ran.stdout + ran.stderr


def test_only_what_is_there_is_marked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line marks as metrics those of its values that are metrics; without a namespace, none."""
    monkeypatch.setenv(NAMESPACE_VARIABLE, "Here")
    line = marked({"event": "request", "ms": 3, "moves": 1})
    (told,) = line["_aws"]["CloudWatchMetrics"]  # type: ignore[index]
    expected = {"Namespace": "Here", "Dimensions": [[]], "Metrics": [{"Name": "moves", "Unit": "Count"}]}
    assert expected == told
    monkeypatch.delenv(NAMESPACE_VARIABLE)
    assert {"moves": 1} == marked({"moves": 1})


def test_a_sweep_is_told_in_one_line(caplog: pytest.LogCaptureFixture) -> None:
    """What a run did stands in its line, each number under a name of its own."""
    report = SweepReport(seen=7, timed_out=2, failed=1, lag=30, finished=True)
    with caplog.at_level(logging.INFO, "chalicelib"):
        logs.swept(report, 0.25, tally.Tally(bot_seconds=0.004))
    (record,) = caplog.records
    told = {"event": "sweep", "ms": 250.0, "sweep_seen": 7, "sweep_timed_out": 2, "sweep_failed": 1, "sweep_lag": 30}
    assert isinstance(record.msg, dict)
    assert told | {"bot_ms": 4.0, "sweep_finished": True} == {
        name: value for name, value in record.msg.items() if value or name in told
    }


def test_every_metric_of_a_sweep_is_in_its_report() -> None:
    """No metric is named that a run does not tell."""
    reported = {f"sweep_{name}" for name in SweepReport.__dataclass_fields__}
    assert {name for name in metrics.UNITS if name.startswith("sweep_")} <= reported
