"""The packed move log of a deal."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from chalicelib.engine import MOVES
from chalicelib.match.log import Log, LoggedMove, Mark
from chalicelib.match.model import DAY, Actor

actors = st.sampled_from([actor for actor in Actor if actor is not Actor.RULE])
waits = st.integers(0, 16 * DAY // 60)
moves = st.tuples(st.integers(0, len(MOVES) - 1), actors, waits)
entries = st.lists(moves | st.integers(0, 300), max_size=70)
"""Moves, and numbers of seat events between them."""


@given(entries)
def test_what_is_logged_is_read(entries: list[tuple[int, Actor, int] | int]) -> None:
    """Every move with its actor and the minutes since the deal began; every seat event counted in its place."""
    log, expected, minutes = Log(), list[LoggedMove | Mark](), 0
    for entry in entries:
        if not isinstance(entry, int):
            log = log.with_move(*entry)
            minutes += entry[2]
            expected.append(LoggedMove(entry[0], entry[1], minutes))
            continue
        log = log.with_marks(entry)
        if expected and isinstance(expected[-1], Mark):
            expected[-1] = Mark(expected[-1].events + entry)
        elif entry:
            expected.append(Mark(entry))
    made = [entry for entry in expected if isinstance(entry, LoggedMove)]
    assert expected == list(log.entries())
    assert bytes(entry.code for entry in made) == log.codes()
    assert (minutes, sum(entry.events for entry in expected if isinstance(entry, Mark))) == (log.minutes(), log.marks)
    for since in {0, minutes // 2, minutes, minutes + 1}:
        for actor in {*Actor} - {Actor.RULE}:
            counted = sum(entry.actor is actor and entry.minutes >= since for entry in made)
            assert counted == log.made_by(actor, since)
    assert len(log.packed) <= 4 * len(made) + 3 * (len(made) + 1)


def test_a_quick_move_takes_two_bytes() -> None:
    """Within an hour of the one before."""
    log = Log()
    for number in range(57):
        log = log.with_move(number, Actor.PLAYER, 63)
    assert 2 * 57 == len(log.packed)
