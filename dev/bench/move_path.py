"""A move's way through the app, against a bare Chalice view that does one GetItem and one conditional UpdateItem.

Both are called in this process with the events a gateway makes, in turns, on the same real store (dynoxide), on items
of the same bytes. The time is the handler's, from event to answer.
"""

from __future__ import annotations

import gc
import json
import os
import random
import secrets
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import botocore.session
from botocore.config import Config
from chalice.app import Chalice, Response
from chalice.local import LambdaContext, LambdaEventConverter, RouteMatcher

from dev.bench.bots import REQUEST_BAR, game_seconds
from dev.bench.capacity import metered
from dev.bench.row import Row
from dev.local.servers import STORE_CREDENTIALS, free_port, start_dynoxide
from dev.local.state import signing_keys

BAR = 1.3
MOVES = 400
MIDDLE_OF_A_DEAL = 30
"""Moves: the match's item is then as long as it is on average."""
NAME = "नमस्तेनमस्तेनमस्तेनमस्ते"
SEATS = ("north", "east", "south", "west")
Json = dict[str, Any]


def rows() -> Iterator[Row]:
    """Wall and CPU ratio, and the capacity of a move."""
    with tempfile.TemporaryDirectory() as folder, start_dynoxide(free_port()) as store:
        os.environ.update(
            STORE_CREDENTIALS,
            DO_DOONI_DYNAMODB_URL=store.url,
            DO_DOONI_TABLE="do-dooni",
            DO_DOONI_SIGNING_KEYS=signing_keys(Path(folder)),
            DO_DOONI_RATE_FACTOR="0",
        )
        from app import app
        from chalicelib.store import create_table

        gc.set_threshold(50_000)  # as app.py does on Lambda
        create_table()
        table = Table(Caller(app))
        for _ in range(MIDDLE_OF_A_DEAL):
            table.prepare_move()()
        bare = Bare(store.url, table.match_id)
        ours, plain = _race(table.prepare_move, bare.prepare_move)
        yield Row("move handler, wall", ours[0] / plain[0], "x bare", BAR)
        yield Row("move handler, CPU", ours[1] / plain[1], "x bare", BAR)
        yield Row("move handler, wall, by itself", 1000 * ours[0], "ms")
        move = table.prepare_move()
        with metered() as consumed:
            move()
        yield Row("move, reads", consumed.read, "RCU", 1)
        yield Row("move, writes", consumed.write, "WCU", 1)
        times = sorted(among_sharp_bots(Caller(app)))
        p95, game = times[len(times) * 95 // 100], statistics.median(game_seconds(seed) for seed in range(10))
        yield Row("move that three sharp bots answer, CPU, p95", p95 / game, "kernel games", REQUEST_BAR)
        yield Row("move that three sharp bots answer, CPU, p95, by itself", 1000 * p95, "ms")


class Caller:
    """Calls an app as its gateway would."""

    def __init__(self, app: Chalice) -> None:
        self._app = app
        self._events = LambdaEventConverter(RouteMatcher(list(app.routes)))

    def prepare(
        self, method: str, path: str, body: Json | None = None, token: str = "", etag: str = ""
    ) -> Callable[[], Json]:
        """The request made ready; calling the result is what is measured."""
        event = self.event(method, path, body, token, etag)
        return lambda: self.send(event)

    def send(self, event: Json) -> Json:
        """The app's answer to an event."""
        answer: Json = self._app(event, LambdaContext("bench", 1769))
        return answer

    def event(self, method: str, path: str, body: Json | None = None, token: str = "", etag: str = "") -> Json:
        """What the gateway hands to the function for a request."""
        headers = {"content-type": "application/json", "authorization": f"Bearer {token}", "accept": "*/*"}
        if etag:
            headers["if-none-match"] = etag
        text = None if body is None else json.dumps(body).encode()
        event: Json = self._events.create_lambda_event(method, path, headers, text)
        event["body"] = None if text is None else text.decode()
        event["requestContext"]["requestId"] = "bench"
        return event

    def call(self, method: str, path: str, body: Json | None = None, token: str = "") -> Json:
        answer = self.prepare(method, path, body, token)()
        if answer["statusCode"] >= 300:
            raise RuntimeError(f"{method} {path}: {answer['statusCode']} {answer['body']}")
        content: Json = json.loads(answer["body"])
        return content


def among_sharp_bots(caller: Caller, matches: int = 6) -> Iterator[float]:
    """CPU seconds, on one core, of each move of somebody who plays at random alone with three sharp bots."""
    token = caller.call("POST", "/v1/players", {})["tokens"]["access_token"]
    seats = {seat: {"type": "bot", "level": "sharp"} for seat in SEATS[1:]} | {"north": {"type": "human"}}
    chance = random.Random(5)
    for _ in range(matches):
        match = caller.call("POST", "/v1/matches", {"seats": seats}, token)["match"]
        while match["status"] == "playing":
            path = f"/v1/matches/{match['id']}/moves/{match['next_move']}"
            request = caller.prepare("PUT", path, chance.choice(match["you"]["legal_moves"]), token)
            began = time.process_time()
            answer = request()
            yield time.process_time() - began
            match = json.loads(answer["body"])["match"]


class Table:
    """Four people with the longest names, who play a random legal move whenever they are asked to."""

    def __init__(self, caller: Caller) -> None:
        self._call = caller
        self._chance = random.Random(7)
        signed_up = [caller.call("POST", "/v1/players", {"name": NAME[:24]}) for _ in SEATS]
        self._tokens = {seat: player["tokens"]["access_token"] for seat, player in zip(SEATS, signed_up, strict=True)}
        self.match_id = ""
        self._sit_down()

    def _sit_down(self) -> None:
        seats = {seat: {"type": "human" if seat == "north" else "empty"} for seat in SEATS}
        wishes = {"deals": 16, "seats": seats}
        match = self._call.call("POST", "/v1/matches", wishes, self._tokens["north"])["match"]
        self.match_id = match["id"]
        for seat in SEATS[1:]:
            self._call.call(
                "PUT",
                f"/v1/matches/{self.match_id}/seats/{seat}",
                {"type": "human", "code": match["invite"]["code"]},
                self._tokens[seat],
            )

    def prepare_move(self) -> Callable[[], Json]:
        """A move that ends no deal."""
        return self._call.prepare(*self._next_move())

    def next_move(self) -> Json:
        """The event of one."""
        return self._call.event(*self._next_move())

    def _next_move(self) -> tuple[str, str, Json, str]:
        while True:
            view = self._view("north")
            if view["status"] != "playing":
                self._sit_down()
                continue
            seat = view["deal"]["turn"]
            view = self._view(seat)
            move = self._chance.choice(view["you"]["legal_moves"])
            request = ("PUT", f"/v1/matches/{self.match_id}/moves/{view['next_move']}", move, self._tokens[seat])
            # The last card anybody chooses brings the last trick with it, and the transaction that closes the deal.
            if sum(place["cards_left"] for place in view["seats"]) > 5:
                return request
            self._call.call(*request)

    def _view(self, seat: str) -> Json:
        return self._call.call("GET", f"/v1/matches/{self.match_id}", token=self._tokens[seat])


class Bare:
    """The least that a Chalice view could do for a move: read the item, write it on its condition."""

    def __init__(self, url: str, match_id: str) -> None:
        client = botocore.session.get_session().create_client(
            "dynamodb",
            region_name="us-east-1",
            endpoint_url=url,
            config=Config(
                connect_timeout=1,
                read_timeout=1,
                retries={"total_max_attempts": 1, "mode": "standard"},
                parameter_validation=False,
                user_agent="do-dooni",
            ),
        )
        key = {"pk": {"S": f"match#{match_id}"}, "sk": {"S": "match"}}
        item = client.get_item(TableName="do-dooni", Key=key)["Item"]
        key["pk"]["S"] = f"match#{secrets.token_urlsafe(12)}"
        binary = max((name for name, value in item.items() if "B" in value), key=lambda name: len(item[name]["B"]))
        client.put_item(TableName="do-dooni", Item={**item, **key, "version": {"N": "0"}})
        app = Chalice("bare")

        @app.route("/v1/matches/{match_id}/moves/{move_number}", methods=["PUT"], cors=True)
        def move(match_id: str, move_number: str) -> Response:
            found = client.get_item(TableName="do-dooni", Key=key, ConsistentRead=True)["Item"]
            version = int(found["version"]["N"])
            client.update_item(
                TableName="do-dooni",
                Key=key,
                UpdateExpression="SET #v = :new, #b = :bytes",
                ConditionExpression="#v = :old",
                ExpressionAttributeNames={"#v": "version", "#b": binary},
                ExpressionAttributeValues={
                    ":new": {"N": str(version + 1)},
                    ":old": {"N": str(version)},
                    ":bytes": found[binary],
                },
            )
            return Response({"version": version + 1})

        self._call = Caller(app)

    def prepare_move(self) -> Callable[[], Json]:
        return self._call.prepare("PUT", "/v1/matches/bare/moves/1", {"type": "play", "card": "AS"})


def _race(*contenders: Callable[[], Callable[[], Json]]) -> list[tuple[float, float]]:
    """(Wall, CPU) seconds of each, called in turns: the mean of the lower half, since a busy machine only ever adds."""
    times: list[list[tuple[float, float]]] = [[] for _ in contenders]
    for turn in range(MOVES + 20):
        for prepare, taken in zip(contenders, times, strict=True):
            request = prepare()
            wall, cpu = time.perf_counter(), time.process_time()
            answer = request()
            taken.append((time.perf_counter() - wall, time.process_time() - cpu))
            if answer["statusCode"] != 200:
                raise RuntimeError(f"{answer['statusCode']} {answer['body']}")
        if turn < 20:
            times = [[] for _ in contenders]
    half = MOVES // 2
    return [tuple(statistics.mean(sorted(column)[:half]) for column in zip(*taken, strict=True)) for taken in times]
