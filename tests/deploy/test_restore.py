"""What a restoration refuses, and that the functions run again whatever happens; test_stage.py restores under play."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from moto import mock_aws

from chalicelib.store import create_table
from dev.deploy.restore import complete, stopped
from dev.deploy.stack import NotThere


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
        with pytest.raises(NotThere, match=why):
            complete(dynamodb, "in-use", name)


class Functions:
    """Lambda, as far as functions are stopped and run again."""

    def __init__(self, **reserved: int) -> None:
        self.reserved: dict[str, int] = dict(reserved)

    def get_function_concurrency(self, **asked: Any) -> Any:
        known = self.reserved.get(asked["FunctionName"])
        return {} if known is None else {"ReservedConcurrentExecutions": known}

    def put_function_concurrency(self, **asked: Any) -> None:
        self.reserved[asked["FunctionName"]] = asked["ReservedConcurrentExecutions"]

    def delete_function_concurrency(self, **asked: Any) -> None:
        self.reserved.pop(asked["FunctionName"], None)


def test_functions_run_again_whatever_happens() -> None:
    """With the limit they had before, and without one where a run that was killed has left nought."""
    functions = Functions(api=5, sweep=0)
    with pytest.raises(RuntimeError, match="in the way"), stopped(functions, ["api", "sweep"], 0):
        assert {"api": 0, "sweep": 0} == functions.reserved
        raise RuntimeError("in the way")
    assert {"api": 5} == functions.reserved
