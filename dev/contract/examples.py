"""Real examples: what the app answers in a small story, always the same, in which nobody but its people moves."""

from __future__ import annotations

import base64
import json
import random
from collections import defaultdict
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from chalicelib.api.app import create_app
from chalicelib.api.auth import Caller, Keys
from chalicelib.api.bodies import JSON
from chalicelib.api.problems import ERRORS, PROBLEMS, problem
from chalicelib.api.routes import BASE
from chalicelib.service.services import Services
from chalicelib.store.memory import MemoryStore
from dev.local.gateway import Gateway

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from chalicelib.api.routes import Route

Example = dict[str, dict[str, Any]]

_START = 1_782_900_000
_SEATS = ("north", "east", "south", "west")
_NAMES = ("Asha", "Bilal", "ਚੰਨੀ", "Devi")
_KEYS = Keys(lambda: json.dumps({"example": base64.b64encode(b"an example, signing nothing real").decode()}))
_REQUEST_ID = "f3b0c1de-5a1c-4f0e-9d0a-2f6f4c1f7a11"

SAMPLE_PARAMS: Mapping[str, object] = {
    "reason": "duplicate_key",
    "allowed": ["application/json"],
    "maximum": 16384,
    "retry_after_seconds": 20,
    "move_number": 17,
    "next_move": 18,
    "seat": "east",
    "seats": 2,
    "most": 50,
    "version": 41,
    "turn": "west",
    "minimum": 9,
    "card": "AS",
    "suit": "H",
}
_SAMPLE_ERRORS: Mapping[str, tuple[dict[str, object], ...]] = {
    "invalid_body": (
        {"pointer": "/deals", "code": "out_of_range", "params": {"minimum": 1, "maximum": 16}},
        {"pointer": "/seats/east/level", "code": "unknown_field", "params": {}},
    ),
    "invalid_parameter": ({"parameter": "limit", "code": "wrong_type", "params": {"expected": "integer"}},),
}


class Story:
    """Sends requests through the gateway, and keeps what was asked and answered under the operation's name."""

    def __init__(self, routes: Mapping[str, Route]) -> None:
        self._routes, self._clock = routes, _START
        services = Services(MemoryStore(), lambda: self._clock, random.Random(7).randbytes)
        self._gateway = Gateway(create_app(services, _KEYS, rate_factor=0))
        self._callers: dict[str, Caller] = {}
        self.examples: dict[str, dict[str, Example]] = defaultdict(lambda: {"request": {}, "answer": {}})

    def ask(
        self,
        operation: str,
        who: str = "",
        body: Any = None,
        path: Mapping[str, Any] | None = None,
        query: Mapping[str, Any] | None = None,
        *,
        keep: str | None = None,
    ) -> Any:
        """The answer's body; kept as an example called `keep`, if that is given."""
        self._clock += 7
        route, headers = self._routes[operation], {"Content-Type": JSON}
        if who:
            headers["Authorization"] = f"Bearer {_KEYS.issue(*self._callers[who], self._clock)}"
        target = f"{BASE}{route.path.format(**(path or {}))}?{urlencode(query or {})}"
        content = None if body is None else json.dumps(body).encode()
        answer = self._gateway.handle_request(route.method, target, headers, content)
        if answer["statusCode"] >= 400:
            raise AssertionError(f"{operation}: {answer['body']}")
        reply: Any = json.loads(answer["body"]) if answer["body"] else None
        if operation == "createPlayer" or (body and body.get("type") == "recovery"):  # which signs other devices out
            caller = _KEYS.caller(f"Bearer {reply['tokens']['access_token']}", self._clock)
            self._callers[caller.player_id] = caller
        for kind, value in (("request", body), ("answer", reply)):
            if keep is not None and value is not None:
                self.examples[operation][kind][keep] = value
        return reply


def examples(routes: Mapping[str, Route]) -> dict[str, dict[str, Example]]:
    """operationId → "request" and "answer" → name → value."""
    story = Story(routes)
    _tell(story)
    return story.examples


def _nonce(number: int) -> str:
    return f"5kZt0nQvJ8mXw2Rb{number:06d}"


def _tell(story: Story) -> None:
    story.ask("getHealth", keep="ok")
    people = [
        story.ask("createPlayer", body={"name": name}, keep="guest" if name == "Asha" else None) for name in _NAMES
    ]
    ids = [person["player"]["id"] for person in people]
    asha, bilal = ids[0], ids[1]
    refresh = {"type": "refresh", "refresh_token": people[0]["tokens"]["refresh_token"], "client_nonce": _nonce(1)}
    story.ask("createTokens", body=refresh, keep="refresh")
    code = story.ask("createTransferCode", asha, keep="code")["code"]
    transfer = {"type": "transfer", "code": code, "client_nonce": _nonce(2), "device_name": "Asha's tablet"}
    story.ask("createTokens", body=transfer, keep="transfer")
    story.ask("listSessions", asha, keep="two")
    recovery = {"type": "recovery", "code": story.ask("createRecoveryCode", bilal, keep="code")["code"]}
    story.ask("createTokens", body=recovery | {"client_nonce": _nonce(3)}, keep="recovery")
    story.ask("updateMe", asha, {"name": "Asha", "locale": "hi"}, keep="name_and_language")
    story.ask("getMe", asha, keep="me")

    setup = {
        "deals": 1,
        "spectators": True,
        "start": "by_host",
        "seats": {"north": {"type": "human"}, "east": {"type": "empty"}},
        "client_seed": "5eed0fa5ac1dc0ffee0ddba11decade5",
    }
    story.ask("createMatch", asha, setup, keep="with_friends")
    table = story.examples["createMatch"]["answer"]["with_friends"]["match"]
    match: dict[str, Any] = {"match_id": table["id"]}
    invite = table["invite"]["code"]
    story.ask("getInvite", bilal, path={"code": invite}, keep="invitation")
    story.ask("takeSeat", asha, {"type": "bot"}, match | {"seat": "west"})
    story.ask("leaveSeat", asha, path=match | {"seat": "west"}, keep="freed_by_the_host")
    for seat, person in zip(_SEATS[1:], ids[1:], strict=True):
        claim = {"type": "human", "code": invite, "client_seed": "c0ffee"}
        story.ask("takeSeat", person, claim, match | {"seat": seat}, keep="sit" if seat == "east" else None)
    story.ask("takeSeat", asha, {"type": "human"}, match | {"seat": "north"}, keep="there_already")
    story.ask("startMatch", asha, {"client_seed": "0ddba115eed"}, path=match, keep="started")
    _play(story, match, ids)
    story.ask("createRematch", asha, {"client_seed": "5eed"}, path=match, keep="rematch")
    story.ask("listTurns", bilal, keep="offer")
    story.ask("listMatches", asha, query={"limit": 1}, keep="first_page")
    _enter_sets(story, asha, bilal)
    story.ask("exportMe", asha, keep="all")
    story.examples["createMatch"]["request"]["solo"] = {}
    story.examples["takeSeat"]["request"]["bot"] = {"type": "bot", "level": "easy"}


def _enter_sets(story: Story, asha: str, bilal: str) -> None:
    """Today's set, and a challenge that both have played."""
    story.ask("getDailySet", asha, keep="not_entered")
    solo = story.ask("createMatch", asha, {"deals": 1})["match"]
    _play_alone(story, asha, solo)
    made = story.ask("createSet", asha, {"match_id": solo["id"]}, keep="challenge")
    story.ask("getInvite", bilal, path={"code": made["code"]}, keep="challenge")
    path = {"set_id": made["id"]}
    entry = story.ask("enterSet", bilal, path=path, keep="entry")["match"]
    _play_alone(story, bilal, entry)
    story.ask("getSet", bilal, path=path, keep="finished")
    story.ask("listSetResults", bilal, path=path, keep="two")


def _play_alone(story: Story, who: str, view: dict[str, Any]) -> None:
    """A solo match, to its end."""
    while view["status"] == "playing":
        where = {"match_id": view["id"], "move_number": view["next_move"]}
        view = story.ask("makeMove", who, view["you"]["legal_moves"][0], where)["match"]


def _play(story: Story, match: dict[str, Any], ids: list[str]) -> None:
    """The deal, to its end, with moves drawn by lot; the first of each kind is kept."""
    chance = random.Random(11)
    kinds: set[str] = set()
    view = story.ask("getMatch", ids[0], path=match)
    while view["status"] == "playing":
        mover = ids[_SEATS.index(view["deal"]["turn"])]
        view = story.ask("getMatch", mover, path=match)
        move = chance.choice(view["you"]["legal_moves"])
        if not kinds:
            story.ask("listTurns", mover, keep="waiting")
        if view["deal"]["phase"] == "play" and len(view["you"]["legal_moves"]) == 1:
            story.ask("getHint", mover, path=match, keep="only_move")
        first = move["type"] not in kinds
        kinds.add(move["type"])
        update = story.ask(
            "makeMove", mover, move, match | {"move_number": view["next_move"]}, keep=move["type"] if first else None
        )
        if move["type"] == "play" and first:
            story.ask("getMatch", mover, path=match, keep="playing")
            story.ask("listEvents", ids[0], path=match, query={"after": update["match"]["version"] - 3}, keep="news")
            following = {"after": update["match"]["version"] - 1, "view": "true"}
            story.ask("listEvents", ids[0], path=match, query=following, keep="news_with_view")
        view = story.ask("getMatch", ids[0], path=match)
    story.ask("listEvents", ids[0], path=match, query={"after": view["version"]}, keep="nothing_new")
    story.ask("getDeal", ids[0], path=match | {"deal_number": 1}, keep="finished")


def problem_examples() -> Iterator[tuple[str, dict[str, object]]]:
    """Code → a problem document."""
    for code, kind in PROBLEMS.items():
        missing = [name for name in kind.detail.params if name not in SAMPLE_PARAMS]
        if missing:
            raise AssertionError(f"SAMPLE_PARAMS has no {', '.join(missing)}, which {code} is told with")
        params = {name: SAMPLE_PARAMS[name] for name in kind.detail.params}
        errors = _SAMPLE_ERRORS.get(code, ())
        if not all(str(error["code"]) in ERRORS for error in errors):
            raise AssertionError("an example shows an error that there is not")
        yield code, problem(code, params, request_id=_REQUEST_ID, errors=errors)
