"""What a badge and a sweep cost, by the server's own figures (dynoxide counts as Amazon's does).

The badge: `GET /v1/me/turns` of a player with 20 live matches of four humans, through the app, and its 304. The sweep:
10,000 running matches, of which 10 are overdue.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import botocore.session

from dev.bench.capacity import Consumed, metered
from dev.bench.move_path import NAME, Caller
from dev.bench.row import Row
from dev.local.servers import STORE_CREDENTIALS, free_port, start_dynoxide
from dev.local.state import signing_keys

LIVE = 20
RUNNING = 10_000
OVERDUE = 10
BATCH = 25
TURNS_BAR = 12
SWEEP_BAR = 30


def rows() -> Iterator[Row]:
    """Read units of each."""
    with tempfile.TemporaryDirectory() as folder, start_dynoxide(free_port()) as store:
        os.environ.update(
            STORE_CREDENTIALS,
            DO_DOONI_DYNAMODB_URL=store.url,
            DO_DOONI_TABLE="do-dooni",
            DO_DOONI_SIGNING_KEYS=signing_keys(Path(folder)),
            DO_DOONI_RATE_FACTOR="0",
        )
        from chalicelib.store import create_table

        create_table()
        yield from _turns()
        yield from _sweep(store.url)


def _turns() -> Iterator[Row]:
    from app import app, keys, services
    from chalicelib.engine import SEATS
    from chalicelib.service.people import accounts
    from chalicelib.service.tables import matches, seats
    from chalicelib.service.tables.matches import NewMatch, SeatRequest

    players = [accounts.sign_up(services, NAME) for _ in SEATS]
    for _ in range(LIVE):
        table = matches.create(services, players[0].player.id, NewMatch(seats={SEATS[0]: SeatRequest("human")})).view
        assert table.invite is not None
        for grant, seat in zip(players[1:], SEATS[1:], strict=True):
            seats.sit(services, grant.player.id, table.id, seat, table.invite.code)
    caller = Caller(app)
    waiting = 0
    for grant in players:
        token = keys.issue(grant.player.id, grant.session_id, services.now())
        waiting += caller.call("GET", "/v1/me/turns", token=token)["count"]
    if waiting != LIVE:
        raise RuntimeError(f"{waiting} matches wait for somebody, not {LIVE}")
    first = players[0]
    token = keys.issue(first.player.id, first.session_id, services.now())
    answer, consumed = _asked(caller, token)
    yield Row(f"me/turns, {LIVE} live matches, reads", consumed.read, "RCU", TURNS_BAR)
    unchanged, consumed = _asked(caller, token, answer["headers"]["ETag"])
    if (answer["statusCode"], unchanged["statusCode"]) != (200, 304):
        raise RuntimeError("not a 200 and a 304")
    yield Row(f"me/turns, {LIVE} live matches, 304, reads", consumed.read, "RCU", TURNS_BAR)


def _asked(caller: Caller, token: str, etag: str = "") -> tuple[dict[str, Any], Consumed]:
    ask = caller.prepare("GET", "/v1/me/turns", token=token, etag=etag)
    with metered() as consumed:
        answer = ask()
    return answer, consumed


def _sweep(url: str) -> Iterator[Row]:
    from app import services
    from chalicelib.engine import SEATS
    from chalicelib.service.clock.sweep import sweep
    from chalicelib.service.people import accounts
    from chalicelib.service.services import Services
    from chalicelib.service.tables import matches
    from chalicelib.service.tables.matches import NewMatch, SeatRequest
    from chalicelib.store.matches import match_item

    now = int(time.time())
    host = accounts.sign_up(services, NAME).player.id
    bots = dict.fromkeys(SEATS[1:], SeatRequest("bot", "easy"))
    setup = NewMatch(turn_seconds=60, seats={SEATS[0]: SeatRequest("human")} | bots)
    model = services.store.match(matches.create(services, host, setup).view.id)
    assert model is not None
    client = botocore.session.get_session().create_client("dynamodb", "us-east-1", endpoint_url=url)
    for first in range(0, RUNNING, BATCH):
        puts = []
        for number in range(first, first + BATCH):
            began = now - 3600 if number < OVERDUE else now + 3600
            match = replace(model, id=services.new_id(), turn_at=began)
            item = match_item(replace(match, scheduled_at=match.due_at))
            puts.append({"PutRequest": {"Item": item.serialize()}})
        client.batch_write_item(RequestItems={"do-dooni": puts})
    with metered() as consumed:
        report = sweep(Services(services.store, lambda: now))
    if (report.timed_out, report.finished) != (OVERDUE, True):
        raise RuntimeError(f"not what a sweep of these does: {report}")
    yield Row(f"sweep, {RUNNING} running, {OVERDUE} overdue, reads", consumed.read, "RCU", SWEEP_BAR)
