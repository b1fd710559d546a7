"""`make run`, as a person at a terminal meets it: it starts, serves, keeps its data, and leaves nothing behind."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import requests

from dev.local.servers import ROOT, Server, free_port, start

Json = dict[str, Any]


class Run:
    """`make run`'s command in a folder of its own."""

    def __init__(self, state: Path) -> None:
        self.state, self.port = state, free_port()
        self.server: Server | None = None

    @property
    def command(self) -> list[str]:
        return [sys.executable, "-m", "dev.local", "--port", str(self.port), "--state", str(self.state)]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def start(self) -> None:
        self.server = start("make run", self.command, self.port, log=self.state.parent / "log")

    def end(self, number: signal.Signals) -> int:
        """Send the signal; the exit code."""
        assert self.server is not None
        self.server.process.send_signal(number)
        return self.server.process.wait(15)


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    run = Run(tmp_path / "state")
    yield run
    if run.server is not None:
        run.server.stop()


def processes_of(state: Path) -> list[str]:
    """Commands of running processes that have to do with a state folder: by argument or by environment."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            about = (process / "cmdline").read_bytes() + (process / "environ").read_bytes()
        except OSError:
            continue
        if str(state).encode() in about and int(process.name) != os.getpid():
            found.append((process / "cmdline").read_bytes().replace(b"\0", b" ").decode())
    return found


def eventually(holds: Callable[[], bool], seconds: float = 10) -> bool:
    give_up = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > give_up:
            return False
        time.sleep(0.02)
    return True


def sign_up(run: Run) -> dict[str, str]:
    answer = requests.post(run.url + "/players", json={"name": "Asha"}, timeout=10)
    assert 201 == answer.status_code
    return {"Authorization": "Bearer " + answer.json()["tokens"]["access_token"]}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_what_is_kept_is_there_in_the_next_run(run: Run, number: signal.Signals) -> None:
    """Ctrl-C or SIGTERM ends everything that was started; the next run in the same folder knows the players, their
    tokens and their matches."""
    run.start()
    me = sign_up(run)
    match: Json = requests.post(run.url + "/matches", json={}, headers=me, timeout=10).json()["match"]

    assert 0 == run.end(number)
    assert eventually(lambda: processes_of(run.state) == [])

    run.start()
    again = requests.get(f"{run.url}/matches/{match['id']}", headers=me, timeout=10)
    assert (200, match) == (again.status_code, again.json())


def test_a_crash_takes_the_store_with_it(run: Run) -> None:
    """After kill -9 of the server its store is not left running either."""
    run.start()
    assert 2 == len(processes_of(run.state))

    assert -signal.SIGKILL == run.end(signal.SIGKILL)
    assert eventually(lambda: processes_of(run.state) == [])


@pytest.mark.parametrize("after", [0.0, 0.2, 0.4, 0.6, 0.8])
def test_it_may_be_stopped_while_it_starts(run: Run, after: float) -> None:
    """A signal before it serves leaves nothing running."""
    process = subprocess.Popen(run.command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    run.server = Server("make run", process, run.port)
    time.sleep(after)

    run.end(signal.SIGTERM)
    assert eventually(lambda: processes_of(run.state) == [])


def test_a_busy_port_is_said_in_one_line(run: Run) -> None:
    """A taken port is one clear message and exit code 1, and nothing was started or written."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", run.port))
        taken.listen()
        done = subprocess.run(run.command, cwd=ROOT, capture_output=True, text=True, timeout=30, check=False)

    assert (1, "") == (done.returncode, done.stdout)
    assert f"port {run.port} is in use: stop what listens there, or choose another PORT\n" == done.stderr
    assert not run.state.exists()


@pytest.mark.parametrize("port", ["0", "65536", "http"])
def test_no_port_is_said_in_one_line(run: Run, port: str) -> None:
    """What is no port is refused before anything is started."""
    command = [*run.command, "--port", port]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=60, check=False)
    assert 2 == done.returncode
    assert "--port" in done.stderr.splitlines()[-1] and "Traceback" not in done.stderr
    assert not run.state.exists()


def test_a_folder_in_use_is_said_in_one_line(run: Run) -> None:
    """A second run in the same folder is refused, and the first is not disturbed."""
    run.start()
    second = Run(run.state)
    done = subprocess.run(second.command, cwd=ROOT, capture_output=True, text=True, timeout=30, check=False)

    assert (1, 1) == (done.returncode, done.stderr.count("\n"))
    assert "another local run is using the folder" in done.stderr
    assert 200 == requests.get(run.url + "/health", timeout=10).status_code


def test_the_terminal_client_plays_a_match_to_its_end(run: Run) -> None:
    """`make play`, with the moves chosen at random, sees a whole match and says who won."""
    run.start()
    play = [sys.executable, "-m", "dev.play", "--server", f"http://127.0.0.1:{run.port}", "--deals", "2", "--auto"]
    done = subprocess.run(play, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)

    assert (0, "") == (done.returncode, done.stderr)
    assert 26 == done.stdout.count("    trick ")
    assert 2 == done.stdout.count("— a new deal: ")
    assert done.stdout.splitlines()[-1].startswith(("You win:", "You lose:", "A draw:"))


def test_the_terminal_client_survives_what_people_type(run: Run) -> None:
    """Nonsense is asked again, help is shown, and q or the end of input leaves."""
    run.start()
    play = [sys.executable, "-m", "dev.play", "--server", f"http://127.0.0.1:{run.port}", "--pace", "0"]
    for typed in ("zz\n?\n\n99\nq\n", "zz\n?\n"):
        done = subprocess.run(play, cwd=ROOT, input=typed, capture_output=True, text=True, timeout=60, check=False)

        assert (0, "") == (done.returncode, done.stderr)
        assert "That is not one of your moves" in done.stdout
        assert "Two tricks in a row" in done.stdout
        assert "Good-bye" in done.stdout


def test_the_terminal_client_says_that_no_server_is_there() -> None:
    """Without a server: one message that says how to start it."""
    play = [sys.executable, "-m", "dev.play", "--server", f"http://127.0.0.1:{free_port()}"]
    done = subprocess.run(play, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)

    assert 1 == done.returncode
    assert "no answer from" in done.stderr
    assert "make run" in done.stderr
