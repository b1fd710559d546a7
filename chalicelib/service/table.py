"""What the use cases share: finding a match and the caller's seat at it, and retrying a write until it stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chalicelib.engine import Deal, Seat
from chalicelib.match.cards import as_played, running_deal
from chalicelib.match.model import Match, Standing
from chalicelib.match.narrator import NOTHING, deals_between, tell
from chalicelib.match.view import GONE, MatchView, Outcome, PlayerRef, match_view
from chalicelib.service import counters
from chalicelib.service.errors import NotFound, TryAgain, Unauthorized
from chalicelib.service.ports import AccountGone, Lost, SeatHeld, TooManyLive

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Mapping

    from chalicelib.match.model import ClosedDeal, EventBatch
    from chalicelib.match.narrator import Narration
    from chalicelib.match.transition import Transition
    from chalicelib.service.ports import Player
    from chalicelib.service.services import Services

ATTEMPTS = 4
"""Tries of a write that loses its race. Each loss means that somebody else's write has won."""
MOST_EVENTS = 200
"""Events that the answer to a write carries. One write makes fewer: they are cut where it is repeated much later."""
LOOKED_BACK = 25
"""Writes of seat events, the latest ones, among which a repeated request looks for what it did the first time."""


@dataclass(frozen=True, slots=True)
class Table:
    """A match as read for one caller: `seat` is the caller's own, None for whoever has none."""

    match: Match
    caller: str
    seat: Seat | None
    deal: Deal | None

    @property
    def is_host(self) -> bool:
        """Whether the caller is the match's host."""
        return self.seat is not None and self.seat is self.match.host


def find(services: Services, caller: str, match_id: str) -> Table:
    """The match with the caller's seat, or `NotFound`. Whether the caller may see it is for `readable`."""
    match = services.store.match(match_id)
    if match is None:
        raise NotFound("match_not_found")
    return Table(match, caller, match.seat_of(caller), running_deal(match))


def readable(services: Services, caller: str, match_id: str) -> Table:
    """As `find`, but only for callers who may see the match: who is or was at the table, and anybody if it allows
    spectators."""
    table = find(services, caller, match_id)
    require_sight(services, table)
    return table


def require_sight(services: Services, table: Table) -> None:
    """`NotFound` for those who may not see the match, as if there were none."""
    if not may_see(services, table):
        raise NotFound("match_not_found")


def may_see(services: Services, table: Table) -> bool:
    """Whether the caller is or was at the table, or anybody may watch it."""
    match = table.match
    known = match.rules.spectators or any(place.player_id == table.caller for place in match.places)
    if known:
        return True
    held = services.store.membership(table.caller, match.id)
    return held is not None and held.standing is Standing.MEMBER


def shown(services: Services, table: Table) -> MatchView | None:
    """The caller's view if they may see the match: for a failure to carry."""
    return view_of(services, table) if may_see(services, table) else None


def names_of(services: Services, match: Match) -> Mapping[str, PlayerRef] | None:
    """Present names of an ended match's players; None while it is live, when its places have them."""
    if match.status.live:
        return None
    return refs(services, [place.player_id for place in match.places if place.player_id is not None])


def refs(services: Services, player_ids: list[str]) -> dict[str, PlayerRef]:
    """How players are known now; a deleted or unknown account is `GONE`."""
    players: Mapping[str, Player] = services.store.players(player_ids) if player_ids else {}
    return {player_id: ref(players.get(player_id)) for player_id in player_ids}


def ref(player: Player | None) -> PlayerRef:
    return GONE if player is None or player.deleted_at is not None else PlayerRef(player.id, player.name)


def living(services: Services, player_id: str) -> Player:
    """The caller's account, or `Unauthorized`."""
    player = services.store.player(player_id)
    if player is None or player.deleted_at is not None:
        raise Unauthorized("account_deleted")
    return player


def view_of(services: Services, table: Table) -> MatchView:
    """The caller's view. An ended match shows its last deal as it ended."""
    match, deal = table.match, table.deal
    if deal is None and match.deal:
        last = services.store.closed_deal(match.id, match.deal)
        deal = as_played(match, last) if last is not None else None
    return match_view(match, deal, table.seat, services.now(), names_of(services, match))


def carry_out(services: Services, caller: str, decide: Callable[[], Transition | Outcome]) -> Outcome:
    """Decide on a fresh read and write, until the write stands or there is nothing to write; then the caller's view.

    After a lost race it decides again on a fresh read: that is also how a write whose answer was lost finds itself
    done. Raises `TryAgain` when every attempt has lost its race.
    """
    for _ in range(ATTEMPTS):
        transition = decide()
        if isinstance(transition, Outcome):
            return transition
        change = transition.change()
        try:
            services.store.save(change)
        except (Lost, SeatHeld, TooManyLive):
            counters.current().lost_races += 1
            continue
        except AccountGone:
            living(services, caller)  # else it is another's, and the next try sees that
            continue
        match, seat = transition.match, transition.match.seat_of(caller)
        names = names_of(services, match)
        batches = (change.batch,) if change.batch is not None else ()
        narration = tell(
            match,
            (change.closed,) if change.closed is not None else (),
            batches,
            change.before.version if change.before is not None else 0,
            match.version,
            _names_in(services, match, batches, names) if batches else {},
            transition.deal_before,
        )
        view = match_view(match, transition.last_deal, seat, transition.now, names)
        return Outcome(view, narration.seen_by(seat))
    raise TryAgain("try_again")


def repeated(services: Services, table: Table, did: Container[str], seat: Seat) -> Outcome:
    """What a repeated request answers: the view as it is, and the events from what it did the last time on.

    `did` has the types of events of the seat that say so. If that is too long ago to be found, they are all of the
    match's events; if it never happened, there are none.
    """
    latest = services.store.latest_batches(table.match.id, LOOKED_BACK)
    for batch in latest:
        for version, event in reversed([*enumerate(batch.events, batch.version)]):
            if event.type in did and event.seat is seat and version <= table.match.version:
                return unchanged(services, table, version - 1)
    return unchanged(services, table, 0 if len(latest) == LOOKED_BACK else None)


def unchanged(services: Services, table: Table, after: int | None = None) -> Outcome:
    """The view as it is, and the events above `after`, the latest where they are many; without `after` none."""
    match = table.match
    if after is None:
        return Outcome(view_of(services, table), ())
    begin = max(after, match.version - MOST_EVENTS)
    events = narrate(services, match, begin, match.version).seen_by(table.seat)
    return Outcome(view_of(services, table), events, after if begin > after else None)


def narrate(services: Services, match: Match, after: int, upto: int) -> Narration:
    """The events above `after` and up to `upto`, reading only what that stretch needs.

    The match was read first: no deal can be lost. A deal that has ended since is told from the match, as far as that
    has it.
    """
    if after >= upto:
        return NOTHING
    earlier = after < match.base_version
    closed: tuple[ClosedDeal, ...] = ()
    if earlier and match.deal:
        closed = services.store.closed_deals(match.id, *deals_between(match, after, upto))
    batches: tuple[EventBatch, ...] = ()
    if earlier or match.log.marks:
        batches = services.store.batches(match.id, after, upto)
    return tell(match, closed, batches, after, upto, _names_in(services, match, batches, names_of(services, match)))


def _names_in(
    services: Services, match: Match, batches: tuple[EventBatch, ...], present: Mapping[str, PlayerRef] | None
) -> Mapping[str, PlayerRef]:
    """Names for seat events: of those at the table from its places, of those who have gone from their accounts.
    `present` is what `names_of` gives."""
    names = dict(present or {})
    for place in match.places:
        if place.deleted and place.player_id is not None:
            names[place.player_id] = GONE
        elif place.player_id is not None:
            names.setdefault(place.player_id, PlayerRef(place.player_id, place.name))
    player_ids = {event.place.player_id for batch in batches for event in batch.events if event.place is not None}
    return names | refs(services, sorted(player_id for player_id in player_ids if player_id and player_id not in names))
