"""The numbered events of a match, as one caller may see them.

Moves and what follows of them are computed from the logs; seat events are read as they were written. Only
`deal_started` tells seats different things: the caller's hand.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from chalicelib import engine
from chalicelib.engine import MOVES, SEATS, Deal, Seat, commitment, events_of
from chalicelib.match import cards
from chalicelib.match.log import Mark
from chalicelib.match.model import MOVES_OF_A_DEAL, Actor, ClosedDeal, EventBatch, Match, SeatEvent, Status
from chalicelib.match.view import Event, MatchResult, PlayerRef, seat_view

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from chalicelib.engine import DealEvent, DealResult
    from chalicelib.match.model import Place

MOVE_TYPES = frozenset(("call", "pass", "ser", "play"))
FEWEST_OF_A_DEAL = 1 + MOVES_OF_A_DEAL + 13 + 1 + 1
"""Events that every whole deal has: its start, moves, tricks won, the pile banked once at least, the score."""


def deals_between(match: Match, after: int, upto: int) -> tuple[int, int]:
    """Numbers of the first and the last ended deal that may have events above `after` and up to `upto`.

    Where much has happened at the seats, some more are named than have any.
    """
    over = match.deal - (match.status is Status.PLAYING)
    # Every deal has so many events at least; only the last may have been given up with fewer.
    first = over - 1 - max(match.base_version - after, 0) // FEWEST_OF_A_DEAL
    last = 1 + upto // FEWEST_OF_A_DEAL
    return max(first, 1), min(last, over)


def events_between(
    match: Match,
    closed: Iterable[ClosedDeal],
    batches: Iterable[EventBatch],
    after: int,
    upto: int,
    viewer: Seat | None,
    names: Mapping[str, PlayerRef],
) -> list[Event]:
    """Every event with a version above `after` and at most `upto`, in order. `closed` and `batches` must cover that
    stretch."""
    events = [
        seat_event(match, happened, version, None, names)
        for batch in batches
        for version, happened in enumerate(batch.events, batch.version)
        if after < version <= upto
    ]
    for record in closed:
        if after < record.last_version and record.base_version < upto:
            told = [*deal_events(match, record, viewer)]
            if record.result is not None and record.number == match.rules.deals:
                ended_at = record.base_at + record.log.minutes() * 60
                told.append(match_finished(match.results, record.last_version, ended_at))
            events += [event for event in told if after < event.version <= upto]
    if match.status is Status.PLAYING and match.base_version < upto:
        events += [event for event in deal_events(match, match, viewer) if after < event.version <= upto]
    events.sort(key=lambda event: event.version)
    return events


def deal_events(match: Match, told: ClosedDeal | Match, viewer: Seat | None) -> Iterator[Event]:
    """The events of one deal that a replay tells, numbered around the seat events of its marks. `told` is a deal that
    is over, or the match for its running one."""
    deal = cards.closed_at_start(match, told) if isinstance(told, ClosedDeal) else cards.deal_at_start(match)
    number = told.number if isinstance(told, ClosedDeal) else told.deal
    version, made = told.base_version + 1, told.base_move
    yield deal_started(match, number, version, told.base_at, deal, viewer)
    for entry in told.log.entries():
        if isinstance(entry, Mark):
            version += entry.events
            continue
        move = MOVES[entry.code]
        actor = Actor.RULE if deal.forced_move() is not None else entry.actor
        after = deal.play(move)
        made += 1
        for happened in events_of(deal, move, after):
            version += 1
            yield deal_event(happened, version, told.base_at + entry.minutes * 60, actor, made, number)
        deal = after


def deal_started(match: Match, number: int, version: int, at: int, deal: Deal, viewer: Seat | None) -> Event:
    """The first event of a deal, with the viewer's own hand."""
    told = engine.deal_started(deal, viewer)
    values: dict[str, object] = {
        "deal_number": number,
        "opener": deal.opener,
        "commitment": commitment(cards.secret_of(match, number)),
    }
    if told.hand is not None:
        values["hand"] = told.hand
    return Event(version, at, told.type, Actor.RULE, None, values)


def deal_event(happened: DealEvent, version: int, at: int, actor: Actor, move: int, deal: int) -> Event:
    """An event of the engine with its place in the match. What follows of a move is the rules' doing."""
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


def match_finished(results: tuple[DealResult, ...], version: int, at: int) -> Event:
    return Event(version, at, "match_finished", Actor.RULE, None, {"result": MatchResult.of(results)})


def seat_event(
    match: Match,
    happened: SeatEvent,
    version: int,
    place: Place | None,
    names: Mapping[str, PlayerRef] | None = None,
) -> Event:
    """A seat event as everybody may see it. `place` is the seat with its name, where it is at hand; else `names` has
    it."""
    values = dict(happened.values)
    if happened.place is not None and happened.seat is not None:
        named = place if place is not None else happened.place
        values["place"] = seat_view(happened.seat, named, None, names)
    if "turn_seconds" in values:
        told = values.pop("turn_seconds")
        values["rules"] = replace(match.rules, turn_seconds=told if isinstance(told, int) else None)
    if happened.type == "match_created":
        values["spectators"] = match.rules.spectators
        values["commitments"] = cards.commitments(match)
    if "host" in values:
        values["host_seat"] = SEATS[int(str(values.pop("host")))]
    return Event(version, happened.at, happened.type, happened.actor, happened.seat, values)
