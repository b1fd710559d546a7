"""Players, their devices, and the codes that sign devices in."""

from __future__ import annotations

import secrets
from dataclasses import replace

import pytest

from chalicelib.service.ports import AccountGone, Lost, Player, Store, TransferCode
from tests.contract import given
from tests.contract.given import NOW


def transfer_code(player_id: str) -> TransferCode:
    return TransferCode(secrets.token_bytes(32), player_id, NOW + 100)


@pytest.mark.parametrize("name", ["", "Asha", "ख़" * 12])
def test_an_account_is_read_as_it_was_made(store: Store, name: str) -> None:
    """With its first device."""
    player = Player(given.new_id(), name, NOW)
    session = given.session(player.id)

    store.create_player(player, session)

    assert player == store.player(player.id)
    assert (session,) == store.sessions(player.id)


def test_an_account_is_made_once(store: Store) -> None:
    """An id that is taken is refused."""
    player = given.player(store)

    with pytest.raises(Lost):
        store.create_player(replace(player, name="Other"), given.session(player.id))

    assert player == store.player(player.id)


def test_accounts_that_never_were(store: Store) -> None:
    """There is nothing to read, and nothing is made by changing it."""
    unknown = given.new_id()

    store.bury(unknown, NOW)
    store.settle(unknown, 1)
    store.end_session(unknown, given.new_id())

    assert store.player(unknown) is None
    assert store.session(unknown, given.new_id()) is None
    assert () == store.sessions(unknown)
    assert {} == store.players([unknown])


def test_many_accounts_at_once(store: Store) -> None:
    """Tombstones too; unknown and repeated ids do no harm."""
    players = [given.player(store, f"P{number}") for number in range(5)]
    store.bury(players[0].id, NOW)
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


def test_nobody_renames_a_deleted_account(store: Store) -> None:
    """Nor one that never was."""
    player = given.player(store)
    store.bury(player.id, NOW)

    for player_id in (player.id, given.new_id()):
        with pytest.raises(AccountGone):
            store.rename(player_id, "Ravi", NOW)


def test_a_deleted_account_is_a_tombstone(store: Store) -> None:
    """The name is gone, the first time stays, and it is finished once it is settled."""
    player = given.player(store)

    store.bury(player.id, NOW + 1)
    store.bury(player.id, NOW + 2)
    tombstone = replace(player, name="", deleted_at=NOW + 1, revision=2, settled=False)
    assert tombstone == store.player(player.id)

    store.settle(player.id, 2)
    store.bury(player.id, NOW + 3)
    assert replace(tombstone, settled=True) == store.player(player.id)


def test_a_device_is_added(store: Store) -> None:
    """Each device has a family of its own, and is added once."""
    player = given.player(store)
    session = given.session(player.id, previous=b"before", generation=7)

    store.create_session(session)
    with pytest.raises(Lost):
        store.create_session(replace(session, salt=b"another"))

    assert session == store.session(player.id, session.id)
    assert 2 == len(store.sessions(player.id))


def test_a_deleted_account_gets_no_device(store: Store) -> None:
    """Nor does one that never was."""
    player = given.player(store)
    store.bury(player.id, NOW)

    for player_id in (player.id, given.new_id()):
        session = given.session(player_id)
        with pytest.raises(AccountGone):
            store.create_session(session)
        assert store.session(player_id, session.id) is None


def test_tokens_are_rotated_one_after_another(store: Store) -> None:
    """Of two rotations of one generation the second is lost."""
    player = given.player(store)
    (session,) = store.sessions(player.id)
    rotated = replace(session, generation=2, previous=session.current, current=b"next", used_at=NOW + 5)

    store.save_session(rotated, 1)
    with pytest.raises(Lost):
        store.save_session(replace(rotated, current=b"other"), 1)

    assert rotated == store.session(player.id, session.id)


def test_a_device_that_never_was_is_not_rotated(store: Store) -> None:
    """Saving makes no device."""
    player = given.player(store)
    session = given.session(player.id)

    with pytest.raises(Lost):
        store.save_session(session, session.generation)

    assert store.session(player.id, session.id) is None


def test_a_device_that_is_signed_out_stays_so(store: Store) -> None:
    """However often; a rotation under way does not bring it back."""
    player = given.player(store)
    (session,) = store.sessions(player.id)

    store.end_session(player.id, session.id)
    store.end_session(player.id, session.id)
    with pytest.raises(Lost):
        store.save_session(replace(session, generation=2), 1)

    assert replace(session, revoked=True) == store.session(player.id, session.id)


def test_a_family_may_be_killed_by_saving_it(store: Store) -> None:
    """A revoked session is saved as one."""
    player = given.player(store)
    (session,) = store.sessions(player.id)
    killed = replace(session, revoked=True)

    store.save_session(killed, 1)

    assert (killed,) == store.sessions(player.id)


def test_a_code_is_good_until_it_expires(store: Store) -> None:
    """At its last second it is nothing, nor is one that was never given."""
    player = given.player(store)
    code = transfer_code(player.id)

    store.put_transfer_code(code)
    with pytest.raises(Lost):
        store.put_transfer_code(code)

    assert code == store.transfer_code(code.hash, NOW + 99)
    assert store.transfer_code(code.hash, NOW + 100) is None
    assert store.transfer_code(secrets.token_bytes(32), NOW) is None


def test_a_code_signs_one_device_in(store: Store) -> None:
    """The code tells for which device it was used; another one is refused."""
    player = given.player(store)
    code = transfer_code(player.id)
    store.put_transfer_code(code)
    first, second = given.session(player.id), given.session(player.id)

    store.create_session(first, code)
    with pytest.raises(Lost):
        store.create_session(second, code)

    assert replace(code, session_id=first.id) == store.transfer_code(code.hash, NOW)
    assert first == store.session(player.id, first.id)


def test_a_refused_code_makes_no_device(whole_store: Store) -> None:
    """A used code, one that was never given, and one of an account that is gone: nothing is kept."""
    player, gone = given.player(whole_store), given.player(whole_store)
    used, unknown, late = transfer_code(player.id), transfer_code(player.id), transfer_code(gone.id)
    whole_store.put_transfer_code(used)
    whole_store.put_transfer_code(late)
    whole_store.create_session(given.session(player.id), used)
    whole_store.bury(gone.id, NOW)

    for code, failure in ((used, Lost), (unknown, Lost), (late, AccountGone)):
        session = given.session(code.player_id)
        with pytest.raises(failure):
            whole_store.create_session(session, code)
        assert whole_store.session(code.player_id, session.id) is None

    assert late == whole_store.transfer_code(late.hash, NOW)
