"""A cold start: a new container's first answer, from the packaged zip, against a bare app packaged alike; and what
memory a warm one holds, the time of whose moves `dev.bench.move_path` takes.

The runtime client is AWS's own (awslambdaric), the runtime API a local one. Each start is a new process that compiles
what the zip holds, as on Lambda. The first move reads the signing keys as deployed, from a local Secrets Manager.
"""

from __future__ import annotations

import os
import secrets
import shutil
import statistics
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import botocore.session

from dev.bench.move_path import Caller, Table
from dev.bench.row import Row
from dev.bench.runtime_api import Container, Json, Taken, lambda_packages
from dev.deploy.package import package
from dev.local.servers import STORE_CREDENTIALS, free_port, start_dynoxide
from dev.local.state import signing_keys

BAR = 1.3
STARTS = 16
WARM_MOVES = 200
TABLE = "do-dooni"
_DYNAMODB = "DO_DOONI_DYNAMODB_URL"


class Figures(NamedTuple):
    """What a start took: seconds, seconds of the processor, and the most memory, in MB."""

    seconds: float
    cpu: float
    memory: float


def rows() -> Iterator[Row]:
    """Ratios, and what they are in milliseconds and megabytes."""
    with tempfile.TemporaryDirectory() as scratch, start_dynoxide(free_port()) as store:
        folder = Path(scratch)
        keys = signing_keys(folder)
        os.environ.update(STORE_CREDENTIALS, DO_DOONI_TABLE=TABLE, DO_DOONI_SIGNING_KEYS=keys, DO_DOONI_RATE_FACTOR="0")
        os.environ[_DYNAMODB] = store.url
        from app import app
        from chalicelib.store import create_table

        create_table()
        caller = Caller(app)
        table = Table(caller)
        item = _item_alike(store.url, table.match_id)
        ours, bare = _unpacked(folder)
        lambdas = lambda_packages(folder / "lambda")
        settings = {**STORE_CREDENTIALS, _DYNAMODB: store.url, "DO_DOONI_TABLE": TABLE}
        # The first answer of either does without a store.
        health = caller.event("GET", "/v1/health")

        def start_ours() -> Container:
            return Container(ours, lambdas, {**settings, "DO_DOONI_SIGNING_SECRET": "arn"}, keys)

        def start_bare() -> Container:
            return Container(bare, lambdas, {**settings, "BARE_ITEM": item})

        yield from _rows("first answer", [(start_ours, lambda: health), (start_bare, lambda: health)])
        move = table.next_move
        yield from _rows("first move", [(start_ours, move), (start_bare, lambda: _bare(health))])
        yield Row("move handler, warm, memory, by itself", _warm_memory(start_ours, move), "MB")
        yield Row("move handler, warm, memory, bare", _warm_memory(start_bare, lambda: _bare(health)), "MB")


def _rows(what: str, contenders: list[tuple[Callable[[], Container], Callable[[], Json]]]) -> Iterator[Row]:
    """Both started in turns, each with one event."""
    measured: list[list[Figures]] = [[] for _ in contenders]
    for _ in range(STARTS):
        for (start, event_of), taken in zip(contenders, measured, strict=True):
            event = event_of()
            with start() as container:
                answered = container.invoke(event)
                _check(answered)
                taken.append(Figures(answered.seconds, answered.cpu, container.memory))
    ours, bare = map(_undisturbed, measured)
    yield Row(f"cold start, {what}, wall", ours.seconds / bare.seconds, "x bare", BAR)
    yield Row(f"cold start, {what}, CPU", ours.cpu / bare.cpu, "x bare", BAR)
    for name, figures in (("by itself", ours), ("bare", bare)):
        yield Row(f"cold start, {what}, {name}", 1000 * figures.seconds, "ms")
        yield Row(f"cold start, {what}, {name}, CPU", 1000 * figures.cpu, "ms")
        yield Row(f"cold start, {what}, {name}, memory", figures.memory, "MB")


def _warm_memory(start: Callable[[], Container], event_of: Callable[[], Json]) -> float:
    """The most that one container holds, in MB, after as many moves as make it warm."""
    with start() as container:
        for _ in range(WARM_MOVES):
            _check(container.invoke(event_of()))
        return container.memory


def _undisturbed(taken: list[Figures]) -> Figures:
    """The mean of the lower half of each: a busy machine only ever adds, and the processor's time is told in steps too
    coarse for a median."""
    half = len(taken) // 2
    return Figures(*(statistics.mean(sorted(column)[:half]) for column in zip(*taken, strict=True)))


def _check(taken: Taken) -> None:
    if taken.answer["statusCode"] != 200:
        raise RuntimeError(f"{taken.answer['statusCode']} {taken.answer['body']}")


def _bare(event: Mapping[str, Any]) -> Json:
    """The bare app's move: an event of the same form."""
    path = "/v1/matches/{match_id}/moves/{move_number}"
    context = {**event["requestContext"], "httpMethod": "PUT", "resourcePath": path}
    return {**event, "requestContext": context, "pathParameters": {"match_id": "bare", "move_number": "1"}}


def _unpacked(folder: Path) -> tuple[Path, Path]:
    """Our package's files, and those of a package with the same libraries around the bare app."""
    ours, bare = folder / "ours", folder / "bare"
    with zipfile.ZipFile(package("prod", folder / "package").archive) as archive:
        archive.extractall(ours)
    shutil.copytree(ours, bare, ignore=shutil.ignore_patterns("chalicelib"))
    shutil.copy(Path(__file__).parent / "bare/app.py", bare)
    return ours, bare


def _item_alike(url: str, match_id: str) -> str:
    """Put a copy of the match's item beside it; its partition key."""
    client = botocore.session.get_session().create_client("dynamodb", region_name="us-east-1", endpoint_url=url)
    key = {"pk": {"S": f"match#{match_id}"}, "sk": {"S": "match"}}
    item = client.get_item(TableName=TABLE, Key=key)["Item"]
    copy = f"match#{secrets.token_urlsafe(12)}"
    client.put_item(TableName=TABLE, Item={**item, "pk": {"S": copy}})
    return copy
