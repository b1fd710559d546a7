"""Whole matches: what four players are told and what each move costs, and kill -9 of the API and of the store."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

from chalicelib.service.services import Services
from chalicelib.store import DynamoStore, create_table
from dev.driver import PATIENCE, SEATS, InProcess, OverHttp, Player, Transport, seat_four
from dev.item_size import MOST_FOR_ONE_WRITE_UNIT, item_size
from dev.local.servers import ApiProcess, free_port, start_dynoxide
from dev.trust.follower import Follower, ensure_alike, followers_of, play_on
from dev.trust.items import bare_client
from dev.trust.leaks import found_in, secrets_of
from dev.trust.promise import Place, Tally, ensure, promise

MOVE_COST = [("GetItem", 1.0), ("UpdateItem", 1.0)]
MOST_MOVES_BETWEEN = 12
"""From one crash to the next."""


@promise(
    "four players are told one story at every move; a move costs 1 RCU and 1 WCU, its item is below 1,024 bytes",
    long=16,
    short=2,
)
def whole_match(place: Place, tally: Tally, deals: int) -> None:
    paid: list[tuple[str, float]] = []
    table, store = place.table(), bare_client(place.store_url())

    def pay(operation: str, consumed: Any) -> None:
        each = consumed if isinstance(consumed, list) else [consumed]
        paid.append((operation, sum(one["CapacityUnits"] for one in each)))

    services = Services(DynamoStore(table, place.store_url(), call_seconds=PATIENCE, on_capacity=pay))
    four = seat_four(InProcess(services), deals=deals)
    followers, dear, largest, seen = followers_of(four), Counter[str](), 0, 0
    key = {"pk": {"S": f"match#{four.match_id}"}, "sk": {"S": "match"}}
    view = followers[0].look()
    while view["status"] == "playing":
        mover = followers[SEATS.index(view["deal"]["turn"])]
        legal = mover.look()
        with tally.attempt(f"move {view['next_move']}"):
            paid.clear()
            mover.make(legal, four.chance.choice(legal["you"]["legal_moves"]))
            cost = [*paid]
            ensure_alike(followers, seen)
            seen = len(followers[0].events)
            size = item_size(store.get_item(TableName=table, Key=key, ConsistentRead=True)["Item"])
            largest = max(largest, size)
            closes = mover.screen.deal is None or mover.screen.deal.number != view["deal"]["deal_number"]
            closes |= mover.screen.status != "playing"
            if closes:
                dear[", ".join(f"{operation} {units:g}" for operation, units in cost)] += 1
            ensure(size <= MOST_FOR_ONE_WRITE_UNIT, f"the item has {size} bytes")
            ensure(closes or cost == MOVE_COST, f"it cost {cost}")
        view = followers[0].look()
    for follower in followers:
        with tally.attempt("acknowledged moves"):
            follower.settle()
    closing = "; ".join(f"closing a deal {times} x {calls}" for calls, times in dear.items())
    tally.notes += [f"largest match item {largest} bytes", closing]


@promise(
    "the API killed (kill -9) and restarted in the middle of a match: no move lost, none doubled", long=10, short=4
)
def dying_api(place: Place, tally: Tally, crashes: int) -> None:
    api = ApiProcess(place.store_url(), place.table(), place.folder / "api.log").start()

    def crash() -> None:
        api.kill()
        api.start()

    try:
        with OverHttp(api.url) as transport:
            players = play_through_crashes([transport], crash, crashes, tally)
    finally:
        api.stop()
    lines = api.log.read_text().splitlines()
    tally.expect([], list(found_in(lines, secrets_of(players, ()))), "what the API's process has printed")


@promise("the store killed (kill -9) and restarted under load: no acknowledged move lost", long=20, short=4)
def dying_store(place: Place, tally: Tally, crashes: int) -> None:
    port = free_port()
    killed_store(lambda: start_dynoxide(port, place.folder / "store.db"), tally, crashes)


def killed_store(start: Callable[[], Any], tally: Tally, crashes: int) -> None:
    """`start` starts the store, each time on the same port and file."""
    servers = [start()]

    def crash() -> None:
        servers[-1].kill()
        servers.append(start())

    try:
        create_table("killed", servers[0].url)
        transport = InProcess(Services(DynamoStore("killed", servers[0].url)))
        play_through_crashes([transport] * 3, crash, crashes, tally)
    finally:
        servers[-1].stop()


def play_through_crashes(
    transports: Sequence[Transport],
    crash: Callable[[], None],
    crashes: int,
    tally: Tally,
) -> list[Player]:
    """A match behind each transport, whose players play on by themselves; after some moves `crash` is called (kill and
    start again), and so on. An attempt is a player's feed, with all acknowledged moves. Returns all who played."""
    chance, crashed, moves, players = Random(crashes), 0, 0, list[Player]()
    while crashed < crashes:
        over, groups = threading.Event(), [followers_of(seat_four(each, deals=4)) for each in transports]

        def made(groups: list[list[Follower]] = groups) -> int:
            return sum(len(follower.acknowledged) for group in groups for follower in group)

        with ThreadPoolExecutor(len(groups)) as pool:
            playing = [pool.submit(play_on, group, Random(chance.random()), over.is_set) for group in groups]
            try:
                while crashed < crashes and not any(each.done() for each in playing):
                    enough = made() + chance.randint(1, MOST_MOVES_BETWEEN)
                    while made() < enough and not any(each.done() for each in playing):
                        time.sleep(0.005)
                    time.sleep(chance.uniform(0, 0.02))  # at whatever the next request is just then
                    crash()
                    crashed += 1
            finally:
                over.set()
        for group, playing_group in zip(groups, playing, strict=True):
            with tally.attempt("playing on"):
                playing_group.result()
            for follower in group:
                with tally.attempt(f"what {follower.seat} was told and has made"):
                    follower.settle()
            with tally.attempt("four players"):
                ensure_alike(group)
            players += [follower.player for follower in group]
        moves += made()
    tally.notes.append(f"{crashed} crashes, {moves} acknowledged moves")
    return players
