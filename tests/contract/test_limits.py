"""Counting what is done too often."""

from __future__ import annotations

from chalicelib.service.ports import Store
from tests.contract import given


def test_so_many_in_a_window(store: Store) -> None:
    """The first ones pass; the others wait for the window's end; then the count begins anew."""
    key = f"create#{given.new_id()}"

    assert [0, 0, 0] == [store.count(key, 60, 3, now) for now in (600, 610, 659)]
    assert [60, 1] == [store.count(key, 60, 3, now) for now in (600, 659)]
    assert 0 == store.count(key, 60, 3, 660)


def test_each_is_counted_apart(store: Store) -> None:
    """One's use does not count against another's."""
    one, other = given.new_id(), given.new_id()

    assert [0, 10] == [store.count(one, 10, 1, 1_000) for _ in range(2)]
    assert 0 == store.count(other, 10, 1, 1_000)


def test_uses_are_read(store: Store) -> None:
    """Reading them counts nothing; a new window begins with none."""
    key = given.new_id()
    for _ in range(3):
        store.count(key, 60, 2, 600)

    assert [0, 3, 3, 0] == [store.uses(key, 60, now) for now in (599, 600, 659, 660)]
