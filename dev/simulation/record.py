"""What was acknowledged to anybody, match by match, and whether all of it is still there, once."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chalicelib.match.view import Event

_TOLD = (
    "move_number",
    "number",
    "suit",
    "card",
    "trick_number",
    "side",
    "tricks",
    "deal_number",
    "commitment",
    "result",
    "rematch_id",
)


class Broken(AssertionError):
    """A promise of the simulation is not kept."""


def gist(event: Event) -> tuple[object, ...]:
    """An event without what changes with time or with the viewer: names and hands."""
    return (event.type, event.at, event.actor, event.seat, *(event.values.get(name) for name in _TOLD))


class Record:
    """Events by match and version."""

    def __init__(self) -> None:
        self._told: dict[str, dict[int, tuple[object, ...]]] = {}
        self.count = 0

    def acknowledged(self, match_id: str, events: Iterable[Event]) -> None:
        """Somebody was told these; whoever was told another of the same number was told a falsehood."""
        told = self._told.setdefault(match_id, {})
        for event in events:
            kept = told.setdefault(event.version, gist(event))
            if kept != gist(event):
                raise Broken(f"two events {event.version} in match {match_id}: {kept} and {gist(event)}")
            self.count += 1

    def check(self, match_id: str, version: int, feed: tuple[Event, ...]) -> None:
        """The whole feed has every number once, and all that was ever told."""
        if [event.version for event in feed] != list(range(1, version + 1)):
            raise Broken(f"the feed of match {match_id} has gaps")
        self.acknowledged(match_id, feed)
        if len(self._told[match_id]) != version:
            raise Broken(f"events of match {match_id} are lost")
