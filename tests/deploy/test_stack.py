"""What whoever deploys is told, and how a deployment goes on from a failed one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import ClientError, WaiterError

from dev.deploy import CommandFailed
from dev.deploy.package import Package
from dev.deploy.stack import ACCOUNT_STACK, Deployment, stack_name

Event = dict[str, str]
_STACK = "AWS::CloudFormation::Stack"


class Cloud:
    """CloudFormation, S3 and API Gateway, as far as a deployment asks them: stacks by name, with their status."""

    def __init__(self, status: str | None, failing: list[Event] | None = None) -> None:
        self.stacks = {ACCOUNT_STACK: "CREATE_COMPLETE"}
        if status is not None:
            self.stacks[stack_name("dev")] = status
        self.failing = failing
        """The events, newest first, of a change that fails."""
        self.changes: list[str] = []

    def client(self, _service: str) -> Any:
        return self

    def describe_stacks(self, **asked: str) -> Any:
        if asked["StackName"] not in self.stacks:
            raise ClientError({"Error": {"Code": "ValidationError"}}, "DescribeStacks")
        outputs = [{"OutputKey": name, "OutputValue": "packages"} for name in ("Bucket", "PagesBucket", "TableName")]
        return {"Stacks": [{"StackStatus": self.stacks[asked["StackName"]], "Outputs": outputs}]}

    def delete_stack(self, **asked: str) -> None:
        del self.stacks[asked["StackName"]]

    def create_change_set(self, **asked: Any) -> Any:
        stack, kind = asked["StackName"], asked["ChangeSetType"]
        self.changes.append(kind)
        if (self.stacks.get(stack) in (None, "REVIEW_IN_PROGRESS")) != (kind == "CREATE"):
            raise ClientError({"Error": {"Code": "ValidationError"}}, "CreateChangeSet")
        return {"Id": stack}

    def execute_change_set(self, **asked: str) -> None:
        self.stacks[asked["ChangeSetName"]] = "CREATE_COMPLETE"

    def get_waiter(self, end: str) -> Any:
        cloud = self

        class Waiter:
            def wait(self, **_more: object) -> None:
                if cloud.failing is not None and end.startswith("stack_"):
                    raise WaiterError(end, "failed", {})

        return Waiter()

    def describe_stack_events(self, **_asked: str) -> Any:
        return {"StackEvents": self.failing}

    def put_object(self, **_more: object) -> None:
        """Kept by nobody."""

    def generate_presigned_url(self, *_arguments: object) -> str:
        return "https://packages/key?signed"


@pytest.fixture
def made(tmp_path: Path) -> Package:
    template, archive = tmp_path / "sam.json", tmp_path / "deployment.zip"
    template.write_text('{"Parameters": {}, "Resources": {}}')
    archive.write_bytes(b"")
    return Package("dev", template, archive)


@pytest.mark.parametrize("status", [None, "REVIEW_IN_PROGRESS", "ROLLBACK_COMPLETE"])
def test_a_stack_that_was_never_made_is_made(made: Package, status: str | None) -> None:
    """Also where an earlier try has failed, whose remains CloudFormation would not change."""
    cloud = Cloud(status)
    Deployment(cloud.client).deploy(made)
    assert ["CREATE"] == cloud.changes


def test_a_stack_that_is_there_is_changed(made: Package) -> None:
    cloud = Cloud("UPDATE_ROLLBACK_COMPLETE")
    Deployment(cloud.client).deploy(made)
    assert ["UPDATE"] == cloud.changes


def test_the_first_thing_in_the_way_is_told(made: Package) -> None:
    """Of this deployment: neither what failed in its wake, nor what failed in one before."""
    newest_first = [
        _event("Alarms", "UPDATE_FAILED", "cancelled"),
        _event("Sweep", "UPDATE_FAILED", "no such runtime"),
        _event("do-dooni-dev", "UPDATE_IN_PROGRESS", "", _STACK),
        _event("Table", "UPDATE_FAILED", "last month's trouble"),
        _event("do-dooni-dev", "UPDATE_IN_PROGRESS", "", _STACK),
    ]
    with pytest.raises(CommandFailed, match=r"^Sweep: no such runtime$"):
        Deployment(Cloud("UPDATE_COMPLETE", newest_first).client).deploy(made)


def _event(name: str, status: str, reason: str, kind: str = "AWS::Any::Thing") -> Event:
    return {"LogicalResourceId": name, "ResourceStatus": status, "ResourceStatusReason": reason, "ResourceType": kind}
