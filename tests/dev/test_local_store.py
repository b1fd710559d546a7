"""The store of a local run: what it has answered is in its file."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from botocore.exceptions import ClientError

from chalicelib.store import create_table
from dev.trust.items import all_items, bare_client
from tests.servers import Server

TABLE = "kept"


def item(pk: str, number: int = 0, **more: dict[str, str]) -> dict[str, Any]:
    return {"pk": {"S": pk}, "sk": {"S": "M"}, "number": {"N": str(number)}, "bytes": {"B": b"\x00\xff"}, **more}


def key(pk: str) -> dict[str, Any]:
    return {"pk": {"S": pk}, "sk": {"S": "M"}}


def rows(client: Any) -> list[dict[str, Any]]:
    return sorted(all_items(client, TABLE), key=lambda each: str(each["pk"]["S"]))


@pytest.fixture
def kept(local_store_on_disk: Callable[[], Server]) -> tuple[Any, Callable[[], None]]:
    """A client of a store with a table, and what kills the store and starts it again."""
    server = local_store_on_disk()
    create_table(TABLE, server.url)

    def crash() -> None:
        server.kill()
        local_store_on_disk()

    return bare_client(server.url), crash


def test_every_kind_of_write_outlives_a_kill(kept: tuple[Any, Callable[[], None]]) -> None:
    """Puts, updates, deletions, batches and transactions; of a refused one nothing. The table is there as it was, too,
    with its index and its expiry."""
    client, crash = kept
    for name in "abcdef":
        client.put_item(TableName=TABLE, Item=item(name))
    add = {
        "UpdateExpression": "ADD #n :one",
        "ExpressionAttributeNames": {"#n": "number"},
        "ExpressionAttributeValues": {":one": {"N": "1"}},
    }
    client.update_item(TableName=TABLE, Key=key("b"), **add)
    client.update_item(TableName=TABLE, Key=key("new"), **add)
    client.delete_item(TableName=TABLE, Key=key("c"))
    client.batch_write_item(
        RequestItems={TABLE: [{"PutRequest": {"Item": item("g", 7)}}, {"DeleteRequest": {"Key": key("d")}}]}
    )
    missing = {"ConditionExpression": "attribute_not_exists(pk)"}
    check = {"ConditionCheck": {"TableName": TABLE, "Key": key("x"), **missing}}
    update = {"Update": {"TableName": TABLE, "Key": key("e"), **add}}
    put, delete = {"Put": {"TableName": TABLE, "Item": item("h", 8)}}, {"Delete": {"TableName": TABLE, "Key": key("f")}}
    client.transact_write_items(TransactItems=[check, update, put, delete])
    with pytest.raises(ClientError, match="TransactionCanceled"):
        client.transact_write_items(TransactItems=[{"Put": {**put["Put"], **missing}}, update])
    with pytest.raises(ClientError, match="ConditionalCheckFailed"):
        client.put_item(TableName=TABLE, Item=item("a", 9), **missing)
    before, described = rows(client), client.describe_table(TableName=TABLE)["Table"]

    crash()

    assert before == rows(client)
    expected = {"a": "0", "b": "1", "e": "1", "g": "7", "h": "8", "new": "1"}
    assert expected == {row["pk"]["S"]: row["number"]["N"] for row in before}
    again = client.describe_table(TableName=TABLE)["Table"]
    assert described["GlobalSecondaryIndexes"] == again["GlobalSecondaryIndexes"]
    assert "ttl" == client.describe_time_to_live(TableName=TABLE)["TimeToLiveDescription"]["AttributeName"]


def test_index_and_expiry_go_on(kept: tuple[Any, Callable[[], None]]) -> None:
    """After a kill an item is found by the sweep's index as before, and what has expired is left out, so that the file
    does not grow for ever."""
    client, crash = kept
    client.put_item(TableName=TABLE, Item=item("due", due_shard={"N": "1"}, scheduled_at={"N": "5"}))
    client.put_item(TableName=TABLE, Item=item("over", ttl={"N": "1"}))
    client.put_item(TableName=TABLE, Item=item("still", ttl={"N": str(int(time.time()) + 86_400)}))

    crash()

    (index,) = client.describe_table(TableName=TABLE)["Table"]["GlobalSecondaryIndexes"]
    found = client.query(
        TableName=TABLE,
        IndexName=index["IndexName"],
        KeyConditionExpression="due_shard = :shard",
        ExpressionAttributeValues={":shard": {"N": "1"}},
    )
    assert ["due"] == [each["pk"]["S"] for each in found["Items"]]
    assert ["due", "still"] == [row["pk"]["S"] for row in rows(client)]


def test_what_it_would_not_keep_is_refused(local_store: Server) -> None:
    """An operation whose writes would not be in the file is not carried out."""
    client = bare_client(local_store.url)
    with pytest.raises(ClientError, match="UnknownOperation"):
        client.execute_statement(Statement="DELETE FROM kept WHERE pk = 'a' AND sk = 'M'")
