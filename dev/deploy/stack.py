"""`make deploy STAGE=…`: a stage's package as a CloudFormation stack.

The same sources make the same zip, and a zip lies in the bucket under its digest: going back to an earlier commit
and deploying it is a roll back to exactly what ran then.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Callable, Mapping
from itertools import takewhile
from pathlib import Path
from typing import Any

from botocore.exceptions import ClientError, WaiterError

from dev.deploy import CommandFailed, front_door
from dev.deploy.package import Package

ACCOUNT_STACK = "do-dooni-account"
_ACCOUNT_TEMPLATE = Path(__file__).with_name("account.json")
_NO_CHANGE = ("didn't contain changes", "No updates are to be performed")
_CREATION_FAILED = "ROLLBACK_COMPLETE"
_NOT_CREATED = ("REVIEW_IN_PROGRESS", _CREATION_FAILED)
_BEGUN = ("CREATE_IN_PROGRESS", "UPDATE_IN_PROGRESS")

ClientOf = Callable[[str], Any]
"""A service's name → a client of it: `boto3.client`, or one that leads elsewhere than to Amazon."""


def stack_name(stage: str) -> str:
    return f"do-dooni-{stage}"


def outputs_of(client_of: ClientOf, stage: str) -> dict[str, str]:
    """The outputs of a stage's stack. Raises `CommandFailed`."""
    outputs = _outputs(_described(client_of("cloudformation"), stack_name(stage)))
    if outputs is None:
        raise CommandFailed(f"there is no stack {stack_name(stage)} in this account and region")
    return outputs


def is_changing(client_of: ClientOf, stage: str) -> bool:
    """Whether CloudFormation is at work on a stage's stack."""
    return str(_described(client_of("cloudformation"), stack_name(stage)).get("StackStatus")).endswith("_IN_PROGRESS")


def _described(cloudformation: Any, stack: str) -> Mapping[str, Any]:
    """What CloudFormation says of a stack; nothing where there is none."""
    try:
        (found,) = cloudformation.describe_stacks(StackName=stack)["Stacks"]
    except ClientError as error:
        if error.response["Error"]["Code"] != "ValidationError":
            raise
        return {}
    described: Mapping[str, Any] = found
    return described


def _outputs(described: Mapping[str, Any]) -> dict[str, str] | None:
    """None where there is no such stack, or its creation has failed."""
    if described.get("StackStatus") in (None, *_NOT_CREATED):
        return None
    return {output["OutputKey"]: output["OutputValue"] for output in described.get("Outputs", ())}


class Deployment:
    """Deploys to one account and region. `poll_seconds` is the time between two looks at how far it is."""

    def __init__(self, client_of: ClientOf, poll_seconds: int = 5) -> None:
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
        known = set(template["Parameters"])
        outputs = self._changed(stack_name(made.stage), {"TemplateURL": url}, known, parameters or {})
        front_door.upload(self._s3, outputs["PagesBucket"])
        return outputs

    def set_parameters(self, stage: str, parameters: Mapping[str, str]) -> dict[str, str]:
        """Change parameters of a stage's stack, and nothing else; return the stack's outputs."""
        return self._changed(stack_name(stage), {"UsePreviousTemplate": True}, None, parameters)

    def _account(self) -> dict[str, str]:
        """The outputs of what an account needs once, which is made where it is missing."""
        outputs = _outputs(_described(self._cloudformation, ACCOUNT_STACK))
        if outputs is not None:
            return outputs
        may_log = "already" if self._gateway.get_account().get("cloudwatchRoleArn") else "yes"
        template = {"TemplateBody": _ACCOUNT_TEMPLATE.read_text()}
        return self._changed(ACCOUNT_STACK, template, set(), {"GatewayMayLog": may_log})

    def _uploaded(self, bucket: str, content: bytes, suffix: str) -> str:
        """Put something into the bucket under its digest; the key."""
        key = hashlib.sha256(content).hexdigest() + suffix
        self._s3.put_object(Bucket=bucket, Key=key, Body=content)
        return key

    def _changed(
        self, stack: str, template: Mapping[str, Any], known: set[str] | None, given: Mapping[str, str]
    ) -> dict[str, str]:
        """Make or change a stack by a change set; its outputs. A parameter that the template knows (None: all of the
        stack's) and that is not given stays."""
        described = _described(self._cloudformation, stack)
        there = _outputs(described) is not None
        if described.get("StackStatus") == _CREATION_FAILED:  # it cannot be changed, and makes room
            self._cloudformation.delete_stack(StackName=stack)
            self._wait("stack_delete_complete", stack)
        present = {parameter["ParameterKey"] for parameter in described.get("Parameters", ())} if there else set()
        stay = (present if known is None else present & known) - given.keys()
        change = self._cloudformation.create_change_set(
            StackName=stack,
            ChangeSetName=f"deploy-{secrets.token_hex(6)}",
            ChangeSetType="UPDATE" if there else "CREATE",
            Parameters=[
                *({"ParameterKey": name, "ParameterValue": value} for name, value in given.items()),
                *({"ParameterKey": name, "UsePreviousValue": True} for name in sorted(stay)),
            ],
            Capabilities=["CAPABILITY_IAM", "CAPABILITY_AUTO_EXPAND"],
            Tags=[{"Key": "app", "Value": "do-dooni"}],
            **template,
        )["Id"]
        if self._is_ready(change):
            self._cloudformation.execute_change_set(ChangeSetName=change)
            self._wait("stack_update_complete" if there else "stack_create_complete", stack)
        return _outputs(_described(self._cloudformation, stack)) or {}

    def _is_ready(self, change: str) -> bool:
        """Wait for a change set; False if there is nothing to change."""
        try:
            waiter = self._cloudformation.get_waiter("change_set_create_complete")
            waiter.wait(ChangeSetName=change, WaiterConfig=self._poll)
        except WaiterError:
            reason = self._cloudformation.describe_change_set(ChangeSetName=change).get("StatusReason", "")
            self._cloudformation.delete_change_set(ChangeSetName=change)
            if any(words in reason for words in _NO_CHANGE):
                return False
            raise CommandFailed(reason) from None
        return True

    def _wait(self, end: str, stack: str) -> None:
        """Raises `CommandFailed` with the first thing that was in the way."""
        try:
            self._cloudformation.get_waiter(end).wait(StackName=stack, WaiterConfig=self._poll)
        except WaiterError:
            events = self._cloudformation.describe_stack_events(StackName=stack)["StackEvents"]
            # The newest comes first: what failed first stands last, and what failed in earlier deployments behind that.
            of_this = takewhile(lambda event: not _is_beginning(event), events)
            failed = [event for event in of_this if event["ResourceStatus"].endswith("FAILED")]
            reasons = [f"{one['LogicalResourceId']}: {one.get('ResourceStatusReason', '')}" for one in failed]
            raise CommandFailed(reasons[-1] if reasons else f"{stack} was not changed") from None


def _is_beginning(event: Mapping[str, Any]) -> bool:
    """Whether an event is that of a stack's being made or changed, which comes before all of that deployment's."""
    return event["ResourceType"] == "AWS::CloudFormation::Stack" and event["ResourceStatus"] in _BEGUN
