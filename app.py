"""The app as it is deployed: put together from the deployment's own store, keys and settings, with its schedule."""

from __future__ import annotations

import functools
import gc
import os
from typing import TYPE_CHECKING, Any, cast

from chalice.app import CloudWatchEvent

from chalicelib.api import keyring, logs, schedule
from chalicelib.api.app import create_app
from chalicelib.api.auth import Keys
from chalicelib.service.services import Services

if TYPE_CHECKING:
    from chalicelib.service.ports import Store

if "AWS_LAMBDA_FUNCTION_NAME" in os.environ:
    logs.begin()
    # What a cold start reads in is there to stay: to search it for garbage took a fifth of the first request's time.
    gc.set_threshold(50_000)


class _StoreAtFirstUse:
    """The store of DO_DOONI_TABLE, made when something is asked of it: who asks nothing of it (a health check) does not
    wait for its libraries."""

    def __getattr__(self, name: str) -> Any:
        method = getattr(_store(), name)
        setattr(self, name, method)
        return method


@functools.cache
def _store() -> Store:
    from chalicelib.store import DynamoStore

    return DynamoStore(os.environ["DO_DOONI_TABLE"], os.environ.get("DO_DOONI_DYNAMODB_URL"))


services = Services(cast("Store", _StoreAtFirstUse()))
keys = Keys(keyring.deployed)
app = create_app(
    services,
    keys,
    rate_factor=float(os.environ.get("DO_DOONI_RATE_FACTOR", "1")),
    front_door=os.environ.get("DO_DOONI_FRONT_DOOR", ""),
)


@app.schedule("rate(1 minute)")
def sweep(event: CloudWatchEvent) -> None:
    """Play on what is overdue."""
    schedule.run(services, event.context)
