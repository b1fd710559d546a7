"""Real servers for tests: the stores, and the API itself as a process that can be killed and restarted."""

from __future__ import annotations

import base64
import json
import os
import secrets
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from dev.local.servers import (
    DYNOXIDE,
    STORE_CREDENTIALS,
    Server,
    free_port,
    start,
    start_dynoxide,
    start_local_store,
)

__all__ = [
    "ApiProcess",
    "Server",
    "dynoxide_is_here",
    "free_port",
    "new_signing_keys",
    "start_dynoxide",
    "start_local_store",
]


def dynoxide_is_here() -> bool:
    """Whether npm has brought dynoxide (`make setup`), and this machine can run it."""
    return os.access(DYNOXIDE, os.X_OK)


def new_signing_keys() -> str:
    """A fresh DO_DOONI_SIGNING_KEYS: one random key."""
    return json.dumps({"test": base64.urlsafe_b64encode(secrets.token_bytes(32)).rstrip(b"=").decode()})


@dataclass
class ApiProcess:
    """The API as a process of its own (`python -m dev.local`), against the store at `store_url`.

    `start()` returns when it serves; `kill()` is kill -9; a `start()` after it serves the same url with the same keys.
    """

    store_url: str
    table: str
    log: Path
    signing_keys: str = field(default_factory=new_signing_keys)
    port: int = field(default_factory=free_port)
    environment: Mapping[str, str] = field(default_factory=dict)
    sweep: float = 0
    """Seconds between two sweeps; 0: none, so that the store sees requests' calls only."""
    server: Server | None = None

    @property
    def url(self) -> str:
        """The base of all paths, with /v1."""
        return f"http://127.0.0.1:{self.port}/v1"

    def start(self) -> ApiProcess:
        command = [sys.executable, "-m", "dev.local", "--port", str(self.port), "--store", self.store_url]
        command += ["--sweep", str(self.sweep)]
        self.server = start(
            "the API",
            command,
            self.port,
            {
                **STORE_CREDENTIALS,
                "DO_DOONI_SIGNING_KEYS": self.signing_keys,
                "DO_DOONI_TABLE": self.table,
                **self.environment,
            },
            self.log,
        )
        return self

    def kill(self) -> None:
        if self.server is not None:
            self.server.kill()

    def stop(self) -> None:
        if self.server is not None:
            self.server.stop()
