"""A whole match over HTTP: four phones that check each other at every move, and what each move costs the store."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from dev.trust.follower import Follower, ensure_alike
from dev.trust.items import match_item, size_of
from dev.trust.phones import SEATS, Table, seat_four
from dev.trust.proxy import Call
from dev.trust.tally import Broken, Tally
from dev.trust.transport import Json, Transport

READS = frozenset(("GetItem", "BatchGetItem", "Query"))
LARGEST_ITEM = 1023
"""Bytes a match item may have, so that writing it is 1 WCU."""


@dataclass
class Meter:
    """What the store says each call consumed; `take` empties it."""

    calls: list[tuple[str, float]] = field(default_factory=list)

    def __call__(self, call: Call, answer: dict[str, Any]) -> None:
        told = answer.get("ConsumedCapacity", [])
        units = sum(each["CapacityUnits"] for each in (told if isinstance(told, list) else [told]))
        self.calls.append((call.operation, units))

    def take(self) -> tuple[tuple[str, float], ...]:
        taken, self.calls = tuple(self.calls), []
        return taken


MOVE_COST = (("GetItem", 1.0), ("UpdateItem", 1.0))


def followers_of(table: Table) -> list[Follower]:
    return [Follower(phone, table.path, seat) for seat, phone in zip(SEATS, table.phones, strict=True)]


def play_checked(
    transport: Transport, meter: Meter, store: Any, table_name: str, deals: int, seed: int = 0
) -> tuple[Tally, Tally]:
    """Play a match of four, the longest names, random legal moves. Returns the tallies of consistency and of cost."""
    alike = Tally("four phones are told one story, at every move of a whole match")
    cost = Tally("a move costs 1 RCU and 1 WCU, and its match item is under 1,024 bytes")
    meter.take()
    table = seat_four(transport, seed, deals=deals)
    dear = Counter({("sitting down and starting", meter.take()): 1})
    followers = followers_of(table)
    largest = compared = 0
    for follower in followers:
        follower.poll()
    views = [follower.phone.get(table.path) for follower in followers]
    while views[0]["status"] == "playing":
        at = SEATS.index(views[0]["deal"]["turn"])
        number, deal, left = (
            views[at]["next_move"],
            views[at]["deal"]["deal_number"],
            views[at]["seats"][at]["cards_left"],
        )
        try:
            meter.take()
            followers[at].make(views[at], table.chance.choice(views[at]["you"]["legal_moves"]))
            paid = meter.take()
            views = [follower.phone.get(table.path) for follower in followers]
            for follower, view in zip(followers, views, strict=True):
                follower.check(view)  # reads on in the feed, but for who has moved
            compared = ensure_alike(followers, views, compared)
        except Broken as broken:
            alike.add(f"move {number}: {broken}")
            views = [follower.phone.get(table.path) for follower in followers]
        else:
            alike.add()
        size = size_of(match_item(store, table_name, table.match_id))
        largest = max(largest, size)
        closes = views[0]["status"] != "playing" or views[0]["deal"]["deal_number"] != deal
        if closes:
            what = "closing the match" if views[0]["status"] != "playing" else "closing a deal"
            dear[what, paid] += 1
        fits = size <= LARGEST_ITEM and (closes or paid == MOVE_COST)
        cost.add(None if fits else f"move {number} ({left} cards left) cost {paid}, item {size} bytes")
    for follower in followers:
        with alike.attempt("acknowledged moves"):
            follower.check_acknowledged()
    cost.notes.append(f"largest match item {largest} bytes")
    for (what, calls), times in dear.items():
        spent: dict[str, float] = {}
        for operation, units in calls:
            spent[operation] = spent.get(operation, 0) + units
        told = ", ".join(f"{operation} {units:g}" for operation, units in spent.items())
        cost.notes.append(f"{what} x {times}: {told}")
    return alike, cost


@dataclass
class Nudge:
    """Tells the phones of a table that something may have happened, as a push notification would."""

    happened: threading.Condition = field(default_factory=threading.Condition)

    def give(self) -> None:
        with self.happened:
            self.happened.notify_all()

    def wait(self, seconds: float) -> None:
        with self.happened:
            self.happened.wait(seconds)


def play_alone(follower: Follower, nudge: Nudge, stopped: Callable[[], bool], seed: int, repeats: float = 0) -> Json:
    """One phone by itself, in a thread of its own: poll, move when it is its turn, until the match is over. So many of
    its moves it sends again."""
    chance = Random(seed)
    while not stopped():
        view = follower.phone.get(follower.path)
        follower.check(view)
        if view["status"] not in ("waiting", "playing"):
            nudge.give()
            return view
        if view["you"]["legal_moves"]:
            move = chance.choice(view["you"]["legal_moves"])
            for _ in range(2 if chance.random() < repeats else 1):
                reply = follower.phone.insist("PUT", f"{follower.path}/moves/{view['next_move']}", move)
                if reply.status != 200:
                    raise Broken(f"{reply.status} {reply.code} to a legal move in turn")
                follower.acknowledged[view["next_move"]] = move
            follower.poll()
            nudge.give()
        else:
            nudge.wait(0.25)
    return None
