"""A client for tests: the app behind the local gateway, on a store in memory, each answer held against the contract."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast

from chalice.app import Chalice
from openapi_core import Config, OpenAPI
from openapi_core.testing import MockRequest, MockResponse

from chalicelib.api.problems import CONTENT_TYPE, HEADERS, PROBLEMS
from chalicelib.api.route import Route
from chalicelib.api.routes import BASE
from chalicelib.match.event_types import EVENT_TYPES
from dev.contract.operations import UNTOLD
from dev.driver import SEATS, Reply, ask
from dev.local.gateway import Gateway
from dev.openapi import JSON

Json = dict[str, Any]
_HOST = "http://localhost"
BODIES: Mapping[str, Json] = {
    "updateMe": {"name": "Mallory", "locale": "hi"},
    "takeSeat": {"type": "human"},
    "makeMove": {"type": "pass"},
    "createMatch": {},
    "createRematch": {},
    "createSet": {"match_id": "A" * 16},
}
"""What some operations may be sent."""


def path_of(route: Route, **values: str) -> str:
    """The address of an operation, each parameter as it might be where it is not given."""
    good = {"match_id": "A" * 16, "session_id": "B" * 16, "seat": "east", "code": "AAAAAAAA"}
    good |= {"move_number": "1", "deal_number": "1", "set_id": "C" * 16, **values}
    return re.sub("{(.*?)}", lambda name: good[name[1]], route.path)


@functools.cache
def document() -> Json:
    """The contract as it is handed out."""
    return cast(Json, json.loads(JSON.read_text(encoding="utf-8")))


@functools.cache
def contract() -> OpenAPI:
    """The contract as openapi-core reads it, and more strictly than it is meant: no member that it does not name."""
    config = Config(
        server_base_url=_HOST,
        extra_media_type_deserializers={CONTENT_TYPE: json.loads},
        additional_properties_default_policy="forbid",
    )
    return OpenAPI.from_dict(document(), config=config)


@dataclass(slots=True)
class Client:
    """Calls an app, as the player whose token it holds."""

    app: Chalice
    token: str | None = None
    player_id: str = ""
    address: str = "192.0.2.1"
    seen: set[tuple[str, int, str]] = field(default_factory=set)
    """(operationId, status, code) of all that was answered."""
    gateway: Gateway = field(init=False)

    def __post_init__(self) -> None:
        self.gateway = Gateway(self.app, self.address)

    def with_token(self, token: str | None, player_id: str = "") -> Client:
        """Another caller of the same app."""
        return replace(self, token=token, player_id=player_id)

    def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        raw: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Reply:
        """The answer to a request on a path behind `BASE`. `raw` is sent as it is, `body` as JSON."""
        signed = {"Authorization": f"Bearer {self.token}"} if self.token is not None else {}
        reply = ask(self.gateway, method, path, body if raw is None else raw, {**signed, **(headers or {})})
        if method != "HEAD":  # which the contract leaves to HTTP; test_addresses holds it against GET
            self._hold(method, path, reply)
        return reply

    def ok(self, method: str, path: str, body: Any = None, **more: Any) -> Any:
        """The body of an answer that must be a success."""
        reply = self.call(method, path, body, **more)
        assert reply.status in (200, 201, 204), (method, path, reply)
        return reply.body

    def _hold_events(self, operation_id: str, body: Json) -> None:
        """Events are of the types there are, with the members that their types have."""
        for event in body["items"] if operation_id == "listEvents" else body.get("events", ()):
            kind = EVENT_TYPES.get(event["type"])
            assert kind is not None, f"chalicelib/match/event_types.py has no {event['type']}"
            members = event.keys() - {"version", "at", "type", "actor"}
            assert set(kind.always) <= members <= {*kind.always, *kind.perhaps}, (event["type"], sorted(members))

    def _hold(self, method: str, path: str, reply: Reply) -> None:
        template = self.gateway.route(BASE + path).removeprefix(BASE)
        operation = document()["paths"].get(template, {}).get(method.lower())
        sent = {name.lower() for name in reply.headers}
        assert "access-control-allow-origin" in sent
        if operation is None:
            assert reply.code in ("route_not_found", "method_not_allowed"), reply
            assert PROBLEMS[reply.code].status == reply.status
            assert (reply.status == 405) == ("allow" in sent)
            assert HEADERS.items() <= reply.headers.items() and sent - UNTOLD == {"cache-control"}, reply.headers
            return
        told = operation["responses"].get(str(reply.status))
        assert told is not None, f"{operation['operationId']} answers {reply.status}, which the contract does not know"
        undeclared = sent - UNTOLD - {name.lower() for name in told.get("headers", {})}
        assert not undeclared, f"{operation['operationId']} sends {undeclared} with {reply.status}, not in the contract"
        assert "allow" not in sent
        if reply.status in (409, 422):
            assert ("etag" in sent) == ("current" in reply.body)
        code = "" if reply.body is None or "x-codes" not in told else reply.code
        assert not code or code in told["x-codes"], f"{operation['operationId']} answers {code}, not in the contract"
        self.seen.add((operation["operationId"], reply.status, code))
        if reply.status < 300 and isinstance(reply.body, dict):
            self._hold_events(operation["operationId"], reply.body)
        content = json.dumps(reply.body).encode() if reply.body is not None else b""
        contract().validate_response(
            MockRequest(_HOST, method.lower(), BASE + path.partition("?")[0]),
            MockResponse(
                content,
                reply.status,
                dict(reply.headers),
                reply.headers.get("Content-Type", "application/json"),
            ),
        )

    # what tests do often ------------------------------------------------------------------------------------------

    def guest(self, name: str = "Asha") -> Client:
        """A new player."""
        return self.signed_in(self.ok("POST", "/players", {"name": name}))

    def grant(self, kind: str, value: str, nonce: str = "nonce-of-this-phone", **more: str) -> Reply:
        """Tokens for a refresh token, or for a code that signs in."""
        name = "refresh_token" if kind == "refresh" else "code"
        return self.call("POST", "/tokens", {"type": kind, name: value, "client_nonce": nonce, **more})

    def signed_in(self, tokens: Json) -> Client:
        """The device of an answer that has tokens."""
        return self.with_token(tokens["tokens"]["access_token"], tokens["player"]["id"])

    def another(self, **more: str) -> Client:
        """One more device of this player."""
        code = self.ok("POST", "/me/transfer-codes")["code"]
        return self.signed_in(self.grant("transfer", code, **more).body)

    def solo(self, **setup: Any) -> Json:
        """The view of a new solo match, on the player's turn."""
        return cast(Json, self.ok("POST", "/matches", setup)["match"])

    def finished(self, **setup: Any) -> str:
        """The path of a solo match of one deal that has been played."""
        view = self.solo(deals=1, **setup)
        while view["status"] == "playing":
            view = self.move(view, view["you"]["legal_moves"][-1]).body["match"]
        return f"/matches/{view['id']}"

    def move(self, view: Json, body: Json, **more: Any) -> Reply:
        """Make a move at the number that a view tells."""
        return self.call("PUT", f"/matches/{view['id']}/moves/{view['next_move']}", body, **more)


@dataclass(slots=True)
class Foursome:
    """A match of four people, in order of play."""

    id: str
    players: tuple[Client, Client, Client, Client]

    @classmethod
    def started(cls, client: Client, **setup: Any) -> Foursome:
        table = cls.waiting(client, **setup)
        for seat in SEATS[1:]:
            table.sit(seat)
        return table

    @classmethod
    def waiting(cls, client: Client, **setup: Any) -> Foursome:
        """Three seats are still to be taken; north is the host's."""
        north, east, south, west = (client.guest(name) for name in ("Asha", "Bilal", "Channi", "Devi"))
        view = north.ok("POST", "/matches", {"seats": {"north": {"type": "human"}}, **setup})["match"]
        return cls(view["id"], (north, east, south, west))

    def sit(self, seat: str, **more: str) -> Any:
        """The player of this seat takes it, with the code that the host passes on."""
        code = self.players[0].ok("GET", self.path)["invite"]["code"]
        claim = {"type": "human", "code": code, **more}
        return self.players[SEATS.index(seat)].ok("PUT", f"{self.path}/seats/{seat}", claim)

    @property
    def path(self) -> str:
        return f"/matches/{self.id}"

    def turn(self) -> tuple[Client, Json]:
        """Whose turn it is, and their view."""
        view = self.players[0].ok("GET", self.path)
        player = self.players[SEATS.index(view["deal"]["turn"])]
        return player, player.ok("GET", self.path)
