"""What a restoration refuses, and that it is finished wherever it was cut short; test_stage.py restores under play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import boto3
import pytest
from moto import mock_aws

from chalicelib.store import create_table
from dev.deploy import CommandFailed
from dev.deploy import restore as restoring
from tests.deploy.cut_short import MOST_CALLS, Cloud, CutShort, anywhere, before_and_after


@pytest.mark.parametrize(("name", "why"), [("misspelt", "there is no table misspelt"), ("else", "its keys or its")])
@mock_aws
def test_what_is_no_restored_table_is_refused(name: str, why: str) -> None:
    """A name that is misspelt, and a table of something else: before anything is stopped."""
    dynamodb = boto3.client("dynamodb")
    create_table("in-use")
    dynamodb.create_table(
        TableName="else",
        KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "S"}],
        BillingMode="PAY_PER_REQUEST",
    )
    with pytest.raises(CommandFailed, match=why):
        restoring.complete(dynamodb, "in-use", name)


class Stage(Cloud):
    """A stage's stack and functions, by the concurrency that is reserved for each."""

    def __init__(self, failing: int = -1, *, after: bool = False, killed: bool = False) -> None:
        super().__init__(failing, after=after, killed=killed)
        self.outputs = {"TableName": "in-use", "APIHandlerName": "api", "SweepName": "sweep"}
        self.reserved: dict[str, int] = {"api": 5}
        self.carried = False

    @property
    def running(self) -> bool:
        return any(self.reserved.get(name) != 0 for name in ("api", "sweep"))

    def finish(self) -> None:
        """CloudFormation ends what it has begun, whoever still looks."""
        if self.stack_status == "UPDATE_IN_PROGRESS":
            self.stack_status, self.outputs = "UPDATE_COMPLETE", {**self.outputs, "TableName": "restored"}

    def carry_over(self, *_: object) -> Counter[str]:
        self.call("carry_over", {})
        return Counter()

    def answer(self, name: str, arguments: Mapping[str, Any]) -> Any:
        function = arguments.get("FunctionName", "")
        match name:
            case "cloudformation.create_change_set":
                return {"Id": "change"}
            case "cloudformation.execute_change_set":
                assert self.carried and not self.running
                self.stack_status = "UPDATE_IN_PROGRESS"
            case "cloudformation.stack_update_complete":
                self.finish()
            case "lambda.get_function_concurrency":
                return {"ReservedConcurrentExecutions": self.reserved[function]} if function in self.reserved else {}
            case "lambda.put_function_concurrency":
                self.reserved[function] = arguments["ReservedConcurrentExecutions"]
            case "lambda.delete_function_concurrency":
                self.reserved.pop(function, None)
            case "carry_over":
                assert not self.running and self.outputs["TableName"] == "in-use"
                self.carried = True
            case _:
                assert name == "cloudformation.change_set_create_complete"
        return None

    def check(self, name: str) -> None:
        assert not (self.running and self.stack_status == "UPDATE_IN_PROGRESS"), f"{name}: written to the old table"


@pytest.mark.parametrize("killed", [False, True], ids=["interrupted", "killed"])
@before_and_after
@anywhere
def test_a_restoration_that_was_cut_short_is_finished(
    monkeypatch: pytest.MonkeyPatch, failing: int, after: bool, killed: bool
) -> None:
    """Wherever the first run ended, the next one leaves the stage on the restored table, with both functions running.
    None runs while the stack changes, and one that was interrupted before that lets the stage go on."""
    stage = Stage(failing, after=after, killed=killed)
    monkeypatch.setattr(restoring, "complete", lambda *_: None)
    monkeypatch.setattr(restoring, "carry_over", stage.carry_over)
    try:
        restoring.restore(stage.client, "dev", "restored", 0)
        assert stage.calls < MOST_CALLS
    except CommandFailed as refusal:
        assert "the functions stay stopped: run it again" in str(refusal) and not stage.running
    except CutShort:
        pass
    stage.revive()
    if stage.stack_status == "UPDATE_IN_PROGRESS":
        assert not stage.running
        with pytest.raises(CommandFailed, match="is changing: run it again"):
            restoring.restore(stage.client, "dev", "restored", 0)
        stage.finish()
    restoring.restore(stage.client, "dev", "restored", 0)
    assert ("restored", True, "UPDATE_COMPLETE") == (stage.outputs["TableName"], stage.carried, stage.stack_status)
    assert 0 not in stage.reserved.values()


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
def test_functions_run_again_when_the_stack_is_not_changing(error: type[BaseException]) -> None:
    """With the limit they had before, and without one where a run that was killed has left 0."""
    stage = Stage()
    stage.reserved["sweep"] = 0
    functions = stage.client("lambda")
    with pytest.raises(error, match="in the way"), restoring.stopped(functions, ["api", "sweep"], 0, lambda: False):
        assert {"api": 0, "sweep": 0} == stage.reserved
        raise error("in the way")
    assert {"api": 5} == stage.reserved
