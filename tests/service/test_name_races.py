"""Renames that meet other renames, deletions and the end of the process, at every call to the store."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import cast

import pytest

from chalicelib.service.errors import Unauthorized
from chalicelib.service.people import accounts
from chalicelib.service.ports import Store
from tests.service.meddling import InterruptedStore, Killed
from tests.service.people import EAST, NORTH, Hall, four_at_cards

TABLES = 4


class Scene:
    """A player at several tables (waiting, at cards, left), and whoever else does something to the account."""

    def __init__(self, at: int) -> None:
        self.hall, self.at = Hall(), at
        friends = self.hall.guests("A", "Bea")
        self.player = friends[1]
        self.tables = [four_at_cards(friends).id for _ in range(TABLES - 2)]
        self.tables.append(self.player.open_table(EAST).view.id)
        self.tables.append(four_at_cards(friends).id)
        self.player.leave(self.tables[-1], EAST)
        self.met = False

    def do(self, act: Callable[..., object], *args: object, meddle: Callable[[], object]) -> None:
        """The act, which is met by `meddle` just before its call number `at` to the store, if it comes to that."""
        store = InterruptedStore(self.hall.store, self.at, meddle)
        try:
            act(replace(self.hall.services, store=cast(Store, store)), self.player.id, *args)
        finally:
            self.met = store.calls > self.at

    def names(self) -> set[str]:
        """What the tables call the player."""
        places = (place for match_id in self.tables for place in self.hall.match(match_id).places)
        return {place.name for place in places if place.player_id == self.player.id}

    def profile(self) -> tuple[str, bool]:
        player = self.hall.store.player(self.player.id)
        assert player is not None
        return player.name, player.settled


def scenes() -> Iterator[Scene]:
    """One for every call at which an act can be met."""
    scene = Scene(0)
    while scene.at < 200:
        yield scene
        if not scene.met:
            assert scene.at > 2 * TABLES
            return
        scene = Scene(scene.at + 1)
    pytest.fail("an act makes that many calls")


def die() -> None:
    raise Killed


def test_a_deletion_stands() -> None:
    """Wherever it meets a rename in flight, no table names the player afterwards."""
    for scene in scenes():
        with suppress(Unauthorized):
            scene.do(accounts.rename, "Bee", meddle=scene.player.delete)
        if scene.met:
            assert scene.names() <= {""} and ("", True) == scene.profile()


def test_a_rename_in_a_deletion_changes_nothing() -> None:
    """The other way round: it is refused, and the deletion goes on."""
    for scene in scenes():

        def rename(scene: Scene = scene) -> None:
            with suppress(Unauthorized):
                scene.player.rename("Bee")

        scene.do(accounts.delete_player, meddle=rename)
        assert scene.names() <= {""} and ("", True) == scene.profile()


@pytest.mark.parametrize("names", [("Bee", "Bella"), ("Bella", "Bee"), ("Bee", "Bea")])
def test_of_two_renames_one_stands_everywhere(names: tuple[str, str]) -> None:
    """Profile and tables agree, wherever the second meets the first."""
    for scene in scenes():
        scene.do(accounts.rename, names[0], meddle=lambda scene=scene: scene.player.rename(names[1]))  # type: ignore[misc]
        (name,) = scene.names()
        assert name in names and (name, True) == scene.profile()


@pytest.mark.parametrize("deleted", [False, True], ids=["a rename", "a rename and then a deletion"])
def test_what_is_cut_short_is_finished(deleted: bool) -> None:
    """Wherever its process ends: the sweep does the rest."""
    for scene in scenes():
        with suppress(Killed):
            scene.do(accounts.rename, "Bee", meddle=die)
        if scene.met and deleted:
            with pytest.raises(Killed):
                scene.do(accounts.delete_player, meddle=die)
        assert scene.hall.sweep().finished
        name, settled = scene.profile()
        assert settled and (deleted or name in ("Bea", "Bee"))
        assert scene.names() == {name} if name else scene.names() <= {""}
        assert 0 == scene.hall.sweep().settled


def test_a_name_meets_the_end_of_its_seat() -> None:
    """A player who leaves, comes and goes while being renamed is called by the new name wherever they are named."""
    for scene in scenes():

        def moves_on(scene: Scene = scene) -> None:
            scene.player.leave(scene.tables[0], EAST)
            scene.tables.append(scene.player.create().view.id)
            scene.player.leave(scene.tables[2], EAST)

        scene.do(accounts.rename, "Bee", meddle=moves_on)
        assert {"Bee"} == scene.names()
        assert "A" == scene.hall.place(scene.tables[0], NORTH).name
