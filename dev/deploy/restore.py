"""`make restore STAGE=… TABLE=…`: let a stage use a table that was restored to a point in time.

Matches go back to that point. What must not is carried over from the table in use: a phone that has refreshed since
would count as a thief's, a device that was signed out would come back, and so would a deleted player.

It gives the restored table what a restoration leaves out, stops both functions, copies, changes the stack's parameter
and lets the functions run again. Whatever cuts it short, run it again. If the stack is not changing then, the functions
run again at once; if it is, they stay stopped until the next run, so that none writes to the old table meanwhile.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, fields
from functools import partial
from typing import Any

import boto3
from botocore.exceptions import BotoCoreError, ClientError

from chalicelib.service.ports import ACCOUNTS
from chalicelib.store import keys
from chalicelib.store.schema import SCHEMA, TTL
from dev.deploy.arguments import stage_parser
from dev.deploy.stack import ClientOf, Deployment, NotThere, Refused, in_a_line, is_changing, outputs_of, stack_name

SEGMENTS = 16
"""Parts of the table that are read at once."""
LONGEST_RUN = 60
"""Seconds after which what was running when the functions were stopped has ended: their time-outs are shorter."""
RECOVERY_CODE = ("recovery", "recovery_at")
"""What a profile keeps of the recovery code."""
Item = dict[str, Any]


@dataclass
class Carried:
    """How many of each were carried over."""

    accounts: int = 0
    """Their devices and recovery codes."""
    newer: int = 0
    """Of them, those that are younger than the restored table."""
    deleted: int = 0
    """Players deleted since."""
    codes: int = 0
    """Transfer and recovery codes."""

    def __add__(self, other: Carried) -> Carried:
        return Carried(*(getattr(self, field.name) + getattr(other, field.name) for field in fields(self)))


def carry_over(dynamodb: Any, old: str, new: str, now: int) -> Carried:
    """Copy what must not go back. Repeatable, as long as nobody uses the new table."""
    with ThreadPoolExecutor(SEGMENTS) as pool:
        return sum(pool.map(partial(_carry_segment, dynamodb, old, new, now), range(SEGMENTS)), Carried())


def _carry_segment(dynamodb: Any, old: str, new: str, now: int, segment: int) -> Carried:
    carried = Carried()
    pages = dynamodb.get_paginator("scan").paginate(
        TableName=old, ConsistentRead=True, Segment=segment, TotalSegments=SEGMENTS
    )
    for item in (item for page in pages for item in page["Items"]):
        match item["sk"]["S"]:
            case keys.PROFILE if "deleted_at" in item:
                carried.deleted += _mark_deleted(dynamodb, new, item, now)
            case keys.PROFILE:
                carried.accounts += 1
                carried.newer += _keep_recovery(dynamodb, new, item)
                _copy_devices(dynamodb, old, new, item["pk"])
            case keys.TRANSFER | keys.RECOVERY:
                carried.codes += 1
                dynamodb.put_item(TableName=new, Item=item)
    return carried


def _mark_deleted(dynamodb: Any, table: str, tombstone: Item, now: int) -> bool:
    """The tombstone, scheduled for the sweep, which takes the player out of restored matches; whether it is new."""
    scheduled = {"due_shard": {"N": str(ACCOUNTS)}, "scheduled_at": {"N": str(now)}}
    before = dynamodb.put_item(TableName=table, Item=tombstone | scheduled, ReturnValues="ALL_OLD")
    dynamodb.delete_item(TableName=table, Key={"pk": tombstone["pk"], "sk": {"S": keys.DEVICES}})
    return "deleted_at" not in before.get("Attributes", {})


def _keep_recovery(dynamodb: Any, table: str, profile: Item) -> bool:
    """The profile is the restored one with the present recovery code; a younger account's is the present one, and then
    it returns True."""
    present = {f":{name}": profile[name] for name in RECOVERY_CODE if name in profile}
    sets = [f"{name} = :{name}" for name in RECOVERY_CODE if name in profile]
    removes = [name for name in RECOVERY_CODE if name not in profile]
    update = " ".join(f"{verb} {', '.join(parts)}" for verb, parts in (("SET", sets), ("REMOVE", removes)) if parts)
    try:
        dynamodb.update_item(
            TableName=table,
            Key={"pk": profile["pk"], "sk": profile["sk"]},
            UpdateExpression=update,
            ConditionExpression="attribute_exists(pk)",
            **({"ExpressionAttributeValues": present} if present else {}),
        )
    except ClientError as error:
        if error.response["Error"]["Code"] != "ConditionalCheckFailedException":
            raise
        dynamodb.put_item(TableName=table, Item=profile)
        return True
    return False


def _copy_devices(dynamodb: Any, old: str, new: str, pk: Item) -> None:
    key = {"pk": pk, "sk": {"S": keys.DEVICES}}
    devices = dynamodb.get_item(TableName=old, Key=key, ConsistentRead=True).get("Item")
    if devices is not None:
        dynamodb.put_item(TableName=new, Item=devices)
    else:
        dynamodb.delete_item(TableName=new, Key=key)


def complete(dynamodb: Any, old: str, new: str) -> None:
    """Give a restored table what a restoration leaves out. Raises `NotThere`."""
    restored = _described(dynamodb, new)
    indexes = {index["IndexName"] for index in restored.get("GlobalSecondaryIndexes", ())}
    if restored["TableStatus"] != "ACTIVE":
        raise NotThere(f"table {new} is not ready yet: {restored['TableStatus']}")
    if restored["KeySchema"] != SCHEMA["KeySchema"] or indexes != {
        index["IndexName"] for index in SCHEMA["GlobalSecondaryIndexes"]
    }:
        raise NotThere(f"table {new} is not one of Do Dooni's: its keys or its indexes are others")
    expiry = dynamodb.describe_time_to_live(TableName=new)["TimeToLiveDescription"]["TimeToLiveStatus"]
    if expiry not in ("ENABLED", "ENABLING"):
        dynamodb.update_time_to_live(TableName=new, TimeToLiveSpecification={"Enabled": True, "AttributeName": TTL})
    recovery = {"PointInTimeRecoveryEnabled": True}
    dynamodb.update_continuous_backups(TableName=new, PointInTimeRecoverySpecification=recovery)
    protected = _described(dynamodb, old).get("DeletionProtectionEnabled", False)
    if restored.get("DeletionProtectionEnabled", False) != protected:
        _update(dynamodb, new, DeletionProtectionEnabled=protected)
    if not restored.get("StreamSpecification", {}).get("StreamEnabled"):
        _update(dynamodb, new, StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"})


def _described(dynamodb: Any, table: str) -> Mapping[str, Any]:
    try:
        described: Mapping[str, Any] = dynamodb.describe_table(TableName=table)["Table"]
    except ClientError as error:
        if error.response["Error"]["Code"] != "ResourceNotFoundException":
            raise
        raise NotThere(f"there is no table {table} in this account and region") from None
    return described


def _update(dynamodb: Any, table: str, **change: Any) -> None:
    dynamodb.update_table(TableName=table, **change)
    dynamodb.get_waiter("table_exists").wait(TableName=table, WaiterConfig={"Delay": 2})


@contextmanager
def stopped(functions: Any, names: list[str], wait_seconds: float, changing: Callable[[], bool]) -> Iterator[None]:
    """Within this block the functions are not run, and what was running has ended.

    They run again afterwards, unless the block fails while the stack is `changing`. Raises `Refused` then.
    """
    before = {name: functions.get_function_concurrency(FunctionName=name) for name in names}
    try:
        for name in names:
            functions.put_function_concurrency(FunctionName=name, ReservedConcurrentExecutions=0)
        time.sleep(wait_seconds)
        yield
    except BaseException as failure:
        if changing():
            why = "the stack is still changing, or cannot be asked; the functions stay stopped: run it again"
            raise Refused(why) from failure
        _resume(functions, before)
        raise
    _resume(functions, before)


def _resume(functions: Any, before: Mapping[str, Mapping[str, Any]]) -> None:
    """Let functions run again, with the concurrency that each had. A 0 is what a killed run left behind."""
    for name, concurrency in before.items():
        reserved = concurrency.get("ReservedConcurrentExecutions")
        if reserved:
            functions.put_function_concurrency(FunctionName=name, ReservedConcurrentExecutions=reserved)
        else:
            functions.delete_function_concurrency(FunctionName=name)


def restore(client_of: ClientOf, stage: str, table: str, wait_seconds: float = LONGEST_RUN) -> str:
    """Let the stage use the restored table; says what it did. Raises `NotThere`, `Refused`, `DeployFailed`."""
    stack = outputs_of(client_of, stage)
    if is_changing(client_of, stage):
        raise Refused(f"{stack_name(stage)} is changing: run it again when that has ended")
    dynamodb, old = client_of("dynamodb"), stack["TableName"]
    functions, names = client_of("lambda"), [stack["APIHandlerName"], stack["SweepName"]]
    if old == table:
        _resume(functions, {name: functions.get_function_concurrency(FunctionName=name) for name in names})
        return f"{stack_name(stage)} uses {table} already, and its functions run"

    def changing() -> bool:
        try:
            return is_changing(client_of, stage)
        except (ClientError, BotoCoreError):
            return True

    complete(dynamodb, old, table)
    with stopped(functions, names, wait_seconds, changing):
        carried = carry_over(dynamodb, old, table, int(time.time()))
        Deployment(client_of, poll_seconds=1).set_parameters(stage, {"RestoredTable": table})
    return (
        f"{stack_name(stage)} uses {table}. Carried over from {old}: accounts' devices and recovery codes: "
        f"{carried.accounts:,}, of them younger than the restored table: {carried.newer:,}; "
        f"deletions: {carried.deleted:,}; transfer and recovery codes: {carried.codes:,}. "
        f"All else is as it was at that point."
    )


def main() -> int:
    parser = stage_parser("dev.deploy.restore", __doc__)
    parser.add_argument("--table", required=True, help="the restored table's name")
    parser.add_argument(
        "--wait",
        metavar="SECONDS",
        type=float,
        default=LONGEST_RUN,
        help="for what runs when the functions are stopped",
    )
    options = parser.parse_args()
    return in_a_line(lambda: restore(boto3.client, options.stage, options.table, options.wait))


if __name__ == "__main__":
    sys.exit(main())
