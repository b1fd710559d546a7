"""What each kind of request uses, measured: the app on a store that counts as Amazon's does, and its log weighed."""

from __future__ import annotations

import logging
import re
from collections import defaultdict
from collections.abc import Callable, Mapping
from statistics import mean
from types import SimpleNamespace

from chalicelib.api.logs import Lines
from chalicelib.api.metrics import NAMESPACE_VARIABLE
from dev.bench.calls import Caller, app_on_dynoxide, metered
from dev.bench.measure import timed
from dev.driver import NONCE, SEATS, Json, Player, Reply, seat_four, sign_up

LOG_EVENT_BYTES = 26
"""What CloudWatch adds to each event's own bytes."""
UNITS = ("read", "write", "calls", "cpu_ms", "log_bytes", "answer_bytes")
"""Capacity units, calls of the store, milliseconds of the processor, bytes."""
Uses = dict[str, dict[str, float]]
"""Kind of request → unit → the mean."""
_KINDS = {
    r"POST /players": "sign-up",
    r"POST /tokens": "refresh",
    r"POST /matches": "new match",
    r"PUT .*/seats/\w+": "seat",
    r"GET .*/events.*": "poll",
    r"GET /me/turns": "badge",
    r"GET /matches/[\w-]+": "view",
    r"PUT .*/moves/\d+": "move",
}


class _Metered(Caller):
    """Notes what each request uses, by its kind; `bots` is the level of those who answer moves."""

    bots = ""

    def __init__(self, app: Json) -> None:
        super().__init__(app)
        self._noted: dict[str, list[list[float]]] = defaultdict(list)
        self._lines: list[str] = []
        handler, log = logging.Handler(), logging.getLogger("chalicelib")
        handler.setFormatter(Lines())
        handler.emit = lambda record: self._lines.append(handler.format(record))  # type: ignore[method-assign]  # a handler of our own
        log.addHandler(handler)
        log.setLevel(logging.INFO)

    def send(self, method: str, path: str, body: Json = None, headers: Mapping[str, str] | None = None) -> Reply:
        event, kinds = self.event(method, path, body, headers), _KINDS.items()
        kind = next(kind for pattern, kind in kinds if re.fullmatch(pattern, f"{method} {path}"))

        def kind_of(reply: Reply) -> str:
            if kind == "poll":
                return "poll, news" if reply.body["items"] else "poll, none"
            return f"{kind}, {self.bots} bots" if kind == "move" and self.bots else kind

        return self.noted(lambda: self.answer(event), kind_of)

    def noted(self, request: Callable[[], Reply], kind_of: Callable[[Reply], str]) -> Reply:
        """The request's answer."""
        replies: list[Reply] = []
        self._lines.clear()
        with metered() as consumed:
            _wall, cpu = timed(lambda: replies.append(request()))
        log_bytes = sum(len(line.encode()) + LOG_EVENT_BYTES for line in self._lines)
        used = [consumed.read, consumed.write, consumed.calls, 1000 * cpu, log_bytes, len(replies[0].text.encode())]
        self._noted[kind_of(replies[0])].append(used)
        return replies[0]

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
        four = seat_four(caller, players=[_refreshed(sign_up(caller)) for _ in SEATS], deals=4)
        # The others look at each move that is made, and once more in vain.
        while (turn := four.turn())[1]["status"] == "playing":
            player, view = turn
            match = player.move(view, view["you"]["legal_moves"][0]).body["match"]
            for other in four.players:
                for version in (view["version"], match["version"]) if other is not player else ():
                    other.get(f"{four.path}/events?view=true&after={version}")
            player.get("/me/turns")
        for caller.bots in ("easy", "sharp"):
            player = _refreshed(sign_up(caller))
            seats = {seat: {"type": "bot", "level": caller.bots} for seat in SEATS} | {"north": {"type": "human"}}
            view = player.new_match({"deals": 1, "seats": seats})
            while view["status"] == "playing":
                view = player.move(view, view["you"]["legal_moves"][0]).body["match"]
        scheduled = dict.fromkeys(("version", "account", "region", "detail", "detail-type", "source", "time", "id"))
        context = SimpleNamespace(get_remaining_time_in_millis=lambda: 60_000)

        def sweep() -> Reply:
            app.sweep({**scheduled, "resources": []}, context)
            return Reply(200, {})

        caller.noted(sweep, lambda _: "sweep")
        return caller.uses()


def _refreshed(player: Player) -> Player:
    grant = {"type": "refresh", "refresh_token": player.refresh, "client_nonce": NONCE}
    player.access = player.post("/tokens", grant)["tokens"]["access_token"]
    return player
