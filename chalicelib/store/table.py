"""Reading and writing items of the one table, of whatever kind."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Literal, NamedTuple, TypeVar

from pynamodb.connection.base import MetaTable
from pynamodb.expressions.condition import Condition
from pynamodb.expressions.update import Action

from chalicelib.service.ports import AccountGone, Lost, SeatHeld, TooManyLive, Unavailable
from chalicelib.store.connection import CALL_SECONDS, PAUSE, TRIES, ConditionFailed, OnCapacity, StoreConnection
from chalicelib.store.models import Item
from chalicelib.store.schema import SCHEMA
from chalicelib.store.wire import NewerForm

K = TypeVar("K", bound=Item)

_MOST_TELLING = (AccountGone, SeatHeld, TooManyLive, Lost)
"""Of several conditions that fail at once: what will not pass by reading again is said first."""
_BATCH = 100


class Write(NamedTuple):
    """One write with its condition, and what it means when that does not hold."""

    kind: Literal["Put", "Update", "Delete", "ConditionCheck"]
    kwargs: dict[str, Any]
    failure: type[Exception] = Lost


def read(kind: type[K], item: Mapping[str, Any]) -> K:
    """The item of a kind. Raises `NewerForm` for one with an attribute that the kind does not know."""
    check_attributes(kind, item)
    return kind.from_raw_data(dict(item))


def check_attributes(kind: type[Item], item: Mapping[str, Any]) -> None:
    """As `read`, of an item that is read by hand."""
    if not item.keys() <= kind.get_attributes().keys():
        raise NewerForm(f"{kind.__name__} with an attribute that this version does not know")


class DynamoTable:
    """One table. Its name and place are read from the environment at the first use, unless they are given."""

    def __init__(
        self,
        name: str | None = None,
        url: str | None = None,
        *,
        call_seconds: float = CALL_SECONDS,
        on_capacity: OnCapacity | None = None,
    ) -> None:
        self._name = name
        self._url = url
        self._call_seconds = call_seconds
        self._on_capacity = on_capacity

    @cached_property
    def name(self) -> str:
        name = self._name or os.environ.get("DO_DOONI_TABLE")
        if not name:
            raise RuntimeError("DO_DOONI_TABLE is not set: it names the table")
        return name

    @cached_property
    def connection(self) -> StoreConnection:
        url = self._url or os.environ.get("DO_DOONI_DYNAMODB_URL") or None
        region = os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION")
        credentials = None
        if url is not None:
            # A local server checks none, but the client wants some.
            region = region or "us-east-1"
            credentials = None if os.environ.get("AWS_ACCESS_KEY_ID") else ("local", "local")
        connection = StoreConnection(url, region, credentials, self._call_seconds, self._on_capacity)
        connection.add_meta_table(MetaTable({"TableName": self.name, **SCHEMA}))
        return connection

    # reading --------------------------------------------------------------------------------------------------------

    def get_raw(self, pk: str, sk: str, *, consistent: bool = True) -> Mapping[str, Any] | None:
        """The item as the server gives it."""
        key = {"pk": {"S": pk}, "sk": {"S": sk}}
        kwargs = {"TableName": self.name, "Key": key, "ConsistentRead": consistent}
        item: Mapping[str, Any] | None = self.connection.dispatch("GetItem", kwargs).get("Item")
        return item

    def get(self, kind: type[K], pk: str, sk: str, *, consistent: bool = True) -> K | None:
        """One item."""
        item = self.get_raw(pk, sk, consistent=consistent)
        return None if item is None else read(kind, item)

    def get_many_raw(self, keys: Iterable[tuple[str, str]]) -> Iterator[Mapping[str, Any]]:
        """Those of the items that are there, in any order; eventually consistent."""
        wanted = [{"pk": {"S": pk}, "sk": {"S": sk}} for pk, sk in dict.fromkeys(keys)]
        refused = 0
        while wanted:
            batch, wanted = wanted[:_BATCH], wanted[_BATCH:]
            answer = self.connection.dispatch("BatchGetItem", {"RequestItems": {self.name: {"Keys": batch}}})
            yield from answer["Responses"].get(self.name, ())
            left = answer.get("UnprocessedKeys", {}).get(self.name, {}).get("Keys", [])
            if len(left) == len(batch):
                refused += 1
                if refused == TRIES:
                    raise Unavailable("BatchGetItem: too busy")
                time.sleep(PAUSE * refused)
            wanted = left + wanted

    def query(
        self,
        kind: type[K],
        pk: str | int,
        condition: Condition | None = None,
        *,
        index: str | None = None,
        limit: int | None = None,
        newest_first: bool = False,
        consistent: bool = False,
    ) -> Iterator[K]:
        """The items of one partition whose sort key meets `condition`, in its order; at most `limit`."""
        after, found = None, 0
        while True:
            answer = self.connection.query(
                self.name,
                str(pk),
                range_key_condition=condition,
                index_name=index,
                limit=None if limit is None else limit - found,
                scan_index_forward=not newest_first,
                consistent_read=consistent,
                exclusive_start_key=after,
            )
            for item in answer["Items"]:
                yield read(kind, item)
            found += len(answer["Items"])
            after = answer.get("LastEvaluatedKey")
            if not after or (limit is not None and found >= limit):
                return

    # writing --------------------------------------------------------------------------------------------------------

    def put(self, item: Item, condition: Condition | None, failure: type[Exception] = Lost) -> Write:
        attributes = item.serialize()
        kwargs = self.connection.get_operation_kwargs(
            self.name, item.pk, item.sk, key="Item", attributes=attributes, condition=condition
        )
        return Write("Put", kwargs, failure)

    def update(
        self,
        pk: str,
        sk: str,
        actions: Sequence[Action],
        condition: Condition | None,
        failure: type[Exception] = Lost,
        *,
        returning: str | None = None,
    ) -> Write:
        kwargs = self.connection.get_operation_kwargs(
            self.name, pk, sk, actions=list(actions), condition=condition, return_values=returning
        )
        return Write("Update", kwargs, failure)

    def delete(self, pk: str, sk: str, condition: Condition | None = None, failure: type[Exception] = Lost) -> Write:
        return Write("Delete", self.connection.get_operation_kwargs(self.name, pk, sk, condition=condition), failure)

    def check(self, pk: str, sk: str, condition: Condition, failure: type[Exception]) -> Write:
        kwargs = self.connection.get_operation_kwargs(self.name, pk, sk, condition=condition)
        return Write("ConditionCheck", kwargs, failure)

    def write(self, *writes: Write) -> Mapping[str, Any]:
        """All of them or none, in one transaction if they are several; raises the failure of one whose condition does
        not hold. Returns the server's answer."""
        try:
            if len(writes) == 1:
                return self.connection.dispatch(f"{writes[0].kind}Item", writes[0].kwargs)
            items = [{write.kind: write.kwargs} for write in writes]
            return self.connection.dispatch("TransactWriteItems", {"TransactItems": items})
        except ConditionFailed as refused:
            failures = {writes[place].failure for place in refused.places}
            raise min(failures, key=_MOST_TELLING.index) from refused
