"""Server processes on loopback: the DynamoDB-compatible stores, and anything else that listens on one port.

A server started here never outlives its parent: the caller stops it, and on Linux the kernel does if the caller dies.
"""

from __future__ import annotations

import base64
import ctypes
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

LOOPBACK = "127.0.0.1"
ROOT = Path(__file__).resolve().parents[2]
DYNOXIDE = ROOT / "dev/node/node_modules/@dynoxide/linux-x64/dynoxide"
# Any will do for a store that checks none, but botocore insists on some.
STORE_CREDENTIALS = {
    "AWS_ACCESS_KEY_ID": "local",
    "AWS_SECRET_ACCESS_KEY": "local",
    "AWS_DEFAULT_REGION": "us-east-1",
}
_PAUSE = 1.0
"""Seconds before a server that would not start is tried again."""
_PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None


class ServerFailed(Exception):
    """A server ended, or did not listen in time; the message says which, and its last words."""


def free_port() -> int:
    """A port of the loopback address that nobody listened on a moment ago."""
    with socket.socket() as listener:
        listener.bind((LOOPBACK, 0))
        return int(listener.getsockname()[1])


@dataclass
class Server:
    """One running server process, listening on `port` of the loopback address; stopped at the end of a `with`."""

    name: str
    process: subprocess.Popen[bytes]
    port: int

    @property
    def url(self) -> str:
        return f"http://{LOOPBACK}:{self.port}"

    def stop(self, patience: float = 60) -> None:
        """End it gently, so that it can save what it holds; after `patience` seconds, at once."""
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(patience)
            except subprocess.TimeoutExpired:
                self.process.kill()
        self.process.wait()

    def kill(self) -> None:
        """End it as a crash would (SIGKILL)."""
        self.process.kill()
        self.process.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def start(
    name: str,
    command: Sequence[str | Path],
    port: int,
    environment: Mapping[str, str] | None = None,
    log: Path | None = None,
    patience: float = 120,
) -> Server:
    """Start `command` and wait until it listens on `port`. What it prints goes to the file `log`, or nowhere.

    Raises ServerFailed when it ends or is still not listening after `patience` seconds.
    """
    with (log or Path(os.devnull)).open("ab") as sink:
        # Its own session: a Ctrl-C meant for the parent must not end it before the parent is done with it.
        process = subprocess.Popen(
            [str(part) for part in command],
            env={**os.environ, **(environment or {})},
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=sink,
            stderr=sink,
            start_new_session=True,
            preexec_fn=_end_with_parent if _LIBC else None,
        )
    server, give_up = Server(name, process, port), time.monotonic() + patience
    try:
        while True:
            with socket.socket() as probe:
                if process.poll() is None and probe.connect_ex((LOOPBACK, port)) == 0:
                    return server
            if (code := process.poll()) is not None or time.monotonic() > give_up:
                why = f"did not listen within {patience:g} s" if code is None else f"ended with {code}"
                last_words = log.read_text(errors="replace").strip()[-500:] if log else ""
                raise ServerFailed(f"{name} {why}: {last_words}")
            time.sleep(0.01)
    except BaseException:
        server.stop(patience=2)
        raise


def start_ministack(port: int, state: Path, *, enforce_iam: bool = False, log: Path | None = None) -> Server:
    """ministack (all of emulated AWS), which keeps nothing, with its scratch files in the folder `state`.

    With `enforce_iam`, what runs in it may do what its role allows and no more.
    """
    scratch = state / "scratch"
    scratch.mkdir(parents=True, exist_ok=True)
    environment = {
        "BIND_HOST": LOOPBACK,
        "GATEWAY_PORT": str(port),
        "MINISTACK_HOST": LOOPBACK,
        "IOT_MTLS_ENABLED": "0",
        "SFTP_ENABLED": "0",
        "AUTH": "true" if enforce_iam else "false",
        "STATE_DIR": str(state.resolve()),
        "TMPDIR": str(scratch.resolve()),
    }
    return start("ministack", [sys.executable, "-W", "ignore", "-m", "ministack"], port, environment, log)


def start_local_store(port: int, file: Path, log: Path | None = None) -> Server:
    """The store of a local run, with its tables in `file`: whatever it has answered survives a kill."""
    command = [sys.executable, "-W", "ignore", "-m", "dev.local.store", str(port), str(file.resolve())]
    return start("the store", command, port, log=log)


def start_dynoxide(port: int, database: Path | None = None, log: Path | None = None) -> Server:
    """dynoxide, in memory or in the SQLite file `database`, which survives a kill. Raises ServerFailed, also where it
    is not installed."""
    if not os.access(DYNOXIDE, os.X_OK):
        raise ServerFailed("dynoxide is not here: it comes with npm (make setup)")
    file: list[str | Path] = ["--db-path", database] if database else []
    return start("dynoxide", [DYNOXIDE, "serve", "--host", LOOPBACK, "--port", str(port), *file], port, log=log)


def new_signing_keys() -> str:
    """A fresh DO_DOONI_SIGNING_KEYS: one random key."""
    return json.dumps({secrets.token_hex(4): base64.urlsafe_b64encode(secrets.token_bytes(32)).rstrip(b"=").decode()})


@dataclass
class ApiProcess:
    """The API as a process of its own (`python -m dev.local`), against the store at `store_url`.

    `start()` returns when it serves; `kill()` is kill -9; a `start()` after it serves the same url with the same keys.
    """

    store_url: str
    table: str
    log: Path
    signing_keys: str = field(default_factory=new_signing_keys)
    port: int = field(default_factory=free_port)
    environment: Mapping[str, str] = field(default_factory=dict)
    sweep: float = 0
    """Seconds between two sweeps; 0: none, so that the store sees requests' calls only."""
    faults: float = 0
    """How many of its calls to the store fail, by chance."""
    server: Server | None = None

    @property
    def url(self) -> str:
        """The base of all paths, with /v1."""
        return f"http://127.0.0.1:{self.port}/v1"

    def start(self) -> ApiProcess:
        module = ["dev.soak.server", str(self.faults)] if self.faults else ["dev.local"]
        command = [sys.executable, "-m", *module, "--port", str(self.port), "--store", self.store_url]
        command += ["--sweep", str(self.sweep)]
        self.server = start(
            "the API",
            command,
            self.port,
            {
                **STORE_CREDENTIALS,
                "DO_DOONI_SIGNING_KEYS": self.signing_keys,
                "DO_DOONI_TABLE": self.table,
                **self.environment,
            },
            self.log,
        )
        return self

    def kill(self) -> None:
        if self.server is not None:
            self.server.kill()

    def stop(self) -> None:
        if self.server is not None:
            self.server.stop()


@contextmanager
def supervised(start_server: Callable[[], Server]) -> Iterator[str]:
    """Within the `with`, a server that is started again whenever it ends; its url. Raises what the first start does."""
    server, stopping = start_server(), threading.Event()

    def watch() -> None:
        nonlocal server
        while not stopping.is_set():
            code = server.process.wait()
            if stopping.is_set():
                return
            print(f"{server.name} ended ({code}) and is started again", file=sys.stderr, flush=True)
            try:
                server = start_server()
            except ServerFailed as fault:
                print(fault, file=sys.stderr, flush=True)
                stopping.wait(_PAUSE)

    watcher = threading.Thread(target=watch, name="supervisor")
    watcher.start()
    try:
        yield server.url
    finally:
        stopping.set()
        server.stop()
        watcher.join()
        server.stop()  # the one that was being started just then


def _end_with_parent() -> None:
    assert _LIBC is not None
    _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
