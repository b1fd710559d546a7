"""Where matches and accounts are kept. (`MemoryStore`, for tests, is in `memory`: a cold start does without.)"""

from chalicelib.store.repository import DynamoStore, create_table

__all__ = ["DynamoStore", "create_table"]
