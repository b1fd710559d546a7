"""A stage's table, and what whoever runs the service does with single items of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from chalicelib.service.people.accounts import delete_player
from chalicelib.service.ports import Store
from chalicelib.service.services import Services
from chalicelib.store.wire import FORM_VARIABLE, FORMS
from dev.deploy import CommandFailed
from dev.deploy.stack import ClientOf, outputs_of, stack_name

Item = dict[str, Any]
"""As DynamoDB writes it: name → type → value."""
KINDS = ("match", "deal", "events", "sessions")
"""The packed attributes, whose first byte is the form."""


@dataclass(frozen=True)
class ItemTable:
    """One table's items, whatever they hold; reads are consistent."""

    dynamodb: Any
    name: str

    def get(self, pk: str, sk: str) -> Item | None:
        item: Item | None = self.dynamodb.get_item(TableName=self.name, Key=_key(pk, sk), ConsistentRead=True).get(
            "Item"
        )
        return item

    def put(self, item: Item) -> None:
        self.dynamodb.put_item(TableName=self.name, Item=item)

    def delete(self, pk: str, sk: str) -> None:
        self.dynamodb.delete_item(TableName=self.name, Key=_key(pk, sk))

    def scan(self, **more: Any) -> Iterator[Item]:
        return self._pages("scan", **more)

    def of_partition(self, pk: str) -> Iterator[Item]:
        values = {":pk": {"S": pk}}
        return self._pages("query", KeyConditionExpression="pk = :pk", ExpressionAttributeValues=values)

    def _pages(self, operation: str, **more: Any) -> Iterator[Item]:
        pages = self.dynamodb.get_paginator(operation).paginate(TableName=self.name, ConsistentRead=True, **more)
        return (item for page in pages for item in page["Items"])


def _key(pk: str, sk: str) -> Item:
    return {"pk": {"S": pk}, "sk": {"S": sk}}


def forget(store: Store, player_id: str) -> str:
    """`make forget`: what `DELETE /v1/me` does. Repeatable; the sweep finishes what is cut short."""
    if store.player(player_id) is None:
        raise CommandFailed(f"there is no player {player_id}")
    delete_player(Services(store), player_id)
    return "deleted; backups know the player for 35 days more"


def forms(client_of: ClientOf, stage: str) -> str:
    """`make forms`: which forms of stored items the table holds, and how many of each. It reads the whole table (a read
    unit for each 4 KB): for whoever wants to give a form up."""
    stack = outputs_of(client_of, stage)
    function = client_of("lambda").get_function_configuration(FunctionName=stack["APIHandlerName"])
    written = function["Environment"]["Variables"][FORM_VARIABLE]
    names = {f"#{kind}": kind for kind in KINDS}
    items = ItemTable(client_of("dynamodb"), stack["TableName"]).scan(
        ProjectionExpression=", ".join(names), ExpressionAttributeNames=names
    )
    counted = Counter((kind, item[kind]["B"][0]) for item in items for kind in KINDS if kind in item)
    lines = [f"{stack_name(stage)} writes form {written}; these sources read {', '.join(map(str, FORMS))}"]
    return "\n".join(lines + [f"{kind:<7} form {form}: {number:,}" for (kind, form), number in sorted(counted.items())])
