"""The table as it is made for local servers and tests."""

from __future__ import annotations

import secrets
from typing import Any

import botocore.session
import pytest

from chalicelib.store import create_table


@pytest.mark.parametrize("kind", ["local_store", "dynoxide"])
def test_the_table_is_made_once(kind: str, request: pytest.FixtureRequest) -> None:
    """On demand, with the sweep's index, a stream of both images, and expiry, and where the server knows it with
    recovery to any point in time; making it again does no harm."""
    url, name = request.getfixturevalue(kind).url, f"schema-{secrets.token_hex(6)}"
    for _ in range(2):
        create_table(name, url)
    client = botocore.session.get_session().create_client("dynamodb", region_name="us-east-1", endpoint_url=url)

    def keys(of: Any) -> list[str]:
        return [key["AttributeName"] for key in of["KeySchema"]]

    table = client.describe_table(TableName=name)["Table"]
    (index,) = table["GlobalSecondaryIndexes"]
    expiry = client.describe_time_to_live(TableName=name)["TimeToLiveDescription"]
    assert "PAY_PER_REQUEST" == table["BillingModeSummary"]["BillingMode"]
    assert (["pk", "sk"], ["due_shard", "scheduled_at"]) == (keys(table), keys(index))
    assert "KEYS_ONLY" == index["Projection"]["ProjectionType"]
    assert "NEW_AND_OLD_IMAGES" == table["StreamSpecification"]["StreamViewType"]
    assert ("ENABLED", "ttl") == (expiry["TimeToLiveStatus"], expiry["AttributeName"])
    if kind == "local_store":
        told = client.describe_continuous_backups(TableName=name)["ContinuousBackupsDescription"]
        assert "ENABLED" == told["PointInTimeRecoveryDescription"]["PointInTimeRecoveryStatus"]
