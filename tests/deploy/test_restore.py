"""What a restoration refuses, and that it is finished wherever it was cut short; test_stage.py restores under play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import boto3
import pytest
from moto import mock_aws

from chalicelib.store import create_table
from dev.deploy import CommandFailed
from dev.deploy import restore as restoring
from dev.deploy.restore import complete


@pytest.fixture
def dynamodb() -> Iterator[Any]:
    with mock_aws():
        yield boto3.client("dynamodb")


def test_what_is_no_restored_table_is_refused(dynamodb: Any) -> None:
    """A name that is misspelt, and a table of something else: before anything is stopped."""
    create_table("in-use")
    key = {"AttributeName": "id", "KeyType": "HASH"}, {"AttributeName": "id", "AttributeType": "S"}
    dynamodb.create_table(
        TableName="else", KeySchema=[key[0]], AttributeDefinitions=[key[1]], BillingMode="PAY_PER_REQUEST"
    )
    for name, why in (("misspelt", "there is no table misspelt"), ("else", "its keys or its indexes")):
        with pytest.raises(CommandFailed, match=why):
            complete(dynamodb, "in-use", name)


class CutShort(BaseException):
    """The run ends here: Ctrl-C, or killed."""


class Stage:
    """A stage's stack and functions. The call of this number fails, before or after it has done its work; if the run is
    `killed` there, nothing that it still tries gets through."""

    def __init__(self, failing: int = -1, *, after: bool = False, killed: bool = False) -> None:
        self.table, self.status, self.carried = "in-use", "UPDATE_COMPLETE", False
        self.reserved: dict[str, int] = {"api": 5}
        self.calls = 0
        self._failing, self._after, self._killed = failing, after, killed

    @property
    def running(self) -> bool:
        return any(self.reserved.get(name) != 0 for name in ("api", "sweep"))

    def client(self, service: str) -> Any:
        stage = self

        class Client:
            def __getattr__(self, operation: str) -> Any:
                return lambda **arguments: stage.call(f"{service}.{operation}", arguments)

            def get_waiter(self, name: str) -> Any:
                class Waiter:
                    def wait(self, **arguments: Any) -> None:
                        stage.call(f"{service}.{name}", arguments)

                return Waiter()

        return Client()

    def call(self, name: str, arguments: Mapping[str, Any]) -> Any:
        self.calls += 1
        fails = self.calls - 1 == self._failing or (self._killed and -1 < self._failing < self.calls)
        if fails and not (self._after and self.calls - 1 == self._failing):
            raise CutShort(name)
        answer = self._answer(name, arguments)
        assert not (self.running and self.status == "UPDATE_IN_PROGRESS"), f"{name}: written to the old table"
        if fails:
            raise CutShort(name)
        return answer

    def finish(self) -> None:
        """CloudFormation ends what it has begun, whoever still looks."""
        if self.status == "UPDATE_IN_PROGRESS":
            self.status, self.table = "UPDATE_COMPLETE", "restored"

    def revive(self) -> None:
        self._failing = -1

    def _answer(self, name: str, arguments: Mapping[str, Any]) -> Any:
        match name:
            case "cloudformation.describe_stacks":
                told = {"TableName": self.table, "APIHandlerName": "api", "SweepName": "sweep"}
                outputs = [{"OutputKey": key, "OutputValue": value} for key, value in told.items()]
                return {"Stacks": [{"StackStatus": self.status, "Outputs": outputs}]}
            case "cloudformation.create_change_set":
                return {"Id": "change"}
            case "cloudformation.execute_change_set":
                assert self.carried and not self.running
                self.status = "UPDATE_IN_PROGRESS"
            case "cloudformation.stack_update_complete":
                self.finish()
            case "lambda.get_function_concurrency":
                known = self.reserved.get(arguments["FunctionName"])
                return {} if known is None else {"ReservedConcurrentExecutions": known}
            case "lambda.put_function_concurrency":
                self.reserved[arguments["FunctionName"]] = arguments["ReservedConcurrentExecutions"]
            case "lambda.delete_function_concurrency":
                self.reserved.pop(arguments["FunctionName"], None)
            case "carry_over":
                assert not self.running and self.table == "in-use"
                self.carried = True
            case "cloudformation.change_set_create_complete":
                pass
            case _:
                raise AssertionError(f"nobody asks {name}")
        return None


MOST_CALLS = 30
"""More than a restoration makes."""


@pytest.mark.parametrize("killed", [False, True], ids=["interrupted", "killed"])
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("failing", range(MOST_CALLS))
def test_a_restoration_that_was_cut_short_is_finished(
    monkeypatch: pytest.MonkeyPatch, failing: int, after: bool, killed: bool
) -> None:
    """Wherever the first run ended, the next one leaves the stage on the restored table, with both functions running.
    None runs while the stack changes, and one that was interrupted before that lets the stage go on."""
    stage = Stage(failing, after=after, killed=killed)

    def carry(*_: Any) -> Counter[str]:
        stage.call("carry_over", {})
        return Counter()

    monkeypatch.setattr(restoring, "complete", lambda *_: None)
    monkeypatch.setattr(restoring, "carry_over", carry)
    try:
        restoring.restore(stage.client, "dev", "restored", 0)
        assert stage.calls < MOST_CALLS
    except CommandFailed as refusal:
        assert "the functions stay stopped: run it again" in str(refusal) and not stage.running
    except CutShort:
        pass
    stage.revive()
    if stage.status == "UPDATE_IN_PROGRESS":
        assert not stage.running
        with pytest.raises(CommandFailed, match="is changing: run it again"):
            restoring.restore(stage.client, "dev", "restored", 0)
        stage.finish()
    restoring.restore(stage.client, "dev", "restored", 0)
    assert ("restored", True, "UPDATE_COMPLETE") == (stage.table, stage.carried, stage.status)
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
