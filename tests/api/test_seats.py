"""Sitting down with friends, leaving, starting and playing again."""

from __future__ import annotations

import pytest

from tests.api.client import Client, Table


def seats(view: dict[str, list[dict[str, str]]]) -> list[str]:
    return [seat["type"] for seat in view["seats"]]


def test_friends_sit_with_the_code(client: Client) -> None:
    """The host's code, typed as people type, gets friends in; with the fourth the match starts."""
    table = Table.waiting(client)
    host, guest, *others = table.players
    code = host.ok("GET", table.path)["invite"]["code"]
    shown = guest.ok("GET", f"/invites/{code.lower()[:4]}-{code.lower()[4:]}")
    assert (table.id, "Asha") == (shown["match_id"], shown["host"]["name"])
    update = guest.ok("PUT", f"{table.path}/seats/south", {"type": "human", "code": code.lower()})
    assert ["human", "empty", "human", "empty"] == seats(update["match"])
    for player, seat in zip(others, ("east", "west"), strict=True):
        update = player.ok("PUT", f"{table.path}/seats/{seat}", {"type": "human", "code": code, "client_seed": "0f"})
    assert "playing" == update["match"]["status"]
    assert "deal_started" in [event["type"] for event in update["events"]]


def test_taking_the_seat_one_has_changes_nothing(client: Client) -> None:
    """PUT is repeatable: the same view, and what the first one told."""
    table = Table.waiting(client)
    host = table.players[0]
    before = host.ok("GET", table.path)
    update = host.ok("PUT", f"{table.path}/seats/north", {"type": "human"})

    assert before == update["match"]
    assert ["seat_taken", "north"] == [update["events"][0][name] for name in ("type", "seat")]


def test_seats_that_are_not_to_be_had(client: Client) -> None:
    """A taken seat, a second one among cards, a wrong code, no code: each has its answer, and none changes anything."""
    table = Table.waiting(client, deals=1, spectators=True)
    assert "code_needed" == client.guest().call("PUT", f"{table.path}/seats/west", {"type": "human"}).code
    table = Table.started(client, deals=1, spectators=True)
    player, stranger, host = table.players[1], client.guest(), table.players[0]
    before = host.ok("GET", table.path)

    reply = player.call("PUT", f"{table.path}/seats/west", {"type": "human"})
    assert (409, "already_seated", {"seat": "east"}) == (reply.status, reply.code, reply.body["params"])
    assert player.ok("GET", table.path) == reply.body["current"]
    reply = stranger.call("PUT", f"{table.path}/seats/west", {"type": "human"})
    assert (409, "seat_taken", stranger.ok("GET", table.path)) == (reply.status, reply.code, reply.body["current"])
    wrong = {"type": "human", "code": "WRONGCDE"}
    assert "invite_not_found" == stranger.call("PUT", f"{table.path}/seats/west", wrong).code
    assert "match_not_waiting" == host.call("PUT", f"{table.path}/seats/west", {"type": "bot"}).code
    assert before == host.ok("GET", table.path)


def test_an_occupied_seat(client: Client) -> None:
    """409 seat_taken, with the seat, and my view only if GET would give it."""
    table = Table.waiting(client)
    host, guest = table.players[:2]
    code = host.ok("GET", table.path)["invite"]["code"]
    reply = guest.call("PUT", f"{table.path}/seats/north", {"type": "human", "code": code})

    assert (409, "seat_taken", {"seat": "north"}) == (reply.status, reply.code, reply.body["params"])
    assert "current" not in reply.body and "match_not_found" == guest.call("GET", table.path).code
    guest.ok("PUT", f"{table.path}/seats/east", {"type": "human", "code": code})
    reply = guest.call("PUT", f"{table.path}/seats/north", {"type": "human"})
    assert ("seat_taken", guest.ok("GET", table.path)) == (reply.code, reply.body["current"])


def test_only_the_host_seats_bots_and_starts(client: Client) -> None:
    """Others get 403 host_only; the host's bots fill the table."""
    table = Table.waiting(client, start="by_host")
    host, guest = table.players[:2]
    code = host.ok("GET", table.path)["invite"]["code"]
    guest.ok("PUT", f"{table.path}/seats/east", {"type": "human", "code": code})

    assert "host_only" == guest.call("PUT", f"{table.path}/seats/west", {"type": "bot", "level": "easy"}).code
    assert "host_only" == guest.call("POST", f"{table.path}/start").code
    assert "host_only" == guest.call("DELETE", f"{table.path}/seats/north").code
    update = host.ok("PUT", f"{table.path}/seats/west", {"type": "bot", "level": "easy"})
    assert ["human", "human", "empty", "bot"] == seats(update["match"])
    started = host.ok("POST", f"{table.path}/start")
    assert ["human", "human", "bot", "bot"] == seats(started["match"])
    again = host.ok("POST", f"{table.path}/start")
    assert started["match"] == again["match"]
    assert "match_started" == again["events"][0]["type"]
    assert again["events"] == started["events"][-len(again["events"]) :]


@pytest.mark.parametrize("spectators", [False, True])
def test_what_leaving_before_the_start_answers(client: Client, spectators: bool) -> None:
    """The table, to the host who frees a seat, and to a leaver where anybody may see it; else the leaver gets no view
    (nor anything else), the first time and ever after, whatever becomes of the table."""
    table = Table.waiting(client, spectators=spectators)
    host, leaver, freed, friend = table.players
    code = host.ok("GET", table.path)["invite"]["code"]
    for seat, player in (("east", leaver), ("south", freed)):
        player.ok("PUT", f"{table.path}/seats/{seat}", {"type": "human", "code": code})
    replies = [leaver.call("DELETE", f"{table.path}/seats/east")]
    for _ in range(2):
        reply = host.call("DELETE", f"{table.path}/seats/south")
        assert host.ok("GET", table.path) == reply.body["match"]
        assert {"type": "seat_left", "seat": "south"}.items() <= reply.body["events"][0].items()
    replies += [leaver.call("DELETE", f"{table.path}/seats/east"), freed.call("DELETE", f"{table.path}/seats/south")]
    renewed = host.ok("GET", table.path)["invite"]["code"]
    friend.ok("PUT", f"{table.path}/seats/west", {"type": "human", "code": renewed})
    host.ok("POST", f"{table.path}/start")
    replies += [leaver.call("DELETE", f"{table.path}/seats/east")]
    for reply in replies:
        assert (200, spectators, spectators) == (reply.status, "match" in reply.body, "ETag" in reply.headers)
        assert "you" not in reply.body.get("match", {}) and "invite" not in reply.body.get("match", {})
    if spectators:
        assert leaver.ok("GET", table.path) == replies[-1].body["match"]
    else:
        assert [{"events": []}] * 4 == [reply.body for reply in replies]
        assert "match_not_found" == leaver.call("GET", table.path).code


def test_whom_the_host_sends_away(client: Client) -> None:
    """Finds the old code dead, and is refused with the new one; the others use that."""
    table = Table.waiting(client)
    host, sent, friend, _ = table.players
    code = host.ok("GET", table.path)["invite"]["code"]
    sent.ok("PUT", f"{table.path}/seats/east", {"type": "human", "code": code})
    renewed = host.ok("DELETE", f"{table.path}/seats/east")["match"]["invite"]["code"]

    assert renewed != code
    old = sent.call("PUT", f"{table.path}/seats/west", {"type": "human", "code": code})
    new = sent.call("PUT", f"{table.path}/seats/west", {"type": "human", "code": renewed})
    assert [(404, "invite_not_found"), (403, "removed_by_host")] == [(reply.status, reply.code) for reply in (old, new)]
    assert "invite_not_found" == friend.call("GET", f"/invites/{code}").code
    friend.ok("PUT", f"{table.path}/seats/east", {"type": "human", "code": renewed})


def test_leaving_is_repeatable(client: Client) -> None:
    """The same update each time; a bot goes on, and whoever left may watch but not move."""
    table = Table.started(client, deals=1)
    leaver = table.players[2]
    left, again = (leaver.call("DELETE", f"{table.path}/seats/south") for _ in range(2))
    view = leaver.ok("GET", table.path)
    assert view == again.body["match"] == left.body["match"] and "you" not in view
    assert left.body["events"] == again.body["events"]
    assert {"type": "seat_left", "seat": "south"}.items() <= left.body["events"][0].items()
    assert f'"{view["version"]}"' == left.headers["ETag"] == again.headers["ETag"]
    assert (["human", "human", "bot", "human"], True) == (seats(view), view["seats"][2]["left"])
    assert "not_seated" == leaver.move(view, {"type": "pass"}).code


@pytest.mark.parametrize(
    ("wished", "own"),
    [({}, 0), ({"north": {"type": "bot"}}, 0), ({"north": {"type": "human"}, "south": {"type": "human"}}, 2)],
)
def test_the_host_sits_on_one_seat(asha: Client, wished: object, own: int) -> None:
    """A table without its host, or with two of them, is 422 host_must_sit."""
    reply = asha.call("POST", "/matches", {"seats": wished})

    assert (422, "host_must_sit", {"seats": own}) == (reply.status, reply.code, reply.body["params"])


def test_a_match_that_has_not_started(client: Client) -> None:
    """There is nothing to move in, nor a rematch to be had."""
    table = Table.waiting(client)
    host = table.players[0]

    assert "match_not_started" == host.call("PUT", f"{table.path}/moves/1", {"type": "call", "number": 7}).code
    assert "match_not_over" == host.call("POST", f"{table.path}/rematch").code


def finished(asha: Client) -> str:
    """The path of a solo match that has been played."""
    view = asha.solo(deals=1)
    while view["status"] == "playing":
        view = asha.move(view, view["you"]["legal_moves"][-1]).body["match"]
    return f"/matches/{view['id']}"


def test_a_match_that_is_over(asha: Client) -> None:
    """Seats, moves and the start are 409 match_over, with the last view; a repeated last move and the own seat are 200
    still."""
    path = finished(asha)
    view = asha.ok("GET", path)
    for method, rest, body in (
        ("PUT", f"/moves/{view['next_move']}", {"type": "pass"}),
        ("PUT", "/seats/east", {"type": "human"}),
        ("PUT", "/seats/east", {"type": "bot", "level": "sharp"}),
        ("POST", "/start", None),
        ("DELETE", "/seats/north", None),
    ):
        reply = asha.call(method, path + rest, body)
        assert (409, "match_over", view) == (reply.status, reply.code, reply.body["current"]), rest
    assert view == asha.ok("PUT", path + "/seats/north", {"type": "human"})["match"]
    assert {"type": "match_finished"}.items() <= asha.ok("GET", f"{path}/events?limit=1000")["items"][-1].items()


def test_a_rematch_is_made_once(asha: Client) -> None:
    """Asking again, with or without a key, finds the same new match; the old one tells of it."""
    path = finished(asha)
    first = asha.call("POST", f"{path}/rematch", headers={"Idempotency-Key": "one"})
    again = asha.call("POST", f"{path}/rematch")

    assert (201, 201) == (first.status, again.status)
    assert first.headers["Location"] == again.headers["Location"]
    assert first.body["match"] == again.body["match"]
    assert first.body["match"]["id"] == asha.ok("GET", path)["rematch_id"]


def test_an_offer_is_told_taken_and_declined(client: Client) -> None:
    """In the badge of those who are asked, with all that is needed to sit down or to decline."""
    table = Table.started(client, deals=1)
    while table.players[0].ok("GET", table.path)["status"] == "playing":
        mover, view = table.turn()
        mover.move(view, view["you"]["legal_moves"][0])
    host, *asked = table.players
    made = host.ok("POST", f"{table.path}/rematch")["match"]
    assert {"count": 0, "items": [], "offers": []} == host.ok("GET", "/me/turns")

    for player, seat in zip(asked, ("east", "south", "west"), strict=True):
        turns = player.ok("GET", "/me/turns")
        (offer,) = turns["offers"]
        assert (1, [], made["id"], seat, table.id) == (
            turns["count"],
            turns["items"],
            offer["match"]["id"],
            offer["seat"],
            offer["rematch_of"],
        )
        (listed,) = player.ok("GET", "/matches")["items"]
        assert (table.id, made["id"]) == (listed["id"], listed["rematch_id"])
    for _ in range(2):
        assert {"events": []} == asked[0].ok("DELETE", f"/matches/{made['id']}/seats/east")
    assert {"count": 0, "items": [], "offers": []} == asked[0].ok("GET", "/me/turns")
    assert "east" == asked[0].ok("POST", f"{table.path}/rematch")["match"]["you"]["seat"]
    asked[1].ok("PUT", f"/matches/{made['id']}/seats/south", {"type": "human"})
    asked[2].ok("DELETE", f"/matches/{made['id']}/seats/west")
    host.ok("PUT", f"/matches/{made['id']}/seats/west", {"type": "bot"})
    late = asked[2].call("POST", f"{table.path}/rematch")
    assert (409, "match_not_waiting") == (late.status, late.code)


def test_creating_once(asha: Client) -> None:
    """Idempotency-Key: the same key and body give the first one's match as it is now; another body is refused."""
    key = {"Idempotency-Key": "0b9f6f1e-7e50-4d5a-8f0c-5c1d8a9c3c55"}
    first = asha.call("POST", "/matches", {"deals": 2, "hints": False}, headers=key)
    view = first.body["match"]
    now = asha.move(view, view["you"]["legal_moves"][0]).body["match"]
    again = asha.call("POST", "/matches", {"hints": False, "deals": 2}, headers=key)
    other = asha.call("POST", "/matches", {"deals": 3}, headers=key)
    written_out = asha.call("POST", "/matches", {"deals": 2, "hints": False, "take_over": False}, headers=key)

    assert (201, now) == (again.status, again.body["match"])
    assert first.headers["Location"] == again.headers["Location"]
    assert (422, "idempotency_key_reused", now) == (other.status, other.code, other.body["current"])
    assert "idempotency_key_reused" == written_out.code  # a default written out is another body
    assert 1 == len(asha.ok("GET", "/matches")["items"])
    assert view["id"] != asha.guest().ok("POST", "/matches", {"deals": 2}, headers=key)["match"]["id"]


def test_too_many_matches(asha: Client) -> None:
    """Fifty running ones are enough."""
    for _ in range(50):
        asha.solo()
    reply = asha.call("POST", "/matches", {})

    assert (422, "too_many_matches", {"most": 50}) == (reply.status, reply.code, reply.body["params"])


def test_no_seed_for_a_bot(client: Client) -> None:
    """Neither with a bot's seat nor in the setup of a match: the body is refused."""
    table = Table.waiting(client)
    host = table.players[0]
    reply = host.call("PUT", f"{table.path}/seats/west", {"type": "bot", "client_seed": "0f"})
    assert (400, "invalid_body") == (reply.status, reply.code)
    setup = {"seats": {"north": {"type": "human"}, "east": {"type": "bot", "client_seed": "0f"}}}
    assert "invalid_body" == host.call("POST", "/matches", setup).code
    assert ["human", "empty", "empty", "empty"] == seats(host.ok("GET", table.path))


def test_the_last_word(client: Client) -> None:
    """The host sends a seed with the start; the feed and the record tell that it came last."""
    table = Table.waiting(client, deals=1, client_seed="01", start="by_host")
    host, guest = table.players[:2]
    code = host.ok("GET", table.path)["invite"]["code"]
    guest.ok("PUT", f"{table.path}/seats/east", {"type": "human", "code": code, "client_seed": "02"})
    update = host.ok("POST", f"{table.path}/start", {"client_seed": "03"})
    assert ("seat_taken", "north", "03") == tuple(update["events"][0][name] for name in ("type", "seat", "client_seed"))
    for player, seat in ((host, "north"), (guest, "east")):
        player.ok("DELETE", f"{table.path}/seats/{seat}")
    record = host.ok("GET", f"{table.path}/deals/1")
    assert ["east", "north"] == [sender["seat"] for sender in record["seed_order"]]
    assert ["03", "02", "", ""] == [seat["client_seed"] for seat in record["seats"]]
