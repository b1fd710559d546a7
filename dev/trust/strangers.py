"""Nobody gets in, a deal's secret is told in time, and of a deleted player nothing is left."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from hashlib import sha256
from random import Random

from chalicelib.api.routes import ROUTES, Route
from chalicelib.engine import deal_secret
from chalicelib.service.services import Services
from chalicelib.store.memory import MemoryStore
from dev.driver import NONCE, SEATS, Foursome, InProcess, Json, Player, seat_four, seed_of, sign_up
from dev.trust.asks import NOW, all_asks
from dev.trust.items import content, copied
from dev.trust.promise import Place, Tally, ensure, promise
from dev.verify import verify

CALLERS = (
    "stranger to a hidden match",
    "stranger to a watchable match",
    "player who left",
    "deleted account",
    "another player of the match",
)
_NO, _NO_SET, _GONE = "404 match_not_found", "404 set_not_found", "401 account_deleted"
_SEAT, _HOST = "403 not_seated", "403 host_only"
MAY: Mapping[str, tuple[str, str, str, str, str]] = {
    # what concerns the caller alone: the columns' matches do not matter, and nobody else's account is touched
    "getMe": ("200", "200", "200", _GONE, "200"),
    "updateMe": ("200", "200", "200", _GONE, "200"),
    "deleteMe": ("204", "204", "204", "204", "204"),
    "exportMe": ("200", "200", "200", _GONE, "200"),
    "createTransferCode": ("201", "201", "201", _GONE, "201"),
    "createRecoveryCode": ("201", "201", "201", _GONE, "201"),
    "listSessions": ("200", "200", "200", _GONE, "200"),
    "deleteSession": ("204", "204", "204", "204", "204"),
    "deleteSessionById": ("204", "204", "204", _GONE, "204"),
    "deleteOtherSessions": ("204", "204", "204", _GONE, "204"),
    "listTurns": ("200", "200", "200", "200", "200"),
    "listMatches": ("200", "200", "200", "200", "200"),
    "createMatch": ("201", "201", "201", _GONE, "201"),
    "getDailySet": ("200",) * 5,
    **dict.fromkeys(("getSet", "listSetResults"), (_NO_SET,) * 5),
    "enterSet": (*(_NO_SET,) * 3, _GONE, _NO_SET),
    "getInvite": (*("404 invite_not_found",) * 3, _GONE, "404 invite_not_found"),
    # what concerns a match
    "getMatch": (_NO, "200", "200", "200", "200"),
    "listEvents": (_NO, "200", "200", "200", "200"),
    "getDeal": (_NO, "200", "200", "200", "200"),
    "takeSeat": (_NO, "409 seat_taken", "409 seat_taken", _GONE, "409 already_seated"),
    "leaveSeat": (_NO, _HOST, _HOST, _GONE, _HOST),
    "startMatch": (_NO, _HOST, _HOST, _GONE, _HOST),
    "makeMove": (_NO, _SEAT, _SEAT, _SEAT, "422 not_your_turn"),
    "getHint": (_NO, _SEAT, _SEAT, _GONE, "422 not_your_turn"),
    "createSet": (_NO, "409 match_not_over", "409 match_not_over", _GONE, "409 match_not_over"),
    "createRematch": (_NO, _SEAT, _SEAT, _GONE, "409 match_not_over"),
}
"""The answer to each caller of `CALLERS`, in that order; the seat that is asked for is the host's."""
BODIES: Mapping[str, Json] = {"updateMe": {"name": "Mallory"}, "takeSeat": {"type": "human"}}
_OF_A_SEAT = frozenset(("you", "hand", "invite", "legal_moves"))
"""Members of an answer that only a seat is given."""
_SHOWS_A_TABLE = frozenset(("getMatch", "listEvents", "listMatches", "listTurns"))


def _request(route: Route, four: Foursome) -> tuple[str, str, Json]:
    """A request that is well formed; the move is one that north may make."""
    north, body = four.players[0], BODIES.get(route.operation_id, None if route.body is None else {})
    view = north.get(four.path)
    if route.operation_id == "makeMove":
        body = view["you"]["legal_moves"][0]
    if route.operation_id == "createSet":
        body = {"match_id": four.match_id}
    values = {"match_id": four.match_id, "seat": "north", "code": "22222222", "deal_number": "1", "set_id": "A" * 16}
    values |= {"session_id": north.refresh[16:32], "move_number": str(view["next_move"])}
    return route.method, route.path.format(**values), body


@promise("every operation answers strangers, leavers, the deleted and other players as it must", long=1, short=1)
def as_others(_: Place, tally: Tally, _times: int) -> None:
    """Two matches in their second deal: north hosts, east plays, south has left, west's account is deleted; a stranger
    knows both ids. (`tests/api/test_auth.py` tries wrong tokens.)"""
    store = MemoryStore()
    transport = InProcess(Services(store, lambda: NOW))
    hidden, watchable = (seat_four(transport, 1, spectators=spectators) for spectators in (False, True))
    for four in (hidden, watchable):
        four.play(57)
        four.at("south").leave(four.path, "south")
        four.at("west").ok("DELETE", "/me")
        while four.turn()[0] is not four.at("north"):
            four.play(1)
    stranger = sign_up(transport, "Zoya")
    for route in ROUTES:
        for caller, wanted in zip(CALLERS, MAY.get(route.operation_id, ()), strict=False):
            four = watchable if caller == CALLERS[1] else hidden
            player = dict(zip(CALLERS, (stranger, stranger, *map(four.at, ("south", "west", "east"))), strict=True))[
                caller
            ]
            after = copied(store)
            reply = player.through(InProcess(Services(after, lambda: NOW))).send(*_request(route, four))
            with tally.attempt(f"{route.operation_id} by a {caller}"):
                ensure(
                    f"{reply.status} {reply.code}".strip() == wanted, f"{reply.status} {reply.text:.200}, not {wanted}"
                )
                ensure(
                    reply.status < 400 or content(store) == content(after), "it was refused, and has changed something"
                )
                for other in {hidden.players[0].id, watchable.players[0].id, stranger.id} - {player.id}:
                    same = store.player(other) == after.player(other) and store.devices(other) == after.devices(other)
                    ensure(same, "somebody else's account or devices are changed")
                match = after.match(hidden.match_id)
                ensure(match and match.places[0].player_id == hidden.players[0].id, "north has lost the seat")
                if caller != CALLERS[4] and route.operation_id in _SHOWS_A_TABLE and reply.status == 200:
                    ensure(not _OF_A_SEAT & set(_names(reply.body)), "an onlooker is shown what only a seat may see")
        if not route.for_all and route.operation_id not in MAY:
            tally.add(f"{route.operation_id}: nothing says who may")


def _names(value: Json) -> list[str]:
    """Every member's name, however deep."""
    if isinstance(value, dict):
        return [*value, *(name for inner in value.values() for name in _names(inner))]
    return [name for inner in value for name in _names(inner)] if isinstance(value, list) else []


@promise("commitments from creation on; a deal's secret is told when it is over and not before", long=60, short=3)
def opened_in_time(_: Place, tally: Tally, matches: int) -> None:
    """Matches that are played out, given up in the middle, or whose players delete their accounts: at every few moves
    everything that anybody can read is searched for secrets whose time has not come."""
    chance = Random(matches)
    for number in range(matches):
        store = MemoryStore()
        transport = InProcess(Services(store))
        four = seat_four(transport, number, full=False, deals=3, spectators=True)
        committed, onlooker = four.players[0].get(four.path)["commitments"], sign_up(transport)
        four.players[3].sit(four.path, "west", four.code, client_seed="feed")
        end = ("played out", "given up", "deleted")[number % 3]
        for _turn in range(12):
            with tally.attempt(f"match {number} ({end})"):
                _search(store, four, onlooker, committed)
            if not four.play(chance.randint(5, 25)) or (end != "played out" and chance.random() < 0.15):
                break
        for seat in SEATS if end != "played out" else ():
            four.at(seat).send("DELETE", "/me" if end == "deleted" else f"{four.path}/seats/{seat}")
        with tally.attempt(f"match {number}, {end}"):
            _search(store, four, onlooker, committed)


def _search(store: MemoryStore, four: Foursome, onlooker: Player, committed: list[str]) -> None:
    match = store.match(four.match_id)
    assert match is not None
    hidden = [match.secret]
    for number in range(1, match.rules.deals + 1):
        secret = deal_secret(match.secret, number)
        ensure(sha256(secret).hexdigest() == committed[number - 1], f"deal {number} is not the one committed to")
        reply = onlooker.send("GET", f"{four.path}/deals/{number}")
        if number > match.deal - match.status.live:
            ensure((reply.status, reply.code) == (404, "deal_not_found"), f"deal {number}: {reply.status}")
            hidden.append(secret)
            continue
        ensure(reply.status == 200 and reply.body["deal_secret"] == secret.hex(), f"deal {number} is not opened")
        ensure(reply.body["seats"][1]["client_seed"] == seed_of(four.at("east")), "a player's seed is not told")
        first, view = onlooker.get(f"{four.path}/deals/1"), onlooker.get(four.path)
        findings = verify(reply.body, first, committed[number - 1], onlooker.events(four.path), view)
        ensure(all(each.right for each in findings), f"deal {number} does not verify: {[*map(str, findings)]}")
    texts = [text for each in hidden for text in (each.hex(), base64.b64encode(each).decode(), repr(each)[2:-1])]
    known = {"match_id": four.match_id, "code": four.code, "deal_number": "1", "set_id": "A" * 16}
    for path in (route.path.format(**known) for route in ROUTES if route.method == "GET" and not route.for_all):
        told = "".join(player.send("GET", path).text for player in (*four.players, onlooker))
        ensure(not any(text in told for text in texts), f"a secret before its time in {path}")


@promise(
    "all that is kept of me I can read; once I am deleted my name is nowhere, and nothing of mine works",
    long=1,
    short=1,
)
def deletion_leaves_nothing(_: Place, tally: Tally, _times: int) -> None:
    """Of a player who hosts a table that waits, plays at one, has left one and finished one."""
    store, chance = MemoryStore(), Random(1)
    transport = InProcess(Services(store, lambda: NOW, chance.randbytes))
    asks = all_asks(lambda at: InProcess(Services(store, lambda: at, chance.randbytes)))
    (me,) = {ask.player.id: ask.player for ask in asks if ask.path == "/me"}.values()
    (over,) = (ask.path for ask in asks if ask.name == "a match that is over")
    me, north = (player.through(transport) for player in (me, asks[0].player))
    told, devices = str(me.get("/me/export")), store.devices(me.id)
    mine = [each.match_id for each in store.memberships(me.id, 100).items]
    for text in (me.id, me.name, *mine, *(each.id for each in (devices.sessions if devices else ()))):
        tally.expect(True, text in told, f"{text} in the export")
    for text in (north.id, north.name, me.access, me.refresh, "secret", "hand", "salt"):
        tally.expect(False, text in told, f"{text} in the export")
    before = north.send("GET", over)
    for _try in range(2):
        tally.expect(204, me.send("DELETE", "/me").status, "DELETE /me")
    tally.expect([], list(_holding(content(store), me.name.encode())), "where in the store the name is")
    for path in (f"/matches/{match_id}" for match_id in mine):
        shown = f"{north.send('GET', path).text}{north.send('GET', f'{path}/events?limit=1000').text}"
        tally.expect(False, me.name in shown, f"the name in {path}")
    after = north.send("GET", over, headers={"If-None-Match": before.headers["ETag"]})
    tally.expect((200, before.body["scores"]), (after.status, after.body["scores"]), "a finished match is read again")
    tally.expect({"deleted": True}, after.body["seats"][1]["player"], "the seat in it")
    for ask in asks:
        if ask.player.id == me.id and ask.path not in ("", "/me", "/me/session") and ask.method not in ("GET", "PUT"):
            reply = me.send(ask.method, ask.path, ask.body)
            tally.expect((401, "account_deleted"), (reply.status, reply.code), ask.name)
    reply = transport.send("POST", "/tokens", {"type": "refresh", "refresh_token": me.refresh, "client_nonce": NONCE})
    tally.expect((401, "account_deleted"), (reply.status, reply.code), "its refresh token")


def _holding(value: Json, needle: bytes, path: str = "") -> Iterator[str]:
    """Where these bytes are, packed or not."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _holding(inner, needle, f"{path}/{name}")
    elif isinstance(value, (tuple, list)):
        for inner in value:
            yield from _holding(inner, needle, path)
    elif needle in value if isinstance(value, bytes) else needle.decode() in repr(value):
        yield path
