"""Fits what sharp reckons with in the auction to explored deals, and prints it beside what the code has.

.venv-lab/bin/python -m lab.fit --deals 1000

In an explored deal (choices.py) every alternative of a sharp seat is played out, whatever it would choose, and the
others go on as they would. So what is learnt holds for the choices sharp does not make, too.
Three fits by maximum likelihood with a slight pull towards 0. The first two are logistic, the third is an ordered one:
- the weights of a hand (worth.py): what made contracts more likely, by the declarer's own cards;
- a contract's chance (auction.py): by the playouts, the hand's worth or its aces, and the opponents;
- what a level says (belief.py): pass, the lowest number or a higher one, by the hand's worth and aces; and which ser.
Take over what has moved clearly, run it again (sharp calls otherwise then), and play the arena.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np
from scipy.optimize import minimize

from chalicelib.bots import auction, belief, worth
from chalicelib.engine import HIGHEST_CALL, LOWEST_CALL, AfterBank, same_side
from lab.choices import explore, jobs_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from chalicelib.bots.kernel import Hand
    from chalicelib.bots.seen import Seen
    from lab.choices import Choice, Final, Spoke

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


def fit_worth(stood: Sequence[Contract]) -> None:
    """The weights of a hand, and what a trick more costs, the opponents set apart."""
    own = [each for each in stood if each.kind == "MADE"]
    x = np.array(
        [
            [1.0, each.final.contract - LOWEST_CALL, *features(each.seen.hand, each.final.ser), *each.skills]
            for each in own
        ]
    )
    came = np.array([each.final.score > 0 for each in own])
    weights = [*worth.SER.values(), worth.SER_LENGTH, *worth.PLAIN.values(), *worth.SHORT]
    opponents = [value for name in LEARNERS for value in auction.SKILLS[name]]
    now: Floats = np.array([worth.AT_SEVEN, worth.STEP, *weights, *opponents])
    found, loss = fitted(lambda at: surprise(x @ at, came), now)
    print("AT_SEVEN STEP, SER A K Q, SER_LENGTH, PLAIN A K Q, SHORT 0 1 2")
    show("worth", now[: -len(opponents)], found[: -len(opponents)], loss, surprise(x @ now, came), len(own))


# a contract's chance ------------------------------------------------------------------------------------------------

PARTS = ("MADE", "PARTNERS", "THEIRS", "PARTNERS_CALL", "THEIR_CALL")
"""The constants of `auction` that say what a contract's log-odds are, by whose it is and when it was called."""


class Contract(NamedTuple):
    """A contract that was played, as a sharp seat saw it coming when it spoke."""

    kind: str
    seen: Seen
    outlook: auction.Outlook
    final: Final

    @property
    def weighed(self) -> tuple[float, ...]:
        """What the constants of its kind multiply."""
        if self.kind == "MADE":
            return self.outlook.weighed_mine(self.final.contract, self.final.ser)
        if self.kind in ("PARTNERS", "THEIRS"):
            return self.outlook.weighed_left(self.final.contract)
        return 1.0, self.outlook.aces

    @property
    def skills(self) -> list[float]:
        """For each learner: whether it declares, whether it is the declarer's partner, how many of them defend."""
        level, declarer = self.seen.opponents.plays, self.final.declarer
        row = []
        for name in LEARNERS:
            against = (level[declarer ^ 1] == name) + (level[declarer ^ 3] == name)
            row += [float(level[declarer] == name), float(level[declarer ^ 2] == name), float(against)]
        return row


def contracts(choices: Iterable[Choice]) -> Iterator[Contract]:
    """Every alternative's contract, save those with a ser that the seat would not have thought of."""
    for choice in choices:
        seat = choice.seen.seat
        for number, final in choice.finals.items():
            partners = final.declarer ^ seat == 2
            if final.declarer == seat:
                kind = "MADE" if final.ser in choice.outlook.mine else ""
            elif number == 0 and (final.declarer, final.contract) == (choice.seen.declarer, choice.seen.contract):
                kind = "PARTNERS" if partners else "THEIRS"
            else:
                kind = "PARTNERS_CALL" if partners else "THEIR_CALL"
            if kind:
                yield Contract(kind, choice.seen, choice.outlook, final)


def fit_chances(stood: Sequence[Contract]) -> None:
    """All parts and SKILLS together: the opponents count alike in all of them."""
    now: Floats = np.array([value for part in PARTS for value in getattr(auction, part)])
    skills: Floats = np.array([value for name in LEARNERS for value in auction.SKILLS[name]])
    x = np.zeros((len(stood), len(now) + len(skills)))
    at = 0
    for part in PARTS:
        width = len(getattr(auction, part))
        for row, each in enumerate(stood):
            if each.kind == part:
                x[row, at : at + width] = each.weighed
        at += width
    x[:, at:] = [each.skills for each in stood]
    came = np.array([each.final.score > 0 for each in stood])
    start = np.concatenate([now, skills])
    found, loss = fitted(lambda at: surprise(x @ at, came), start)
    print(*(f"{part} ({len(getattr(auction, part))})" for part in PARTS), "then SKILLS: declarer, partner, defender")
    show("chances", start, found, loss, surprise(x @ start, came), len(came))


# what a level says --------------------------------------------------------------------------------------------------


def fit_habit(level: str, spoke: Sequence[Spoke]) -> None:
    """A level's Habit."""
    rows: list[tuple[list[float], int]] = []
    for each in spoke:
        seen = each.seen
        free = seen.contract > 0
        lowest = max(seen.contract, LOWEST_CALL) + 1
        if each.level == level and lowest <= HIGHEST_CALL:
            best = worth.worth(seen.hand, worth.best_ser(seen.hand))
            aces = sum(held >> 12 for held in seen.hand)
            partners = free and same_side(seen.declarer, seen.seat)
            place = [not free, partners, free and not partners]
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
    """Explore, fit, print."""
    parser = argparse.ArgumentParser(prog="python -m lab.fit", description=__doc__)
    parser.add_argument("--deals", type=int, default=1000)
    parser.add_argument("--seed", default="fit")
    parser.add_argument("--effort", type=int, default=400)
    parser.add_argument("--workers", type=int, default=2)
    asked = parser.parse_args(arguments)
    if asked.deals < 100:
        parser.error("a fit takes some hundred deals")
    against = ("sharp", "steady", "sharp", "steady", "easy")
    kinds = [(f"{asked.seed}:{at}", name, rule) for at, name in enumerate(against) for rule in AfterBank]
    jobs = [job for seed, name, rule in kinds for job in jobs_of(seed, asked.deals // 10, name, rule, asked.effort)]
    shown = explore(jobs, asked.workers)
    stood = list(contracts(shown.choices))
    fit_worth(stood)
    fit_chances(stood)
    for level in belief.HABITS:
        fit_habit(level, shown.spoke)
    fit_certainty(shown.named)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
