"""The one table as it is made: on demand, with its index, expiry, a stream, and recovery to any point in time."""

from __future__ import annotations

import time
from typing import Any

from botocore.exceptions import ClientError

from chalicelib.store.connection import StoreConnection
from chalicelib.store.models import DUE

TTL = "ttl"
SCHEMA: dict[str, Any] = {
    "KeySchema": [
        {"AttributeName": "pk", "KeyType": "HASH"},
        {"AttributeName": "sk", "KeyType": "RANGE"},
    ],
    "AttributeDefinitions": [
        {"AttributeName": "pk", "AttributeType": "S"},
        {"AttributeName": "sk", "AttributeType": "S"},
        {"AttributeName": "due_shard", "AttributeType": "N"},
        {"AttributeName": "scheduled_at", "AttributeType": "N"},
    ],
    "GlobalSecondaryIndexes": [
        {
            "IndexName": DUE,
            "KeySchema": [
                {"AttributeName": "due_shard", "KeyType": "HASH"},
                {"AttributeName": "scheduled_at", "KeyType": "RANGE"},
            ],
            "Projection": {"ProjectionType": "KEYS_ONLY"},
        },
    ],
}
"""The keys in the words of CreateTable."""
_POLL = 0.1


def make_table(connection: StoreConnection, name: str, wait_seconds: float) -> None:
    """Make the table unless it is there, and wait until it can be used (`TimeoutError`).

    What a server does not know (dynoxide: recovery to a point in time) is left out.
    """
    _unless(
        "ResourceInUseException",
        connection,
        "CreateTable",
        TableName=name,
        BillingMode="PAY_PER_REQUEST",
        StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
        **SCHEMA,
    )
    until = time.monotonic() + wait_seconds
    while connection.dispatch("DescribeTable", {"TableName": name})["Table"]["TableStatus"] != "ACTIVE":
        if time.monotonic() > until:
            raise TimeoutError(f"table {name} is not ready")
        time.sleep(_POLL)
    # "ValidationException" is what the real service says where expiry is on already.
    expiry = {"Enabled": True, "AttributeName": TTL}
    _unless("ValidationException", connection, "UpdateTimeToLive", TableName=name, TimeToLiveSpecification=expiry)
    recovery = {"PointInTimeRecoveryEnabled": True}
    _unless(
        "UnknownOperationException",
        connection,
        "UpdateContinuousBackups",
        TableName=name,
        PointInTimeRecoverySpecification=recovery,
    )


def _unless(code: str, connection: StoreConnection, operation: str, **kwargs: Any) -> None:
    """One call, whose failure of this code does not matter."""
    try:
        connection.dispatch(operation, kwargs)
    except ClientError as error:
        if error.response.get("Error", {}).get("Code") != code:
            raise
