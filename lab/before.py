"""Sharp as it was while it weighed each call as if it were the last word.

Its numbers are frozen here, so that a match shows what was gained: make arena A=swift B=before.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chalicelib.bots import belief
from chalicelib.bots.auction import Skill, log_odds, score_of
from chalicelib.bots.belief import Habit
from chalicelib.bots.worth import probability
from lab.swift import Swift

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chalicelib.bots.auction import Outlook
    from chalicelib.bots.seen import Seen
    from chalicelib.bots.sharp import Outcomes, Values

MADE = (-2.74, -0.49, 0.20, 0.86)
PARTNERS = (-0.04, 0.06, 0.40)
THEIRS = (0.56, 0.31, -0.35)
SKILLS = {"easy": Skill(-0.55, -0.37, 0.71), "steady": Skill(-0.17, -0.18, 0.41)}
EQUAL = Skill(0.0, 0.0, 0.0)
HABITS = {
    "easy": Habit(-25.4, -31.7, -27.4, 3.5, -2.3, 0.8, -8.9),
    "steady": Habit(-49.6, -32.5, -33.6, 5.7, -3.2, -0.2, -16.0),
    "sharp": Habit(-17.7, -11.7, -12.9, 3.1, -1.9, -1.9, -3.9),
}


@contextmanager
def old_habits() -> Iterator[None]:
    """Others are read as they were read then."""
    now = belief.HABITS
    belief.HABITS = HABITS
    try:
        yield
    finally:
        belief.HABITS = now


def ease(seen: Seen, declarer: int) -> float:
    """`auction.ease`."""
    skills = [SKILLS.get(level or "sharp", EQUAL) for level in seen.opponents.plays]
    against = skills[declarer ^ 1].defender + skills[declarer ^ 3].defender
    return skills[declarer].declarer + skills[declarer ^ 2].partner + against


def best(seen: Seen, look: Outlook, number: int) -> tuple[float, int]:
    """The best chance to make that many, and the ser that gives it."""

    def chance(ser: int) -> float:
        constant, step, slope, weight = MADE
        odds = log_odds(sum(look.mine[ser][number:]), look.worlds)
        own = constant + step * (number - 7) + slope * odds + weight * look.worths[ser]
        return probability(own + ease(seen, seen.seat))

    return max((chance(ser), ser) for ser in look.mine)


@dataclass(frozen=True, slots=True)
class Before(Swift):
    """Every card was tried in as many worlds, too."""

    def outlook(self, seen: Seen, key: bytes) -> Outlook:
        with old_habits():
            return Swift.outlook(self, seen, key)

    def values(self, seen: Seen, key: bytes, options: list[int]) -> Values:
        with old_habits():
            return Swift.values(self, seen, key, options)

    def tried(self, options: list[int], playouts: int, worlds: int, worth: list[float], outcomes: Outcomes) -> Values:
        rows = outcomes(0, playouts // len(options), options)
        return {card: [worth[row[at]] for row in rows] for at, card in enumerate(options)}

    def ser(self, seen: Seen, key: bytes, /) -> int:
        return best(seen, self.outlook(seen, key), seen.contract)[1]

    def call(self, seen: Seen, key: bytes, /) -> int:
        look = self.outlook(seen, key)
        called, value = 0, float("-inf")
        if seen.contract:
            constant, slope, ace = PARTNERS if look.partners else THEIRS
            odds = log_odds(sum(look.theirs[seen.contract :]), look.worlds)
            left = probability(constant + slope * odds + ace * look.aces + ease(seen, seen.declarer))
            value = score_of(seen.contract, left) * (1 if look.partners else -1)
        for number in range(max(seen.contract + 1, 7), 14):
            score = score_of(number, best(seen, look, number)[0])
            if score > value:
                called, value = number, score
        return called
