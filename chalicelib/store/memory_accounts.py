"""The `Accounts` part of the store in memory."""

from __future__ import annotations

from dataclasses import replace
from threading import Lock
from typing import TYPE_CHECKING

from chalicelib.service.ports import AccountGone, Devices, Lost, Player, Settling, TransferCode
from chalicelib.store.records import pack_sessions, unpack_sessions

if TYPE_CHECKING:
    from collections.abc import Iterable


class MemoryAccounts:
    def __init__(self) -> None:
        self._lock = Lock()
        self._players: dict[str, Player] = {}
        self._devices: dict[str, tuple[int, bytes]] = {}
        self._recovery_codes: dict[bytes, str] = {}
        self._transfer_codes: dict[bytes, TransferCode] = {}
        self._accounts_due: dict[str, int] = {}

    def player(self, player_id: str) -> Player | None:
        with self._lock:
            return self._players.get(player_id)

    def players(self, player_ids: Iterable[str]) -> dict[str, Player]:
        with self._lock:
            return {player_id: self._players[player_id] for player_id in player_ids if player_id in self._players}

    def create_player(self, player: Player, devices: Devices) -> None:
        with self._lock:
            if player.id in self._players:
                raise Lost
            self._players[player.id] = player
            self._devices[player.id] = devices.revision + 1, pack_sessions(devices.sessions)

    def rename(self, player_id: str, name: str, now: int) -> Player:
        with self._lock:
            return self._change(replace(self._alive(player_id), name=name), now)

    def _change(self, player: Player, now: int) -> Player:
        """Keep a changed profile, a revision further and not settled."""
        changed = replace(player, revision=player.revision + 1, settled=False, settling=Settling())
        self._players[player.id], self._accounts_due[player.id] = changed, now
        return changed

    def _alive(self, player_id: str) -> Player:
        player = self._players.get(player_id)
        if player is None or player.deleted_at is not None:
            raise AccountGone
        return player

    def _as_read(self, player: Player) -> Player:
        """The account, alive and with the recovery code it was read with."""
        stored = self._players.get(player.id)
        if stored is None or stored.deleted_at is not None or stored.recovery != player.recovery:
            raise Lost
        return stored

    def set_locale(self, player_id: str, locale: str) -> None:
        with self._lock:
            self._players[player_id] = replace(self._alive(player_id), locale=locale)

    def set_recovery(self, player: Player, code_hash: bytes, now: int) -> None:
        with self._lock:
            stored = self._as_read(player)
            self._recovery_codes.pop(stored.recovery, None)
            self._recovery_codes[code_hash] = player.id
            self._players[player.id] = replace(stored, recovery=code_hash, recovery_at=now)

    def recovers(self, code_hash: bytes) -> str | None:
        with self._lock:
            return self._recovery_codes.get(code_hash)

    def mark_deleted(self, player: Player, deleted_at: int) -> None:
        with self._lock:
            stored = self._as_read(player)
            self._recovery_codes.pop(stored.recovery, None)
            self._devices.pop(player.id, None)
            gone = Player(player.id, "", stored.created_at, deleted_at, stored.revision)
            self._change(gone, deleted_at)

    def settle(self, player_id: str, revision: int) -> None:
        with self._lock:
            player = self._players.get(player_id)
            if player is not None and player.revision == revision:
                self._players[player_id] = replace(player, settled=True, settling=Settling())
                self._accounts_due.pop(player_id, None)

    def settle_on(self, player_id: str, revision: int, settling: Settling, scheduled_at: int) -> None:
        with self._lock:
            player = self._players.get(player_id)
            if player is not None and player.revision == revision and not player.settled:
                self._players[player_id] = replace(player, settling=settling)
                self._accounts_due[player_id] = scheduled_at

    def postpone_account(self, player_id: str, scheduled_at: int) -> None:
        with self._lock:
            if player_id in self._accounts_due:
                self._accounts_due[player_id] = scheduled_at

    def devices(self, player_id: str) -> Devices | None:
        with self._lock:
            revision, packed = self._devices.get(player_id, (0, b""))
        return Devices(player_id, unpack_sessions(packed), revision) if revision else None

    def save_devices(
        self, devices: Devices, *, used: TransferCode | None = None, recovered_with: bytes | None = None
    ) -> None:
        player_id, packed = devices.player_id, pack_sessions(devices.sessions)
        with self._lock:
            if self._devices.get(player_id, (0, b""))[0] != devices.revision:
                raise Lost
            if recovered_with is not None:
                player = self._players.get(player_id)
                if player is None or player.deleted_at is not None or player.recovery != recovered_with:
                    raise Lost
            if used is not None:
                stored = self._transfer_codes.get(used.hash)
                if stored is None or stored.session_id:
                    raise Lost
                self._transfer_codes[used.hash] = used
            self._devices[player_id] = devices.revision + 1, packed

    def put_transfer_code(self, code: TransferCode) -> None:
        with self._lock:
            self._transfer_codes[code.hash] = code

    def transfer_code(self, code_hash: bytes, now: int) -> TransferCode | None:
        with self._lock:
            code = self._transfer_codes.get(code_hash)
        return code if code is not None and code.expires_at > now else None
