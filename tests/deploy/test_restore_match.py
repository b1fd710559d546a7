"""One match brought back from a restored table, whole: it can be played on, and its players find it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import boto3
import pytest
from moto import mock_aws

from chalicelib.api.app import create_app
from chalicelib.match.model import Change
from chalicelib.service.services import Services
from chalicelib.store import DynamoStore, create_table, keys
from dev.deploy import CommandFailed
from dev.deploy.restore_match import MatchRestoration
from tests.api.client import Client, Foursome, Json
from tests.api.conftest import SIGNING_KEYS, keys_of

USED, RESTORED = "used", "restored"


@pytest.fixture
def dynamodb() -> Iterator[Any]:
    """Both tables."""
    with mock_aws():
        for table in (USED, RESTORED):
            create_table(table)
        yield boto3.client("dynamodb")


@pytest.fixture
def client(dynamodb: Any) -> Client:
    """Of an app on the one table."""
    return Client(create_app(Services(DynamoStore(USED)), keys_of(SIGNING_KEYS), rate_factor=0))


@pytest.fixture
def snapshot(dynamodb: Any) -> Callable[[], None]:
    """Restores the table to this moment."""

    def take() -> None:
        for page in dynamodb.get_paginator("scan").paginate(TableName=USED):
            for item in page["Items"]:
                dynamodb.put_item(TableName=RESTORED, Item=item)

    return take


@pytest.fixture
def restore(dynamodb: Any) -> Callable[[str], str]:
    return MatchRestoration(dynamodb, RESTORED, USED).restore


def _play(table: Foursome, moves: int) -> None:
    for _ in range(moves):
        player, view = table.turn()
        assert 200 == player.move(view, view["you"]["legal_moves"][0]).status


def _moved(player: Client, view: Json) -> Json:
    moved: Json = player.move(view, view["you"]["legal_moves"][0]).body["match"]
    return moved


def _before_the_last_move(player: Client, **setup: Any) -> Json:
    """The view of a match with bots, on the last move that a human makes in its first deal: the last trick is made by
    itself (R6)."""
    view = player.solo(**setup)
    while len(view["you"]["hand"]) > 2:
        view = _moved(player, view)
    return view


def _listed(player: Client, status: str) -> list[str]:
    return [item["id"] for item in player.ok("GET", f"/matches?status={status}")["items"]]


def test_a_finished_deal_that_is_left_over_blocks_nothing(client: Client, snapshot: Any, restore: Any) -> None:
    """The match goes back to before a deal's last move; the deal's record that came of it is gone, and the move can be
    made again."""
    player = client.guest()
    at = _before_the_last_move(player, deals=2)
    snapshot()
    assert 2 == _moved(player, _moved(player, at))["deal"]["deal_number"]

    told = restore(at["id"])

    assert f"is at version {at['version']} again, playing" in told and told.endswith("deleted: 1")
    view = player.ok("GET", f"/matches/{at['id']}")
    assert (at["version"], at["next_move"], at["you"]) == (view["version"], view["next_move"], view["you"])
    assert 2 == _moved(player, view)["deal"]["deal_number"]
    assert 200 == player.call("GET", f"/matches/{at['id']}/deals/1").status


def test_a_match_that_has_ended_comes_back_in_its_players_lists(client: Client, snapshot: Any, restore: Any) -> None:
    """It is among the matches that they play, and among those that have ended no more; the sweep will look at it."""
    player = client.guest()
    at = _before_the_last_move(player, deals=1)
    snapshot()
    assert "finished" == _moved(player, at)["status"]
    assert ([], [at["id"]]) == (_listed(player, "playing"), _listed(player, "finished"))

    restore(at["id"])

    store = DynamoStore(USED)
    match = store.match(at["id"])
    assert match is not None and (at["version"], match.due_at) == (match.version, match.scheduled_at)
    assert match.id in {due.id for due in store.due(keys.due_shard(match.id), match.scheduled_at or 0, 10)}
    assert (match.id,) == store.live(player.player_id)
    assert ([match.id], []) == (_listed(player, "playing"), _listed(player, "finished"))
    assert "finished" == _moved(player, player.ok("GET", f"/matches/{match.id}"))["status"]
    assert ([], [match.id]) == (_listed(player, "playing"), _listed(player, "finished"))


def test_the_events_are_those_of_the_match_that_is_back(client: Client, snapshot: Any, restore: Any) -> None:
    """From the first one to the last, without gaps, and none of what came later: a friend who left is still there."""
    table = Foursome.started(client, deals=1)
    _play(table, 3)
    snapshot()
    then = table.players[0].ok("GET", f"{table.path}/events?after=0&limit=200")["items"]
    table.players[1].call("DELETE", f"{table.path}/seats/east")
    _play(table, 1)

    restore(table.id)

    now = table.players[0].ok("GET", f"{table.path}/events?after=0&limit=200")["items"]
    assert then == now
    assert "human" == table.players[0].ok("GET", table.path)["seats"][1]["type"]
    _play(table, 1)


@pytest.mark.parametrize("spoilt", ["gone", "unreadable"])
def test_a_match_that_is_spoilt_is_made_whole(
    client: Client, snapshot: Any, restore: Any, dynamodb: Any, spoilt: str
) -> None:
    """Though nothing of it can be read, its players find it again; twice is the same as once."""
    table = Foursome.started(client, deals=1)
    snapshot()
    key = {"pk": {"S": keys.match_key(table.id)}, "sk": {"S": keys.MATCH}}
    if spoilt == "gone":
        dynamodb.delete_item(TableName=USED, Key=key)
    else:
        values = {":nothing": {"B": b"\x01"}}
        dynamodb.update_item(
            TableName=USED,
            Key=key,
            UpdateExpression="SET #m = :nothing",
            ExpressionAttributeNames={"#m": "match"},
            ExpressionAttributeValues=values,
        )
    assert "could not be read" in restore(table.id)
    assert "is at version" in restore(table.id)
    assert all([table.id] == _listed(each, "playing") for each in table.players)
    _play(table, 1)


def test_a_table_that_was_started_since_waits_again(client: Client, snapshot: Any, restore: Any) -> None:
    """Its invite code is good again, and those who came later sit there no more."""
    table = Foursome.waiting(client)
    host, friend = table.players[:2]
    code = host.ok("GET", table.path)["invite"]["code"]
    snapshot()
    friend.ok("PUT", f"{table.path}/seats/east", {"type": "human", "code": code})
    host.ok("POST", f"{table.path}/start")

    restore(table.id)

    assert ([table.id], []) == (_listed(host, "waiting"), _listed(host, "playing"))
    assert ([], []) == (_listed(friend, "waiting"), _listed(friend, "playing"))
    assert table.id == friend.ok("GET", f"/invites/{code}")["match_id"]
    friend.ok("PUT", f"{table.path}/seats/east", {"type": "human", "code": code})


def test_who_is_deleted_or_renamed_since_stays_so(client: Client, snapshot: Any, restore: Any) -> None:
    """A bot follows the one, and the other has the present name."""
    table = Foursome.started(client, deals=1)
    snapshot()
    table.players[1].ok("DELETE", "/me")
    table.players[2].ok("PATCH", "/me", {"name": "Chandra"})

    restore(table.id)

    seats = table.players[0].ok("GET", table.path)["seats"]
    assert ("bot", {"deleted": True}) == (seats[1]["type"], seats[1]["player"])
    assert "Chandra" == seats[2]["player"]["name"]


@pytest.mark.parametrize("spoilt", [False, True])
def test_a_rematch_that_was_made_since_stays_the_rematch(
    client: Client, snapshot: Any, restore: Any, dynamodb: Any, spoilt: bool
) -> None:
    """Played to its end again, the match leads to it, even if the match itself could not be read."""
    player = client.guest()
    at = _before_the_last_move(player, deals=1)
    snapshot()
    _moved(player, at)
    rematch = player.ok("POST", f"/matches/{at['id']}/rematch")["match"]
    if spoilt:
        key = {"pk": {"S": keys.match_key(at["id"])}, "sk": {"S": keys.MATCH}}
        dynamodb.delete_item(TableName=USED, Key=key)

    restore(at["id"])

    again = player.ok("GET", f"/matches/{at['id']}")
    assert (at["version"], "playing") == (again["version"], again["status"])
    assert "finished" == _moved(player, again)["status"]
    assert rematch["id"] == player.ok("POST", f"/matches/{at['id']}/rematch")["match"]["id"]


def test_a_player_who_was_sent_away_since_blocks_it(client: Client, snapshot: Any, restore: Any) -> None:
    """The host's decision holds; the match stays as it is."""
    table = Foursome.waiting(client)
    host, friend = table.players[:2]
    code = host.ok("GET", table.path)["invite"]["code"]
    friend.ok("PUT", f"{table.path}/seats/east", {"type": "human", "code": code})
    snapshot()
    host.ok("DELETE", f"{table.path}/seats/east")
    before = host.ok("GET", table.path)
    with pytest.raises(CommandFailed, match="has been sent away"):
        restore(table.id)
    assert before == host.ok("GET", table.path)


def test_a_deal_that_ends_meanwhile_leaves_nothing(
    client: Client, snapshot: Any, dynamodb: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its record goes with it, so that the deal can be played to its end again."""
    player = client.guest()
    at = _before_the_last_move(player, deals=2)
    snapshot()
    restoration = MatchRestoration(dynamodb, RESTORED, USED)
    save, moves = DynamoStore.save, [at]

    def save_after_the_deal(store: DynamoStore, change: Change) -> None:
        if moves and store is restoration.store:
            assert 2 == _moved(player, _moved(player, moves.pop()))["deal"]["deal_number"]
        save(store, change)

    monkeypatch.setattr(DynamoStore, "save", save_after_the_deal)
    assert restoration.restore(at["id"]).endswith("deleted: 1")
    again = player.ok("GET", f"/matches/{at['id']}")
    assert (at["version"], []) == (again["version"], moves)
    assert 2 == _moved(player, _moved(player, again))["deal"]["deal_number"]


def test_a_move_that_is_made_meanwhile_goes_too(
    client: Client, snapshot: Any, dynamodb: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The match is written only as it was read, so that the move is part of what is taken back, whole."""
    player = client.guest()
    view = player.solo()
    snapshot()
    restoration = MatchRestoration(dynamodb, RESTORED, USED)
    save, moves = DynamoStore.save, [view]

    def save_after_a_move(store: DynamoStore, change: Change) -> None:
        if moves and store is restoration.store:
            _moved(player, moves.pop())
        save(store, change)

    monkeypatch.setattr(DynamoStore, "save", save_after_a_move)
    restoration.restore(view["id"])
    assert [] == moves
    again = player.ok("GET", f"/matches/{view['id']}")
    assert (view["version"], view["you"]) == (again["version"], again["you"])
    assert _moved(player, again)["version"] > view["version"]


def test_what_the_restored_table_has_not_is_told(restore: Any) -> None:
    """Nothing is changed."""
    with pytest.raises(CommandFailed, match="has no match"):
        restore("A" * 16)
