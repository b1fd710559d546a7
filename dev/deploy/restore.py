"""`make restore STAGE=… TABLE=…`: let a stage use a table that was restored to a point in time.

Matches go back to that point. What must not is carried over from the table in use: a phone that has refreshed since
would count as a thief's, a device that was signed out would come back, and so would a deleted player.

It gives the restored table what a restoration leaves out, stops both functions, copies, changes the stack's parameter
and lets the functions run again. Whatever cuts it short, run it again. If the stack is not changing then, the functions
run again at once; if it is, they stay stopped until the next run, so that none writes to the old table meanwhile.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from chalicelib.service.ports import ACCOUNTS
from chalicelib.store import keys
from chalicelib.store.schema import SCHEMA, TTL
from dev.deploy import CommandFailed
from dev.deploy.stack import ClientOf, Deployment, is_changing, outputs_of, stack_name
from dev.deploy.table import Item, ItemTable

SEGMENTS = 16
"""Parts of the table that are read at once."""
LONGEST_RUN = 60
"""Seconds after which what was running when the functions were stopped has ended: their time-outs are shorter."""
RECOVERY_CODE = ("recovery", "recovery_at")
"""What a profile keeps of the recovery code."""


def carry_over(dynamodb: Any, old: str, new: str, now: int) -> Counter[str]:
    """Copy what must not go back; how many of each. Repeatable, as long as nobody uses the new table."""

    def carry(segment: int) -> Counter[str]:
        used, restored = ItemTable(dynamodb, old), ItemTable(dynamodb, new)
        items = used.scan(Segment=segment, TotalSegments=SEGMENTS)
        return sum((_carried(used, restored, item, now) for item in items), Counter())

    with ThreadPoolExecutor(SEGMENTS) as pool:
        return sum(pool.map(carry, range(SEGMENTS)), Counter())


def _carried(used: ItemTable, restored: ItemTable, item: Item, now: int) -> Counter[str]:
    pk, sk = item["pk"]["S"], item["sk"]["S"]
    if sk in (keys.TRANSFER, keys.RECOVERY):
        restored.put(item)
        return Counter(codes=1)
    if sk != keys.PROFILE:
        return Counter()
    before = restored.get(pk, sk)
    devices = None
    if "deleted_at" in item:
        # For the sweep, which takes the player out of restored matches.
        restored.put(item | {"due_shard": {"N": str(ACCOUNTS)}, "scheduled_at": {"N": str(now)}})
        counted = Counter(deletions=before is None or "deleted_at" not in before)
    else:
        # The profile as it was, with the present recovery code; of a younger account the present one.
        code = {name: item[name] for name in RECOVERY_CODE if name in item}
        restored.put({name: value for name, value in (before or item).items() if name not in RECOVERY_CODE} | code)
        devices = used.get(pk, keys.DEVICES)
        counted = Counter(accounts=1, newer=before is None)
    if devices is None:
        restored.delete(pk, keys.DEVICES)
    else:
        restored.put(devices)
    return counted


def complete(dynamodb: Any, old: str, new: str) -> None:
    """Give a restored table what a restoration leaves out. Raises `CommandFailed`."""
    restored = _described(dynamodb, new)
    if restored["TableStatus"] != "ACTIVE":
        raise CommandFailed(f"table {new} is not ready yet: {restored['TableStatus']}")
    indexes = {index["IndexName"] for index in restored.get("GlobalSecondaryIndexes", ())}
    wanted = {index["IndexName"] for index in SCHEMA["GlobalSecondaryIndexes"]}
    if (restored["KeySchema"], indexes) != (SCHEMA["KeySchema"], wanted):
        raise CommandFailed(f"table {new} is not one of Do Dooni's: its keys or its indexes are others")
    expiry = dynamodb.describe_time_to_live(TableName=new)["TimeToLiveDescription"]["TimeToLiveStatus"]
    if expiry not in ("ENABLED", "ENABLING"):
        dynamodb.update_time_to_live(TableName=new, TimeToLiveSpecification={"Enabled": True, "AttributeName": TTL})
    recovery = {"PointInTimeRecoveryEnabled": True}
    dynamodb.update_continuous_backups(TableName=new, PointInTimeRecoverySpecification=recovery)
    protected = _described(dynamodb, old).get("DeletionProtectionEnabled", False)
    changes: list[Mapping[str, Any]] = [{"DeletionProtectionEnabled": protected}]
    if not restored.get("StreamSpecification", {}).get("StreamEnabled"):
        changes.append({"StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}})
    for change in changes:
        dynamodb.update_table(TableName=new, **change)
        dynamodb.get_waiter("table_exists").wait(TableName=new, WaiterConfig={"Delay": 2})


def _described(dynamodb: Any, table: str) -> Mapping[str, Any]:
    try:
        described: Mapping[str, Any] = dynamodb.describe_table(TableName=table)["Table"]
    except dynamodb.exceptions.ResourceNotFoundException:
        raise CommandFailed(f"there is no table {table} in this account and region") from None
    return described


@contextmanager
def stopped(functions: Any, names: list[str], wait_seconds: float, changing: Callable[[], bool]) -> Iterator[None]:
    """Within this block the functions are not run, and what was running has ended.

    They run again afterwards, unless the block fails while the stack is `changing`. Raises `CommandFailed` then.
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
            raise CommandFailed(why) from failure
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
    """Let the stage use the restored table; says what it did. Raises `CommandFailed`."""
    stack = outputs_of(client_of, stage)
    if is_changing(client_of, stage):
        raise CommandFailed(f"{stack_name(stage)} is changing: run it again when that has ended")
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
        f"{carried['accounts']:,}, of them younger than the restored table: {carried['newer']:,}; "
        f"deletions: {carried['deletions']:,}; transfer and recovery codes: {carried['codes']:,}. "
        f"All else is as it was at that point."
    )
