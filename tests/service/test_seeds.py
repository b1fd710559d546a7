"""Seeds for the shuffle: given with a seat, changed with it, fixed at the start; and who had the last word."""

from __future__ import annotations

import pytest

from chalicelib.engine import client_digest
from chalicelib.match.model import Start
from chalicelib.match.view import Event
from chalicelib.service.play import history
from chalicelib.service.tables import seats
from tests.service.people import EAST, NORTH, SOUTH, WEST, Hall, Person, play_on


def sent(person: Person, match_id: str) -> list[tuple[object, object]]:
    """Seat and seed of each `seat_taken` in the feed."""
    told: tuple[Event, ...] = person.feed(match_id)
    return [(event.seat, event.values.get("client_seed")) for event in told if event.type == "seat_taken"]


class TestSeeds:
    """A player's seed for the shuffle."""

    def test_fixed_at_the_start(self, hall: Hall) -> None:
        """The seeds of those who sit make the digest; bots have none."""
        host, friend = hall.guests("A", "B")
        table = host.open_table(client_seed="0a").view
        friend.join(table, SOUTH, "b0")
        host.start(table.id)
        assert client_digest(("0a", "", "b0", "")) == hall.match(table.id).client_digest
        assert ((NORTH, host.id, "0a"), (SOUTH, friend.id, "b0")) == hall.store.seeds(table.id)
        assert () == hall.match(table.id).seeds

    def test_change_and_move(self, hall: Hall) -> None:
        """Another PUT changes the seed; one without keeps it, also on another seat; leaving takes it away. Whoever sent
        one last comes last."""
        host, friend = hall.guests("A", "B")
        table = host.open_table(client_seed="0a").view
        friend.join(table, EAST, "01")
        host.sit(table.id, NORTH, client_seed="0b")
        assert ((EAST, friend.id, "01"), (NORTH, host.id, "0b")) == hall.match(table.id).seeds
        host.sit(table.id, SOUTH)
        assert ((EAST, friend.id, "01"), (SOUTH, host.id, "0b")) == hall.match(table.id).seeds
        friend.leave(table.id, EAST)
        assert ((SOUTH, host.id, "0b"),) == hall.match(table.id).seeds

    def test_who_speaks_later_has_seen_the_others(self, hall: Hall) -> None:
        """The feed tells each seed when it comes, so that it cannot be another one afterwards; bots send none."""
        host, friend = hall.guests("A", "B")
        table = host.open_table(client_seed="0a").view
        host.seat_bot(table.id, WEST)
        assert [(NORTH, "0a"), (WEST, None)] == sent(host, table.id)
        friend.join(table, EAST, "01")
        host.start(table.id)
        assert [(NORTH, "0a"), (WEST, None), (EAST, "01"), (SOUTH, None)] == sent(friend, table.id)


class TestTheLastWord:
    """The record tells who had it; a host can have it without a request more."""

    def test_with_the_start(self, hall: Hall) -> None:
        """A seed that comes with the start is the last, whatever others have sent."""
        host, friend = hall.guests("A", "B")
        table = host.open_table(client_seed="0a", start=Start.BY_HOST, deals=1).view
        friend.join(table, EAST, "01")
        told = seats.start(hall.services, host.id, table.id, "0c").events
        assert ["seat_taken", "seat_taken", "seat_taken", "match_started", "deal_started"] == [
            event.type for event in told
        ][:5]
        assert (NORTH, "0c") == (told[0].seat, told[0].values["client_seed"])
        assert ((EAST, friend.id, "01"), (NORTH, host.id, "0c")) == hall.store.seeds(table.id)
        assert client_digest(("0c", "01", "", "")) == hall.match(table.id).client_digest

    def test_a_start_repeated_changes_nothing(self, hall: Hall) -> None:
        """Neither with the same seed nor with another."""
        host = hall.guest()
        table = host.open_table(start=Start.BY_HOST).view
        seats.start(hall.services, host.id, table.id, "0c")
        before = hall.match(table.id)
        for seed in ("0c", "0d", None):
            seats.start(hall.services, host.id, table.id, seed)
        assert before == hall.match(table.id)
        assert ((NORTH, host.id, "0c"),) == hall.store.seeds(table.id)

    @pytest.mark.parametrize("last", [NORTH, EAST])
    def test_the_record_tells(self, hall: Hall, last: int) -> None:
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
        for number in (1, 2):
            record = history.deal_record(hall.services, host.id, table.id, number)
            order = [(NORTH, "A"), (EAST, "B")] if last == EAST else [(EAST, "B"), (NORTH, "A")]
            assert order == [(seat, player.name) for seat, player, _ in record.seeds]
