"""Where matches and accounts are kept."""

from chalicelib.store.memory import MemoryStore
from chalicelib.store.repository import DynamoStore, create_table

__all__ = ["DynamoStore", "MemoryStore", "create_table"]
