"""What one caller may see of a match: built up field by field for a seat (None: a spectator), never cut down."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from chalicelib.engine import SEATS, Seat, Side
from chalicelib.match.cards import commitments, next_move_number
from chalicelib.match.model import SeatType, Status, by_seat
from chalicelib.match.opponents import level_of
from chalicelib.match.pace import poll_after

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chalicelib.engine import Deal, DealResult, DealView, Move
    from chalicelib.match.model import Actor, Invite, Match, Place, Rules


class PlayerRef(NamedTuple):
    """A player as the others know them. A deleted account has neither id nor name."""

    id: str | None
    name: str
    deleted: bool = False


class SeatView(NamedTuple):
    """One seat of the table."""

    seat: Seat
    type: str
    player: PlayerRef | None
    """Who sits, is invited, or sat here until they left (`left`)."""
    level: str | None
    """Of the bot that makes the moves; None while a human does."""
    cards_left: int | None
    """None before cards are dealt, and when the match is over."""
    away: bool
    left: bool


class MatchResult(NamedTuple):
    """How a match ended: `winner` is a side, or None for a draw (R4)."""

    winner: Side | None
    scores: tuple[int, int]
    deals: tuple[DealResult, ...]

    @classmethod
    def of(cls, deals: tuple[DealResult, ...]) -> MatchResult:
        ns = sum(deal.score_of(Side.NS) for deal in deals)
        ew = sum(deal.score_of(Side.EW) for deal in deals)
        return cls(None if ns == ew else Side.NS if ns > ew else Side.EW, (ns, ew), deals)


class MatchView(NamedTuple):
    """A match from one seat. Optional things are None where they do not apply."""

    id: str
    version: int
    status: Status
    rules: Rules
    created_at: int
    host: Seat | None
    seats: tuple[SeatView, SeatView, SeatView, SeatView]
    seat: Seat | None
    """The caller's own; None for a spectator."""
    scores: tuple[int, int]
    next_move: int
    poll_after_seconds: float
    commitments: tuple[str, ...]
    """Of every deal of the match, in hex, from the moment the match exists."""
    invite: Invite | None
    deadline_at: int | None
    deal_number: int | None
    deal: DealView | None
    previous_deal: tuple[int, DealResult] | None
    result: MatchResult | None
    rematch_id: str | None
    set_id: str | None = None
    """The set that it is an entry of."""
    names_digest: str = ""
    """For an ended match, whose names are read where they live: tells one set of names from another."""

    @property
    def etag(self) -> str:
        """Changes whenever this view does, but for the time to ask again (RFC 9110 §8.8.3); quotes included."""
        return f'"{self.version}.{self.names_digest}"' if self.names_digest else f'"{self.version}"'


@dataclass(frozen=True, slots=True)
class Event:
    """One numbered thing that happened, as one caller may see it.

    `values` holds what its type needs, in the words of the API, as values of the engine and of this module
    (`Card`, `Seat`, `DealResult`, `PlayerRef`, `SeatView`, `Rules`, tuples of them) or plain JSON values.
    """

    version: int
    at: int
    type: str
    actor: Actor | None = None
    seat: Seat | None = None
    values: Mapping[str, object] = field(default_factory=dict)


class Outcome(NamedTuple):
    """What a write answers: the caller's view, and the events of this request and all since."""

    view: MatchView
    events: tuple[Event, ...]
    events_from: int | None = None
    """Where `events` lacks the earlier ones: the version after which the feed has all of them."""


class Feed(NamedTuple):
    """A stretch of the numbered feed. `version` is that of the last item, or `after` itself: the next cursor."""

    items: tuple[Event, ...]
    version: int
    more: bool
    poll_after_seconds: float
    deadline_at: int | None
    """Of the turn now waiting: the one thing on a player's screen that no event tells."""
    view: MatchView | None = None
    """The caller's view, if it was asked for and there is something new: at the match's version, which may be beyond
    the last item's."""


class Summary(NamedTuple):
    """One match in a list of a player's own."""

    id: str
    version: int
    status: Status
    seats: tuple[SeatView, SeatView, SeatView, SeatView]
    your_seat: Seat | None
    your_turn: bool
    scores: tuple[int, int]
    created_at: int
    deadline_at: int | None
    updated_at: int
    stands_still: bool
    """Whether all who play are away: it goes on when one of them is back."""
    rematch_id: str | None
    set_id: str | None = None
    """The set that it is an entry of."""


class Offer(NamedTuple):
    """A seat that is kept for the caller at a table that waits."""

    match: Summary
    seat: Seat
    rematch_of: str | None
    expires_at: int


class Waiting(NamedTuple):
    """What waits for a player."""

    matches: tuple[Summary, ...]
    offers: tuple[Offer, ...]


class SummaryPage(NamedTuple):
    items: tuple[Summary, ...]
    after: tuple[int, str] | None


class InviteView(NamedTuple):
    """What a friend sees before joining a match, or entering a set."""

    match_id: str | None
    host: PlayerRef | None
    rules: Rules
    seats: tuple[SeatView, SeatView, SeatView, SeatView]
    free_seats: tuple[Seat, ...]
    """Where the friend can sit down now."""
    commitments: tuple[str, ...]
    """Seen before one's own seed is sent, so that nobody need take another's word for them."""
    expires_at: int | None
    set_id: str | None = None


class DealMove(NamedTuple):
    """One move of a deal that is over. `number` counts through the match."""

    number: int
    seat: Seat
    actor: Actor
    at: int
    move: Move


class DealRecord(NamedTuple):
    """A deal that is over, whole: nothing of it is hidden any more. Of an abandoned match it may have no result."""

    match_id: str
    number: int
    started_at: int
    ended_at: int
    deal: Deal
    moves: tuple[DealMove, ...]
    players: tuple[PlayerRef | None, PlayerRef | None, PlayerRef | None, PlayerRef | None]
    deal_secret: str | None
    """None while others may still play these cards."""
    commitment: str
    seeds: tuple[tuple[Seat, PlayerRef, str], ...]
    """Seat, player and seed of all who sat at the start, in the order in which they sat down or sent another seed."""
    client_digest: str

    @property
    def client_seeds(self) -> tuple[str, str, str, str]:
        """Everybody's seed by seat; "" for a bot's."""
        sent = {seat: digits for seat, _, digits in self.seeds}
        return by_seat(sent.get(seat, "") for seat in SEATS)


GONE = PlayerRef(None, "", deleted=True)


def seat_view(
    seat: Seat, place: Place, cards_left: int | None, names: Mapping[str, PlayerRef] | None = None
) -> SeatView:
    """One seat as everybody sees it. `names`, where given, are the players' present names, read where they live."""
    player: PlayerRef | None = None
    if place.deleted:
        player = GONE
    elif place.player_id is not None:
        player = (names or {}).get(place.player_id) or PlayerRef(place.player_id, place.name)
    level = level_of(place) if place.type is SeatType.BOT or place.away else None
    return SeatView(seat, place.type, player, level, cards_left, place.away, place.left)


def seat_views(
    match: Match, deal: DealView | None, names: Mapping[str, PlayerRef] | None = None
) -> tuple[SeatView, SeatView, SeatView, SeatView]:
    left = deal.cards_left if deal is not None else (None, None, None, None)
    north, east, south, west = (
        seat_view(seat, place, count, names) for seat, place, count in zip(SEATS, match.places, left, strict=True)
    )
    return north, east, south, west


def match_view(
    match: Match, deal: Deal | None, seat: Seat | None, now: int, names: Mapping[str, PlayerRef] | None = None
) -> MatchView:
    """The match as `seat` (None: a spectator) may see it. `deal` is the running one, or after the end the last one."""
    ended = not match.status.live
    shown = deal.view(seat) if deal is not None else None
    if shown is not None and ended:
        shown = replace(shown, turn=None, legal_moves=())
    number = match.deal
    previous = len(match.results) - (match.status is Status.FINISHED)
    return MatchView(
        id=match.id,
        version=match.version,
        status=match.status,
        rules=match.rules,
        created_at=match.created_at,
        host=match.host,
        seats=seat_views(match, None if ended else shown, names),
        seat=seat,
        scores=match.scores,
        next_move=next_move_number(match, None if ended else deal),
        poll_after_seconds=poll_after(match, shown, now),
        commitments=commitments(match),
        invite=match.invite if seat is not None and match.free_seats else None,
        deadline_at=match.deadline_at,
        deal_number=number or None,
        deal=shown,
        previous_deal=(previous, match.results[previous - 1]) if previous > 0 else None,
        result=MatchResult.of(match.results) if match.status is Status.FINISHED else None,
        rematch_id=match.rematch_id,
        set_id=match.set_id,
        names_digest=_digest(names) if ended and names is not None else "",
    )


def _digest(names: Mapping[str, PlayerRef]) -> str:
    listed = "\n".join(f"{player_id} {ref.name} {ref.deleted}" for player_id, ref in sorted(names.items()))
    return hashlib.sha256(listed.encode()).hexdigest()[:8]
