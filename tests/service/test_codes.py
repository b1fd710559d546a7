"""The codes that sign a device in: transfer codes, and the recovery code."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from chalicelib.service.errors import Refused, Unauthorized
from chalicelib.service.people.accounts import delete_player, sign_up
from chalicelib.service.people.codes import (
    RECOVERY_LENGTH,
    TRANSFER_LIFE,
    USED_LIFE,
    recover,
    recovery_code,
    transfer,
    transfer_code,
)
from chalicelib.service.people.devices import MOST_DEVICES, REFRESH_LIFE, list_sessions, refresh, sign_out
from chalicelib.service.services import CODE_ALPHABET
from tests.service.people import Hall
from tests.service.test_devices import another, is_in, nonce


class TestTransfer:
    """One more device, by a code of one that is signed in."""

    def test_another_device(self, hall: Hall) -> None:
        """Signed in as the same player, with a family of its own and its name; the code as it may be typed."""
        first = sign_up(hall.services, "Asha")
        code, expires_at = transfer_code(hall.services, first.player.id, first.session_id)
        assert hall.clock.at + TRANSFER_LIFE == expires_at
        second = transfer(hall.services, f"{code[:8]}-{code[8:]} ".lower(), nonce(), "Tablet")
        assert first.player == second.player and first.session_id != second.session_id
        assert {"", "Tablet"} == {each.name for each in list_sessions(hall.services, first.player.id)}
        sign_out(hall.services, first.player.id, first.session_id)
        refresh(hall.services, second.refresh_token, nonce())

    def test_repeating(self, hall: Hall) -> None:
        """The same tokens again to the same nonce, until they are used; nothing to another, and then to none."""
        first, once = sign_up(hall.services), nonce()
        code, _ = transfer_code(hall.services, first.player.id, first.session_id)
        second = transfer(hall.services, code, once)
        hall.wait(TRANSFER_LIFE)
        assert second == transfer(hall.services, code, once)
        with pytest.raises(Refused, match="transfer_code_invalid"):
            transfer(hall.services, code, nonce())
        refresh(hall.services, second.refresh_token, nonce())
        with pytest.raises(Refused, match="transfer_code_invalid"):
            transfer(hall.services, code, once)
        assert 2 == len(list_sessions(hall.services, first.player.id))

    def test_a_used_code_ends(self, hall: Hall) -> None:
        """A day later it gives nothing to its own device either."""
        first, once = sign_up(hall.services), nonce()
        code, _ = transfer_code(hall.services, first.player.id, first.session_id)
        transfer(hall.services, code, once)
        hall.wait(USED_LIFE)
        with pytest.raises(Refused, match="transfer_code_invalid"):
            transfer(hall.services, code, once)

    def test_at_once(self, hall: Hall) -> None:
        """Eight devices with one code: one comes in."""
        first = sign_up(hall.services)
        code, _ = transfer_code(hall.services, first.player.id, first.session_id)

        def come_in(number: int) -> str:
            try:
                return transfer(hall.services, code, f"nonce-of-the-phone-{number}").session_id
            except Refused:
                return ""

        with ThreadPoolExecutor(8) as pool:
            assert 2 == len(set(pool.map(come_in, range(8))))
        assert 2 == len(list_sessions(hall.services, first.player.id))

    def test_wrong_and_late(self, hall: Hall) -> None:
        """Alike: no such code."""
        first = sign_up(hall.services)
        code, _ = transfer_code(hall.services, first.player.id, first.session_id)
        hall.wait(TRANSFER_LIFE)
        for typed in (code, "", "A" * 16):
            with pytest.raises(Refused, match="transfer_code_invalid"):
                transfer(hall.services, typed, nonce())

    def test_dies_with_its_maker(self, hall: Hall) -> None:
        """With the device that made it, whoever signed that out, and with the account."""
        first = sign_up(hall.services)
        second = another(hall, first)
        code, _ = transfer_code(hall.services, first.player.id, second.session_id)
        sign_out(hall.services, first.player.id, second.session_id)
        late, _ = transfer_code(hall.services, first.player.id, first.session_id)
        delete_player(hall.services, first.player.id)
        for typed in (code, late):
            with pytest.raises(Refused, match="transfer_code_invalid"):
                transfer(hall.services, typed, nonce())

    def test_so_many_devices(self, hall: Hall) -> None:
        """Sixteen and no more, until one is signed out or expires."""
        first = sign_up(hall.services)
        others = [another(hall, first) for _ in range(MOST_DEVICES - 1)]
        code, _ = transfer_code(hall.services, first.player.id, first.session_id)
        with pytest.raises(Refused, match="too_many_devices") as refusal:
            transfer(hall.services, code, nonce())
        assert {"most": 16} == refusal.value.params
        sign_out(hall.services, first.player.id, others[3].session_id)
        transfer(hall.services, code, nonce())
        hall.wait(REFRESH_LIFE - 1)
        refresh(hall.services, first.refresh_token, nonce())
        hall.wait(1)
        another(hall, first)
        assert 2 == len(list_sessions(hall.services, first.player.id))


class TestRecovery:
    """The way back in for who has lost all devices."""

    def test_the_code(self, hall: Hall) -> None:
        """100 random bits in signs that can be read aloud; only its hash is kept; the profile says since when."""
        grant = sign_up(hall.services)
        code = recovery_code(hall.services, grant.player.id)
        assert RECOVERY_LENGTH == len(code) and set(code) <= set(CODE_ALPHABET)
        assert len(CODE_ALPHABET) ** len(code) >= 2**80
        player = hall.store.player(grant.player.id)
        assert player is not None and hall.clock.at == player.recovery_at
        assert code not in repr(vars(hall.store))

    def test_everybody_else_is_out(self, hall: Hall) -> None:
        """This device is in, all others are not, nor is who holds a transfer code of theirs; as often as need be."""
        first = sign_up(hall.services, "Asha")
        second = another(hall, first)
        typed = recovery_code(hall.services, first.player.id)
        pending, _ = transfer_code(hall.services, first.player.id, first.session_id)
        back = recover(hall.services, " ".join([typed[:4], typed[4:]]).lower(), nonce(), "New phone")
        assert first.player.id == back.player.id
        assert [False, False, True] == [is_in(hall, each) for each in (first, second, back)]
        with pytest.raises(Refused, match="transfer_code_invalid"):
            transfer(hall.services, pending, nonce())
        again = recover(hall.services, typed, nonce())
        assert [again.session_id] == [each.id for each in list_sessions(hall.services, first.player.id)]
        refresh(hall.services, again.refresh_token, nonce())

    def test_repeating(self, hall: Hall) -> None:
        """The same tokens to the same nonce until they are used; then nothing: a late copy of the request must not sign
        its own device out."""
        first, once = sign_up(hall.services), nonce()
        code = recovery_code(hall.services, first.player.id)
        back = recover(hall.services, code, once)
        hall.wait(25 * 60 * 60)
        assert back == recover(hall.services, code, once)
        refresh(hall.services, back.refresh_token, nonce())
        with pytest.raises(Refused, match="recovery_code_invalid"):
            recover(hall.services, code, once)
        assert is_in(hall, back)

    def test_a_new_one_kills_the_old(self, hall: Hall) -> None:
        """Wrong, replaced and never given ones are alike."""
        first = sign_up(hall.services)
        old = recovery_code(hall.services, first.player.id)
        new = recovery_code(hall.services, first.player.id)
        for typed in (old, "", "A" * RECOVERY_LENGTH):
            with pytest.raises(Refused, match="recovery_code_invalid"):
                recover(hall.services, typed, nonce())
        assert is_in(hall, first)
        recover(hall.services, new, nonce())

    def test_long_after(self, hall: Hall) -> None:
        """When all devices have expired too."""
        first = sign_up(hall.services)
        code = recovery_code(hall.services, first.player.id)
        hall.wait(3 * REFRESH_LIFE)
        assert first.player.id == recover(hall.services, code, nonce()).player.id

    def test_of_a_deleted_account(self, hall: Hall) -> None:
        """It dies with the account, and there is no new one."""
        first = sign_up(hall.services)
        code = recovery_code(hall.services, first.player.id)
        delete_player(hall.services, first.player.id)
        with pytest.raises(Refused, match="recovery_code_invalid"):
            recover(hall.services, code, nonce())
        with pytest.raises(Unauthorized, match="account_deleted"):
            recovery_code(hall.services, first.player.id)

    def test_after_a_thief(self, hall: Hall) -> None:
        """The owner whose only device was ended with the thief's comes back by it."""
        first = sign_up(hall.services)
        code = recovery_code(hall.services, first.player.id)
        refresh(hall.services, first.refresh_token, nonce())
        hall.wait(60)
        with pytest.raises(Unauthorized, match="session_revoked"):
            refresh(hall.services, first.refresh_token, nonce())
        assert () == list_sessions(hall.services, first.player.id)
        assert is_in(hall, recover(hall.services, code, nonce()))
