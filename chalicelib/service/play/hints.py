"""A hint: what the best bot would do in the caller's seat, from the caller's view alone, and why."""

from __future__ import annotations

import hmac
import logging
from typing import TYPE_CHECKING

from chalicelib.bots.hint import HINTS
from chalicelib.bots.hint import hint as hint_for
from chalicelib.match.cards import next_move_number
from chalicelib.match.model import Status
from chalicelib.match.opponents import opponents
from chalicelib.service.errors import Forbidden, Refused, WrongState
from chalicelib.service.table import readable, view_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from chalicelib.bots.hint import Hint
    from chalicelib.service.services import Services

__all__ = ["HINTS", "hint"]
_log = logging.getLogger(__name__)


def hint(services: Services, caller: str, match_id: str, find: Callable[..., Hint] = hint_for) -> Hint:
    """A move for the caller, whose turn it is; asked for again, the same.

    `NotFound`: match_not_found. `Forbidden`: not_seated. `WrongState`: match_not_started, match_over.
    `Refused`: hints_off, not_your_turn, hint_unavailable.
    """
    table = readable(services, caller, match_id)
    match = table.match
    if table.seat is None:
        raise Forbidden("not_seated")
    if match.status is Status.WAITING:
        raise WrongState("match_not_started", view_of(services, table))
    if table.deal is None:
        raise WrongState("match_over", view_of(services, table))
    if not match.rules.hints:
        raise Refused("hints_off", view_of(services, table))
    turn = table.deal.turn
    if turn is not None and turn is not table.seat:
        raise Refused("not_your_turn", view_of(services, table), turn=turn.text)
    key = hmac.digest(match.secret, b"hint:%d" % next_move_number(match, table.deal), "sha256")
    try:
        return find(table.deal.view(table.seat), key, opponents(match, table.deal, asking=table.seat))
    except Exception:
        _log.exception("no hint could be found", extra={"match_id": match.id})
        raise Refused("hint_unavailable", view_of(services, table)) from None
