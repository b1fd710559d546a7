"""One match brought back from a restored table, whole: it can be played on, and its players find it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import boto3
import pytest
from moto import mock_aws

from chalicelib.match.model import Change
from chalicelib.service.services import Services
from chalicelib.store import DynamoStore, create_table, keys
from dev.deploy import CommandFailed
from dev.deploy.restore_match import MatchRestoration
from dev.driver import Foursome, InProcess, Json, Player, seat_four, sign_up

USED, RESTORED = "used", "restored"


@dataclass
class House:
    """The two tables, and an app on the used one."""

    dynamodb: Any

    def __post_init__(self) -> None:
        self.transport = InProcess(Services(DynamoStore(USED)))
        self.restoration = MatchRestoration(self.dynamodb, RESTORED, USED)
        self.restore = self.restoration.restore

    def player(self) -> Player:
        return sign_up(self.transport)

    def foursome(self) -> Foursome:
        return seat_four(self.transport, deals=1)

    def snapshot(self) -> None:
        """Restores the table to this moment."""
        for page in self.dynamodb.get_paginator("scan").paginate(TableName=USED):
            for item in page["Items"]:
                self.dynamodb.put_item(TableName=RESTORED, Item=item)

    def spoil(self, match_id: str, *, unreadable: bool) -> None:
        """Delete the match's item, or put into it what nobody can read."""
        key = {"pk": {"S": keys.match_key(match_id)}, "sk": {"S": keys.MATCH}}
        item = self.dynamodb.get_item(TableName=USED, Key=key)["Item"]
        if unreadable:
            self.dynamodb.put_item(TableName=USED, Item={**item, "match": {"B": b"\x01"}})
        else:
            self.dynamodb.delete_item(TableName=USED, Key=key)


@pytest.fixture
def house() -> Iterator[House]:
    with mock_aws():
        for table in (USED, RESTORED):
            create_table(table)
        yield House(boto3.client("dynamodb"))


def _moved(player: Player, view: Json) -> Json:
    return player.move(view, view["you"]["legal_moves"][0]).body["match"]


def _before_the_last_move(player: Player, deals: int) -> Json:
    """The view of a match with bots, on the last move that a human makes in its first deal: the last trick is made by
    itself (R6)."""
    view = player.new_match({"deals": deals})
    while len(view["you"]["hand"]) > 2:
        view = _moved(player, view)
    return view


def _listed(player: Player, *statuses: str) -> list[list[str]]:
    return [[item["id"] for item in player.get(f"/matches?status={status}")["items"]] for status in statuses]


def test_a_finished_deal_that_is_left_over_blocks_nothing(house: House) -> None:
    """The match goes back to before a deal's last move; the deal's record that came of it is gone, and the move can be
    made again."""
    player = house.player()
    at = _before_the_last_move(player, deals=2)
    house.snapshot()
    assert 2 == _moved(player, _moved(player, at))["deal"]["deal_number"]

    report = house.restore(at["id"])

    assert f"is at version {at['version']} again, playing" in report and report.endswith("deleted: 1")
    view = player.get(f"/matches/{at['id']}")
    assert (at["version"], at["next_move"], at["you"]) == (view["version"], view["next_move"], view["you"])
    assert 2 == _moved(player, view)["deal"]["deal_number"]
    assert player.get(f"/matches/{at['id']}/deals/1")


def test_a_match_that_has_ended_comes_back_in_its_players_lists(house: House) -> None:
    """It is among the matches that they play, and among those that have ended no more; the sweep will look at it."""
    player = house.player()
    at = _before_the_last_move(player, deals=1)
    house.snapshot()
    assert "finished" == _moved(player, at)["status"]
    assert [[], [at["id"]]] == _listed(player, "playing", "finished")

    house.restore(at["id"])

    store = DynamoStore(USED)
    match = store.match(at["id"])
    assert match is not None and (at["version"], match.due_at) == (match.version, match.scheduled_at)
    assert match.id in {due.id for due in store.due(keys.due_shard(match.id), match.scheduled_at or 0, 10)}
    assert (match.id,) == store.live(player.id)
    assert [[match.id], []] == _listed(player, "playing", "finished")
    assert "finished" == _moved(player, player.get(f"/matches/{match.id}"))["status"]
    assert [[], [match.id]] == _listed(player, "playing", "finished")


def test_the_events_are_those_of_the_match_that_is_back(house: House) -> None:
    """From the first one to the last, without gaps, and none of what came later: a friend who left is still there."""
    four = house.foursome()
    four.play(3)
    house.snapshot()
    host, friend = four.players[:2]
    then = host.events(four.path)
    friend.leave(four.path, "east")
    four.play(1)

    house.restore(four.match_id)

    assert then == host.events(four.path)
    assert "human" == host.get(four.path)["seats"][1]["type"]
    assert 1 == four.play(1)


@pytest.mark.parametrize("unreadable", [False, True])
def test_a_match_that_is_spoilt_is_made_whole(house: House, unreadable: bool) -> None:
    """Though nothing of it can be read, its players find it again; twice is the same as once."""
    four = house.foursome()
    house.snapshot()
    house.spoil(four.match_id, unreadable=unreadable)
    assert "could not be read" in house.restore(four.match_id)
    assert "is at version" in house.restore(four.match_id)
    assert all([[four.match_id]] == _listed(each, "playing") for each in four.players)
    assert 1 == four.play(1)


def test_a_table_that_was_started_since_waits_again(house: House) -> None:
    """Its invite code is good again, and those who came later sit there no more."""
    host, friend = house.player(), house.player()
    match = host.new_match({"seats": {"north": {"type": "human"}}})
    path, code = f"/matches/{match['id']}", match["invite"]["code"]
    house.snapshot()
    friend.sit(path, "east", code)
    host.post(f"{path}/start")

    house.restore(match["id"])

    assert [[match["id"]], []] == _listed(host, "waiting", "playing")
    assert [[], []] == _listed(friend, "waiting", "playing")
    assert match["id"] == friend.get(f"/invites/{code}")["match_id"]
    assert 200 == friend.sit(path, "east", code).status


def test_who_is_deleted_or_renamed_since_stays_so(house: House) -> None:
    """A bot follows the one, and the other has the present name."""
    four = house.foursome()
    house.snapshot()
    four.players[1].ok("DELETE", "/me")
    four.players[2].ok("PATCH", "/me", {"name": "Chandra"})

    house.restore(four.match_id)

    seats = four.players[0].get(four.path)["seats"]
    assert ("bot", {"deleted": True}) == (seats[1]["type"], seats[1]["player"])
    assert "Chandra" == seats[2]["player"]["name"]


@pytest.mark.parametrize("spoilt", [False, True])
def test_a_rematch_that_was_made_since_stays_the_rematch(house: House, spoilt: bool) -> None:
    """Played to its end again, the match leads to it, even if the match itself could not be read."""
    player = house.player()
    at = _before_the_last_move(player, deals=1)
    house.snapshot()
    _moved(player, at)
    rematch = player.post(f"/matches/{at['id']}/rematch")["match"]
    if spoilt:
        house.spoil(at["id"], unreadable=False)

    house.restore(at["id"])

    again = player.get(f"/matches/{at['id']}")
    assert (at["version"], "playing") == (again["version"], again["status"])
    assert "finished" == _moved(player, again)["status"]
    assert rematch["id"] == player.post(f"/matches/{at['id']}/rematch")["match"]["id"]


def test_what_cannot_be_brought_back_stays_as_it_is(house: House) -> None:
    """The host's decision to send a player away holds; what the restored table has not is told."""
    host, friend = house.player(), house.player()
    match = host.new_match({"seats": {"north": {"type": "human"}}})
    path = f"/matches/{match['id']}"
    friend.sit(path, "east", match["invite"]["code"])
    house.snapshot()
    host.leave(path, "east")
    before = host.get(path)
    with pytest.raises(CommandFailed, match="has been sent away"):
        house.restore(match["id"])
    assert before == host.get(path)
    with pytest.raises(CommandFailed, match="has no match"):
        house.restore("A" * 16)


def _ends_the_deal(player: Player, view: Json) -> None:
    assert 2 == _moved(player, _moved(player, view))["deal"]["deal_number"]


@pytest.mark.parametrize("whole_deal", [False, True])
def test_what_happens_meanwhile_goes_too(house: House, monkeypatch: pytest.MonkeyPatch, whole_deal: bool) -> None:
    """A move, and the end of a deal with its record: the match is written only as it was read, and can be played on."""
    player = house.player()
    at = _before_the_last_move(player, deals=2) if whole_deal else player.new_match({})
    meanwhile = _ends_the_deal if whole_deal else _moved
    house.snapshot()
    save, waiting = DynamoStore.save, [at]

    def save_later(store: DynamoStore, change: Change) -> None:
        if waiting and store is house.restoration.store:
            meanwhile(player, waiting.pop())
        save(store, change)

    monkeypatch.setattr(DynamoStore, "save", save_later)
    assert house.restore(at["id"]).endswith(f"deleted: {int(whole_deal)}")
    again = player.get(f"/matches/{at['id']}")
    assert (at["version"], at["you"], []) == (again["version"], again["you"], waiting)
    meanwhile(player, again)
