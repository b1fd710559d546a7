"""Belief: of the worlds that are possible, those that are likely after what everybody has said.

A hidden hand is weighed by the chance that a player with that hand would have said what its seat did: opened higher
than it had to, called when it was free to pass, passed, named that ser. Worlds are then drawn anew by their weight.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, prod
from typing import TYPE_CHECKING, NamedTuple

from chalicelib.bots.worlds import worlds
from chalicelib.bots.worth import best_ser, gain, probability, worth
from chalicelib.engine import HIGHEST_CALL, LOWEST_CALL, same_side

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from random import Random

    from chalicelib.bots.kernel import Hand, Hands
    from chalicelib.bots.seen import Seen

CERTAINTY = 9.0
"""How surely the ser is the suit that gains most, in log-odds a point of worth."""
SLIP = 0.002
"""How often somebody says what no habit explains: no hand is quite impossible for what it said."""
DRAWN = 3
"""Worlds drawn and weighed for each that is asked for."""


class Habit(NamedTuple):
    """How a level speaks: what makes the log-odds that it says at least the lowest number that tells something."""

    opener: float
    """The constant for the opener, whose lowest such number is 8: a 7 it must."""
    over_partner: float
    over_opponents: float
    """The constants for who may pass, by whose call is the highest."""
    worth: float
    """Each point that the hand is worth in its best ser."""
    step: float
    """Each trick above 7 that the lowest free call asks for."""
    ace: float
    """Each ace, for who may pass: it beats the others' contract."""
    jump: float
    """Each number above the lowest."""

    def strength(self, hand: Hand) -> float:
        """What a hand adds to these log-odds for who may pass."""
        return self.worth * worth(hand, best_ser(hand)) + self.ace * sum(held >> 12 for held in hand)


SHARP = Habit(-17.7, -11.7, -12.9, 3.1, -1.9, -1.9, -3.9)
HABITS: Mapping[str, Habit] = {
    "easy": Habit(-25.4, -31.7, -27.4, 3.5, -2.3, 0.8, -8.9),
    "steady": Habit(-70.0, -46.5, -49.0, 8.4, -5.0, 0.1, -18.0),
    "sharp": SHARP,
}
"""By level; people are read as sharp is."""


def habit_of(level: str | None) -> Habit:
    """How a level speaks, or a person."""
    return HABITS.get(level or "sharp", SHARP)


@dataclass(frozen=True, slots=True)
class Said:
    """What a hidden seat said, as something a hand can be asked: would you have said it?"""

    seat: int
    habit: Habit
    constant: float
    free: bool
    above: int
    """How far above the lowest number that tells something; -1 for less than that."""

    def likelihood(self, hand: Hand) -> float:
        """The probability that a seat dealt this hand says this."""
        habit = self.habit
        odds = self.constant + habit.worth * worth(hand, best_ser(hand))
        if self.free:
            odds += habit.ace * sum(held >> 12 for held in hand)
        if self.above < 0:
            likely = probability(-odds)
        else:
            odds += habit.jump * self.above
            likely = probability(odds) - probability(odds + habit.jump)
        return SLIP + (1 - SLIP) * likely


def likely_worlds(seen: Seen, rng: Random, count: int) -> Iterator[Hands]:
    """That many worlds, as `worlds` gives them, drawn by how likely they are now."""
    told = said(seen)
    named = seen.ser >= 0 and seen.declarer != seen.seat
    if not told and not named:
        yield from worlds(seen, rng, count)
        return
    drawn = list(worlds(seen, rng, DRAWN * count))
    weights = []
    for hands in drawn:
        dealt = [
            [left | gone for left, gone in zip(hand, played, strict=True)]
            for hand, played in zip(hands, seen.played, strict=True)
        ]
        weight = prod(each.likelihood(dealt[each.seat]) for each in told)
        weights.append(weight * would_name(dealt[seen.declarer], seen.ser) if named else weight)
    # At even steps through the weights laid end to end, from a place drawn at random: each world as often as it weighs.
    step = sum(weights) / count
    at = rng.random() * step
    for hands, weight in zip(drawn, weights, strict=True):
        while at < weight and count:
            yield hands
            count -= 1
            at += step
        at -= weight
    while count:  # rounding may leave the last one out
        yield drawn[-1]
        count -= 1


def said(seen: Seen) -> list[Said]:
    """What the hidden seats said that tells something of their hands."""
    found = []
    highest, caller = LOWEST_CALL, seen.opener
    for at, (seat, number) in enumerate(seen.calls):
        if seat != seen.seat and highest < HIGHEST_CALL:
            habit = habit_of(seen.opponents.spoke[seat])
            constant = habit.opener
            if at:
                constant = habit.over_partner if same_side(seat, caller) else habit.over_opponents
                constant += habit.step * (highest - LOWEST_CALL)
            found.append(Said(seat, habit, constant, bool(at), number - highest - 1 if number else -1))
        if number:
            highest, caller = number, seat
    return found


def would_name(hand: Hand, ser: int) -> float:
    """The probability that a declarer dealt this hand names this ser."""
    odds = [exp(CERTAINTY * gain(held)) for held in hand]
    return SLIP + (1 - SLIP) * odds[ser] / sum(odds)
