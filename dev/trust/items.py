"""Items as the store has them, by a bare client: their sizes, and all of a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import botocore.session
from botocore.config import Config

Item = dict[str, dict[str, Any]]


def bare_client(url: str) -> Any:
    """A plain botocore client for the store at `url`."""
    config = Config(retries={"total_max_attempts": 5, "mode": "standard"}, read_timeout=300)
    return botocore.session.get_session().create_client(
        "dynamodb", region_name="us-east-1", endpoint_url=url, config=config
    )


def size_of(item: Item) -> int:
    """Bytes of an item by DynamoDB's rules: names and values; a number takes a byte for two digits, and one more."""
    return sum(len(name.encode()) + _size(value) for name, value in item.items())


def _size(value: dict[str, Any]) -> int:
    ((kind, content),) = value.items()
    match kind:
        case "S":
            return len(str(content).encode())
        case "B":
            return len(bytes(content))
        case "N":
            digits = str(content).strip("-").replace(".", "")
            return (len(digits) + 1) // 2 + 1 + str(content).startswith("-")
        case "BOOL" | "NULL":
            return 1
        case _:
            raise ValueError(f"no item here has a {kind}")


def match_item(client: Any, table: str, match_id: str) -> Item:
    """The match's own item, read consistently."""
    key = {"pk": {"S": f"match#{match_id}"}, "sk": {"S": "match"}}
    item: Item = client.get_item(TableName=table, Key=key, ConsistentRead=True)["Item"]
    return item


def all_items(client: Any, table: str) -> Iterator[Item]:
    """Everything in the table."""
    after: dict[str, Any] = {}
    while True:
        page = client.scan(TableName=table, ConsistentRead=True, **after)
        yield from page["Items"]
        if "LastEvaluatedKey" not in page:
            return
        after = {"ExclusiveStartKey": page["LastEvaluatedKey"]}


def restore(client: Any, table: str, wanted: Sequence[Item]) -> None:
    """Make the table hold these items and no others, writing only what differs."""
    there = {_key(item): item for item in all_items(client, table)}
    for item in wanted:
        if there.pop(_key(item), None) != item:
            client.put_item(TableName=table, Item=item)
    for item in there.values():
        client.delete_item(TableName=table, Key={"pk": item["pk"], "sk": item["sk"]})


def _key(item: Item) -> tuple[str, str]:
    return item["pk"]["S"], item["sk"]["S"]
