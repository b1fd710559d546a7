"""The table as it is made for local servers and tests."""

from __future__ import annotations

import secrets

import botocore.session
import pytest

from chalicelib.store import create_table
from tests.servers import Server


@pytest.mark.parametrize("kind", ["local_store", "dynoxide"])
def test_the_table_is_made_once(kind: str, request: pytest.FixtureRequest) -> None:
    """On demand, with the sweep's index, a stream of both images, and expiry; making it again does no harm."""
    server: Server = request.getfixturevalue(kind)
    name = f"schema-{secrets.token_hex(6)}"

    create_table(name, server.url)
    create_table(name, server.url)

    session = botocore.session.get_session()
    client = session.create_client("dynamodb", region_name="us-east-1", endpoint_url=server.url)
    table = client.describe_table(TableName=name)["Table"]
    (index,) = table["GlobalSecondaryIndexes"]
    expiry = client.describe_time_to_live(TableName=name)["TimeToLiveDescription"]
    assert "PAY_PER_REQUEST" == table["BillingModeSummary"]["BillingMode"]
    assert ["pk", "sk"] == [key["AttributeName"] for key in table["KeySchema"]]
    assert ["due_shard", "scheduled_at"] == [key["AttributeName"] for key in index["KeySchema"]]
    assert "KEYS_ONLY" == index["Projection"]["ProjectionType"]
    assert "NEW_AND_OLD_IMAGES" == table["StreamSpecification"]["StreamViewType"]
    assert ("ENABLED", "ttl") == (expiry["TimeToLiveStatus"], expiry["AttributeName"])


def test_recovery_is_on_where_the_server_knows_it(local_store: Server) -> None:
    """To any point in time."""
    name = f"schema-{secrets.token_hex(6)}"

    create_table(name, local_store.url)

    session = botocore.session.get_session()
    client = session.create_client("dynamodb", region_name="us-east-1", endpoint_url=local_store.url)
    told = client.describe_continuous_backups(TableName=name)["ContinuousBackupsDescription"]
    assert "ENABLED" == told["PointInTimeRecoveryDescription"]["PointInTimeRecoveryStatus"]
