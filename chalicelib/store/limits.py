"""The `Limits` part of the store on DynamoDB."""

from __future__ import annotations

from chalicelib.store import keys
from chalicelib.store.models import CountItem
from chalicelib.store.table import DynamoTable


class DynamoLimits:
    def __init__(self, table: DynamoTable) -> None:
        self._table = table

    def count(self, key: str, window: int, most: int, now: int) -> int:
        start = now - now % window
        end = start + window
        update = self._table.update(
            keys.count_key(key),
            keys.window_sort(start),
            [CountItem.uses.add(1), CountItem.ttl.set(end)],
            None,
            returning="UPDATED_NEW",
        )
        uses = int(self._table.write(update)["Attributes"]["uses"]["N"])
        return 0 if uses <= most else end - now

    def uses(self, key: str, window: int, now: int) -> int:
        item = self._table.get(CountItem, keys.count_key(key), keys.window_sort(now - now % window))
        return 0 if item is None else int(item.uses)
