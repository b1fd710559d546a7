"""The promises of the game, attacked: nothing leaks, nothing is lost, nobody gets in.

Each promise is a function that tries to break it a number of times, and keeps a tally. `make trust` tries often and
prints a line a promise; `tests/trust` tries a few times.
"""

from dev.trust import faults, leaks, matches, races, strangers
from dev.trust.promise import PROMISES

__all__ = ["PROMISES", "faults", "leaks", "matches", "races", "strangers"]
