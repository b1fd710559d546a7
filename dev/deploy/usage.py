"""What each kind of request uses, measured: the app on a store that counts as Amazon's does, and its log weighed."""

from __future__ import annotations

import json
import logging
import re
from collections import defaultdict
from collections.abc import Callable
from statistics import mean
from types import SimpleNamespace
from typing import Any

from chalicelib.api.logs import Lines
from chalicelib.api.metrics import NAMESPACE_VARIABLE
from dev.bench.calls import (
    SEATS,
    Ask,
    Caller,
    Json,
    app_on_dynoxide,
    metered,
    next_move,
    open_table,
    sign_up,
    succeeded,
)
from dev.bench.measure import timed

LOG_EVENT_BYTES = 26
"""What CloudWatch adds to each event's own bytes."""
UNITS = ("read", "write", "calls", "cpu_ms", "log_bytes", "answer_bytes")
"""Capacity units, calls of the store, milliseconds of the processor, bytes."""
Uses = dict[str, dict[str, float]]
"""Kind of request → unit → the mean."""
_KINDS = {
    r"POST /v1/players": "sign-up",
    r"POST /v1/tokens": "refresh",
    r"POST /v1/matches": "new match",
    r"PUT .*/seats/\w+": "seat",
    r"GET .*/events.*": "poll",
    r"GET /v1/me/turns": "badge",
    r"GET /v1/matches/[\w-]+": "view",
    r"PUT .*/moves/\d+": "move",
}


class _Metered(Caller):
    """Notes what each call uses, by its kind; `bots` is the level of those who answer moves."""

    bots = ""

    def __init__(self, app: Any) -> None:
        super().__init__(app)
        self._noted: dict[str, list[list[float]]] = defaultdict(list)
        self._lines: list[str] = []
        handler, log = logging.Handler(), logging.getLogger("chalicelib")
        handler.setFormatter(Lines())
        handler.emit = lambda record: self._lines.append(handler.format(record))  # type: ignore[method-assign]
        log.addHandler(handler)
        log.setLevel(logging.INFO)

    def call(self, ask: Ask) -> Json:
        event = self.event(ask)
        answer = self.noted(lambda: succeeded(self.send(event)), lambda answer: self._kind(ask, answer))
        content: Json = json.loads(answer["body"])
        return content

    def noted(self, request: Callable[[], Any], kind_of: Callable[[Any], str]) -> Any:
        """The request's answer."""
        answers: list[Any] = []
        self._lines.clear()
        with metered() as consumed:
            _wall, cpu = timed(lambda: answers.append(request()))
        answer, log_bytes = answers[0], sum(len(line.encode()) + LOG_EVENT_BYTES for line in self._lines)
        size = len((answer or {}).get("body", "").encode())
        calls = len(consumed.operations)
        self._noted[kind_of(answer)].append([consumed.read, consumed.write, calls, 1000 * cpu, log_bytes, size])
        return answer

    def _kind(self, ask: Ask, answer: Json) -> str:
        kind = next(kind for pattern, kind in _KINDS.items() if re.fullmatch(pattern, f"{ask.method} {ask.path}"))
        if kind == "poll":
            return "poll, news" if json.loads(answer["body"])["items"] else "poll, none"
        return f"{kind}, {self.bots} bots" if kind == "move" and self.bots else kind

    def uses(self) -> Uses:
        return {
            kind: {unit: round(mean(column), 2) for unit, column in zip(UNITS, zip(*noted, strict=True), strict=True)}
            for kind, noted in self._noted.items()
        }


def measured() -> Uses:
    """Each kind of request of the life of a match, and a run of the sweep that finds nothing to do."""
    with app_on_dynoxide(DO_DOONI_RATE_FACTOR="1", **{NAMESPACE_VARIABLE: "DoDooni/do-dooni-prod"}):
        import app

        caller = _Metered(app.app)
        tokens = {seat: _signed_up(caller) for seat in SEATS}
        match_id = open_table(caller, tokens, deals=4)
        # The others look at each move that is made, and once more in vain.
        while move := next_move(caller, tokens, match_id):
            before = caller.call(Ask("GET", f"/v1/matches/{match_id}", move.token))["version"]
            after = caller.call(move)["match"]["version"]
            for token in tokens.values():
                for version in (before, after) if token != move.token else ():
                    caller.call(Ask("GET", f"/v1/matches/{match_id}/events?view=true&after={version}", token))
            caller.call(Ask("GET", "/v1/me/turns", move.token))
        for caller.bots in ("easy", "sharp"):
            token = _signed_up(caller)
            seats = {seat: {"type": "bot", "level": caller.bots} for seat in SEATS} | {"north": {"type": "human"}}
            setup: Json = {"deals": 1, "seats": seats}
            match_id = caller.call(Ask("POST", "/v1/matches", token, setup))["match"]["id"]
            while move := next_move(caller, dict.fromkeys(SEATS, token), match_id):
                caller.call(move)
        scheduled = dict.fromkeys(("version", "account", "region", "detail", "detail-type", "source", "time", "id"))
        context = SimpleNamespace(get_remaining_time_in_millis=lambda: 60_000)
        caller.noted(lambda: app.sweep({**scheduled, "resources": []}, context), lambda _: "sweep")
        return caller.uses()


def _signed_up(caller: Caller) -> str:
    tokens = sign_up(caller)["tokens"]
    grant = {"type": "refresh", "refresh_token": tokens["refresh_token"], "client_nonce": "a-nonce-of-a-phone"}
    return str(caller.call(Ask("POST", "/v1/tokens", body=grant))["tokens"]["access_token"])
