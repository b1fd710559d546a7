"""`make deploy STAGE=…`: a stage's package as a CloudFormation stack.

The same sources make the same zip, and a zip lies in the bucket under its digest: going back to an earlier commit
and deploying it is a roll back to exactly what ran then.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import secrets
import sys
from collections.abc import Callable, Mapping
from itertools import takewhile
from pathlib import Path
from typing import Any

import boto3
from botocore.exceptions import BotoCoreError, ClientError, WaiterError

from chalicelib.service.ports import Unavailable
from dev.deploy import front_door
from dev.deploy.package import ROOT, STAGES, Package, package

ACCOUNT_STACK = "do-dooni-account"
_ACCOUNT_TEMPLATE = Path(__file__).with_name("account.json")
_NO_CHANGE = ("didn't contain changes", "No updates are to be performed")
_MAKING_FAILED = "ROLLBACK_COMPLETE"
_BEGUN = ("CREATE_IN_PROGRESS", "UPDATE_IN_PROGRESS")

ClientOf = Callable[[str], Any]
"""A service's name → a client of it: `boto3.client`, or one that leads elsewhere than to Amazon."""


class DeployFailed(Exception):
    """CloudFormation has not made the change, and has taken back what it had begun. Says what was in the way."""


class NotThere(Exception):
    """What a command is to work on does not exist. Says what."""


class Refused(Exception):
    """A command would do harm, or cannot be carried out as things stand. Says why."""


def in_a_line(command: Callable[[], str]) -> int:
    """Run a command: prints its word, or in a line what was in the way. Returns the status to end with."""
    try:
        print(command())
    except (NotThere, Refused, DeployFailed, Unavailable, ClientError, BotoCoreError) as failure:
        print(f"failed: {failure}", file=sys.stderr)
        return 1
    return 0


def stack_name(stage: str) -> str:
    return f"do-dooni-{stage}"


def outputs_of(client_of: ClientOf, stage: str) -> dict[str, str]:
    """What a stage's stack tells of itself. Raises `NotThere`."""
    told = outputs(client_of("cloudformation"), stack_name(stage))
    if told is None:
        raise NotThere(f"there is no stack {stack_name(stage)} in this account and region")
    return told


def outputs(cloudformation: Any, stack: str) -> dict[str, str] | None:
    """What a stack tells of itself; None where there is no such stack, or its making has failed."""
    found = _described(cloudformation, stack)
    if found is None or found["StackStatus"] in ("REVIEW_IN_PROGRESS", _MAKING_FAILED):
        return None
    return {output["OutputKey"]: output["OutputValue"] for output in found.get("Outputs", ())}


def is_changing(client_of: ClientOf, stage: str) -> bool:
    """Whether CloudFormation is at work on a stage's stack."""
    found = _described(client_of("cloudformation"), stack_name(stage))
    return found is not None and found["StackStatus"].endswith("_IN_PROGRESS")


def _described(cloudformation: Any, stack: str) -> Mapping[str, Any] | None:
    try:
        (found,) = cloudformation.describe_stacks(StackName=stack)["Stacks"]
    except ClientError as error:
        if error.response["Error"]["Code"] != "ValidationError":
            raise
        return None
    described: Mapping[str, Any] = found
    return described


class Deployment:
    """Deploys to one account and region. `poll_seconds` is the time between two looks at how far it is."""

    def __init__(self, client_of: ClientOf = boto3.client, poll_seconds: int = 5) -> None:
        self._cloudformation = client_of("cloudformation")
        self._gateway = client_of("apigateway")
        self._s3 = client_of("s3")
        self._poll = {"Delay": poll_seconds, "MaxAttempts": 1200 // poll_seconds}

    def deploy(self, made: Package, parameters: Mapping[str, str] | None = None) -> dict[str, str]:
        """Bring a stage's stack to the package, and return the stack's outputs. Parameters that are not given stay."""
        bucket = self._account()["Bucket"]
        template = json.loads(made.template.read_text())
        archive = self._uploaded(bucket, made.archive.read_bytes(), ".zip")
        for resource in template["Resources"].values():
            if resource["Type"] == "AWS::Serverless::Function":
                resource["Properties"]["CodeUri"] = f"s3://{bucket}/{archive}"
        key = self._uploaded(bucket, json.dumps(template).encode(), ".json")
        url = self._s3.generate_presigned_url("get_object", {"Bucket": bucket, "Key": key}).partition("?")[0]
        change = {"TemplateURL": url}
        told = self._changed(stack_name(made.stage), change, set(template["Parameters"]), parameters or {})
        front_door.upload(self._s3, told["PagesBucket"])
        return told

    def set_parameters(self, stage: str, parameters: Mapping[str, str]) -> dict[str, str]:
        """Change parameters of a stage's stack, and nothing else; return the stack's outputs."""
        stack = stack_name(stage)
        return self._changed(stack, {"UsePreviousTemplate": True}, self._parameters(stack), parameters)

    def _account(self) -> dict[str, str]:
        """The outputs of what an account needs once, which is made where it is missing."""
        there = outputs(self._cloudformation, ACCOUNT_STACK)
        if there is not None:
            return there
        already = bool(self._gateway.get_account().get("cloudwatchRoleArn"))
        parameters = {"GatewayMayLog": "already" if already else "yes"}
        return self._changed(
            ACCOUNT_STACK, {"TemplateBody": _ACCOUNT_TEMPLATE.read_text()}, set(parameters), parameters
        )

    def _uploaded(self, bucket: str, content: bytes, suffix: str) -> str:
        """Put something into the bucket under its digest; the key."""
        key = hashlib.sha256(content).hexdigest() + suffix
        self._s3.put_object(Bucket=bucket, Key=key, Body=content)
        return key

    def _changed(
        self, stack: str, template: Mapping[str, Any], known: set[str], given: Mapping[str, str]
    ) -> dict[str, str]:
        """Make or change a stack by a change set; its outputs."""
        there = outputs(self._cloudformation, stack) is not None
        if not there:
            self._clear(stack)
        kept = (self._parameters(stack) & known) - given.keys() if there else set()
        change = self._cloudformation.create_change_set(
            StackName=stack,
            ChangeSetName=f"deploy-{secrets.token_hex(6)}",
            ChangeSetType="UPDATE" if there else "CREATE",
            Parameters=[
                *({"ParameterKey": name, "ParameterValue": value} for name, value in given.items()),
                *({"ParameterKey": name, "UsePreviousValue": True} for name in sorted(kept)),
            ],
            Capabilities=["CAPABILITY_IAM", "CAPABILITY_AUTO_EXPAND"],
            Tags=[{"Key": "app", "Value": "do-dooni"}],
            **template,
        )["Id"]
        if self._is_made(change):
            self._cloudformation.execute_change_set(ChangeSetName=change)
            self._wait("stack_update_complete" if there else "stack_create_complete", stack)
        return outputs(self._cloudformation, stack) or {}

    def _clear(self, stack: str) -> None:
        """A stack whose making has failed cannot be changed, and makes room for the next try."""
        found = _described(self._cloudformation, stack)
        if found is not None and found["StackStatus"] == _MAKING_FAILED:
            self._cloudformation.delete_stack(StackName=stack)
            self._wait("stack_delete_complete", stack)

    def _is_made(self, change: str) -> bool:
        """Wait for a change set; False if there is nothing to change."""
        try:
            waiter = self._cloudformation.get_waiter("change_set_create_complete")
            waiter.wait(ChangeSetName=change, WaiterConfig=self._poll)
        except WaiterError:
            reason = self._cloudformation.describe_change_set(ChangeSetName=change).get("StatusReason", "")
            self._cloudformation.delete_change_set(ChangeSetName=change)
            if any(words in reason for words in _NO_CHANGE):
                return False
            raise DeployFailed(reason) from None
        return True

    def _wait(self, end: str, stack: str) -> None:
        try:
            self._cloudformation.get_waiter(end).wait(StackName=stack, WaiterConfig=self._poll)
        except WaiterError:
            events = self._cloudformation.describe_stack_events(StackName=stack)["StackEvents"]
            # The newest comes first: what failed first stands last, and what failed in earlier deployments behind that.
            of_this = takewhile(lambda event: not _is_beginning(event), events)
            failed = [event for event in of_this if event["ResourceStatus"].endswith("FAILED")]
            reasons = [f"{one['LogicalResourceId']}: {one.get('ResourceStatusReason', '')}" for one in failed]
            raise DeployFailed(reasons[-1] if reasons else f"{stack} was not changed") from None

    def _parameters(self, stack: str) -> set[str]:
        (found,) = self._cloudformation.describe_stacks(StackName=stack)["Stacks"]
        return {parameter["ParameterKey"] for parameter in found.get("Parameters", ())}


def _is_beginning(event: Mapping[str, Any]) -> bool:
    """Whether an event is that of a stack's being made or changed, which comes before all of that deployment's."""
    return event["ResourceType"] == "AWS::CloudFormation::Stack" and event["ResourceStatus"] in _BEGUN


def setting(text: str) -> tuple[str, str]:
    """A parameter's name and value, of NAME=VALUE."""
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE")
    return name, value


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m dev.deploy.stack", description=__doc__)
    parser.add_argument("--stage", choices=STAGES, required=True)
    parser.add_argument(
        "--set", metavar="NAME=VALUE", type=setting, action="append", default=[], help="a parameter of the stack"
    )
    options = parser.parse_args()

    def deploy() -> str:
        told = Deployment().deploy(package(options.stage, ROOT / "build" / options.stage), dict(options.set))
        return f"{told['FrontDoorURL']}\n{told['EndpointURL'].rstrip('/')}/v1"

    return in_a_line(deploy)


if __name__ == "__main__":
    sys.exit(main())
