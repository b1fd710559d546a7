"""Players, their devices, and the codes that sign devices in."""

from __future__ import annotations

import secrets
from dataclasses import replace

import pytest

from chalicelib.service.ports import AccountGone, Devices, Lost, Player, Settling, Store, TransferCode
from tests.contract import given
from tests.contract.given import NOW


def transfer_code(player_id: str) -> TransferCode:
    return TransferCode(secrets.token_bytes(32), player_id, given.new_id(), NOW + 100)


def account(store: Store, player: Player) -> Player:
    """The account as it is now."""
    found = store.player(player.id)
    assert found is not None
    return found


def mark_deleted(store: Store, player: Player, deleted_at: int = NOW) -> None:
    store.mark_deleted(account(store, player), deleted_at)


@pytest.mark.parametrize("name", ["", "Asha", "ख़" * 12])
def test_an_account_is_read_as_it_was_made(store: Store, name: str) -> None:
    """With its first device."""
    player = Player(given.new_id(), name, NOW, locale="hi" if name else "")
    devices = Devices(player.id, (given.session(name="Ashas टेलीफ़ोन"),))

    store.create_player(player, devices)

    assert player == store.player(player.id)
    assert replace(devices, revision=1) == store.devices(player.id)


def test_an_account_is_made_once(store: Store) -> None:
    """An id that is taken is refused."""
    player = given.player(store)

    with pytest.raises(Lost):
        store.create_player(replace(player, name="Other"), Devices(player.id, (given.session(),)))

    assert player == store.player(player.id)


def test_accounts_that_never_were(store: Store) -> None:
    """There is nothing to read, and nothing is made by changing it."""
    unknown = given.new_id()

    store.settle(unknown, 1)

    assert store.player(unknown) is None
    assert store.devices(unknown) is None
    assert store.recovers(secrets.token_bytes(32)) is None
    assert {} == store.players([unknown])


def test_many_accounts_at_once(store: Store) -> None:
    """Tombstones too; unknown and repeated ids do no harm."""
    players = [given.player(store, f"P{number}") for number in range(5)]
    mark_deleted(store, players[0])
    players[0] = replace(players[0], name="", deleted_at=NOW, revision=2, settled=False)
    ids = [player.id for player in players]

    assert {player.id: player for player in players} == store.players([*ids, given.new_id(), ids[1]])


def test_a_name_changes(store: Store) -> None:
    """And nothing else of the account; each change is a revision, to be settled by it alone."""
    player = given.player(store)

    renamed = store.rename(player.id, "Ravi", NOW)
    assert replace(player, name="Ravi", revision=2, settled=False) == renamed == store.player(player.id)

    again = store.rename(player.id, "Asha", NOW)
    store.settle(player.id, renamed.revision)
    assert replace(player, revision=3, settled=False) == again == store.player(player.id)
    store.settle(player.id, again.revision)
    assert replace(again, settled=True) == store.player(player.id)


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


def test_nobody_renames_a_deleted_account(store: Store) -> None:
    """Nor one that never was."""
    player = given.player(store)
    mark_deleted(store, player)

    for player_id in (player.id, given.new_id()):
        with pytest.raises(AccountGone):
            store.rename(player_id, "Ravi", NOW)
        with pytest.raises(AccountGone):
            store.set_locale(player_id, "hi")


def test_a_deleted_account_is_a_tombstone(store: Store) -> None:
    """The name is gone, the first time stays, and it is finished once it is settled."""
    player = given.player(store)

    mark_deleted(store, player, NOW + 1)
    with pytest.raises(Lost):
        mark_deleted(store, player, NOW + 2)
    tombstone = replace(player, name="", deleted_at=NOW + 1, revision=2, settled=False)
    assert tombstone == store.player(player.id)

    store.settle(player.id, 2)
    with pytest.raises(Lost):
        mark_deleted(store, player, NOW + 3)
    assert replace(tombstone, settled=True) == store.player(player.id)


def test_a_language_changes(store: Store) -> None:
    """And nothing else of the account."""
    player = given.player(store)

    store.set_locale(player.id, "pa-Guru-IN")

    assert replace(player, locale="pa-Guru-IN") == store.player(player.id)


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

    for unread in (replace(devices, revision=1), Devices(given.new_id(), (), 1), Devices(player.id, (), 0)):
        with pytest.raises(Lost):
            store.save_devices(unread)

    assert store.devices(gone.id) is None
    assert 1 == len(given.devices(store, player.id).sessions)


def test_a_transfer_code_is_good_until_it_expires(store: Store) -> None:
    """At its last second it is nothing, nor is one that was never given. Putting it again changes nothing."""
    code = transfer_code(given.player(store).id)

    store.put_transfer_code(code)
    store.put_transfer_code(code)

    assert code == store.transfer_code(code.hash, NOW + 99)
    assert store.transfer_code(code.hash, NOW + 100) is None
    assert store.transfer_code(secrets.token_bytes(32), NOW) is None


def test_a_transfer_code_signs_one_device_in(whole_store: Store) -> None:
    """It says for which it was used; for another it is lost, and that device is not kept."""
    player = given.player(whole_store)
    code = transfer_code(player.id)
    whole_store.put_transfer_code(code)
    devices, session = given.devices(whole_store, player.id), given.session()
    used = replace(code, session_id=session.id, expires_at=NOW + 900)
    added = replace(devices, sessions=(*devices.sessions, session))

    whole_store.save_devices(added, used=used)
    for refused in (used, replace(transfer_code(player.id), session_id=session.id)):
        with pytest.raises(Lost):
            whole_store.save_devices(replace(added, sessions=(), revision=2), used=refused)

    assert used == whole_store.transfer_code(code.hash, NOW + 899)
    assert replace(added, revision=2) == whole_store.devices(player.id)


def test_a_recovery_code_leads_to_its_account(store: Store) -> None:
    """A new one takes the old one's place, given by whoever read that."""
    player, first, second = given.player(store), secrets.token_bytes(32), secrets.token_bytes(32)

    store.set_recovery(player, first, NOW + 1)
    recoverable = replace(player, recovery=first, recovery_at=NOW + 1)
    assert (recoverable, player.id) == (store.player(player.id), store.recovers(first))

    store.set_recovery(recoverable, second, NOW + 2)
    assert replace(player, recovery=second, recovery_at=NOW + 2) == store.player(player.id)
    assert (None, player.id) == (store.recovers(first), store.recovers(second))


def test_recovery_codes_race(whole_store: Store) -> None:
    """Of two who read the same account the second is lost, and its code leads nowhere."""
    player, lost = given.player(whole_store), secrets.token_bytes(32)
    whole_store.set_recovery(player, secrets.token_bytes(32), NOW)

    with pytest.raises(Lost):
        whole_store.set_recovery(player, lost, NOW)
    with pytest.raises(Lost):
        whole_store.mark_deleted(player, NOW)

    assert whole_store.recovers(lost) is None
    assert account(whole_store, player).deleted_at is None and whole_store.devices(player.id) is not None


def test_coming_back(whole_store: Store) -> None:
    """With the account's own recovery code, whether it has devices or not; with another nothing is written."""
    player, code = given.player(whole_store), secrets.token_bytes(32)
    whole_store.set_recovery(player, code, NOW)
    devices = given.devices(whole_store, player.id)
    alone = replace(devices, sessions=(given.session(),))

    with pytest.raises(Lost):
        whole_store.save_devices(alone, recovered_with=secrets.token_bytes(32))
    assert devices == whole_store.devices(player.id)

    whole_store.save_devices(alone, recovered_with=code)
    assert replace(alone, revision=2) == whole_store.devices(player.id)


def test_a_deleted_account_has_nothing(whole_store: Store) -> None:
    """No devices, no recovery code, no language; and nothing of it comes back."""
    player, code = given.player(whole_store), secrets.token_bytes(32)
    whole_store.set_locale(player.id, "hi")
    whole_store.set_recovery(player, code, NOW)
    before = account(whole_store, player)
    mark_deleted(whole_store, player)

    assert Player(player.id, "", NOW, deleted_at=NOW, revision=2, settled=False) == account(whole_store, player)
    assert (None, None) == (whole_store.devices(player.id), whole_store.recovers(code))
    with pytest.raises(Lost):
        whole_store.set_recovery(before, secrets.token_bytes(32), NOW)
    with pytest.raises(Lost):
        whole_store.save_devices(Devices(player.id, (given.session(),)), recovered_with=code)
    assert whole_store.devices(player.id) is None
