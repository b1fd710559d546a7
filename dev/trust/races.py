"""Many at once: for one move, one seat, one start, one refresh token."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from dev.trust.phones import Table, seat_four
from dev.trust.tally import Tally, ensure
from dev.trust.transport import Reply, Transport

T = TypeVar("T")


def at_once(pool: ThreadPoolExecutor, calls: Sequence[Callable[[], T]]) -> list[T]:
    """Call all of them at the same moment, each in a thread of its own; their results in order."""
    gate = threading.Barrier(len(calls))

    def through_gate(call: Callable[[], T]) -> T:
        gate.wait()
        return call()

    return list(pool.map(through_gate, calls))


def two_phones(transport: Transport, times: int, seed: int = 0) -> tuple[Tally, Tally]:
    """Two devices of one player make a move at once: different ones, and the same."""
    different = Tally("two phones, two cards for one move: one is taken, the other is told 409 with the view")
    same = Tally("two phones, the same card for one move: 200 for both")
    table = seat_four(transport, seed)
    with ThreadPoolExecutor(2) as pool:
        while different.tried < times or same.tried < times:
            phone, view = table.turn()
            if view["status"] != "playing":
                table = seat_four(transport, seed + different.tried)
                continue
            legal = view["you"]["legal_moves"]
            path = f"{table.path}/moves/{view['next_move']}"
            if same.tried < different.tried or (len(legal) == 1 and same.tried < times):
                move = table.chance.choice(legal)
                replies = at_once(pool, [lambda: phone.insist("PUT", path, move)] * 2)  # noqa: B023 - called here
                with same.attempt(path):
                    ensure([200, 200] == [each.status for each in replies], f"{[each.status for each in replies]}")
                    ensure(len({_move_event(each, view["next_move"]) for each in replies}) == 1, "told differently")
            elif len(legal) > 1:
                moves = table.chance.sample(legal, 2)
                replies = at_once(
                    pool,
                    [
                        lambda: phone.insist("PUT", path, moves[0]),  # noqa: B023 - called here
                        lambda: phone.insist("PUT", path, moves[1]),  # noqa: B023 - called here
                    ],
                )
                with different.attempt(path):
                    _one_of_two(table, replies, moves, view["next_move"])
            else:
                phone.put(path, legal[0])
    return different, same


def _move_event(reply: Reply, number: int) -> str:
    return str([event for event in reply.json["events"] if event.get("move_number") == number])


def _one_of_two(table: Table, replies: list[Reply], moves: list[dict[str, object]], number: int) -> None:
    ensure([200, 409] == sorted(each.status for each in replies), f"{[each.status for each in replies]}")
    taken, refused = sorted(replies, key=lambda each: each.status)
    move = moves[replies.index(taken)]
    ensure("move_already_made" == refused.code, refused.code)
    current = refused.json["current"]
    ensure(current["next_move"] > number, "the current view is older than the move")
    made = [
        event
        for event in table.phones[0].get(f"{table.path}/events?limit=1000")["items"]
        if event.get("move_number") == number
    ]
    ensure(len(made) == 1, f"move {number} was made {len(made)} times")
    ensure(move.items() <= made[0].items() | {("type", made[0]["type"])}, f"{move} was taken, {made[0]} is told")
