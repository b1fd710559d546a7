"""`make restore-match STAGE=… MATCH=… TABLE=…`: one match as it is in a table that was restored to a point in time.

All of it goes back: the match, its finished deals, its events and seeds, the invite code, and its entries in its
players' lists. What came after that point is deleted, except for a rematch: that is a match of its own, and stays the
rematch of this one. The turn now waiting begins anew, so that nobody's time has run out meanwhile. Repeatable, and safe
while people play.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from chalicelib.match.model import Change, Match, Status
from chalicelib.service.people.accounts import bring_match_in_line
from chalicelib.service.ports import Lost, SeatHeld, TooManyLive
from chalicelib.service.services import Services
from chalicelib.service.table import ATTEMPTS
from chalicelib.service.tables.rematch import next_rematch_id
from chalicelib.store import DynamoStore, keys
from chalicelib.store.wire import Unreadable
from dev.deploy import CommandFailed
from dev.deploy.table import Item, ItemTable


class MatchRestoration:
    """Brings matches back from one table to another, which a stage uses."""

    def __init__(self, dynamodb: Any, restored: str, used: str) -> None:
        self._restored, self._used = ItemTable(dynamodb, restored), ItemTable(dynamodb, used)
        self._source = DynamoStore(restored)
        self.store = DynamoStore(used)
        self._services = Services(self.store)

    def restore(self, match_id: str) -> str:
        """Bring one back; says what it did. Raises `CommandFailed`."""
        match = self._source.match(match_id)
        if match is None:
            raise CommandFailed(f"table {self._restored.name} has no match {match_id}")
        wanted = _beside(self._restored, match_id)
        for item in wanted.values():
            self._used.put(item)
        before, beside = self._put_back(match)
        later = beside - wanted.keys()
        for sort in later:
            self._used.delete(keys.match_key(match_id), sort)
        for place in match.places:
            player = self.store.player(place.player_id) if place.player_id is not None else None
            if player is not None:
                bring_match_in_line(self._services, player, match_id)
        was = f"was at {before.version}, {before.status.value}" if before is not None else "could not be read"
        return (
            f"match {match_id} is at version {match.version} again, {match.status.value}; it {was}. "
            f"Deals and events that came later, and are deleted: {len(later)}"
        )

    def _put_back(self, match: Match) -> tuple[Match | None, set[str]]:
        """The match and its entries in the players' lists; returns what it was before, and the sort keys of what lay
        beside it then."""
        for _ in range(ATTEMPTS):
            now = self._services.now()
            if match.status is Status.PLAYING:
                match = replace(match, turn_at=now)
            match = replace(match, scheduled_at=match.due_at)
            before = self._present(match.id)
            # Read after the match: what is added later comes with a new version of it, and `save` is refused.
            beside = set(_beside(self._used, match.id))
            while self._used.get(keys.match_key(rematch_id := next_rematch_id(match)), keys.MATCH):
                match = replace(match, rematch_id=rematch_id)
            withdrawn = before.invite if before is not None and before.invite != match.invite else None
            change = Change(match, before, invite=match.invite if match.takes_friends else None, withdrawn=withdrawn)
            try:
                self.store.save(change)
                self.store.relist(match)
            except Lost:
                continue
            except SeatHeld:
                raise CommandFailed("a player has been sent away since, or has another seat") from None
            except TooManyLive:
                raise CommandFailed("a player has as many live matches as anybody may") from None
            return before, beside
        raise CommandFailed("people play on too fast: every try lost its race")

    def _present(self, match_id: str) -> Match | None:
        """The match as it is now. One that cannot be read makes room."""
        try:
            return self.store.match(match_id)
        except Unreadable:
            self._used.delete(keys.match_key(match_id), keys.MATCH)
            return None


def _beside(table: ItemTable, match_id: str) -> dict[str, Item]:
    """What lies beside a match, by its sort key: deals, events and seeds."""
    items = table.of_partition(keys.match_key(match_id))
    return {sort: item for item in items if (sort := item["sk"]["S"]) != keys.MATCH}
