"""What calls cost, by the figures of a server that counts as Amazon's does (dynoxide)."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from chalicelib.match.model import Change, Rules, Status
from chalicelib.service.people.devices import MOST_DEVICES
from chalicelib.service.services import Services
from chalicelib.service.sets import results
from chalicelib.service.sets.entries import entry_id
from chalicelib.store import DynamoStore, create_table, keys
from chalicelib.store.models import ListItem, SetResultItem
from tests.contract import given
from tests.contract.given import NOW
from tests.contract.test_sets import new_set
from tests.servers import Server
from tests.store.test_item_size import largest_match


class Bill:
    """The calls made so far: (operation, units of the table, units of the index)."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, float, float]] = []

    def add(self, operation: str, consumed: Any) -> None:
        figures = consumed if isinstance(consumed, list) else [consumed]
        everything = sum(figure["CapacityUnits"] for figure in figures)
        index = sum(
            part["CapacityUnits"] for figure in figures for part in figure.get("GlobalSecondaryIndexes", {}).values()
        )
        self.calls.append((operation, everything - index, index))

    def take(self) -> list[tuple[str, float, float]]:
        taken, self.calls = self.calls, []
        return taken


@pytest.fixture(scope="module")
def bill() -> Bill:
    return Bill()


@pytest.fixture(scope="module")
def store(dynoxide: Server, bill: Bill) -> Iterator[DynamoStore]:
    table = f"capacity-{secrets.token_hex(6)}"
    create_table(table, dynoxide.url)
    yield DynamoStore(table, dynoxide.url, call_seconds=30, on_capacity=bill.add)


@pytest.mark.parametrize("scheduled_at", [NOW, None])
def test_a_move_is_one_read_and_one_write(store: DynamoStore, bill: Bill, scheduled_at: int | None) -> None:
    """One unit each, for the largest match too, and the index is not touched."""
    given.stored(store, match := replace(largest_match(1), scheduled_at=scheduled_at))
    bill.take()
    read = store.match(match.id)
    assert read is not None
    store.save(Change(replace(read, version=read.version + 1, turn_at=NOW), read))
    assert [("GetItem", 1, 0), ("UpdateItem", 1, 0)] == bill.take()


def test_the_index_is_written_where_the_time_differs(store: DynamoStore, bill: Bill) -> None:
    """Filing anew takes an entry out and puts one in."""
    match = given.stored(store, given.match(scheduled_at=NOW))
    bill.take()
    store.reschedule(match, NOW + 1)
    same, none = given.stepped(match, scheduled_at=NOW + 1), replace(match, version=9, scheduled_at=None)
    store.save(Change(same, match))
    store.save(Change(none, same))
    assert [("UpdateItem", 1, 2), ("UpdateItem", 1, 0), ("UpdateItem", 1, 1)] == bill.take()


def test_twenty_live_matches(store: DynamoStore, bill: Bill) -> None:
    """One item names them, and one batch has them, eventually consistent: half a unit a match."""
    player = given.player(store)
    for _ in range(20):
        match = replace(largest_match(1), id=given.new_id())
        given.stored(store, given.sitting(match, player))
    bill.take()
    found = store.matches(store.live(player.id, consistent=False))
    assert 20 == len(found)
    assert [("GetItem", 0.5, 0), ("BatchGetItem", 10, 0)] == bill.take()


def test_a_page_of_a_list_costs_by_the_page(store: DynamoStore, bill: Bill) -> None:
    """A unit for each status that is looked at, however many matches there are of it, or of another."""
    few, many = given.player(store), given.player(store)
    for player, matches in ((few, 3), (many, 300)):
        for number in range(matches):
            sort = keys.list_sort(Status.FINISHED.value, NOW + number, given.new_id())
            store._table.write(store._table.put(ListItem(keys.player_key(player.id), sort), None))
    bill.take()
    for player, limit in product((few, many), (1, 20)):
        found = [store.listed(player.id, limit, (NOW + 250, "A"), status) for status in (*Status, None)]
        counts = [len(page.match_ids) for page in found]
        assert [0, 0, min(limit, 3 if player is few else limit), 0] == counts[:4] and counts[2] == counts[4]
        assert [("Query", 1, 0)] * 8 == bill.take()


def test_looking_for_what_is_due(store: DynamoStore, bill: Bill) -> None:
    """It costs by what is due, not by what there is."""
    for number in range(40):
        given.stored(store, given.match(scheduled_at=NOW - 10**6 if number < 10 else NOW + 10**6))
    bill.take()
    due = [match_id for shard in range(4) for match_id in store.due(shard, NOW - 10**5, 25)]
    assert 10 == len(due)
    assert [("Query", 0, 0.5)] * 4 == bill.take()


def test_the_check_of_a_device_is_one_read(store: DynamoStore, bill: Bill) -> None:
    """What every write but a move reads first: a unit for the devices that people have, four for the most there can
    be."""
    player = given.player(store)
    devices = given.devices(store, player.id)
    digests = {"previous": b"p" * 32, "nonce": b"n" * 32, "opened": b"o" * 32}
    usual = [given.session(name="Asha's telephone", **digests) for _ in range(5)]
    most = [
        given.session(name="क" * 64, makers=(given.new_id(),) * (MOST_DEVICES - 1), **digests)
        for _ in range(MOST_DEVICES)
    ]
    for sessions, units in ((usual, 1), (most, 4)):
        store.save_devices(replace(devices, sessions=tuple(sessions)))
        bill.take()
        found = store.devices(player.id)
        assert found is not None and tuple(sessions) == found.sessions
        assert [("GetItem", units, 0)] == bill.take()
        devices = found


@pytest.mark.parametrize("entries", [10, 1_000, 1_000_000])
def test_a_set_s_result_costs_the_same_however_many_have_played(store: DynamoStore, bill: Bill, entries: int) -> None:
    """The set, the caller's entry and the histogram, in which all scores of four deals are: no more than four units.
    The names of those who share a challenge cost by how many are told."""
    deal_set = new_set(id=given.new_id(), opens_at=0, rules=Rules(4), source=None)
    store.add_set(deal_set, NOW)
    scores = range(-104, 105)
    counts = {str(score): {"N": str(1 + entries // len(scores))} for score in scores[: min(entries, len(scores))]}
    item = {"pk": {"S": keys.set_key(deal_set.id)}, "sk": {"S": keys.COUNTS}, **counts}
    store._table.connection.dispatch("PutItem", {"TableName": store._table.name, "Item": item})
    for number in range(min(entries, 1_000)):
        line = SetResultItem(keys.set_key(deal_set.id), keys.result_sort(number % 209 - 104, given.new_id()))
        store._table.write(store._table.put(line, None))
    entry = replace(largest_match(1), id=entry_id(deal_set, "me"), status=Status.FINISHED, scheduled_at=None)
    given.stored(store, entry)
    bill.take()

    view = results.read(Services(store, lambda: NOW), "me", deal_set.id)

    assert view.ranking is not None and view.ranking.entries >= entries
    consumed = bill.take()
    assert [("GetItem", 1, 0), ("GetItem", 1, 0), ("GetItem", 1, 0)] == consumed
    assert min(entries, 100) == len(store.set_results(deal_set.id, 100))
    assert sum(units for _, units, _ in bill.take()) <= 1.5
