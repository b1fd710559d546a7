"""The queries of docs/operations.md, run on lines that the app wrote while things went wrong."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable
from types import SimpleNamespace
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
QUERIES = insights.queries((ROOT / "docs/operations.md").read_text(encoding="utf-8"))
OTHER = "B" * 16
SECRET = "Asha holds AS"
Failing = Callable[[str, Exception, Callable[[], Any]], Any]
Rows = Callable[..., list[insights.Row]]


@pytest.fixture
def failing(services: Services) -> Failing:
    """Makes a request while the store fails at a call."""

    def failing(call: str, error: Exception, request: Callable[[], Any]) -> Any:
        def fails(*_arguments: object, **_more: object) -> NoReturn:
            raise error

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(services.store, call, fails)
            return request()

    return failing


@pytest.fixture
def rows(caplog: pytest.LogCaptureFixture) -> Rows:
    """What the one query of the page that begins so gives; a text in it that is … is one of `names`."""
    caplog.set_level(logging.INFO, "chalicelib")

    def rows(beginning: str, **names: str) -> list[insights.Row]:
        (query,) = (each for each in QUERIES if each.startswith(beginning))
        for name, value in names.items():
            query = query.replace(f'{name} = "…"', f'{name} = "{value}"')
        assert "…" not in query
        return insights.run(query, [logs.Lines().format(record) for record in caplog.records])

    return rows


def _fails_in_five_ways(asha: Client, failing: Failing) -> Json:
    """The view of a match with which five requests have failed, each in a way of its own."""
    view = asha.solo()

    def read() -> Any:
        return asha.call("GET", f"/matches/{view['id']}")

    def move() -> Any:
        return asha.move(view, view["you"]["legal_moves"][0])

    asha.call("GET", f"/matches/{OTHER}")
    for call, error, request in (
        ("match", Unavailable("GetItem: ReadTimeoutError"), read),
        ("save", Unavailable("UpdateItem: InternalServerError"), move),
        ("save", Lost(), move),
        ("match", RuntimeError(SECRET), read),
        ("save", KeyError(SECRET), move),
    ):
        assert failing(call, error, request).status >= 500
    return view


def test_a_match_is_followed_through_its_failures(asha: Client, failing: Failing, rows: Rows) -> None:
    """Each line about a match names it; one match that cannot be read stands out among requests that fail."""
    view = _fails_in_five_ways(asha, failing)
    statuses = [row["status"] for row in rows("fields @timestamp, route", match_id=view["id"])]
    assert 5 == len([status for status in statuses if status >= 500])
    assert 404 not in statuses and 201 in statuses
    (row,) = rows("filter status >= 500 and ispresent(match_id)")
    assert (view["id"], 5) == (row["match_id"], row["failures"])


def test_failures_are_told_apart(asha: Client, failing: Failing, rows: Rows, caplog: pytest.LogCaptureFixture) -> None:
    """By code, by the place in our code, and by what the store said."""
    _fails_in_five_ways(asha, failing)
    counted = rows("filter status >= 500 | stats")
    assert 5 == len(counted) == sum(row["count(*)"] for row in counted)
    assert {
        ("try_again", "GetItem: ReadTimeoutError"),
        ("try_again", "UpdateItem: InternalServerError"),
        ("try_again", "every try lost its race"),
        ("internal_error", None),
    } == {(row["code"], row["why"]) for row in counted}
    assert {"service/table.py"} == {row["place"].split(":")[0] for row in counted}
    assert SECRET not in "".join(logs.Lines().format(record) for record in caplog.records)


def test_a_request_is_found_by_its_id(asha: Client, rows: Rows, failing: Failing) -> None:
    """What a player quotes from a problem document leads to its line."""
    problem = failing("match", RuntimeError(SECRET), lambda: asha.call("GET", f"/matches/{OTHER}")).body
    (row,) = rows("fields @timestamp, @message", request_id=problem["request_id"])
    assert row.keys() == {"@timestamp", "@message"}


def test_routes_are_compared(asha: Client, rows: Rows) -> None:
    """How long each takes, and how often it is called."""
    path = f"/matches/{asha.solo()['id']}"
    for _ in range(2):
        asha.ok("GET", path)
    routes = {row["route"]: row for row in rows("stats pct(ms, 50)")}
    assert 2 == routes["/v1/matches/{match_id}"]["count(*)"]
    assert all(0 < row["pct(ms, 50)"] <= row["pct(ms, 99)"] for row in routes.values())


def test_what_the_sweep_could_not_do_is_found(
    rows: Rows, failing: Failing, monkeypatch: pytest.MonkeyPatch, services: Services
) -> None:
    """By the match, the place and the reason."""
    due = {0: (Due(OTHER, 0),)}
    monkeypatch.setattr(services.store, "due", lambda partition, *_, newest=False: due.get(partition, ()))
    context = SimpleNamespace(get_remaining_time_in_millis=lambda: 60_000)
    failing("match", RuntimeError(SECRET), lambda: schedule.run(services, context))
    (row,) = rows("filter ispresent(errors.0)")
    assert (OTHER, "RuntimeError", 1) == (row["match_id"], row["errors.0"], row["count(*)"])
    assert row["place"].startswith("service/clock/sweep.py:")


def test_no_query_goes_untried_and_none_misspelt_finds_nothing() -> None:
    """The page has as many queries as are tried here; a command or a condition that is not understood is refused."""
    assert 6 == len(QUERIES)
    for wrong in ("fitler a = 1", "filter a ~ 1", "stats median(ms)"):
        with pytest.raises((ValueError, sqlite3.OperationalError)):
            insights.run(wrong, ['{"a": 1, "ms": 1}'])
