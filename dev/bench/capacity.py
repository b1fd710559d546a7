"""What DynamoDB calls of this process consume, by the server's own figures."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from botocore.client import BaseClient

_READS = ("GetItem", "BatchGetItem", "Query", "Scan", "TransactGetItems")


@dataclass
class Consumed:
    """Capacity units so far, and the operations that were called, in order."""

    read: float = 0
    write: float = 0
    operations: list[str] = field(default_factory=list)


@contextmanager
def metered() -> Iterator[Consumed]:
    """Within the `with`, every call by any botocore client of this process asks for ConsumedCapacity and is counted."""
    consumed = Consumed()
    plain_call = BaseClient._make_api_call

    def asking_call(client: BaseClient, operation: str, request: dict[str, Any]) -> dict[str, Any]:
        answer: dict[str, Any] = plain_call(client, operation, {**request, "ReturnConsumedCapacity": "TOTAL"})
        figures = answer.get("ConsumedCapacity", [])
        units = sum(figure["CapacityUnits"] for figure in (figures if isinstance(figures, list) else [figures]))
        consumed.operations.append(operation)
        if operation in _READS:
            consumed.read += units
        else:
            consumed.write += units
        return answer

    BaseClient._make_api_call = asking_call
    try:
        yield consumed
    finally:
        BaseClient._make_api_call = plain_call
