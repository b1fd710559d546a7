"""Players, their devices, the codes that sign devices in, and counts of what is done too often."""

from __future__ import annotations

import secrets
from dataclasses import fields, replace
from typing import Any, get_type_hints

import pytest

from chalicelib.service import ports
from chalicelib.service.ports import AccountGone, Devices, Lost, Player, Session, Settling, Store, TransferCode
from tests.contract import given
from tests.contract.given import NOW, new_id

OWN_WRITES = {"deleted_at": None, "settled": True, "settling": Settling(), "recovery": b"", "recovery_at": None}
"""Fields of an account that a new one never has: each is written by a call of its own, and tested with it."""


def filled(kind: type, **known: Any) -> Any:
    """An object with something in every field, other than its default."""
    values: dict[str, Any] = dict(known)
    for at, (name, hint) in enumerate(get_type_hints(kind, vars(ports)).items()):
        of_type = {int: NOW + at, str: f"text-{at}", bytes: bytes([at]) * 32, bool: True, tuple[str, ...]: (new_id(),)}
        if name not in values:
            assert hint in of_type, f"tests/contract/test_accounts.py does not know how to fill {kind.__name__}.{name}"
            values[name] = of_type[hint]
    return kind(**values)


def forgotten(kept: Any, found: Any) -> list[str]:
    """Fields that a store does not give back as they were kept."""
    return [field.name for field in fields(kept) if getattr(kept, field.name) != getattr(found, field.name)]


def code_of(player: Player) -> TransferCode:
    return TransferCode(secrets.token_bytes(32), player.id, new_id(), NOW + 100)


def account(store: Store, player: Player) -> Player:
    """The account as it is now."""
    found = store.player(player.id)
    assert found is not None
    return found


def mark_deleted(store: Store, player: Player, deleted_at: int = NOW) -> None:
    store.mark_deleted(account(store, player), deleted_at)


def test_every_field_is_kept(store: Store) -> None:
    """Of an account, a device and a code."""
    player = filled(Player, id=new_id(), revision=1, **OWN_WRITES)
    devices, code = Devices(player.id, (filled(Session, id=new_id()),)), filled(TransferCode)
    store.create_player(player, devices)
    store.put_transfer_code(code)
    assert [] == forgotten(player, store.player(player.id))
    assert [] == forgotten(devices.sessions[0], given.devices(store, player.id).sessions[0])
    assert [] == forgotten(code, store.transfer_code(code.hash, NOW))


@pytest.mark.parametrize("name", ["", "Asha", "ख़" * 12])
def test_an_account_is_made_once(store: Store, name: str) -> None:
    """With its first device; an id that is taken is refused."""
    player = Player(new_id(), name, NOW, locale="hi" if name else "")
    devices = Devices(player.id, (given.session(name="Ashas टेलीफ़ोन"),))
    store.create_player(player, devices)
    with pytest.raises(Lost):
        store.create_player(replace(player, name="Other"), Devices(player.id, (given.session(),)))
    assert (player, replace(devices, revision=1)) == (store.player(player.id), store.devices(player.id))


def test_accounts_that_never_were(store: Store) -> None:
    """There is nothing to read, and nothing is made by changing it."""
    unknown = new_id()
    store.settle(unknown, 1)
    assert (None, None, {}) == (store.player(unknown), store.devices(unknown), store.players([unknown]))
    assert store.recovers(secrets.token_bytes(32)) is None


def test_many_accounts_at_once(store: Store) -> None:
    """Tombstones too; unknown and repeated ids do no harm."""
    players = [given.player(store, f"P{number}") for number in range(5)]
    mark_deleted(store, players[0])
    players[0] = replace(players[0], name="", deleted_at=NOW, revision=2, settled=False)
    ids = [player.id for player in players]
    assert {player.id: player for player in players} == store.players([*ids, new_id(), ids[1]])


def test_a_name_or_a_language_changes(store: Store) -> None:
    """And nothing else of the account; each change of the name is a revision, to be settled by it alone."""
    player = given.player(store)
    renamed = store.rename(player.id, "Ravi", NOW)
    assert replace(player, name="Ravi", revision=2, settled=False) == renamed == store.player(player.id)
    again = store.rename(player.id, "Asha", NOW)
    store.settle(player.id, renamed.revision)
    assert replace(player, revision=3, settled=False) == again == store.player(player.id)
    store.settle(player.id, again.revision)
    store.set_locale(player.id, "pa-Guru-IN")
    assert replace(again, settled=True, locale="pa-Guru-IN") == store.player(player.id)


def test_a_settling_goes_on(store: Store) -> None:
    """It is noted how far one has come, of this revision alone: another name begins at the first match again."""
    player = given.player(store)
    come, further = Settling("waiting#0000000001#A", missed=True), Settling("offer#0000000001#A")
    renamed = store.rename(player.id, "Ravi", NOW)
    store.settle_on(player.id, renamed.revision, come, NOW)
    store.settle_on(player.id, player.revision, further, NOW)
    assert replace(renamed, settling=come) == store.player(player.id)
    again = store.rename(player.id, "Asha", NOW)
    assert Settling() == again.settling
    store.settle_on(player.id, again.revision, further, NOW)
    assert replace(again, settling=further) == store.player(player.id)
    store.settle(player.id, again.revision)
    store.settle_on(player.id, again.revision, further, NOW)
    assert replace(again, settled=True) == store.player(player.id)


def test_a_deleted_account_is_a_tombstone(store: Store) -> None:
    """The name is gone, the first time stays, and it is finished once it is settled."""
    player = given.player(store)
    mark_deleted(store, player, NOW + 1)
    tombstone = replace(player, name="", deleted_at=NOW + 1, revision=2, settled=False)
    for settled in (False, True):
        assert replace(tombstone, settled=settled) == store.player(player.id)
        with pytest.raises(Lost):
            mark_deleted(store, player, NOW + 2)
        for player_id in (player.id, new_id()):
            with pytest.raises(AccountGone):
                store.rename(player_id, "Ravi", NOW)
            with pytest.raises(AccountGone):
                store.set_locale(player_id, "hi")
        store.settle(player.id, 2)


def test_devices_are_written_as_they_were_read(store: Store) -> None:
    """All of them, in the order given, once for each revision: of two who read the same, the second is lost."""
    player = given.player(store)
    devices = given.devices(store, player.id)
    more = given.session(previous=b"before", nonce=b"n", opened=b"o", name="Tablet", makers=("one", "two"))
    added = replace(devices, sessions=(more, *devices.sessions))
    store.save_devices(added)
    with pytest.raises(Lost):
        store.save_devices(replace(devices, sessions=()))
    assert replace(added, revision=2) == store.devices(player.id)
    store.save_devices(replace(added, sessions=(), revision=2))
    assert Devices(player.id, (), 3) == store.devices(player.id)


def test_devices_of_nobody_are_not_written(store: Store) -> None:
    """Of an account that never was, of one that is deleted, and of one that has some already."""
    player, gone = given.player(store), given.player(store)
    devices = given.devices(store, gone.id)
    mark_deleted(store, gone)
    for unread in (replace(devices, revision=1), Devices(new_id(), (), 1), Devices(player.id, (), 0)):
        with pytest.raises(Lost):
            store.save_devices(unread)
    assert store.devices(gone.id) is None
    assert 1 == len(given.devices(store, player.id).sessions)


def test_a_transfer_code_is_good_until_it_expires(store: Store) -> None:
    """At its last second it is nothing, nor is one that was never given. Putting it again changes nothing."""
    code = code_of(given.player(store))
    for _ in range(2):
        store.put_transfer_code(code)
    assert (code, None) == (store.transfer_code(code.hash, NOW + 99), store.transfer_code(code.hash, NOW + 100))
    assert store.transfer_code(secrets.token_bytes(32), NOW) is None


def test_a_transfer_code_signs_one_device_in(store: Store) -> None:
    """It says for which it was used; for another it is lost, and that device is not kept."""
    player = given.player(store)
    code = code_of(player)
    store.put_transfer_code(code)
    devices, session = given.devices(store, player.id), given.session()
    used = replace(code, session_id=session.id, expires_at=NOW + 900)
    added = replace(devices, sessions=(*devices.sessions, session))
    store.save_devices(added, used=used)
    for refused in (used, replace(code_of(player), session_id=session.id)):
        with pytest.raises(Lost):
            store.save_devices(replace(added, sessions=(), revision=2), used=refused)
    assert used == store.transfer_code(code.hash, NOW + 899)
    assert replace(added, revision=2) == store.devices(player.id)


def test_a_recovery_code_leads_to_its_account(store: Store) -> None:
    """A new one takes the old one's place, given by whoever read that."""
    player, first, second = given.player(store), secrets.token_bytes(32), secrets.token_bytes(32)
    store.set_recovery(player, first, NOW + 1)
    recoverable = replace(player, recovery=first, recovery_at=NOW + 1)
    assert (recoverable, player.id) == (store.player(player.id), store.recovers(first))
    store.set_recovery(recoverable, second, NOW + 2)
    assert replace(player, recovery=second, recovery_at=NOW + 2) == store.player(player.id)
    assert (None, player.id) == (store.recovers(first), store.recovers(second))


def test_recovery_codes_race(store: Store) -> None:
    """Of two who read the same account the second is lost, and its code leads nowhere."""
    player, lost = given.player(store), secrets.token_bytes(32)
    store.set_recovery(player, secrets.token_bytes(32), NOW)
    with pytest.raises(Lost):
        store.set_recovery(player, lost, NOW)
    with pytest.raises(Lost):
        store.mark_deleted(player, NOW)
    assert store.recovers(lost) is None
    assert account(store, player).deleted_at is None and store.devices(player.id) is not None


def test_coming_back(store: Store) -> None:
    """With the account's own recovery code, whether it has devices or not; with another nothing is written."""
    player, code = given.player(store), secrets.token_bytes(32)
    store.set_recovery(player, code, NOW)
    store.set_locale(player.id, "hi")
    devices = given.devices(store, player.id)
    alone = replace(devices, sessions=(given.session(),))
    with pytest.raises(Lost):
        store.save_devices(alone, recovered_with=secrets.token_bytes(32))
    assert devices == store.devices(player.id)
    store.save_devices(alone, recovered_with=code)
    assert replace(alone, revision=2) == store.devices(player.id)
    before = account(store, player)
    mark_deleted(store, player)
    assert Player(player.id, "", NOW, deleted_at=NOW, revision=2, settled=False) == account(store, player)
    assert (None, None) == (store.devices(player.id), store.recovers(code))
    with pytest.raises(Lost):
        store.set_recovery(before, secrets.token_bytes(32), NOW)
    with pytest.raises(Lost):
        store.save_devices(Devices(player.id, (given.session(),)), recovered_with=code)
    assert store.devices(player.id) is None


def test_so_many_in_a_window(store: Store) -> None:
    """The first ones pass; the others wait for the window's end; then the count begins anew."""
    key, other = new_id(), new_id()
    assert [0, 0, 0] == [store.count(key, 60, 3, now) for now in (600, 610, 659)]
    assert [60, 1] == [store.count(key, 60, 3, now) for now in (600, 659)]
    assert [0, 5, 5, 0] == [store.uses(key, 60, now) for now in (599, 600, 659, 660)]
    assert [0, 0] == [store.count(key, 60, 3, 660), store.count(other, 60, 1, 600)]
