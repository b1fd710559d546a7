"""The prod stage as CloudFormation makes it of its package, in an emulated AWS that enforces IAM, played through its
gateway. What no emulator can show is told in docs/operations.md."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator

import jwt
import pytest

from chalicelib.engine import CARDS
from chalicelib.service.clock.sweep import sweep
from chalicelib.service.services import Services
from chalicelib.store import DynamoStore
from chalicelib.store.wire import FORMS
from dev.deploy.keys import renew_containers, rotate
from dev.deploy.local import Emulated
from dev.deploy.package import ROOT, Package
from dev.deploy.stack import Deployment
from dev.deploy.table import KINDS
from dev.driver import Json, OverHttp
from tests.deploy import story
from tests.deploy.overdue import Overdue, overdue_turn
from tests.deploy.permissions import Permission, function_name, permissions, role_arn, without
from tests.deploy.story import SOLO, Guest, guests, phones, until

PATIENCE = 600
"""Seconds: the schedule is a minute's."""
RESTORED = "restored-under-play"
ARN = "arn:aws:{}:us-east-1:000000000000"
A_SCHEDULED_EVENT = {
    "version": "0",
    "id": "53dc4d37-cffa-4f76-80c9-8b7d4a4d2eaa",
    "detail-type": "Scheduled Event",
    "source": "aws.events",
    "account": "000000000000",
    "time": "2026-11-29T00:00:00Z",
    "region": "us-east-1",
    "resources": [],
    "detail": {},
}


@pytest.fixture(scope="module")
def stage(emulated: Emulated) -> Emulated:
    """The stage, for more players than one address may sign up in an hour."""
    functions, name = emulated.client_of("lambda"), emulated.outputs["APIHandlerName"]
    variables = functions.get_function_configuration(FunctionName=name)["Environment"]["Variables"]
    generous = {"Variables": {**variables, "DO_DOONI_RATE_FACTOR": "100"}}
    functions.update_function_configuration(FunctionName=name, Environment=generous)
    return emulated


@pytest.fixture(scope="module")
def http(stage: Emulated) -> Iterator[OverHttp]:
    with OverHttp(stage.url, timeout=PATIENCE) as transport:
        yield transport


@pytest.fixture(scope="module")
def overdue_match(stage: Emulated, http: OverHttp) -> tuple[Guest, Json]:
    """A match of four, begun an hour ago, whose first player has let the time pass: they, and their view of it."""
    four = guests(http, *["Deepa"] * 4)
    match_id = overdue_turn(DynamoStore(stage.outputs["TableName"], stage.server.url), [guest.id for guest in four])
    return four[0], four[0].get(f"/matches/{match_id}")


def test_everything_players_do(http: OverHttp, overdue_match: tuple[Guest, Json]) -> None:
    """Signing up, a solo deal, a match of four with races, a refresh, coming and going, deleting the account."""
    assert overdue_match[1]["status"] == "playing"
    story.everything(http)


def test_logs_tell_what_happened_and_nothing_of_it(stage: Emulated, http: OverHttp) -> None:
    """One line a request, each JSON: what was called, how it ended and how long it took; races, repeats, the bots' time
    and cold starts are there to be counted. No name, token, card or code is in any."""
    begin = int(time.time() * 1000)
    renew_containers(stage.client_of("lambda"), function_name(stage, "api"), "for the cold start's sake")
    four = guests(http, *["Zarina"] * 4)
    story.repeated_move(four[0])
    story.solo_deal(four[0])
    last = story.four_player_match(http, four)
    code = four[0].new_match({"seats": {"north": {"type": "human"}}})["invite"]["code"]
    four[1].get(f"/invites/{code}")
    text = _logged(stage, begin)
    lines = [json.loads(line) for line in text if line.startswith("{")]
    moves = [line for line in lines if line["event"] == "request" and line["route"].endswith("/moves/{move_number}")]
    of_four = [line for line in moves if line.get("match_id") == last["id"]]

    assert {"request_id", "method", "route", "status", "ms", "match_id", "version"} <= set(of_four[0])
    assert last["version"] == max(line["version"] for line in of_four)
    assert last["next_move"] - 1 == sum(line.get("moves", 0) for line in of_four) + 4  # the last trick is forced (R6)
    assert sum(line["status"] == 409 and line["code"] == "move_already_made" for line in of_four) > 0
    assert sum(line.get("lost_races", 0) for line in of_four) > 0
    assert any(line.get("bot_ms", 0) > 0 for line in moves)
    made = [_marks(line) for line in of_four if "moves" in line]
    assert all({"moves", "lost_races"} <= marks <= {"moves", "lost_races", "bot_ms", "cold_starts"} for marks in made)
    (cold, *_) = [line for line in lines if "cold_starts" in line]
    assert 1 == cold["cold_starts"] and "cold_starts" in _marks(cold)
    # Two phones that race with the only legal move repeat it as well.
    repeated = [line for line in moves if "repeated_moves" in line]
    assert repeated and all((200, 1) == (line["status"], line["repeated_moves"]) for line in repeated)
    assert all({"repeated_moves"} == _marks(line) & {"repeated_moves", "moves"} for line in repeated)
    assert any(line["route"].endswith("/invites/{code}") for line in lines)
    tokens = [token for guest in four for token in (guest.access, guest.refresh)]
    secrets = ["Zarina", code, *tokens, *(f'"{card}"' for card in CARDS)]
    assert [] == [secret for secret in secrets for line in text if secret in line]


@pytest.mark.parametrize("function", ["api", "sweep"])
def test_each_may_write_its_own_log_only(stage: Emulated, function: str) -> None:
    """The runtime may write a function's log, and neither function another's log, table or secret."""
    other = {"api": "sweep", "sweep": "api"}[function]
    logs = {"api": stage.outputs["APILog"], "sweep": stage.outputs["SweepLog"]}
    write = [one.action for one in permissions(function, log=True)]
    assert {"logs:CreateLogStream", "logs:PutLogEvents"} == set(write)
    get, scan, drop = (f"dynamodb:{action}" for action in ("GetItem", "Scan", "DeleteTable"))
    read, own = "secretsmanager:GetSecretValue", f"{ARN.format('dynamodb')}:table/{stage.outputs['TableName']}"
    allowed = {(own, get), *((f"{ARN.format('logs')}:log-group:{logs[function]}:log-stream:x", one) for one in write)}
    allowed |= {(stage.outputs["SigningKeysArn"], read)} if function == "api" else set()
    asked = allowed | {(own, scan), (own, drop), (stage.outputs["SigningKeysArn"], read)}
    asked |= {(f"{ARN.format('logs')}:log-group:{logs[other]}:log-stream:x", one) for one in write}
    asked |= {(f"{ARN.format('dynamodb')}:table/x", one) for one in (get, scan, drop)}
    asked |= {(f"{ARN.format('secretsmanager')}:secret:x", read)}
    assert allowed == {one for one in asked if _may(stage, function, *one)}


@pytest.mark.parametrize("permission", permissions("api"), ids=str)
def test_the_api_needs_what_it_may(stage: Emulated, http: OverHttp, permission: Permission) -> None:
    """With any one action taken out of the API's policy, something that players do fails."""
    with without(stage, permission), pytest.raises(AssertionError):
        story.everything(http)


def test_with_every_permission_back_all_goes(http: OverHttp) -> None:
    """What failed without a permission failed for the want of it: with all of them players do everything again."""
    story.everything(http)


def test_keys_are_rotated_with_nobody_signed_out(stage: Emulated, http: OverHttp) -> None:
    """After a rotation new tokens are signed by the new key and the old ones still hold; after another one, no more."""
    (player,) = guests(http, "Esha")
    old = player.access
    assert "do-dooni-prod signs with key 2" in _ran(stage, "rotate-keys")
    player.get("/me")
    player.renew()
    kids = {jwt.get_unverified_header(token)["kid"] for token in (old, player.access)}
    rotate(stage.client_of, "prod")
    player.get("/me")
    player.access = old
    assert (2, "token_invalid") == (len(kids), player.send("GET", "/me").code)


@pytest.mark.slow
def test_a_scheduled_sweep_plays_an_overdue_turn(overdue_match: tuple[Guest, Json]) -> None:
    """The schedule runs the sweep, and the player whose time is up finds a move made for them."""
    player, view = overdue_match
    player.renew()  # the keys that signed the access token may be gone
    path = f"/matches/{view['id']}"
    until(lambda: bool(player.events(path, view["version"])))
    actors = [event["actor"] for event in player.events(path, view["version"]) if event.get("actor")]
    assert "timeout" == actors[0]


def test_a_sweep_does_all_that_is_due(stage: Emulated) -> None:
    """An overdue turn is played, an empty table given up, a deletion finished; the one line about it says so."""
    begin = int(time.time() * 1000)
    _sweep(stage)

    def lines() -> list[Json]:
        return [json.loads(text) for text in _logged(stage, begin, "SweepLog") if text.startswith("{")]

    until(lambda: bool(lines()))
    line = max(lines(), key=lambda line: int(line["sweep_seen"]))  # the schedule's own run may be among them
    assert {"sweep_seen", "sweep_failed", "sweep_lag", "bot_ms"} == _marks(line)
    assert line["sweep_lag"] > 0 and line["sweep_failed"] == 0 and line["sweep_seen"] >= 2


@pytest.mark.parametrize("permission", permissions("sweep"), ids=str)
def test_the_sweep_needs_what_it_may(stage: Emulated, permission: Permission) -> None:
    """With any one action taken out of the sweep's policy, something that is due is not done."""
    with without(stage, permission), pytest.raises(AssertionError):
        _sweep(stage)


def test_with_every_permission_back_the_sweep_does_all(stage: Emulated) -> None:
    """The sweep, too, has lacked nothing but what was taken from it."""
    _sweep(stage)


def test_a_player_is_forgotten_on_request(stage: Emulated, http: OverHttp) -> None:
    """Whoever runs the service can delete a player; the player's token is of no more use then."""
    (player,) = guests(http, "Farah")
    assert _ran(stage, "forget", f"--player={player.id}").startswith("deleted")
    assert "account_deleted" == player.send("GET", "/me").code


def test_the_forms_of_stored_items_are_counted(stage: Emulated, http: OverHttp) -> None:
    """Whoever wants to give a form up sees whether the table still has it."""
    story.solo_deal(*guests(http, "Hema"))
    first, *counted = _ran(stage, "forms").splitlines()
    assert first.startswith(f"do-dooni-prod writes form {FORMS[-1]}")
    assert {f"{kind:<7} form {FORMS[-1]}" for kind in KINDS} == {line.partition(":")[0] for line in counted}


def test_a_restoration_under_play_signs_nobody_out_and_nobody_in(stage: Emulated, http: OverHttp) -> None:
    """Matches are as they were. Who has refreshed since goes on; who was signed out, or deleted, since then stays so;
    who came since is still there; a recovery code made since is good, and the one before is not. The functions use the
    restored table, and may use no other."""
    dynamodb, own = stage.client_of("dynamodb"), stage.outputs["TableName"]
    player, friend, leaver, gone = guests(http, "Asha", "Bela", "Chandra", "Dev")
    match, table = (
        player.new_match({"deals": 1, "seats": SOLO}),
        gone.new_match({"seats": {"north": {"type": "human"}}}),
    )
    codes = [friend.post("/me/recovery-code")["code"]]

    dynamodb.restore_table_to_point_in_time(SourceTableName=own, TargetTableName=RESTORED)

    assert 200 == player.move(match, match["you"]["legal_moves"][0]).status
    codes.append(friend.post("/me/recovery-code")["code"])
    leaver.ok("DELETE", "/me/session")
    gone.ok("DELETE", "/me")
    (late,) = guests(http, "Esha")
    with phones([player, friend, late]) as playing:
        until(lambda: all(phone.refreshed or phone.refused for phone in playing))
        done = _ran(stage, "restore", f"--table={RESTORED}", "--wait=1")
        then = {phone: phone.refreshed for phone in playing}
        until(lambda: all(phone.refreshed > then[phone] or phone.refused for phone in playing))
    assert [[], [], []] == [phone.refused for phone in playing]
    assert f"uses {RESTORED}" in done and "deletions: 1;" in done

    assert match["version"] == player.get(f"/matches/{match['id']}")["version"]
    assert "Esha" == late.get("/me")["name"]
    for guest, expected in ((leaver, "session_revoked"), (gone, "account_deleted")):
        assert expected == guest.send("POST", "/tokens", guest.grant).code
    grants = [{"type": "recovery", "code": code, "client_nonce": "r" * 16} for code in codes]
    assert [False, True] == [friend.send("POST", "/tokens", grant).status == 200 for grant in grants]

    store = DynamoStore(RESTORED, stage.server.url)
    sweep(Services(store))
    given_up = store.match(table["id"])
    assert given_up is not None and all(place.player_id != gone.id for place in given_up.places)
    assert f"uses {RESTORED} already" in _ran(stage, "restore", f"--table={RESTORED}")
    assert not _may(stage, "api", f"{ARN.format('dynamodb')}:table/{own}", "dynamodb:GetItem")


def test_a_restored_table_lacks_nothing(stage: Emulated) -> None:
    """It expires items, streams, and is protected as the stack's own is. (The emulator tells nothing of recovery.)"""
    dynamodb = stage.client_of("dynamodb")
    table = dynamodb.describe_table(TableName=RESTORED)["Table"]
    assert "NEW_AND_OLD_IMAGES" == table["StreamSpecification"]["StreamViewType"]
    assert table["DeletionProtectionEnabled"]
    assert "ENABLED" == dynamodb.describe_time_to_live(TableName=RESTORED)["TimeToLiveDescription"]["TimeToLiveStatus"]


def test_later_deployments_keep_to_the_restored_table(stage: Emulated, packages: dict[str, Package]) -> None:
    """A parameter that is not given keeps its value."""
    assert RESTORED == Deployment(stage.client_of, poll_seconds=1).deploy(packages["prod"])["TableName"]


def _ran(stage: Emulated, command: str, *more: str) -> str:
    """What a command of dev.deploy prints in a shell that knows nothing but what `make deploy-local` tells it."""
    line = shlex.join([sys.executable, "-m", "dev.deploy", command, "--stage", "prod", *more])
    ran = subprocess.run(
        ["/bin/sh", "-c", f"{stage.settings} && {line}"], cwd=ROOT, env={}, capture_output=True, text=True, check=False
    )
    assert 0 == ran.returncode, ran.stderr
    return ran.stdout


def _sweep(stage: Emulated) -> None:
    """Make one of each kind overdue, run the sweep once, and check what it did."""
    due = Overdue(DynamoStore(stage.outputs["TableName"], stage.server.url))
    name = function_name(stage, "sweep")
    answer = stage.client_of("lambda").invoke(FunctionName=name, Payload=json.dumps(A_SCHEDULED_EVENT))
    assert "FunctionError" not in answer, "the sweep ended with an error"
    due.check()


def _logged(stage: Emulated, begin: int, log: str = "APILog") -> list[str]:
    """What was written into a log since `begin` (milliseconds)."""
    pages = stage.client_of("logs").get_paginator("filter_log_events")
    found = pages.paginate(logGroupName=stage.outputs[log], startTime=begin)
    return [event["message"] for page in found for event in page["events"]]


def _marks(line: Json) -> set[str]:
    """The metrics that a line says it holds, each of which it does hold (embedded metric format)."""
    (told,) = line["_aws"]["CloudWatchMetrics"]
    assert (told["Namespace"], told["Dimensions"]) == ("DoDooni/do-dooni-prod", [[]])
    names = {metric["Name"] for metric in told["Metrics"]}
    assert all(isinstance(line[name], int | float) for name in names)
    return names


def _may(stage: Emulated, function: str, resource: str, action: str) -> bool:
    """What IAM says of a function's doing something to a resource."""
    judged = stage.client_of("iam").simulate_principal_policy(
        PolicySourceArn=role_arn(stage, function), ActionNames=[action], ResourceArns=[resource]
    )
    return [one["EvalDecision"] for one in judged["EvaluationResults"]] == ["allowed"]
