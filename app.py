"""The app as it is deployed: put together from the deployment's own store, keys and settings, with its schedule."""

from __future__ import annotations

import gc
import os

ON_LAMBDA = "AWS_LAMBDA_FUNCTION_NAME" in os.environ
if ON_LAMBDA:
    gc.disable()  # until all is imported, which is there to stay: searching it for garbage took 5 % of a cold start

from chalice.app import CloudWatchEvent

from chalicelib.api import keyring, logs, schedule
from chalicelib.api.app import create_app
from chalicelib.api.auth import Keys
from chalicelib.service.services import Services
from chalicelib.store import DynamoStore

if ON_LAMBDA:
    logs.begin()

services = Services(DynamoStore())
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


if ON_LAMBDA:
    gc.freeze()
    gc.set_threshold(50_000)
    gc.enable()
