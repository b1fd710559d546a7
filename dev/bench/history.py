"""What each operation reads, over a short history, a long one and a very long one: no more.

Every operation of the route table has its requests in `REQUESTS`; without one, this fails. They are sent to tables that
have seen so many seat events, by a player who has so many matches behind them; the store counts (dynoxide counts as
Amazon's does). Where an answer holds a page, the long histories fill it and the short one does not: `PAGE` more is
allowed then.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import botocore.session

from dev.bench.capacity import metered
from dev.bench.move_path import SEATS, Caller, Json
from dev.bench.row import Row
from dev.local.servers import STORE_CREDENTIALS, free_port, start_dynoxide
from dev.local.state import signing_keys

if TYPE_CHECKING:
    from chalicelib.service.services import Services

LENGTHS = (10, 1_000, 100_000)
PAGE = 20
"""Read units that a page of events or of matches may take beyond the same request to a short history."""
PAGE_OF_EXPORT = 100
"""The same for a page of the export: a hundred matches, with the seeds of each."""
LISTED = 300
"""Of the matches behind a player, so many of the latest are there to be shown; the others are memberships only."""
KEY = "the-same-table-again"
TABLE = "do-dooni"


@dataclass(frozen=True)
class Ask:
    """A request and who sends it."""

    method: str
    path: str
    token: str = ""
    body: Json | None = None
    key: str = ""


@dataclass
class World:
    """A player with friends, at four tables with a history of one length."""

    tokens: dict[str, str]
    """By seat; "stranger" has none."""
    refresh: str
    invite: str
    waiting: str
    playing: str
    over: str
    first_move: Ask
    next_move: Ask
    version: int
    """Of the table that is being played at."""

    @property
    def me(self) -> str:
        return self.tokens["north"]

    def ask(self, method: str, path: str, body: Json | None = None, who: str = "north", key: str = "") -> Ask:
        return Ask(method, f"/v1{path}", self.tokens[who], body, key)


Request = Callable[[World], Ask]

NEW_TABLE = {"seats": {"north": {"type": "human"}}, "start": "by_host"}
# What ends something comes last.
REQUESTS: dict[str, dict[str, Request]] = {
    "getHealth": {"": lambda world: world.ask("GET", "/health")},
    "createPlayer": {"": lambda world: world.ask("POST", "/players", {})},
    "getMe": {"": lambda world: world.ask("GET", "/me")},
    "listTurns": {"": lambda world: world.ask("GET", "/me/turns")},
    "listMatches": {
        "": lambda world: world.ask("GET", "/matches?limit=10"),
        "finished": lambda world: world.ask("GET", "/matches?limit=10&status=finished"),
        "playing": lambda world: world.ask("GET", "/matches?limit=10&status=playing"),
        "abandoned, none": lambda world: world.ask("GET", "/matches?limit=10&status=abandoned"),
    },
    "getMatch": {
        "": lambda world: world.ask("GET", f"/matches/{world.playing}"),
        "over": lambda world: world.ask("GET", f"/matches/{world.over}?tricks=true"),
        "a stranger's": lambda world: world.ask("GET", f"/matches/{world.playing}", None, "stranger"),
    },
    "getInvite": {"": lambda world: world.ask("GET", f"/invites/{world.invite}")},
    "getHint": {"": lambda world: replace(world.next_move, method="GET", path=_of(world.next_move, "hint"), body=None)},
    "listEvents": {
        "the first": lambda world: world.ask("GET", f"/matches/{world.playing}/events?limit=1"),
        "a page": lambda world: world.ask("GET", f"/matches/{world.playing}/events"),
        "the last": lambda world: world.ask(
            "GET", f"/matches/{world.playing}/events?view=true&after={world.version - 1}"
        ),
        "none": lambda world: world.ask("GET", f"/matches/{world.playing}/events?view=true&after={world.version}"),
        "the first, over": lambda world: world.ask("GET", f"/matches/{world.over}/events?limit=1&view=true"),
    },
    "getDeal": {"": lambda world: world.ask("GET", f"/matches/{world.over}/deals/1")},
    "makeMove": {
        "the first again": lambda world: world.first_move,
        "": lambda world: world.next_move,
        "again": lambda world: world.next_move,
    },
    "takeSeat": {
        "again": lambda world: world.ask("PUT", f"/matches/{world.waiting}/seats/north", {"type": "human"}),
        "again, at cards": lambda world: world.ask("PUT", f"/matches/{world.playing}/seats/north", {"type": "human"}),
        "a friend": lambda world: world.ask(
            "PUT", f"/matches/{world.waiting}/seats/east", {"type": "human", "code": world.invite}, "east"
        ),
    },
    "createMatch": {
        "": lambda world: world.ask("POST", "/matches", {}),
        "again": lambda world: world.ask("POST", "/matches", NEW_TABLE, key=KEY),
    },
    "startMatch": {
        "": lambda world: world.ask("POST", f"/matches/{world.waiting}/start"),
        "again": lambda world: world.ask("POST", f"/matches/{world.playing}/start"),
    },
    "leaveSeat": {
        "a stranger": lambda world: world.ask("DELETE", f"/matches/{world.waiting}/seats/north", None, "stranger"),
        "": lambda world: world.ask("DELETE", f"/matches/{world.playing}/seats/west", None, "west"),
        "again": lambda world: world.ask("DELETE", f"/matches/{world.playing}/seats/west", None, "west"),
    },
    "createRematch": {
        "": lambda world: world.ask("POST", f"/matches/{world.over}/rematch"),
        "again": lambda world: world.ask("POST", f"/matches/{world.over}/rematch"),
    },
    "updateMe": {"": lambda world: world.ask("PATCH", "/me", {"name": "Bee"})},
    "createTransferCode": {"": lambda world: world.ask("POST", "/me/transfer-codes")},
    "createTokens": {
        "": lambda world: world.ask(
            "POST", "/tokens", {"type": "refresh", "refresh_token": world.refresh, "client_nonce": "n" * 16}
        ),
    },
    "createRecoveryCode": {"": lambda world: world.ask("POST", "/me/recovery-code")},
    "listSessions": {"": lambda world: world.ask("GET", "/me/sessions")},
    "deleteSessionById": {"": lambda world: world.ask("DELETE", f"/me/sessions/{'x' * 16}")},
    "deleteOtherSessions": {"": lambda world: world.ask("DELETE", "/me/sessions")},
    "exportMe": {"": lambda world: world.ask("GET", "/me/export")},
    "deleteMe": {"": lambda world: world.ask("DELETE", "/me")},
    "deleteSession": {"": lambda world: world.ask("DELETE", "/me/session", None, "stranger")},
}


def _of(move: Ask, what: str) -> str:
    return f"{move.path.rpartition('/moves/')[0]}/{what}"


def rows() -> Iterator[Row]:
    """Read units of each request, by the length of the history."""
    with tempfile.TemporaryDirectory() as folder, start_dynoxide(free_port()) as store:
        os.environ.update(
            STORE_CREDENTIALS,
            DO_DOONI_DYNAMODB_URL=store.url,
            DO_DOONI_TABLE=TABLE,
            DO_DOONI_SIGNING_KEYS=signing_keys(Path(folder)),
            DO_DOONI_RATE_FACTOR="0",
        )
        from app import app, services

        make_table(store.url, TABLE)
        read = [units(Caller(app), services, store.url, TABLE, length) for length in LENGTHS]
    for (operation, name), short in read[0].items():
        for length, of_length in zip(LENGTHS, read, strict=True):
            label = f"{operation}, {name}" if name else operation
            yield Row(
                f"{label}, history of {length:,}, reads", of_length[operation, name], "RCU", short + page_of(operation)
            )


def page_of(operation: str) -> int:
    """Read units that a long history may take more than a short one."""
    return PAGE_OF_EXPORT if operation == "exportMe" else PAGE


def make_table(url: str, table: str) -> None:
    """The table without its stream, which makes dynoxide seven times as slow at taking rows in."""
    from chalicelib.store.schema import SCHEMA

    _client(url).create_table(TableName=table, BillingMode="PAY_PER_REQUEST", **SCHEMA)


def _client(url: str) -> Any:
    return botocore.session.get_session().create_client("dynamodb", "us-east-1", endpoint_url=url)


def units(caller: Caller, services: Services, url: str, table: str, length: int) -> dict[tuple[str, str], float]:
    """Read units of each request, at tables with a history of this length."""
    from chalicelib.api.routes import ROUTES

    missing = {route.operation_id for route in ROUTES} ^ REQUESTS.keys()
    if missing:
        raise RuntimeError(f"no requests here, or no such operations: {sorted(missing)}")
    world = _Maker(caller, services, url, table, length).world()
    return {
        (operation, name): _read(caller, request(world))
        for operation, requests in REQUESTS.items()
        for name, request in requests.items()
    }


def _read(caller: Caller, ask: Ask) -> float:
    event = caller.event(ask.method, ask.path, ask.body, ask.token)
    if ask.key:
        event["headers"]["idempotency-key"] = ask.key
    with metered() as consumed:
        answer = caller.send(event)
    if answer["statusCode"] >= 500:
        raise RuntimeError(f"{ask.method} {ask.path}: {answer['statusCode']} {answer['body']}")
    return consumed.read


class _Maker:
    """Makes a world by way of the API, and then puts the history into the store, row by row."""

    def __init__(self, caller: Caller, services: Services, url: str, table: str, length: int) -> None:
        self._caller, self._services, self._table_name, self._length = caller, services, table, length
        self._held: list[Json] = []
        self._client = _client(url)

    def world(self) -> World:
        people = {seat: self._caller.call("POST", "/v1/players", {}) for seat in (*SEATS, "stranger")}
        tokens = {seat: person["tokens"]["access_token"] for seat, person in people.items()}
        over, playing = self._table(tokens, deals=1), self._table(tokens, deals=3)
        self._moves(over, tokens)
        first = self._moves(playing, tokens, 70)
        event = self._caller.event("POST", "/v1/matches", NEW_TABLE, tokens["north"])
        event["headers"]["idempotency-key"] = KEY
        waiting = json.loads(self._caller.send(event)["body"])["match"]
        for match_id in (over, playing, waiting["id"]):
            self._see_events(match_id)
        self._have_played(people["north"]["player"]["id"], over)
        following = self._move(playing, tokens)
        return World(
            tokens=tokens,
            refresh=people["north"]["tokens"]["refresh_token"],
            invite=waiting["invite"]["code"],
            waiting=waiting["id"],
            playing=playing,
            over=over,
            first_move=first,
            next_move=following,
            version=self._caller.call("GET", f"/v1/matches/{playing}", token=tokens["north"])["version"],
        )

    def _table(self, tokens: dict[str, str], deals: int) -> str:
        wishes = {"deals": deals, "seats": {"north": {"type": "human"}}}
        table = self._caller.call("POST", "/v1/matches", wishes, tokens["north"])["match"]
        claim = {"type": "human", "code": table["invite"]["code"]}
        for seat in SEATS[1:]:
            self._caller.call("PUT", f"/v1/matches/{table['id']}/seats/{seat}", claim, tokens[seat])
        match_id: str = table["id"]
        return match_id

    def _move(self, match_id: str, tokens: dict[str, str]) -> Ask:
        """The next move, ready to be made."""
        path = f"/v1/matches/{match_id}"
        view = self._caller.call("GET", path, token=tokens["north"])
        token = tokens[view["deal"]["turn"]]
        view = self._caller.call("GET", path, token=token)
        return Ask("PUT", f"{path}/moves/{view['next_move']}", token, view["you"]["legal_moves"][0])

    def _moves(self, match_id: str, tokens: dict[str, str], most: int = 10_000) -> Ask:
        """Play so many moves, or to the end; the first one."""
        first = move = self._move(match_id, tokens)
        for _ in range(most):
            match = self._caller.call(move.method, move.path, move.body, move.token)["match"]
            if match["status"] != "playing":
                break
            move = self._move(match_id, tokens)
        return first

    def _see_events(self, match_id: str) -> None:
        """So many seat events happen, all of a player who is not there any more."""
        from chalicelib.engine import Seat
        from chalicelib.match.model import EventBatch, Place, SeatEvent, SeatType
        from chalicelib.store import keys
        from chalicelib.store.matches import match_item
        from chalicelib.store.models import EventsItem
        from chalicelib.store.records import pack_batch

        match = self._services.store.match(match_id)
        assert match is not None
        happened = SeatEvent(
            "seat_taken", match.turn_at, None, Seat.WEST, Place(SeatType.HUMAN, self._services.new_id())
        )
        packed = pack_batch(EventBatch(1, (happened,)))
        pk, first = keys.match_key(match_id), match.version + 1
        versions = range(first, first + self._length)
        self._put(EventsItem(pk, keys.event_sort(version), events=packed).serialize() for version in versions)
        longer = replace(match, version=versions[-1], log=match.log.marked(self._length))
        self._put([match_item(longer).serialize()])
        self._flush()

    def _have_played(self, player_id: str, match_id: str) -> None:
        """The player has been one of so many matches more, each like this one. Whatever the store keeps of that in the
        player's partition is there of each."""
        from chalicelib.store import keys

        own = {":pk": {"S": keys.player_key(player_id)}}
        found = self._client.query(
            TableName=self._table_name, KeyConditionExpression="pk = :pk", ExpressionAttributeValues=own
        )
        rows = [item for item in found["Items"] if match_id in item["sk"]["S"]]
        key = {"pk": {"S": keys.match_key(match_id)}, "sk": {"S": keys.MATCH}}
        match = self._client.get_item(TableName=self._table_name, Key=key)["Item"]
        ids = sorted((self._services.new_id() for _ in range(self._length)), reverse=True)
        for number, other in enumerate(ids):
            copied = [*rows, match] if number < LISTED else rows
            text = json.dumps([_readable(row) for row in copied]).replace(match_id, other)
            self._put(map(_stored, json.loads(text)))
        self._flush()

    def _put(self, items: Iterable[Json]) -> None:
        """Into the table, 25 at a time."""
        for item in items:
            self._held.append({"PutRequest": {"Item": item}})
            if len(self._held) == 25:
                self._flush()

    def _flush(self) -> None:
        if self._held:
            self._client.batch_write_item(RequestItems={self._table_name: self._held})
            self._held = []


def _readable(row: Json) -> Json:
    return {
        name: {kind: value.hex() if kind == "B" else value}
        for name, typed in row.items()
        for kind, value in typed.items()
    }


def _stored(row: Json) -> Json:
    return {
        name: {kind: bytes.fromhex(value) if kind == "B" else value}
        for name, typed in row.items()
        for kind, value in typed.items()
    }
