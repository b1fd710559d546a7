"""`make run`, as a person at a terminal meets it: it starts, serves, keeps its data, and leaves nothing behind."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import jwt
import pytest
import requests

from dev.local.run import run as main
from dev.local.servers import ROOT, Server, free_port, start

Json = dict[str, Any]
PATIENCE = 300
"""Seconds for anything that must happen: far more than a busy machine needs."""
OPENED = {"you open —", "east opens —", "south opens —", "west opens —"}


def finished(command: Sequence[str], typed: str | None = None) -> subprocess.CompletedProcess[str]:
    """What a command has come to at its end."""
    return subprocess.run(command, cwd=ROOT, input=typed, capture_output=True, text=True, timeout=PATIENCE, check=False)


def playing(run: Run) -> list[str]:
    """`make play`'s command."""
    return [sys.executable, "-m", "dev.play", "--server", f"http://127.0.0.1:{run.port}"]


class Run:
    """`make run`'s command in a folder of its own."""

    def __init__(self, state: Path, *options: str) -> None:
        self.state, self.port, self.server = state, free_port(), cast("Server | None", None)
        self.options = ["--port", str(self.port), "--state", str(state), *options]
        self.command = [sys.executable, "-m", "dev.local", *self.options]

    def start(self) -> None:
        self.server = start("make run", self.command, self.port, log=self.state.parent / "log")

    def end(self, number: signal.Signals) -> int:
        """Send the signal; the exit code."""
        assert self.server is not None
        self.server.process.send_signal(number)
        return self.server.process.wait(PATIENCE)

    def store_process(self) -> int:
        """The id of the store's process."""
        (found,) = (process for process, command in processes_of(self.state).items() if "dev.local.store" in command)
        return found

    def ask(self, method: str, path: str, body: Json | None = None, token: str = "") -> requests.Response:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        url = f"http://127.0.0.1:{self.port}/v1{path}"
        return requests.request(method, url, json=body, headers=headers, timeout=PATIENCE)

    def insist(self, method: str, path: str, body: Json | None = None, token: str = "") -> Any:
        """The body of a success, asked again as the guide says where the answer is a 503."""
        while (answer := self.ask(method, path, body, token)).status_code == 503:
            assert "1" == answer.headers["Retry-After"]
            time.sleep(0.05)
        assert answer.ok
        return answer.json()

    def begin(self) -> tuple[str, Json]:
        """A new guest's access token, and their match."""
        token = self.insist("POST", "/players", {"name": "Asha"})["tokens"]["access_token"]
        return token, self.insist("POST", "/matches", {}, token)["match"]

    def play(self, token: str, match: Json, moves: int) -> Json:
        """So many moves; the match as it was answered last."""
        for _ in range(moves):
            path = f"/matches/{match['id']}/moves/{match['next_move']}"
            match = self.insist("PUT", path, match["you"]["legal_moves"][0], token)["match"]
        return match


@pytest.fixture(autouse=True, scope="module")
def nothing_set() -> Iterator[None]:
    """A terminal's environment: other tests' settings of the app are none of a run's."""
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("DO_DOONI_")]:
            patch.delenv(name)
        yield


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    run = Run(tmp_path / "state")
    yield run
    if run.server is not None:
        run.server.stop()


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """One that runs already, for tests that leave it as it is."""
    run = Run(tmp_path_factory.mktemp("running") / "state")
    run.start()
    yield run
    assert run.server is not None
    run.server.stop()


def processes_of(state: Path) -> dict[int, str]:
    """Running processes that have to do with a state folder, by argument or by environment: id and command."""
    found = {}
    for process in Path("/proc").glob("[0-9]*"):
        try:
            about = (process / "cmdline").read_bytes() + (process / "environ").read_bytes()
        except OSError:
            continue
        if str(state).encode() in about and int(process.name) != os.getpid():
            found[int(process.name)] = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode()
    return found


def wait_until(holds: Callable[[], bool]) -> None:
    """Until something has happened; how long that takes is the machine's affair."""
    give_up = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < give_up
        time.sleep(0.02)


def test_what_is_kept_is_there_in_the_next_run(run: Run) -> None:
    """Ctrl-C, SIGTERM or kill -9 ends everything that was started; the next run in the same folder knows the players,
    their tokens and every move that was answered."""
    run.start()
    token, match = run.begin()
    for number, code in ((signal.SIGINT, 0), (signal.SIGTERM, 0), (signal.SIGKILL, -signal.SIGKILL)):
        match = run.play(token, match, 3)
        assert 2 == len(processes_of(run.state))

        assert code == run.end(number)
        wait_until(lambda: processes_of(run.state) == {})

        run.start()
        again = run.ask("GET", f"/matches/{match['id']}", token=token)
        assert (200, match) == (again.status_code, again.json())


def test_a_killed_store_is_started_again(run: Run) -> None:
    """kill -9 of the store in the midst of a match, again and again: the run goes on by itself, with all that was
    answered before."""
    run.start()
    token, match = run.begin()
    for _ in range(3):
        match = run.play(token, match, 2)
        killed = run.store_process()
        os.kill(killed, signal.SIGKILL)
        assert match == run.insist("GET", f"/matches/{match['id']}", token=token)
        assert killed != run.store_process()
    assert 3 == (run.state.parent / "log").read_text().count("the store ended (-9) and is started again")


@pytest.mark.parametrize("stage", ["", "lock", "store.log", "store.db", "signing-keys.json"])
def test_it_may_be_stopped_while_it_starts(run: Run, stage: str) -> None:
    """A signal before it serves, at whatever it is just then (the file that it has made last), leaves nothing
    running."""
    process = subprocess.Popen(run.command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    run.server = Server("make run", process, run.port)
    if stage:
        wait_until(lambda: (run.state / stage).exists() or process.poll() is not None)

    assert process.poll() is None
    run.end(signal.SIGTERM)
    wait_until(lambda: processes_of(run.state) == {})


def test_a_busy_port_is_said_in_one_line(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    """A taken port is one clear message and exit code 1, and nothing was started or written."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", run.port))
        taken.listen()
        assert 1 == main(run.options, lambda: None)

    said = f"port {run.port} is in use: stop what listens there, or choose another PORT\n"
    assert ("", said) == capsys.readouterr()
    assert not run.state.exists()


@pytest.mark.parametrize("option", ["port=0 65536 http", "token-seconds=0 x", "faults=1.5 -0.1 x", "rate=-1 x nan"])
def test_a_switch_that_makes_no_sense_is_refused(run: Run, option: str, capsys: pytest.CaptureFixture[str]) -> None:
    """In one line that names it, before anything is started."""
    name, _, values = option.partition("=")
    for value in values.split():
        with pytest.raises(SystemExit) as end:
            main([*run.options, f"--{name}={value}"], lambda: None)
        assert 2 == end.value.code
        assert f"--{name}" in capsys.readouterr().err.splitlines()[-1]
    assert not run.state.exists()


def test_a_folder_in_use_is_said_in_one_line(running: Run) -> None:
    """A second run in the same folder is refused, and the first is not disturbed."""
    done = finished(Run(running.state).command)

    assert (1, 1) == (done.returncode, done.stderr.count("\n"))
    assert "another run uses the folder" in done.stderr
    assert 200 == running.ask("GET", "/health").status_code


def test_errors_can_be_tried(tmp_path: Path) -> None:
    """With limits that are soon reached there is a 429, with faults a 503, and tokens live as long as they are told
    to."""
    run = Run(tmp_path / "state", "--rate=0.01", "--token-seconds=60", "--faults=0.3")
    run.start()
    assert run.server is not None
    met: dict[str, requests.Response] = {}
    with run.server:
        while {"rate_limited", "try_again", ""} - met.keys():
            answer = run.ask("POST", "/players", {"name": "Asha"})
            met[answer.json().get("code", "")] = answer

    assert (429, 503, 201) == tuple(met[code].status_code for code in ("rate_limited", "try_again", ""))
    assert 1 <= int(met["rate_limited"].headers["Retry-After"]) and "1" == met["try_again"].headers["Retry-After"]
    tokens = met[""].json()["tokens"]
    claims = jwt.decode(tokens["access_token"], options={"verify_signature": False})
    assert 60 == tokens["expires_in"] == claims["exp"] - claims["iat"]


def test_the_terminal_client_plays_a_match_to_its_end(running: Run) -> None:
    """`make play`, with the moves chosen at random, sees a whole match and says who won."""
    done = finished([*playing(running), "--deals", "2", "--auto"])

    assert (0, "") == (done.returncode, done.stderr)
    assert 26 == done.stdout.count("    trick ")
    deals = [line for line in done.stdout.splitlines() if line.startswith("— a new deal: ")]
    assert 2 == len(deals)
    for line in deals:
        assert line.removeprefix("— a new deal: ") in OPENED
    assert done.stdout.splitlines()[-1].startswith(("You win:", "You lose:", "A draw:"))


def test_the_terminal_client_survives_what_people_type(running: Run) -> None:
    """Nonsense is asked again, help is shown, and q or the end of input leaves."""
    for typed in ("zz\n?\n\n99\nq\n", "zz\n?\n"):
        done = finished([*playing(running), "--pace", "0"], typed)

        assert (0, "") == (done.returncode, done.stderr)
        assert "That is not one of your moves" in done.stdout
        assert "Two tricks in a row" in done.stdout
        assert "Good-bye" in done.stdout


def test_the_terminal_client_says_that_no_server_is_there(run: Run) -> None:
    """Without a server: one message that says how to start it."""
    done = finished(playing(run))

    assert 1 == done.returncode
    assert "no answer from" in done.stderr
    assert "make run" in done.stderr
