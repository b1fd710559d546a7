"""The `Sets` part of the store in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chalicelib.service.ports import Lost
from chalicelib.store.memory_accounts import MemoryAccounts
from chalicelib.store.sets import pack_par, pack_set, unpack_par, unpack_set

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from chalicelib.engine import DealResult
    from chalicelib.match.model import Match
    from chalicelib.match.sets import DealSet, SetResult


class MemorySets(MemoryAccounts):
    def __init__(self) -> None:
        super().__init__()
        self._matches: dict[str, tuple[int, bytes, int | None]] = {}
        self._codes: dict[str, tuple[str, int]] = {}
        self._sets: dict[str, tuple[bytes, bytes]] = {}
        self._sets_due: dict[str, int] = {}
        self._set_codes: dict[str, str] = {}
        self._set_results: dict[str, set[SetResult]] = {}
        self._histograms: dict[str, dict[int, int]] = {}

    def deal_set(self, set_id: str, *, consistent: bool = True) -> DealSet | None:
        with self._lock:
            stored = self._sets.get(set_id)
        return None if stored is None else unpack_set(set_id, *stored)

    def deal_sets(self, set_ids: Iterable[str]) -> dict[str, DealSet]:
        return {set_id: deal_set for set_id in set_ids if (deal_set := self.deal_set(set_id)) is not None}

    def set_of_code(self, code: str) -> str | None:
        with self._lock:
            return self._set_codes.get(code)

    def add_set(self, deal_set: DealSet, scheduled_at: int, result: SetResult | None = None) -> None:
        packed = pack_set(deal_set)
        with self._lock:
            if deal_set.id in self._sets or deal_set.code in self._set_codes or deal_set.code in self._codes:
                raise Lost
            self._sets[deal_set.id], self._sets_due[deal_set.id] = (packed, b""), scheduled_at
            if deal_set.code:
                self._set_codes[deal_set.code] = deal_set.id
            if result is not None:
                self._keep_result(deal_set.id, result)

    def keep_par(self, deal_set: DealSet, result: DealResult, scheduled_at: int | None) -> None:
        with self._lock:
            packed, par = self._sets[deal_set.id]
            if unpack_par(par) != deal_set.par:
                raise Lost
            self._sets[deal_set.id] = packed, pack_par((*deal_set.par, result))
            if scheduled_at is None:
                self._sets_due.pop(deal_set.id, None)
            else:
                self._sets_due[deal_set.id] = scheduled_at

    def postpone_set(self, set_id: str, scheduled_at: int) -> None:
        with self._lock:
            if set_id in self._sets_due:
                self._sets_due[set_id] = scheduled_at

    def fold(self, match: Match, result: SetResult) -> None:
        if match.entry is None:
            raise ValueError("not an entry")
        with self._lock:
            version, packed, _ = self._matches[match.id]
            if version != match.version or result in self._set_results.get(match.entry.set_id, ()):
                raise Lost
            self._matches[match.id] = version, packed, None
            self._keep_result(match.entry.set_id, result)

    def _keep_result(self, set_id: str, result: SetResult) -> None:
        self._set_results.setdefault(set_id, set()).add(result)
        histogram = self._histograms.setdefault(set_id, {})
        histogram[result.score] = histogram.get(result.score, 0) + 1

    def histogram(self, set_id: str) -> Mapping[int, int]:
        with self._lock:
            return dict(self._histograms.get(set_id, {}))

    def set_results(self, set_id: str, limit: int) -> tuple[SetResult, ...]:
        with self._lock:
            stored = sorted(self._set_results.get(set_id, ()), key=lambda result: (-result.score, result.player_id))
        return tuple(stored[:limit])
