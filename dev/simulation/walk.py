"""Random matches with seats coming and going: every screen built of events must equal the view, at every version.

Everything that can happen to a seat happens: sitting, moving, leaving, time-outs, being away and back, taking over,
renames, deletions, rematches.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from chalicelib.api import present
from chalicelib.engine import SEATS, AfterBank, Seat
from chalicelib.match.cards import running_deal
from chalicelib.match.model import Match, Start, Status
from chalicelib.service.clock.sweep import sweep
from chalicelib.service.errors import Failure
from chalicelib.service.people import accounts
from chalicelib.service.play import history, moves
from chalicelib.service.services import Services
from chalicelib.service.tables import leaving, matches, rematch, seats
from chalicelib.service.tables.matches import NewMatch, SeatRequest
from chalicelib.store.memory import MemoryStore
from dev.simulation.clock import START, Clock
from dev.simulation.screen import Screen, of_the_feed

MOST_STEPS = 2_000


class Differs(AssertionError):
    """A screen is not what the view is."""


class Walk:
    """One random match; `compared` counts comparisons by seat (or `spectator`)."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.clock = Clock(START)
        self.store = MemoryStore()
        self.services = Services(self.store, self.clock, self.random.randbytes)
        self.people = [accounts.sign_up(self.services, f"P{number}").player.id for number in range(6)]
        self.deleted: set[str] = set()
        self.idle: set[str] = set()
        """Players who just now do nothing."""
        self.screens: dict[str, Screen] = {}
        self.compared: Counter[str] = Counter()
        self.happened: Counter[str] = Counter()
        self.match_id = self._create()

    # what is done -------------------------------------------------------------------------------------------------

    def run(self) -> None:
        """The whole match, and a rematch asked for."""
        self.compare()
        for _ in range(MOST_STEPS):
            match = self._match()
            if not match.status.live:
                break
            self._try(self._before_start if match.status is Status.WAITING else self._among_cards)
            self.compare()
        else:
            raise Differs("the match does not end")
        for player_id in self.people:
            self._try(lambda player_id=player_id: rematch.rematch(self.services, player_id, self.match_id))
        self.screens.clear()
        self.compare()
        told = history.feed(self.services, self.people[0], self.match_id, 0, 10_000).items
        self.happened += Counter(event.type for event in told)

    def _try(self, act: Any) -> None:
        try:
            act()
        except Failure as failure:
            self.happened[failure.code] += 1

    def _create(self) -> str:
        random = self.random
        shy = random.random() < 0.3
        empty = [seat for seat in SEATS[1:] if not shy or random.random() < 0.6]
        asked = {seat: SeatRequest("empty" if seat in empty else "bot", "easy") for seat in SEATS[1:]}
        setup = NewMatch(
            deals=random.choice((1, 1, 2, 3)),
            after_bank=random.choice(list(AfterBank)),
            turn_seconds=random.choice((None, 3600)),
            spectators=True,
            start=random.choice((Start.WHEN_FULL, Start.WHEN_FULL, Start.BY_HOST)),
            take_over=random.random() < 0.7,
            seats=asked | {Seat.NORTH: SeatRequest("human")},
        )
        return matches.create(self.services, self.people[0], setup).view.id

    def _match(self) -> Match:
        match = self.store.match(self.match_id)
        assert match is not None
        return match

    def _anybody(self) -> str:
        return self.random.choice([player_id for player_id in self.people if player_id not in self.deleted])

    def _before_start(self) -> None:
        random, services, match = self.random, self.services, self._match()
        who, seat, code = self._anybody(), random.choice(SEATS), match.invite.code if match.invite else None
        host = match.places[match.host].player_id if match.host is not None else None
        what = random.random()
        if what < 0.84:
            seats.sit(services, who, self.match_id, seat, code, random.choice((None, "0a", "ff")))
        elif what < 0.9:
            leaving.leave(services, random.choice((who, host or who)), self.match_id, seat)
        elif what < 0.92:
            seats.seat_bot(services, host or who, self.match_id, seat, "easy")
        elif what < 0.94:
            seats.start(services, host or who, self.match_id)
        else:
            self._account(who)

    def _among_cards(self) -> None:
        random, services, match = self.random, self.services, self._match()
        self.clock.at += random.choice((0, 1, 20, 200))
        what = random.random()
        who, seat = self._anybody(), random.choice(SEATS)
        own = match.seat_of(who)
        if random.random() < 0.02:
            self.idle ^= {who}
        if what < 0.88 and match.present:
            self._turn(match)
        elif what < 0.90 and own is not None and who not in self.idle:
            seats.sit(services, who, self.match_id, own)
        elif what < 0.94:
            code = match.invite.code if match.invite else None
            seats.sit(services, who, self.match_id, seat, code)
        elif what < 0.95 and own is not None:
            leaving.leave(services, who, self.match_id, own)
        elif what < 0.97 or random.random() < 0.1:
            self._account(who)
        elif not match.present:
            self._turn(match)

    def _account(self, who: str) -> None:
        if self.random.random() < 0.05:
            accounts.delete_player(self.services, who)
            self.deleted.add(who)
        else:
            accounts.rename(self.services, who, f"P{self.random.randrange(1000)}")

    def _turn(self, match: Match) -> None:
        """Whose turn it is moves, or lets the time pass."""
        deal = running_deal(match)
        assert deal is not None and deal.turn is not None
        player_id = match.places[deal.turn].player_id
        if match.deadline_at is not None and player_id in self.idle:
            self.clock.at = max(match.deadline_at, self.clock.at)
            sweep(self.services)
        elif player_id is not None:
            number = match.base_move + len(deal.moves) + 1
            moves.make(self.services, player_id, self.match_id, number, self.random.choice(deal.legal_moves()))

    # what is seen -------------------------------------------------------------------------------------------------

    def compare(self) -> None:
        """Every player's screen with their view, unless nothing has happened since."""
        version = self._match().version
        for player_id in self.people:
            screen = self.screens.get(player_id)
            if player_id not in self.deleted and (screen is None or screen.version < version):
                self._compare(player_id)

    def _compare(self, player_id: str) -> None:
        screen = self.screens.get(player_id)
        if screen is None or self.random.random() < 0.01:
            screen = Screen(self.match_id, player_id)
        self._catch_up(screen)
        if screen.stale:
            screen = Screen(self.match_id, player_id)
            self._catch_up(screen)
        self.screens[player_id] = screen
        screen.stale = False
        view = present.match(matches.read(self.services, player_id, self.match_id), tricks=True)
        seen, told = of_the_feed(view), of_the_feed(screen.shown())
        if seen != told:
            names = [name for name in sorted(seen | told) if seen.get(name) != told.get(name)]
            raise Differs("\n".join(f"{name}: view {seen.get(name)}\n  screen {told.get(name)}" for name in names))
        self.compared[screen.mine or "spectator"] += 1

    def _catch_up(self, screen: Screen) -> None:
        while True:
            limit = self.random.choice((3, 1000, 1000, 1000))
            feed = history.feed(self.services, screen.player_id, self.match_id, screen.version, limit)
            page: dict[str, Any] = {"items": [present.event(event) for event in feed.items]}
            if feed.deadline_at is not None:
                page["deadline_at"] = present.moment(feed.deadline_at)
            screen.read(page)
            if not feed.more:
                return
