"""What a log line says, and what it never does."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import traceback
from typing import Any

import pytest

from chalicelib.api import logs, schedule
from chalicelib.api.metrics import NAMESPACE_VARIABLE, marked
from chalicelib.service import counters
from chalicelib.service.clock.sweep import SweepReport
from chalicelib.service.services import Services
from chalicelib.store.memory import MemoryStore

Json = dict[str, Any]


def _line(error: BaseException) -> Any:
    info = (type(error), error, error.__traceback__)
    record = logging.LogRecord("chalicelib.service", logging.ERROR, "", 0, "a match could not be swept", (), info)
    return json.loads(logs.Lines().format(record))


def test_an_error_is_told_by_kinds_and_places() -> None:
    """Of an error and its causes a line has the kinds and where they arose, not the words: those may quote a card. A
    circle of causes does not hold the log up."""
    try:
        try:
            raise KeyError("AS")
        except KeyError as cause:
            raise RuntimeError("Asha holds AS") from cause
    except RuntimeError as error:
        line = _line(error)
    assert ["RuntimeError", "KeyError"] == line["errors"]
    assert line["where"][-1].startswith("test_logs.py:")
    assert "AS" not in json.dumps(line).replace("RuntimeError", "")
    circle = RuntimeError()
    circle.__cause__ = circle
    assert ["RuntimeError"] == _line(circle)["errors"]


def test_a_library_is_not_believed() -> None:
    """Of a library's record the words are kept and the values, which may be anything, are not."""
    record = logging.LogRecord("botocore", logging.WARNING, "", 0, "retrying %s", ("secret",), None)
    assert {"event": "retrying %s", "level": "WARNING"} == json.loads(logs.Lines().format(record))


FAILING_REQUEST = """
import app
from chalicelib.api import dispatch
from chalicelib.api.dispatch import Dispatcher
def fails(*_arguments): raise KeyError("Asha holds AS")
{broken} = fails
request = {{"resourcePath": "/v1/health", "httpMethod": "GET"}}
names = "headers", "multiValueHeaders", "multiValueQueryStringParameters", "pathParameters", "stageVariables", "body"
event = dict.fromkeys(names) | {{"headers": {{}}, "isBase64Encoded": False, "requestContext": request}}
print(app.app(event, None)["body"])
"""
OURS, CHALICE = ("request", 500, "KeyError"), (None, None, "KeyError")


@pytest.mark.parametrize(
    ("broken", "expected", "is_problem"),
    [
        ("Dispatcher._answer", [OURS], True),
        ("Dispatcher._read", [OURS], True),
        ("dispatch._success", [OURS], True),
        ("Dispatcher._answer = dispatch.failure", [OURS, CHALICE], False),
        ("Dispatcher.respond", [CHALICE], False),
    ],
)
def test_an_error_that_nobody_foresaw_leaves_its_line(
    broken: str, expected: list[tuple[Any, ...]], is_problem: bool
) -> None:
    """Wherever in the answering it arises, the request's own line tells it, and the caller has a problem document.
    Where even that fails, or only Chalice is left to catch it, Chalice tells it in JSON. None has its words."""
    command = [sys.executable, "-c", FAILING_REQUEST.format(broken=broken)]
    deployed = {**os.environ, "AWS_LAMBDA_FUNCTION_NAME": "here"}
    ran = subprocess.run(command, env=deployed, capture_output=True, text=True, check=True)
    *lines, answer = map(json.loads, ran.stdout.splitlines())
    told = [(line["event"] if "status" in line else None, line.get("status"), line["errors"][0]) for line in lines]
    assert expected == told
    assert all("status" in line or line["level"] == "ERROR" for line in lines)
    if is_problem:
        problem = (500, "internal_error", lines[0]["request_id"])
        assert problem == (answer["status"], answer["code"], answer["request_id"])
    assert "Asha" not in ran.stdout + ran.stderr


def test_a_sweep_that_ends_with_an_error_fails_and_says_where(caplog: pytest.LogCaptureFixture) -> None:
    """One line has the error's kind and place, and no figures; what Lambda is given to write has none of its words."""

    def fails(_count: int) -> bytes:
        raise KeyError("Asha holds AS")

    with caplog.at_level(logging.INFO, "chalicelib"), pytest.raises(schedule.SweepEnded) as ended:
        schedule.run(Services(MemoryStore(), random_bytes=fails), None)
    (record,) = caplog.records
    line = json.loads(logs.Lines().format(record))
    assert ("ERROR", "sweep", ["KeyError"]) == (record.levelname, line["event"], line["errors"])
    assert line["where"][-1].startswith("test_logs.py:")
    assert line["place"].startswith("service/clock/sweep.py:")
    assert {"event", "ms", "errors", "place", "where"} == line.keys()
    written = "".join(traceback.format_exception(ended.value))
    assert "Asha" not in written + json.dumps(line) and "KeyError" not in written


def test_only_what_is_there_is_marked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line marks as metrics those of its values that are metrics; without a namespace, none."""
    monkeypatch.setenv(NAMESPACE_VARIABLE, "Here")
    line: Json = marked({"event": "request", "ms": 3, "moves": 1})
    expected = {"Namespace": "Here", "Dimensions": [[]], "Metrics": [{"Name": "moves", "Unit": "Count"}]}
    assert [expected] == line["_aws"]["CloudWatchMetrics"]
    monkeypatch.delenv(NAMESPACE_VARIABLE)
    assert {"moves": 1} == marked({"moves": 1})


def test_a_sweep_is_told_in_one_line(caplog: pytest.LogCaptureFixture) -> None:
    """What a run did stands in its line, each number under a name of its own."""
    report = SweepReport(seen=7, timed_out=2, failed=1, lag=30, finished=True)
    with caplog.at_level(logging.INFO, "chalicelib"):
        logs.swept(report, 0.25, counters.Counters(bot_seconds=0.004))
    (record,) = caplog.records
    expected = {
        "event": "sweep",
        "ms": 250.0,
        "sweep_seen": 7,
        "sweep_timed_out": 2,
        "sweep_failed": 1,
        "sweep_lag": 30,
    }
    expected |= {"bot_ms": 4.0, "sweep_finished": True}
    assert isinstance(record.msg, dict)
    assert expected == {name: value for name, value in record.msg.items() if value}
