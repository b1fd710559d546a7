"""The app in this process on a real store (dynoxide), called as its gateway calls it, and what its calls consume."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import botocore.session
from botocore.client import BaseClient
from chalice.app import Chalice

from chalicelib.api.routes import BASE
from chalicelib.store.schema import SCHEMA
from dev.driver import Json, Reply
from dev.local.gateway import Gateway
from dev.local.servers import STORE_CREDENTIALS, free_port, start_dynoxide
from dev.local.state import signing_keys

TABLE = "do-dooni"
URL_VARIABLE = "DO_DOONI_DYNAMODB_URL"
_READS = ("GetItem", "BatchGetItem", "Query", "Scan", "TransactGetItems")


class Caller:
    """A transport of `dev.driver` in two steps: what the gateway makes of a request, and the app's answer to that."""

    def __init__(self, app: Chalice) -> None:
        self._app, self._gateway = app, Gateway(app, request_id="bench")

    def event(self, method: str, path: str, body: Json = None, headers: Mapping[str, str] | None = None) -> Json:
        """What the function is called with."""
        sent = {"Content-Type": "application/json", **(headers or {})}
        event = self._gateway.event(method, BASE + path, sent, None if body is None else json.dumps(body).encode())
        assert event is not None, f"no route takes {path}"
        return event

    def answer(self, event: Json) -> Reply:
        """Raises RuntimeError for a failure."""
        answer = self._app(event, None)
        if answer["statusCode"] >= 500:
            raise RuntimeError(f"{event['path']}: {answer['statusCode']} {answer['body']}")
        return Reply(answer["statusCode"], answer["headers"], answer["body"] or "")

    def send(self, method: str, path: str, body: Json = None, headers: Mapping[str, str] | None = None) -> Reply:
        return self.answer(self.event(method, path, body, headers))


@contextmanager
def app_on_dynoxide(**settings: str) -> Iterator[tuple[Caller, str]]:
    """The app as it is deployed, with a table of its own and no rate limits, and the address of its store."""
    with tempfile.TemporaryDirectory() as folder, start_dynoxide(free_port()) as store:
        keys = signing_keys(Path(folder))
        os.environ |= {**STORE_CREDENTIALS, "DO_DOONI_TABLE": TABLE, "DO_DOONI_SIGNING_KEYS": keys}
        os.environ |= {"DO_DOONI_RATE_FACTOR": "0", URL_VARIABLE: store.url, **settings}
        from app import app  # it reads the environment

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
    """Capacity units so far, and how many calls."""

    read: float = 0
    write: float = 0
    calls: int = 0


@contextmanager
def metered() -> Iterator[Consumed]:
    """Within the block every call by any botocore client of this process is counted, by the store's own figures."""
    consumed, plain_call = Consumed(), BaseClient._make_api_call

    def counted_call(client: BaseClient, operation: str, request: Json) -> Json:
        answer = plain_call(client, operation, {**request, "ReturnConsumedCapacity": "TOTAL"})
        figures = answer.get("ConsumedCapacity", [])
        units = sum(figure["CapacityUnits"] for figure in (figures if isinstance(figures, list) else [figures]))
        kind = "read" if operation in _READS else "write"
        setattr(consumed, kind, getattr(consumed, kind) + units)
        consumed.calls += 1
        return answer

    BaseClient._make_api_call = counted_call
    try:
        yield consumed
    finally:
        BaseClient._make_api_call = plain_call
