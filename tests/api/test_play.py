"""Playing over HTTP: solo and by four, repeated and refused moves."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from tests.api.client import Client, Table


def plain(events: list[dict[str, Any]]) -> list[int]:
    return [event["version"] for event in events]


def test_an_empty_body_starts_a_solo_match(asha: Client) -> None:
    """`{}` seats me north and bots elsewhere, and cards are dealt at once."""
    reply = asha.call("POST", "/matches", {})

    view = reply.body["match"]
    assert 201 == reply.status
    assert f"matches/{view['id']}" == reply.headers["Location"]
    assert f'"{view["version"]}"' == reply.headers["ETag"]
    assert ["human", "bot", "bot", "bot"] == [seat["type"] for seat in view["seats"]]
    assert ("playing", "north") == (view["status"], view["you"]["seat"])
    assert list(range(1, view["version"] + 1)) == plain(reply.body["events"])


def test_no_body_is_an_empty_one(asha: Client) -> None:
    """A POST without a body, which some HTTP clients prefer to `{}`, is the same."""
    assert 201 == asha.call("POST", "/matches").status


@pytest.mark.parametrize("after_bank", ["fresh", "streak"])
def test_a_solo_match_is_played_to_its_end(asha: Client, after_bank: str) -> None:
    """Sending any legal move of each view leads to a finished match, and the events of all answers have no gap."""
    chance = random.Random(5)
    update = asha.ok("POST", "/matches", {"deals": 2, "after_bank": after_bank})
    view, told = update["match"], plain(update["events"])

    while view["status"] == "playing":
        update = asha.move(view, chance.choice(view["you"]["legal_moves"])).body
        view = update["match"]
        told += plain(update["events"])

    assert "finished" == view["status"]
    assert 2 == len(view["result"]["deals"])
    assert list(range(1, view["version"] + 1)) == told
    feed = asha.ok("GET", f"/matches/{view['id']}/events?limit=1000")
    assert told == plain(feed["items"])
    records = [asha.ok("GET", f"/matches/{view['id']}/deals/{number}") for number in (1, 2)]
    assert view["result"]["deals"] == [record["result"] for record in records]
    assert view["commitments"] == [record["commitment"] for record in records]
    assert [13, 13] == [sum(bank["tricks"] for bank in record["banks"]) for record in records]


def played(table: Table, chance: random.Random) -> Iterator[tuple[Client, dict[str, Any], dict[str, Any]]]:
    """Each move of the match: whose, on what view, and the answer."""
    while True:
        player, view = table.turn()
        if view["status"] != "playing":
            return
        update = player.move(view, chance.choice(view["you"]["legal_moves"])).body
        yield player, view, update
        if update["match"]["status"] != "playing":
            return


def test_four_play_a_deal(client: Client) -> None:
    """Each sees their own 13 cards, all see the same of the rest, and moves are legal for one of them only."""
    table = Table.started(client, deals=1)
    views = [player.ok("GET", table.path) for player in table.players]

    assert 52 == len({card for view in views for card in view["you"]["hand"]})
    assert 1 == sum(bool(view["you"]["legal_moves"]) for view in views)
    moves = sum(1 for _ in played(table, random.Random(3)))
    ends = [player.ok("GET", table.path) for player in table.players]
    assert 40 < moves <= 53
    assert 1 == len({str({**view, "you": None}) for view in ends})


def test_a_repeated_move_is_the_same_move(asha: Client) -> None:
    """A retry of any move already made answers 200 with the present view and the events from that move on."""
    view = asha.solo()
    move = view["you"]["legal_moves"][0]
    first = asha.move(view, move)
    again = asha.move(view, move)

    assert (200, first.body["match"]) == (again.status, again.body["match"])
    assert first.body["events"] == again.body["events"]
    later = first.body["match"]
    asha.move(later, later["you"]["legal_moves"][0])
    assert 200 == asha.move(view, move).status


def test_another_move_at_a_number_that_is_made(asha: Client) -> None:
    """409 with what is next and my view, so that the app can go on."""
    view = asha.solo()
    moves = view["you"]["legal_moves"]
    now = asha.move(view, moves[0]).body["match"]
    reply = asha.move(view, moves[1])

    assert (409, "move_already_made") == (reply.status, reply.code)
    assert {"move_number": view["next_move"], "next_move": now["next_move"]} == reply.body["params"]
    assert now == reply.body["current"]


def test_a_move_beyond_the_next(asha: Client) -> None:
    """409 move_out_of_order with what is next."""
    view = asha.solo()
    reply = asha.move({**view, "next_move": view["next_move"] + 1}, view["you"]["legal_moves"][0])

    assert (409, "move_out_of_order", view["next_move"]) == (
        reply.status,
        reply.code,
        reply.body["params"]["next_move"],
    )
    assert view == reply.body["current"]


def test_an_illegal_move_changes_nothing(asha: Client) -> None:
    """422 with the engine's reason; the view is as before."""
    view = asha.solo()
    reply = asha.move(view, {"type": "play", "card": "AS"})

    assert (422, "auction_not_over") == (reply.status, reply.code)
    assert view == reply.body["current"]
    assert view == asha.ok("GET", f"/matches/{view['id']}")


def test_every_illegal_card_has_its_reason(client: Client) -> None:
    """In the play each of the other cards is refused: not in hand, or suit not followed."""
    table = Table.started(client, deals=1)
    for _player, view, _update in played(table, random.Random(3)):
        if len(view.get("deal", {}).get("trick", {}).get("plays", [])) == 1:
            break
    player, view = table.turn()
    legal = [move["card"] for move in view["you"]["legal_moves"]]
    led = view["deal"]["trick"]["plays"][0]["card"][1]

    for card in ("AS", "AH", "AD", "AC", "2S", "2H", "2D", "2C"):
        reply = player.move(view, {"type": "play", "card": card}) if card not in legal else None
        if reply is None:
            continue
        if card in view["you"]["hand"]:
            assert ("must_follow_suit", {"suit": led}) == (reply.code, reply.body["params"])
        else:
            assert ("card_not_in_hand", {"card": card}) == (reply.code, reply.body["params"])


def test_others_may_not_move_for_me(client: Client) -> None:
    """A move on another's turn is 422 not_your_turn, and says whose it is."""
    table = Table.started(client, deals=1)
    player, view = table.turn()
    other = next(each for each in table.players if each is not player)
    reply = other.move(view, {"type": "call", "number": 9})

    assert (422, "not_your_turn", {"turn": view["deal"]["turn"]}) == (reply.status, reply.code, reply.body["params"])


def test_bots_answer_in_the_same_request(asha: Client) -> None:
    """After my move it is my turn again, or the deal is over: the bots' moves are events of the answer."""
    view = asha.solo(deals=1)
    update = asha.move(view, view["you"]["legal_moves"][-1]).body

    assert "north" == update["match"]["deal"]["turn"]
    assert "player" == update["events"][0]["actor"]
    assert {"player", "bot", "rule"} >= {event["actor"] for event in update["events"] if "actor" in event}


def test_a_hint(asha: Client) -> None:
    """On my turn: a legal move with a reason, the same until something happens."""
    view = asha.solo(deals=1)
    hint = asha.ok("GET", f"/matches/{view['id']}/hint")

    assert hint["move"] in view["you"]["legal_moves"]
    assert hint == asha.ok("GET", f"/matches/{view['id']}/hint")
    assert 200 == asha.move(view, hint["move"]).status


def test_no_hint(client: Client) -> None:
    """None at a table that plays without, none on another's turn, none for who has no seat, none before and after."""
    off = client.guest()
    assert "hints_off" == off.call("GET", f"/matches/{off.solo(hints=False)['id']}/hint").code
    table = Table.started(client, deals=1, spectators=True)
    player, view = table.turn()
    other = next(each for each in table.players if each is not player)
    reply = other.call("GET", f"{table.path}/hint")
    assert ("not_your_turn", {"turn": view["deal"]["turn"]}) == (reply.code, reply.body["params"])
    assert "not_seated" == client.guest().call("GET", f"{table.path}/hint").code
    waiting = Table.waiting(client)
    assert "match_not_started" == waiting.players[0].call("GET", f"{waiting.path}/hint").code
