"""Fits what sharp reckons with in the auction to practice deals, and prints it beside what the code has.

python -m lab.fit --deals 4000

Three fits by maximum likelihood with a slight pull towards 0. The first two are logistic, the third is an ordered one:
- the weights of a hand (worth.py): what made contracts more likely, by the declarer's own cards;
- a contract's chance (auction.py): by the playouts, the hand's worth or its aces, and the opponents;
- what a level says (belief.py): pass, the lowest number or a higher one, by the hand's worth and aces; and which ser.
Take over what has moved clearly, run it again (sharp calls otherwise then), and play the arena.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from scipy.optimize import minimize

from chalicelib.bots import auction, belief, worth
from chalicelib.engine import HIGHEST_CALL, LOWEST_CALL, same_side
from lab.training_deals import practice

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from chalicelib.bots.kernel import Hand
    from lab.training_deals import Reckoned, Spoke

    Floats: TypeAlias = NDArray[np.float64]
    Bools: TypeAlias = NDArray[np.bool_]

PULL = 1e-6
LEARNERS = tuple(auction.SKILLS)
"""The levels whose skill is measured against sharp's."""


def fitted(loss: Callable[[Floats], float], start: Floats) -> tuple[Floats, float]:
    """The parameters that lose least, and what they lose: nats for each example."""
    found = minimize(lambda at: loss(at) + PULL * float(np.sum(at**2)), start, method="BFGS")
    return found.x, loss(found.x)


def surprise(odds: Floats, came: Bools) -> float:
    """The mean log-loss of log-odds against what came."""
    return float(np.mean(np.logaddexp(0, np.where(came, -odds, odds))))


def show(name: str, now: Iterable[float], found: Iterable[float], loss: float, was: float, count: int) -> None:
    """A fit's line."""
    cells = [" ".join(f"{value:6.2f}" for value in values) for values in (now, found)]
    print(f"{name}, {count} examples\n  now    {cells[0]}   {was:.4f} nats\n  fitted {cells[1]}   {loss:.4f} nats")


# a hand's worth -----------------------------------------------------------------------------------------------------


def features(hand: Hand, ser: int) -> list[float]:
    """What `worth` weighs, in the order SER, SER_LENGTH, PLAIN, SHORT."""
    plain = [held for suit, held in enumerate(hand) if suit != ser]
    honours = [float(hand[ser] >> rank & 1) for rank in worth.SER]
    sides = [float(sum(held >> rank & 1 for held in plain)) for rank in worth.PLAIN]
    lengths = [held.bit_count() for held in plain]
    return [*honours, float(hand[ser].bit_count()), *sides, *(float(lengths.count(n)) for n in range(len(worth.SHORT)))]


def fit_worth(own: Sequence[Reckoned]) -> None:
    """The weights of a hand, and what a trick more costs, the opponents set apart."""
    x = np.array([[1.0, each.number - LOWEST_CALL, *features(each.hand, each.ser), *skills(each)] for each in own])
    came = np.array([each.made for each in own])
    weights = [*worth.SER.values(), worth.SER_LENGTH, *worth.PLAIN.values(), *worth.SHORT]
    opponents = [value for name in LEARNERS for value in auction.SKILLS[name]]
    now: Floats = np.array([worth.AT_SEVEN, worth.STEP, *weights, *opponents])
    found, loss = fitted(lambda at: surprise(x @ at, came), now)
    print("AT_SEVEN STEP, SER A K Q, SER_LENGTH, PLAIN A K Q, SHORT 0 1 2")
    show("worth", now[: -len(opponents)], found[: -len(opponents)], loss, surprise(x @ now, came), len(own))


# a contract's chance ------------------------------------------------------------------------------------------------


def skills(each: Reckoned) -> list[float]:
    """For each learner: whether it declares, whether it is the declarer's partner, how many of them defend."""
    level = each.opponents
    row = []
    for name in LEARNERS:
        against = (level[each.declarer ^ 1] == name) + (level[each.declarer ^ 3] == name)
        row += [float(level[each.declarer] == name), float(level[each.declarer ^ 2] == name), float(against)]
    return row


def fit_chances(own: Sequence[Reckoned], others: Sequence[Reckoned]) -> None:
    """MADE, PARTNERS, THEIRS and SKILLS together: the opponents count alike in all three."""
    ours = [each for each in others if same_side(each.judge, each.declarer)]
    theirs = [each for each in others if (each.judge ^ each.declarer) & 1]
    parts: list[tuple[slice, Floats]] = []
    mine = np.array(
        [[1.0, each.number - LOWEST_CALL, _odds(each), worth.worth(each.hand, each.ser)] for each in own], dtype=float
    )
    parts.append((slice(0, 4), mine))
    for at, group in ((4, ours), (7, theirs)):
        aces = [[1.0, _odds(each), float(sum(held >> 12 for held in each.hand))] for each in group]
        parts.append((slice(at, at + 3), np.array(aces)))
    opponents = np.array([skills(each) for each in (*own, *ours, *theirs)])
    came = np.array([each.made for each in (*own, *ours, *theirs)])

    def odds(at: Floats) -> Floats:
        return np.concatenate([x @ at[part] for part, x in parts]) + opponents @ at[10:]

    now = np.array(
        [*auction.MADE, *auction.PARTNERS, *auction.THEIRS]
        + [value for name in LEARNERS for value in auction.SKILLS[name]]
    )
    found, loss = fitted(lambda at: surprise(odds(at), came), now)
    print("MADE (4), PARTNERS (3), THEIRS (3), then SKILLS: declarer, partner, defender for", *LEARNERS)
    show("chances", now, found, loss, surprise(odds(now), came), len(came))


def _odds(each: Reckoned) -> float:
    return float(np.log((each.banked + 1) / (each.worlds - each.banked + 1)))


# what a level says --------------------------------------------------------------------------------------------------


def fit_habit(level: str, spoke: Sequence[Spoke]) -> None:
    """A level's Habit."""
    rows: list[tuple[list[float], int]] = []
    for each in spoke:
        free = each.highest > 0
        lowest = max(each.highest, LOWEST_CALL) + 1
        if each.level == level and lowest <= HIGHEST_CALL:
            best = worth.worth(each.hand, worth.best_ser(each.hand))
            aces = sum(held >> 12 for held in each.hand)
            place = [not free, free and each.partners, free and not each.partners]
            row = [*place, best, (lowest - 1 - LOWEST_CALL) * free, aces * free, 0]
            rows.append(([float(value) for value in row], each.number - lowest if each.number else -1))
    x = np.array([row for row, _ in rows])
    above = np.array([max(number, -1) for _, number in rows])

    def loss(at: Floats) -> float:
        odds = x @ at
        jump = odds + at[6] * above
        said = np.where(above < 0, _part(-odds), _part(jump) - _part(jump + at[6]))
        return float(-np.mean(np.log(belief.SLIP + (1 - belief.SLIP) * said)))

    now = np.array(belief.HABITS[level])
    found, lost = fitted(loss, now)
    show(f"what {level} says: {' '.join(belief.Habit._fields)}", now, found, lost, loss(now), len(rows))


def fit_certainty(named: Sequence[tuple[Hand, int]]) -> None:
    """CERTAINTY: how surely a declarer names the suit that gains most."""
    gains = np.array([[worth.gain(held) for held in hand] for hand, _ in named])
    chosen = np.array([ser for _, ser in named])

    def loss(at: Floats) -> float:
        odds = at[0] * gains
        named_so = np.exp(odds[np.arange(len(odds)), chosen] - np.logaddexp.reduce(odds, axis=1))
        return float(-np.mean(np.log(belief.SLIP + (1 - belief.SLIP) * named_so)))

    now: Floats = np.array([belief.CERTAINTY])
    found, lost = fitted(loss, now)
    show("which ser sharp names: CERTAINTY", now, found, lost, loss(now), len(named))


def _part(odds: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(odds, -50, 50))))


def main(arguments: list[str]) -> int:
    """Practise, fit, print."""
    parser = argparse.ArgumentParser(prog="python -m lab.fit", description=__doc__)
    parser.add_argument("--deals", type=int, default=4000)
    parser.add_argument("--seed", default="practice")
    parser.add_argument("--workers", type=int, default=2)
    asked = parser.parse_args(arguments)
    if asked.deals < 100:
        parser.error("a fit takes some hundred deals")
    shown = practice(asked.seed, asked.deals, asked.workers)
    fit_worth(shown.own)
    fit_chances(shown.own, shown.others)
    for level in belief.HABITS:
        fit_habit(level, shown.spoke)
    fit_certainty(shown.named)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
