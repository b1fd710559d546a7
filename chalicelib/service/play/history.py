"""What has happened: the numbered feed, and deals that are over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chalicelib.engine import MOVES, commitment
from chalicelib.match.cards import as_played, deal_at_start
from chalicelib.match.log import LoggedMove
from chalicelib.match.model import Actor
from chalicelib.match.pace import poll_after
from chalicelib.match.view import DealMove, DealRecord, Feed
from chalicelib.service.errors import NotFound, Refused
from chalicelib.service.table import narrate, readable, refs, view_of

if TYPE_CHECKING:
    from chalicelib.engine import Deal
    from chalicelib.match.model import ClosedDeal
    from chalicelib.service.services import Services


def feed(services: Services, caller: str, match_id: str, after: int, limit: int, *, view: bool = False) -> Feed:
    """At most `limit` events above `after`, as the caller may see them; across deals, without a gap. With `view` the
    caller's view comes along, where there are any.

    `NotFound`: match_not_found. `Refused`: after_beyond_version, a number that no event has had yet.
    """
    table = readable(services, caller, match_id)
    match = table.match
    if after > match.version:
        raise Refused("after_beyond_version", view_of(services, table), version=match.version)
    upto = min(after + limit, match.version)
    items = narrate(services, match, after, upto).seen_by(table.seat)
    shown = table.deal.view(table.seat) if table.deal is not None else None
    return Feed(
        items=items,
        version=upto,
        more=upto < match.version,
        poll_after_seconds=poll_after(match, shown, services.now()),
        deadline_at=match.deadline_at,
        view=view_of(services, table) if view and items else None,
    )


def deal_record(services: Services, caller: str, match_id: str, number: int) -> DealRecord:
    """A deal that is over, whole: hands, moves, secret and seeds. Others may still play an entry's: its secret comes
    later, and one that was left in the middle is not shown. `NotFound`: match_not_found, deal_not_found."""
    match = readable(services, caller, match_id).match
    closed = services.store.closed_deal(match.id, number)
    if closed is None or (match.entry is not None and closed.result is None):
        raise NotFound("deal_not_found")
    seeds = services.store.seeds(match.id) or ()
    players = {player for player in closed.players if player is not None}
    names = refs(services, sorted(players | {seed.player_id for seed in seeds}))
    north, east, south, west = (None if player is None else names[player] for player in closed.players)
    return DealRecord(
        match_id=match.id,
        number=closed.number,
        started_at=closed.base_at,
        ended_at=closed.ended_at,
        deal=as_played(match, closed),
        moves=_moves(closed, deal_at_start(match, number)),
        players=(north, east, south, west),
        deal_secret=closed.deal_secret.hex() if match.shows_secrets(services.now()) else None,
        commitment=commitment(closed.deal_secret),
        seeds=tuple((seed.seat, names[seed.player_id], seed.digits) for seed in seeds),
        client_digest=match.client_digest.hex(),
    )


def _moves(closed: ClosedDeal, deal: Deal) -> tuple[DealMove, ...]:
    moves = []
    number = closed.base_move
    for entry in closed.log.entries():
        if isinstance(entry, LoggedMove) and deal.turn is not None:
            number += 1
            move = MOVES[entry.code]
            actor = Actor.RULE if deal.forced_move() is not None else entry.actor
            moves.append(DealMove(number, deal.turn, actor, closed.base_at + entry.minutes * 60, move))
            deal = deal.play(move)
    return tuple(moves)
