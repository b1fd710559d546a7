"""Nobody gets in: every operation of the route table, tried by everybody who must not, and by those who may a little.

A route that is added is tried without, and with broken, tokens by itself; for the rest a line of `MAY` must say what
each kind of caller is answered, or the matrix does not hold.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from chalicelib.api.routes import ROUTES, Route
from chalicelib.service.services import Services
from chalicelib.store.memory import MemoryStore
from dev.trust.phones import Phone, Table, seat_four, sign_up
from dev.trust.snapshot import changed, copied
from dev.trust.tally import Tally, ensure
from dev.trust.tokens import wrong_tokens
from dev.trust.transport import InProcess, Json

NOW = 1_900_000_000
FOR_ALL = frozenset(("createPlayer", "createTokens", "getHealth"))
"""What needs no token. Said here again, so that none becomes so by a slip."""
CALLERS = (
    "stranger to a hidden match",
    "stranger to a watchable match",
    "player who left",
    "deleted account",
    "another player of the match",
)
_NO, _GONE = "404 match_not_found", "401 account_deleted"
_NO_SET = "404 set_not_found"
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
BODIES: Mapping[str, Json] = {
    "updateMe": {"name": "Mallory"},
    "takeSeat": {"type": "human"},
    "createPlayer": {"name": "Zoya"},
    "createTokens": {"type": "refresh", "refresh_token": "x" * 96, "client_nonce": "x" * 16},
}
_OF_A_SEAT = frozenset(("you", "hand", "invite", "legal_moves"))
"""Members of an answer that only a seat is given."""
_SHOWS_A_TABLE = frozenset(("getMatch", "listEvents", "listMatches", "listTurns"))


@dataclass(frozen=True)
class Scene:
    """A watchable and a hidden match in their second deal. North hosts, east plays, south has left, west's account is
    deleted; the stranger knows both ids."""

    store: MemoryStore
    hidden: Table
    watchable: Table
    stranger: Phone

    def transport(self) -> InProcess:
        return InProcess(Services(copied(self.store), lambda: NOW))


def set_scene() -> Scene:
    store = MemoryStore()
    transport = InProcess(Services(store, lambda: NOW))
    return Scene(
        store, _table(transport, spectators=False), _table(transport, spectators=True), sign_up(transport, "Zoya")
    )


def _table(transport: InProcess, *, spectators: bool) -> Table:
    table = seat_four(transport, 1, spectators=spectators)
    table.play(57)
    table.at("south").send("DELETE", f"{table.path}/seats/south")
    table.at("west").send("DELETE", "/me")
    while table.turn()[0] is not table.at("north"):
        table.play(1)
    return table


def request_of(route: Route, table: Table) -> tuple[str, str, Json]:
    """A request that is well formed; the move is one that north may make."""
    values = {"match_id": table.match_id, "seat": "north", "code": "22222222", "deal_number": "1", "set_id": "A" * 16}
    values["session_id"] = _session_of(table.at("north"))
    body = BODIES.get(route.operation_id)
    if route.operation_id == "createSet":
        body = {"match_id": table.match_id}
    if route.operation_id == "makeMove":
        view = table.at("north").get(table.path)
        values["move_number"], body = str(view["next_move"]), view["you"]["legal_moves"][0]
    path = route.path
    for parameter in route.path_parameters:
        path = path.replace("{" + parameter.name + "}", values[parameter.name])
    if route.body is not None and body is None:
        body = {}
    return route.method, path, body


def _session_of(phone: Phone) -> str:
    """The id of the device: nobody else can do anything with it."""
    return phone.refresh[16:32]


# Those who are nobody


def try_without_token() -> Tally:
    """Every operation with every wrong token: 401 and nothing changed; those for all answer as without."""
    tally = Tally("no operation lets a wrong token in, or does anything for it")
    scene = set_scene()
    host = scene.hidden.at("north")
    tally.expect(set(), {route.operation_id for route in ROUTES if route.for_all} - FOR_ALL, "operations for all")
    for route in ROUTES:
        method, path, body = request_of(route, scene.hidden)
        for name, header in wrong_tokens(host, NOW).items():
            transport = scene.transport()
            reply = transport.send(method, path, body, {} if header is None else {"Authorization": header})
            with tally.attempt(f"{route.operation_id} with {name}"):
                if route.for_all:
                    ensure(
                        reply.status == transport.send(method, path, body).status, f"{reply.status} {reply.text:.100}"
                    )
                    continue
                ensure(reply.status == 401, f"{reply.status} {reply.text:.100}")
                ensure("x-amzn-remapped-www-authenticate" in reply.headers, "no WWW-Authenticate")
                _ensure_unchanged(scene, transport)
    tally.notes.append(f"{len(ROUTES)} operations")
    return tally


# Those who are somebody, and not the one


def try_as_others() -> Tally:
    """Every operation that needs a token, by every other caller: the answer that `MAY` says, no more."""
    tally = Tally("every operation answers strangers, leavers, the deleted and other players as it must")
    scene = set_scene()
    for route in ROUTES:
        if route.for_all:
            continue
        if route.operation_id not in MAY:
            tally.add(f"{route.operation_id}: the matrix does not say who may")
            continue
        for caller, wanted in zip(CALLERS, MAY[route.operation_id], strict=True):
            table = scene.watchable if caller == CALLERS[1] else scene.hidden
            phone = _phone_of(scene, table, caller)
            method, path, body = request_of(route, table)
            transport = scene.transport()
            reply = phone.through(transport).send(method, path, body)
            with tally.attempt(f"{route.operation_id} by a {caller}"):
                found = f"{reply.status} {reply.code}".strip()
                ensure(found == wanted, f"{found}, not {wanted}: {reply.text:.200}")
                if reply.status >= 400:
                    _ensure_unchanged(scene, transport)
                _ensure_others_untouched(scene, transport, phone)
                if caller != CALLERS[4] and route.operation_id in _SHOWS_A_TABLE and reply.status == 200:
                    ensure(not _OF_A_SEAT & set(_names(reply.json)), "an onlooker is shown what only a seat may see")
    tally.notes.append(f"{len(MAY)} operations, {len(CALLERS)} callers")
    return tally


def _phone_of(scene: Scene, table: Table, caller: str) -> Phone:
    if caller in CALLERS[:2]:
        return scene.stranger
    return table.at({CALLERS[2]: "south", CALLERS[3]: "west", CALLERS[4]: "east"}[caller])


def _ensure_unchanged(scene: Scene, transport: InProcess) -> None:
    assert isinstance(transport.services.store, MemoryStore)
    ensure(not (parts := changed(scene.store, transport.services.store)), f"it was refused, and has changed {parts}")


def _ensure_others_untouched(scene: Scene, transport: InProcess, caller: Phone) -> None:
    for phone in (scene.hidden.at("north"), scene.watchable.at("north"), scene.stranger):
        if phone is not caller:
            now = transport.services.store.player(phone.id)
            ensure(now == scene.store.player(phone.id), "somebody else's account is changed")
            ensure(
                transport.services.store.devices(phone.id) == scene.store.devices(phone.id),
                "somebody else's devices are",
            )
    north = transport.services.store.match(scene.hidden.match_id)
    ensure(north is not None and north.places[0].player_id == scene.hidden.at("north").id, "north has lost the seat")


def _names(value: Json) -> list[str]:
    """Every member's name, however deep."""
    if isinstance(value, dict):
        return [*value, *(name for inner in value.values() for name in _names(inner))]
    return [name for inner in value for name in _names(inner)] if isinstance(value, list) else []
