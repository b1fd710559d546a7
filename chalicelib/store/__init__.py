"""Where matches and accounts are kept."""

from chalicelib.store.memory import MemoryStore

__all__ = ["MemoryStore"]
