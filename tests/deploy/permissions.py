"""The permissions that the functions of a stage have, each of which can be taken away for a while."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from dev.deploy.keys import renew_containers
from dev.deploy.local import Emulated
from dev.deploy.package import ROOT

KEYS = "SigningKeys"
OWN_LOG = "OwnLog"
_FUNCTIONS = {"api": "APIHandlerName", "sweep": "SweepName"}


class Permission(NamedTuple):
    """One action of one statement of a function's policy."""

    function: str
    statement: str
    action: str

    def __str__(self) -> str:
        return f"{self.function}-{self.statement}-{self.action.replace(':', '.')}"


def permissions(function: str, *, log: bool = False) -> list[Permission]:
    """What a function's policy allows: of its own log, or else."""
    policy = json.loads((ROOT / f".chalice/policy-{function}.json").read_text())
    statements = [one for one in policy["Statement"] if (one["Sid"] == OWN_LOG) == log]
    return [Permission(function, one["Sid"], action) for one in statements for action in one["Action"]]


def function_name(stage: Emulated, function: str) -> str:
    return stage.outputs[_FUNCTIONS[function]]


def role_arn(stage: Emulated, function: str) -> str:
    """The role that a function runs as."""
    name = function_name(stage, function)
    return str(stage.client_of("lambda").get_function_configuration(FunctionName=name)["Role"])


@contextmanager
def without(stage: Emulated, permission: Permission) -> Iterator[None]:
    """Within this block the function lacks the permission, and has not read its keys yet."""
    iam, role = stage.client_of("iam"), role_arn(stage, permission.function).rpartition("/")[2]
    (name,) = iam.list_role_policies(RoleName=role)["PolicyNames"]
    whole = iam.get_role_policy(RoleName=role, PolicyName=name)["PolicyDocument"]

    def put(statements: list[dict[str, Any]]) -> None:
        document = json.dumps({**whole, "Statement": statements})
        iam.put_role_policy(RoleName=role, PolicyName=name, PolicyDocument=document)

    less = [
        {**one, "Action": [action for action in one["Action"] if (one["Sid"], action) != permission[1:]]}
        for one in whole["Statement"]
    ]
    put([one for one in less if one["Action"]])
    try:
        if permission.statement == KEYS:
            renew_containers(stage.client_of("lambda"), function_name(stage, permission.function), str(permission))
        yield
    finally:
        put(whole["Statement"])
