"""What each kind of request uses, measured: the app is called as its gateway calls it, on a real store that counts
capacity as Amazon's does (dynoxide), and its log is weighed."""

from __future__ import annotations

import json
import logging
import os
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chalicelib.api.logs import Lines
from chalicelib.api.metrics import NAMESPACE_VARIABLE
from dev.bench.capacity import metered
from dev.bench.move_path import NAME, SEATS, Caller, Json
from dev.local.servers import STORE_CREDENTIALS, free_port, start_dynoxide
from dev.local.state import signing_keys

LOG_EVENT_BYTES = 26
"""What CloudWatch adds to each event's own bytes."""
DEALS = 4
_STAGE = "do-dooni-prod"


@dataclass
class Use:
    """Means of one kind of request; `calls` are those of the store, `cpu_ms` the processor's."""

    read: float = 0
    write: float = 0
    calls: float = 0
    cpu_ms: float = 0
    log_bytes: float = 0
    answer_bytes: float = 0
    requests: int = 0

    def add(self, other: Use) -> None:
        self.requests += 1
        for name in ("read", "write", "calls", "cpu_ms", "log_bytes", "answer_bytes"):
            before = getattr(self, name)
            setattr(self, name, before + (getattr(other, name) - before) / self.requests)


def measured() -> dict[str, Use]:
    """Each kind of request of the life of a match, by what it is called in `dev.deploy.bill`."""
    with tempfile.TemporaryDirectory() as folder, start_dynoxide(free_port()) as store:
        os.environ.update(
            STORE_CREDENTIALS,
            DO_DOONI_DYNAMODB_URL=store.url,
            DO_DOONI_TABLE="do-dooni",
            DO_DOONI_SIGNING_KEYS=signing_keys(Path(folder)),
        )
        os.environ[NAMESPACE_VARIABLE] = f"DoDooni/{_STAGE}"
        from app import app
        from chalicelib.store import create_table

        create_table()
        with _logged() as log:
            life = _Life(Caller(app), log)
            life.of_four()
            life.alone("easy")
            life.alone("sharp")
            return {"sweep": life.sweep(), **life.uses}


@contextmanager
def _logged() -> Iterator[list[str]]:
    """Within this block, the lines that a deployment would write."""
    lines: list[str] = []

    class Kept(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(self.format(record))

    kept, log = Kept(), logging.getLogger("chalicelib")
    kept.setFormatter(Lines())
    log.addHandler(kept)
    log.setLevel(logging.INFO)
    try:
        yield lines
    finally:
        log.removeHandler(kept)


class _Life:
    """Players who sign up, play and look in on their matches; each request is added to the uses of its kind."""

    def __init__(self, caller: Caller, log: list[str]) -> None:
        self._caller = caller
        self._log = log
        self.uses: dict[str, Use] = defaultdict(Use)

    def of_four(self) -> None:
        """A match of four, whose others look at each move that is made, and once more in vain."""
        tokens = [self._signed_up() for _ in SEATS]
        seats = {seat: {"type": "human" if seat == "north" else "empty"} for seat in SEATS}
        match = self._ask("new match", "POST", "/v1/matches", {"deals": DEALS, "seats": seats}, tokens[0])["match"]
        path = f"/v1/matches/{match['id']}"
        for seat, token in zip(SEATS[1:], tokens[1:], strict=True):
            body = {"type": "human", "code": match["invite"]["code"]}
            match = self._ask("seat", "PUT", f"{path}/seats/{seat}", body, token)["match"]
        while match["status"] == "playing":
            token = tokens[SEATS.index(match["deal"]["turn"])]
            mine = self._ask("view", "GET", path, None, token)
            move = f"{path}/moves/{mine['next_move']}"
            match = self._ask("move", "PUT", move, mine["you"]["legal_moves"][0], token)["match"]
            for watching in tokens:
                if watching != token:
                    self._ask("poll, news", "GET", f"{path}/events?view=true&after={mine['version']}", None, watching)
                    self._ask("poll, none", "GET", f"{path}/events?view=true&after={match['version']}", None, watching)
            self._ask("badge", "GET", "/v1/me/turns", None, token)

    def alone(self, level: str) -> None:
        """A deal against bots."""
        token = self._signed_up()
        bot = {"type": "bot", "level": level}
        seats = {seat: {"type": "human"} if seat == "north" else bot for seat in SEATS}
        match = self._ask("new match", "POST", "/v1/matches", {"deals": 1, "seats": seats}, token)["match"]
        while match["status"] == "playing":
            path = f"/v1/matches/{match['id']}/moves/{match['next_move']}"
            answer = self._ask(f"move, {level} bots", "PUT", path, match["you"]["legal_moves"][0], token)
            match = answer["match"]

    def sweep(self) -> Use:
        """A run of the sweep that finds nothing to do."""
        from app import services
        from chalicelib.api import schedule

        class Context:
            def get_remaining_time_in_millis(self) -> int:
                return 60_000

        def run() -> Json:
            schedule.run(services, Context())
            return {}

        return self._used(run)[0]

    def _signed_up(self) -> str:
        tokens = self._ask("sign-up", "POST", "/v1/players", {"name": NAME})["tokens"]
        grant = {"type": "refresh", "refresh_token": tokens["refresh_token"], "client_nonce": "a-nonce-of-a-phone"}
        token: str = self._ask("refresh", "POST", "/v1/tokens", grant)["tokens"]["access_token"]
        return token

    def _ask(self, kind: str, method: str, path: str, body: Json | None = None, token: str = "") -> Json:
        use, answer = self._used(self._caller.prepare(method, path, body, token))
        if answer["statusCode"] >= 300:
            raise RuntimeError(f"{method} {path}: {answer['statusCode']} {answer['body']}")
        self.uses[kind].add(use)
        content: Json = json.loads(answer["body"])
        return content

    def _used(self, request: Any) -> tuple[Use, Json]:
        self._log.clear()
        with metered() as consumed:
            began = time.process_time()
            answer: Json = request()
            cpu_ms = 1000 * (time.process_time() - began)
        log_bytes = sum(len(line.encode()) + LOG_EVENT_BYTES for line in self._log)
        size = len(answer.get("body", "").encode())
        return Use(consumed.read, consumed.write, len(consumed.operations), cpu_ms, log_bytes, size, 1), answer
