"""Fixtures shared by all tests, and what a skip means: a line that says so, or a failure where all is required."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import pytest

from tests.servers import ApiProcess, Server, dynoxide_is_here, free_port, start_dynoxide, start_local_store

REQUIRE_ALL = bool(os.environ.get("REQUIRE_ALL"))
NO_DYNOXIDE = "dynoxide is not here: it comes with npm (make setup)"
# Tests talk to loopback servers and to fakes only; botocore wants credentials all the same, and must find no real ones.
os.environ.update(
    AWS_ACCESS_KEY_ID="test",
    AWS_SECRET_ACCESS_KEY="test",
    AWS_DEFAULT_REGION="us-east-1",
    AWS_EC2_METADATA_DISABLED="true",
    AWS_CONFIG_FILE=os.devnull,
    AWS_SHARED_CREDENTIALS_FILE=os.devnull,
)


@pytest.fixture(scope="session")
def local_store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The store of `make run`, one for the whole session: use a table name of your own."""
    folder = tmp_path_factory.mktemp("local_store")
    with start_local_store(free_port(), folder / "store.db", folder / "log") as server:
        yield server


@pytest.fixture(scope="session")
def dynoxide(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """dynoxide, in memory, one for the whole session: use a table name of your own."""
    require_dynoxide()
    with start_dynoxide(free_port(), log=tmp_path_factory.mktemp("dynoxide") / "log") as server:
        yield server


def _restarted(start: Callable[[int, Path, Path], Server], folder: Path) -> Iterator[Callable[[], Server]]:
    """Starts a store on one file and one port, each time it is called: kill it, call again, and it has kept what it
    acknowledged."""
    port, started = free_port(), list[Server]()

    def again() -> Server:
        started.append(start(port, folder / "store.db", folder / "store.log"))
        return started[-1]

    yield again
    for server in started:
        server.stop()


@pytest.fixture
def dynoxide_on_disk(tmp_path: Path) -> Iterator[Callable[[], Server]]:
    require_dynoxide()
    yield from _restarted(start_dynoxide, tmp_path)


@pytest.fixture
def local_store_on_disk(tmp_path: Path) -> Iterator[Callable[[], Server]]:
    yield from _restarted(start_local_store, tmp_path)


@pytest.fixture
def api_process(tmp_path: Path) -> Iterator[Callable[[str, str], ApiProcess]]:
    """Starts the API as a process, given a store's url and a table's name; all are stopped at the test's end."""
    started: list[ApiProcess] = []

    def start(store_url: str, table: str) -> ApiProcess:
        started.append(ApiProcess(store_url, table, tmp_path / f"api-{len(started)}.log"))
        return started[-1].start()

    yield start
    for api in started:
        api.stop()


def require_dynoxide() -> None:
    """Skip the test where dynoxide is not to be had."""
    if not dynoxide_is_here():
        pytest.skip(NO_DYNOXIDE)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    _refuse_skip(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    _refuse_skip(report)
    return report


def _refuse_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    if REQUIRE_ALL and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped, where nothing may be: {_reason(report)}"


def _reason(report: pytest.TestReport | pytest.CollectReport) -> str:
    where_and_why = report.longrepr
    return str(where_and_why[2] if isinstance(where_and_why, tuple) else where_and_why).removeprefix("Skipped: ")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = Counter(_reason(report) for report in terminalreporter.stats.get("skipped", []))
    for reason, tests in sorted(skipped.items()):
        terminalreporter.write_line(f"skipped: {tests} test{'s' * (tests > 1)}: {reason}", yellow=True)
