"""A crowd at its tables, as a state machine: Hypothesis chooses what happens next, and shrinks what goes wrong.

People open tables, sit, move, leave, stay away, come back, are sent away, rename and delete themselves, on a clock
moved by hand. Answers get lost; sweeps crash, overlap and stop early. After every step the tables are compared with a
plain model, and every player's view with a screen rebuilt from events alone.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, ClassVar, TypeVar

import hypothesis.strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from chalicelib.api import present
from chalicelib.api.shapes import MOVE_BODY
from chalicelib.engine import SEATS, AfterBank, Move, Seat
from chalicelib.match.cards import running_deal
from chalicelib.match.model import DAY, Actor, Change, Match, SeatType, Start
from chalicelib.match.view import Event, Outcome
from chalicelib.service.clock.sweep import sweep
from chalicelib.service.errors import Failure, NotFound
from chalicelib.service.people import accounts
from chalicelib.service.play import history, moves
from chalicelib.service.ports import Due, Unavailable
from chalicelib.service.services import Services
from chalicelib.service.table import narrate
from chalicelib.service.tables import leaving, lists, matches, rematch, seats
from chalicelib.service.tables.matches import NewMatch, SeatRequest
from chalicelib.store.memory import MemoryStore
from dev.simulation.clock import Clock
from dev.simulation.screen import Screen, from_feed

T = TypeVar("T")
PEOPLE = 6
MOST_TABLES = 4
WHO, SEAT, TABLE = st.integers(0, PEOPLE - 1), st.sampled_from(SEATS), st.integers(0, MOST_TABLES - 1)


def has_tables(crowd: Crowd) -> bool:
    return bool(crowd.models)


def playing(crowd: Crowd) -> list[str]:
    return [match_id for match_id in crowd.models if crowd.waiting_for(match_id)]


BAD_SWEEP = st.tuples(st.none() | st.integers(0, 15), st.integers(0, 6), st.booleans())
"""It crashes at a call to the store, has time for so many looks, or meets another one."""


class Crashed(BaseException):
    """The process is gone, in the middle of whatever it did."""


class FaultyStore(MemoryStore):
    """A store that fails as it is told to."""

    lost: bool | None = None
    """The next write is not answered: made (True) or not made (False)."""
    crash_in: int | None = None
    """The sweep crashes at this call from now."""
    meanwhile: Callable[[], object] | None = None
    """Done once, between the next write's decision and the write itself."""

    def _count_down(self) -> None:
        if self.crash_in is not None:
            self.crash_in -= 1
            if self.crash_in < 0:
                raise Crashed

    def save(self, change: Change) -> None:
        meanwhile, self.meanwhile = self.meanwhile, None
        if meanwhile is not None:
            meanwhile()
        self._count_down()
        lost, self.lost = self.lost, None
        if lost is not False:
            super().save(change)
        if lost is not None:
            raise Unavailable
        self._count_down()

    def match(self, match_id: str) -> Match | None:
        self._count_down()
        return super().match(match_id)

    def due(self, partition: int, now: int, limit: int, *, newest: bool = False) -> tuple[Due, ...]:
        self._count_down()
        return super().due(partition, now, limit, newest=newest)


@dataclass
class Model:
    """What everybody at one table knows to be so: from what was asked for and done, and from the events told."""

    watchable: bool
    seated: dict[Seat, str] = field(default_factory=dict)
    left: dict[Seat, str] = field(default_factory=dict)
    """Who left each seat among cards, until somebody takes it over."""
    offered: dict[Seat, str] = field(default_factory=dict)
    seen_by: set[str] = field(default_factory=set)
    barred: set[str] = field(default_factory=set)
    told: dict[int, tuple[object, ...]] = field(default_factory=dict)
    types: set[str] = field(default_factory=set)
    checked: int = 0
    """The version up to which the table has been checked."""

    @property
    def dealt(self) -> bool:
        return "match_started" in self.types

    @property
    def over(self) -> bool:
        return bool(self.types & {"match_finished", "match_abandoned"})

    def tell(self, events: tuple[Event, ...] | list[Event]) -> None:
        """Whoever is told an event is told what everybody was told before."""
        for event in events:
            values = {name: value for name, value in event.values.items() if name not in ("hand", "place", "host")}
            gist = (event.type, event.at, event.actor, event.seat, repr(values))
            assert gist == self.told.setdefault(event.version, gist), f"event {event.version} was told otherwise"
            self.types.add(event.type)

    def sits(self, player: str, seat: Seat) -> None:
        assert player not in self.barred, "somebody who was sent away is back"
        assert self.seated.get(seat, player) == player, "two players on one seat"
        self.seated = {each: who for each, who in self.seated.items() if who != player} | {seat: player}
        self.left.pop(seat, None)
        self.seen_by.add(player)

    def leaves(self, seat: Seat, by: str) -> None:
        player = self.seated.pop(seat, None) or self.offered.pop(seat, None)
        if player is not None and self.dealt:
            self.left[seat] = player
        elif player is not None:
            self.seen_by.discard(player)
            self.barred |= {player} - {by}

    def may_see(self, player: str) -> bool:
        offered = player in self.offered.values() and not self.dealt
        return self.watchable or player in self.seen_by or offered

    def lists(self, player: str) -> bool:
        """Whether the match is in the player's own list."""
        if self.over and not self.dealt and "match_abandoned" in self.types:
            return False
        return player in {*self.seated.values(), *self.left.values()}


class Crowd(RuleBasedStateMachine):
    """Everybody and everything of one run. `counts` tells what happened in all runs."""

    counts: ClassVar[Counter[str]] = Counter()

    def __init__(self) -> None:
        super().__init__()
        self.clock, self.store, self.chance = Clock(), FaultyStore(), Random(0)
        self.services = Services(self.store, self.clock, self.chance.randbytes)
        self.people = [accounts.sign_up(self.services, f"P{number}").player.id for number in range(PEOPLE)]
        self.deleted: set[str] = set()
        self.models: dict[str, Model] = {}
        self.screens: dict[tuple[str, str], Screen] = {}

    # What people do ---------------------------------------------------------------------------------------------------

    def ask(self, act: Callable[[], Outcome | None], match_id: str = "") -> Outcome | None:
        """As a phone does: again while there is no answer, and here once more after it. None: refused."""
        before = self.version(match_id)
        try:
            outcome = self.insist(act)
            answered = self.version(match_id or (outcome.view.id if outcome else ""))
            again = self.insist(act)
        except Failure as failure:
            assert before == self.version(match_id), f"refused ({failure.code}), and has changed something"
            self.counts[f"refused: {failure.code}"] += 1
            return None
        for each in (outcome, again):
            if each is not None:
                model = self.model(each.view.id)
                model.tell(each.events)
                invited = (place for place in each.view.seats if place.type == "invited")
                model.offered = {place.seat: place.player.id for place in invited if place.player and place.player.id}
        assert answered == self.version(match_id or (outcome.view.id if outcome else "")), "a repeat changed something"
        return outcome

    def insist(self, act: Callable[[], T]) -> T:
        while True:
            try:
                return act()
            except Unavailable:
                self.counts["writes without an answer"] += 1

    def version(self, match_id: str) -> int:
        match = self.store.match(match_id)
        return 0 if match is None else match.version

    def match(self, match_id: str) -> Match:
        match = self.store.match(match_id)
        assert match is not None
        return match

    def model(self, match_id: str) -> Model:
        if match_id not in self.models:
            self.models[match_id] = Model(self.match(match_id).rules.spectators)
        return self.models[match_id]

    def table(self, number: int, of: Sequence[str] = ()) -> str:
        return (of or [*self.models])[number % len(of or self.models)]

    def waiting_for(self, match_id: str) -> tuple[str, int, Move] | None:
        """A player whose turn it is, with the number of the move and a legal one; None: nobody's."""
        match = self.match(match_id)
        deal = running_deal(match)
        place = None if deal is None or deal.turn is None else match.places[deal.turn]
        if deal is None or place is None or place.player_id is None or place.type is not SeatType.HUMAN:
            return None
        return place.player_id, match.base_move + len(deal.moves) + 1, self.chance.choice(deal.legal_moves())

    @rule(
        who=WHO,
        bots=st.sets(st.sampled_from(SEATS[1:])),
        friends=st.sampled_from((3, 3, 1, 0)),
        deals=st.integers(1, 2),
        after_bank=st.sampled_from(AfterBank),
        turn_seconds=st.sampled_from((3600, None, DAY)),
        start=st.sampled_from(Start),
        spectators=st.booleans(),
        take_over=st.booleans(),
    )
    @precondition(lambda self: len(self.models) < MOST_TABLES)
    def open_table(self, who: int, bots: set[Seat], friends: int, **options: Any) -> None:
        """And friends who come at once."""
        player, key = self.people[who], f"table {len(self.models)}"
        asked = {seat: SeatRequest("bot", "easy") for seat in bots} | {Seat.NORTH: SeatRequest("human")}
        outcome = self.ask(lambda: matches.create(self.services, player, NewMatch(seats=asked, **options), key))
        if outcome is not None:
            self.model(outcome.view.id).sits(player, Seat.NORTH)
            self.counts["tables"] += 1
            for number, seat in enumerate([seat for seat in SEATS[1:] if seat not in bots][:friends], who + 1):
                self.sit([*self.models].index(outcome.view.id), number % PEOPLE, seat, None, knows_code=True)

    @rule(
        table=TABLE,
        who=WHO,
        seat=SEAT,
        seed=st.sampled_from((None, "0a", "ff")),
        knows_code=st.booleans(),
    )
    @precondition(has_tables)
    def sit(self, table: int, who: int, seat: Seat, seed: str | None, *, knows_code: bool) -> None:
        match_id, player = self.table(table), self.people[who]
        match = self.match(match_id)
        code = match.invite.code if match.invite is not None and knows_code else None
        known = {*self.models[match_id].offered.values(), *self.models[match_id].seen_by}
        if self.ask(lambda: seats.sit(self.services, player, match_id, seat, code, seed), match_id) is not None:
            assert code is not None or player in known, "somebody sits down without the code"
            self.models[match_id].sits(player, seat)
            self.counts["seats taken"] += 1

    @rule(table=TABLE, who=WHO, by_host=st.booleans(), seat=SEAT)
    @precondition(has_tables)
    def leave(self, table: int, who: int, seat: Seat, *, by_host: bool) -> None:
        match_id, model = self.table(table), self.models[self.table(table)]
        host = self.match(match_id).host
        by = model.seated.get(host, self.people[who]) if by_host and host is not None else self.people[who]
        before = self.version(match_id)
        self.ask(lambda: leaving.leave(self.services, by, match_id, seat), match_id)
        if self.version(match_id) != before:
            model.leaves(seat, by)
            self.counts["seats left"] += 1

    @rule(table=TABLE, seat=SEAT)
    @precondition(has_tables)
    def seat_bot(self, table: int, seat: Seat) -> None:
        match_id = self.table(table)
        host = self.match(match_id).host
        by = self.people[0] if host is None else self.models[match_id].seated.get(host, self.people[0])
        self.ask(lambda: seats.seat_bot(self.services, by, match_id, seat, "easy"), match_id)

    @rule(table=TABLE, who=WHO)
    @precondition(has_tables)
    def start(self, table: int, who: int) -> None:
        match_id = self.table(table)
        host = self.match(match_id).host
        by = self.people[who] if host is None else self.models[match_id].seated.get(host, self.people[who])
        self.ask(lambda: seats.start(self.services, by, match_id), match_id)

    @rule(table=TABLE, most=st.integers(1, 120), seed=st.integers(0, 99))
    @precondition(lambda self: bool(playing(self)))
    def play(self, table: int, most: int, seed: int) -> None:
        """Whose turn it is moves, be it that they were away; after each move somebody looks."""
        match_id = self.table(table, playing(self))
        self.chance.seed(seed)
        for _ in range(most):
            waits = self.waiting_for(match_id)
            if waits is None:
                return
            player, number, move = waits
            outcome = self.ask(lambda: moves.make(self.services, player, match_id, number, move), match_id)  # noqa: B023 - called here
            assert outcome is not None, "a legal move in turn was refused"
            made = next(event for event in outcome.events if event.values.get("move_number") == number)
            assert made.actor is Actor.PLAYER and MOVE_BODY[move.code].items() <= present.event(made).items()
            self.counts["moves"] += 1
            self.compare(match_id, self.people[number % PEOPLE])

    @rule(table=TABLE, who=WHO)
    @precondition(lambda self: any(model.over for model in self.models.values()))
    def play_again(self, table: int, who: int) -> None:
        over = [match_id for match_id, model in self.models.items() if model.over]
        match_id, player = self.table(table, over), self.people[who]
        outcome = self.ask(lambda: rematch.rematch(self.services, player, match_id))
        if outcome is not None and outcome.view.seat is not None:
            self.models[outcome.view.id].sits(player, outcome.view.seat)
            self.counts["rematches"] += 1

    @rule(who=WHO, name=st.integers(0, 9))
    def rename(self, who: int, name: int) -> None:
        if self.people[who] not in self.deleted:
            self.insist(lambda: accounts.rename(self.services, self.people[who], f"Q{name}"))

    @rule(who=WHO)
    @precondition(lambda self: len(self.deleted) < 1)
    def delete(self, who: int) -> None:
        player = self.people[who]
        self.insist(lambda: accounts.delete_player(self.services, player))
        self.deleted.add(player)
        for model in self.models.values():
            held = {seat for seat, each in (model.seated | model.offered).items() if each == player}
            if not model.over:
                for seat in held:
                    model.leaves(seat, player)

    # What happens to them ---------------------------------------------------------------------------------------------

    @rule(made=st.booleans())
    def lose_an_answer(self, *, made: bool) -> None:
        self.store.lost = made

    @rule(table=TABLE)
    @precondition(lambda self: bool(playing(self)))
    def let_turn_run_out(self, table: int) -> None:
        self.clock.at = max(self.clock.at, self.match(self.table(table, playing(self))).deadline_at or 0)
        self.sweep_all()

    @rule(seconds=st.sampled_from((20, 200, 3600, DAY, 8 * DAY, 31 * DAY)), bad_sweeps=st.none() | st.lists(BAD_SWEEP))
    def pass_time(self, seconds: int, bad_sweeps: list[tuple[int | None, int, bool]] | None) -> None:
        """Without any sweep, or with some that go wrong before one goes right."""
        self.clock.at += seconds
        for crash_in, looks, overlap in bad_sweeps or ():
            self.store.crash_in, self.store.meanwhile = crash_in, (lambda: sweep(self.services)) if overlap else None
            turns = iter(range(looks))
            try:
                sweep(self.services, lambda: next(turns, None) is None)  # noqa: B023 - called here
            except Crashed:
                self.counts["sweeps that crashed"] += 1
            self.store.crash_in = self.store.meanwhile = None
        if bad_sweeps is not None:
            self.sweep_all()

    def sweep_all(self) -> None:
        """Nothing is overdue after a sweep that went through, whatever happened to those before."""
        self.store.lost = None
        report = sweep(self.services)
        assert report.finished and not report.failed and not report.lost, f"{report}"
        late = [match_id for match_id in self.models if 0 < (self.match(match_id).due_at or 0) <= self.clock.at]
        assert not late, f"{len(late)} are still overdue"
        self.counts["time-outs"] += report.timed_out
        self.counts["given up"] += report.abandoned

    def teardown(self) -> None:
        """Every match comes to its end, though nobody plays on."""
        if sys.exc_info()[0] is not None:
            return
        for _ in range(100):
            due = [self.match(match_id).due_at for match_id in self.models]
            if not any(due):
                break
            self.clock.at = max(self.clock.at, min(filter(None, due)))
            self.sweep_all()
        self.screens.clear()
        self.look()
        for match_id, model in self.models.items():
            assert model.over, "a match does not end"
            self.counts[f"ended: {self.match(match_id).status}"] += 1
            self.counts["events"] += len(model.told)
        self.counts["runs"] += 1

    # What they see ----------------------------------------------------------------------------------------------------

    @invariant()
    def look(self) -> None:
        for match_id, model in self.models.items():
            match = self.match(match_id)
            if match.version == model.checked and self.screens:
                continue
            for player in self.people:
                self.compare(match_id, player)
            model.tell(narrate(self.services, match, 0 if model.over else model.checked, match.version).events)
            model.checked = match.version
            assert [*sorted(model.told)] == [*range(1, match.version + 1)], "events are lost"
            assert model.seated == {
                seat: place.player_id
                for seat, place in zip(SEATS, match.places, strict=True)
                if place.type is SeatType.HUMAN
            }
            assert model.over or match.host in model.seated, "the host does not sit"
        for player in {*self.people} - self.deleted:
            mine = {match_id for match_id, model in self.models.items() if model.lists(player)}
            assert mine == {each.id for each in lists.list_mine(self.services, player, None, 100).items}
            seated = {match_id for match_id, model in self.models.items() if player in model.seated.values()}
            assert {*self.store.live(player)} == {match_id for match_id in seated if not self.models[match_id].over}

    def compare(self, match_id: str, player: str) -> None:
        """The player's screen with their view; nothing for whoever may not see the match."""
        model, screen = self.models[match_id], self.screens.get((match_id, player))
        if player in self.deleted:
            return
        try:
            view = from_feed(present.match(matches.read(self.services, player, match_id), tricks=True))
        except NotFound:
            assert not model.may_see(player), "somebody is not shown their match"
            return
        assert model.may_see(player), "somebody is shown a match that is not theirs to see"
        if screen is None or model.over:  # names of a match that is over are those of today
            screen = Screen(match_id, player)
        self.catch_up(screen)
        if screen.stale:
            screen = Screen(match_id, player)
            self.catch_up(screen)
            screen.stale = False
        self.screens[match_id, player] = screen
        shown = from_feed(screen.shown())
        wrong = [name for name in sorted(view | shown) if view.get(name) != shown.get(name)]
        assert not wrong, [(name, view.get(name), shown.get(name)) for name in wrong]
        self.counts["screens like their view"] += 1

    def catch_up(self, screen: Screen) -> None:
        more = True
        while more:
            limit = self.chance.choice((3, 1000, 1000, 1000))
            feed = history.feed(self.services, screen.player_id, screen.match_id, screen.version, limit)
            self.models[screen.match_id].tell(feed.items)
            screen.read(present.EVENT_PAGE(feed))
            more = feed.more
