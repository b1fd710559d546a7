"""The auction by estimated chances: what a call would score on average, against leaving the contract where it is.

The worlds are played out with each contract that may come of it. Playouts know all four hands, people do not, so what
they say is set right by a fit to deals that were really played: `python -m lab.fit` plays them and prints the
constants below.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from chalicelib.bots.belief import likely_worlds
from chalicelib.bots.kernel import playout
from chalicelib.bots.worth import best_ser, probability, worth
from chalicelib.engine import same_side

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chalicelib.bots.kernel import Hands
    from chalicelib.bots.seen import Opponents, Seen

MADE = (-2.74, -0.49, 0.20, 0.86)
"""Log-odds of my contract: constant, per trick above 7, per log-odds of the playouts, per point of the hand's worth."""
PARTNERS = (-0.04, 0.06, 0.40)
THEIRS = (0.56, 0.31, -0.35)
"""Log-odds of partner's contract, and of an opponent's: constant, per log-odds of the playouts, per ace I hold."""


class Skill(NamedTuple):
    """What a level, in place of sharp, adds to the log-odds of a contract."""

    declarer: float
    partner: float
    """As the declarer's partner."""
    defender: float
    """As one of the two against it."""


SKILLS: Mapping[str, Skill] = {
    "easy": Skill(-0.55, -0.37, 0.71),
    "steady": Skill(-0.17, -0.18, 0.41),
}
"""By level; people are reckoned as good as sharp is."""
EQUAL = Skill(0.0, 0.0, 0.0)
LOST = 2
"""A contract lost costs this many times itself."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """What the worlds say before a call, or before the ser is named."""

    worlds: int
    mine: dict[int, list[int]]
    """For each ser worth a thought: in how many worlds my side banks that many tricks, me declaring."""
    theirs: list[int]
    """The same for the declarer so far and its side; empty when there is none, or it is me."""
    worths: dict[int, float]
    """What my hand is worth with each of the sers."""
    aces: int
    """How many I hold."""
    partners: bool
    """The declarer so far is my partner."""
    my_ease: float
    """What the opponents add to the log-odds of my contract."""
    their_ease: float
    """... and to those of the declarer so far."""

    def chance(self, number: int, ser: int) -> float:
        """My chance to make that many with this ser."""
        constant, step, slope, weight = MADE
        odds = _log_odds(sum(self.mine[ser][number:]), self.worlds)
        return probability(constant + step * (number - 7) + slope * odds + weight * self.worths[ser] + self.my_ease)

    def best(self, number: int) -> tuple[float, int]:
        """My best chance to make that many, and the ser that gives it."""
        return max((self.chance(number, ser), ser) for ser in self.mine)

    def left(self, number: int) -> float:
        """The chance that the declarer so far makes its contract."""
        constant, slope, ace = PARTNERS if self.partners else THEIRS
        odds = _log_odds(sum(self.theirs[number:]), self.worlds)
        return probability(constant + slope * odds + ace * self.aces + self.their_ease)


def outlook(seen: Seen, key: bytes, count: int) -> Outlook:
    """Play that many worlds out, declaring myself and, unless it is me, with the declarer so far."""
    worths = {ser: worth(seen.hand, ser) for ser in range(4)}
    sers = sorted(worths, key=lambda ser: -worths[ser])[:2]
    mine = {ser: [0] * 14 for ser in sers}
    other = seen.declarer if seen.contract and seen.declarer != seen.seat else -1
    theirs = [0] * 14 if other >= 0 else []
    for hands in likely_worlds(seen, Random(key), count):
        for ser in sers:
            mine[ser][_banked(hands, ser, seen.seat, seen.streak)] += 1
        if other >= 0:
            theirs[_banked(hands, best_ser(hands[other]), other, seen.streak)] += 1
    aces = sum(held >> 12 for held in seen.hand)
    return Outlook(
        count,
        mine,
        theirs,
        worths,
        aces,
        partners=same_side(seen.declarer, seen.seat),
        my_ease=ease(seen.opponents, seen.seat),
        their_ease=ease(seen.opponents, seen.declarer),
    )


def ease(opponents: Opponents, declarer: int) -> float:
    """What the other three and the declarer add to the log-odds of its contract; 0 where all are sharp."""
    skills = [SKILLS.get(level or "sharp", EQUAL) for level in opponents.plays]
    against = skills[declarer ^ 1].defender + skills[declarer ^ 3].defender
    return skills[declarer].declarer + skills[declarer ^ 2].partner + against


def call(seen: Seen, look: Outlook) -> int:
    """The call that scores most on average, 0 for a pass if that does; of two as good, the lower."""
    best, value = 0, float("-inf")
    if seen.contract:
        value = _score(seen.contract, look.left(seen.contract))
        if not same_side(seen.declarer, seen.seat):
            value = -value
    for number in range(max(seen.contract + 1, 7), 14):
        score = _score(number, look.best(number)[0])
        if score > value:
            best, value = number, score
    return best


def _banked(hands: Hands, ser: int, declarer: int, streak: bool) -> int:
    ns = playout([hand[:] for hand in hands], ser, declarer, False, 0, streak)
    return 13 - ns if declarer & 1 else ns


def _score(number: int, chance: float) -> float:
    """What a contract scores on average."""
    return number * (chance - LOST * (1 - chance))


def _log_odds(times: int, of: int) -> float:
    return log((times + 1) / (of - times + 1))
