"""One way to the server for all calls: how long it may take, what is tried again, and what a failure means.

ConditionFailed     the server has judged: the condition of a write did not hold, and nothing was written
Unavailable         it did not answer, or was too busy; a write may have happened
anything else       a fault of ours (no such table, no permission)
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from threading import Lock
from typing import Any, cast

from botocore.config import Config
from botocore.exceptions import ClientError, HTTPClientError, IncompleteReadError
from botocore.exceptions import ConnectionError as NoConnection
from botocore.parsers import ResponseParserError
from botocore.session import get_session
from pynamodb.connection import Connection

from chalicelib.service.ports import Unavailable, in_budget

CALL_SECONDS = 1.0
"""How long a call waits for a connection, and again for the answer."""
TRIES = 4
"""For what the server has refused to begin with."""
READ_TRIES = 2
"""For a read that got no answer."""
PAUSE = 0.02
"""Seconds between tries, at first."""

_READS = frozenset({"GetItem", "BatchGetItem", "Query", "DescribeTable"})
_BUSY = frozenset(
    {
        "ProvisionedThroughputExceeded",
        "ProvisionedThroughputExceededException",
        "RequestLimitExceeded",
        "ThrottlingError",
        "ThrottlingException",
        "TransactionConflict",
        "TransactionConflictException",
    }
)
_FAILED = frozenset({"ConditionalCheckFailed", "ConditionalCheckFailedException"})
_NO_ANSWER = (NoConnection, HTTPClientError, IncompleteReadError, ResponseParserError)

OnCapacity = Callable[[str, Any], None]
"""Told of each call: the operation, and its ConsumedCapacity as the server gave it, indexes apart."""


class ConditionFailed(Exception):
    """Nothing was written. `places` are those of the failed conditions among the writes of a transaction."""

    def __init__(self, places: frozenset[int]) -> None:
        super().__init__("a condition did not hold")
        self.places = places


class _Busy(Exception):
    """The server has done nothing, and may be asked again."""


class StoreConnection(Connection):
    """PynamoDB's connection with our patience in place of its own. Thread safe; one server connection pool each."""

    def __init__(
        self,
        url: str | None,
        region: str | None,
        credentials: tuple[str, str] | None,
        call_seconds: float,
        on_capacity: OnCapacity | None,
    ) -> None:
        super().__init__(region=region, host=url)
        self._credentials = credentials
        self._call_seconds = call_seconds
        self._on_capacity = on_capacity
        self._made: Any = None
        self._making = Lock()

    @property
    def client(self) -> Any:
        """The botocore client, made at the first call."""
        if self._made is None:
            with self._making:
                if self._made is None:
                    self._made = self._make_client()
        return self._made

    def _make_client(self) -> Any:
        session = get_session()
        if self._credentials is not None:
            session.set_credentials(*self._credentials)
        config = Config(
            connect_timeout=self._call_seconds,
            read_timeout=self._call_seconds,
            retries={"total_max_attempts": 1, "mode": "standard"},
            max_pool_connections=64,
            parameter_validation=False,
            # The long one that botocore puts together anew for each call is a tenth of the call's work.
            user_agent="do-dooni",
        )
        return session.create_client("dynamodb", region_name=self.region, endpoint_url=self.host, config=config)

    def dispatch(self, operation_name: str, operation_kwargs: dict[str, Any]) -> dict[str, Any]:
        """Every call of PynamoDB's comes through here. It is never logged: what it carries is secret."""
        if self._on_capacity is not None and operation_name != "DescribeTable":
            operation_kwargs["ReturnConsumedCapacity"] = "INDEXES"
        tried = 0
        while True:
            if not in_budget():
                raise Unavailable(f"{operation_name}: no time is left")
            tried += 1
            try:
                answer = self._call(operation_name, operation_kwargs)
            except _Busy as busy:
                if tried >= TRIES:
                    raise Unavailable(f"{operation_name}: {busy}") from busy
            except Unavailable:
                if operation_name not in _READS or tried >= READ_TRIES:
                    raise
            else:
                if self._on_capacity is not None:
                    self._on_capacity(operation_name, answer.get("ConsumedCapacity"))
                return answer
            time.sleep(random.uniform(PAUSE, 2 * PAUSE) * tried)

    def _call(self, operation_name: str, operation_kwargs: dict[str, Any]) -> dict[str, Any]:
        try:
            # A copy: botocore puts a transaction's token in, and another try is another transaction.
            return cast(dict[str, Any], self.client._make_api_call(operation_name, dict(operation_kwargs)))
        except _NO_ANSWER as error:
            raise Unavailable(f"{operation_name}: {type(error).__name__}") from error
        except ClientError as error:
            meaning = _meaning(operation_name, error)
            raise meaning from (None if meaning is error else error)


def _meaning(operation_name: str, error: ClientError) -> Exception:
    unknown: Exception = error
    answer: dict[str, Any] = error.response
    code = answer.get("Error", {}).get("Code", "")
    if code in _FAILED:
        return ConditionFailed(frozenset({0}))
    if code == "TransactionCanceledException":
        codes = [reason.get("Code") or "None" for reason in answer.get("CancellationReasons", ())]
        failed = frozenset(place for place, reason in enumerate(codes) if reason in _FAILED)
        if failed:
            return ConditionFailed(failed)
        if any(reason in _BUSY for reason in codes):
            return _Busy("the transaction met another one")
        return unknown
    if code in _BUSY:
        return _Busy(code)
    if answer.get("ResponseMetadata", {}).get("HTTPStatusCode", 0) >= 500:
        return Unavailable(f"{operation_name}: {code}")
    return unknown
