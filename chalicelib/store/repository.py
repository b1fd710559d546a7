"""The whole store on DynamoDB: its parts over one table."""

from __future__ import annotations

from chalicelib.store.accounts import DynamoAccounts
from chalicelib.store.connection import CALL_SECONDS, OnCapacity
from chalicelib.store.limits import DynamoLimits
from chalicelib.store.matches import DynamoMatches
from chalicelib.store.schema import make_table
from chalicelib.store.sets import DynamoSets
from chalicelib.store.table import DynamoTable

_MAKING_SECONDS = 30.0


class DynamoStore(DynamoMatches, DynamoSets, DynamoAccounts, DynamoLimits):
    """Keeps the promises of `chalicelib.service.ports.Store`. Thread safe; several may live in one process.

    `table` and `url` are read from DO_DOONI_TABLE and DO_DOONI_DYNAMODB_URL at the first call, unless they are given;
    without a url it is Amazon's own. `call_seconds` is how long a call waits for a connection, and again for an answer.
    `on_capacity` is told what each call consumed.
    """

    def __init__(
        self,
        table: str | None = None,
        url: str | None = None,
        *,
        call_seconds: float = CALL_SECONDS,
        on_capacity: OnCapacity | None = None,
    ) -> None:
        super().__init__(DynamoTable(table, url, call_seconds=call_seconds, on_capacity=on_capacity))


def create_table(table: str | None = None, url: str | None = None) -> None:
    """Make the table unless it is there, and wait until it can be used (`TimeoutError`). For local servers and tests:
    deployed, the stack makes it."""
    made = DynamoTable(table, url, call_seconds=_MAKING_SECONDS)
    make_table(made.connection, made.name, _MAKING_SECONDS)
