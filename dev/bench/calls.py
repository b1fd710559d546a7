"""The app in this process on a real store (dynoxide), called as its gateway calls it, and what its calls consume."""

from __future__ import annotations

import json
import os
import random
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import botocore.session
from botocore.client import BaseClient
from chalice.app import Chalice

from chalicelib.store.schema import SCHEMA
from dev.local.gateway import Gateway
from dev.local.servers import STORE_CREDENTIALS, free_port, start_dynoxide
from dev.local.state import signing_keys

Json = dict[str, Any]
SEATS = ("north", "east", "south", "west")
TABLE = "do-dooni"
URL_VARIABLE = "DO_DOONI_DYNAMODB_URL"
NAME = "नमस्तेनमस्तेनमस्तेनमस्ते"
"""As long as a name may be."""
_READS = ("GetItem", "BatchGetItem", "Query", "Scan", "TransactGetItems")


class Ask(NamedTuple):
    """A request, and the token of whoever sends it."""

    method: str
    path: str
    token: str = ""
    body: Json | None = None
    headers: Mapping[str, str] = {}


class Caller:
    """Calls an app as its gateway would."""

    def __init__(self, app: Chalice) -> None:
        self._app, self._gateway = app, Gateway(app, request_id="bench")

    def event(self, ask: Ask) -> Json:
        """What the gateway hands to the function."""
        headers = {"content-type": "application/json", "authorization": f"Bearer {ask.token}", **ask.headers}
        body = None if ask.body is None else json.dumps(ask.body).encode()
        event = self._gateway.event(ask.method, ask.path, headers, body)
        assert event is not None, f"no route takes {ask.path}"
        return event

    def send(self, event: Json) -> Json:
        """The app's answer, in the gateway's form."""
        answer: Json = self._app(event, None)
        return answer

    def call(self, ask: Ask) -> Json:
        """The body of an answer. Raises RuntimeError for any but a success."""
        content: Json = json.loads(succeeded(self.send(self.event(ask)))["body"])
        return content


def succeeded(answer: Json) -> Json:
    if answer["statusCode"] >= 300:
        raise RuntimeError(f"{answer['statusCode']} {answer['body']}")
    return answer


def sign_up(caller: Caller) -> Json:
    """The answer's body: player and tokens."""
    return caller.call(Ask("POST", "/v1/players", body={"name": NAME}))


def access_tokens(caller: Caller) -> dict[str, str]:
    """Of four new players, by the seats they will have."""
    return {seat: sign_up(caller)["tokens"]["access_token"] for seat in SEATS}


def open_table(caller: Caller, tokens: Mapping[str, str], deals: int) -> str:
    """The id of a match of four people, which has begun."""
    setup = {"deals": deals, "seats": {"north": {"type": "human"}}}
    match = caller.call(Ask("POST", "/v1/matches", tokens["north"], setup))["match"]
    claim = {"type": "human", "code": match["invite"]["code"]}
    for seat in SEATS[1:]:
        caller.call(Ask("PUT", f"/v1/matches/{match['id']}/seats/{seat}", tokens[seat], claim))
    return str(match["id"])


def next_move(
    caller: Caller, tokens: Mapping[str, str], match_id: str, choose: Callable[[list[Json]], Json] = random.choice
) -> Ask | None:
    """One of the legal moves of whoever's turn it is; None when the match is over."""
    path = f"/v1/matches/{match_id}"
    view = caller.call(Ask("GET", path, tokens["north"]))
    if view["status"] != "playing":
        return None
    token = tokens[view["deal"]["turn"]]
    view = caller.call(Ask("GET", path, token))
    return Ask("PUT", f"{path}/moves/{view['next_move']}", token, choose(view["you"]["legal_moves"]))


@contextmanager
def app_on_dynoxide(**settings: str) -> Iterator[tuple[Caller, str]]:
    """The app with a table of its own and no rate limits, and the address of its store."""
    with tempfile.TemporaryDirectory() as folder, start_dynoxide(free_port()) as store:
        os.environ.update(
            STORE_CREDENTIALS,
            DO_DOONI_TABLE=TABLE,
            DO_DOONI_SIGNING_KEYS=signing_keys(Path(folder)),
            DO_DOONI_RATE_FACTOR="0",
        )
        os.environ |= {URL_VARIABLE: store.url, **settings}
        from app import app

        make_table(store.url, TABLE)
        yield Caller(app), store.url


def make_table(url: str, table: str) -> None:
    """Without its stream, which makes dynoxide seven times as slow at taking items in."""
    dynamodb(url).create_table(TableName=table, BillingMode="PAY_PER_REQUEST", **SCHEMA)


def dynamodb(url: str) -> Any:
    """A client of a local store."""
    return botocore.session.get_session().create_client("dynamodb", "us-east-1", endpoint_url=url)


@dataclass
class Consumed:
    """Capacity units so far, and the operations that were called, in order."""

    read: float = 0
    write: float = 0
    operations: list[str] = field(default_factory=list)


@contextmanager
def metered() -> Iterator[Consumed]:
    """Within the block every call by any botocore client of this process is counted, by the store's own figures."""
    consumed = Consumed()
    plain_call = BaseClient._make_api_call

    def counted_call(client: BaseClient, operation: str, request: Json) -> Json:
        answer: Json = plain_call(client, operation, {**request, "ReturnConsumedCapacity": "TOTAL"})
        figures = answer.get("ConsumedCapacity", [])
        units = sum(figure["CapacityUnits"] for figure in (figures if isinstance(figures, list) else [figures]))
        consumed.operations.append(operation)
        if operation in _READS:
            consumed.read += units
        else:
            consumed.write += units
        return answer

    BaseClient._make_api_call = counted_call
    try:
        yield consumed
    finally:
        BaseClient._make_api_call = plain_call
