"""Seeds for the shuffle: given with a seat, changed with it, fixed at the start; and who had the last word."""

from __future__ import annotations

import pytest

from chalicelib.engine import client_digest
from chalicelib.match.model import Start
from chalicelib.service.play import history
from chalicelib.service.tables import seats
from tests.service.people import EAST, NORTH, SOUTH, WEST, Hall, play_on


def test_change_and_move(hall: Hall) -> None:
    """Another PUT changes the seed; one without keeps it, also on another seat; leaving takes it away."""
    host, friend = hall.guests("A", "B")
    table = host.open_table(client_seed="0a").view
    friend.join(table, EAST, "01")
    assert ["seat_taken"] == [event.type for event in host.sit(table.id, NORTH, client_seed="0b").events]
    before = hall.match(table.id)
    for seed in (None, "0b"):
        host.sit(table.id, NORTH, client_seed=seed)
    assert before == hall.match(table.id)
    assert ((EAST, friend.id, "01"), (NORTH, host.id, "0b")) == before.seeds
    host.sit(table.id, SOUTH)
    assert ((EAST, friend.id, "01"), (SOUTH, host.id, "0b")) == hall.match(table.id).seeds
    friend.leave(table.id, EAST)
    assert ((SOUTH, host.id, "0b"),) == hall.match(table.id).seeds


def test_who_speaks_later_has_seen_the_others(hall: Hall) -> None:
    """The feed tells each seed when it comes, so that it cannot be another one afterwards; bots send none."""
    host, friend = hall.guests("A", "B")
    table = host.open_table(client_seed="0a").view
    host.seat_bot(table.id, WEST)
    friend.join(table, EAST, "b1")
    host.start(table.id)
    told = [event for event in friend.feed(table.id) if event.type == "seat_taken"]
    assert [(NORTH, "0a"), (WEST, None), (EAST, "b1"), (SOUTH, None)] == [
        (event.seat, event.values.get("client_seed")) for event in told
    ]
    assert client_digest(("0a", "b1", "", "")) == hall.match(table.id).client_digest
    assert ((NORTH, host.id, "0a"), (EAST, friend.id, "b1")) == hall.store.seeds(table.id)
    assert () == hall.match(table.id).seeds


def test_the_last_word_with_the_start(hall: Hall) -> None:
    """A seed that comes with the start is the last, whatever others have sent."""
    host, friend = hall.guests("A", "B")
    table = host.open_table(client_seed="0a", start=Start.BY_HOST, deals=1).view
    friend.join(table, EAST, "01")
    told = seats.start(hall.services, host.id, table.id, "0c").events
    assert [*["seat_taken"] * 3, "match_started", "deal_started"] == [event.type for event in told][:5]
    assert (NORTH, "0c") == (told[0].seat, told[0].values["client_seed"])
    before = hall.match(table.id)
    for seed in ("0c", "0d", None):
        seats.start(hall.services, host.id, table.id, seed)
    assert before == hall.match(table.id)
    assert ((EAST, friend.id, "01"), (NORTH, host.id, "0c")) == hall.store.seeds(table.id)
    assert client_digest(("0c", "01", "", "")) == before.client_digest


@pytest.mark.parametrize("last", [NORTH, EAST])
def test_the_record_tells_who_had_the_last_word(hall: Hall, last: int) -> None:
    """All who sat at the start in their order, though one has left since; nobody else."""
    people = host, friend = hall.guests("A", "B")
    table = host.open_table(deals=2, client_seed="0a").view
    friend.join(table, EAST)
    if last == NORTH:
        host.sit(table.id, NORTH, client_seed="0b")
    host.start(table.id)
    play_on(people, table.id, 20)
    friend.leave(table.id, EAST)
    play_on((host,), table.id)
    order = [(NORTH, "A"), (EAST, "B")] if last == EAST else [(EAST, "B"), (NORTH, "A")]
    for number in (1, 2):
        record = history.deal_record(hall.services, host.id, table.id, number)
        assert order == [(seat, player.name) for seat, player, _ in record.seeds]
