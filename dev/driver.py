"""One driver of the API for tests and tools: players who send requests, over HTTP or to an app in this process."""

from __future__ import annotations

import base64
import json
import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from random import Random
from typing import Any, Protocol, Self

import requests
import requests.adapters
from requests.structures import CaseInsensitiveDict

from chalicelib.api.app import create_app
from chalicelib.api.auth import Keys
from chalicelib.api.routes import BASE
from chalicelib.service.services import Services
from dev.local.gateway import Gateway
from dev.local.servers import LOOPBACK

Json = Any
SEATS = ("north", "east", "south", "west")
LONGEST_NAMES = tuple(sign * 24 for sign in "कखगघ")
"""Four names of 24 code points and 72 bytes."""
NONCE = "a-nonce-of-one-phone"
"""A `client_nonce`, where it does not matter which."""
PATIENCE = 300.0
"""Seconds a player goes on repeating a request: nobody gives up because a machine is busy."""


@dataclass(frozen=True)
class Reply:
    """An answer; its headers' names have no case."""

    status: int
    headers: Mapping[str, str]
    text: str = ""

    @cached_property
    def body(self) -> Json:
        """What JSON says, else the text; None where there is none."""
        is_json = "json" in self.headers.get("Content-Type", "")
        return json.loads(self.text) if self.text and is_json else self.text or None

    @property
    def code(self) -> str:
        """The problem's code; "" for what is no problem."""
        return str(self.body["code"]) if self.status >= 400 else ""


class Transport(Protocol):
    """Sends one request to a path below `BASE` and gives its answer. `ConnectionError`: no answer came."""

    def send(self, method: str, path: str, body: Json = None, headers: Mapping[str, str] | None = None) -> Reply:
        """`body` is sent as JSON; bytes as they are."""


_KEYS = json.dumps({"driver": base64.urlsafe_b64encode(secrets.token_bytes(32)).decode()})
KEYS = Keys(lambda: _KEYS)
"""What every app made here signs with."""


def ask(gateway: Gateway, method: str, path: str, body: Json = None, headers: Mapping[str, str] | None = None) -> Reply:
    """One request to an app in this process; bytes are sent as they are, without a type."""
    sent, content = headers or {}, body
    if body is not None and not isinstance(body, bytes):
        sent, content = {"Content-Type": "application/json", **sent}, json.dumps(body).encode()
    answer = gateway.handle_request(method, BASE + path, sent, content)
    received = CaseInsensitiveDict({**answer["headers"], **answer["multiValueHeaders"]})
    return Reply(answer["statusCode"], received, answer["body"] or "")


@dataclass
class InProcess:
    """An app of its own around given services."""

    services: Services
    address: str = LOOPBACK
    request_id: str | None = None

    def __post_init__(self) -> None:
        self.gateway = Gateway(create_app(self.services, KEYS, rate_factor=0), self.address, self.request_id)

    def send(self, method: str, path: str, body: Json = None, headers: Mapping[str, str] | None = None) -> Reply:
        return ask(self.gateway, method, path, body, headers)


class OverHttp:
    """The API at `url` (with /v1), over connections that are kept."""

    def __init__(self, url: str, timeout: float = 30) -> None:
        self.url, self.timeout, self.session = url, timeout, requests.Session()
        self.session.mount("http://", requests.adapters.HTTPAdapter(pool_maxsize=128))

    def send(self, method: str, path: str, body: Json = None, headers: Mapping[str, str] | None = None) -> Reply:
        try:
            answer = self.session.request(method, self.url + path, json=body, headers=headers, timeout=self.timeout)
        except requests.RequestException as error:
            raise ConnectionError(type(error).__name__) from error
        return Reply(answer.status_code, answer.headers, answer.text)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.session.close()


@dataclass
class Player:
    """One device of one player: where it sends to, and what it signs with. Nobody yet, until `sign_up`."""

    transport: Transport
    id: str = ""
    name: str = ""
    access: str = ""
    refresh: str = ""

    def send(self, method: str, path: str, body: Json = None, headers: Mapping[str, str] | None = None) -> Reply:
        """One request, once."""
        signed = {"Authorization": f"Bearer {self.access}"} if self.access else {}
        return self.transport.send(method, path, body, {**signed, **(headers or {})})

    def insist(self, method: str, path: str, body: Json = None, headers: Mapping[str, str] | None = None) -> Reply:
        """As the guide says: what got no answer, a 503 or a 429 is sent again, the same, until it is answered."""
        until, pause = time.monotonic() + PATIENCE, 0.02
        while True:
            try:
                reply = self.send(method, path, body, headers)
            except ConnectionError:
                reply = None
            if reply is not None and reply.status not in (429, 503):
                return reply
            if time.monotonic() > until:
                raise TimeoutError(f"{method} {path}: {reply.status if reply else 'no answer'} for {PATIENCE:g} s")
            time.sleep(pause)
            pause = min(2 * pause, 0.5)

    def ok(self, method: str, path: str, body: Json = None, headers: Mapping[str, str] | None = None) -> Json:
        """The body of an answer that must be a success."""
        reply = self.insist(method, path, body, headers)
        assert reply.status in (200, 201, 204), f"{method} {path}: {reply.status} {reply.text[:600]}"
        return reply.body

    def get(self, path: str) -> Json:
        return self.ok("GET", path)

    def post(self, path: str, body: Json = None, headers: Mapping[str, str] | None = None) -> Json:
        return self.ok("POST", path, body, headers)

    def put(self, path: str, body: Json = None) -> Json:
        return self.ok("PUT", path, body)

    def through(self, transport: Transport) -> Self:
        """The same device, sending another way."""
        return replace(self, transport=transport)

    def sign_up(self, name: str = "Asha") -> Self:
        """A new player, on a device that sends the same way."""
        made = replace(self, access="").post("/players", {"name": name})
        player, tokens = made["player"], made["tokens"]
        return replace(self, id=player["id"], name=name, access=tokens["access_token"], refresh=tokens["refresh_token"])

    def new_match(self, body: Json, key: str = "") -> Json:
        """The view of a new match, made once however often it has to be asked for."""
        return self.post("/matches", body, {"Idempotency-Key": key or secrets.token_hex(8)})["match"]

    def sit(self, path: str, seat: str, code: str | None = None, **more: Json) -> Reply:
        claim = {"type": "human", **({} if code is None else {"code": code}), **more}
        return self.insist("PUT", f"{path}/seats/{seat}", claim)

    def leave(self, path: str, seat: str) -> Reply:
        return self.insist("DELETE", f"{path}/seats/{seat}")

    def move(self, view: Json, move: Json) -> Reply:
        """A move at the number that a view tells."""
        return self.insist("PUT", f"/matches/{view['id']}/moves/{view['next_move']}", move)

    def events(self, path: str, after: int = 0) -> list[Json]:
        """The feed above `after`, to its end."""
        found: list[Json] = []
        while True:
            page = self.get(f"{path}/events?after={after + len(found)}&limit=1000")
            found += page["items"]
            if not page["more"]:
                return found


def sign_up(transport: Transport, name: str = "Asha") -> Player:
    """A new guest."""
    return Player(transport).sign_up(name)


def seed_of(player: Player) -> str:
    """A player's part in the shuffle: the same at every repetition of its request."""
    return player.id.encode().hex()[:32]


@dataclass
class Foursome:
    """Four players at one match, in order of play."""

    match_id: str
    code: str
    players: tuple[Player, ...]
    chance: Random = field(default_factory=Random, repr=False)

    @property
    def path(self) -> str:
        return f"/matches/{self.match_id}"

    def at(self, seat: str) -> Player:
        return self.players[SEATS.index(seat)]

    def turn(self) -> tuple[Player, Json]:
        """The player whose turn it is, with their view; north where it is nobody's."""
        view = self.players[0].get(self.path)
        seat = view.get("deal", {}).get("turn", "north")
        return self.at(seat), view if seat == "north" else self.at(seat).get(self.path)

    def play(self, moves: int) -> int:
        """So many random legal moves; fewer if the match ends. Returns how many were made."""
        player, view = self.turn()
        for made in range(moves):
            if view["status"] != "playing":
                return made
            reply = player.move(view, self.chance.choice(view["you"]["legal_moves"]))
            assert reply.status == 200, reply.text
            view = reply.body["match"]
            if (turn := view.get("deal", {}).get("turn", view["you"]["seat"])) != view["you"]["seat"]:
                player = self.at(turn)
                view = player.get(self.path)
        return moves


def seat_four(
    transport: Transport, seed: int = 0, players: Sequence[Player] = (), *, full: bool = True, **setup: Json
) -> Foursome:
    """A match of these players, or of four new ones, started unless `full` is False (then west is still free)."""
    players = players or [sign_up(transport, name) for name in LONGEST_NAMES]
    setup = {"deals": 16, "seats": {"north": {"type": "human"}}, "client_seed": secrets.token_hex(16), **setup}
    match = players[0].new_match(setup)
    four = Foursome(match["id"], match["invite"]["code"], tuple(players), Random(seed))
    for seat, player in zip(SEATS[1 : 4 if full else 3], players[1:], strict=False):
        assert player.sit(four.path, seat, four.code, client_seed=seed_of(player)).status == 200
    return four
