"""Bots: a move from what one seat can see.

`choose(view, level, key)` is a pure function: the same view, level and key give the same move, on any machine,
at any speed. It is given a seat's `DealView`, the object a person's client gets, and so cannot peek.
"""

from __future__ import annotations

from .levels import LEVELS, choose

__all__ = ["LEVELS", "choose"]
