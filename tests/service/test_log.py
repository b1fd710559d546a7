"""The packed move log of a deal."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from chalicelib.engine import MOVES
from chalicelib.match.log import Log, Made, Mark
from chalicelib.match.model import DAY, Actor

actors = st.sampled_from([actor for actor in Actor if actor is not Actor.RULE])
waits = st.integers(0, 16 * DAY // 60)
moves = st.tuples(st.integers(0, len(MOVES) - 1), actors, waits)
entries = st.lists(moves | st.integers(1, 300), max_size=70)
"""Moves, and numbers of seat events between them."""


def logged(entries: list[tuple[int, Actor, int] | int]) -> Log:
    log = Log()
    for entry in entries:
        log = log.marked(entry) if isinstance(entry, int) else log.made(*entry)
    return log


@given(entries)
def test_what_is_logged_is_read(entries: list[tuple[int, Actor, int] | int]) -> None:
    """Every move with its actor and the minutes since the deal began; every seat event counted in its place."""
    expected: list[Made | Mark] = []
    minutes = 0
    for entry in entries:
        if not isinstance(entry, int):
            minutes += entry[2]
            expected.append(Made(entry[0], entry[1], minutes))
        elif expected and isinstance(expected[-1], Mark):
            expected[-1] = Mark(expected[-1].events + entry)
        else:
            expected.append(Mark(entry))
    log = logged(entries)
    assert expected == list(log.entries())
    assert bytes(made.code for made in expected if isinstance(made, Made)) == log.codes()
    marks = sum(entry.events for entry in expected if isinstance(entry, Mark))
    assert (minutes, marks) == (log.minutes(), log.marks)


@given(entries)
def test_what_a_move_takes(entries: list[tuple[int, Actor, int] | int]) -> None:
    """Two bytes for a move within an hour, four at most; and at most one mark a move, however many seat events."""
    log = logged([(0, Actor.PLAYER, 63)] * 57)
    assert 2 * 57 == len(log.packed)
    moves = sum(not isinstance(entry, int) for entry in entries)
    assert len(logged(entries).packed) <= 4 * moves + 3 * (moves + 1)


def test_no_seat_event_leaves_no_mark() -> None:
    """Nothing happened: the log is the same."""
    assert Log() == Log().marked(0)


def test_moves_are_counted_by_who_made_them_and_when() -> None:
    """From a minute of the deal on, whatever else is in between."""
    log = (
        Log().made(1, Actor.PLAYER, 0).marked(2).made(2, Actor.BOT, 1).made(3, Actor.PLAYER, 1).made(4, Actor.PLAYER, 3)
    )

    assert [3, 2, 2, 1, 1, 1, 0] == [log.made_by(Actor.PLAYER, since) for since in range(7)]
    assert [1, 1, 0] == [log.made_by(Actor.BOT, since) for since in range(3)]
    assert 0 == log.made_by(Actor.TIMEOUT, 0)
