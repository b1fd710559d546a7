"""The `Accounts` part of the store on DynamoDB."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from chalicelib.service.ports import ACCOUNTS, AccountGone, Lost, Player, Session, TransferCode
from chalicelib.store import keys
from chalicelib.store.models import PlayerItem, SessionItem, TransferItem
from chalicelib.store.table import Table, read

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pynamodb.expressions.condition import Condition
    from pynamodb.expressions.update import Action

_NEW = PlayerItem.pk.does_not_exist()
_ALIVE = PlayerItem.pk.exists() & PlayerItem.deleted_at.does_not_exist()


class DynamoAccounts:
    def __init__(self, table: Table) -> None:
        self._table = table

    # players --------------------------------------------------------------------------------------------------------

    def player(self, player_id: str) -> Player | None:
        item = self._table.get(PlayerItem, keys.player_key(player_id), keys.PROFILE)
        return None if item is None else _player(item)

    def players(self, player_ids: Iterable[str]) -> dict[str, Player]:
        wanted = [(keys.player_key(player_id), keys.PROFILE) for player_id in player_ids]
        found = [_player(read(PlayerItem, item)) for item in self._table.get_many_raw(wanted)]
        return {player.id: player for player in found}

    def create_player(self, player: Player, session: Session) -> None:
        profile = PlayerItem(
            keys.player_key(player.id),
            keys.PROFILE,
            name=player.name,
            created_at=player.created_at,
            revision=player.revision,
        )
        self._table.write(self._table.put(profile, _NEW), self._table.put(_session_item(session), _NEW))

    def rename(self, player_id: str, name: str, now: int) -> Player:
        actions = [PlayerItem.name.set(name), *_changed(now)]
        pk = keys.player_key(player_id)
        update = self._table.update(pk, keys.PROFILE, actions, _ALIVE, AccountGone, returning="ALL_NEW")
        return _player(read(PlayerItem, self._table.write(update)["Attributes"]))

    def bury(self, player_id: str, deleted_at: int) -> None:
        actions = [PlayerItem.name.remove(), PlayerItem.deleted_at.set(deleted_at), *_changed(deleted_at)]
        with suppress(Lost):
            self._update_profile(player_id, actions, _ALIVE)

    def settle(self, player_id: str, revision: int) -> None:
        actions = [PlayerItem.wake_shard.remove(), PlayerItem.wake_at.remove()]
        with suppress(Lost):
            self._update_profile(player_id, actions, PlayerItem.revision == revision)

    def put_off_account(self, player_id: str, wake_at: int) -> None:
        with suppress(Lost):
            self._update_profile(player_id, [PlayerItem.wake_at.set(wake_at)], PlayerItem.wake_at.exists())

    def _update_profile(self, player_id: str, actions: Sequence[Action], condition: Condition) -> None:
        self._table.write(self._table.update(keys.player_key(player_id), keys.PROFILE, actions, condition))

    # devices --------------------------------------------------------------------------------------------------------

    def session(self, player_id: str, session_id: str) -> Session | None:
        item = self._table.get(SessionItem, keys.player_key(player_id), keys.session_sort(session_id))
        return None if item is None else _session(item)

    def sessions(self, player_id: str) -> tuple[Session, ...]:
        condition = SessionItem.sk.startswith(keys.SESSIONS)
        items = self._table.query(SessionItem, keys.player_key(player_id), condition, consistent=True)
        return tuple(map(_session, items))

    def create_session(self, session: Session, code: TransferCode | None = None) -> None:
        table = self._table
        writes = [
            table.check(keys.player_key(session.player_id), keys.PROFILE, _ALIVE, AccountGone),
            table.put(_session_item(session), _NEW),
        ]
        if code is not None:
            exchanged = TransferItem.session_id
            free = TransferItem.pk.exists() & (exchanged.does_not_exist() | (exchanged == session.id))
            writes.append(table.update(keys.transfer_key(code.hash), keys.TRANSFER, [exchanged.set(session.id)], free))
        table.write(*writes)

    def save_session(self, session: Session, read_generation: int) -> None:
        # A device signed out meanwhile stays so: the write would bring it back.
        same = (SessionItem.generation == read_generation) & SessionItem.revoked.does_not_exist()
        self._table.write(self._table.put(_session_item(session), same))

    def end_session(self, player_id: str, session_id: str) -> None:
        pk, sk = keys.player_key(player_id), keys.session_sort(session_id)
        with suppress(Lost):
            self._table.write(self._table.update(pk, sk, [SessionItem.revoked.set(True)], SessionItem.pk.exists()))

    # codes ----------------------------------------------------------------------------------------------------------

    def put_transfer_code(self, code: TransferCode) -> None:
        item = TransferItem(
            keys.transfer_key(code.hash),
            keys.TRANSFER,
            player_id=code.player_id,
            session_id=code.session_id,
            ttl=code.expires_at,
        )
        self._table.write(self._table.put(item, _NEW))

    def transfer_code(self, code_hash: bytes, now: int) -> TransferCode | None:
        item = self._table.get(TransferItem, keys.transfer_key(code_hash), keys.TRANSFER)
        if item is None or item.ttl <= now:
            return None
        return TransferCode(code_hash, item.player_id, int(item.ttl), item.session_id)


def _changed(now: int) -> list[Action]:
    """The profile is a revision further, and filed until every copy of it is brought in line."""
    filed = [PlayerItem.wake_shard.set(ACCOUNTS), PlayerItem.wake_at.set(now)]
    return [PlayerItem.revision.add(1), *filed]


def _player(item: PlayerItem) -> Player:
    return Player(
        id=keys.id_of(item.pk),
        name=item.name or "",
        created_at=int(item.created_at),
        deleted_at=None if item.deleted_at is None else int(item.deleted_at),
        revision=int(item.revision),
        settled=item.wake_at is None,
    )


def _session_item(session: Session) -> SessionItem:
    return SessionItem(
        keys.player_key(session.player_id),
        keys.session_sort(session.id),
        salt=session.salt,
        current=session.current,
        previous=session.previous,
        generation=session.generation,
        created_at=session.created_at,
        used_at=session.used_at,
        ttl=session.expires_at,
        revoked=session.revoked or None,
    )


def _session(item: SessionItem) -> Session:
    return Session(
        player_id=keys.id_of(item.pk),
        id=item.sk.removeprefix(keys.SESSIONS),
        salt=item.salt,
        current=item.current,
        previous=item.previous,
        generation=int(item.generation),
        created_at=int(item.created_at),
        used_at=int(item.used_at),
        expires_at=int(item.ttl),
        revoked=bool(item.revoked),
    )
