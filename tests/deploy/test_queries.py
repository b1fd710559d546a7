"""The queries of docs/operations.md, run on lines that the app wrote while things went wrong."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from typing import Any, NoReturn

import pytest

from chalicelib.api import logs, schedule
from chalicelib.service.ports import Due, Lost, Unavailable
from chalicelib.service.services import Services
from dev.deploy.package import ROOT
from tests.api.client import Client, Json
from tests.api.conftest import app, asha, client, clock, rate_factor, services
from tests.deploy import insights

__all__ = ["app", "asha", "client", "clock", "rate_factor", "services"]
OTHER = "B" * 16
SECRET = "Asha holds AS"


class Log:
    """What was logged, as the lines that a deployment writes."""

    def __init__(self, caplog: pytest.LogCaptureFixture) -> None:
        self._caplog = caplog

    @property
    def lines(self) -> list[str]:
        return [logs.Lines().format(record) for record in self._caplog.records]

    def rows(self, beginning: str, **names: str) -> list[insights.Row]:
        """What the one query of the page that begins so gives; a text in it that is … is one of `names`."""
        page = (ROOT / "docs/operations.md").read_text(encoding="utf-8")
        (query,) = (each for each in insights.queries(page) if each.startswith(beginning))
        for name, value in names.items():
            query = query.replace(f'{name} = "…"', f'{name} = "{value}"')
        assert "…" not in query
        return insights.run(query, self.lines)


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture) -> Log:
    caplog.set_level(logging.INFO, "chalicelib")
    return Log(caplog)


@pytest.fixture
def broken(services: Services, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, Exception], Any]:
    """Within the block the store fails at a call."""

    class Broken:
        def __init__(self, call: str, error: Exception) -> None:
            self._call, self._error = call, error

        def __enter__(self) -> None:
            def fails(*_arguments: object, **_more: object) -> NoReturn:
                raise self._error

            self._patch = pytest.MonkeyPatch()
            self._patch.setattr(services.store, self._call, fails)

        def __exit__(self, *_how: object) -> None:
            self._patch.undo()

    return Broken


def _fails_in_each_way(asha: Client, view: Json, broken: Callable[[str, Exception], Any]) -> int:
    """How many requests failed."""
    path = f"/matches/{view['id']}"
    move = view["you"]["legal_moves"][0]
    asked: list[tuple[str, Exception, Callable[[], Any]]] = [
        ("match", Unavailable("GetItem: ReadTimeoutError"), lambda: asha.call("GET", path)),
        ("save", Unavailable("UpdateItem: InternalServerError"), lambda: asha.move(view, move)),
        ("save", Lost(), lambda: asha.move(view, move)),
        ("match", RuntimeError(SECRET), lambda: asha.call("GET", path)),
        ("save", KeyError(SECRET), lambda: asha.move(view, move)),
    ]
    for call, error, request in asked:
        with broken(call, error):
            assert request().status >= 500
    return len(asked)


def test_a_match_is_followed_through_its_failures(
    asha: Client, log: Log, broken: Callable[[str, Exception], Any]
) -> None:
    """Each line about a match names it, and a failing one where in our code it arose, and why."""
    view = asha.solo()
    asha.call("GET", f"/matches/{OTHER}")
    failed = _fails_in_each_way(asha, view, broken)
    rows = log.rows("fields @timestamp, route", match_id=view["id"])
    assert failed == len([row for row in rows if row["status"] >= 500])
    assert 404 not in [row["status"] for row in rows] and 201 in [row["status"] for row in rows]


def test_failures_are_told_apart(asha: Client, log: Log, broken: Callable[[str, Exception], Any]) -> None:
    """By code, by the place in our code, and by what the store said."""
    failed = _fails_in_each_way(asha, asha.solo(), broken)
    rows = log.rows("filter status >= 500 | stats")
    assert failed == len(rows) == sum(row["count(*)"] for row in rows)
    told = {(row["code"], row["why"]) for row in rows}
    assert {
        ("try_again", "GetItem: ReadTimeoutError"),
        ("try_again", "UpdateItem: InternalServerError"),
        ("try_again", "every try lost its race"),
        ("internal_error", None),
    } == told
    places = {row["place"].split(":")[0] for row in rows}
    assert {"service/table.py"} == places
    assert SECRET not in "".join(log.lines)


def test_matches_that_fail_are_found(asha: Client, log: Log, broken: Callable[[str, Exception], Any]) -> None:
    """One match that cannot be read stands out among requests that fail."""
    view = asha.solo()
    failed = _fails_in_each_way(asha, view, broken)
    (row,) = log.rows("filter status >= 500 and ispresent(match_id)")
    assert (view["id"], failed) == (row["match_id"], row["failures"])


def test_a_request_is_found_by_its_id(asha: Client, log: Log, broken: Callable[[str, Exception], Any]) -> None:
    """What a player quotes from a problem document leads to its line."""
    with broken("match", RuntimeError(SECRET)):
        problem = asha.call("GET", f"/matches/{OTHER}").body
    (row,) = log.rows("fields @timestamp, @message", request_id=problem["request_id"])
    assert set(row) == {"@timestamp", "@message"}


def test_routes_are_compared(asha: Client, log: Log) -> None:
    """How long each takes, and how often it is called."""
    view = asha.solo()
    asha.ok("GET", f"/matches/{view['id']}")
    asha.ok("GET", f"/matches/{view['id']}")
    rows = {row["route"]: row for row in log.rows("stats pct(ms, 50)")}
    assert 2 == rows["/v1/matches/{match_id}"]["count(*)"]
    assert all(0 < row["pct(ms, 50)"] <= row["pct(ms, 99)"] for row in rows.values())


def test_what_the_sweep_could_not_do_is_found(
    asha: Client, log: Log, broken: Callable[[str, Exception], Any], monkeypatch: pytest.MonkeyPatch, services: Services
) -> None:
    """By the match, the place and the reason."""
    monkeypatch.setattr(
        services.store,
        "due",
        lambda partition, _now, _limit, *, newest=False: (Due(OTHER, 0),) if partition == 0 else (),
    )

    class Context:
        def get_remaining_time_in_millis(self) -> int:
            return 60_000

    with broken("match", RuntimeError(SECRET)):
        schedule.run(services, Context())
    (row,) = log.rows("filter ispresent(errors.0)")
    assert (OTHER, "RuntimeError", 1) == (row["match_id"], row["errors.0"], row["count(*)"])
    assert row["place"].startswith("service/clock/sweep.py:")


def test_no_query_goes_untried() -> None:
    """The page has as many queries as are tried here."""
    page = (ROOT / "docs/operations.md").read_text(encoding="utf-8")
    assert 6 == len(insights.queries(page))


def test_a_query_that_is_not_understood_is_refused() -> None:
    """A command or a condition that is misspelt does not quietly find nothing."""
    for wrong in ("fitler a = 1", "filter a ~ 1", "stats median(ms)"):
        with pytest.raises(ValueError, match=r"no (such command|condition|statistic)"):
            insights.run(wrong, [json.dumps({"a": 1, "ms": 1})])
