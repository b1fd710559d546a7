"""The codes that sign a device in: transfer codes, and the recovery code."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from chalicelib.service.errors import Refused
from chalicelib.service.people import codes
from chalicelib.service.people.accounts import delete_player, sign_up
from chalicelib.service.people.codes import RECOVERY_LENGTH, TRANSFER_LIFE, USED_LIFE, recovery_code
from chalicelib.service.people.devices import MOST_DEVICES, REFRESH_LIFE, Grant, list_sessions, sign_out
from chalicelib.service.services import CODE_ALPHABET
from tests.service.people import Hall, refused
from tests.service.test_devices import another, are_in, nonce, out, refresh


def code_of(hall: Hall, grant: Grant) -> str:
    """A transfer code of this device."""
    return codes.transfer_code(hall.services, grant.player.id, grant.session_id)[0]


def transfer(hall: Hall, code: str, once: str | None = None, name: str = "") -> Grant:
    return codes.transfer(hall.services, code, once or nonce(), name)


def recover(hall: Hall, code: str, once: str | None = None, name: str = "") -> Grant:
    return codes.recover(hall.services, code, once or nonce(), name)


def no_transfer(hall: Hall, code: str, once: str | None = None) -> None:
    refused("transfer_code_invalid", transfer, hall, code, once)


def no_recovery(hall: Hall, code: str, once: str | None = None) -> None:
    refused("recovery_code_invalid", recover, hall, code, once)


class TestTransfer:
    """One more device, by a code of one that is signed in."""

    def test_repeating(self, hall: Hall) -> None:
        """The same tokens again to the same nonce, until they are used, or for a day; nothing to another nonce."""
        one, once, late = sign_up(hall.services), nonce(), nonce()
        code, unused = code_of(hall, one), code_of(hall, one)
        two, three = transfer(hall, code, once), transfer(hall, unused, late)
        hall.wait(TRANSFER_LIFE)
        assert (two, three) == (transfer(hall, code, once), transfer(hall, unused, late))
        no_transfer(hall, code)
        refresh(hall, two.refresh_token)
        no_transfer(hall, code, once)
        hall.wait(USED_LIFE - TRANSFER_LIFE)
        no_transfer(hall, unused, late)
        assert [True, True, True] == are_in(hall, one, two, three)

    def test_at_once(self, hall: Hall) -> None:
        """Eight devices with one code: one comes in."""
        one = sign_up(hall.services)
        code = code_of(hall, one)

        def come_in(_: int) -> str:
            try:
                return transfer(hall, code).session_id
            except Refused:
                return ""

        with ThreadPoolExecutor(8) as pool:
            assert 2 == len(set(pool.map(come_in, range(8))))
        assert 2 == len(list_sessions(hall.services, one.player.id))

    def test_wrong_and_late(self, hall: Hall) -> None:
        """Alike: no such code. It dies with the device that made it, whoever signed that out, and with the account."""
        one = sign_up(hall.services)
        two, expired = another(hall, one), code_of(hall, one)
        hall.wait(TRANSFER_LIFE)
        orphan = code_of(hall, two)
        sign_out(hall.services, one.player.id, two.session_id)
        late = code_of(hall, one)
        delete_player(hall.services, one.player.id)
        for typed in (expired, "", "A" * 16, orphan, late):
            no_transfer(hall, typed)

    def test_so_many_devices(self, hall: Hall) -> None:
        """Sixteen and no more, until one is signed out or expires."""
        one = sign_up(hall.services)
        others = [another(hall, one) for _ in range(MOST_DEVICES - 1)]
        code = code_of(hall, one)
        assert {"most": 16} == refused("too_many_devices", transfer, hall, code).params
        sign_out(hall.services, one.player.id, others[3].session_id)
        transfer(hall, code)
        hall.wait(REFRESH_LIFE - 1)
        refresh(hall, one.refresh_token)
        hall.wait(1)
        another(hall, one)
        assert 2 == len(list_sessions(hall.services, one.player.id))


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
        one = sign_up(hall.services, "Asha")
        two, pending = another(hall, one), code_of(hall, one)
        typed = recovery_code(hall.services, one.player.id)
        back = recover(hall, " ".join([typed[:4], typed[4:]]).lower(), name="New phone")
        assert one.player.id == back.player.id
        assert [False, False, True] == are_in(hall, one, two, back)
        no_transfer(hall, pending)
        again = recover(hall, typed)
        assert [False, True] == are_in(hall, back, again)
        refresh(hall, again.refresh_token)

    def test_repeating(self, hall: Hall) -> None:
        """The same tokens to the same nonce until they are used; then nothing: a late copy of the request must not sign
        its own device out."""
        one, once = sign_up(hall.services), nonce()
        code = recovery_code(hall.services, one.player.id)
        back = recover(hall, code, once)
        hall.wait(25 * 60 * 60)
        assert back == recover(hall, code, once)
        refresh(hall, back.refresh_token)
        no_recovery(hall, code, once)
        assert [True] == are_in(hall, back)

    def test_a_new_one_kills_the_old(self, hall: Hall) -> None:
        """Wrong, replaced and never given ones are alike."""
        one = sign_up(hall.services)
        old, new = (recovery_code(hall.services, one.player.id) for _ in range(2))
        for typed in (old, "", "A" * RECOVERY_LENGTH):
            no_recovery(hall, typed)
        assert [True] == are_in(hall, one)
        hall.wait(3 * REFRESH_LIFE)
        assert one.player.id == recover(hall, new).player.id
        delete_player(hall.services, one.player.id)
        no_recovery(hall, new)
        refused("account_deleted", recovery_code, hall.services, one.player.id)

    def test_after_a_thief(self, hall: Hall) -> None:
        """The owner whose only device was ended with the thief's comes back by it."""
        one = sign_up(hall.services)
        code = recovery_code(hall.services, one.player.id)
        refresh(hall, one.refresh_token)
        hall.wait(60)
        out(hall, one.refresh_token)
        assert [False, True] == are_in(hall, one, recover(hall, code))
