"""What players do with a deployed stage, from signing up to deleting the account. A step that does not go as it should
raises AssertionError."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from tests.deploy.guest import Guest, Json, Unexpected

SEATS = ("north", "east", "south", "west")


def everything(base: str) -> None:
    """All of it, with players of its own."""
    with guests(base, 4) as four:
        for guest, name in zip(four, ("Asha", "Bela", "Chandra", "Dev"), strict=True):
            guest.sign_up(name)
        solo_deal(four[0])
        four_player_match(four)
        four[0].refresh()
        change_seats(four[0], four[1])
        four[3].call("DELETE", "/me", expected=204)


@contextmanager
def guests(base: str, count: int) -> Iterator[list[Guest]]:
    made = [Guest(base) for _ in range(count)]
    try:
        yield made
    finally:
        for guest in made:
            guest.close()


def solo_deal(me: Guest) -> None:
    """One deal against bots, to its end; its record can be read afterwards."""
    match = me.call("POST", "/matches", {"deals": 1, "seats": solo_seats()}, expected=201)["match"]
    while match["status"] == "playing":
        status, answer = me.move(match)
        if status != 200:
            raise Unexpected(f"a legal move: {status} {answer.get('code')}")
        match = answer["match"]
    record = me.call("GET", f"/matches/{match['id']}/deals/1")
    _expect(match["deal"]["result"] == record["result"], "the record tells the match's result")
    _expect(match["id"] in _ids(me.call("GET", "/matches")), "a finished match is among mine")


def repeated_move(me: Guest) -> None:
    """A phone sends a move once more, as if it had not had the answer."""
    match = me.call("POST", "/matches", {"deals": 1, "seats": solo_seats()}, expected=201)["match"]
    _expect([200, 200] == [me.move(match)[0] for _ in range(2)], "the same move twice is no fault")


def four_player_match(four: list[Guest]) -> Json:
    """Four people, one deal; at each third move the player's two phones race. Returns the host's last view."""
    match_id = four_at_a_table(four)
    by_seat = dict(zip(SEATS, four, strict=True))
    with ThreadPoolExecutor(2) as phones:
        while (match := four[0].call("GET", f"/matches/{match_id}"))["status"] == "playing":
            seat = match["deal"]["turn"]
            mine = by_seat[seat].call("GET", f"/matches/{match_id}")
            _expect(match_id in _ids(by_seat[seat].call("GET", "/me/turns")), "whose turn it is is told so")
            if mine["next_move"] % 3 == 0:
                _race(phones, by_seat[seat], mine)
            else:
                _expect(by_seat[seat].move(mine)[0] == 200, "a legal move is made")
    return match


def four_at_a_table(four: list[Guest]) -> str:
    """The id of a match that has begun: the first of the four has invited the others."""
    options: Json = {"deals": 1, "seats": {"north": {"type": "human"}}}
    match = four[0].call("POST", "/matches", options, expected=201)["match"]
    code = match["invite"]["code"]
    for guest, seat in zip(four[1:], SEATS[1:], strict=True):
        _expect(guest.call("GET", f"/invites/{code}")["match_id"] == match["id"], "the code leads to the match")
        guest.call("PUT", f"/matches/{match['id']}/seats/{seat}", {"type": "human", "code": code})
    return str(match["id"])


def change_seats(host: Guest, friend: Guest) -> None:
    """Before the start a friend comes, and goes again."""
    match = host.call("POST", "/matches", {"seats": {"north": {"type": "human"}}}, expected=201)["match"]
    seat = f"/matches/{match['id']}/seats/east"
    friend.call("PUT", seat, {"type": "human", "code": match["invite"]["code"]})
    friend.call("DELETE", seat, expected=200)
    events = host.call("GET", f"/matches/{match['id']}/events?after=0")["items"]
    _expect(["seat_taken", "seat_left"] == [e["type"] for e in events if e.get("seat") == "east"], "both are told")


def solo_seats() -> Json:
    return {seat: {"type": "human"} if seat == "north" else {"type": "bot", "level": "easy"} for seat in SEATS}


def _race(phones: ThreadPoolExecutor, guest: Guest, match: Json) -> None:
    """Two phones make the same move at once, or different ones: one of them stands, and both are told which."""
    alike = len(match["you"]["legal_moves"]) == 1
    made = list(phones.map(lambda choice: guest.move(match, choice), (0, 1)))
    statuses = sorted(status for status, _ in made)
    _expect(statuses == ([200, 200] if alike else [200, 409]), f"two phones race: {statuses}")


def _ids(page: Json) -> list[str]:
    return [item["id"] for item in page["items"]]


def _expect(holds: bool, what: str) -> None:
    if not holds:
        raise Unexpected(what)
