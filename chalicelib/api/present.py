"""Answers as JSON values, built straight from the service's values. What does not apply is left out.

This is on the way of every move: tables made once stand in for formatting.
"""

from __future__ import annotations

import functools
import time
from typing import TYPE_CHECKING, Any

from chalicelib.engine import CARDS, MOVES, SEATS, SUITS, Call, Pass, Play, Ser

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from chalicelib.engine import DealResult, DealView, FinishedTrick, Move, Played, Seat
    from chalicelib.match.model import Invite, Rules
    from chalicelib.match.view import (
        Event,
        Feed,
        InviteView,
        MatchResult,
        MatchView,
        Offer,
        Outcome,
        PlayerRef,
        SeatView,
        Summary,
        Waiting,
    )

Json = dict[str, Any]

SEAT_TEXT = tuple(seat.text for seat in SEATS)
SUIT_TEXT = tuple(suit.text for suit in SUITS)
CARD_TEXT = tuple(str(card) for card in CARDS)


def _move_body(move: Move) -> Json:
    match move:
        case Call():
            return {"type": "call", "number": move.number}
        case Pass():
            return {"type": "pass"}
        case Ser():
            return {"type": "ser", "suit": move.suit.text}
        case Play():
            return {"type": "play", "card": str(move.card)}


MOVE_BODY = tuple(_move_body(move) for move in MOVES)
"""By code: the body that makes the move."""


@functools.lru_cache(maxsize=256)
def moment(at: int) -> str:
    """Seconds since the epoch as RFC 3339, UTC."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(at))


def sides(two: tuple[int, int]) -> Json:
    return {"ns": two[0], "ew": two[1]}


def player(ref: PlayerRef) -> Json:
    if ref.deleted:
        return {"deleted": True}
    return {"id": ref.id, "name": ref.name} if ref.name else {"id": ref.id}


def seat(view: SeatView) -> Json:
    shown: Json = {"seat": SEAT_TEXT[view.seat], "type": view.type}
    if view.player is not None:
        shown["player"] = player(view.player)
    if view.level is not None:
        shown["level"] = view.level
    if view.cards_left is not None:
        shown["cards_left"] = view.cards_left
    shown["away"] = view.away
    shown["left"] = view.left
    return shown


def rules(told: Rules) -> Json:
    shown: Json = {"deals": told.deals, "after_bank": told.after_bank.value}
    if told.turn_seconds is not None:
        shown["turn_seconds"] = told.turn_seconds
    return shown | {"start": told.start.value, "take_over": told.take_over, "hints": told.hints}


def invite(told: Invite) -> Json:
    return {"code": told.code, "expires_at": moment(told.expires_at)}


def deal_result(result: DealResult) -> Json:
    return {
        "side": result.side.value,
        "contract": result.contract,
        "banked": result.banked,
        "made": result.made,
        "score": result.score,
    }


def match_result(result: MatchResult) -> Json:
    shown: Json = {"scores": sides(result.scores), "deals": [deal_result(deal) for deal in result.deals]}
    if result.winner is not None:
        shown["winner"] = result.winner.value
    return shown


def plays(told: Iterable[Played]) -> list[Json]:
    return [{"seat": SEAT_TEXT[at], "card": CARD_TEXT[card.index]} for at, card in told]


def trick(told: FinishedTrick) -> Json:
    return {"leader": SEAT_TEXT[told.leader], "plays": plays(told.plays), "winner": SEAT_TEXT[told.winner]}


def calls(told: Iterable[tuple[Seat, int | None]]) -> list[Json]:
    return [
        {"seat": SEAT_TEXT[at]} if number is None else {"seat": SEAT_TEXT[at], "number": number} for at, number in told
    ]


def deal(number: int, view: DealView, commitment: str, *, tricks: bool) -> Json:
    """The running deal (or an ended match's last) from one seat, without the seat's own cards."""
    shown: Json = {"deal_number": number, "opener": SEAT_TEXT[view.opener], "phase": view.phase.value}
    if view.turn is not None:
        shown["turn"] = SEAT_TEXT[view.turn]
    shown["calls"] = calls(view.calls)
    if view.declarer is not None:
        shown["declarer"] = SEAT_TEXT[view.declarer]
        shown["contract"] = view.contract
    if view.ser is not None:
        shown["ser"] = SUIT_TEXT[view.ser]
    if view.trick is not None:
        shown["trick"] = {"leader": SEAT_TEXT[view.trick.leader], "plays": plays(view.trick.plays)}
    if view.tricks:
        shown["last_trick"] = trick(view.tricks[-1])
    if tricks:
        shown["tricks"] = [trick(each) for each in view.tricks]
    shown["pile"] = {"tricks": view.pile}
    if view.run_seat is not None:
        shown["pile"]["run_seat"] = SEAT_TEXT[view.run_seat]
    shown["banked"] = sides(view.banked)
    shown["commitment"] = commitment
    if view.result is not None:
        shown["result"] = deal_result(view.result)
    return shown


def match(view: MatchView, *, tricks: bool = False) -> Json:
    """MatchView; with `tricks` every finished trick of the deal, not the last alone."""
    shown: Json = {
        "id": view.id,
        "version": view.version,
        "status": view.status.value,
        "rules": rules(view.rules),
        "spectators": view.rules.spectators,
        "created_at": moment(view.created_at),
        "next_move": view.next_move,
        "poll_after_seconds": view.poll_after_seconds,
        "seats": [seat(each) for each in view.seats],
        "scores": sides(view.scores),
        "commitments": view.commitments,
    }
    if view.invite is not None:
        shown["invite"] = invite(view.invite)
    if view.host is not None:
        shown["host_seat"] = SEAT_TEXT[view.host]
    if view.deadline_at is not None:
        shown["deadline_at"] = moment(view.deadline_at)
    own = view.deal
    if view.seat is not None:
        shown["you"] = {
            "seat": SEAT_TEXT[view.seat],
            "hand": [] if own is None else [CARD_TEXT[card.index] for card in own.hand],
            "legal_moves": [] if own is None else [MOVE_BODY[move.code] for move in own.legal_moves],
        }
    if own is not None and view.deal_number is not None:
        shown["deal"] = deal(view.deal_number, own, view.commitments[view.deal_number - 1], tricks=tricks)
    if view.previous_deal is not None:
        number, result = view.previous_deal
        shown["previous_deal"] = {"deal_number": number, "result": deal_result(result)}
    if view.result is not None:
        shown["result"] = match_result(view.result)
    if view.rematch_id is not None:
        shown["rematch_id"] = view.rematch_id
    if view.set_id is not None:
        shown["set_id"] = view.set_id
    return shown


_EVENT_VALUE: dict[str, Callable[[Any], Any]] = {
    "suit": lambda value: SUIT_TEXT[value],
    "card": lambda value: CARD_TEXT[value.index],
    "hand": lambda value: [CARD_TEXT[card.index] for card in value],
    "opener": lambda value: SEAT_TEXT[value],
    "host_seat": lambda value: SEAT_TEXT[value],
    "place": seat,
    "player": player,
    "rules": rules,
    "result": deal_result,
    "match_result": match_result,
}


def event(told: Event) -> Json:
    """One Event, flat."""
    shown: Json = {"version": told.version, "at": moment(told.at), "type": told.type}
    if told.actor is not None:
        shown["actor"] = told.actor.value
    if told.seat is not None:
        shown["seat"] = SEAT_TEXT[told.seat]
    for name, value in told.values.items():
        if name == "result" and told.type == "match_finished":
            name = "match_result"  # a member of an open answer has one type, whatever the event's
        as_json = _EVENT_VALUE.get(name)
        shown[name] = value if as_json is None else as_json(value)
    return shown


def update(outcome: Outcome) -> Json:
    """MatchUpdate."""
    shown: Json = {"match": match(outcome.view), "events": [event(each) for each in outcome.events]}
    if outcome.events_from is not None:
        shown["events_from"] = outcome.events_from
    return shown


def event_page(feed: Feed) -> Json:
    """EventPage."""
    shown: Json = {
        "items": [event(each) for each in feed.items],
        "version": feed.version,
        "more": feed.more,
        "poll_after_seconds": feed.poll_after_seconds,
    }
    if feed.deadline_at is not None:
        shown["deadline_at"] = moment(feed.deadline_at)
    if feed.view is not None:
        shown["match"] = match(feed.view)
    return shown


def summary(told: Summary) -> Json:
    """MatchSummary."""
    shown: Json = {
        "id": told.id,
        "version": told.version,
        "status": told.status.value,
        "seats": [seat(each) for each in told.seats],
        "your_turn": told.your_turn,
        "stands_still": told.stands_still,
        "scores": sides(told.scores),
        "created_at": moment(told.created_at),
        "updated_at": moment(told.updated_at),
    }
    if told.your_seat is not None:
        shown["your_seat"] = SEAT_TEXT[told.your_seat]
    if told.deadline_at is not None:
        shown["deadline_at"] = moment(told.deadline_at)
    if told.rematch_id is not None:
        shown["rematch_id"] = told.rematch_id
    if told.set_id is not None:
        shown["set_id"] = told.set_id
    return shown


def offer(told: Offer) -> Json:
    """Offer."""
    shown: Json = {
        "match": summary(told.match),
        "seat": SEAT_TEXT[told.seat],
        "expires_at": moment(told.expires_at),
    }
    if told.rematch_of is not None:
        shown["rematch_of"] = told.rematch_of
    return shown


def waiting(told: Waiting) -> Json:
    """Turns."""
    matches, offers = [summary(each) for each in told.matches], [offer(each) for each in told.offers]
    return {"count": len(matches) + len(offers), "items": matches, "offers": offers}


def invitation(told: InviteView) -> Json:
    """Invitation: what a friend sees before joining."""
    shown: Json = {
        "rules": rules(told.rules),
        "seats": [seat(each) for each in told.seats],
        "free_seats": [SEAT_TEXT[each] for each in told.free_seats],
        "commitments": told.commitments,
    }
    if told.match_id is not None:
        shown["match_id"] = told.match_id
    if told.set_id is not None:
        shown["set_id"] = told.set_id
    if told.expires_at is not None:
        shown["expires_at"] = moment(told.expires_at)
    if told.host is not None:
        shown["host"] = player(told.host)
    return shown
