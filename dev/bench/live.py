"""Four people who play live, on a clock of their own: how long a deal takes them, and what it takes in requests.

Each has a phone that does as the guide says: it asks for events with the view, every `poll_after_seconds`, and moves
when it is its turn, at once or after a while of thinking. Time is simulated; the answers are the app's own, in JSON.
"""

from __future__ import annotations

import heapq
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from random import Random
from typing import Any

from chalicelib.api import present
from chalicelib.engine import SEATS
from chalicelib.match.model import DAY
from chalicelib.match.view import MatchView
from chalicelib.service.people import accounts
from chalicelib.service.play import history, moves
from chalicelib.service.services import Services
from chalicelib.service.tables import matches, seats
from chalicelib.service.tables.matches import NewMatch, SeatRequest
from chalicelib.store.memory import MemoryStore
from dev.bench.measure import Row

ROUND_TRIP = 0.1
"""Seconds from a request to its answer."""
DEALS = 4
THINKING = {"instant players": 0.0, "players who think 3 s": 3.0, "players who think 20 s": 20.0}
"""Seconds for a move, in the mean."""
CLOCKS = {"60 s": 60, "a day": DAY}
MOST_SECONDS = 15
"""For a deal of instant players, whatever the clock."""


@dataclass
class Phone:
    player_id: str
    shown: int
    view: MatchView
    poll_after: float


@dataclass
class Live:
    """One match. `seconds` is the time of the simulation."""

    thinking: float
    clock: int
    deals: int = DEALS
    seed: int = 1
    seconds: float = 0
    polls: int = 0
    empty_polls: int = 0
    moves: int = 0
    bytes: int = 0
    _waiting: list[tuple[float, int, Phone, bool]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._chance, self._order = Random(self.seed), count()
        self._services = Services(MemoryStore(), lambda: 1_782_900_000 + int(self.seconds), self._chance.randbytes)
        people = [accounts.sign_up(self._services, "P").player.id for _ in SEATS]
        setup = NewMatch(deals=self.deals, turn_seconds=self.clock, seats={SEATS[0]: SeatRequest("human")})
        table = matches.create(self._services, people[0], setup).view
        assert table.invite is not None
        for seat, player_id in zip(SEATS[1:], people[1:], strict=True):
            seats.sit(self._services, player_id, table.id, seat, table.invite.code)
        self._match_id = table.id
        for player_id in people:
            view = matches.read(self._services, player_id, table.id)
            self._next(Phone(player_id, view.version, view, view.poll_after_seconds))

    def play(self) -> Live:
        """To the end of the match."""
        while self._waiting:
            self.seconds, _, phone, moving = heapq.heappop(self._waiting)
            if moving:
                self._move(phone)
            else:
                self._poll(phone)
            self.seconds += ROUND_TRIP / 2
            self._next(phone)
        return self

    def _next(self, phone: Phone) -> None:
        """What the phone does with what it has been told."""
        view = phone.view
        if view.result is not None:
            return
        mine = view.deal is not None and bool(view.deal.legal_moves)
        pause = self._chance.expovariate(1 / self.thinking) if mine and self.thinking else 0
        begin = self.seconds + (pause if mine else phone.poll_after) + ROUND_TRIP / 2
        heapq.heappush(self._waiting, (begin, next(self._order), phone, mine))

    def _move(self, phone: Phone) -> None:
        assert phone.view.deal is not None
        move = self._chance.choice(phone.view.deal.legal_moves)
        outcome = moves.make(self._services, phone.player_id, self._match_id, phone.view.next_move, move)
        self.moves += 1
        self._sent(present.MATCH_UPDATE(outcome))
        phone.view, phone.shown, phone.poll_after = outcome.view, outcome.view.version, outcome.view.poll_after_seconds

    def _poll(self, phone: Phone) -> None:
        feed = history.feed(self._services, phone.player_id, self._match_id, phone.shown, 200, view=True)
        self.polls += 1
        self.empty_polls += not feed.items
        self._sent(present.EVENT_PAGE(feed))
        phone.shown, phone.poll_after, phone.view = feed.version, feed.poll_after_seconds, feed.view or phone.view

    def _sent(self, body: dict[str, Any]) -> None:
        self.bytes += len(json.dumps(body, separators=(",", ":")).encode())


def rows() -> Iterator[Row]:
    """Of each pace and clock: seconds, requests and kilobytes a deal (docs/guide.md)."""
    for who, thinking in THINKING.items():
        for clock, seconds in CLOCKS.items():
            live = Live(thinking, seconds).play()
            figures = {
                "seconds": live.seconds,
                "moves sent": live.moves,
                "polls with news": live.polls - live.empty_polls,
                "polls without": live.empty_polls,
                "KB of answers": live.bytes / 1024,
            }
            for unit, figure in figures.items():
                bar = MOST_SECONDS if unit == "seconds" and not thinking else None
                yield Row(f"a deal of {who}, clock {clock}", figure / live.deals, unit, bar)
