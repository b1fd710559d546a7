"""The prod stage as CloudFormation makes it of its package, in an emulated AWS that enforces IAM, played through its
gateway. What no emulator can show is told in docs/operations.md."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
import time

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
from tests.deploy import story
from tests.deploy.guest import Json, Unexpected
from tests.deploy.overdue import Overdue, overdue_turn
from tests.deploy.permissions import Permission, function_name, permissions, role_arn, without
from tests.deploy.phones import phones, refresh_grant, until

PATIENCE = 600
"""Seconds: the schedule is a minute's."""
OWN_LOG = "OwnLog"
RESTORED = "restored-under-play"
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
def overdue_match(stage: Emulated) -> Json:
    """A match of four, begun an hour ago, whose first player has let the time pass: their view of it, and tokens."""
    with story.guests(stage.url, 4) as four:
        for guest in four:
            guest.sign_up("Deepa")
        match_id = overdue_turn(DynamoStore(stage.outputs["TableName"], stage.server.url), [guest.id for guest in four])
        view = four[0].call("GET", f"/matches/{match_id}")
    return {**view, "tokens": four[0].tokens}


def test_everything_players_do(stage: Emulated, overdue_match: Json) -> None:
    """Signing up, a solo deal, a match of four with races, a refresh, coming and going, deleting the account."""
    assert overdue_match["status"] == "playing"
    story.everything(stage.url)


def test_logs_tell_what_happened_and_nothing_of_it(stage: Emulated) -> None:
    """One line a request, each JSON: what was called, how it ended and how long it took; races, repeats, the bots' time
    and cold starts are there to be counted. No name, token, card or code is in any."""
    begin = int(time.time() * 1000)
    renew_containers(stage.client_of("lambda"), function_name(stage, "api"), "for the cold start's sake")
    with story.guests(stage.url, 4) as four:
        for guest in four:
            guest.sign_up("Zarina")
        story.repeated_move(four[0])
        story.solo_deal(four[0])
        last = story.four_player_match(four)
        table = four[0].call("POST", "/matches", {"seats": {"north": {"type": "human"}}}, expected=201)["match"]
        code = table["invite"]["code"]
        four[1].call("GET", f"/invites/{code}")
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
    tokens = [guest.tokens[kind] for guest in four for kind in ("access_token", "refresh_token")]
    secrets = ["Zarina", code, *tokens, *(f'"{card}"' for card in CARDS)]
    assert [] == [secret for secret in secrets for line in text if secret in line]


@pytest.mark.parametrize("function", ["api", "sweep"])
def test_each_may_write_its_own_log_only(stage: Emulated, function: str) -> None:
    """The runtime may write a function's log, and neither function another's log, table or secret."""
    groups = {"api": stage.outputs["APILog"], "sweep": stage.outputs["SweepLog"]}
    own = [one.action for one in permissions(function) if one.statement == OWN_LOG]
    assert {"logs:CreateLogStream", "logs:PutLogEvents"} == set(own)
    for group, expected in (
        (groups[function], "allowed"),
        (groups[{"api": "sweep", "sweep": "api"}[function]], "implicitDeny"),
    ):
        arn = f"arn:aws:logs:us-east-1:000000000000:log-group:{group}:log-stream:x"
        assert dict.fromkeys(own, expected) == _judged(stage, function, own, arn)
    tables = ["dynamodb:GetItem", "dynamodb:Scan", "dynamodb:DeleteTable"]
    own_table, other = (
        f"arn:aws:dynamodb:us-east-1:000000000000:table/{name}" for name in (stage.outputs["TableName"], "x")
    )
    assert {tables[0]: "allowed", tables[1]: "implicitDeny", tables[2]: "implicitDeny"} == _judged(
        stage, function, tables, own_table
    )
    assert dict.fromkeys(tables, "implicitDeny") == _judged(stage, function, tables, other)
    may_read = {"api": "allowed", "sweep": "implicitDeny"}
    for secret, expected in (
        (stage.outputs["SigningKeysArn"], may_read[function]),
        ("arn:aws:secretsmanager:us-east-1:000000000000:secret:x", "implicitDeny"),
    ):
        read = "secretsmanager:GetSecretValue"
        assert {read: expected} == _judged(stage, function, [read], secret)


@pytest.mark.parametrize("permission", [one for one in permissions("api") if one.statement != OWN_LOG], ids=str)
def test_the_api_needs_what_it_may(stage: Emulated, permission: Permission) -> None:
    """With any one action taken out of the API's policy, something that players do fails."""
    with without(stage, permission), pytest.raises(Unexpected):
        story.everything(stage.url)


def test_with_every_permission_back_all_goes(stage: Emulated) -> None:
    """What failed without a permission failed for the want of it: with all of them players do everything again."""
    story.everything(stage.url)


def test_keys_are_rotated_with_nobody_signed_out(stage: Emulated) -> None:
    """After a rotation new tokens are signed by the new key and the old ones still hold; after another one, no more."""
    with story.guests(stage.url, 1) as (player,):
        player.sign_up("Esha")
        old = player.tokens
        assert "do-dooni-prod signs with key 2" in _ran(stage, "rotate-keys")
        player.call("GET", "/me")
        player.refresh()
        assert _signed_by(old) != _signed_by(player.tokens)
        rotate(stage.client_of, "prod")
        player.call("GET", "/me")
        player.tokens = old
        assert "token_invalid" == player.call("GET", "/me", expected=401)["code"]


@pytest.mark.slow
def test_a_scheduled_sweep_plays_an_overdue_turn(stage: Emulated, overdue_match: Json) -> None:
    """The schedule runs the sweep, and the player whose time is up finds a move made for them."""
    with story.guests(stage.url, 1) as (player,):
        player.tokens = overdue_match["tokens"]
        player.refresh()  # the keys that signed the access token may be gone
        until = time.monotonic() + PATIENCE
        path = f"/matches/{overdue_match['id']}/events?after={overdue_match['version']}"
        while not (events := player.call("GET", path)["items"]) and time.monotonic() < until:
            time.sleep(1)
    assert ["timeout"] == [event["actor"] for event in events if event.get("actor")][:1]


def test_a_sweep_does_all_that_is_due(stage: Emulated) -> None:
    """An overdue turn is played, an empty table given up, a deletion finished; the one line about it says so."""
    begin = int(time.time() * 1000)
    _sweep(stage)
    lines = [json.loads(text) for text in _logged(stage, begin, "SweepLog") if text.startswith("{")]
    line = max(lines, key=lambda line: int(line["sweep_seen"]))  # the schedule's own run may be among them
    assert {"sweep_seen", "sweep_failed", "sweep_lag", "bot_ms"} == _marks(line)
    assert line["sweep_lag"] > 0 and line["sweep_failed"] == 0 and line["sweep_seen"] >= 2


@pytest.mark.parametrize("permission", [one for one in permissions("sweep") if one.statement != OWN_LOG], ids=str)
def test_the_sweep_needs_what_it_may(stage: Emulated, permission: Permission) -> None:
    """With any one action taken out of the sweep's policy, something that is due is not done."""
    with without(stage, permission), pytest.raises(Unexpected):
        _sweep(stage)


def test_with_every_permission_back_the_sweep_does_all(stage: Emulated) -> None:
    """The sweep, too, has lacked nothing but what was taken from it."""
    _sweep(stage)


def test_a_player_is_forgotten_on_request(stage: Emulated) -> None:
    """Whoever runs the service can delete a player; the player's token is of no more use then."""
    with story.guests(stage.url, 1) as (player,):
        player.sign_up("Farah")
        assert _ran(stage, "forget", f"--player={player.id}").startswith("deleted")
        assert "account_deleted" == player.call("GET", "/me", expected=401)["code"]


def test_the_forms_of_stored_items_are_counted(stage: Emulated) -> None:
    """Whoever wants to give a form up sees whether the table still has it."""
    with story.guests(stage.url, 1) as (player,):
        player.sign_up("Hema")
        story.solo_deal(player)
    first, *counted = _ran(stage, "forms").splitlines()
    assert first.startswith(f"do-dooni-prod writes form {FORMS[-1]}")
    assert {f"{kind:<7} form {FORMS[-1]}" for kind in KINDS} == {line.partition(":")[0] for line in counted}


def test_a_restoration_under_play_signs_nobody_out_and_nobody_in(stage: Emulated) -> None:
    """Matches are as they were. Who has refreshed since goes on; who was signed out, or deleted, since then stays so;
    who came since is still there; a recovery code made since is good, and the one before is not. The functions use the
    restored table, and may use no other."""
    dynamodb, own = stage.client_of("dynamodb"), stage.outputs["TableName"]
    with story.guests(stage.url, 5) as (player, friend, leaver, gone, late):
        for guest, name in ((player, "Asha"), (friend, "Bela"), (leaver, "Chandra"), (gone, "Dev")):
            guest.sign_up(name)
        match = player.call("POST", "/matches", {"deals": 1, "seats": story.solo_seats()}, expected=201)["match"]
        table = gone.call("POST", "/matches", {"seats": {"north": {"type": "human"}}}, expected=201)["match"]
        codes = [friend.call("POST", "/me/recovery-code", expected=201)["code"]]

        dynamodb.restore_table_to_point_in_time(SourceTableName=own, TargetTableName=RESTORED)

        assert 200 == player.move(match)[0]
        codes.append(friend.call("POST", "/me/recovery-code", expected=201)["code"])
        leaver.call("DELETE", "/me/session", expected=204)
        gone.call("DELETE", "/me", expected=204)
        late.sign_up("Esha")
        with phones([player, friend, late]) as playing:
            until(lambda: all(phone.refreshed or phone.refused for phone in playing))
            told = _ran(stage, "restore", f"--table={RESTORED}", "--wait=1")
            then = [phone.refreshed for phone in playing]
            until(
                lambda: all(
                    phone.refreshed > before or phone.refused for phone, before in zip(playing, then, strict=True)
                )
            )
        assert [[], [], []] == [phone.refused for phone in playing]
        assert f"uses {RESTORED}" in told and "deletions: 1;" in told

        assert match["version"] == player.call("GET", f"/matches/{match['id']}")["version"]
        assert "Esha" == late.call("GET", "/me")["name"]
        for guest, expected in ((leaver, "session_revoked"), (gone, "account_deleted")):
            assert expected == guest.ask("POST", "/tokens", refresh_grant(guest.tokens))[1]["code"]
        grants = [{"type": "recovery", "code": code, "client_nonce": "r" * 16} for code in codes]
        assert [False, True] == [friend.ask("POST", "/tokens", grant)[0] == 200 for grant in grants]

    store = DynamoStore(RESTORED, stage.server.url)
    sweep(Services(store))
    given_up = store.match(table["id"])
    assert given_up is not None and all(place.player_id != gone.id for place in given_up.places)
    assert f"uses {RESTORED} already" in _ran(stage, "restore", f"--table={RESTORED}")
    arn = f"arn:aws:dynamodb:us-east-1:000000000000:table/{own}"
    assert {"dynamodb:GetItem": "implicitDeny"} == _judged(stage, "api", ["dynamodb:GetItem"], arn)


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
    if "FunctionError" in answer:
        raise Unexpected("the sweep ended with an error")
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


def _judged(stage: Emulated, function: str, actions: list[str], resource: str) -> dict[str, str]:
    """What IAM says of a function's doing something to a resource."""
    judged = stage.client_of("iam").simulate_principal_policy(
        PolicySourceArn=role_arn(stage, function), ActionNames=actions, ResourceArns=[resource]
    )
    return {one["EvalActionName"]: one["EvalDecision"] for one in judged["EvaluationResults"]}


def _signed_by(tokens: Json) -> str:
    import jwt

    return str(jwt.get_unverified_header(tokens["access_token"])["kid"])
