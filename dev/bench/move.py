"""A move's way through the app, against a bare Chalice view that does one GetItem and one conditional UpdateItem.

Both are called in this process with the events a gateway makes, in turns, on the same store, on items of the same
bytes. The time is the handler's, from event to answer.
"""

from __future__ import annotations

import gc
import os
import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from dev.bench.calls import (
    TABLE,
    Ask,
    Caller,
    Json,
    access_tokens,
    app_on_dynoxide,
    dynamodb,
    metered,
    next_move,
    open_table,
    succeeded,
)
from dev.bench.measure import Row, in_turns, timed

BAR = 1.3
MOVES = 400
MIDDLE_OF_A_DEAL = 30
"""Moves: the match's item is then as long as it is on average."""
BARE_MOVE = Ask("PUT", "/v1/matches/bare/moves/1", body={"type": "play", "card": "AS"})


def rows() -> Iterator[Row]:
    """The ratio, and the capacity of a move."""
    with app_on_dynoxide() as (caller, url):
        gc.set_threshold(50_000)  # as app.py does on Lambda
        table = BusyTable(caller)
        for _ in range(MIDDLE_OF_A_DEAL):
            succeeded(caller.send(table.next_move()))
        put_bare_item(url, table.match_id)
        from dev.bench.bare.app import app

        bare = Caller(app)

        def measured(caller: Caller, event: Json) -> tuple[float, float]:
            return timed(lambda: succeeded(caller.send(event)))

        ours, plain = in_turns(
            lambda: measured(caller, table.next_move()),
            lambda: measured(bare, bare.event(BARE_MOVE)),
            turns=MOVES,
            warm_up=20,
        )
        yield Row("move handler, wall", ours[0] / plain[0], "x bare", BAR)
        yield Row("move handler, CPU", ours[1] / plain[1], "x bare", BAR)
        event = table.next_move()
        with metered() as consumed:
            succeeded(caller.send(event))
        yield Row("move, reads", consumed.read, "RCU", 1)
        yield Row("move, writes", consumed.write, "WCU", 1)


@dataclass
class BusyTable:
    """Four people with the longest names, who move at random; a new match begins where one is over."""

    caller: Caller
    chance: random.Random = field(default_factory=lambda: random.Random(7))

    def __post_init__(self) -> None:
        self._tokens = access_tokens(self.caller)
        self.match_id = open_table(self.caller, self._tokens, deals=16)

    def next_move(self) -> Json:
        """The event of a move that ends no deal."""
        while True:
            move = next_move(self.caller, self._tokens, self.match_id, self.chance.choice)
            if move is None:
                self.match_id = open_table(self.caller, self._tokens, deals=16)
                continue
            view = self.caller.call(Ask("GET", f"/v1/matches/{self.match_id}", move.token))
            # The last card that anybody chooses brings the last trick, and the transaction that closes the deal.
            if sum(place["cards_left"] for place in view["seats"]) > 5:
                return self.caller.event(move)
            self.caller.call(move)


def put_bare_item(url: str, match_id: str) -> None:
    """A copy of the match's item, for the bare app to write."""
    client = dynamodb(url)
    item = client.get_item(TableName=TABLE, Key={"pk": {"S": f"match#{match_id}"}, "sk": {"S": "match"}})["Item"]
    os.environ["BARE_ITEM"] = "match#bare"
    client.put_item(TableName=TABLE, Item={**item, "pk": {"S": "match#bare"}})
