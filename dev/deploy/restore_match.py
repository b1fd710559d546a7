"""`make restore-match STAGE=… MATCH=… TABLE=…`: one match as it is in a table that was restored to a point in time.

All of it goes back: the match, its finished deals, its events and seeds, the invite code, and its entries in its
players' lists. What came after that point is deleted, except for a rematch: that is a match of its own, and stays the
rematch of this one. The turn now waiting begins anew, so that nobody's time has run out meanwhile. Repeatable, and safe
while people play.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any

import boto3

from chalicelib.match.model import Change, Match, Status
from chalicelib.service.people.accounts import bring_match_in_line
from chalicelib.service.ports import Lost, SeatHeld, TooManyLive
from chalicelib.service.services import Services
from chalicelib.service.table import ATTEMPTS
from chalicelib.service.tables.rematch import next_rematch_id
from chalicelib.store import DynamoStore, keys
from chalicelib.store.wire import Unreadable
from dev.deploy.arguments import an_id, stage_parser
from dev.deploy.stack import NotThere, Refused, in_a_line, outputs_of

Item = dict[str, Any]


class MatchRestoration:
    """Brings matches back from one table to another, which a stage uses."""

    def __init__(self, dynamodb: Any, restored: str, used: str, url: str | None = None) -> None:
        self._dynamodb = dynamodb
        self._restored, self._used = restored, used
        self._source = DynamoStore(restored, url)
        self.store = DynamoStore(used, url)
        self._services = Services(self.store)

    def restore(self, match_id: str) -> str:
        """Bring one back; says what it did. Raises `NotThere`, `Refused`."""
        match = self._source.match(match_id)
        if match is None:
            raise NotThere(f"table {self._restored} has no match {match_id}")
        wanted = self._beside(self._restored, match_id)
        for item in wanted.values():
            self._dynamodb.put_item(TableName=self._used, Item=item)
        before, beside = self._put_back(match)
        later = beside - wanted.keys()
        for sort in later:
            self._delete(match_id, sort)
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
            beside = set(self._beside(self._used, match.id))
            while self._is_there(rematch_id := next_rematch_id(match)):
                match = replace(match, rematch_id=rematch_id)
            withdrawn = before.invite if before is not None and before.invite != match.invite else None
            change = Change(match, before, invite=match.invite if match.takes_friends else None, withdrawn=withdrawn)
            try:
                self.store.save(change)
                self.store.relist(match)
            except Lost:
                continue
            except SeatHeld:
                raise Refused("a player has been sent away since, or has another seat") from None
            except TooManyLive:
                raise Refused("a player has as many live matches as anybody may") from None
            return before, beside
        raise Refused("people play on too fast: every try lost its race")

    def _present(self, match_id: str) -> Match | None:
        """The match as it is now. One that cannot be read makes room."""
        try:
            return self.store.match(match_id)
        except Unreadable:
            self._delete(match_id, keys.MATCH)
            return None

    def _is_there(self, match_id: str) -> bool:
        """Whether there is a match of this id, readable or not."""
        key = {"pk": {"S": keys.match_key(match_id)}, "sk": {"S": keys.MATCH}}
        return "Item" in self._dynamodb.get_item(TableName=self._used, Key=key, ConsistentRead=True)

    def _beside(self, table: str, match_id: str) -> dict[str, Item]:
        """What lies beside a match, by its sort key: deals, events and seeds."""
        pages = self._dynamodb.get_paginator("query").paginate(
            TableName=table,
            ConsistentRead=True,
            KeyConditionExpression="pk = :pk",
            ExpressionAttributeValues={":pk": {"S": keys.match_key(match_id)}},
        )
        found = {item["sk"]["S"]: item for page in pages for item in page["Items"]}
        found.pop(keys.MATCH, None)
        return found

    def _delete(self, match_id: str, sort: str) -> None:
        self._dynamodb.delete_item(TableName=self._used, Key={"pk": {"S": keys.match_key(match_id)}, "sk": {"S": sort}})


def main() -> int:
    parser = stage_parser("dev.deploy.restore_match", __doc__)
    parser.add_argument("--match", type=an_id, required=True, help="the match's id")
    parser.add_argument("--table", required=True, help="the restored table's name")
    options = parser.parse_args()

    def restore() -> str:
        used = outputs_of(boto3.client, options.stage)["TableName"]
        return MatchRestoration(boto3.client("dynamodb"), options.table, used).restore(options.match)

    return in_a_line(restore)


if __name__ == "__main__":
    sys.exit(main())
