"""The auction by estimated chances: what comes of a call, and of a pass, once all have spoken.

The worlds are played out with the contract that stands and with mine, and tell what those who speak later would say.
Playouts know all four hands, people do not, so what they say is set right by a fit to deals that were really played:
`python -m lab.fit` plays them and prints the constants below.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from chalicelib.bots.belief import Habit, habit_of, likely_worlds
from chalicelib.bots.kernel import playout
from chalicelib.bots.worth import best_ser, probability, worth
from chalicelib.engine import HIGHEST_CALL, LOWEST_CALL, same_side

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from chalicelib.bots.kernel import Hands
    from chalicelib.bots.seen import Opponents, Seen

    Tallies = tuple[list[list[int]], list[int], list[list[float]]]
    Tally = Callable[[Seen, bytes, int, list[int], int, list[int]], Tallies]

MADE = (-1.54, -0.31, 0.33, 0.59)
"""Log-odds of my contract: constant, per trick above 7, per trick more that the playouts bank than it asks for, per
point of the hand's worth."""
PARTNERS = (0.61, 0.77, 0.22)
THEIRS = (1.10, 0.59, -0.30)
"""Log-odds of partner's contract, and of an opponent's: constant, per log-odds of the playouts, per ace I hold."""
PARTNERS_CALL = (0.89, 0.62)
THEIR_CALL = (1.98, -0.54)
"""The same of a contract that partner, or an opponent, is yet to call: constant, per ace I hold."""


class Skill(NamedTuple):
    """What a level, in place of sharp, adds to the log-odds of a contract."""

    declarer: float
    partner: float
    """As the declarer's partner."""
    defender: float
    """As one of the two against it."""


SKILLS: Mapping[str, Skill] = {
    "easy": Skill(-0.65, -0.47, 0.77),
    "steady": Skill(-0.29, -0.30, 0.30),
}
"""By level; people are reckoned as good as sharp is."""
EQUAL = Skill(0.0, 0.0, 0.0)
LOST = 2
"""A contract lost costs this many times itself."""


class Reply(NamedTuple):
    """A seat that speaks after me."""

    partner: bool
    habit: Habit
    strengths: list[float]
    """What its hand adds to the log-odds that it calls, in each world."""
    made: float
    """The chance that it makes what it calls."""

    def over(self, number: int, ours: bool) -> float:
        """The chance that it calls over that many tricks, called by its own side or by the other."""
        constant = self.habit.over_partner if ours else self.habit.over_opponents
        constant += self.habit.step * (number - LOWEST_CALL)
        return sum(probability(constant + strength) for strength in self.strengths) / len(self.strengths)


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
    replies: list[Reply]
    """Who speaks after me, in order."""

    def weighed_mine(self, number: int, ser: int) -> tuple[float, ...]:
        """What MADE weighs."""
        banked = sum(tricks * worlds for tricks, worlds in enumerate(self.mine[ser])) / self.worlds
        return 1.0, number - LOWEST_CALL, banked - number, self.worths[ser]

    def weighed_left(self, number: int) -> tuple[float, ...]:
        """What PARTNERS and THEIRS weigh."""
        return 1.0, log_odds(sum(self.theirs[number:]), self.worlds), self.aces

    def chance(self, number: int, ser: int) -> float:
        """My chance to make that many with this ser, if nobody calls more."""
        return probability(sumprod(MADE, self.weighed_mine(number, ser)) + self.my_ease)

    def best(self, number: int) -> tuple[float, int]:
        """My best chance to make that many, and the ser that gives it."""
        return max((self.chance(number, ser), ser) for ser in self.mine)

    def left(self, number: int) -> float:
        """The chance that the declarer so far makes its contract, if nobody calls more."""
        weights = PARTNERS if self.partners else THEIRS
        return probability(sumprod(weights, self.weighed_left(number)) + self.their_ease)

    def called(self, number: int) -> float:
        """What my side scores on average when I call that many."""
        return self._after(number, True, score_of(number, self.best(number)[0]), 0)

    def passed(self, number: int) -> float:
        """What my side scores on average when I pass over the declarer so far, who called that many."""
        score = score_of(number, self.left(number))
        return self._after(number, self.partners, score if self.partners else -score, 0)

    def _after(self, number: int, ours: bool, value: float, at: int) -> float:
        """What a contract is worth that some have yet to speak over; `value`, if it stands."""
        if at == len(self.replies) or number == HIGHEST_CALL:
            return value
        reply = self.replies[at]
        over = reply.over(number, reply.partner == ours)
        score = score_of(number + 1, reply.made)
        more = self._after(number + 1, reply.partner, score if reply.partner else -score, at + 1)
        return (1 - over) * self._after(number, ours, value, at + 1) + over * more


def outlook(seen: Seen, key: bytes, count: int, tally: Tally | None = None) -> Outlook:
    """Play that many worlds out, declaring myself and, unless it is me, with the declarer so far."""
    worths = {ser: worth(seen.hand, ser) for ser in range(4)}
    sers = sorted(worths, key=lambda ser: -worths[ser])[:2]
    other = seen.declarer if seen.contract and seen.declarer != seen.seat else -1
    later = [(seen.seat + step) & 3 for step in range(1, 4 - len(seen.calls))]
    mine, theirs, strengths = (tally or tallied)(seen, key, count, sers, other, later)
    aces = sum(held >> 12 for held in seen.hand)
    return Outlook(
        count,
        dict(zip(sers, mine, strict=True)),
        theirs if other >= 0 else [],
        worths,
        aces,
        partners=same_side(seen.declarer, seen.seat),
        my_ease=ease(seen.opponents, seen.seat),
        their_ease=ease(seen.opponents, seen.declarer),
        replies=[_reply(seen, seat, aces, each) for seat, each in zip(later, strengths, strict=True)],
    )


def _reply(seen: Seen, seat: int, aces: int, strengths: list[float]) -> Reply:
    partner = (seat ^ seen.seat) == 2
    constant, ace = PARTNERS_CALL if partner else THEIR_CALL
    made = probability(constant + ace * aces + ease(seen.opponents, seat))
    return Reply(partner, habit_of(seen.opponents.plays[seat]), strengths, made)


def tallied(seen: Seen, key: bytes, count: int, sers: list[int], other: int, later: list[int]) -> Tallies:
    """In how many worlds each number of tricks is banked: by my side with each ser, by the other declarer's; and how
    strong the later seats are in each."""
    mine, theirs = [[0] * 14 for _ in sers], [0] * 14
    strengths: list[list[float]] = [[] for _ in later]
    for hands in likely_worlds(seen, Random(key), count):
        for ser, banked in zip(sers, mine, strict=True):
            banked[_banked(hands, ser, seen.seat, seen.streak)] += 1
        if other >= 0:
            theirs[_banked(hands, best_ser(hands[other]), other, seen.streak)] += 1
        for seat, found in zip(later, strengths, strict=True):
            found.append(habit_of(seen.opponents.plays[seat]).strength(hands[seat]))
    return mine, theirs, strengths


def ease(opponents: Opponents, declarer: int) -> float:
    """What the other three and the declarer add to the log-odds of its contract; 0 where all are sharp."""
    skills = [SKILLS.get(level or "sharp", EQUAL) for level in opponents.plays]
    against = skills[declarer ^ 1].defender + skills[declarer ^ 3].defender
    return skills[declarer].declarer + skills[declarer ^ 2].partner + against


def call(seen: Seen, look: Outlook) -> int:
    """The call that scores most on average, 0 for a pass if that does; of two as good, the lower."""
    best, value = 0, look.passed(seen.contract) if seen.contract else float("-inf")
    for number in range(max(seen.contract + 1, LOWEST_CALL), HIGHEST_CALL + 1):
        score = look.called(number)
        if score > value:
            best, value = number, score
    return best


def _banked(hands: Hands, ser: int, declarer: int, streak: bool) -> int:
    ns = playout([hand[:] for hand in hands], ser, declarer, False, 0, streak)
    return 13 - ns if declarer & 1 else ns


def sumprod(weights: tuple[float, ...], values: tuple[float, ...]) -> float:
    """Each value by its weight, together."""
    return sum(weight * value for weight, value in zip(weights, values, strict=True))


def score_of(number: int, chance: float) -> float:
    """What a contract scores on average."""
    return number * (chance - LOST * (1 - chance))


def log_odds(times: int, of: int) -> float:
    """Of so many worlds of so many, none and all set apart."""
    return log((times + 1) / (of - times + 1))
