"""What can go wrong between the app and its store. What the store does is real: after `SILENT_AFTER` it has committed,
and the app is left without the answer. (`tests/store/test_connection.py` proves that broken connections raise this.)
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from enum import StrEnum
from random import Random
from typing import Any

from botocore.client import BaseClient
from botocore.exceptions import ClientError, ConnectionClosedError, ReadTimeoutError
from botocore.parsers import ResponseParserError

from dev.driver import Json

Send = Callable[[str, Json], Json]


class Fault(StrEnum):
    """Of one call."""

    DROPPED_AFTER = "dropped after commit"
    CONFLICT = "conflict"
    THROTTLED = "throttled"
    INTERNAL_BEFORE = "500, nothing done"
    INTERNAL_AFTER = "500, all done"
    SILENT_BEFORE = "time-out before commit"
    SILENT_AFTER = "time-out after commit"
    DROPPED_BEFORE = "dropped before commit"
    CUT = "answer cut short"
    SLOW = "slow"


_AFTER = frozenset((Fault.INTERNAL_AFTER, Fault.SILENT_AFTER, Fault.DROPPED_AFTER, Fault.CUT))
_URL = {"endpoint_url": "the store"}


def meet(fault: Fault | None, send: Send, operation: str, request: Json, patience: float) -> Json:
    """One call that meets a fault; `patience` is how long the app waits for an answer."""
    if fault in _AFTER:
        with suppress(ClientError):
            send(operation, request)
    match fault:
        case Fault.THROTTLED:
            raise _refusal(operation, 400, "ProvisionedThroughputExceededException")
        case Fault.INTERNAL_BEFORE | Fault.INTERNAL_AFTER:
            raise _refusal(operation, 500, "InternalServerError")
        case Fault.CONFLICT if operation == "TransactWriteItems":
            reasons = [{"Code": "TransactionConflict"}] + [{"Code": "None"}] * (len(request["TransactItems"]) - 1)
            raise _refusal(operation, 400, "TransactionCanceledException", CancellationReasons=reasons)
        case Fault.CONFLICT:
            raise _refusal(operation, 400, "TransactionConflictException")
        case Fault.SILENT_BEFORE | Fault.SILENT_AFTER:
            time.sleep(patience)
            raise ReadTimeoutError(**_URL)
        case Fault.DROPPED_BEFORE | Fault.DROPPED_AFTER:
            raise ConnectionClosedError(**_URL)
        case Fault.CUT:
            raise ResponseParserError("half an answer")
        case Fault.SLOW:
            time.sleep(0.8 * patience)
    return send(operation, request)


def _refusal(operation: str, status: int, code: str, **more: Any) -> ClientError:
    """In the store's own words."""
    answer: Any = {"Error": {"Code": code, "Message": "injected"}, "ResponseMetadata": {"HTTPStatusCode": status}}
    return ClientError(answer | more, operation)


def fail_at_random(share: float, seed: int, patience: float) -> None:
    """From now on a share of all calls of this process meets a fault."""
    chance, send = Random(seed), BaseClient._make_api_call
    weights = {fault: 1 if "time-out" in fault or fault is Fault.SLOW else 3 for fault in Fault}

    def call(client: BaseClient, operation: str, request: Json) -> Json:
        fault = chance.choices([*weights], [*weights.values()])[0] if chance.random() < share else None
        return meet(fault, lambda *call: send(client, *call), operation, request, patience)

    BaseClient._make_api_call = call
