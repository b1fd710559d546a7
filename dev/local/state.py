"""The folder where a local run keeps what the next one needs: the store's tables and the key that signs tokens."""

from __future__ import annotations

import base64
import fcntl
import json
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class InUse(Exception):
    """Another local run has this folder."""


@contextmanager
def claimed(folder: Path) -> Iterator[Path]:
    """Make the folder if it is not there, and have it alone for the time of the `with`. Raises InUse."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with (folder / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InUse(f"another local run is using the folder {folder}: stop it, or choose another STATE") from None
        yield folder


def signing_keys(folder: Path) -> str:
    """The folder's own DO_DOONI_SIGNING_KEYS (a JSON object, key id → base64url secret), made at the first ask."""
    kept = folder / "signing-keys.json"
    if not kept.exists():
        fresh = kept.with_suffix(".new")
        fresh.unlink(missing_ok=True)
        secret = base64.urlsafe_b64encode(secrets.token_bytes(32)).rstrip(b"=").decode()
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            json.dump({secrets.token_hex(4): secret}, file)
        fresh.replace(kept)
    return kept.read_text()
