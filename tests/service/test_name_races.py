"""Renames that meet other renames, deletions and the end of the process, at every call to the store."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import cast

import pytest

from chalicelib.service.errors import Unauthorized
from chalicelib.service.people import accounts
from chalicelib.service.ports import Store
from chalicelib.service.services import Services
from tests.service.meddling import Killed, MeddledStore
from tests.service.people import EAST, NORTH, Hall, four_at_cards

TABLES = 4


class Scene:
    """A player at several tables (waiting, at cards, left), and whoever else does something to the account."""

    def __init__(self) -> None:
        self.hall = Hall()
        friends = self.hall.guests("A", "Bea")
        self.player = friends[1]
        self.tables = [four_at_cards(friends).id for _ in range(TABLES - 2)]
        self.tables.append(self.player.open_table(EAST).view.id)
        self.tables.append(four_at_cards(friends).id)
        self.player.leave(self.tables[-1], EAST)

    def services(self, at: int, meddle: Callable[[], None]) -> tuple[Services, MeddledStore]:
        store = MeddledStore(self.hall.store, at, meddle)
        return replace(self.hall.services, store=cast(Store, store)), store

    def names(self) -> set[str]:
        """What the tables call the player."""
        places = (place for match_id in self.tables for place in self.hall.match(match_id).places)
        return {place.name for place in places if place.player_id == self.player.id}

    def profile(self) -> tuple[str, bool]:
        player = self.hall.store.player(self.player.id)
        assert player is not None
        return player.name, player.settled


def scenes() -> Iterator[tuple[int, Scene]]:
    """One for every place in which a rename can be met; each test breaks off when its rename makes no more calls."""
    for at in range(200):
        yield at, Scene()
    pytest.fail("a rename makes that many calls")


def test_a_deletion_stands() -> None:
    """Wherever it meets a rename in flight, no table names the player afterwards."""
    met = 0
    for at, scene in scenes():
        services, store = scene.services(at, scene.player.delete)
        try:
            accounts.rename(services, scene.player.id, "Bee")
        except Unauthorized as gone:
            assert "account_deleted" == gone.code
        if store.calls <= at:
            break
        met += 1
        assert scene.names() <= {""} and ("", True) == scene.profile()
    assert met > 2 * TABLES


def test_a_rename_in_a_deletion_changes_nothing() -> None:
    """The other way round: it is refused, and the deletion goes on."""
    for at, scene in scenes():

        def rename(scene: Scene = scene, at: int = at) -> None:
            try:
                scene.player.rename("Bee")
            except Unauthorized:
                assert at > 0

        services, store = scene.services(at, rename)
        accounts.delete_player(services, scene.player.id)
        if store.calls <= at:
            break
        assert scene.names() <= {""} and ("", True) == scene.profile()


@pytest.mark.parametrize("names", [("Bee", "Bella"), ("Bella", "Bee"), ("Bee", "Bea")])
def test_of_two_renames_one_stands_everywhere(names: tuple[str, str]) -> None:
    """Profile and tables agree, wherever the second meets the first."""
    for at, scene in scenes():
        first, second = names

        def rename(scene: Scene = scene, second: str = second) -> None:
            scene.player.rename(second)

        services, store = scene.services(at, rename)
        accounts.rename(services, scene.player.id, first)
        if store.calls <= at:
            break
        (name,) = scene.names()
        assert name in names and (name, True) == scene.profile()


def test_what_is_cut_short_is_finished() -> None:
    """A rename, or one and then a deletion, whose process ends anywhere in it: the sweep does the rest."""
    for deleted in (False, True):
        for at, scene in scenes():

            def killed() -> None:
                raise Killed

            services, store = scene.services(at, killed)
            try:
                accounts.rename(services, scene.player.id, "Bee")
            except Killed:
                pass
            else:
                assert store.calls <= at
                break
            if deleted:
                services, _ = scene.services(at, killed)
                with pytest.raises(Killed):
                    accounts.delete_player(services, scene.player.id)
            assert scene.hall.sweep().finished
            name, settled = scene.profile()
            assert settled and (deleted or name in ("Bea", "Bee"))
            assert scene.names() <= {name}
            if name:
                assert {name} == scene.names()
            assert scene.hall.sweep().settled == 0


def test_a_name_meets_the_end_of_its_seat() -> None:
    """A player who leaves, comes and goes while being renamed is called by the new name wherever they are named."""
    for at, scene in scenes():

        def moves_on(scene: Scene = scene) -> None:
            scene.player.leave(scene.tables[0], EAST)
            scene.tables.append(scene.player.create().view.id)
            scene.player.leave(scene.tables[2], EAST)

        services, store = scene.services(at, moves_on)
        accounts.rename(services, scene.player.id, "Bee")
        if store.calls <= at:
            break
        assert {"Bee"} == scene.names()
        assert "A" == scene.hall.place(scene.tables[0], NORTH).name
