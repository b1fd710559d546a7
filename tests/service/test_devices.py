"""A player's devices: refresh tokens, transfer codes, signing out."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from chalicelib.service.accounts import delete_player, sign_up
from chalicelib.service.devices import (
    REFRESH_LIFE,
    REPEAT_LIFE,
    TRANSFER_LIFE,
    exchange,
    refresh,
    sign_out,
    transfer_code,
)
from chalicelib.service.errors import Unauthorized
from tests.service.people import Hall


class TestRefreshing:
    """One family of tokens a device, each good once."""

    def test_a_chain(self, hall: Hall) -> None:
        """Each token leads to the next, and all are different."""
        token = sign_up(hall.house).refresh_token
        seen = {token}
        for _ in range(5):
            token = refresh(hall.house, token).refresh_token
            seen.add(token)
        assert 6 == len(seen)

    def test_after_a_lost_answer(self, hall: Hall) -> None:
        """The same token again gets the same successor, until that one is used."""
        first = sign_up(hall.house).refresh_token
        second = refresh(hall.house, first)
        assert second == refresh(hall.house, first)
        assert refresh(hall.house, second.refresh_token) == refresh(hall.house, second.refresh_token)

    def test_a_copied_token(self, hall: Hall) -> None:
        """A token whose successor was used signs the device out, its newest token included."""
        first = sign_up(hall.house).refresh_token
        second = refresh(hall.house, first).refresh_token
        third = refresh(hall.house, second).refresh_token
        for token in (first, third):
            with pytest.raises(Unauthorized, match="session_revoked"):
                refresh(hall.house, token)

    def test_at_once(self, hall: Hall) -> None:
        """Eight at a time with one token: one successor for all."""
        first = sign_up(hall.house).refresh_token
        with ThreadPoolExecutor(8) as pool:
            assert 1 == len({grant.refresh_token for grant in pool.map(lambda _: refresh(hall.house, first), range(8))})

    def test_what_was_never_issued(self, hall: Hall) -> None:
        """Nobody's token, a changed one, or one with another's proof: refused, and the family lives on."""
        mine, other = sign_up(hall.house).refresh_token, sign_up(hall.house).refresh_token
        for forged in ("", "é" * 96, "A" * 96, mine[:-1] + "~", mine[:32] + other[32:], other[:32] + mine[32:]):
            with pytest.raises(Unauthorized, match="refresh_token_invalid"):
                refresh(hall.house, forged)
        refresh(hall.house, mine)

    def test_expiry(self, hall: Hall) -> None:
        """A device that stays away for half a year is signed out; each use puts that off."""
        token = sign_up(hall.house).refresh_token
        hall.wait(REFRESH_LIFE - 1)
        token = refresh(hall.house, token).refresh_token
        hall.wait(REFRESH_LIFE)
        with pytest.raises(Unauthorized, match="session_revoked"):
            refresh(hall.house, token)

    def test_a_deleted_account(self, hall: Hall) -> None:
        """Its tokens say so."""
        grant = sign_up(hall.house)
        delete_player(hall.house, grant.player.id)
        with pytest.raises(Unauthorized, match="account_deleted"):
            refresh(hall.house, grant.refresh_token)

    def test_only_hashes_are_kept(self, hall: Hall) -> None:
        """Neither the token nor its successor can be read from what is kept."""
        grant = sign_up(hall.house)
        successor = refresh(hall.house, grant.refresh_token).refresh_token
        kept = repr(hall.store.sessions(grant.player.id))
        assert grant.refresh_token[32:] not in kept and successor[32:] not in kept


class TestTransfer:
    """Another device, by a code."""

    def test_another_device(self, hall: Hall) -> None:
        """Signed in as the same player, with a family of its own: signing one out leaves the other."""
        first = sign_up(hall.house, "Asha")
        code, expires_at = transfer_code(hall.house, first.player.id, first.session_id)
        assert hall.clock.at + TRANSFER_LIFE == expires_at
        second = exchange(hall.house, f"{code[:8]}-{code[8:]}".lower())
        assert first.player == second.player and first.session_id != second.session_id
        sign_out(hall.house, first.player.id, first.session_id)
        sign_out(hall.house, first.player.id, first.session_id)
        with pytest.raises(Unauthorized, match="session_revoked"):
            refresh(hall.house, first.refresh_token)
        refresh(hall.house, second.refresh_token)

    def test_only_from_a_device_that_is_signed_in(self, hall: Hall) -> None:
        """An access token outlives its family by minutes: of one that is signed out, or was copied, it makes none."""
        first, second = sign_up(hall.house), sign_up(hall.house)
        sign_out(hall.house, first.player.id, first.session_id)
        refresh(hall.house, refresh(hall.house, second.refresh_token).refresh_token)
        with pytest.raises(Unauthorized, match="session_revoked"):
            refresh(hall.house, second.refresh_token)
        for grant in (first, second):
            with pytest.raises(Unauthorized, match="session_revoked"):
                transfer_code(hall.house, grant.player.id, grant.session_id)

    def test_repeating(self, hall: Hall) -> None:
        """The same tokens again for a minute, until they are used; then the code is worth nothing."""
        first = sign_up(hall.house)
        code, _ = transfer_code(hall.house, first.player.id, first.session_id)
        second = exchange(hall.house, code)
        assert second == exchange(hall.house, code)
        refresh(hall.house, second.refresh_token)
        with pytest.raises(Unauthorized, match="transfer_code_invalid"):
            exchange(hall.house, code)

    def test_not_for_two_devices(self, hall: Hall) -> None:
        """A code that was exchanged signs nobody in a minute later, though its tokens were not used yet."""
        first = sign_up(hall.house)
        code, _ = transfer_code(hall.house, first.player.id, first.session_id)
        exchange(hall.house, code)
        hall.wait(REPEAT_LIFE)
        with pytest.raises(Unauthorized, match="transfer_code_invalid"):
            exchange(hall.house, code)

    def test_wrong_and_late(self, hall: Hall) -> None:
        """Alike: no such code."""
        first = sign_up(hall.house)
        code, _ = transfer_code(hall.house, first.player.id, first.session_id)
        hall.wait(TRANSFER_LIFE)
        for typed in (code, "", "A" * 16):
            with pytest.raises(Unauthorized, match="transfer_code_invalid"):
                exchange(hall.house, typed)

    def test_of_a_deleted_account(self, hall: Hall) -> None:
        """A code that was made before is worth nothing, and none is made after."""
        first = sign_up(hall.house)
        code, _ = transfer_code(hall.house, first.player.id, first.session_id)
        delete_player(hall.house, first.player.id)
        with pytest.raises(Unauthorized, match="account_deleted"):
            exchange(hall.house, code)
        with pytest.raises(Unauthorized, match="account_deleted"):
            transfer_code(hall.house, first.player.id, first.session_id)
