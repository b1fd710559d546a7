"""Bots: a move from what one seat can see.

`choose(view, level, key, opponents)` is a pure function: the same arguments give the same move, on any machine with the
same Python, at any speed. It is given a seat's `DealView` and who makes the moves of each seat, which is what a
person's client gets of them, and so cannot peek.
"""

from __future__ import annotations

from chalicelib.bots.levels import EDITION, EDITIONS, LEVELS, choose
from chalicelib.bots.seen import PEOPLE, Opponents, among

__all__ = ["EDITION", "EDITIONS", "LEVELS", "PEOPLE", "Opponents", "among", "choose"]
