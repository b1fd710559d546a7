"""What a store holds: the real one by a bare client, the one in memory copied and compared."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import botocore.session

from chalicelib.store.memory import MemoryStore


def bare_client(url: str) -> Any:
    """A plain botocore client for the store at `url`."""
    return botocore.session.get_session().create_client("dynamodb", region_name="us-east-1", endpoint_url=url)


def all_items(client: Any, table: str) -> Iterator[dict[str, Any]]:
    for page in client.get_paginator("scan").paginate(TableName=table, ConsistentRead=True):
        yield from page["Items"]


def content(store: MemoryStore) -> dict[str, Any]:
    """All that the store in memory holds, counts of uses apart."""
    return {name: value for name, value in vars(store).items() if name not in ("_lock", "_counts")}


def copied(store: MemoryStore) -> MemoryStore:
    """The same content, on its own."""
    other = MemoryStore()
    vars(other).update({name: _copied(value) for name, value in vars(store).items() if name != "_lock"})
    return other


def _copied(value: Any) -> Any:
    """Of what can be changed; all else in the store is frozen."""
    if isinstance(value, dict):
        return {key: _copied(inner) for key, inner in value.items()}
    return set(value) if isinstance(value, set) else value
