"""The permissions that the functions of a stage have, each of which can be taken away for a while."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from dev.deploy.keys import renew_containers
from dev.deploy.local import Emulated

_SETTINGS = Path(__file__).resolve().parents[2] / ".chalice"
KEYS = "SigningKeys"
_FUNCTIONS = {"api": "APIHandlerName", "sweep": "SweepName"}


class Permission(NamedTuple):
    """One action of one statement of a function's policy."""

    function: str
    statement: str
    action: str

    def __str__(self) -> str:
        return f"{self.function}-{self.statement}-{self.action.replace(':', '.')}"


def permissions(function: str) -> list[Permission]:
    """All that a function's policy allows."""
    policy = json.loads((_SETTINGS / f"policy-{function}.json").read_text())
    return [
        Permission(function, statement["Sid"], action)
        for statement in policy["Statement"]
        for action in statement["Action"]
    ]


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
    less = {**whole, "Statement": list(_taken_out(whole["Statement"], permission))}
    iam.put_role_policy(RoleName=role, PolicyName=name, PolicyDocument=json.dumps(less))
    try:
        if permission.statement == KEYS:
            renew_containers(stage.client_of("lambda"), function_name(stage, permission.function), str(permission))
        yield
    finally:
        iam.put_role_policy(RoleName=role, PolicyName=name, PolicyDocument=json.dumps(whole))


def _taken_out(statements: list[dict[str, Any]], permission: Permission) -> Iterator[dict[str, Any]]:
    for statement in statements:
        if statement["Sid"] != permission.statement:
            yield statement
        elif left := [action for action in statement["Action"] if action != permission.action]:
            yield {**statement, "Action": left}
