"""The `Sets` part of the store on DynamoDB, and the packed form of a set: a byte for the form, then JSON."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from contextlib import suppress
from dataclasses import asdict
from typing import TYPE_CHECKING

from chalicelib.engine import SEATS, AfterBank
from chalicelib.match.model import Rules, Start
from chalicelib.match.sets import DealSet, SetResult, Source
from chalicelib.service.ports import SETS, Lost
from chalicelib.store import keys
from chalicelib.store.models import InviteItem, MatchItem, SetItem, SetResultItem
from chalicelib.store.table import DynamoTable, Write, read
from chalicelib.store.wire import BROKEN, RESULT_OF, NewerForm, Unreadable, check_form, form_written, result_byte

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from chalicelib.engine import DealResult
    from chalicelib.match.model import Match

_FIELDS = frozenset(DealSet.__dataclass_fields__) - {"id", "par"}
_NEW = SetItem.pk.does_not_exist()


def pack_set(deal_set: DealSet) -> bytes:
    """All of a set but its id and par. What is empty is left out."""
    written = {name: value for name, value in asdict(deal_set).items() if name in _FIELDS and value not in (None, "")}
    written["secret"] = b64encode(deal_set.secret).decode()
    return bytes([form_written()]) + json.dumps(written, separators=(",", ":")).encode()


def unpack_set(set_id: str, packed: bytes, par: bytes) -> DealSet:
    """What `pack_set` was given."""
    try:
        check_form(packed[0])
        written: dict[str, Any] = json.loads(packed[1:])
        if not written.keys() <= _FIELDS:
            raise NewerForm("a set with something that this version does not know")
        rules = written["rules"]
        rules |= {"after_bank": AfterBank(rules["after_bank"]), "start": Start(rules["start"])}
        written |= {
            "id": set_id,
            "secret": b64decode(written["secret"], validate=True),
            "client_seed": written.get("client_seed", ""),
            "rules": Rules(**rules),
            "seat": SEATS[written["seat"]],
            "line_up": tuple(written["line_up"]),
            "source": Source(**written["source"]) if "source" in written else None,
            "par": unpack_par(par),
        }
        return DealSet(**written)
    except BROKEN as wrong:
        raise Unreadable("not a packed set") from wrong


def pack_par(par: Iterable[DealResult]) -> bytes:
    """A byte a deal."""
    return bytes(map(result_byte, par))


def unpack_par(packed: bytes) -> tuple[DealResult, ...]:
    return tuple(RESULT_OF[byte] for byte in packed)


class DynamoSets:
    def __init__(self, table: DynamoTable) -> None:
        self._table = table

    def deal_set(self, set_id: str, *, consistent: bool = True) -> DealSet | None:
        item = self._table.get(SetItem, keys.set_key(set_id), keys.SET, consistent=consistent)
        return None if item is None else _set(item)

    def deal_sets(self, set_ids: Iterable[str]) -> dict[str, DealSet]:
        wanted = [(keys.set_key(set_id), keys.SET) for set_id in set_ids]
        found = [_set(read(SetItem, item)) for item in self._table.get_many_raw(wanted)]
        return {deal_set.id: deal_set for deal_set in found}

    def set_of_code(self, code: str) -> str | None:
        item = self._table.get(InviteItem, keys.invite_key(code), keys.INVITE)
        return None if item is None else item.set_id

    def add_set(self, deal_set: DealSet, scheduled_at: int, result: SetResult | None = None) -> None:
        table, pk = self._table, keys.set_key(deal_set.id)
        item = SetItem(pk, keys.SET, set=pack_set(deal_set), due_shard=SETS, scheduled_at=scheduled_at)
        writes = [table.put(item, _NEW)]
        if deal_set.code:
            code = InviteItem(keys.invite_key(deal_set.code), keys.INVITE, set_id=deal_set.id)
            writes.append(table.put(code, InviteItem.pk.does_not_exist()))
        if result is not None:
            writes += self._result_writes(deal_set.id, result)
        table.write(*writes)

    def keep_par(self, deal_set: DealSet, result: DealResult, scheduled_at: int | None) -> None:
        par = SetItem.par
        same = par == pack_par(deal_set.par) if deal_set.par else par.does_not_exist()
        due = SetItem.scheduled_at
        when = [due.remove(), SetItem.due_shard.remove()] if scheduled_at is None else [due.set(scheduled_at)]
        actions = [par.set(pack_par((*deal_set.par, result))), *when]
        self._table.write(self._table.update(keys.set_key(deal_set.id), keys.SET, actions, SetItem.pk.exists() & same))

    def postpone_set(self, set_id: str, scheduled_at: int) -> None:
        still = SetItem.scheduled_at.exists()
        actions = [SetItem.scheduled_at.set(scheduled_at)]
        with suppress(Lost):
            self._table.write(self._table.update(keys.set_key(set_id), keys.SET, actions, still))

    def fold(self, match: Match, result: SetResult) -> None:
        if match.entry is None:
            raise ValueError("not an entry")
        done = [MatchItem.due_shard.remove(), MatchItem.scheduled_at.remove()]
        as_read = MatchItem.version == match.version
        entry = self._table.update(keys.match_key(match.id), keys.MATCH, done, as_read)
        self._table.write(entry, *self._result_writes(match.entry.set_id, result))

    def _result_writes(self, set_id: str, result: SetResult) -> list[Write]:
        """A line, whose being new is what counts it once, and one more in the histogram."""
        pk = keys.set_key(set_id)
        line = SetResultItem(pk, keys.result_sort(result.score, result.player_id))
        # The histogram's attributes are the scores themselves, which no kind of PynamoDB's can say.
        kwargs = {
            "TableName": self._table.name,
            "Key": {"pk": {"S": pk}, "sk": {"S": keys.COUNTS}},
            "UpdateExpression": "ADD #score :one",
            "ExpressionAttributeNames": {"#score": str(result.score)},
            "ExpressionAttributeValues": {":one": {"N": "1"}},
        }
        return [self._table.put(line, SetResultItem.pk.does_not_exist()), Write("Update", kwargs)]

    def histogram(self, set_id: str) -> Mapping[int, int]:
        item = self._table.get_raw(keys.set_key(set_id), keys.COUNTS) or {}
        return {int(name): int(value["N"]) for name, value in item.items() if name not in ("pk", "sk")}

    def set_results(self, set_id: str, limit: int) -> tuple[SetResult, ...]:
        lines = SetResultItem.sk.startswith(keys.RESULTS)
        items = self._table.query(SetResultItem, keys.set_key(set_id), lines, limit=limit)
        return tuple(SetResult(player_id, score) for score, player_id in (keys.result_in(item.sk) for item in items))


def _set(item: SetItem) -> DealSet:
    return unpack_set(keys.id_of(item.pk), item.set, item.par or b"")
