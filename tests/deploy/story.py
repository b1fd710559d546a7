"""What players do with a deployed stage, from signing up to deleting the account. A step that does not go as it should
raises AssertionError."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass

from dev.driver import SEATS, Json, OverHttp, Player, Reply, seat_four

PATIENCE, PAUSE = 120, 0.2
SOLO = {seat: {"type": "human"} if seat == "north" else {"type": "bot", "level": "easy"} for seat in SEATS}


@dataclass
class Guest(Player):
    """A player whose requests are answered at once, or the step has failed."""

    def insist(self, method: str, path: str, body: Json = None, headers: Mapping[str, str] | None = None) -> Reply:
        return self.send(method, path, body, headers)

    @property
    def grant(self) -> Json:
        """The request that a phone repeats until it is answered: the same nonce each time, another for the next one."""
        nonce = hashlib.sha256(self.refresh.encode()).hexdigest()[:32]
        return {"type": "refresh", "refresh_token": self.refresh, "client_nonce": nonce}

    def renew(self, reply: Reply | None = None) -> None:
        """Get new tokens; or take them from a reply."""
        tokens = (reply.body if reply else self.post("/tokens", self.grant))["tokens"]
        self.access, self.refresh = tokens["access_token"], tokens["refresh_token"]


def guests(http: OverHttp, *names: str) -> list[Guest]:
    return [Guest(http).sign_up(name) for name in names]


def everything(http: OverHttp) -> None:
    """All of it, with players of its own."""
    four = guests(http, "Asha", "Bela", "Chandra", "Dev")
    solo_deal(four[0])
    four_player_match(http, four)
    four[0].renew()
    change_seats(four[0], four[1])
    four[3].ok("DELETE", "/me")


def solo_deal(me: Guest) -> None:
    """One deal against bots, to its end; its record can be read afterwards."""
    view = me.new_match({"deals": 1, "seats": SOLO})
    while view["status"] == "playing":
        reply = me.move(view, view["you"]["legal_moves"][0])
        assert reply.status == 200, reply.text
        view = reply.body["match"]
    record = me.get(f"/matches/{view['id']}/deals/1")
    assert view["deal"]["result"] == record["result"]
    assert view["id"] in _ids(me.get("/matches"))


def repeated_move(me: Guest) -> None:
    """A phone sends a move once more, as if it had not had the answer."""
    view = me.new_match({"deals": 1, "seats": SOLO})
    assert [200, 200] == [me.move(view, view["you"]["legal_moves"][0]).status for _ in range(2)]


def four_player_match(http: OverHttp, four: list[Guest]) -> Json:
    """Four people, one deal; at each third move the player's two phones race. Returns the last view."""
    table = seat_four(http, players=four, deals=1)
    with ThreadPoolExecutor(2) as phones:
        while (turn := table.turn())[1]["status"] == "playing":
            player, view = turn
            moves = view["you"]["legal_moves"]
            assert table.match_id in _ids(player.get("/me/turns"))
            # Two phones make the same move at once, or different ones: one of them stands, and both are told which.
            racing = view["next_move"] % 3 == 0
            chosen = (moves * 2)[:2] if racing else moves[:1]
            statuses = sorted(phones.map(lambda move, me=player, at=view: me.move(at, move).status, chosen))
            assert statuses == ([200, 409] if racing and len(moves) > 1 else [200] * len(chosen))
    return turn[1]


def change_seats(host: Guest, friend: Guest) -> None:
    """Before the start a friend comes, and goes again."""
    match = host.new_match({"seats": {"north": {"type": "human"}}})
    path, code = f"/matches/{match['id']}", match["invite"]["code"]
    assert match["id"] == friend.get(f"/invites/{code}")["match_id"]
    friend.put(f"{path}/seats/east", {"type": "human", "code": code})
    friend.ok("DELETE", f"{path}/seats/east")
    told = [event["type"] for event in host.events(path) if event.get("seat") == "east"]
    assert ["seat_taken", "seat_left"] == told


def _ids(page: Json) -> list[str]:
    return [item["id"] for item in page["items"]]


class Phone(threading.Thread):
    """Refreshes its tokens again and again, and repeats what was not answered, as an app does."""

    def __init__(self, guest: Guest) -> None:
        super().__init__(daemon=True)
        self.refused: list[Json] = []
        self.refreshed = 0
        self._guest = guest
        self._over = threading.Event()

    def run(self) -> None:
        while not self._over.wait(PAUSE):
            reply = self._guest.send("POST", "/tokens", self._guest.grant)
            if reply.status == 200:
                self._guest.renew(reply)
                self.refreshed += 1
            elif reply.status < 500 and reply.status != 429:
                self.refused.append(reply.body)
                return

    def end(self) -> None:
        self._over.set()
        self.join()


@contextmanager
def phones(guests: list[Guest]) -> Iterator[list[Phone]]:
    """One for each guest, within this block."""
    started = [Phone(guest) for guest in guests]
    for phone in started:
        phone.start()
    try:
        yield started
    finally:
        for phone in started:
            phone.end()


def until(holds: Callable[[], bool]) -> None:
    """Wait for something that is to come."""
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline, "it did not come"
        time.sleep(PAUSE)
