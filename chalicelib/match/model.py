"""The values a match is made of. All are frozen: a use case makes a new `Match` and hands the store a `Change`."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

from chalicelib.engine import SEATS, AfterBank, DealResult, Seat, Side

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from chalicelib.match.log import Log

T = TypeVar("T")

MAX_DEALS = 16
MOVES_OF_A_DEAL = 57
"""Four calls or passes, a ser, and 52 cards."""
MOST_LIVE = 50
"""Matches that a player may sit at at a time: it bounds the badge."""
MAX_NAME_POINTS = 24
MAX_NAME_BYTES = 72
DAY = 24 * 60 * 60
UNSTARTED_LIFE = 7 * DAY
"""Seconds a table may wait for its players before it is given up."""
UNVISITED_LIFE = 30 * DAY
"""Seconds a running match may stand without a move, or anybody's coming back, before it is given up."""
LONGEST_DEAL = MOVES_OF_A_DEAL * UNVISITED_LIFE
"""Seconds after which a deal is over for certain: every move is made, or the match given up, in time."""


MOST_SEAT_EVENTS = 500
"""Seat events that a table may see before it starts, and then in each deal, until nobody sits down any more."""
MOST_SEAT_CHANGES = 20
"""Times that one player may sit down or change seats at one table within a week (`UNSTARTED_LIFE`), so that nobody uses
up the table's own limit."""


def by_seat(items: Iterable[T]) -> tuple[T, T, T, T]:
    """Four things, one a seat, in order of play."""
    north, east, south, west = items
    return north, east, south, west


class Status(StrEnum):
    WAITING = "waiting"
    PLAYING = "playing"
    FINISHED = "finished"
    ABANDONED = "abandoned"

    @property
    def live(self) -> bool:
        """Whether anything can still happen at the table."""
        return self in (Status.WAITING, Status.PLAYING)


class SeatType(StrEnum):
    EMPTY = "empty"
    HUMAN = "human"
    BOT = "bot"
    INVITED = "invited"


class Start(StrEnum):
    WHEN_FULL = "when_full"
    BY_HOST = "by_host"


class Actor(StrEnum):
    """Who made something happen. `RULE` is never stored: a move that R6 forces is known by the position."""

    PLAYER = "player"
    BOT = "bot"
    STAND_IN = "stand_in"
    TIMEOUT = "timeout"
    RULE = "rule"


@dataclass(frozen=True, slots=True)
class Rules:
    """The options of a table, fixed when it is made; but a clock that nobody asked for goes by who sits."""

    deals: int = 4
    after_bank: AfterBank = AfterBank.FRESH
    turn_seconds: int | None = None
    """Seconds a player has for a move; None: no clock."""
    clock_by_default: bool = False
    """Nobody asked for this clock: see `with_humans`."""
    start: Start = Start.WHEN_FULL
    spectators: bool = False
    take_over: bool = False
    """Whether an invited friend may take a bot's seat once cards are dealt."""
    hints: bool = True

    def with_humans(self, humans: int) -> Rules:
        """The rules for so many humans at the cards: a clock that nobody asked for runs between humans only."""
        return replace(self, turn_seconds=DAY if humans > 1 else None) if self.clock_by_default else self


@dataclass(frozen=True, slots=True)
class Place:
    """Who is on one seat.

    A player who left for good stays named in the place (`left`), with `type` BOT, so that the table knows whom the bot
    follows. `deleted` says that the player's account is gone: `name` is then empty.
    """

    type: SeatType = SeatType.EMPTY
    player_id: str | None = None
    name: str = ""
    level: str | None = None
    """The level of the bot that sits here, or stands in while its player is away."""
    away: bool = False
    left: bool = False
    deleted: bool = False
    timeouts: int = 0
    """Time-outs running; a move of the player's own sets it to 0."""

    @property
    def present(self) -> bool:
        """Whether a human is here who makes the moves."""
        return self.type is SeatType.HUMAN and not self.away


class Seed(NamedTuple):
    """A player's part in the shuffle: hexadecimal digits that came with the seat, or none."""

    seat: Seat
    player_id: str
    digits: str


@dataclass(frozen=True, slots=True)
class Entry:
    """What makes a match an entry of a set: the set's cards, met by its bots, alone and once."""

    set_id: str
    runs_out_at: int | None = None
    """From when on nobody plays it any more; None: never."""


@dataclass(frozen=True, slots=True)
class Match:
    """A whole running (or ended) match, as one item of the store holds it.

    Times are whole seconds since the epoch. The cards are not here: they follow from `secret`, `client_digest` and the
    deal's number (see `chalicelib.engine.shuffle`), and the position follows from `log` by replay.
    """

    id: str
    secret: bytes
    rules: Rules
    status: Status
    places: tuple[Place, Place, Place, Place]
    host: Seat | None
    created_at: int
    version: int
    """The number of the last event."""
    seeds: tuple[Seed, ...]
    """One for each player who sits, in the order in which they sat down or sent another: the last has the last word in
    the shuffle. From the start on they are kept beside the match, and this is empty."""
    client_digest: bytes
    """b"" until the match starts."""
    first_opener: Seat | None
    deal: int
    """The running deal's number; 0 before the start; the last one's once the match has ended."""
    base_version: int
    """The version just before the running deal's first event."""
    base_move: int
    """Moves made in the deals before."""
    base_at: int
    """When the running deal began; the log's minutes count from here."""
    log: Log
    """The running deal's moves; after the end of the match only marks of seat events."""
    results: tuple[DealResult, ...]
    """One a finished deal, in order."""
    turn_at: int
    """When the turn now waiting began (the clock runs from here); the end's time once the match has ended."""
    last_at: int
    """The time of the last event, as feeds tell it. Clocks of two machines may differ: nothing later is told to have
    happened before."""
    scheduled_at: int | None
    """When the sweep looks at the match next: never later than its true deadline. None: never again."""
    invite: Invite | None = None
    rematch_id: str | None = None
    rematch_of: str | None = None
    request_digest: bytes = b""
    """Tells the creating request from another one under the same Idempotency-Key."""
    entry: Entry | None = None
    edition: int = 1
    """Of the bots, when the match was made: see `chalicelib.bots`."""

    @property
    def set_id(self) -> str | None:
        """The set that it is an entry of."""
        return self.entry.set_id if self.entry is not None else None

    @property
    def present(self) -> bool:
        """Whether a human is at the table who makes the moves: else nothing goes on by itself."""
        return any(place.present for place in self.places)

    @property
    def deadline_at(self) -> int | None:
        """When the turn now waiting may be played by the sweep; None where no clock runs."""
        if self.status is Status.PLAYING and self.rules.turn_seconds is not None and self.present:
            return self.turn_at + self.rules.turn_seconds
        return None

    @property
    def due_at(self) -> int | None:
        """When the sweep has something to do here: at the deadline, to give the table up, or to count a finished entry
        of a set; None once it has ended."""
        if self.status is Status.WAITING:
            return self.created_at + UNSTARTED_LIFE
        if self.status is Status.PLAYING:
            due = self.deadline_at or self.turn_at + UNVISITED_LIFE
            return min(due, self.entry.runs_out_at) if self.entry and self.entry.runs_out_at else due
        return self.turn_at if self.status is Status.FINISHED and self.entry else None

    def ran_out(self, now: int) -> bool:
        """Whether it is an entry that nobody plays any more."""
        return self.entry is not None and self.entry.runs_out_at is not None and now >= self.entry.runs_out_at

    def shows_secrets(self, now: int) -> bool:
        """Whether nobody could still play the cards of its deals that are over: of an entry not while its set is open,
        and where that never closes not before it is finished."""
        if self.entry is None or self.ran_out(now):
            return True
        return self.entry.runs_out_at is None and self.status is Status.FINISHED

    @property
    def takes_friends(self) -> bool:
        """Whether the invite code leads to this match: friends may sit down, now or when a seat is left."""
        return self.invite is not None and (
            self.status is Status.WAITING or (self.status is Status.PLAYING and self.rules.take_over)
        )

    def seed_of(self, seat: Seat) -> str:
        """The digits that were sent with this seat."""
        return next((seed.digits for seed in self.seeds if seed.seat is seat), "")

    @property
    def free_seats(self) -> tuple[Seat, ...]:
        """The seats on which a friend with the invite code can sit down now."""
        free = SeatType.EMPTY if self.status is Status.WAITING else SeatType.BOT
        return tuple(seat for seat in SEATS if self.takes_friends and self.places[seat].type is free)

    @property
    def humans(self) -> int:
        """How many humans sit, away or not."""
        return sum(place.type is SeatType.HUMAN for place in self.places)

    def seat_of(self, player_id: str) -> Seat | None:
        """The seat a player holds now: sitting (present or away), not invited, not left."""
        for seat, place in zip(SEATS, self.places, strict=True):
            if place.player_id == player_id and place.type is SeatType.HUMAN:
                return seat
        return None

    @property
    def scores(self) -> tuple[int, int]:
        """Total points of (ns, ew)."""
        ns = sum(result.score for result in self.results if result.side is Side.NS)
        return ns, sum(result.score for result in self.results) - ns


@dataclass(frozen=True, slots=True)
class Invite:
    """What lets a friend sit down: a code that can be read aloud, and when it expires."""

    code: str
    expires_at: int


@dataclass(frozen=True, slots=True)
class SeatEvent:
    """Something that is not a move: kept as written, since no replay can tell it.

    `place` is the seat as it is from now on, without the player's name (names are read where they live). `values`
    holds what else the type needs, as plain JSON values.
    """

    type: str
    at: int
    actor: Actor | None = None
    seat: Seat | None = None
    place: Place | None = None
    values: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EventBatch:
    """The seat events of one write, with running version numbers from `version`."""

    version: int
    events: tuple[SeatEvent, ...]


@dataclass(frozen=True, slots=True)
class ClosedDeal:
    """A deal that is over, by its 13th trick or because the match was given up: written once, never changed."""

    number: int
    opener: Seat
    base_version: int
    base_move: int
    base_at: int
    ended_at: int
    last_version: int
    deal_secret: bytes
    log: Log
    players: tuple[str | None, str | None, str | None, str | None]
    """Ids of those who sat, by seat; None for a bot."""
    result: DealResult | None
    """None: the match was given up in the middle."""


class Standing(StrEnum):
    """How somebody who has sat at a table, or was offered a seat, stands to it."""

    MEMBER = "member"
    """Sits, or left while cards were played: may look on."""
    GONE = "gone"
    """Left or declined before the start."""
    BARRED = "barred"
    """Was sent away by the host, and may not come back."""


@dataclass(frozen=True, slots=True)
class Membership:
    """What a match remembers of one player."""

    player_id: str
    match_id: str
    seat: Seat
    standing: Standing = Standing.MEMBER
    until: int | None = None
    """When it is forgotten, of somebody who was offered a seat and never sat; None: it is kept for good."""


class Named(Protocol):
    """An account whose name a place takes over, as it was read."""

    @property
    def id(self) -> str: ...

    @property
    def revision(self) -> int:
        """How often its profile has changed."""


@dataclass(frozen=True, slots=True)
class Change:
    """One write: all of it happens, or nothing, and only if the match is still at the version that was read.

    What it changes in the players' own lists follows from both states of the match: see `list_changes`.
    """

    match: Match
    before: Match | None
    """The match as it was read; None: it is new."""
    batch: EventBatch | None = None
    closed: ClosedDeal | None = None
    seeds: tuple[Seed, ...] | None = None
    """The players' seeds, when this write starts the match."""
    named: tuple[Named, ...] = ()
    """The accounts whose names this write copies: refused (`AccountGone`) where one is deleted or no longer at this
    revision."""
    barred: tuple[str, ...] = ()
    """Ids of players whom the host sends away before the start."""
    invite: Invite | None = None
    """A new code to keep."""
    withdrawn: Invite | None = None
    """A code that is void from now on."""
    also: Change | None = None
    """A second match's change to be made in the same write."""

    @property
    def dealt(self) -> bool:
        """Whether cards were dealt before this write: an account that has held a seat with them may hold no other."""
        return self.match.deal > 0 and self.seeds is None
