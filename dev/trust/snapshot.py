"""The store in memory, copied and compared: what an attack begins with, and whether it has changed anything."""

from __future__ import annotations

import copy
from typing import Any

from chalicelib.store.memory import MemoryStore


def content(store: MemoryStore) -> dict[str, Any]:
    """All that it holds, by part."""
    return {name: value for name, value in vars(store).items() if name != "_lock"}


def copied(store: MemoryStore) -> MemoryStore:
    """The same content, on its own."""
    other = MemoryStore()
    for name, value in content(store).items():
        setattr(other, name, copy.deepcopy(value))
    return other


def changed(before: MemoryStore, after: MemoryStore) -> list[str]:
    """Names of the parts that differ, the counts of rate limits apart."""
    one, other = content(before), content(after)
    return [name for name in one if one[name] != other[name] and "count" not in name and "uses" not in name]
