"""A move's way through the app, against a bare Chalice view that does one GetItem and one conditional UpdateItem.

Both are called in this process with the events a gateway makes, in turns, on the same store, on items of the same
bytes. The time is the handler's, from event to answer.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator

from dev.bench.calls import TABLE, Caller, app_on_dynoxide, dynamodb, metered
from dev.bench.measure import Row, in_turns, timed
from dev.driver import Json, seat_four

BAR = 1.3
MOVES = 400
MIDDLE_OF_A_DEAL = 30
"""Moves: the match's item is then as long as it is on average."""
BARE_MOVE = ("PUT", "/matches/bare/moves/1", {"type": "play", "card": "AS"})


def rows() -> Iterator[Row]:
    """The ratio, and the capacity of a move."""
    with app_on_dynoxide() as (caller, url):
        gc.set_threshold(50_000)  # as app.py does on Lambda
        table = BusyTable(caller)
        for _ in range(MIDDLE_OF_A_DEAL):
            caller.answer(table.next_move())
        put_bare_item(url, table.four.match_id)
        from dev.bench.bare.app import app

        bare = Caller(app)

        def measured(caller: Caller, event: Json) -> tuple[float, float]:
            return timed(lambda: caller.answer(event))

        ours, plain = in_turns(
            lambda: measured(caller, table.next_move()),
            lambda: measured(bare, bare.event(*BARE_MOVE)),
            turns=MOVES,
            warm_up=20,
        )
        yield Row("move handler, wall", ours[0] / plain[0], "x bare", BAR)
        yield Row("move handler, CPU", ours[1] / plain[1], "x bare", BAR)
        event = table.next_move()
        with metered() as consumed:
            caller.answer(event)
        yield Row("move, reads", consumed.read, "RCU", 1)
        yield Row("move, writes", consumed.write, "WCU", 1)


class BusyTable:
    """Four people with the longest names, who move at random; a new match begins where one is over."""

    def __init__(self, caller: Caller) -> None:
        self._caller, self.four = caller, seat_four(caller)

    def next_move(self) -> Json:
        """The event of a move that ends no deal."""
        while True:
            player, view = self.four.turn()
            if view["status"] != "playing":
                self.four = seat_four(self._caller)
            # The last card that anybody chooses brings the last trick, and the transaction that closes the deal.
            elif sum(place["cards_left"] for place in view["seats"]) > 5:
                path = f"{self.four.path}/moves/{view['next_move']}"
                move = self.four.chance.choice(view["you"]["legal_moves"])
                return self._caller.event("PUT", path, move, {"Authorization": f"Bearer {player.access}"})
            else:
                self.four.play(1)


def put_bare_item(url: str, match_id: str) -> None:
    """A copy of the match's item, for the bare app to write."""
    client = dynamodb(url)
    item = client.get_item(TableName=TABLE, Key={"pk": {"S": f"match#{match_id}"}, "sk": {"S": "match"}})["Item"]
    os.environ["BARE_ITEM"] = "match#bare"
    client.put_item(TableName=TABLE, Item={**item, "pk": {"S": "match#bare"}})
