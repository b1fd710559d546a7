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


def _line(message: object, error: BaseException | None = None, name: str = "chalicelib.service.clock.sweep") -> Any:
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


FAILING_REQUEST = """
import app
from chalicelib.api import dispatch
from chalicelib.api.dispatch import Dispatcher
def fails(*_arguments): raise KeyError("Asha holds AS")
{broken}
request = {{"resourcePath": "/v1/health", "httpMethod": "GET"}}
names = "headers", "multiValueHeaders", "multiValueQueryStringParameters", "pathParameters", "stageVariables", "body"
event = dict.fromkeys(names) | {{"headers": {{}}, "isBase64Encoded": False, "requestContext": request}}
print(app.app(event, None)["body"])
"""


def _ran_deployed(script: str) -> tuple[list[Json], str]:
    """The lines that a script writes where the app believes itself to be deployed, read as JSON; and all its words."""
    deployed = {**os.environ, "AWS_LAMBDA_FUNCTION_NAME": "here"}
    ran = subprocess.run([sys.executable, "-c", script], env=deployed, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in ran.stdout.splitlines()], ran.stdout + ran.stderr


@pytest.mark.parametrize("broken", ["Dispatcher._answer", "Dispatcher._read", "dispatch._success"])
def test_an_error_that_nobody_foresaw_is_one_line_and_a_problem(broken: str) -> None:
    """Wherever in the answering it arises: the request's own line tells it, and the caller has a problem document."""
    (line, answer), words = _ran_deployed(FAILING_REQUEST.format(broken=f"{broken} = fails"))
    assert ("request", 500, ["KeyError"]) == (line["event"], line["status"], line["errors"])
    assert (500, "internal_error", line["request_id"]) == tuple(answer[it] for it in ("status", "code", "request_id"))
    assert "Asha" not in words


def test_a_request_whose_problem_cannot_be_told_leaves_its_line() -> None:
    """Where even the problem document fails, the line of the request is there, and Chalice's, both without words."""
    (line, chalices, _answer), words = _ran_deployed(
        FAILING_REQUEST.format(broken="Dispatcher._answer = dispatch.failure = fails")
    )
    assert ("request", 500) == (line["event"], line["status"])
    assert ("ERROR", "KeyError") == (chalices["level"], chalices["errors"][0])
    assert "Asha" not in words


def test_chalice_is_not_believed_either() -> None:
    """An error that only Chalice is left to catch is told like any other, in a line of JSON without its words."""
    (line, _answer), words = _ran_deployed(FAILING_REQUEST.format(broken="Dispatcher.respond = fails"))
    assert ("ERROR", ["KeyError"]) == (line["level"], line["errors"])
    assert "Asha" not in words


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
    told = "".join(traceback.format_exception(ended.value)) + json.dumps(line)
    assert "Asha" not in told and "KeyError" not in "".join(traceback.format_exception(ended.value))


def test_only_what_is_there_is_marked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line marks as metrics those of its values that are metrics; without a namespace, none."""
    monkeypatch.setenv(NAMESPACE_VARIABLE, "Here")
    line = marked({"event": "request", "ms": 3, "moves": 1})
    (told,) = line["_aws"]["CloudWatchMetrics"]  # type: ignore[index]  # values are objects
    expected = {"Namespace": "Here", "Dimensions": [[]], "Metrics": [{"Name": "moves", "Unit": "Count"}]}
    assert expected == told
    monkeypatch.delenv(NAMESPACE_VARIABLE)
    assert {"moves": 1} == marked({"moves": 1})


def test_a_sweep_is_told_in_one_line(caplog: pytest.LogCaptureFixture) -> None:
    """What a run did stands in its line, each number under a name of its own."""
    report = SweepReport(seen=7, timed_out=2, failed=1, lag=30, finished=True)
    with caplog.at_level(logging.INFO, "chalicelib"):
        logs.swept(report, 0.25, counters.Counters(bot_seconds=0.004))
    (record,) = caplog.records
    told = {"event": "sweep", "ms": 250.0, "sweep_seen": 7, "sweep_timed_out": 2, "sweep_failed": 1, "sweep_lag": 30}
    assert isinstance(record.msg, dict)
    assert told | {"bot_ms": 4.0, "sweep_finished": True} == {
        name: value for name, value in record.msg.items() if value or name in told
    }
