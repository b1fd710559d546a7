"""Making tables, sitting down with friends, leaving, playing and playing again: what the answers hold."""

from __future__ import annotations

import random

import pytest

from tests.api.client import Client, Foursome, Json


def types(view: Json) -> list[str]:
    return [seat["type"] for seat in view["seats"]]


def versions(update: Json) -> list[int]:
    return [event["version"] for event in update["events"]]


@pytest.mark.parametrize("body", [{}, None], ids=["{}", "no body"])
def test_nothing_asked_is_a_solo_match(asha: Client, body: object) -> None:
    """I am north and bots elsewhere, and cards are dealt at once."""
    reply = asha.call("POST", "/matches", body)
    view = reply.body["match"]
    assert (201, f"matches/{view['id']}") == (reply.status, reply.headers["Location"])
    assert f'"{view["version"]}"' == reply.headers["ETag"]
    assert ["human", "bot", "bot", "bot"] == types(view)
    assert ("playing", "north") == (view["status"], view["you"]["seat"])
    assert list(range(1, view["version"] + 1)) == versions(reply.body)


@pytest.mark.parametrize("after_bank", ["fresh", "streak"])
def test_a_solo_match_is_played_to_its_end(asha: Client, after_bank: str) -> None:
    """Sending any legal move of each view, or a hint, leads to a finished match; bots answer in the same request, and
    the events of all answers have no gap."""
    chance = random.Random(5)
    update = asha.ok("POST", "/matches", {"deals": 2, "after_bank": after_bank})
    view, told = update["match"], versions(update)
    path = f"/matches/{view['id']}"
    while view["status"] == "playing":
        move = chance.choice(view["you"]["legal_moves"])
        if len(told) < 20:
            move = asha.ok("GET", f"{path}/hint")["move"]
            assert move in view["you"]["legal_moves"]
        update = asha.move(view, move).body
        assert {"player", "bot", "rule"} >= {event["actor"] for event in update["events"] if "actor" in event}
        view = update["match"]
        told += versions(update)
    assert ("finished", 2) == (view["status"], len(view["result"]["deals"]))
    assert list(range(1, view["version"] + 1)) == told
    assert told == [event["version"] for event in asha.ok("GET", f"{path}/events?limit=1000")["items"]]
    records = [asha.ok("GET", f"{path}/deals/{number}") for number in (1, 2)]
    assert view["result"]["deals"] == [record["result"] for record in records]
    assert view["commitments"] == [record["commitment"] for record in records]
    assert [13, 13] == [sum(bank["tricks"] for bank in record["banks"]) for record in records]


@pytest.mark.parametrize("spectators", [False, True])
def test_what_leaving_before_the_start_answers(client: Client, spectators: bool) -> None:
    """The table, to the host who frees a seat, and to a leaver where anybody may see it; else the leaver gets no view
    (nor anything else), the first time and ever after, whatever becomes of the table."""
    table = Foursome.waiting(client, spectators=spectators)
    host, leaver, freed, _ = table.players
    for seat in ("east", "south"):
        table.sit(seat)
    replies = [leaver.call("DELETE", f"{table.path}/seats/east")]
    for _ in range(2):
        reply = host.call("DELETE", f"{table.path}/seats/south")
        assert host.ok("GET", table.path) == reply.body["match"]
        assert {"type": "seat_left", "seat": "south"}.items() <= reply.body["events"][0].items()
    replies += [leaver.call("DELETE", f"{table.path}/seats/east"), freed.call("DELETE", f"{table.path}/seats/south")]
    table.sit("west")
    host.ok("POST", f"{table.path}/start")
    replies += [leaver.call("DELETE", f"{table.path}/seats/east")]
    for reply in replies:
        assert (200, spectators, spectators) == (reply.status, "match" in reply.body, "ETag" in reply.headers)
        assert "you" not in reply.body.get("match", {}) and "invite" not in reply.body.get("match", {})
    if spectators:
        assert leaver.ok("GET", table.path) == replies[-1].body["match"]
    else:
        assert [{"events": []}] * 4 == [reply.body for reply in replies]


def test_a_rematch_is_made_once(asha: Client) -> None:
    """Asking again, with or without a key, finds the same new match; the old one tells of it."""
    path = asha.finished()
    told = asha.call("POST", f"{path}/rematch", headers={"Idempotency-Key": "one"})
    again = asha.call("POST", f"{path}/rematch")
    assert (201, 201, told.headers["Location"]) == (told.status, again.status, again.headers["Location"])
    assert told.body["match"] == again.body["match"]
    assert told.body["match"]["id"] == asha.ok("GET", path)["rematch_id"]


def test_an_offer_is_told(client: Client) -> None:
    """In the badge of who is asked, with all that is needed to sit down or to decline."""
    table = Foursome.waiting(client, deals=1, start="by_host")
    host, asked = table.players[:2]
    table.sit("east")
    view = host.ok("POST", f"{table.path}/start")["match"]
    while view["status"] == "playing":
        mover, view = table.turn()
        view = mover.move(view, view["you"]["legal_moves"][0]).body["match"]
    made = host.ok("POST", f"{table.path}/rematch")["match"]
    nothing = {"count": 0, "items": [], "offers": []}
    assert nothing == host.ok("GET", "/me/turns")
    turns = asked.ok("GET", "/me/turns")
    (offer,) = turns["offers"]
    assert (1, [], made["id"]) == (turns["count"], turns["items"], offer["match"]["id"])
    assert ("east", table.id) == (offer["seat"], offer["rematch_of"])
    (listed,) = asked.ok("GET", "/matches")["items"]
    assert (table.id, made["id"]) == (listed["id"], listed["rematch_id"])
    for _ in range(2):
        assert {"events": []} == asked.ok("DELETE", f"/matches/{made['id']}/seats/east")
    assert nothing == asked.ok("GET", "/me/turns")
    assert "east" == asked.ok("POST", f"{table.path}/rematch")["match"]["you"]["seat"]


def test_creating_once(asha: Client) -> None:
    """Idempotency-Key: the same key and body give the first one's match as it is now; another body is refused, be it
    for a default that is written out."""
    key = {"Idempotency-Key": "0b9f6f1e-7e50-4d5a-8f0c-5c1d8a9c3c55"}
    told = asha.call("POST", "/matches", {"deals": 2, "hints": False}, headers=key)
    view = told.body["match"]
    now = asha.move(view, view["you"]["legal_moves"][0]).body["match"]
    again = asha.call("POST", "/matches", {"hints": False, "deals": 2}, headers=key)
    assert (201, now, told.headers["Location"]) == (again.status, again.body["match"], again.headers["Location"])
    for body in ({"deals": 3}, {"deals": 2, "hints": False, "take_over": False}):
        other = asha.call("POST", "/matches", body, headers=key)
        assert (422, "idempotency_key_reused", now) == (other.status, other.code, other.body["current"])
    assert 1 == len(asha.ok("GET", "/matches")["items"])
    assert view["id"] != asha.guest().ok("POST", "/matches", {"deals": 2}, headers=key)["match"]["id"]


def test_the_last_word(client: Client) -> None:
    """The host sends a seed with the start; the feed and the record tell that it came last."""
    table = Foursome.waiting(client, deals=1, client_seed="01", start="by_host")
    host, guest = table.players[:2]
    table.sit("east", client_seed="02")
    update = host.ok("POST", f"{table.path}/start", {"client_seed": "03"})
    assert ("seat_taken", "north", "03") == tuple(update["events"][0][name] for name in ("type", "seat", "client_seed"))
    for player, seat in ((host, "north"), (guest, "east")):
        player.ok("DELETE", f"{table.path}/seats/{seat}")
    record = host.ok("GET", f"{table.path}/deals/1")
    assert ["east", "north"] == [sender["seat"] for sender in record["seed_order"]]
    assert ["03", "02", "", ""] == [seat["client_seed"] for seat in record["seats"]]
