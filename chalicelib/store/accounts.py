"""The `Accounts` part of the store on DynamoDB."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from chalicelib.service.ports import ACCOUNTS, AccountGone, Devices, Lost, Player, Settling, TransferCode
from chalicelib.store import keys
from chalicelib.store.models import DevicesItem, PlayerItem, RecoveryItem, TransferItem
from chalicelib.store.records import pack_sessions, unpack_sessions
from chalicelib.store.table import DynamoTable, Write, read

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pynamodb.expressions.condition import Condition
    from pynamodb.expressions.update import Action

_NEW = PlayerItem.pk.does_not_exist()
_FROM_THE_FIRST = PlayerItem.settling.remove(), PlayerItem.missed.remove()
_ALIVE = PlayerItem.pk.exists() & PlayerItem.deleted_at.does_not_exist()


class DynamoAccounts:
    def __init__(self, table: DynamoTable) -> None:
        self._table = table

    # players --------------------------------------------------------------------------------------------------------

    def player(self, player_id: str) -> Player | None:
        item = self._table.get(PlayerItem, keys.player_key(player_id), keys.PROFILE)
        return None if item is None else _player(item)

    def players(self, player_ids: Iterable[str]) -> dict[str, Player]:
        wanted = [(keys.player_key(player_id), keys.PROFILE) for player_id in player_ids]
        found = [_player(read(PlayerItem, item)) for item in self._table.get_many_raw(wanted)]
        return {player.id: player for player in found}

    def create_player(self, player: Player, devices: Devices) -> None:
        profile = PlayerItem(
            keys.player_key(player.id),
            keys.PROFILE,
            name=player.name or None,
            locale=player.locale or None,
            created_at=player.created_at,
            revision=player.revision,
        )
        self._table.write(self._table.put(profile, _NEW), self._put_devices(devices))

    def rename(self, player_id: str, name: str, now: int) -> Player:
        actions = [PlayerItem.name.set(name), *_changed(now)]
        pk = keys.player_key(player_id)
        update = self._table.update(pk, keys.PROFILE, actions, _ALIVE, AccountGone, returning="ALL_NEW")
        return _player(read(PlayerItem, self._table.write(update)["Attributes"]))

    def set_locale(self, player_id: str, locale: str) -> None:
        actions = [PlayerItem.locale.set(locale)]
        self._table.write(self._table.update(keys.player_key(player_id), keys.PROFILE, actions, _ALIVE, AccountGone))

    def set_recovery(self, player: Player, code_hash: bytes, now: int) -> None:
        pk = keys.player_key(player.id)
        actions = [PlayerItem.recovery.set(code_hash), PlayerItem.recovery_at.set(now)]
        code = RecoveryItem(keys.recovery_key(code_hash), keys.RECOVERY, player_id=player.id)
        table = self._table
        writes = [table.update(pk, keys.PROFILE, actions, _as_read(player)), table.put(code, None)]
        if player.recovery:
            writes.append(table.delete(keys.recovery_key(player.recovery), keys.RECOVERY))
        table.write(*writes)

    def recovers(self, code_hash: bytes) -> str | None:
        item = self._table.get(RecoveryItem, keys.recovery_key(code_hash), keys.RECOVERY)
        return None if item is None else item.player_id

    def mark_deleted(self, player: Player, deleted_at: int) -> None:
        pk, table = keys.player_key(player.id), self._table
        actions = [
            *(attribute.remove() for attribute in (PlayerItem.name, PlayerItem.locale)),
            *(attribute.remove() for attribute in (PlayerItem.recovery, PlayerItem.recovery_at)),
            PlayerItem.deleted_at.set(deleted_at),
            *_changed(deleted_at),
        ]
        writes = [
            table.update(pk, keys.PROFILE, actions, _as_read(player)),
            table.delete(pk, keys.DEVICES),
        ]
        if player.recovery:
            writes.append(table.delete(keys.recovery_key(player.recovery), keys.RECOVERY))
        table.write(*writes)

    def settle(self, player_id: str, revision: int) -> None:
        actions = [PlayerItem.due_shard.remove(), PlayerItem.scheduled_at.remove(), *_FROM_THE_FIRST]
        with suppress(Lost):
            self._update_profile(player_id, actions, PlayerItem.revision == revision)

    def settle_on(self, player_id: str, revision: int, settling: Settling, scheduled_at: int) -> None:
        come: list[Action] = [PlayerItem.settling.set(settling.after), PlayerItem.missed.set(settling.missed)]
        going_on = (PlayerItem.revision == revision) & PlayerItem.scheduled_at.exists()
        with suppress(Lost):
            self._update_profile(player_id, [PlayerItem.scheduled_at.set(scheduled_at), *come], going_on)

    def postpone_account(self, player_id: str, scheduled_at: int) -> None:
        with suppress(Lost):
            self._update_profile(
                player_id, [PlayerItem.scheduled_at.set(scheduled_at)], PlayerItem.scheduled_at.exists()
            )

    def _update_profile(self, player_id: str, actions: Sequence[Action], condition: Condition) -> None:
        self._table.write(self._table.update(keys.player_key(player_id), keys.PROFILE, actions, condition))

    # devices --------------------------------------------------------------------------------------------------------

    def devices(self, player_id: str) -> Devices | None:
        item = self._table.get(DevicesItem, keys.player_key(player_id), keys.DEVICES)
        return None if item is None else Devices(player_id, unpack_sessions(item.sessions), int(item.revision))

    def save_devices(
        self, devices: Devices, *, used: TransferCode | None = None, recovered_with: bytes | None = None
    ) -> None:
        table = self._table
        writes = [self._put_devices(devices)]
        if used is not None:
            free = TransferItem.pk.exists() & TransferItem.session_id.does_not_exist()
            actions = [TransferItem.session_id.set(used.session_id), TransferItem.ttl.set(used.expires_at)]
            writes.append(table.update(keys.transfer_key(used.hash), keys.TRANSFER, actions, free))
        if recovered_with is not None:
            good = _ALIVE & (PlayerItem.recovery == recovered_with)
            writes.append(table.check(keys.player_key(devices.player_id), keys.PROFILE, good, Lost))
        table.write(*writes)

    def _put_devices(self, devices: Devices) -> Write:
        item = DevicesItem(
            keys.player_key(devices.player_id),
            keys.DEVICES,
            sessions=pack_sessions(devices.sessions),
            revision=devices.revision + 1,
            ttl=max((session.expires_at for session in devices.sessions), default=None),
        )
        # A new account's, or those of one that comes back after all have expired; else they must be as they were read.
        same = DevicesItem.revision == devices.revision if devices.revision else DevicesItem.pk.does_not_exist()
        return self._table.put(item, same)

    # codes ----------------------------------------------------------------------------------------------------------

    def put_transfer_code(self, code: TransferCode) -> None:
        item = TransferItem(
            keys.transfer_key(code.hash),
            keys.TRANSFER,
            player_id=code.player_id,
            maker=code.maker,
            session_id=code.session_id or None,
            ttl=code.expires_at,
        )
        self._table.write(self._table.put(item, None))

    def transfer_code(self, code_hash: bytes, now: int) -> TransferCode | None:
        item = self._table.get(TransferItem, keys.transfer_key(code_hash), keys.TRANSFER)
        if item is None or item.ttl <= now:
            return None
        return TransferCode(code_hash, item.player_id, item.maker, int(item.ttl), item.session_id or "")


def _as_read(player: Player) -> Condition:
    """The account lives, and its recovery code is the one it was read with."""
    recovery = PlayerItem.recovery
    same: Condition = recovery == player.recovery if player.recovery else recovery.does_not_exist()
    alive: Condition = _ALIVE & same
    return alive


def _changed(now: int) -> list[Action]:
    """The profile is a revision further, and scheduled until every copy of it is brought in line."""
    scheduled = [PlayerItem.due_shard.set(ACCOUNTS), PlayerItem.scheduled_at.set(now)]
    return [PlayerItem.revision.add(1), *scheduled, *_FROM_THE_FIRST]


def _player(item: PlayerItem) -> Player:
    return Player(
        id=keys.id_of(item.pk),
        name=item.name or "",
        created_at=int(item.created_at),
        deleted_at=None if item.deleted_at is None else int(item.deleted_at),
        revision=int(item.revision),
        settled=item.scheduled_at is None,
        settling=Settling(item.settling or "", bool(item.missed)),
        locale=item.locale or "",
        recovery=item.recovery or b"",
        recovery_at=None if item.recovery_at is None else int(item.recovery_at),
    )
