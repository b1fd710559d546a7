"""Entering a set: an ordinary match with its cards, alone and once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chalicelib.engine import SEATS
from chalicelib.service.errors import NotFound, Refused, WrongState
from chalicelib.service.services import derived_id
from chalicelib.service.table import carry_out, living, readable, unchanged
from chalicelib.service.tables.matches import NewMatch, SeatRequest, new_table, one_more

if TYPE_CHECKING:
    from chalicelib.match.sets import DealSet
    from chalicelib.match.transition import Transition
    from chalicelib.match.view import Outcome
    from chalicelib.service.services import Services


def find_set(services: Services, set_id: str) -> DealSet:
    """The set, once it has opened. `NotFound`: set_not_found."""
    deal_set = services.store.deal_set(set_id)
    if deal_set is None or services.now() < deal_set.opens_at:
        raise NotFound("set_not_found")
    return deal_set


def entry_id(deal_set: DealSet, player_id: str) -> str:
    """The match that is, or would be, the player's entry; of whoever made a challenge it is the one it was made of."""
    if deal_set.source is not None and deal_set.source.player_id == player_id:
        return deal_set.source.match_id
    return derived_id("entry", deal_set.id, player_id)


def enter(services: Services, caller: str, set_id: str) -> Outcome:
    """Play the set; an entry that was made before is answered as it stands.

    `NotFound`: set_not_found. `WrongState`: set_closed. `Refused`: edition_retired, too_many_matches.
    `Unauthorized`: account_deleted.
    """

    def decide() -> Transition | Outcome:
        player = living(services, caller)
        deal_set = find_set(services, set_id)
        match_id = entry_id(deal_set, caller)
        if services.store.match(match_id) is not None:
            return unchanged(services, readable(services, caller, match_id), 0)
        if not deal_set.takes_entries(services.now()):
            closed = deal_set.closes_at is not None and services.now() >= deal_set.closes_at
            raise WrongState("set_closed") if closed else Refused("edition_retired")
        one_more(services, caller)
        seats = {
            seat: SeatRequest("human") if level is None else SeatRequest("bot", level)
            for seat, level in zip(SEATS, deal_set.line_up, strict=True)
        }
        rules = deal_set.rules
        wanted = NewMatch(
            deals=rules.deals,
            after_bank=rules.after_bank,
            hints=rules.hints,
            seats=seats,
            client_seed=deal_set.client_seed,
        )
        return new_table(services, player, match_id, wanted, deal_set)

    return carry_out(services, caller, decide)
