"""From what is stored to numbered events: the one place where a stretch of a match is told.

Moves and what follows from them are computed from the logs; seat events are read as they were written. Everybody is
told the same, except for the hand in `deal_started`: see `Narration.seen_by`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from chalicelib.engine import MOVES, NAMED, SEATS, commitment, events_of, hand_of
from chalicelib.match import cards
from chalicelib.match.log import LoggedMove, Mark
from chalicelib.match.model import MOVES_OF_A_DEAL, Actor, ClosedDeal, Status
from chalicelib.match.view import Event, MatchResult, seat_view

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from chalicelib.engine import Deal, DealEvent, Seat
    from chalicelib.match.model import EventBatch, Match, SeatEvent
    from chalicelib.match.view import PlayerRef

    Hands = tuple[int, int, int, int]

MOVE_TYPES = frozenset(("call", "pass", "ser", "play"))
FEWEST_OF_A_DEAL = 1 + MOVES_OF_A_DEAL + 13 + 1 + 1
"""Events that every whole deal has: its start, moves, tricks won, the pile banked once at least, the score."""


@dataclass(frozen=True, slots=True)
class Narration:
    """A stretch of a match, for all viewers at once."""

    events: tuple[Event, ...]
    """As a spectator may see them."""
    hands: Mapping[int, Hands] = field(repr=False)
    """The four hands, as 52-bit sets by seat, of each deal that starts here, by the version of its `deal_started`."""

    def seen_by(self, seat: Seat | None) -> tuple[Event, ...]:
        """The events as whoever has this seat may see them."""
        if seat is None or not self.hands:
            return self.events
        return tuple(
            replace(event, values={**event.values, "hand": hand_of(self.hands[event.version][seat])})
            if event.version in self.hands
            else event
            for event in self.events
        )


NOTHING = Narration((), {})


def deals_between(match: Match, after: int, upto: int) -> tuple[int, int]:
    """Numbers of the first and the last ended deal that may have events above `after` and up to `upto`.

    With many seat events the range is wider than need be.
    """
    over = match.deal - (match.status is Status.PLAYING)
    # Every deal has so many events at least; only the last may have been given up with fewer.
    first = over - 1 - max(match.base_version - after, 0) // FEWEST_OF_A_DEAL
    last = 1 + upto // FEWEST_OF_A_DEAL
    return max(first, 1), min(last, over)


def tell(
    match: Match,
    closed: Iterable[ClosedDeal],
    batches: Iterable[EventBatch],
    after: int,
    upto: int,
    names: Mapping[str, PlayerRef],
    at_hand: Deal | None = None,
) -> Narration:
    """Every event with a version above `after` and at most `upto`, in order.

    `closed` and `batches` must cover that stretch, as far as `match` does not. `names` has the players of the seat
    events. `at_hand` is the deal as it was at `after`, for whoever has it: what came before is then not replayed.
    """
    events = [
        _seat_event(match, happened, version, names)
        for batch in batches
        for version, happened in enumerate(batch.events, batch.version)
        if after < version <= upto
    ]
    hands: dict[int, Hands] = {}
    records: list[ClosedDeal | Match] = [*closed]
    if match.status is Status.PLAYING:
        records.append(match)
    for record in records:
        if record.base_version < upto and (not isinstance(record, ClosedDeal) or after < record.last_version):
            events += _deal_events(match, record, after, upto, at_hand if record.base_version < after else None, hands)
    return Narration(tuple(sorted(events, key=lambda event: event.version)), hands)


def version_of(match: Match, record: ClosedDeal | Match, number: int) -> int:
    """The version of move `number` of the match, which was made in this deal."""
    numbered = _numbered(record, cards.as_played(match, record))
    begins = [begin for begin, _, entry in numbered if isinstance(entry, LoggedMove)]
    return begins[number - record.base_move - 1] + 1


def _numbered(record: ClosedDeal | Match, deal: Deal) -> Iterator[tuple[int, int, LoggedMove | Mark]]:
    """Each entry of the deal's log with the versions before and after it. Behind the moves that `deal` has, a version
    may be too low by the banks that are not known yet."""
    version, moves, banks = record.base_version + 1, 0, deal.banks
    for entry in record.log.entries():
        begin = version
        if isinstance(entry, Mark):
            version += entry.events
        else:
            moves += 1
            version += 1
            if moves > NAMED and not (moves - NAMED) % len(SEATS):
                version += 1 + ((moves - NAMED) // len(SEATS) in banks)
            version += moves == MOVES_OF_A_DEAL
        yield begin, version, entry


def _as_it_was(match: Match, record: ClosedDeal | Match, after: int) -> Deal:
    """The deal after the last of its moves whose events all have versions up to `after`."""
    numbered = _numbered(record, cards.as_played(match, record))
    moves = sum(end <= after for _, end, entry in numbered if isinstance(entry, LoggedMove))
    return cards.as_played(match, record, moves)


def _deal_events(
    match: Match, record: ClosedDeal | Match, after: int, upto: int, at_hand: Deal | None, hands: dict[int, Hands]
) -> Iterator[Event]:
    """The events of one deal that a replay tells, those within the stretch; its hands, if it starts there."""
    number = cards.number_of(record)
    version, moves = record.base_version + 1, 0
    if after < version:
        deal = cards.deal_at_start(match, number)
        hands[version] = deal.hands
        yield _deal_started(match, number, version, record.base_at, deal)
    else:
        deal = at_hand or _as_it_was(match, record, after)
        moves = len(deal.codes)
    marks, entries = record.log.after(moves)
    version += deal.event_count + marks
    for entry in entries:
        if version >= upto:
            return
        if isinstance(entry, Mark):
            version += entry.events
            continue
        actor = Actor.RULE if deal.forced_move() is not None else entry.actor
        before, deal = deal, deal.play(MOVES[entry.code])
        moves += 1
        for happened in events_of(before, MOVES[entry.code], deal):
            version += 1
            if after < version <= upto:
                at = record.base_at + entry.minutes * 60
                yield _deal_event(happened, version, at, actor, record.base_move + moves, number)
    if isinstance(record, ClosedDeal) and record.result is not None and number == match.rules.deals and version < upto:
        ended_at = record.base_at + record.log.minutes() * 60
        yield Event(
            version + 1, ended_at, "match_finished", Actor.RULE, None, {"result": MatchResult.of(match.results)}
        )


def _deal_started(match: Match, number: int, version: int, at: int, deal: Deal) -> Event:
    values = {"deal_number": number, "opener": deal.opener, "commitment": commitment(cards.secret_of(match, number))}
    return Event(version, at, "deal_started", Actor.RULE, None, values)


def _deal_event(happened: DealEvent, version: int, at: int, actor: Actor, move: int, deal: int) -> Event:
    """An event of the engine with its place in the match. What follows from a move has the actor `rule`."""
    values: dict[str, object] = {}
    for name in ("number", "suit", "card", "trick_number", "side", "tricks", "result"):
        value = getattr(happened, name)
        if value is not None:
            values[name] = value
    if happened.type in MOVE_TYPES:
        values["move_number"] = move
        return Event(version, at, happened.type, actor, happened.seat, values)
    if happened.type == "deal_scored":
        values["deal_number"] = deal
    return Event(version, at, happened.type, Actor.RULE, happened.seat, values)


def _seat_event(match: Match, happened: SeatEvent, version: int, names: Mapping[str, PlayerRef]) -> Event:
    """A seat event as everybody may see it."""
    values = dict(happened.values)
    if happened.place is not None and happened.seat is not None:
        values["place"] = seat_view(happened.seat, happened.place, None, names)
    if "turn_seconds" in values:
        seconds = values.pop("turn_seconds")
        values["rules"] = replace(match.rules, turn_seconds=seconds if isinstance(seconds, int) else None)
    if happened.type == "match_created":
        values["spectators"] = match.rules.spectators
        values["commitments"] = cards.commitments(match)
    if "host" in values:
        values["host_seat"] = SEATS[int(str(values.pop("host")))]
    return Event(version, happened.at, happened.type, happened.actor, happened.seat, values)
