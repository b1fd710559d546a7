"""People who act through the use cases, and the hall in which they meet: a store in memory, a clock moved by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, cast

import pytest

from chalicelib.engine import SEATS, Deal, Move, Seat
from chalicelib.match.cards import as_played, running_deal
from chalicelib.match.model import DAY, Change, Match, Place, Start, Status
from chalicelib.match.view import Event, MatchView, Offer, Outcome, Summary
from chalicelib.service.clock.sweep import SweepReport, sweep
from chalicelib.service.errors import Failure
from chalicelib.service.people import accounts
from chalicelib.service.play import history, moves
from chalicelib.service.ports import Store
from chalicelib.service.services import Services
from chalicelib.service.tables import leaving, lists, matches, rematch, seats
from chalicelib.service.tables.matches import NewMatch, SeatRequest
from chalicelib.store.memory import MemoryStore
from dev.simulation.clock import Clock
from tests.service.meddling import Instead, MeddledStore

NORTH, EAST, SOUTH, WEST = SEATS


@dataclass
class Hall:
    """Services with their clock, and what a test asks of it."""

    clock: Clock = field(default_factory=Clock)
    store: MemoryStore = field(default_factory=MemoryStore)
    seed: int = 0

    def __post_init__(self) -> None:
        self.random = Random(self.seed)
        self.services = Services(self.store, self.clock, self.random.randbytes)

    def guest(self, name: str = "Guest") -> Person:
        return Person(self, accounts.sign_up(self.services, name).player.id)

    def guests(self, *names: str) -> tuple[Person, ...]:
        return tuple(map(self.guest, names))

    def wait(self, seconds: int) -> None:
        """Let time pass; nothing happens by itself."""
        self.clock.at += seconds

    def sweep(self) -> SweepReport:
        return sweep(self.services)

    @contextmanager
    def instead(self, **calls: Instead) -> Iterator[None]:
        """Meanwhile these calls to the store do something else, for those who begin now."""
        services = self.services
        self.services = replace(services, store=cast(Store, MeddledStore(self.store, calls)))
        try:
            yield
        finally:
            self.services = services

    def playing(self, names: str, **options: Any) -> tuple[tuple[Person, ...], str]:
        """People of these names, and the id of a match in which they have a day for a move."""
        people = self.guests(*names)
        return people, four_at_cards(people, **{"turn_seconds": DAY, **options}).id

    def over(self, names: str, **options: Any) -> tuple[tuple[Person, ...], str]:
        """The same of a match of one deal that has been played to its end."""
        people = self.guests(*names)
        match_id = four_at_cards(people, **{"deals": 1, **options}).id
        play_on(people, match_id)
        return people, match_id

    def copies(self, match_id: str, count: int) -> list[str]:
        """Ids of so many matches like this one."""
        match, ids = self.match(match_id), [self.services.new_id() for _ in range(count)]
        for new_id in ids:
            self.store.save(Change(replace(match, id=new_id, invite=None), None))
        return ids

    def match(self, match_id: str) -> Match:
        match = self.store.match(match_id)
        assert match is not None
        return match

    def deal(self, match_id: str) -> Deal:
        deal = running_deal(self.match(match_id))
        assert deal is not None
        return deal

    def deal_at_end(self, match_id: str) -> Deal:
        """The last deal of a match that is over."""
        match = self.match(match_id)
        closed = self.store.closed_deal(match_id, match.deal)
        assert closed is not None
        return as_played(match, closed)

    def turn(self, match_id: str) -> Seat:
        turn = self.deal(match_id).turn
        assert turn is not None
        return turn

    def place(self, match_id: str, seat: Seat) -> Place:
        return self.match(match_id).places[seat]


@dataclass
class Person:
    """A player, acting through the use cases."""

    hall: Hall
    id: str

    def create(self, key: str | None = None, **options: Any) -> Outcome:
        return matches.create(self.hall.services, self.id, NewMatch(**options), key)

    def open_table(self, seat: Seat = NORTH, **options: Any) -> Outcome:
        """A table with the other three seats empty."""
        return self.create(seats={seat: SeatRequest("human")}, **options)

    def sit(self, match_id: str, seat: Seat, code: str | None = None, client_seed: str | None = None) -> Outcome:
        return seats.sit(self.hall.services, self.id, match_id, seat, code, client_seed)

    def join(self, table: MatchView, seat: Seat, client_seed: str | None = None) -> Outcome:
        """Sit down with the code that somebody at the table has passed on."""
        assert table.invite is not None
        return self.sit(table.id, seat, table.invite.code, client_seed)

    def seat_bot(self, match_id: str, seat: Seat, level: str = "easy") -> Outcome:
        return seats.seat_bot(self.hall.services, self.id, match_id, seat, level)

    def leave(self, match_id: str, seat: Seat) -> Outcome | None:
        return leaving.leave(self.hall.services, self.id, match_id, seat)

    def start(self, match_id: str) -> Outcome:
        return seats.start(self.hall.services, self.id, match_id)

    def read(self, match_id: str) -> MatchView:
        return matches.read(self.hall.services, self.id, match_id)

    def put(self, match_id: str, number: int, move: Move) -> Outcome:
        return moves.make(self.hall.services, self.id, match_id, number, move)

    def move(self, match_id: str, choose: Random | None = None) -> Outcome:
        """A legal move: the first one, or any."""
        view = self.read(match_id)
        assert view.deal is not None
        legal = view.deal.legal_moves
        return self.put(match_id, view.next_move, legal[0] if choose is None else choose.choice(legal))

    def feed(self, match_id: str, after: int = 0) -> tuple[Event, ...]:
        return history.feed(self.hall.services, self.id, match_id, after, 100_000).items

    def rematch(self, match_id: str) -> Outcome:
        return rematch.rematch(self.hall.services, self.id, match_id)

    def turns(self) -> tuple[Summary, ...]:
        return lists.my_turns(self.hall.services, self.id).matches

    def offers(self) -> tuple[Offer, ...]:
        return lists.my_turns(self.hall.services, self.id).offers

    def matches(self, status: Status | None = None, limit: int = 20) -> Iterator[Summary]:
        """All pages of the list."""
        after: tuple[int, str] | None = None
        while True:
            page = lists.list_mine(self.hall.services, self.id, status, limit, after)
            yield from page.items
            after = page.after
            if after is None:
                return

    def rename(self, name: str) -> None:
        accounts.rename(self.hall.services, self.id, name)

    def delete(self) -> None:
        accounts.delete_player(self.hall.services, self.id)


def four_at_cards(people: tuple[Person, ...], **options: Any) -> MatchView:
    """A started match of these people, north first in order of play; bots where there are fewer than four."""
    host, *others = people
    bots = {seat: SeatRequest("bot", "easy") for seat in SEATS[len(people) :]}
    view = host.create(seats={NORTH: SeatRequest("human")} | bots, **options).view
    for friend, seat in zip(others, SEATS[1:], strict=False):
        friend.join(view, seat)
    view = host.read(view.id)
    if view.rules.start is Start.BY_HOST:
        view = host.start(view.id).view
    assert view.status is Status.PLAYING
    return view


def play_on(people: tuple[Person, ...], match_id: str, moves: int = 10_000, choose: Random | None = None) -> None:
    """The people at the table make so many moves, or all until the match is over."""
    hall = people[0].hall
    at = {person.id: person for person in people}
    for _ in range(moves):
        match = hall.match(match_id)
        deal = running_deal(match)
        if deal is None or deal.turn is None:
            return
        player_id = match.places[deal.turn].player_id
        assert player_id is not None
        at[player_id].move(match_id, choose)


def refused(code: str, act: Callable[..., object], *args: object, **more: object) -> Failure:
    """The failure, of this code, that the act ends with."""
    with pytest.raises(Failure) as failure:
        act(*args, **more)
    assert code == failure.value.code
    return failure.value


def time_out(hall: Hall, match_id: str) -> Seat:
    """Let the time of the turn now waiting pass, and the sweep come by; whose turn it was."""
    seat = hall.turn(match_id)
    deadline = hall.match(match_id).deadline_at
    assert deadline is not None
    hall.clock.at = deadline
    hall.sweep()
    return seat


def send_away(hall: Hall, match_id: str, people: tuple[Person, ...], seat: Seat) -> None:
    """The others play on; this seat's player does nothing until it counts as away."""
    while not hall.place(match_id, seat).away:
        if hall.turn(match_id) is seat:
            time_out(hall, match_id)
        else:
            people[hall.turn(match_id)].move(match_id)


def invite_code(hall: Hall, match_id: str) -> str:
    """The table's code, shown or not."""
    invite = hall.match(match_id).invite
    assert invite is not None
    return invite.code
