"""One request of every kind there is, with a world in which each has something to do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from dev.driver import LONGEST_NAMES, NONCE, SEATS, Foursome, InProcess, Json, Player, seat_four, sign_up

NOW = 1_900_000_000
WEEK = 7 * 24 * 60 * 60
SWEEP = "SWEEP"
"""The method of what is no request: the clock's own work."""
DELETION = "deleting the account"
HOST_ONLY = {"north": {"type": "human"}}


@dataclass(frozen=True)
class Ask:
    """A request to be attacked."""

    name: str
    player: Player
    method: str
    path: str = ""
    body: Json = None
    headers: Mapping[str, str] = field(default_factory=dict)
    repeatable: bool = True
    """False: each repeat makes something of its own, which harms nothing (a guest nobody knows of, a code)."""
    later: int = 0
    """Seconds after the world was made."""


def all_asks(at: Callable[[int], InProcess]) -> list[Ask]:
    """Makes the world, by way of the app as it is at a time."""
    seat_four(at(NOW - WEEK + 30), full=False)  # for the sweep to give up
    now = at(NOW)
    guest, friend, host = Player(now), sign_up(now, "Friend"), sign_up(now, "Host")
    north, me, *_ = four = [sign_up(now, name) for name in (LONGEST_NAMES[0], "Unforgettable", *LONGEST_NAMES[2:])]
    waiting = seat_four(now, 1, four, full=False)
    playing, over, left = (
        _played(seat_four(now, 1, four, deals=deals), moves) for deals, moves in ((2, 20), (1, 60), (2, 9))
    )
    me.leave(left.path, "east")
    _played(seat_four(now, turn_seconds=60), 5)  # for the sweep to play on
    late, again, lonely = (
        _played(seat_four(now, 1, deals=deals), moves) for deals, moves in ((16, 70), (1, 60), (16, 20))
    )
    for each in SEATS[1:]:
        lonely.at(each).leave(lonely.path, each)
    offered = again.at("south").post(f"{again.path}/rematch")["match"]
    solo, own = host.new_match({"take_over": True}), host.new_match({"start": "by_host", "seats": HOST_ONLY})
    friends = {"seats": {"south": {"type": "human"}}}
    played, challenge = (_alone(host) for _ in range(2))
    challenge = f"/sets/{host.post('/sets', {'match_id': challenge})['id']}"

    def grant(name: str, **more: str) -> Ask:
        return Ask(name, guest, "POST", "/tokens", {**more, "client_nonce": NONCE})

    def mine(name: str, method: str, path: str, body: Json = None, *, repeatable: bool = True) -> Ask:
        return Ask(name, me, method, path, body, repeatable=repeatable)

    def seat(name: str, player: Player, path: str, seat: str, **claim: Json) -> Ask:
        return Ask(name, player, "PUT", f"{path}/seats/{seat}", {"type": "human", **claim})

    def leaving(name: str, player: Player, four: Foursome, seat: str) -> Ask:
        return Ask(name, player, "DELETE", f"{four.path}/seats/{seat}")

    def move(name: str, player: Player, view: Json) -> Ask:
        path = f"/matches/{view['id']}/moves/{view['next_move']}"
        return Ask(name, player, "PUT", path, view["you"]["legal_moves"][0])

    def made(name: str, four: Foursome, back: int) -> Ask:
        event = [each for each in north.events(four.path) if "move_number" in each][-back]
        body = {name: event[name] for name in ("type", "card", "number", "suit") if name in event}
        return Ask(name, four.at(event["seat"]), "PUT", f"{four.path}/moves/{event['move_number']}", body)

    return [
        Ask("the sweep", north, SWEEP, later=61),
        Ask("a new guest", guest, "POST", "/players", {"name": "Asha"}, repeatable=False),
        grant("refreshing tokens", type="refresh", refresh_token=friend.refresh),
        grant("a new device", type="transfer", code=friend.post("/me/transfer-codes")["code"]),
        grant("the way back in", type="recovery", code=friend.post("/me/recovery-code")["code"]),
        mine("my profile", "GET", "/me"),
        mine("another name", "PATCH", "/me", {"name": "Usha", "locale": "hi"}),
        mine(DELETION, "DELETE", "/me"),
        mine("all about me", "GET", "/me/export"),
        mine("a transfer code", "POST", "/me/transfer-codes", repeatable=False),
        mine("a recovery code", "POST", "/me/recovery-code", repeatable=False),
        mine("my devices", "GET", "/me/sessions"),
        mine("signing out", "DELETE", "/me/session"),
        mine("signing one out", "DELETE", f"/me/sessions/{'A' * 16}"),
        mine("signing others out", "DELETE", "/me/sessions"),
        mine("my turns", "GET", "/me/turns"),
        mine("my matches", "GET", "/matches?limit=2"),
        Ask("a solo match", me, "POST", "/matches", {}, {"Idempotency-Key": "one"}),
        Ask("a table for friends", me, "POST", "/matches", friends, {"Idempotency-Key": "two"}),
        mine("a table without a key", "POST", "/matches", friends, repeatable=False),
        mine("a match", "GET", playing.path),
        mine("a match that is over", "GET", over.path),
        Ask("an invite", friend, "GET", f"/invites/{waiting.code}"),
        seat("the last seat", friend, waiting.path, "west", code=waiting.code),
        seat("another seat", me, waiting.path, "west"),
        seat("a bot on the last seat", north, waiting.path, "west", type="bot"),
        seat("a bot's seat among cards", friend, f"/matches/{solo['id']}", "south", code=solo["invite"]["code"]),
        seat("a seat of the rematch", again.at("north"), f"/matches/{offered['id']}", "north"),
        leaving("leaving before the start", me, waiting, "east"),
        leaving("the host leaves", north, waiting, "north"),
        leaving("the host frees a seat", north, waiting, "south"),
        leaving("leaving among cards", me, playing, "east"),
        leaving("the last one leaves", lonely.at("north"), lonely, "north"),
        Ask("the host starts", host, "POST", f"/matches/{own['id']}/start"),
        move("a move", *playing.turn()),
        made("a move made before", playing, 3),
        move("a move that ends a deal", *_closing(seat_four(now, 1, deals=2)).turn()),
        move("a move that ends a match", *_closing(seat_four(now, 1, deals=1)).turn()),
        move("a move among bots", host, solo),
        Ask("a hint", playing.turn()[0], "GET", f"{playing.path}/hint"),
        Ask("the feed", late.at("east"), "GET", f"{late.path}/events?limit=1000"),
        Ask("a finished deal", late.at("east"), "GET", f"{late.path}/deals/1"),
        Ask("a challenge", host, "POST", "/sets", {"match_id": played}),
        Ask("a challenge that is taken up", friend, "PUT", f"{challenge}/entry"),
        Ask("a set", friend, "GET", challenge),
        Ask("the results of a set", host, "GET", f"{challenge}/results"),
        mine("the set of the day", "GET", "/sets/daily", repeatable=False),
        mine("a rematch", "POST", f"{over.path}/rematch"),
    ]


def _played(four: Foursome, moves: int) -> Foursome:
    four.play(moves)
    return four


def _alone(player: Player) -> str:
    """The id of a match against bots, played to its end."""
    view = player.new_match({"deals": 1})
    while view["status"] == "playing":
        view = player.move(view, view["you"]["legal_moves"][0]).body["match"]
    return str(view["id"])


def _closing(four: Foursome) -> Foursome:
    """Until the next move brings the deal to its end: the last trick plays itself."""
    while sum(place["cards_left"] for place in four.turn()[1]["seats"]) > 5:
        four.play(1)
    return four
