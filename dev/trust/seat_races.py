"""Many at once for a seat, a start, a new match, a refresh token: one has it, and the others are told so."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from random import Random

from dev.trust.phones import NONCE, Phone, Table, seat_four, sign_up
from dev.trust.races import at_once
from dev.trust.tally import Tally, ensure
from dev.trust.transport import InProcess, Json, Reply


def events_of(table: Table, by: str = "north") -> list[Json]:
    """The whole feed, which must be numbered 1, 2, …"""
    events: list[Json] = table.at(by).get(f"{table.path}/events?limit=1000")["items"]
    ensure([each["version"] for each in events] == list(range(1, len(events) + 1)), "the feed has a gap or a double")
    return events


def seat_in(view: Json, seat: str) -> Json:
    return next(each for each in view["seats"] if each["seat"] == seat)


def last_seat(transport: InProcess, rounds: int, callers: int = 50) -> Tally:
    """So many callers at once for the last seat of a table."""
    tally = Tally(f"{callers} at once for the last seat: one sits, the others get a clear 409")
    phones = [sign_up(transport, f"Caller {number}") for number in range(callers)]
    with ThreadPoolExecutor(callers) as pool:
        for number in range(rounds):
            table = seat_four(transport, number, full=False)
            claim = {"type": "human", "code": table.code}
            path = f"{table.path}/seats/west"
            replies = at_once(pool, [partial(phone.insist, "PUT", path, claim) for phone in phones])
            with tally.attempt(f"round {number}"):
                _one_sat(transport, table, phones, replies)
    return tally


def _one_sat(transport: InProcess, table: Table, phones: Sequence[Phone], replies: Sequence[Reply]) -> None:
    told = Counter((reply.status, reply.code) for reply in replies)
    ensure(told == {(200, ""): 1, (409, "seat_taken"): len(phones) - 1}, f"{dict(told)}")
    winner = phones[[reply.status for reply in replies].index(200)]
    view = table.at("north").get(table.path)
    ensure(seat_in(view, "west")["player"]["id"] == winner.id, "another one sits than was told so")
    ensure(view["status"] == "playing", "the table is full and has not started")
    ensure(Counter(event["type"] for event in events_of(table))["deal_started"] == 1, "it was not dealt once")
    members = [
        phone.id for phone in phones if transport.services.store.membership(phone.id, table.match_id) is not None
    ]
    ensure(members == [winner.id], f"{len(members)} of the callers are kept as members")
    for reply in replies:
        if reply.status == 409:
            # A table that may not be watched is not shown to whoever has no seat at it, the code notwithstanding.
            ensure("current" not in reply.json, "a loser is shown the table")


def leave_and_sit(transport: InProcess, rounds: int) -> Tally:
    """East leaves while somebody sits down there; and while somebody takes the last seat."""
    tally = Tally("leaving and sitting at once: each is answered as it stands in the one order of events")
    outcomes = Counter[str]()
    with ThreadPoolExecutor(2) as pool:
        for number in range(rounds):
            seat = ("east", "west")[number % 2]
            table, caller = seat_four(transport, number, full=False), sign_up(transport, "Caller")
            claim = {"type": "human", "code": table.code}
            left, sat = at_once(
                pool,
                [
                    _soon(table.chance, partial(table.at("east").insist, "DELETE", f"{table.path}/seats/east")),
                    _soon(table.chance, partial(caller.insist, "PUT", f"{table.path}/seats/{seat}", claim)),
                ],
            )
            with tally.attempt(f"{seat}, round {number}"):
                outcomes[_crossed(table, caller, seat, left, sat)] += 1
    tally.notes.append(", ".join(f"{outcome} {times} times" for outcome, times in sorted(outcomes.items())))
    return tally


def _soon(chance: Random, call: Callable[[], Reply]) -> Callable[[], Reply]:
    """A moment later or not: the two cross in every order."""
    wait = chance.choice((0, chance.uniform(0, 0.03)))

    def later() -> Reply:
        time.sleep(wait)
        return call()

    return later


def _crossed(table: Table, caller: Phone, seat: str, left: Reply, sat: Reply) -> str:
    ensure(left.status == 200, f"leaving was answered {left.status} {left.code}")
    view, events = table.at("north").get(table.path), events_of(table)
    told = [(event["type"], event.get("seat")) for event in events]
    leaving = told.index(("seat_left", "east"))
    holder = seat_in(view, seat).get("player", {}).get("id")
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
    east = seat_in(view, "east")
    ensure(east["type"] == ("bot" if started else "empty"), f"the seat that was left is {east['type']}")
    return "started, then left" if started else "left, not started"


def start_once(transport: InProcess, rounds: int) -> Tally:
    """The host says start, five times at once, while the last one sits down."""
    tally = Tally("a start from many sides at once happens once")
    with ThreadPoolExecutor(6) as pool:
        for number in range(rounds):
            table = seat_four(transport, number, full=False)
            west = table.phones[3]
            claim = {"type": "human", "code": table.code}
            calls = [partial(table.at("north").insist, "POST", f"{table.path}/start")] * 5
            calls.append(partial(west.insist, "PUT", f"{table.path}/seats/west", claim))
            *started, sat = at_once(pool, calls)
            with tally.attempt(f"round {number}"):
                ensure(all(reply.status == 200 for reply in started), f"{[reply.status for reply in started]}")
                ensure(sat.status in (200, 409), f"sitting was answered {sat.status} {sat.code}")
                kinds = Counter(event["type"] for event in events_of(table))
                ensure(kinds["match_started"] == kinds["deal_started"] == 1, f"{kinds}")
                secrets = {reply.json["match"]["deal"]["commitment"] for reply in started}
                ensure(len(secrets) == 1, "two deals were dealt")
    return tally


def create_once(transport: InProcess, rounds: int, callers: int = 8) -> Tally:
    """The same creating request under one Idempotency-Key at once; and a rematch asked for by all four at once."""
    tally = Tally("one Idempotency-Key, or one rematch, from many sides at once makes one match")
    with ThreadPoolExecutor(callers) as pool:
        for number in range(rounds):
            phone, key = sign_up(transport), {"Idempotency-Key": f"key {number}".replace(" ", "-")}
            replies = at_once(pool, [partial(phone.insist, "POST", "/matches", {}, key)] * callers)
            with tally.attempt(f"creating, round {number}"):
                ensure({reply.status for reply in replies} == {201}, f"{[reply.status for reply in replies]}")
                ensure(len({reply.json["match"]["id"] for reply in replies}) == 1, "two matches were made")
                ensure(len(phone.get("/matches")["items"]) == 1, "the list has another number of matches")
        table = seat_four(transport, deals=1)
        table.play(60)
        asked = [partial(phone.insist, "POST", f"{table.path}/rematch") for phone in table.phones]
        replies = at_once(pool, asked)
        with tally.attempt("rematch"):
            ensure({reply.status for reply in replies} == {201}, f"{[reply.text[:100] for reply in replies]}")
            ensure(len({reply.json["match"]["id"] for reply in replies}) == 1, "two rematches were made")
    return tally


def refresh_once(transport: InProcess, rounds: int, callers: int = 8) -> Tally:
    """One refresh token from many sides at once: one successor, and the device stays signed in."""
    tally = Tally("a refresh token sent many times at once has one successor, and signs nobody out")
    with ThreadPoolExecutor(callers) as pool:
        phone = sign_up(transport)
        for number in range(rounds):
            nonce = f"{NONCE}-{number}"
            ask = {"type": "refresh", "refresh_token": phone.refresh, "client_nonce": nonce}
            replies = at_once(pool, [partial(Phone(transport).insist, "POST", "/tokens", ask)] * callers)
            with tally.attempt(f"round {number}"):
                ensure({reply.status for reply in replies} == {200}, f"{[reply.code for reply in replies]}")
                tokens = {reply.json["tokens"]["refresh_token"] for reply in replies}
                ensure(len(tokens) == 1 and phone.refresh not in tokens, "not one successor")
                phone.refresh = tokens.pop()
    return tally
