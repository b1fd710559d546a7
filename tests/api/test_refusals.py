"""What is refused, by whom it is asked and of what table: the code, its parameters, and the view to go on from. Nothing
of it changes anything."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from chalice.app import Chalice

from chalicelib.api.app import create_app
from chalicelib.api.problems import PROBLEMS
from chalicelib.service.services import Services
from chalicelib.store.memory import MemoryStore
from tests.api.client import Client, Foursome
from tests.api.conftest import SIGNING_KEYS, Clock, keys_of

HUMAN, EASY, SHARP = {"type": "human"}, {"type": "bot", "level": "easy"}, {"type": "bot", "level": "sharp"}
CODE = {"type": "human", "code": "the code"}
"""With the code of the table that waits."""
WRONG = {"type": "human", "code": "WRONGCDE"}
PASS, SPADES = {"type": "pass"}, {"type": "play", "card": "AS"}
UNKNOWN = f"/matches/{'A' * 16}"


def call(number: int) -> dict[str, object]:
    return {"type": "call", "number": number}


class Scene:
    """Tables in all states, and people who stand to them in all ways. Rows name both."""

    def __init__(self, app: Chalice) -> None:
        nobody = Client(app)
        self.paths: dict[str, str] = {"unknown": UNKNOWN}
        self.people = self._four("cards", Foursome.started(nobody, deals=1))
        host, friend, third, _ = table = Foursome.waiting(nobody).players
        self.people |= {"host": host, "friend": friend, "leaver": third, "stranger": nobody.guest("Somebody")}
        sent = table[3]
        self.people["sent away"] = sent
        self.paths["waiting"] = self._table(host, {"east": friend, "south": sent})
        host.ok("DELETE", f"{self.paths['waiting']}/seats/south")
        self.code = host.ok("GET", self.paths["waiting"])["invite"]["code"]
        host.ok("PUT", f"{self.paths['waiting']}/seats/west", EASY)
        self.paths["watched"] = self._table(host, {}, spectators=True)
        self.paths["open"] = self._table(host, {"east": friend, "south": third}, spectators=True, take_over=True)
        host.ok("POST", f"{self.paths['open']}/start")
        third.ok("DELETE", f"{self.paths['open']}/seats/south")
        self.paths["solo"] = f"/matches/{host.solo(spectators=True, hints=False)['id']}"
        self.paths["over"] = host.finished(spectators=True)

    def _four(self, name: str, table: Foursome) -> dict[str, Client]:
        """Four at cards, of whom the first has made a call."""
        mover, view = table.turn()
        mover.ok("PUT", f"{table.path}/moves/1", call(7))
        self.paths[name], self.version = table.path, view["version"] + 1
        self.turn = ("north", "east", "south", "west")[(table.players.index(mover) + 1) % 4]
        return {"mover": mover, "next": table.turn()[0]}

    def _table(self, host: Client, others: dict[str, Client], **setup: Any) -> str:
        view = host.ok("POST", "/matches", {"seats": {"north": HUMAN}, "start": "by_host", **setup})["match"]
        path = f"/matches/{view['id']}"
        for seat, player in others.items():
            player.ok("PUT", f"{path}/seats/{seat}", {"type": "human", "code": view["invite"]["code"]})
        return path


@pytest.fixture(scope="module")
def store() -> MemoryStore:
    return MemoryStore()


@pytest.fixture(scope="module")
def scene(store: MemoryStore) -> Scene:
    return Scene(create_app(Services(store, Clock().now), keys_of(SIGNING_KEYS), rate_factor=1000))


MOVES = [
    ("another move at a number that is made", "mover", "PUT cards/moves/1", call(8), "move_already_made"),
    ("another's move", "next", "PUT cards/moves/1", call(7), "move_already_made"),
    ("a move beyond the next", "next", "PUT cards/moves/3", PASS, "move_out_of_order"),
    ("a move on another's turn", "mover", "PUT cards/moves/2", call(9), "not_your_turn"),
    ("a card in the auction", "next", "PUT cards/moves/2", SPADES, "auction_not_over"),
    ("a call that is too low", "next", "PUT cards/moves/2", call(7), "call_too_low"),
    ("a move before the start", "host", "PUT waiting/moves/1", call(7), "match_not_started"),
    ("a move after the end", "host", "PUT over/moves/58", PASS, "match_over"),
    ("a move long after the end", "host", "PUT over/moves/59", PASS, "match_over"),
    ("a stranger's move", "stranger", "PUT cards/moves/2", PASS, "match_not_found"),
    ("a move of who watches", "stranger", "PUT open/moves/1", call(7), "not_seated"),
    ("a move of who has left", "leaver", "PUT open/moves/1", call(7), "not_seated"),
    ("a hint on another's turn", "mover", "GET cards/hint", None, "not_your_turn"),
    ("a hint for a stranger", "stranger", "GET cards/hint", None, "match_not_found"),
    ("a hint for who watches", "stranger", "GET open/hint", None, "not_seated"),
    ("a hint for who has left", "leaver", "GET open/hint", None, "not_seated"),
    ("a hint before the start", "host", "GET waiting/hint", None, "match_not_started"),
    ("a hint after the end", "host", "GET over/hint", None, "match_over"),
    ("a hint at a table without", "host", "GET solo/hint", None, "hints_off"),
]
SEATS = [
    ("a seat without the code", "stranger", "PUT waiting/seats/south", HUMAN, "match_not_found"),
    ("a seat without the code of a table in sight", "stranger", "PUT watched/seats/south", HUMAN, "code_needed"),
    ("a seat with a wrong code", "stranger", "PUT waiting/seats/south", WRONG, "invite_not_found"),
    ("a seat at no table", "stranger", "PUT unknown/seats/south", HUMAN, "match_not_found"),
    ("a seat at no table with a code", "stranger", "PUT unknown/seats/south", CODE, "invite_not_found"),
    ("a person's seat with the code", "stranger", "PUT waiting/seats/north", CODE, "seat_taken"),
    ("a bot's seat with the code", "stranger", "PUT waiting/seats/west", CODE, "seat_taken"),
    ("a person's seat", "friend", "PUT waiting/seats/north", HUMAN, "seat_taken"),
    ("a bot's seat where nobody can sit", "stranger", "PUT solo/seats/east", HUMAN, "seat_taken"),
    ("a seat for whom the host sent away", "sent away", "PUT waiting/seats/south", CODE, "removed_by_host"),
    ("a second seat among cards", "friend", "PUT open/seats/west", HUMAN, "already_seated"),
    ("another seat than the one that was left", "leaver", "PUT open/seats/west", HUMAN, "other_seat_held"),
    ("a seat when it is over", "host", "PUT over/seats/east", HUMAN, "match_over"),
    ("a seat when it is over for who watches", "stranger", "PUT over/seats/east", HUMAN, "match_over"),
    ("a bot on a person's seat", "host", "PUT waiting/seats/east", SHARP, "seat_taken"),
    ("a friend's bot", "friend", "PUT waiting/seats/south", EASY, "host_only"),
    ("a bot among cards", "host", "PUT open/seats/west", SHARP, "match_not_waiting"),
    ("a bot when it is over", "host", "PUT over/seats/east", SHARP, "match_over"),
    ("the host's seat freed by a friend", "friend", "DELETE waiting/seats/north", None, "host_only"),
    ("the host's seat freed by a friend among cards", "friend", "DELETE open/seats/north", None, "host_only"),
    ("a seat freed by a stranger", "stranger", "DELETE waiting/seats/east", None, "match_not_found"),
    (
        "a seat freed by whom the host sent away",
        "sent away",
        "DELETE waiting/seats/east",
        None,
        "match_not_found",
    ),
    ("a person's seat freed among cards", "host", "DELETE open/seats/east", None, "match_not_waiting"),
    ("a bot's seat freed among cards", "host", "DELETE open/seats/west", None, "match_not_waiting"),
    ("a seat freed when it is over", "host", "DELETE over/seats/east", None, "match_over"),
    ("the own seat left when it is over", "host", "DELETE over/seats/north", None, "match_over"),
]
TABLES: list[tuple[str, str, str, Any, str]] = [
    ("a friend's start", "friend", "POST waiting/start", None, "host_only"),
    ("a stranger's start", "stranger", "POST waiting/start", None, "match_not_found"),
    ("a start when it is over", "host", "POST over/start", None, "match_over"),
    ("a rematch before the start", "host", "POST waiting/rematch", None, "match_not_over"),
    ("a rematch among cards", "mover", "POST cards/rematch", None, "match_not_over"),
    ("a stranger's rematch", "stranger", "POST cards/rematch", None, "match_not_found"),
    ("a rematch for who watches", "stranger", "POST over/rematch", None, "not_seated"),
    ("a table of others", "stranger", "GET cards", None, "match_not_found"),
    ("no table", "stranger", "GET unknown", None, "match_not_found"),
    ("the events of others", "stranger", "GET cards/events", None, "match_not_found"),
    ("the deals of others", "stranger", "GET cards/deals/1", None, "match_not_found"),
    ("events that are to come", "mover", "GET cards/events?after=9999", None, "after_beyond_version"),
    ("the deal that goes on", "mover", "GET cards/deals/1", None, "deal_not_found"),
    ("a deal that never was", "host", "GET over/deals/2", None, "deal_not_found"),
    ("a table without its host", "host", "POST /matches", {"seats": {}}, "host_must_sit"),
    ("a table of a bot", "host", "POST /matches", {"seats": {"north": EASY}}, "host_must_sit"),
    ("a table with two hosts", "host", "POST /matches", {"seats": {"north": HUMAN, "west": HUMAN}}, "host_must_sit"),
    ("an invite that leads nowhere", "host", "GET /invites/WRONGCDE", None, "invite_not_found"),
]
PARAMS: dict[str, Any] = {
    "move_already_made": {"move_number": 1, "next_move": 2},
    "move_out_of_order": {"next_move": 2},
    "call_too_low": {"minimum": 8},
    "already_seated": {"seat": "east"},
    "other_seat_held": {"seat": "south"},
}
"""The parameters, where they do not follow from the request."""


@pytest.mark.parametrize(
    ("who", "request_line", "body", "code"),
    [row[1:] for row in MOVES + SEATS + TABLES],
    ids=[row[0] for row in MOVES + SEATS + TABLES],
)
def test_refused(scene: Scene, store: MemoryStore, who: str, request_line: str, body: Any, code: str) -> None:
    """With the caller's view where it is 409 or 422 and GET would give it, and else without."""
    person, (method, where) = scene.people[who], request_line.split(" ", 1)
    place, slash, rest = where.partition("/")
    path = scene.paths[place] if place else ""
    if body is CODE:
        body = {**CODE, "code": scene.code}
    before = copy.deepcopy({name: value for name, value in vars(store).items() if name != "_lock"})
    reply = person.call(method, path + slash + rest, body)
    assert (PROBLEMS[code].status, code) == (reply.status, reply.code)
    assert all(before[name] == value for name, value in vars(store).items() if name not in ("_lock", "_counts"))
    expected = PARAMS.get(code, {})
    match code:
        case "not_your_turn":
            expected = {"turn": scene.turn}
        case "seat_taken":
            expected = {"seat": rest.rpartition("/")[2]}
        case "after_beyond_version":
            expected = {"version": scene.version}
        case "host_must_sit":
            expected = {"seats": list(body["seats"].values()).count(HUMAN)}
    assert expected == reply.body["params"]
    seen = person.call("GET", path) if path and reply.status in (409, 422) else None
    assert reply.body.get("current") == (seen.body if seen is not None and seen.status == 200 else None)
