"""One request of every kind there is, each at a table that stands as it must for the request to do its work."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from dev.trust.phones import NONCE, SEATS, Phone, Table, seat_four, sign_up
from dev.trust.transport import Json, Transport

NOW = 1_900_000_000
SWEEP = "SWEEP"
"""The method of what is no request: the clock's own work."""


@dataclass(frozen=True)
class Ask:
    """A request that is to be attacked."""

    phone: Phone
    method: str
    path: str
    body: Json = None
    headers: Mapping[str, str] = field(default_factory=dict)
    repeatable: bool = True
    """False: each repeat makes something of its own, which harms nothing (a guest nobody knows of, a code)."""
    later: int = 0
    """Seconds after the table was prepared."""


@dataclass(frozen=True)
class Scenario:
    name: str
    operation_id: str
    prepare: Callable[[Transport], Ask]


def _new_guest(transport: Transport) -> Ask:
    return Ask(Phone(transport), "POST", "/players", {"name": "Asha"}, repeatable=False)


def _refresh(transport: Transport) -> Ask:
    phone = sign_up(transport)
    return Ask(
        Phone(transport), "POST", "/tokens", {"type": "refresh", "refresh_token": phone.refresh, "client_nonce": NONCE}
    )


def _transfer(transport: Transport) -> Ask:
    code = sign_up(transport).post("/me/transfer-codes")["code"]
    return Ask(Phone(transport), "POST", "/tokens", {"type": "transfer", "code": code, "client_nonce": NONCE})


def _recover(transport: Transport) -> Ask:
    code = sign_up(transport).post("/me/recovery-code")["code"]
    return Ask(Phone(transport), "POST", "/tokens", {"type": "recovery", "code": code, "client_nonce": NONCE})


def _me(transport: Transport) -> Phone:
    """A guest with a table that waits, one that plays, one that is over, and one that plays without them."""
    me = sign_up(transport, "Asha")
    for moves, leaves in ((0, False), (9, False), (60, False), (9, True)):
        host = sign_up(transport, "Host")
        wishes = {"deals": 1, "start": "by_host", "seats": {"north": {"type": "human"}, "west": {"type": "bot"}}}
        match = host.post("/matches", wishes, {"Idempotency-Key": f"table-{moves}-{leaves}"})["match"]
        path, code = f"/matches/{match['id']}", match["invite"]["code"]
        me.put(f"{path}/seats/east", {"type": "human", "code": code})
        if moves:
            host.post(f"{path}/start")
            _play_on(path, {"north": host, "east": me}, moves)
        if leaves:
            me.insist("DELETE", f"{path}/seats/east")
    return me


def _play_on(path: str, phones: Mapping[str, Phone], moves: int) -> None:
    """The first legal move, so often, by whose turn it is (bots play by themselves)."""
    for _ in range(moves):
        view = next(iter(phones.values())).get(path)
        if view["status"] != "playing":
            return
        phone = phones[view["deal"]["turn"]]
        view = phone.get(path)
        phone.put(f"{path}/moves/{view['next_move']}", view["you"]["legal_moves"][0])


def _as_me(method: str, path: str, body: Json = None, *, repeatable: bool = True) -> Callable[[Transport], Ask]:
    return lambda transport: Ask(_me(transport), method, path, body, repeatable=repeatable)


def _create(body: Json, key: str | None = "one") -> Callable[[Transport], Ask]:
    headers = {} if key is None else {"Idempotency-Key": key}
    return lambda transport: Ask(sign_up(transport), "POST", "/matches", body, headers, repeatable=key is not None)


def _waiting(seat: str, body: Json, phone: Callable[[Table, Transport], Phone]) -> Callable[[Transport], Ask]:
    """At a table of north, east and south that waits for west."""

    def prepare(transport: Transport) -> Ask:
        table = seat_four(transport, full=False)
        told = {**body, "code": table.code} if body["type"] == "human" else body
        return Ask(phone(table, transport), "PUT", f"{table.path}/seats/{seat}", told)

    return prepare


def _at(seat: str) -> Callable[[Table, Transport], Phone]:
    return lambda table, _transport: table.at(seat)


def _take_over(transport: Transport) -> Ask:
    host = sign_up(transport, "Host")
    match = host.post("/matches", {"take_over": True}, {"Idempotency-Key": "solo"})["match"]
    friend = sign_up(transport, "Friend")
    claim = {"type": "human", "code": match["invite"]["code"]}
    return Ask(friend, "PUT", f"/matches/{match['id']}/seats/south", claim)


def _leave(full: bool, seat: str, by: str, moves: int = 0) -> Callable[[Transport], Ask]:
    def prepare(transport: Transport) -> Ask:
        table = seat_four(transport, full=full)
        table.play(moves)
        return Ask(table.at(by), "DELETE", f"{table.path}/seats/{seat}")

    return prepare


def _leave_last(transport: Transport) -> Ask:
    table = seat_four(transport)
    table.play(20)
    for seat in SEATS[1:]:
        table.at(seat).insist("DELETE", f"{table.path}/seats/{seat}")
    return Ask(table.at("north"), "DELETE", f"{table.path}/seats/north")


def _start(transport: Transport) -> Ask:
    host = sign_up(transport, "Host")
    wishes = {"start": "by_host", "seats": {"north": {"type": "human"}}}
    match = host.post("/matches", wishes, {"Idempotency-Key": "mine"})["match"]
    return Ask(host, "POST", f"/matches/{match['id']}/start")


def _move(deals: int, cards_left: int | None = None, back: int = 0) -> Callable[[Transport], Ask]:
    """A move of four people: the one that brings a deal to its end where `cards_left` is 5; `back` moves too late."""

    def prepare(transport: Transport) -> Ask:
        table = seat_four(transport, deals=deals)
        made: list[tuple[Phone, str, Json]] = []
        while True:
            phone, view = table.turn()
            move = view["you"]["legal_moves"][0]
            made.append((phone, f"{table.path}/moves/{view['next_move']}", move))
            left = sum(place["cards_left"] for place in view["seats"])
            if left == cards_left or (cards_left is None and len(made) == 20):
                who, path, again = made[-1 - back]
                return Ask(who, "PUT", path, again)
            phone.put(*made[-1][1:])

    return prepare


def _solo_move(transport: Transport) -> Ask:
    me = sign_up(transport)
    view = me.post("/matches", {}, {"Idempotency-Key": "solo"})["match"]
    return Ask(me, "PUT", f"/matches/{view['id']}/moves/{view['next_move']}", view["you"]["legal_moves"][0])


def _hint(transport: Transport) -> Ask:
    table = seat_four(transport)
    table.play(20)
    return Ask(table.turn()[0], "GET", f"{table.path}/hint")


def _read(path: str, moves: int = 70) -> Callable[[Transport], Ask]:
    def prepare(transport: Transport) -> Ask:
        table = seat_four(transport)
        table.play(moves)
        return Ask(table.at("east"), "GET", path.format(match=table.path, code=table.code))

    return prepare


def _over(transport: Transport) -> Ask:
    table = seat_four(transport, deals=1)
    table.play(60)
    return Ask(table.at("east"), "GET", table.path)


def _rematch(transport: Transport) -> Ask:
    table = seat_four(transport, deals=1)
    table.play(60)
    return Ask(table.at("south"), "POST", f"{table.path}/rematch")


def _sit_again(transport: Transport) -> Ask:
    table = seat_four(transport, deals=1)
    table.play(60)
    match = table.at("south").post(f"{table.path}/rematch")["match"]
    return Ask(table.at("north"), "PUT", f"/matches/{match['id']}/seats/north", {"type": "human"})


def _invite(transport: Transport) -> Ask:
    table = seat_four(transport, full=False)
    return Ask(table.phones[3], "GET", f"/invites/{table.code}")


def _sweep(transport: Transport) -> Ask:
    """A turn whose time is up, and a table that nobody came to."""
    table = seat_four(transport, turn_seconds=60)
    table.play(5)
    seat_four(transport, full=False)
    return Ask(table.at("north"), SWEEP, "", later=8 * 24 * 60 * 60)


SCENARIOS = (
    Scenario("the sweep", "", _sweep),
    Scenario("a new guest", "createPlayer", _new_guest),
    Scenario("refreshing tokens", "createTokens", _refresh),
    Scenario("a new device", "createTokens", _transfer),
    Scenario("the way back in", "createTokens", _recover),
    Scenario("my profile", "getMe", _as_me("GET", "/me")),
    Scenario("another name", "updateMe", _as_me("PATCH", "/me", {"name": "Usha", "locale": "hi"})),
    Scenario("deleting the account", "deleteMe", _as_me("DELETE", "/me")),
    Scenario("all about me", "exportMe", _as_me("GET", "/me/export")),
    Scenario("a transfer code", "createTransferCode", _as_me("POST", "/me/transfer-codes", repeatable=False)),
    Scenario("a recovery code", "createRecoveryCode", _as_me("POST", "/me/recovery-code", repeatable=False)),
    Scenario("my devices", "listSessions", _as_me("GET", "/me/sessions")),
    Scenario("signing out", "deleteSession", _as_me("DELETE", "/me/session")),
    Scenario("signing one out", "deleteSessionById", _as_me("DELETE", f"/me/sessions/{'A' * 16}")),
    Scenario("signing others out", "deleteOtherSessions", _as_me("DELETE", "/me/sessions")),
    Scenario("my turns", "listTurns", _as_me("GET", "/me/turns")),
    Scenario("my matches", "listMatches", _as_me("GET", "/matches?limit=2")),
    Scenario("a solo match", "createMatch", _create({})),
    Scenario("a table for friends", "createMatch", _create({"seats": {"south": {"type": "human"}}})),
    Scenario("a table without a key", "createMatch", _create({"seats": {"south": {"type": "human"}}}, None)),
    Scenario("a match", "getMatch", _read("{match}")),
    Scenario("a match that is over", "getMatch", _over),
    Scenario("an invite", "getInvite", _invite),
    Scenario(
        "the last seat", "takeSeat", _waiting("west", {"type": "human"}, lambda table, _transport: table.phones[3])
    ),
    Scenario("another seat", "takeSeat", _waiting("west", {"type": "human"}, _at("east"))),
    Scenario("a bot on the last seat", "takeSeat", _waiting("west", {"type": "bot"}, _at("north"))),
    Scenario("a bot's seat among cards", "takeSeat", _take_over),
    Scenario("leaving before the start", "leaveSeat", _leave(False, "east", "east")),
    Scenario("the host leaves", "leaveSeat", _leave(False, "north", "north")),
    Scenario("the host frees a seat", "leaveSeat", _leave(False, "south", "north")),
    Scenario("leaving among cards", "leaveSeat", _leave(True, "east", "east", 20)),
    Scenario("the last one leaves", "leaveSeat", _leave_last),
    Scenario("the host starts", "startMatch", _start),
    Scenario("a move", "makeMove", _move(2)),
    Scenario("a move made before", "makeMove", _move(2, back=3)),
    Scenario("a move that ends a deal", "makeMove", _move(2, 5)),
    Scenario("a move that ends a match", "makeMove", _move(1, 5)),
    Scenario("a move among bots", "makeMove", _solo_move),
    Scenario("a hint", "getHint", _hint),
    Scenario("the feed", "listEvents", _read("{match}/events?limit=1000")),
    Scenario("a finished deal", "getDeal", _read("{match}/deals/1")),
    Scenario("a rematch", "createRematch", _rematch),
    Scenario("a seat of the rematch", "takeSeat", _sit_again),
)
