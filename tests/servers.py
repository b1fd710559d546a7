"""Real servers for tests: the stores, and the API itself as a process that can be killed and restarted."""

from __future__ import annotations

import os

from dev.local import servers
from dev.local.servers import ApiProcess, Server, free_port, new_signing_keys, start_dynoxide, start_local_store

__all__ = ["ApiProcess", "Server", "free_port", "new_signing_keys", "start_dynoxide", "start_local_store"]


def dynoxide_is_here() -> bool:
    """Whether npm has brought dynoxide (`make setup`), and this machine can run it."""
    return os.access(servers.DYNOXIDE, os.X_OK)
