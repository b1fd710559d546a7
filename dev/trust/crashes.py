"""kill -9 of the API, and of the store, while a match is played: no acknowledged move may go, none may come twice."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from random import Random

from dev.trust.follower import Follower, ensure_alike
from dev.trust.phones import PATIENCE, Table, seat_four
from dev.trust.tally import Broken, Tally, ensure
from dev.trust.transport import Json, Transport
from dev.trust.whole_match import Nudge, followers_of, play_alone

MOST_MOVES_BETWEEN = 12
"""From one crash to the next."""


def play_through_crashes(
    doors: Sequence[Transport],
    crash: Callable[[], None],
    crashes: int,
    deals: int,
    tally: Tally,
    seed: int = 0,
    *,
    to_the_end: bool = False,
) -> None:
    """Matches of four, one behind each transport, whose phones play on by themselves; after some moves, `crash` is
    called (kill and start again), and so on. If they end first, new ones are begun; `to_the_end`: the last
    ones are played out."""
    chance = Random(seed)
    done = 0
    while done < crashes:
        tables = [seat_four(transport, seed + at, deals=deals) for at, transport in enumerate(doors)]
        done += _one_round(tables, crash, crashes - done, chance, tally, to_the_end=to_the_end)


def _one_round(
    tables: list[Table],
    crash: Callable[[], None],
    crashes: int,
    chance: Random,
    tally: Tally,
    *,
    to_the_end: bool,
) -> int:
    groups = [followers_of(table) for table in tables]
    followers = [follower for group in groups for follower in group]
    playing: list[Future[Json]] = []
    enough = threading.Event()
    done = 0

    def stopped() -> bool:
        return enough.is_set() or any(phone.done() and phone.exception() for phone in playing)

    with ThreadPoolExecutor(len(followers)) as pool:
        nudges = [Nudge() for _ in groups]
        playing += [
            pool.submit(play_alone, follower, nudge, stopped, chance.randrange(2**32))
            for group, nudge in zip(groups, nudges, strict=True)
            for follower in group
        ]
        try:
            while done < crashes and not all(phone.done() for phone in playing):
                _wait_for_moves(chance.randint(1, MOST_MOVES_BETWEEN), playing, followers)
                time.sleep(chance.uniform(0, 0.02))  # at whatever the next request is just then
                crash()
                done += 1
        finally:
            if not to_the_end:
                enough.set()
            for phone in playing:
                try:
                    phone.result(timeout=PATIENCE)
                except Broken as broken:
                    tally.add(str(broken))
    for group in groups:
        compare(group, tally)
    return done


def _wait_for_moves(number: int, playing: Sequence[Future[Json]], followers: Sequence[Follower]) -> None:
    """Until so many more moves are acknowledged, or a match is over: each crash meets phones that play."""

    def made() -> int:
        return sum(len(each.acknowledged) for each in followers)

    enough, until = made() + number, time.monotonic() + PATIENCE
    while made() < enough and not all(phone.done() for phone in playing):
        if time.monotonic() > until:
            raise TimeoutError(f"fewer than {number} moves in {PATIENCE:g} s")
        time.sleep(0.005)


def compare(group: list[Follower], tally: Tally) -> None:
    """After it all: the whole feed again from its beginning, as each phone is told it now. An attempt is a move that
    was acknowledged, or a phone's feed."""
    for follower in group:
        known = follower.forget()
        with tally.attempt(f"the feed as {follower.seat} had it"):
            follower.poll()
            ensure(follower.events[: len(known)] == known, "events that were told are gone or changed")
        with tally.attempt(f"moves of {follower.seat}"):
            for _ in range(follower.check_acknowledged() - 1):
                tally.add()
    with tally.attempt("four phones' feeds"):
        views = [follower.phone.get(follower.path) for follower in group]
        for follower, view in zip(group, views, strict=True):
            follower.check(view)
        ensure_alike(group, views)
