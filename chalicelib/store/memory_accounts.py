"""The `Accounts` part of the store in memory."""

from __future__ import annotations

from dataclasses import replace
from threading import Lock
from typing import TYPE_CHECKING

from chalicelib.service.ports import AccountGone, Lost, Player, Session, TransferCode

if TYPE_CHECKING:
    from collections.abc import Iterable


class MemoryAccounts:
    def __init__(self) -> None:
        self._lock = Lock()
        self._players: dict[str, Player] = {}
        self._sessions: dict[str, dict[str, Session]] = {}
        self._transfer_codes: dict[bytes, TransferCode] = {}
        self._accounts_due: dict[str, int] = {}

    def player(self, player_id: str) -> Player | None:
        with self._lock:
            return self._players.get(player_id)

    def players(self, player_ids: Iterable[str]) -> dict[str, Player]:
        with self._lock:
            return {player_id: self._players[player_id] for player_id in player_ids if player_id in self._players}

    def create_player(self, player: Player, session: Session) -> None:
        with self._lock:
            if player.id in self._players:
                raise Lost
            self._players[player.id] = player
            self._sessions.setdefault(player.id, {})[session.id] = session

    def rename(self, player_id: str, name: str, now: int) -> Player:
        with self._lock:
            return self._change(replace(self._alive(player_id), name=name), now)

    def _change(self, player: Player, now: int) -> Player:
        """Keep a changed profile, a revision further and not settled."""
        changed = replace(player, revision=player.revision + 1, settled=False)
        self._players[player.id], self._accounts_due[player.id] = changed, now
        return changed

    def _alive(self, player_id: str) -> Player:
        player = self._players.get(player_id)
        if player is None or player.deleted_at is not None:
            raise AccountGone
        return player

    def bury(self, player_id: str, deleted_at: int) -> None:
        with self._lock:
            player = self._players.get(player_id)
            if player is not None and player.deleted_at is None:
                self._change(replace(player, name="", deleted_at=deleted_at), deleted_at)

    def settle(self, player_id: str, revision: int) -> None:
        with self._lock:
            player = self._players.get(player_id)
            if player is not None and player.revision == revision:
                self._players[player_id] = replace(player, settled=True)
                self._accounts_due.pop(player_id, None)

    def put_off_account(self, player_id: str, wake_at: int) -> None:
        with self._lock:
            if player_id in self._accounts_due:
                self._accounts_due[player_id] = wake_at

    def session(self, player_id: str, session_id: str) -> Session | None:
        with self._lock:
            return self._sessions.get(player_id, {}).get(session_id)

    def sessions(self, player_id: str) -> tuple[Session, ...]:
        with self._lock:
            return tuple(session for _, session in sorted(self._sessions.get(player_id, {}).items()))

    def create_session(self, session: Session, code: TransferCode | None = None) -> None:
        with self._lock:
            self._alive(session.player_id)
            if session.id in self._sessions.get(session.player_id, {}):
                raise Lost
            if code is not None:
                kept = self._transfer_codes.get(code.hash)
                if kept is None or kept.session_id not in (None, session.id):
                    raise Lost
                self._transfer_codes[code.hash] = replace(kept, session_id=session.id)
            self._sessions.setdefault(session.player_id, {})[session.id] = session

    def save_session(self, session: Session, read_generation: int) -> None:
        with self._lock:
            kept = self._sessions.get(session.player_id, {}).get(session.id)
            if kept is None or kept.revoked or kept.generation != read_generation:
                raise Lost
            self._sessions[session.player_id][session.id] = session

    def end_session(self, player_id: str, session_id: str) -> None:
        with self._lock:
            kept = self._sessions.get(player_id, {}).get(session_id)
            if kept is not None:
                self._sessions[player_id][session_id] = replace(kept, revoked=True)

    def put_transfer_code(self, code: TransferCode) -> None:
        with self._lock:
            if code.hash in self._transfer_codes:
                raise Lost
            self._transfer_codes[code.hash] = code

    def transfer_code(self, code_hash: bytes, now: int) -> TransferCode | None:
        with self._lock:
            code = self._transfer_codes.get(code_hash)
        return code if code is not None and code.expires_at > now else None
