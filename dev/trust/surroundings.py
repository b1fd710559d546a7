"""What this process needs to reach a store of its own: credentials that are none."""

from __future__ import annotations

import os

from dev.local.servers import STORE_CREDENTIALS


def prepare() -> None:
    """Set what the store's client reads from its environment, where nobody has yet."""
    os.environ.setdefault("AWS_EC2_METADATA_DISABLED", "true")
    for name, value in STORE_CREDENTIALS.items():
        os.environ.setdefault(name, value)
