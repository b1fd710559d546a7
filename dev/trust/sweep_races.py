"""The sweep, twice at once and against the player whose time is up: one move is made, and everybody is told which."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from time import time

from chalicelib.service.clock.sweep import sweep
from chalicelib.service.ports import Store
from chalicelib.service.services import Services
from dev.trust.phones import Phone, Table, seat_four
from dev.trust.races import at_once
from dev.trust.tally import Tally, ensure
from dev.trust.transport import InProcess, Json, Reply

TURN_SECONDS = 60


def time_out_once(store: Store, rounds: int, sweeps: int = 3) -> Tally:
    """So many sweeps at once over a turn whose time is up, while its player moves after all."""
    tally = Tally("a turn whose time is up, swept from many sides while its player moves, is made once")
    made = Counter[str]()
    with ThreadPoolExecutor(sweeps + 1) as pool:
        for number in range(rounds):
            began = int(time())
            transport = InProcess(Services(store, partial(int, began)))
            late = Services(store, partial(int, began + TURN_SECONDS + 1))
            table = seat_four(transport, number, turn_seconds=TURN_SECONDS)
            table.play(number % 12)
            phone, view = table.turn()
            move = table.chance.choice(view["you"]["legal_moves"])
            path = f"{table.path}/moves/{view['next_move']}"
            phone = phone.through(InProcess(late))
            calls = [partial(_swept, late)] * sweeps + [partial(phone.insist, "PUT", path, move)]
            *_, reply = at_once(pool, calls)
            with tally.attempt(f"round {number}"):
                assert reply is not None
                made[_made(table, phone, view["next_move"], reply)] += 1
    tally.notes.append(", ".join(f"{who} {times} times" for who, times in sorted(made.items())))
    return tally


def _swept(services: Services) -> None:
    sweep(services)


def _made(table: Table, phone: Phone, number: int, reply: Reply) -> str:
    events: list[Json] = phone.get(f"{table.path}/events?limit=1000")["items"]
    ensure([each["version"] for each in events] == list(range(1, len(events) + 1)), "the feed has a gap or a double")
    moves = [event for event in events if event.get("move_number") == number]
    ensure(len(moves) == 1, f"move {number} was made {len(moves)} times")
    timed_out = [event for event in events if event.get("actor") == "timeout" and "move_number" in event]
    actor = str(moves[0]["actor"])
    ensure(len(timed_out) == (actor == "timeout"), f"{len(timed_out)} time-outs, and the move is the {actor}'s")
    if reply.status == 200:
        return f"the {actor}"
    ensure((reply.status, reply.code) == (409, "move_already_made"), f"{reply.status} {reply.code}")
    ensure(actor == "timeout", f"the player was told 409, and the move is the {actor}'s")
    return f"the {actor}"
