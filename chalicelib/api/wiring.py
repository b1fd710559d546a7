"""Where the app is put together: the services of this process, made once and when it is first needed."""

from __future__ import annotations

import functools
import os
from typing import TYPE_CHECKING, Any, cast

from chalicelib.service.services import Services

if TYPE_CHECKING:
    from chalicelib.service.ports import Store


class _StoreAtFirstUse:
    """The deployment's store, by DO_DOONI_TABLE and, for a local one, DO_DOONI_DYNAMODB_URL. It is made when something
    is asked of it: whoever asks nothing of it (a health check) does not wait for the libraries that it takes."""

    def __getattr__(self, name: str) -> Any:
        asked = getattr(_store(), name)
        setattr(self, name, asked)
        return asked


@functools.cache
def _store() -> Store:
    from chalicelib.store import DynamoStore

    return DynamoStore(os.environ["DO_DOONI_TABLE"], os.environ.get("DO_DOONI_DYNAMODB_URL"))


@functools.cache
def services() -> Services:
    """The services of this deployment."""
    return Services(cast("Store", _StoreAtFirstUse()))


def rate_factor() -> float:
    """DO_DOONI_RATE_FACTOR: what the rate limits are multiplied by; 1 unless said otherwise, 0 counts nothing."""
    return float(os.environ.get("DO_DOONI_RATE_FACTOR", "1"))
