"""Where the app is put together: the house of this process, made once and when it is first needed."""

from __future__ import annotations

import functools
import os

from chalicelib.service.house import House


@functools.cache
def house() -> House:
    """The deployment's store, by DO_DOONI_TABLE and, for a local one, DO_DOONI_DYNAMODB_URL."""
    from chalicelib.store import DynamoStore

    return House(DynamoStore(os.environ["DO_DOONI_TABLE"], os.environ.get("DO_DOONI_DYNAMODB_URL")))


def rate_factor() -> float:
    """DO_DOONI_RATE_FACTOR: what the rate limits are multiplied by; 1 unless said otherwise, 0 counts nothing."""
    return float(os.environ.get("DO_DOONI_RATE_FACTOR", "1"))
