"""What each operation reads, over a short history and over long ones: no more.

Every operation of the route table has its requests in `REQUESTS`; without one, this fails. They are sent to tables that
have seen so many seat events, by a player who has so many matches behind them; the store counts as Amazon's does. Where
an answer holds a page, the long histories fill it and the short one does not: `PAGE` more is allowed then.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from string import Template
from typing import TYPE_CHECKING

from dev.bench.calls import TABLE, Caller, app_on_dynoxide, dynamodb, metered
from dev.bench.measure import Row
from dev.driver import NONCE, Json, Player, seat_four, sign_up

if TYPE_CHECKING:
    from chalicelib.service.services import Services

LENGTHS = (10, 1_000, 100_000)
PAGE = 20
"""Read units that a page of events or of matches may take beyond the same request to a short history."""
PAGE_OF_EXPORT = 100
"""The same for a page of the export: a hundred matches, with the seeds of each."""
LISTED = 300
"""Of the matches behind a player, so many of the latest are there to be shown; the others are memberships only."""
# Operation, what is asked of it, who asks, the request. What ends something comes last.
REQUESTS = """\
getHealth           |                   | north    | GET /health
createPlayer        |                   | north    | POST /players {}
getMe               |                   | north    | GET /me
listTurns           |                   | north    | GET /me/turns
listMatches         |                   | north    | GET /matches?limit=10
listMatches         | finished          | north    | GET /matches?limit=10&status=finished
listMatches         | playing           | north    | GET /matches?limit=10&status=playing
listMatches         | abandoned, none   | north    | GET /matches?limit=10&status=abandoned
getMatch            |                   | north    | GET /matches/$playing
getMatch            | over              | north    | GET /matches/$over?tricks=true
getMatch            | a stranger's      | stranger | GET /matches/$playing
getInvite           |                   | north    | GET /invites/$invite
getHint             |                   | mover    | GET /matches/$playing/hint
listEvents          | the first         | north    | GET /matches/$playing/events?limit=1
listEvents          | a page            | north    | GET /matches/$playing/events
listEvents          | the last          | north    | GET /matches/$playing/events?view=true&after=$before
listEvents          | none              | north    | GET /matches/$playing/events?view=true&after=$version
listEvents          | the first, over   | north    | GET /matches/$over/events?limit=1&view=true
getDeal             |                   | north    | GET /matches/$over/deals/1
makeMove            | the first again   | opener   | PUT $first
makeMove            |                   | mover    | PUT $next
makeMove            | again             | mover    | PUT $next
takeSeat            | again             | north    | PUT /matches/$waiting/seats/north {"type": "human"}
takeSeat            | again, at cards   | north    | PUT /matches/$playing/seats/north {"type": "human"}
takeSeat            | a friend          | east     | PUT /matches/$waiting/seats/east $claim
createMatch         |                   | north    | POST /matches {}
createMatch         | again             | north    | POST /matches $new_table
startMatch          |                   | north    | POST /matches/$waiting/start
startMatch          | again             | north    | POST /matches/$playing/start
leaveSeat           | a stranger        | stranger | DELETE /matches/$waiting/seats/north
leaveSeat           |                   | west     | DELETE /matches/$playing/seats/west
leaveSeat           | again             | west     | DELETE /matches/$playing/seats/west
createRematch       |                   | north    | POST /matches/$over/rematch
createRematch       | again             | north    | POST /matches/$over/rematch
createSet           | no challenge      | north    | POST /sets {"match_id": "$over"}
getDailySet         |                   | north    | GET /sets/daily
getSet              | none              | north    | GET /sets/xxxxxxxxxxxxxxxx
enterSet            | none              | north    | PUT /sets/xxxxxxxxxxxxxxxx/entry
listSetResults      | none              | north    | GET /sets/xxxxxxxxxxxxxxxx/results
updateMe            |                   | north    | PATCH /me {"name": "Bee"}
createTransferCode  |                   | north    | POST /me/transfer-codes
createTokens        |                   | north    | POST /tokens $refresh
createRecoveryCode  |                   | north    | POST /me/recovery-code
listSessions        |                   | north    | GET /me/sessions
deleteSessionById   |                   | north    | DELETE /me/sessions/xxxxxxxxxxxxxxxx
deleteOtherSessions |                   | north    | DELETE /me/sessions
exportMe            |                   | north    | GET /me/export
deleteMe            |                   | north    | DELETE /me
deleteSession       |                   | stranger | DELETE /me/session
"""
NEW_TABLE: Json = {"seats": {"north": {"type": "human"}}, "start": "by_host"}
KEY = {"idempotency-key": "the-same-table-again"}


def rows() -> Iterator[Row]:
    """Of the longer histories: the request that reads most beyond what it reads over the short one."""
    from chalicelib.service.services import Services
    from chalicelib.store import DynamoStore

    with app_on_dynoxide() as (caller, url):
        services = Services(DynamoStore(TABLE, url))
        short, *long = (units(caller, services, url, TABLE, length) for length in LENGTHS)
    for length, read in zip(LENGTHS[1:], long, strict=True):
        more = {asked: (read[asked] - short[asked]) / page_of(asked[0]) for asked in short}
        dearest = max(more, key=lambda asked: more[asked])
        yield Row(f"reads after {length:,} matches and events, {dearest[0]}", more[dearest], "x a page", 1)


def page_of(operation: str) -> int:
    """Read units that a long history may take more than a short one."""
    return PAGE_OF_EXPORT if operation == "exportMe" else PAGE


def units(caller: Caller, services: Services, url: str, table: str, length: int) -> dict[tuple[str, str], float]:
    """Read units of each request, at tables with a history of this length."""
    from chalicelib.api.routes import ROUTES

    players, names = _World(caller, services, url, table, length).made()
    read: dict[tuple[str, str], float] = {}
    for line in REQUESTS.splitlines():
        operation, name, who, request = (part.strip() for part in line.split("|"))
        method, path, *body = Template(request).substitute(names).split(" ", 2)
        headers = KEY if "$new_table" in request else {}
        with metered() as consumed:
            players[who].send(method, path, json.loads(body[0]) if body else None, headers)
        read[operation, name] = consumed.read
    wrong = {route.operation_id for route in ROUTES} ^ {operation for operation, _name in read}
    if wrong:
        raise RuntimeError(f"no requests here, or no such operations: {sorted(wrong)}")
    return read


class _World:
    """A player with friends, at four tables: made by way of the API; then the history is put into the store."""

    def __init__(self, caller: Caller, services: Services, url: str, table: str, length: int) -> None:
        self._caller, self._services, self._table, self._length = caller, services, table, length
        self._client = dynamodb(url)

    def made(self) -> tuple[dict[str, Player], dict[str, object]]:
        """Who asks, and what stands for the `$names`."""
        me, stranger, *others = (sign_up(self._caller) for _ in range(5))
        over, playing = (seat_four(self._caller, 1, [me, *others], deals=deals) for deals in (1, 3))
        over.play(60)
        opener, at_first = playing.turn()
        first = at_first["you"]["legal_moves"][0]
        opener.move(at_first, first)
        playing.play(69)
        waiting = me.post("/matches", NEW_TABLE, KEY)["match"]
        for match_id in (over.match_id, playing.match_id, waiting["id"]):
            self._see_events(match_id)
        self._have_played(me.id, over.match_id)
        mover, view = playing.turn()
        players = {"north": me, "east": others[0], "west": others[2], "stranger": stranger}
        moves = f"{playing.path}/moves"
        return players | {"opener": opener, "mover": mover}, {
            "over": over.match_id,
            "playing": playing.match_id,
            "waiting": waiting["id"],
            "invite": waiting["invite"]["code"],
            "first": f"{moves}/1 {json.dumps(first)}",
            "next": f"{moves}/{view['next_move']} {json.dumps(view['you']['legal_moves'][0])}",
            "new_table": json.dumps(NEW_TABLE),
            "claim": json.dumps({"type": "human", "code": waiting["invite"]["code"]}),
            "refresh": json.dumps({"type": "refresh", "refresh_token": me.refresh, "client_nonce": NONCE}),
            "version": view["version"],
            "before": view["version"] - 1,
        }

    def _see_events(self, match_id: str) -> None:
        """So many seat events happen, all of a player who is not there any more."""
        from chalicelib.engine import Seat
        from chalicelib.match.model import EventBatch, Place, SeatEvent, SeatType
        from chalicelib.store import keys
        from chalicelib.store.matches import match_item
        from chalicelib.store.models import EventsItem
        from chalicelib.store.records import pack_batch

        match = self._services.store.match(match_id)
        assert match is not None
        place = Place(SeatType.HUMAN, self._services.new_id())
        packed = pack_batch(EventBatch(1, (SeatEvent("seat_taken", match.turn_at, None, Seat.WEST, place),)))
        versions = range(match.version + 1, match.version + self._length + 1)
        pk, longer = (
            keys.match_key(match_id),
            replace(match, version=versions[-1], log=match.log.with_marks(self._length)),
        )
        self._put(EventsItem(pk, keys.event_sort(version), events=packed).serialize() for version in versions)
        self._put([match_item(longer).serialize()])

    def _have_played(self, player_id: str, match_id: str) -> None:
        """The player has been one of so many matches more, each like this one. Whatever the store keeps of that in the
        player's partition is there of each."""
        from chalicelib.store import keys

        def query(pk: str) -> list[Json]:
            own = {"KeyConditionExpression": "pk = :pk", "ExpressionAttributeValues": {":pk": {"S": pk}}}
            items: list[Json] = self._client.query(TableName=self._table, **own)["Items"]
            return items

        listed = [item for item in query(keys.player_key(player_id)) if match_id in item["sk"]["S"]]
        whole = listed + [item for item in query(keys.match_key(match_id)) if item["sk"]["S"] == keys.MATCH]
        ids = sorted((self._services.new_id() for _ in range(self._length)), reverse=True)
        self._put(
            json.loads(
                json.dumps(item, default=lambda raw: {"hex": raw.hex()}).replace(match_id, other), object_hook=_raw
            )
            for number, other in enumerate(ids)
            for item in (whole if number < LISTED else listed)
        )

    def _put(self, items: Iterable[Json]) -> None:
        """Into the table, 25 at a time."""
        requests = ({"PutRequest": {"Item": item}} for item in items)
        while batch := list(islice(requests, 25)):
            self._client.batch_write_item(RequestItems={self._table: batch})


def _hex(raw: bytes) -> Json:
    return {"hex": raw.hex()}


def _raw(value: Json) -> object:
    return bytes.fromhex(value["hex"]) if "hex" in value else value
