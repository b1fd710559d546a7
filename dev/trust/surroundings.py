"""What this process needs to serve the app by itself: keys, no rate limits unless asked for, a store."""

from __future__ import annotations

import base64
import json
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager

from dev.local.servers import STORE_CREDENTIALS


def prepare() -> None:
    """Set what the app reads from its environment, where nobody has yet."""
    key = base64.urlsafe_b64encode(secrets.token_bytes(32)).rstrip(b"=").decode()
    os.environ.setdefault("DO_DOONI_SIGNING_KEYS", json.dumps({"trust": key}))
    os.environ.setdefault("AWS_EC2_METADATA_DISABLED", "true")
    for name, value in STORE_CREDENTIALS.items():
        os.environ.setdefault(name, value)


@contextmanager
def rate_factor(factor: str) -> Iterator[None]:
    """Within the `with`, rate limits are multiplied by this; "0": none."""
    before = os.environ.get("DO_DOONI_RATE_FACTOR")
    os.environ["DO_DOONI_RATE_FACTOR"] = factor
    try:
        yield
    finally:
        if before is None:
            del os.environ["DO_DOONI_RATE_FACTOR"]
        else:
            os.environ["DO_DOONI_RATE_FACTOR"] = before
