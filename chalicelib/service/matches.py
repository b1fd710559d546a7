"""Making matches, reading them, and looking them up."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from chalicelib.engine import SEATS, AfterBank, Seat
from chalicelib.service.cards import running_deal
from chalicelib.service.errors import NotFound, Refused
from chalicelib.service.house import derived_id, plain_code
from chalicelib.service.log import Log
from chalicelib.service.model import (
    DAY,
    UNSTARTED_LIFE,
    Invite,
    Match,
    Membership,
    Place,
    Rules,
    SeatType,
    Start,
    Status,
)
from chalicelib.service.step import DEFAULT_LEVEL, Step
from chalicelib.service.table import done, living, readable, unchanged, view_of
from chalicelib.service.view import InviteView, MatchView, Outcome, Summary, SummaryPage, seat_views

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chalicelib.service.house import House
    from chalicelib.service.ports import Player

MOST_LIVE = 50
"""Live matches a player may have: it keeps lists and the badge cheap."""

MOST_PAGES = 10
"""Pages read for one answer, where a filter leaves few: the answer is then short, and its cursor goes on."""


@dataclass(frozen=True, slots=True)
class SeatRequest:
    """What a new table has on a seat: `me`, `empty` or `bot` (of a level)."""

    type: str
    level: str | None = None


@dataclass(frozen=True, slots=True)
class NewMatch:
    """What a table is asked to be. Nothing asked: a solo match, the caller north and bots elsewhere."""

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


def create(house: House, caller: str, asked: NewMatch, key: str | None = None) -> Outcome:
    """A new match, the caller seated; started at once where no seat is left to be taken.

    With an Idempotency-Key the same request again finds the first one's match. `Refused`: idempotency_key_reused,
    host_must_sit, too_many_matches. `Unauthorized`: account_deleted.
    """
    player = living(house, caller)
    match_id = derived_id("match", caller, key) if key is not None else house.new_id()

    def decide() -> Step | Outcome:
        if key is not None and house.store.match(match_id) is not None:
            table = readable(house, caller, match_id)
            if table.match.request_digest != asked.digest:
                raise Refused("idempotency_key_reused")
            return unchanged(house, table, 0)
        if len(house.store.memberships(caller, MOST_LIVE, live=True).items) >= MOST_LIVE:
            raise Refused("too_many_matches", most=MOST_LIVE)
        return _new_table(house, player, match_id, asked)

    return done(house, caller, decide)


def _new_table(house: House, player: Player, match_id: str, asked: NewMatch) -> Step:
    wished = asked.seats
    if wished is None:
        wished = {seat: SeatRequest("bot", DEFAULT_LEVEL) for seat in SEATS} | {Seat.NORTH: SeatRequest("me")}
    own = [seat for seat in SEATS if seat in wished and wished[seat].type == "me"]
    if len(own) != 1:
        raise Refused("host_must_sit", seats=len(own))
    seat, now = own[0], house.now()
    waits = len([1 for other in SEATS if other in wished and wished[other].type != "empty"]) < len(SEATS)
    clock_by_default = asked.turn_seconds is None and waits
    rules = Rules(
        deals=asked.deals,
        after_bank=asked.after_bank,
        turn_seconds=DAY if clock_by_default else asked.turn_seconds,
        clock_by_default=clock_by_default,
        start=asked.start,
        spectators=asked.spectators,
        take_over=asked.take_over,
        hints=asked.hints,
    )
    shares = waits or asked.take_over or asked.start is Start.BY_HOST
    match = new_match(house, match_id, rules, seat, now, share=shares, digest=asked.digest)
    step = Step(match, now, seat, new=True)
    step.happen("match_created", seat, turn_seconds=rules.turn_seconds, host=int(seat))
    for each in SEATS:
        wish = wished.get(each)
        if wish is not None and wish.type == "me":
            sit_down(step, each, player, asked.client_seed)
        elif wish is not None and wish.type == "bot":
            step.happen("seat_taken", each, Place(SeatType.BOT, level=wish.level or DEFAULT_LEVEL))
    start_if_full(step)
    return step


def new_match(
    house: House,
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
    return Match(
        id=match_id,
        secret=house.random_bytes(32),
        rules=rules,
        status=Status.WAITING,
        places=(Place(), Place(), Place(), Place()),
        host=host,
        created_at=now,
        version=0,
        seeds=("", "", "", ""),
        client_digest=b"",
        first_opener=None,
        deal=0,
        base_version=0,
        base_move=0,
        base_at=now,
        log=Log(),
        results=(),
        turn_at=now,
        wake_at=None,
        invite=Invite(house.new_code(), now + UNSTARTED_LIFE) if share else None,
        rematch_of=rematch_of,
        request_digest=digest,
    )


def sit_down(step: Step, seat: Seat, player: Player, client_seed: str) -> None:
    """The player takes the seat before the start, with a seed of theirs for the shuffle."""
    step.seed(seat, client_seed)
    step.happen("seat_taken", seat, Place(SeatType.HUMAN, player.id, player.name))
    step.joined.append(Membership(player.id, step.match.id, seat, step.match.created_at))


def start_if_full(step: Step) -> None:
    """Start a table that waits for nobody, unless its host wants to say when."""
    taken = all(place.type in (SeatType.HUMAN, SeatType.BOT) for place in step.match.places)
    if taken and step.match.status is Status.WAITING and step.match.rules.start is Start.WHEN_FULL:
        step.start()
        step.run_on()


def read(house: House, caller: str, match_id: str) -> MatchView:
    """The caller's view of a match; a spectator's for those who have no seat. `NotFound`: match_not_found."""
    return view_of(house, readable(house, caller, match_id))


def look_up_invite(house: House, code: str) -> InviteView:
    """What a friend sees before joining. `NotFound`: invite_not_found, alike for a wrong and an expired code."""
    match_id = house.store.invited_to(plain_code(code), house.now())
    match = house.store.match(match_id) if match_id is not None else None
    if match is None or match.invite is None or not match.seat_can_be_had:
        raise NotFound("invite_not_found")
    deal = running_deal(match)
    seats = seat_views(match, deal.view(None) if deal is not None else None)
    return InviteView(
        match_id=match.id,
        host=seats[match.host].player if match.host is not None else None,
        rules=match.rules,
        seats=seats,
        expires_at=match.invite.expires_at,
    )


def list_mine(
    house: House, caller: str, status: Status | None = None, limit: int = 20, after: tuple[int, str] | None = None
) -> SummaryPage:
    """The caller's matches, newest first, filtered by status. `after` goes on behind a page's last match."""
    live = status is not None and status.live
    found: list[Summary] = []
    for _ in range(MOST_PAGES):
        page = house.store.memberships(caller, limit, after, live=live)
        matches = house.store.matches(item.match_id for item in page.items)
        for item in page.items:
            match = matches.get(item.match_id)
            if match is not None and (status is None or match.status is status):
                found.append(summary(house, match, caller))
                if len(found) == limit:
                    after = (item.created_at, item.match_id)
                    return SummaryPage(tuple(found), after if item is not page.items[-1] else page.after)
        after = page.after
        if after is None:
            break
    return SummaryPage(tuple(found), after)


def my_turns(house: House, caller: str) -> tuple[Summary, ...]:
    """Matches with another human that wait for the caller's move, the nearest deadline first."""
    page = house.store.memberships(caller, MOST_LIVE, live=True)
    matches = house.store.matches(item.match_id for item in page.items)
    waiting = [
        told
        for match in matches.values()
        if sum(place.type is SeatType.HUMAN for place in match.places) > 1
        and (told := summary(house, match, caller)).your_turn
    ]
    return tuple(sorted(waiting, key=lambda told: (told.deadline_at is None, told.deadline_at or told.updated_at)))


def summary(house: House, match: Match, caller: str) -> Summary:
    """A match in a list of the caller's own."""
    deal = running_deal(match)
    seat = match.seat_of(caller)
    return Summary(
        id=match.id,
        version=match.version,
        status=match.status,
        seats=seat_views(match, deal.view(None) if deal is not None else None),
        your_seat=seat,
        your_turn=deal is not None and seat is not None and deal.turn == seat,
        scores=match.scores,
        created_at=match.created_at,
        deadline_at=match.deadline_at,
        updated_at=match.turn_at,
    )
