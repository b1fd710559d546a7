"""One of each kind of thing that a sweep has to do, put into a stage's table as if time had passed."""

from __future__ import annotations

import time

from chalicelib.engine import Seat
from chalicelib.match.model import Status
from chalicelib.service.people import accounts
from chalicelib.service.services import Services
from chalicelib.service.tables import matches, seats
from chalicelib.service.tables.matches import NewMatch, SeatRequest
from chalicelib.store import DynamoStore

HOUR = 60 * 60
LONG_AGO = 60 * 24 * HOUR
ALONE = {Seat.NORTH: SeatRequest("human", None)}
AMONG_BOTS = {seat: SeatRequest("human" if seat is Seat.NORTH else "bot", None) for seat in Seat}


def services_ago(store: DynamoStore, seconds: int) -> Services:
    then = int(time.time()) - seconds
    return Services(store, now=lambda: then)


def overdue_turn(store: DynamoStore, player_ids: list[str]) -> str:
    """A match of these four that began an hour ago, with a minute for a turn; its id."""
    services = services_ago(store, HOUR)
    match = matches.create(services, player_ids[0], NewMatch(deals=1, turn_seconds=60, seats=ALONE)).view
    assert match.invite is not None
    for player_id, seat in zip(player_ids[1:], (Seat.EAST, Seat.SOUTH, Seat.WEST), strict=True):
        seats.sit(services, player_id, match.id, seat, match.invite.code)
    return match.id


class Overdue:
    """A turn whose time is up, a table that nobody came to, and a deletion that was cut short."""

    def __init__(self, store: DynamoStore) -> None:
        services, self._store = services_ago(store, LONG_AGO), store
        asha = accounts.sign_up(services, "Asha").player.id
        gone = accounts.sign_up(services, "Bela").player
        self._turn = matches.create(services, asha, NewMatch(deals=1, turn_seconds=60, seats=AMONG_BOTS)).view
        self._table = matches.create(services, asha, NewMatch(seats=ALONE)).view.id
        # Just begun, so that it is not given up as well.
        self._left = matches.create(Services(store), gone.id, NewMatch(deals=1, seats=AMONG_BOTS)).view.id
        self._gone = gone.id
        store.mark_deleted(gone, services.now())

    def check(self) -> None:
        """Raises AssertionError if a sweep has left any of them."""
        turn, table = self._store.match(self._turn.id), self._store.match(self._table)
        gone, left = self._store.player(self._gone), self._store.match(self._left)
        assert turn is not None and turn.version > self._turn.version, "the overdue turn is played"
        assert table is not None and table.status is Status.ABANDONED, "the empty table is given up"
        assert gone is not None and gone.settled, "the deletion is finished"
        assert left is not None and left.seat_of(self._gone) is None, "the deleted player's seat is given away"
