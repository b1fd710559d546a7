"""A player's devices: refresh tokens, a thief with a copy of one, lists, signing out."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import count

import pytest

from chalicelib.match.model import DAY
from chalicelib.service.errors import Refused, Unauthorized
from chalicelib.service.people.accounts import delete_player, sign_up
from chalicelib.service.people.codes import transfer, transfer_code
from chalicelib.service.people.devices import (
    REFRESH_LIFE,
    REPEAT_LIFE,
    Grant,
    check_session,
    day_used,
    list_sessions,
    refresh,
    sign_others_out,
    sign_out,
)
from tests.service.people import Hall

_numbers = count()


def nonce() -> str:
    """A fresh one."""
    return f"nonce-{next(_numbers):012d}"


@dataclass
class Phone:
    """An app that does as the guide says: it draws a nonce, keeps it until the answer is there, and sends both again
    after a lost answer."""

    hall: Hall
    token: str
    pending: str = ""
    seen: list[str] = field(default_factory=list)

    def refresh(self, *, lost: bool = False) -> Grant | None:
        """Whether still signed in; with `lost` the answer does not arrive."""
        self.pending = self.pending or nonce()
        try:
            grant = refresh(self.hall.services, self.token, self.pending)
        except Unauthorized:
            return None
        if not lost:
            self.token, self.pending = grant.refresh_token, ""
            self.seen.append(self.token)
        return grant

    def copied(self) -> Phone:
        """What a thief has who has read the token."""
        return Phone(self.hall, self.token)


def another(hall: Hall, grant: Grant, name: str = "") -> Grant:
    """One more device, signed in by a transfer code of this one."""
    code, _ = transfer_code(hall.services, grant.player.id, grant.session_id)
    return transfer(hall.services, code, nonce(), name)


def is_in(hall: Hall, grant: Grant) -> bool:
    try:
        check_session(hall.services, grant.player.id, grant.session_id)
    except Unauthorized:
        return False
    return True


class TestRefreshing:
    """One family of tokens a device, each good once."""

    def test_a_chain(self, hall: Hall) -> None:
        """Each token leads to the next, and all are different."""
        phone = Phone(hall, sign_up(hall.services).refresh_token)
        for _ in range(5):
            assert phone.refresh()
            hall.wait(600)
        assert 5 == len(set(phone.seen))

    def test_after_a_lost_answer(self, hall: Hall) -> None:
        """Within a minute the same token gets the same successor, whatever the nonce."""
        first = sign_up(hall.services).refresh_token
        second = refresh(hall.services, first, nonce())
        hall.wait(REPEAT_LIFE - 1)
        assert second == refresh(hall.services, first, nonce())

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
            first = sign_up(hall.services).refresh_token
            once = nonce()
            second = refresh(hall.services, first, once).refresh_token
            third = refresh(hall.services, second, nonce()).refresh_token
            hall.wait(wait)
            for token in (first, third):
                with pytest.raises(Unauthorized, match="session_revoked"):
                    refresh(hall.services, token, once)

    def test_another_nonce_after_a_minute(self, hall: Hall) -> None:
        """Is another phone: the device is signed out."""
        first = sign_up(hall.services).refresh_token
        second = refresh(hall.services, first, nonce())
        hall.wait(REPEAT_LIFE)
        for token in (first, second.refresh_token):
            with pytest.raises(Unauthorized, match="session_revoked"):
                refresh(hall.services, token, nonce())

    def test_a_nonce_is_good_for_one_refresh(self, hall: Hall) -> None:
        """The one of the refresh before is refused, whenever; the token stays good, and a lost answer is repeated."""
        first, once = sign_up(hall.services).refresh_token, nonce()
        second = refresh(hall.services, first, once).refresh_token
        for _ in range(2):
            with pytest.raises(Refused, match="client_nonce_used"):
                refresh(hall.services, second, once)
            hall.wait(REPEAT_LIFE)
            assert second == refresh(hall.services, first, once).refresh_token
        third = refresh(hall.services, second, nonce()).refresh_token
        assert third not in (first, second)

    def test_at_once(self, hall: Hall) -> None:
        """Eight at a time with one token: one successor for all."""
        first = sign_up(hall.services).refresh_token
        with ThreadPoolExecutor(8) as pool:
            grants = pool.map(lambda _: refresh(hall.services, first, nonce()), range(8))
            assert 1 == len({grant.refresh_token for grant in grants})

    def test_what_was_never_issued(self, hall: Hall) -> None:
        """Nobody's token, a changed one, or one with another's proof: refused, and the family lives on."""
        mine, other = sign_up(hall.services).refresh_token, sign_up(hall.services).refresh_token
        for forged in ("", "é" * 96, "A" * 96, mine[:-1] + "~", mine[:32] + other[32:], other[:32] + mine[32:]):
            with pytest.raises(Unauthorized, match="refresh_token_invalid"):
                refresh(hall.services, forged, nonce())
        refresh(hall.services, mine, nonce())

    def test_expiry(self, hall: Hall) -> None:
        """A device that stays away for half a year is signed out; each use puts that off."""
        grant = sign_up(hall.services)
        hall.wait(REFRESH_LIFE - 1)
        token = refresh(hall.services, grant.refresh_token, nonce()).refresh_token
        hall.wait(REFRESH_LIFE)
        assert not is_in(hall, grant)
        with pytest.raises(Unauthorized, match="session_revoked"):
            refresh(hall.services, token, nonce())

    def test_a_deleted_account(self, hall: Hall) -> None:
        """Its tokens say so, and its devices are signed out."""
        grant = sign_up(hall.services)
        delete_player(hall.services, grant.player.id)
        with pytest.raises(Unauthorized, match="account_deleted"):
            refresh(hall.services, grant.refresh_token, nonce())
        with pytest.raises(Unauthorized, match="account_deleted"):
            check_session(hall.services, grant.player.id, grant.session_id)

    def test_only_hashes_are_kept(self, hall: Hall) -> None:
        """Neither the token, nor its successor, nor the nonce can be read from what is kept."""
        grant, once = sign_up(hall.services), nonce()
        successor = refresh(hall.services, grant.refresh_token, once).refresh_token
        kept = repr(hall.store.devices(grant.player.id))
        assert grant.refresh_token[32:] not in kept and successor[32:] not in kept and once not in kept

    def test_whom_it_admits(self, hall: Hall) -> None:
        """A device is counted when its token is about to be exchanged, not for somebody's junk, a repeat or a copy: a
        thief who asks until the limit is reached keeps neither the owner out nor the family from ending."""
        grant, counted = sign_up(hall.services), list[str]()
        with pytest.raises(Unauthorized, match="refresh_token_invalid"):
            refresh(hall.services, grant.refresh_token[:-1] + "~", nonce(), counted.append)
        refresh(hall.services, grant.refresh_token, nonce(), counted.append)
        refresh(hall.services, grant.refresh_token, nonce(), counted.append)
        assert [grant.session_id] == counted
        hall.wait(REPEAT_LIFE)
        with pytest.raises(Unauthorized, match="session_revoked"):
            refresh(hall.services, grant.refresh_token, nonce(), counted.append)
        assert [grant.session_id] == counted


class TestAThief:
    """Somebody has a copy of the token, and the owner goes on."""

    @pytest.mark.parametrize("thief_first", [True, False])
    def test_is_out_in_the_first_round(self, hall: Hall, thief_first: bool) -> None:
        """Whoever comes first: the other's refresh, more than a minute later, ends it for both."""
        owner = Phone(hall, sign_up(hall.services).refresh_token)
        thief = owner.copied()
        first, second = (thief, owner) if thief_first else (owner, thief)
        assert first.refresh()
        hall.wait(15 * 60)
        assert not second.refresh()
        assert not first.refresh()

    def test_in_turn_for_a_thousand_days(self, hall: Hall) -> None:
        """The race that a limit of time alone lets go on for ever ends in its first round."""
        owner = Phone(hall, sign_up(hall.services).refresh_token)
        thief = owner.copied()
        rounds = 0
        while rounds < 1000 and owner.refresh():
            hall.wait(DAY // 2)
            if not thief.refresh():
                break
            hall.wait(DAY // 2)
            rounds += 1
        assert 0 == rounds

    def test_with_an_old_token(self, hall: Hall) -> None:
        """One rotated out 179 days ago gives nothing, though its successor was never used."""
        owner = Phone(hall, sign_up(hall.services).refresh_token)
        thief = owner.copied()
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

        thief, owner = Phone(hall, stolen.refresh_token), Phone(hall, stolen.refresh_token)
        thief.refresh()
        hall.wait(REPEAT_LIFE)
        assert not owner.refresh()

        assert [True, False, False, False, True] == [
            is_in(hall, each) for each in (home, stolen, child, grandchild, sibling)
        ]
        with pytest.raises(Exception, match="transfer_code_invalid"):
            transfer(hall.services, code, nonce())


class TestTheList:
    """Which devices are signed in, and signing them out."""

    def test_devices(self, hall: Hall) -> None:
        """With names and times, by the day of their last use; those that are out or expired are not in it."""
        first = sign_up(hall.services, device_name="Old phone")
        hall.wait(DAY)
        second = another(hall, first, "Tablet")
        hall.wait(DAY)
        refresh(hall.services, first.refresh_token, nonce())
        now = hall.clock.at
        listed = list_sessions(hall.services, first.player.id)
        assert [
            (first.session_id, "Old phone", now - 2 * DAY, now),
            (second.session_id, "Tablet", now - DAY, now - DAY),
        ] == [(each.id, each.name, each.created_at, each.used_at) for each in listed]
        hall.wait(REFRESH_LIFE - DAY)
        assert [first.session_id] == [each.id for each in list_sessions(hall.services, first.player.id)]
        hall.wait(DAY)
        assert () == list_sessions(hall.services, first.player.id)

    def test_no_minute_of_a_refresh_shows(self, hall: Hall) -> None:
        """Neither time nor order tells when in a day the owner's phone has refreshed."""
        phone = sign_up(hall.services)
        hall.wait(60)
        tablet = another(hall, phone)
        hall.wait(2 * DAY - hall.clock.at % DAY)
        refresh(hall.services, tablet.refresh_token, nonce())
        token, shown = refresh(hall.services, phone.refresh_token, nonce()).refresh_token, set()
        for _ in range(4):
            hall.wait(5 * 60 * 60)
            token = refresh(hall.services, token, nonce()).refresh_token
            listed = list_sessions(hall.services, phone.player.id)
            shown.add(tuple((each.id, day_used(each)) for each in listed))
        midnight = hall.clock.at - hall.clock.at % DAY
        assert {((tablet.session_id, midnight), (phone.session_id, midnight))} == shown

    def test_one_of_them(self, hall: Hall) -> None:
        """Signing one out leaves the others, and is repeatable; another player's is none of mine."""
        first, stranger = sign_up(hall.services), sign_up(hall.services)
        second = another(hall, first)
        for _ in range(2):
            sign_out(hall.services, first.player.id, second.session_id)
            sign_out(hall.services, first.player.id, stranger.session_id)
        assert [True, False, True] == [is_in(hall, each) for each in (first, second, stranger)]
        with pytest.raises(Unauthorized, match="session_revoked"):
            refresh(hall.services, second.refresh_token, nonce())
        refresh(hall.services, first.refresh_token, nonce())

    def test_all_others(self, hall: Hall) -> None:
        """Only this one stays."""
        first = sign_up(hall.services)
        second, third = another(hall, first), another(hall, first)
        for _ in range(2):
            sign_others_out(hall.services, first.player.id, second.session_id)
        assert [False, True, False] == [is_in(hall, each) for each in (first, second, third)]

    def test_a_rotation_meanwhile(self, hall: Hall) -> None:
        """A refresh that read before somebody signed the device out does not bring it back."""
        first = sign_up(hall.services)
        save = hall.store.save_devices

        def signed_out_first(*args: object, **more: object) -> None:
            hall.store.save_devices = save  # type: ignore[method-assign]
            sign_out(hall.services, first.player.id, first.session_id)
            save(*args, **more)  # type: ignore[arg-type]

        hall.store.save_devices = signed_out_first  # type: ignore[method-assign]
        with pytest.raises(Unauthorized, match="session_revoked"):
            refresh(hall.services, first.refresh_token, nonce())
        assert not is_in(hall, first)
