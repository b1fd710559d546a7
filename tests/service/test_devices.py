"""A player's devices: refresh tokens, a thief with a copy of one, lists, signing out."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count

import pytest

from chalicelib.match.model import DAY
from chalicelib.service.errors import Unauthorized
from chalicelib.service.people import devices
from chalicelib.service.people.accounts import delete_player, sign_up
from chalicelib.service.people.codes import transfer, transfer_code
from chalicelib.service.people.devices import (
    REFRESH_LIFE,
    REPEAT_LIFE,
    Grant,
    check_session,
    list_sessions,
    sign_others_out,
    sign_out,
)
from tests.service.meddling import first
from tests.service.people import Hall, refused

_numbers = count()


def nonce() -> str:
    """A fresh one."""
    return f"nonce-{next(_numbers):012d}"


def refresh(hall: Hall, token: str, once: str | None = None) -> Grant:
    """With a nonce of its own, unless it is given."""
    return devices.refresh(hall.services, token, nonce() if once is None else once)


def out(hall: Hall, token: str, once: str | None = None) -> None:
    """The token is worth nothing: its device is signed out."""
    refused("session_revoked", refresh, hall, token, once)


@dataclass
class Phone:
    """An app that does as the guide says: it draws a nonce, keeps it until the answer is there, and sends both again
    after a lost answer."""

    hall: Hall
    token: str
    pending: str = ""

    def refresh(self, *, lost: bool = False) -> bool:
        """Whether still signed in; with `lost` the answer does not arrive."""
        self.pending = self.pending or nonce()
        try:
            grant = refresh(self.hall, self.token, self.pending)
        except Unauthorized:
            return False
        if not lost:
            self.token, self.pending = grant.refresh_token, ""
        return True


def another(hall: Hall, grant: Grant, name: str = "") -> Grant:
    """One more device, signed in by a transfer code of this one."""
    code, _ = transfer_code(hall.services, grant.player.id, grant.session_id)
    return transfer(hall.services, code, nonce(), name)


def are_in(hall: Hall, *grants: Grant) -> list[bool]:
    """Which of these devices are signed in."""
    listed = {each.id for grant in grants for each in list_sessions(hall.services, grant.player.id)}
    for grant in grants:
        if grant.session_id in listed:
            check_session(hall.services, grant.player.id, grant.session_id)
        else:
            refused("session_revoked", check_session, hall.services, grant.player.id, grant.session_id)
    return [grant.session_id in listed for grant in grants]


class TestRefreshing:
    """One family of tokens a device, each good once."""

    def test_a_chain(self, hall: Hall) -> None:
        """Each token leads to the next, and all are different. What is kept tells neither token nor nonce."""
        grant, once = sign_up(hall.services), nonce()
        seen = [grant.refresh_token]
        for _ in range(5):
            seen.append(refresh(hall, seen[-1], once := nonce()).refresh_token)
            hall.wait(600)
        assert 6 == len(set(seen))
        kept = repr(hall.store.devices(grant.player.id))
        assert once not in kept and not any(token[32:] in kept for token in seen)

    def test_after_a_lost_answer(self, hall: Hall) -> None:
        """Within a minute the same token gets the same successor, whatever the nonce; then another nonce is another
        phone, and the device is signed out."""
        token = sign_up(hall.services).refresh_token
        second = refresh(hall, token)
        hall.wait(REPEAT_LIFE - 1)
        assert second == refresh(hall, token)
        hall.wait(1)
        out(hall, token)
        out(hall, second.refresh_token)

    @pytest.mark.parametrize("seconds", [REPEAT_LIFE, 25 * 60 * 60, 179 * DAY])
    def test_an_answer_lost_long_ago(self, hall: Hall, seconds: int) -> None:
        """The phone that has kept its nonce goes on, as late as the family lives."""
        phone = Phone(hall, sign_up(hall.services).refresh_token)
        phone.refresh(lost=True)
        hall.wait(seconds)
        assert phone.refresh() and phone.refresh()

    def test_a_copied_token(self, hall: Hall) -> None:
        """A token whose successor was used signs the device out, its newest token included, at once and later."""
        for wait in (0, REPEAT_LIFE):
            token, once = sign_up(hall.services).refresh_token, nonce()
            third = refresh(hall, refresh(hall, token, once).refresh_token).refresh_token
            hall.wait(wait)
            out(hall, token, once)
            out(hall, third, once)

    def test_a_nonce_is_good_for_one_refresh(self, hall: Hall) -> None:
        """The one of the refresh before is refused, whenever; the token stays good, and a lost answer is repeated."""
        token, once = sign_up(hall.services).refresh_token, nonce()
        second = refresh(hall, token, once).refresh_token
        for _ in range(2):
            refused("client_nonce_used", refresh, hall, second, once)
            hall.wait(REPEAT_LIFE)
            assert second == refresh(hall, token, once).refresh_token
        assert refresh(hall, second).refresh_token not in (token, second)

    def test_at_once(self, hall: Hall) -> None:
        """Eight at a time with one token: one successor for all."""
        token = sign_up(hall.services).refresh_token
        with ThreadPoolExecutor(8) as pool:
            assert 1 == len({grant.refresh_token for grant in pool.map(lambda _: refresh(hall, token), range(8))})

    def test_what_was_never_issued(self, hall: Hall) -> None:
        """Nobody's token, a changed one, or one with another's proof: refused, and the family lives on."""
        mine, other = sign_up(hall.services).refresh_token, sign_up(hall.services).refresh_token
        for forged in ("", "é" * 96, "A" * 96, mine[:-1] + "~", mine[:32] + other[32:], other[:32] + mine[32:]):
            refused("refresh_token_invalid", refresh, hall, forged)
        refresh(hall, mine)

    def test_expiry(self, hall: Hall) -> None:
        """A device that stays away for half a year is signed out; each use puts that off."""
        grant = sign_up(hall.services)
        hall.wait(REFRESH_LIFE - 1)
        token = refresh(hall, grant.refresh_token).refresh_token
        hall.wait(REFRESH_LIFE)
        assert [False] == are_in(hall, grant)
        out(hall, token)

    def test_a_deleted_account(self, hall: Hall) -> None:
        """Its tokens say so, and its devices are signed out."""
        grant = sign_up(hall.services)
        delete_player(hall.services, grant.player.id)
        refused("account_deleted", refresh, hall, grant.refresh_token)
        refused("account_deleted", check_session, hall.services, grant.player.id, grant.session_id)

    def test_whom_it_admits(self, hall: Hall) -> None:
        """A device is counted when its token is about to be exchanged, not for somebody's junk, a repeat or a copy: a
        thief who asks until the limit is reached keeps neither the owner out nor the family from ending."""
        grant, counted = sign_up(hall.services), list[str]()

        def ask(token: str) -> Grant:
            return devices.refresh(hall.services, token, nonce(), counted.append)

        refused("refresh_token_invalid", ask, grant.refresh_token[:-1] + "~")
        assert ask(grant.refresh_token) == ask(grant.refresh_token)
        hall.wait(REPEAT_LIFE)
        refused("session_revoked", ask, grant.refresh_token)
        assert [grant.session_id] == counted


class TestAThief:
    """Somebody has a copy of the token, and the owner goes on."""

    @pytest.mark.parametrize("thief_first", [True, False])
    @pytest.mark.parametrize("wait", [15 * 60, DAY // 2])
    def test_is_out_in_the_first_round(self, hall: Hall, thief_first: bool, wait: int) -> None:
        """Whoever comes first: the other's refresh, more than a minute later, ends it for both."""
        owner = Phone(hall, sign_up(hall.services).refresh_token)
        thief = Phone(hall, owner.token)
        one, other = (thief, owner) if thief_first else (owner, thief)
        assert one.refresh()
        hall.wait(wait)
        assert not other.refresh() and not one.refresh()

    def test_with_an_old_token(self, hall: Hall) -> None:
        """One rotated out 179 days ago gives nothing, though its successor was never used."""
        owner = Phone(hall, sign_up(hall.services).refresh_token)
        thief = Phone(hall, owner.token)
        owner.refresh()
        hall.wait(179 * DAY)
        assert not thief.refresh()

    def test_loses_what_was_made_from_the_copy(self, hall: Hall) -> None:
        """Devices signed in by transfer codes of the stolen family go with it, and theirs, and unused codes; the
        device that it came from itself stays."""
        home = sign_up(hall.services)
        stolen = another(hall, home)
        child = another(hall, stolen)
        grandchild = another(hall, child)
        sign_out(hall.services, home.player.id, child.session_id)
        code, _ = transfer_code(hall.services, home.player.id, grandchild.session_id)
        sibling = another(hall, home)
        Phone(hall, stolen.refresh_token).refresh()
        hall.wait(REPEAT_LIFE)
        out(hall, stolen.refresh_token)
        assert [True, False, False, False, True] == are_in(hall, home, stolen, child, grandchild, sibling)
        refused("transfer_code_invalid", transfer, hall.services, code, nonce())


class TestTheList:
    """Which devices are signed in, and signing them out."""

    def test_devices(self, hall: Hall) -> None:
        """With names and times, by the day of their last use; those that are out or expired are not in it."""
        phone = sign_up(hall.services, device_name="Old phone")
        hall.wait(DAY)
        tablet = another(hall, phone, "Tablet")
        hall.wait(DAY)
        refresh(hall, phone.refresh_token)
        now, listed = hall.clock.at, list_sessions(hall.services, phone.player.id)
        assert [
            (phone.session_id, "Old phone", now - 2 * DAY, now),
            (tablet.session_id, "Tablet", now - DAY, now - DAY),
        ] == [(each.id, each.name, each.created_at, each.used_at) for each in listed]
        hall.wait(REFRESH_LIFE - DAY)
        assert [True, False] == are_in(hall, phone, tablet)
        hall.wait(DAY)
        assert [False, False] == are_in(hall, phone, tablet)

    def test_no_minute_of_a_refresh_shows(self, hall: Hall) -> None:
        """Neither time nor order tells when in a day the owner's phone has refreshed."""
        phone = sign_up(hall.services)
        hall.wait(60)
        tablet = another(hall, phone)
        hall.wait(2 * DAY - hall.clock.at % DAY)
        refresh(hall, tablet.refresh_token)
        token, shown = refresh(hall, phone.refresh_token).refresh_token, set()
        for _ in range(4):
            hall.wait(5 * 60 * 60)
            token = refresh(hall, token).refresh_token
            listed = list_sessions(hall.services, phone.player.id)
            shown.add(tuple((each.id, devices.day_used(each)) for each in listed))
        midnight = hall.clock.at - hall.clock.at % DAY
        assert {((tablet.session_id, midnight), (phone.session_id, midnight))} == shown

    def test_signing_out(self, hall: Hall) -> None:
        """One of them, which leaves the others, or all others; both repeatable. Another player's is none of mine."""
        one, stranger = sign_up(hall.services), sign_up(hall.services)
        second, third = another(hall, one), another(hall, one)
        for _ in range(2):
            for each in (second, stranger):
                sign_out(hall.services, one.player.id, each.session_id)
        assert [True, False, True, True] == are_in(hall, one, second, third, stranger)
        out(hall, second.refresh_token)
        refresh(hall, one.refresh_token)
        for _ in range(2):
            sign_others_out(hall.services, one.player.id, third.session_id)
        assert [False, True] == are_in(hall, one, third)

    def test_a_rotation_meanwhile(self, hall: Hall) -> None:
        """A refresh that read before somebody signed the device out does not bring it back."""
        grant, plain = sign_up(hall.services), hall.services
        with hall.instead(save_devices=first(lambda: sign_out(plain, grant.player.id, grant.session_id))):
            out(hall, grant.refresh_token)
        assert [False] == are_in(hall, grant)
