"""One write in the making: what happens to a match, in order.

A transition begins with a match as it was read, takes seat events first and moves after them, and ends as a `Change`
for the store. It decides nothing about who may do what: the use cases do.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from chalicelib.engine import SEATS, Deal, Seat, client_digest
from chalicelib.match.cards import deal_at_start, opener_of, secret_of
from chalicelib.match.event_types import SEAT_EVENT_TYPES
from chalicelib.match.log import Log
from chalicelib.match.model import (
    LONGEST_DEAL,
    Actor,
    Change,
    ClosedDeal,
    EventBatch,
    Match,
    Place,
    SeatEvent,
    SeatType,
    Status,
    by_seat,
)
from chalicelib.match.opponents import bot_move

if TYPE_CHECKING:
    from collections.abc import Callable

    from chalicelib.engine import Move
    from chalicelib.match.model import Named, Rules, Seed

DEFAULT_LEVEL = "easy"


class Transition:
    """Mutable while a use case works."""

    def __init__(
        self,
        match: Match,
        now: int,
        *,
        deal: Deal | None = None,
        new: bool = False,
        choose: Callable[[Match, Deal], Move] = bot_move,
    ):
        self.match = match
        self.now = max(now, match.last_at)
        self.choose = choose
        """The move of the bot whose turn it is."""
        self.deal = deal
        """The running deal; None before the start and after the end."""
        self.last_deal = deal
        """The running deal, or after the end the last one as it ended."""
        self.deal_before = deal
        """The running deal as it was read."""
        self._moved = False
        self._seat_events: list[SeatEvent] = []
        self._closed: ClosedDeal | None = None
        self._seeds: tuple[Seed, ...] | None = None
        self._before = None if new else match
        self._first_version = match.version + 1
        self.named: list[Named] = []
        """Accounts whose names the places take over."""
        self.barred: list[str] = []
        """Players whom the host sends away."""
        self.also: Change | None = None
        """Another match's transition to be written with this one."""

    # what is not a move -------------------------------------------------------------------------------------------

    def happen(
        self,
        kind: str,
        seat: Seat | None = None,
        place: Place | None = None,
        actor: Actor | None = None,
        **values: object,
    ) -> None:
        """A seat event: with `place`, the seat is so from now on. All come before the moves of the same write."""
        if kind not in SEAT_EVENT_TYPES:
            raise AssertionError(f"chalicelib/match/event_types.py has no {kind}")
        if self._moved:
            raise AssertionError("seat events come first")
        if place is not None and seat is not None:
            self.settle(seat, place)
            if self.match.status is Status.WAITING and self._before is not None:
                values |= self._expected_clock()
        at = self._event_time()
        self.match = replace(self.match, version=self.match.version + 1, log=self.match.log.with_marks(1), last_at=at)
        nameless = replace(place, name="") if place is not None else None
        self._seat_events.append(SeatEvent(kind, at, actor, seat, nameless, values))

    def _expected_clock(self) -> dict[str, object]:
        """Before the start: show the clock that there will be if people take all the seats that are still free. Values
        of the event that changes it."""
        match = self.match
        rules = match.rules.with_humans(sum(place.type is not SeatType.BOT for place in match.places))
        if rules == match.rules:
            return {}
        self.set_rules(rules)
        return {"turn_seconds": rules.turn_seconds}

    def settle(self, seat: Seat, place: Place) -> None:
        """Change a seat without an event: what nobody sees of it. Needs an event or a move in the same write."""
        places = list(self.match.places)
        places[seat] = place
        self.match = replace(self.match, places=by_seat(places))

    def seed(self, seat: Seat, seed: Seed | None) -> None:
        """Keep the seed of whoever sits here now, after all others; None: nobody does. Needs an event in the same
        write."""
        others = tuple(each for each in self.match.seeds if each.seat is not seat)
        self.match = replace(self.match, seeds=others if seed is None else (*others, seed))

    def pass_host(self, seat: Seat) -> None:
        """The host role goes to another seat."""
        self.match = replace(self.match, host=seat)
        self.happen("host_changed", seat, host=int(seat))

    def set_rules(self, rules: Rules) -> None:
        """Other options from now on. Needs an event in the same write that tells the clock."""
        self.match = replace(self.match, rules=rules)

    def send_away(self, player_id: str, code: str) -> None:
        """The player may not come back, and a new invite code takes the place of the one they know. Needs an event in
        the same write."""
        self.barred.append(player_id)
        if self.match.invite is not None:
            self.match = replace(self.match, invite=replace(self.match.invite, code=code))

    def restart_clock(self) -> None:
        """The turn now waiting begins anew. Needs an event in the same write."""
        self.match = replace(self.match, turn_at=self.now)

    def come_back(self, seat: Seat) -> None:
        """An away player is present again."""
        self.go_on_with("seat_back", seat, replace(self.match.places[seat], away=False, timeouts=0))

    def go_on_with(self, kind: str, seat: Seat, place: Place) -> None:
        """Somebody is present from now on. A table that stood still goes on, and its clock starts anew; a solo match
        that becomes shared gets the clock of a shared one."""
        restarts, rules = not self.match.present, self.match.rules
        values: dict[str, object] = {}
        shared = rules.with_humans(self.match.humans + (self.match.places[seat].type is not SeatType.HUMAN))
        if rules.turn_seconds is None and shared.turn_seconds is not None:
            restarts, values = True, {"turn_seconds": shared.turn_seconds}
            self.set_rules(shared)
        self.happen(kind, seat, place, None, **values)
        if restarts:
            self.restart_clock()

    def start(self) -> None:
        """Deal the first cards. Seats that nobody took are the bots' from here on."""
        for seat in SEATS:
            if self.match.places[seat].type in (SeatType.EMPTY, SeatType.INVITED):
                self.happen("seat_taken", seat, Place(SeatType.BOT, level=DEFAULT_LEVEL))
        self.set_rules(self.match.rules.with_humans(self.match.humans))
        self.happen("match_started", turn_seconds=self.match.rules.turn_seconds)
        match, seeds = self.match, self.match.seeds
        match = replace(
            match,
            status=Status.PLAYING,
            seeds=(),
            client_digest=client_digest([match.seed_of(seat) for seat in SEATS]),
            base_version=match.version,
            log=Log(),
        )
        self._seeds = seeds
        self.match = replace(match, first_opener=opener_of(match, 1))
        self._deal_next(1)

    def abandon(self) -> None:
        """Give the match up as it stands; a deal in the middle is closed without a result."""
        if self.deal is not None:
            self._close(self.deal)
            moves = self.match.base_move + len(self.deal.codes)
            self.match = replace(self.match, base_version=self.match.version, base_move=moves, log=Log())
            self.deal = None
        self.happen("match_abandoned", actor=Actor.RULE)
        self._end(Status.ABANDONED)

    # moves --------------------------------------------------------------------------------------------------------

    def make(self, move: Move, actor: Actor, seat: Seat | None = None) -> None:
        """One move, by `seat` or whoever's turn it is. After the engine's `IllegalMove` the transition is worthless."""
        before = self._running()
        after = before.play(move, seat)
        stored = Actor.BOT if actor is Actor.RULE else actor
        match = self.match
        at = self._event_time()
        minutes = (at - match.base_at) // 60 - match.log.minutes()
        version = match.version + after.event_count - before.event_count
        self._moved = True
        self.match = replace(
            match, version=version, log=match.log.with_move(move.code, stored, minutes), turn_at=self.now, last_at=at
        )
        self.deal = self.last_deal = after
        if after.result is not None:
            self._close(after)
            if match.deal == match.rules.deals:
                self._finish()
            else:
                self._deal_next(match.deal + 1)

    def run_on(self) -> None:
        """Make the moves that wait for nobody: those that R6 forces, and, while a human is present, those of bots and
        stand-ins."""
        while self.deal is not None and (turn := self.deal.turn) is not None:
            forced = self.deal.forced_move()
            if forced is not None:
                self.make(forced, Actor.RULE)
                continue
            place = self.match.places[turn]
            if place.present or not self.match.present:
                return
            actor = Actor.BOT if place.type is SeatType.BOT and not place.left else Actor.STAND_IN
            self.make(self.choose(self.match, self.deal), actor)

    # the write ----------------------------------------------------------------------------------------------------

    def change(self) -> Change:
        """All of it as one write."""
        match, before = self.match, self._before
        old_invite = before.invite if before is not None and before.takes_friends else None
        invite = match.invite if match.takes_friends else None
        due = match.due_at
        if due is None:
            scheduled_at = None
        elif match.scheduled_at is None or match.scheduled_at > due:
            scheduled_at = due
        else:
            scheduled_at = match.scheduled_at
        return Change(
            match=match if match.scheduled_at == scheduled_at else replace(match, scheduled_at=scheduled_at),
            before=before,
            batch=self._batch(),
            closed=self._closed,
            seeds=self._seeds,
            named=tuple(self.named),
            barred=tuple(self.barred),
            also=self.also,
            invite=invite if invite != old_invite else None,
            withdrawn=old_invite if old_invite and (not invite or invite.code != old_invite.code) else None,
        )

    def _batch(self) -> EventBatch | None:
        if not self._seat_events:
            return None
        return EventBatch(self._first_version, tuple(self._seat_events))

    def _event_time(self) -> int:
        """The time of an event: within a deal in whole minutes since it began, which is what the log stores. Seat
        events among moves are rounded alike, so that time never runs back."""
        if self.deal is None:
            return self.now
        return self.now - (self.now - self.match.base_at) % 60

    def _running(self) -> Deal:
        if self.deal is None:
            raise AssertionError("no deal is running")
        return self.deal

    def _deal_next(self, number: int) -> None:
        match = self.match
        moves = 0 if number == 1 else match.base_move + len(self._running().codes)
        version = match.version
        invite = match.invite
        if invite is not None and match.takes_friends:  # a friend may take over: the code lives on with the match
            invite = replace(invite, expires_at=self.now + LONGEST_DEAL)
        self.match = replace(
            match,
            deal=number,
            invite=invite,
            base_version=version,
            base_move=moves,
            base_at=self.now,
            log=Log(),
            version=version + 1,
            turn_at=self.now,
            last_at=self.now,
        )
        self.deal = self.last_deal = deal_at_start(self.match, number)
        self._moved = True

    def _close(self, deal: Deal) -> None:
        match = self.match
        if deal.result is not None:
            self.match = replace(match, results=(*match.results, deal.result))
        self._closed = ClosedDeal(
            number=match.deal,
            opener=deal.opener,
            base_version=match.base_version,
            base_move=match.base_move,
            base_at=match.base_at,
            ended_at=self.now,
            last_version=match.version,
            deal_secret=secret_of(match, match.deal),
            log=match.log,
            players=by_seat(p.player_id if p.type is SeatType.HUMAN else None for p in match.places),
            result=deal.result,
        )

    def _finish(self) -> None:
        match = self.match
        moves = match.base_move + len(self._running().codes)
        version = match.version + 1
        self.match = replace(match, version=version, base_version=version, base_move=moves, log=Log())
        self.deal = None
        self._end(Status.FINISHED)
        if self._closed is not None:
            self._closed = replace(self._closed, last_version=version)

    def _end(self, status: Status) -> None:
        """The match has ended: names leave the item, and are read from the accounts from now on."""
        places = by_seat(replace(place, name="") for place in self.match.places)
        self.match = replace(self.match, status=status, places=places, turn_at=self.now)
