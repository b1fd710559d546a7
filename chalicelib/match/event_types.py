"""Every type of event, and the members it has beside `version`, `at`, `type` and, mostly, `actor`.

The contract is generated from this table, seat events are stored and read by it, and the tests check every event in an
answer against it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping


class EventType(NamedTuple):
    """The members that an event of this type has, always or sometimes, by their names in the API."""

    always: tuple[str, ...] = ()
    perhaps: tuple[str, ...] = ()


_SEAT = ("seat", "place")
"""`place` is what the seat is from now on."""
_CLOCK = ("rules",)
"""Where the event starts or stops the clock."""
_MOVE = ("seat", "move_number")

SEAT_EVENT_TYPES: Mapping[str, EventType] = {
    "match_created": EventType(("seat", "host_seat", "rules", "spectators", "commitments")),
    "seat_taken": EventType(_SEAT, (*_CLOCK, "client_seed")),
    "seat_left": EventType(_SEAT, _CLOCK),
    "seat_away": EventType(_SEAT),
    "seat_back": EventType(_SEAT, _CLOCK),
    "seat_offered": EventType(_SEAT),
    "player_renamed": EventType(_SEAT),
    "player_deleted": EventType(_SEAT),
    "host_changed": EventType(("seat", "host_seat")),
    "match_started": EventType(("rules",)),
    "match_abandoned": EventType(),
    "rematch_created": EventType(("seat", "rematch_id")),
}
"""What is not a move, and is stored as it happened."""

EVENT_TYPES: Mapping[str, EventType] = {
    **SEAT_EVENT_TYPES,
    "deal_started": EventType(("deal_number", "opener", "commitment"), ("hand",)),
    "call": EventType((*_MOVE, "number")),
    "pass": EventType(_MOVE),
    "ser": EventType((*_MOVE, "suit")),
    "play": EventType((*_MOVE, "card")),
    "trick_won": EventType(("seat", "trick_number")),
    "banked": EventType(("seat", "side", "tricks")),
    "deal_scored": EventType(("deal_number", "result")),
    "match_finished": EventType(("match_result",)),
}
"""Those, and what follows from the moves."""
