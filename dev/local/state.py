"""The folder where a local run keeps what the next one needs: the store's tables and the key that signs tokens."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dev.local.servers import new_signing_keys


class NotUsable(Exception):
    """The folder cannot be used; the message says why, and what to do."""


@contextmanager
def claimed(folder: Path) -> Iterator[Path]:
    """Make the folder if it is not there, and have it alone within the `with`. Raises NotUsable."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with (folder / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise NotUsable(f"another run uses the folder {folder}: stop it, or choose another STATE") from None
        yield folder


def mark_format(folder: Path) -> None:
    """Note in which format the folder's items are going to be stored."""
    (folder / "format").write_text(_stored_format())


def check_format(folder: Path) -> None:
    """Raises NotUsable for a folder of a version that stores its items in another format, or that noted none."""
    mark = folder / "format"
    if not mark.exists() or mark.read_text() != _stored_format():
        raise NotUsable(f"{folder} is from another version: delete it (rm -r {folder}), or choose another STATE")


def _stored_format() -> str:
    """Changes with the table's keys, any item's attributes, or the oldest packed form that can be read."""
    from chalicelib.store.models import Item
    from chalicelib.store.schema import SCHEMA
    from chalicelib.store.wire import FORMS

    attributes = sorted(sorted(kind.get_attributes()) for kind in Item.__subclasses__())
    return hashlib.sha256(json.dumps([SCHEMA, attributes, FORMS[0]]).encode()).hexdigest()[:16]


def signing_keys(folder: Path) -> str:
    """The folder's own DO_DOONI_SIGNING_KEYS (a JSON object, key id → base64url secret), made at the first ask."""
    keys = folder / "signing-keys.json"
    if not keys.exists():
        fresh = keys.with_suffix(".new")
        fresh.unlink(missing_ok=True)
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(new_signing_keys())
        fresh.replace(keys)
    return keys.read_text()
