"""A set: the same deals for everybody who enters, from one seat and against the same bots."""

from __future__ import annotations

import hmac
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from chalicelib.engine import SEATS, client_digest
from chalicelib.match.cards import commitments_of, deal_at_start, next_move_number, opener_of
from chalicelib.match.log import Log
from chalicelib.match.model import MOVES_OF_A_DEAL, Actor, Entry, Match, Place, Rules, SeatType, Status, by_seat
from chalicelib.match.opponents import bot_move, opponents
from chalicelib.match.transition import Transition
from chalicelib.match.view import seat_view

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from chalicelib.bots import Opponents
    from chalicelib.engine import Deal, DealResult, DealView, Move, Seat
    from chalicelib.match.view import PlayerRef, SeatView

Decide: TypeAlias = "Callable[[DealView, Opponents, int], Move]"
"""From the view of the seat, who is at the table, and the number of the move."""
PAR_LEVEL = "sharp"
PAR_PLAYER = "par"


@dataclass(frozen=True, slots=True)
class Source:
    """The match that a challenge is made from: it is its player's own entry."""

    match_id: str
    player_id: str


@dataclass(frozen=True, slots=True)
class DealSet:
    """A set as it is kept. An entry is an ordinary match with this secret, seat and line-up."""

    id: str
    secret: bytes = field(repr=False)
    client_seed: str
    """The part in the shuffle of whoever sits, which is every entry's."""
    rules: Rules
    seat: Seat
    line_up: tuple[str | None, str | None, str | None, str | None]
    """The levels of the bots, by seat; None where the player sits."""
    edition: int
    """Of the bots."""
    opens_at: int
    closes_at: int | None = None
    """From when on nobody enters; None: never."""
    runs_out_at: int | None = None
    """From when on nobody plays, and all may be seen; None: never."""
    day: str = ""
    """The daily's day (UTC), as 2026-12-31."""
    code: str = ""
    """What leads friends to a challenge."""
    source: Source | None = None
    """Of a challenge."""
    par: tuple[DealResult, ...] = ()
    """What the strongest bot makes of the deals, as far as that is known yet."""

    @property
    def entry(self) -> Entry:
        """What its entries have in common."""
        return Entry(self.id, self.runs_out_at)

    @property
    def commitments(self) -> tuple[str, ...]:
        """Of every deal, in hex."""
        return commitments_of(self.secret, self.rules.deals)

    def takes_entries(self, now: int) -> bool:
        """Whether somebody may still enter."""
        from chalicelib import bots  # 7 ms, which a cold start among people does without

        return (
            self.edition in bots.EDITIONS and now >= self.opens_at and (self.closes_at is None or now < self.closes_at)
        )

    def ran_out(self, now: int) -> bool:
        """Whether nobody plays it any more."""
        return self.runs_out_at is not None and now >= self.runs_out_at

    def places(self, player: Place) -> tuple[Place, Place, Place, Place]:
        """The line-up, with this on the player's seat."""
        return by_seat(player if level is None else Place(SeatType.BOT, level=level) for level in self.line_up)


def points(result: DealResult, seat: Seat) -> int:
    """What a deal is worth to a seat's side: its own score less the other's."""
    return result.score if result.side is seat.side else -result.score


def total(results: tuple[DealResult, ...], seat: Seat) -> int:
    """The same of several deals: the score of an entry."""
    return sum(points(result, seat) for result in results)


def can_be_a_challenge(match: Match, seat: Seat) -> bool:
    """Whether a finished match was one player's alone, with nobody else in any seat or looking on, and without a clock
    that would have made moves."""
    rules = match.rules
    alone = all(
        match.places[each] == Place(SeatType.BOT, level=match.places[each].level) for each in SEATS if each != seat
    )
    plain = not rules.spectators and not rules.take_over and rules.turn_seconds is None
    return match.status is Status.FINISHED and alone and plain


def par_of(deal_set: DealSet, number: int, choose: Callable[[Match, Deal], Move] = bot_move) -> DealResult:
    """What the strongest bot makes of a deal in the player's seat. The others take it for the person whom it stands
    for; `choose` is how they move."""
    from chalicelib import bots  # 7 ms, which a cold start among people does without

    def decide(view: DealView, around: Opponents, move_number: int) -> Move:
        key = hmac.digest(deal_set.secret, b"par:%d" % move_number, "sha256")
        return bots.choose(view, PAR_LEVEL, key, around, deal_set.edition)

    return played(deal_set, number, decide, choose)


def played(deal_set: DealSet, number: int, decide: Decide, choose: Callable[[Match, Deal], Move]) -> DealResult:
    """What somebody who decides like this makes of a deal in the player's seat."""
    seat = deal_set.seat
    match = Match(
        id=deal_set.id,
        secret=deal_set.secret,
        rules=replace(deal_set.rules, deals=number),
        status=Status.PLAYING,
        places=deal_set.places(Place(SeatType.HUMAN, PAR_PLAYER)),
        host=seat,
        created_at=0,
        version=0,
        seeds=(),
        client_digest=client_digest([deal_set.client_seed if each is seat else "" for each in SEATS]),
        first_opener=None,
        deal=number,
        base_version=0,
        base_move=MOVES_OF_A_DEAL * (number - 1),
        base_at=0,
        log=Log(),
        results=(),
        turn_at=0,
        last_at=0,
        scheduled_at=None,
        entry=deal_set.entry,
        edition=deal_set.edition,
    )
    match = replace(match, first_opener=opener_of(match, 1))
    transition = Transition(match, 0, deal=deal_at_start(match, number), choose=choose)
    transition.run_on()
    while (deal := transition.deal) is not None:
        move = decide(deal.view(seat), opponents(transition.match, deal), next_move_number(match, deal))
        transition.make(move, Actor.PLAYER, seat)
        transition.run_on()
    return transition.match.results[0]


@dataclass(frozen=True, slots=True)
class DealOfSet:
    """One deal, as far as the caller may know how it went: their own result, and par."""

    result: DealResult | None
    par: DealResult | None


@dataclass(frozen=True, slots=True)
class SetView:
    """A set as one caller may see it."""

    deal_set: DealSet
    maker: PlayerRef | None
    """Who made a challenge."""
    open: bool
    """Whether entries are taken."""
    status: Status | None
    """Of the caller's entry; None: there is none."""
    match_id: str | None
    """The caller's entry."""
    deals: tuple[DealOfSet, ...]
    score: int | None = None
    """The caller's own, once finished."""
    counted: bool = False
    """Whether it is in the histogram yet."""
    histogram: Mapping[int, int] | None = None
    """Entries by score, the caller's own included; None while the caller may not know."""
    next_commitments: tuple[str, ...] = ()
    """Of tomorrow's daily."""

    @property
    def seats(self) -> tuple[SeatView, SeatView, SeatView, SeatView]:
        """The line-up, with the player's seat empty."""
        places = self.deal_set.places(Place())
        return by_seat(seat_view(seat, place, None) for seat, place in zip(SEATS, places, strict=True))

    @property
    def par_score(self) -> int | None:
        """Par of the whole set, for whom all of it is shown."""
        par = tuple(deal.par for deal in self.deals if deal.par is not None)
        return total(par, self.deal_set.seat) if len(par) == self.deal_set.rules.deals else None

    @property
    def ranking(self) -> Ranking | None:
        """Where the caller's score stands among all."""
        if self.score is None or self.histogram is None:
            return None
        return rank(self.histogram, self.score)


class Ranking(NamedTuple):
    """A score's place among all. Equal scores share a rank."""

    rank: int
    entries: int
    percentile: int | None
    """How many of the other entries, in per cent, scored less; None while there is no other."""


def rank(counts: Mapping[int, int], score: int) -> Ranking:
    """Where one entry of this score stands among all that were counted, itself included."""
    entries = sum(counts.values())
    better = sum(many for other, many in counts.items() if other > score)
    worse = sum(many for other, many in counts.items() if other < score)
    return Ranking(better + 1, entries, 100 * worse // (entries - 1) if entries > 1 else None)


class SetResult(NamedTuple):
    """What one player made of a set."""

    player_id: str
    score: int
