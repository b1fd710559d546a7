"""Seeds for the shuffle: given with a seat, changed with it, fixed at the start."""

from __future__ import annotations

from chalicelib.engine import client_digest
from tests.service.people import EAST, NORTH, SOUTH, Hall


class TestSeeds:
    """A player's seed for the shuffle."""

    def test_fixed_at_the_start(self, hall: Hall) -> None:
        """The seeds of those who sit make the digest; bots' are empty."""
        host, friend = hall.guests("A", "B")
        table = host.open_table(client_seed="0a").view
        friend.join(table, SOUTH, "b0")
        host.start(table.id)
        assert client_digest(("0a", "", "b0", "")) == hall.match(table.id).client_digest
        assert ("0a", "", "b0", "") == hall.store.seeds(table.id)

    def test_change_and_move(self, hall: Hall) -> None:
        """Another PUT changes the seed; one without keeps it, also on another seat; leaving takes it away."""
        host, friend = hall.guests("A", "B")
        table = host.open_table(client_seed="0a").view
        friend.join(table, EAST, "01")
        host.sit(table.id, NORTH, client_seed="0b")
        assert ("0b", "01", "", "") == hall.match(table.id).seeds
        host.sit(table.id, SOUTH)
        assert ("", "01", "0b", "") == hall.match(table.id).seeds
        friend.leave(table.id, EAST)
        assert ("", "", "0b", "") == hall.match(table.id).seeds
