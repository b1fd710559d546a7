"""Many at once: for one move, one seat, one start, one new match, one turn whose time is up."""

from __future__ import annotations

import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from random import Random

from chalicelib.service.clock.sweep import sweep
from chalicelib.service.services import Services
from dev.driver import Foursome, InProcess, Json, Player, Reply, seat_four, sign_up
from dev.trust.promise import Place, Race, Tally, ensure, promise, race

CALLERS = 50
SWEEPS = 3
TURN_SECONDS = 60
READ_WHILE = 130
"""Moves: past the ends of two deals, where what is read lies in several items."""


def events_of(four: Foursome) -> list[Json]:
    """The whole feed, which must be numbered 1, 2, …"""
    events = four.players[0].events(four.path)
    ensure([each["version"] for each in events] == list(range(1, len(events) + 1)), "the feed has a gap or a double")
    return events


def the_move(four: Foursome, number: int) -> Json:
    """The one event that tells of this move."""
    made = [event for event in events_of(four) if event.get("move_number") == number]
    ensure(len(made) == 1, f"move {number} was made {len(made)} times")
    return made[0]


def seat_in(view: Json, seat: str) -> Json:
    return next(each for each in view["seats"] if each["seat"] == seat)


def at_move(transport: InProcess, number: int, choices: int = 1) -> tuple[Foursome, Player, Json]:
    """Four at cards, somewhere in the first deal, and whose turn it is, with their view: so many moves are legal."""
    four = seat_four(transport, number)
    four.play(number % 40)
    while True:
        player, view = four.turn()
        if len(view["you"]["legal_moves"]) >= choices:
            return four, player, view
        four.play(1)


@race("two phones, two cards for one move: one is taken, the other is told 409 with the view", long=100, short=15)
def two_moves(transport: InProcess, number: int) -> Race:
    four, player, view = at_move(transport, number, choices=2)
    moves = four.chance.sample(view["you"]["legal_moves"], 2)
    replies = yield [partial(player.move, view, move) for move in moves]
    ensure(sorted(each.status for each in replies) == [200, 409], [each.status for each in replies])
    taken, refused = sorted(replies, key=lambda each: each.status)
    ensure(refused.code == "move_already_made", refused.code)
    ensure(refused.body["current"]["next_move"] > view["next_move"], "the current view is older than the move")
    ensure(moves[replies.index(taken)].items() <= the_move(four, view["next_move"]).items(), "another move is told")


@race("two phones, the same card for one move: 200 for both, made once", long=100, short=15)
def same_move(transport: InProcess, number: int) -> Race:
    four, player, view = at_move(transport, number)
    replies = yield [partial(player.move, view, view["you"]["legal_moves"][0])] * 2
    ensure([each.status for each in replies] == [200, 200], [each.status for each in replies])
    made = the_move(four, view["next_move"])
    ensure(all(made in each.body["events"] for each in replies), "the two are told differently")


@race(f"{CALLERS} at once for the last seat: one sits, the others get a clear 409", long=100, short=3)
def last_seat(transport: InProcess, number: int) -> Race:
    players = [sign_up(transport, f"Caller {each}") for each in range(CALLERS)]
    four = seat_four(transport, number, full=False)
    replies = yield [partial(player.sit, four.path, "west", four.code) for player in players]
    told = Counter((reply.status, reply.code) for reply in replies)
    ensure(told == {(200, ""): 1, (409, "seat_taken"): CALLERS - 1}, dict(told))
    winner = players[[reply.status for reply in replies].index(200)]
    view = four.players[0].get(four.path)
    ensure(seat_in(view, "west")["player"]["id"] == winner.id, "another one sits than was told so")
    ensure(view["status"] == "playing", "the table is full and has not started")
    ensure([event["type"] for event in events_of(four)].count("deal_started") == 1, "it was not dealt once")
    members = [each.id for each in players if transport.services.store.membership(each.id, four.match_id) is not None]
    ensure(members == [winner.id], f"{len(members)} of the callers are kept as members")
    # A table that may not be watched is not shown to whoever has no seat at it, the code notwithstanding.
    ensure(not any("current" in reply.body for reply in replies if reply.status == 409), "a loser is shown the table")


@race("leaving and sitting at once: each is answered as it stands in the one order of events", long=100, short=10)
def leave_and_sit(transport: InProcess, number: int) -> Race:
    seat = ("east", "west")[number % 2]
    four, caller = seat_four(transport, number, full=False), sign_up(transport, "Caller")

    def soon(call: partial[Reply]) -> Reply:
        time.sleep(four.chance.choice((0, four.chance.uniform(0, 0.03))))  # so that they cross in every order
        return call()

    calls = [partial(four.at("east").leave, four.path, "east"), partial(caller.sit, four.path, seat, four.code)]
    left, sat = yield [partial(soon, call) for call in calls]
    ensure(left.status == 200, f"leaving was answered {left.status} {left.code}")
    view = four.players[0].get(four.path)
    told = [(event["type"], event.get("seat")) for event in events_of(four)]
    leaving, holder = told.index(("seat_left", "east")), seat_in(view, seat).get("player", {}).get("id")
    if seat == "east" and sat.status == 409:
        ensure(sat.code == "seat_taken" and holder is None, f"{sat.code}, and the seat is {holder}'s")
        return "the seat was taken"
    ensure(sat.status == 200 and holder == caller.id, f"sitting was answered {sat.status} {sat.code}")
    sitting = max(at for at, each in enumerate(told) if each == ("seat_taken", seat))
    if seat == "east":
        ensure(leaving < sitting, "a seat was taken before it was left")
        return "left, then taken"
    started = view["status"] == "playing"
    ensure(started == (sitting < leaving), "it started with an empty seat, or did not with four players")
    ensure(seat_in(view, "east")["type"] == ("bot" if started else "empty"), "the seat that was left is no bot's")
    return "started, then left" if started else "left, not started"


@race("a start from many sides at once, while the last one sits down, happens once", long=50, short=5)
def start_once(transport: InProcess, number: int) -> Race:
    four = seat_four(transport, number, full=False)
    starts = [partial(four.players[0].insist, "POST", f"{four.path}/start")] * 5
    *started, sat = yield [*starts, partial(four.players[3].sit, four.path, "west", four.code)]
    ensure(all(reply.status == 200 for reply in started), [reply.status for reply in started])
    ensure(sat.status in (200, 409), f"sitting was answered {sat.status} {sat.code}")
    types = Counter(event["type"] for event in events_of(four))
    ensure(types["match_started"] == types["deal_started"] == 1, types)
    ensure(len({reply.body["match"]["deal"]["commitment"] for reply in started}) == 1, "two deals were dealt")


@race("one Idempotency-Key, or one rematch, from many sides at once makes one match", long=20, short=3)
def create_once(transport: InProcess, number: int) -> Race:
    player, key = sign_up(transport), {"Idempotency-Key": f"key-{number}"}
    four = seat_four(transport, deals=1)
    four.play(60)
    for calls in (
        [partial(player.insist, "POST", "/matches", {}, key)] * 8,
        [partial(each.insist, "POST", f"{four.path}/rematch") for each in four.players],
    ):
        replies = yield calls
        ensure({reply.status for reply in replies} == {201}, [reply.text[:100] for reply in replies])
        ensure(len({reply.body["match"]["id"] for reply in replies}) == 1, "two matches were made")
    ensure(len(player.get("/matches")["items"]) == 1, "the list has another number of matches")


@race("a turn whose time is up, swept from many sides while its player moves, is made once", long=60, short=8)
def time_out_once(transport: InProcess, number: int) -> Race:
    began = int(time.time())
    on_time, late = (Services(transport.services.store, partial(int, began + each)) for each in (0, TURN_SECONDS + 1))
    four = seat_four(InProcess(on_time), number, turn_seconds=TURN_SECONDS)
    four.play(number % 12)
    player, view = four.turn()
    mover = player.through(InProcess(late))
    *_, reply = yield [partial(sweep, late)] * SWEEPS + [partial(mover.move, view, view["you"]["legal_moves"][0])]
    move = the_move(four, view["next_move"])
    timed_out = [each for each in events_of(four) if each.get("actor") == "timeout" and "move_number" in each]
    ensure(len(timed_out) == (move["actor"] == "timeout"), f"{len(timed_out)} time-outs, the move is {move['actor']}'s")
    if reply.status != 200:
        ensure((reply.status, reply.code) == (409, "move_already_made"), f"{reply.status} {reply.code}")
        ensure(move["actor"] == "timeout", f"the player was told 409, and the move is the {move['actor']}'s")
    return f"the {move['actor']}"


@promise(
    "a feed read while others move tells each event once, in order, as it is told ever after", long=5000, short=300
)
def read_while_played(place: Place, tally: Tally, reads: int) -> None:
    """Two players read from anywhere while four play; what they were told is compared with the feed of the end."""
    transport = place.transport()
    with ThreadPoolExecutor(2) as pool:
        while tally.tried < reads:
            four, over = seat_four(transport, tally.tried), threading.Event()
            reading = [pool.submit(_read_on, player, four.path, over) for player in four.players[:2]]
            try:
                four.play(READ_WHILE)
            finally:
                over.set()
            for player, pages in zip(four.players, reading, strict=False):
                whole = player.events(four.path)
                for after, page in pages.result():
                    told = page["items"], page["version"]
                    tally.expect((whole[after : page["version"]], after + len(page["items"])), told, f"after {after}")


def _read_on(player: Player, path: str, over: threading.Event) -> list[tuple[int, Json]]:
    """Pages of the feed, each with the version it was asked after."""
    chance, version = Random(player.id), 0
    pages: list[tuple[int, Json]] = []
    while not over.is_set():
        after = chance.choice((0, chance.randint(0, version), version))
        pages.append((after, player.get(f"{path}/events?after={after}&limit=1000")))
        version = max(version, pages[-1][1]["version"])
    return pages
