"""Making matches, and reading them."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from chalicelib.engine import SEATS, AfterBank, Seat
from chalicelib.match.log import Log
from chalicelib.match.model import (
    MOST_LIVE,
    UNSTARTED_LIFE,
    Invite,
    Match,
    Place,
    Rules,
    SeatType,
    Seed,
    Start,
    Status,
)
from chalicelib.match.transition import DEFAULT_LEVEL, Transition
from chalicelib.match.view import MatchView, Outcome
from chalicelib.service.errors import Refused
from chalicelib.service.services import derived_id
from chalicelib.service.table import carry_out, living, readable, shown, unchanged, view_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chalicelib.match.sets import DealSet
    from chalicelib.service.ports import Player
    from chalicelib.service.services import Services
    from chalicelib.service.table import Table


class SeatRequest(NamedTuple):
    """What a new table has on a seat: `human` (the host), `empty` or `bot` (of a level)."""

    type: str
    level: str | None = None


@dataclass(frozen=True, slots=True)
class NewMatch:
    """What a caller wants of a table. By default: a solo match, the caller north and bots elsewhere."""

    deals: int = 4
    after_bank: AfterBank = AfterBank.FRESH
    turn_seconds: int | None = None
    """None: a day if another human may sit, else no clock."""
    spectators: bool = False
    start: Start = Start.WHEN_FULL
    take_over: bool = False
    hints: bool = True
    seats: Mapping[Seat, SeatRequest] | None = None
    """Seats that are not named stay empty."""
    client_seed: str = ""
    digest: bytes = field(default=b"", compare=False)
    """Of the request's body as it was sent: tells another request under the same Idempotency-Key."""


def request_digest(body: object) -> bytes:
    """A short digest of a JSON value, the same however its object members are ordered or spaced."""
    return hashlib.sha256(json.dumps(body, sort_keys=True, separators=(",", ":")).encode()).digest()[:8]


def create(services: Services, caller: str, wanted: NewMatch, key: str | None = None) -> Outcome:
    """A new match, the caller seated; started at once where no seat is left to be taken.

    With an Idempotency-Key the same request again finds the first one's match. `NotFound`: match_not_found, where that
    is no longer the caller's to see. `Refused`: idempotency_key_reused, host_must_sit, too_many_matches.
    `Unauthorized`: account_deleted.
    """
    match_id = derived_id("match", caller, key) if key is not None else services.new_id()

    def decide() -> Transition | Outcome:
        player = living(services, caller)
        if key is not None and services.store.match(match_id) is not None:
            table = readable(services, caller, match_id)  # unless the caller has left it before the start
            if table.match.request_digest != wanted.digest:
                raise Refused("idempotency_key_reused", view_of(services, table))
            return unchanged(services, table, 0)
        one_more(services, caller)
        return new_table(services, player, match_id, wanted)

    return carry_out(services, caller, decide)


def one_more(services: Services, caller: str, table: Table | None = None) -> None:
    """`Refused` (too_many_matches) if the caller has as many live matches as anybody may. `table`: the one at hand.

    It is the write that holds the limit; this tells the caller, and spares the write.
    """
    if len(services.store.live(caller)) >= MOST_LIVE:
        raise Refused("too_many_matches", shown(services, table) if table is not None else None, most=MOST_LIVE)


def new_table(
    services: Services, player: Player, match_id: str, wanted: NewMatch, of: DealSet | None = None
) -> Transition:
    """A table with the player and the bots that are wanted; with the cards of a set, if it is an entry of one."""
    seats = wanted.seats
    if seats is None:
        seats = {seat: SeatRequest("bot", DEFAULT_LEVEL) for seat in SEATS} | {Seat.NORTH: SeatRequest("human")}
    own = [seat for seat in SEATS if seat in seats and seats[seat].type == "human"]
    if len(own) != 1:
        raise Refused("host_must_sit", seats=len(own))
    seat, now = own[0], services.now()
    waits = len([1 for other in SEATS if other in seats and seats[other].type != "empty"]) < len(SEATS)
    rules = Rules(
        deals=wanted.deals,
        after_bank=wanted.after_bank,
        turn_seconds=wanted.turn_seconds,
        clock_by_default=wanted.turn_seconds is None,
        start=wanted.start,
        spectators=wanted.spectators,
        take_over=wanted.take_over,
        hints=wanted.hints,
    ).with_humans(2 if waits else 1)
    shares = waits or wanted.take_over or wanted.start is Start.BY_HOST
    match = new_match(services, match_id, rules, seat, now, share=shares, digest=wanted.digest)
    if of is not None:
        match = replace(match, secret=of.secret, entry=of.entry, edition=of.edition)
    transition = services.transition(match, new=True)
    transition.happen("match_created", seat, turn_seconds=rules.turn_seconds, host=int(seat))
    for each in SEATS:
        wanted_seat = seats.get(each)
        if wanted_seat is not None and wanted_seat.type == "human":
            sit_down(transition, each, player, wanted.client_seed)
        elif wanted_seat is not None and wanted_seat.type == "bot":
            transition.happen("seat_taken", each, Place(SeatType.BOT, level=wanted_seat.level or DEFAULT_LEVEL))
    start_if_full(transition)
    return transition


def new_match(
    services: Services,
    match_id: str,
    rules: Rules,
    host: Seat,
    now: int,
    *,
    share: bool,
    digest: bytes = b"",
    rematch_of: str | None = None,
) -> Match:
    """A table with nobody at it yet; with `share` it has an invite code."""
    from chalicelib import bots  # 7 ms, which a cold start among people does without

    return Match(
        id=match_id,
        secret=services.random_bytes(32),
        rules=rules,
        status=Status.WAITING,
        places=(Place(), Place(), Place(), Place()),
        host=host,
        created_at=now,
        version=0,
        seeds=(),
        client_digest=b"",
        first_opener=None,
        deal=0,
        base_version=0,
        base_move=0,
        base_at=now,
        log=Log(),
        results=(),
        turn_at=now,
        last_at=now,
        scheduled_at=None,
        edition=bots.EDITION,
        invite=Invite(services.new_code(), now + UNSTARTED_LIFE) if share else None,
        rematch_of=rematch_of,
        request_digest=digest,
    )


def sit_down(transition: Transition, seat: Seat, player: Player, client_seed: str) -> None:
    """The player takes the seat before the start, with a seed of theirs for the shuffle.

    The event tells it: who speaks after has seen what was said before.
    """
    values: dict[str, object] = {"client_seed": client_seed} if client_seed else {}
    transition.seed(seat, Seed(seat, player.id, client_seed))
    transition.happen("seat_taken", seat, Place(SeatType.HUMAN, player.id, player.name), None, **values)
    transition.named.append(player)


def start_if_full(transition: Transition) -> None:
    """Start a table that waits for nobody, unless its host wants to say when."""
    taken = all(place.type in (SeatType.HUMAN, SeatType.BOT) for place in transition.match.places)
    if taken and transition.match.status is Status.WAITING and transition.match.rules.start is Start.WHEN_FULL:
        transition.start()
        transition.run_on()


def read(services: Services, caller: str, match_id: str) -> MatchView:
    """The caller's view of a match; a spectator's for those who have no seat. `NotFound`: match_not_found."""
    return view_of(services, readable(services, caller, match_id))
