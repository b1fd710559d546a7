"""What sharp makes of the worlds it looks at: which card, which call, and how much better than the others it plays."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from statistics import mean

import pytest

from chalicelib.bots import sharp
from chalicelib.bots.auction import Outlook, Reply, call
from chalicelib.bots.belief import Habit
from chalicelib.bots.seen import Seen, look
from chalicelib.bots.sharp import SOLVED, Sharp, choices, narrowed
from chalicelib.engine import AfterBank, Call, Deal, Pass, Seat, Ser, Suit
from lab.match import Terms, duplicate
from tests.bots.deals import played_into, random_deal


def early(declarer: Seat, turns: int) -> Seen:
    """A deal in which that seat plays 8: what the seat sees that plays so many turns after its lead."""
    deal = Deal.start(random_deal(random.Random(4), AfterBank.FRESH).hands, declarer, AfterBank.FRESH).play(Call(8))
    for move in (Pass(), Pass(), Pass(), Ser(Suit.S)):
        deal = deal.play(move)
    for _ in range(turns):
        deal = deal.play(deal.legal_moves()[0])
    assert deal.turn is not None
    return look(deal.view(deal.turn))


@pytest.mark.parametrize(
    ("declarer", "turns", "makes"),
    [
        (Seat.NORTH, 0, True),  # the declarer itself
        (Seat.NORTH, 1, False),  # an opponent of it
        (Seat.EAST, 2, True),  # the declarer's partner
        (Seat.EAST, 3, False),
    ],
)
def test_it_takes_the_card_that_gets_its_side_the_contract(
    declarer: Seat, turns: int, makes: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two cards the one that makes, or breaks, the contract in more worlds; of equal ones that with more tricks."""
    seen = early(declarer, turns)
    made, broken = (8, 7) if declarer is Seat.NORTH else (5, 6)  # what ns banks when 8 is just made, and just not
    good, bad = (made, broken) if makes else (broken, made)
    more = 1 if seen.seat & 1 == 0 else -1
    other, best = 1, 2
    worlds: list[list[int]] = []

    def values(_self: Sharp, seen: Seen, _key: bytes, options: list[int]) -> dict[int, list[float]]:
        assert [other, best] == options
        return sharp.valued(seen, options, worlds)

    monkeypatch.setattr(Sharp, "values", values)
    worlds[:] = [bad, good], [bad, good], [good, bad], [bad, bad]
    assert (best, 0.5) == Sharp().judge(seen, b"", [other, best])
    worlds[:] = [[good, good + more]]
    assert (best, 1.0) == Sharp().judge(seen, b"", [other, best])


@pytest.mark.parametrize("cards", [*SOLVED, max(SOLVED) + 1])
def test_it_solves_the_end(cards: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a few cards in hand every world is solved; before that it is played out."""
    asked: list[str] = []

    def listening(name: str, _seen: Seen, _worlds: object, options: list[int], _work: int) -> dict[int, list[float]]:
        asked.append(name)
        return {card: [0.0] for card in options}

    for name in ("all_solved", "all_played_out"):
        monkeypatch.setattr(sharp, name, lambda *given, name=name: listening(name, *given))
    rng = random.Random(6)
    options: list[int] = []
    while len(options) < 2:
        deal = played_into(rng, random_deal(rng, AfterBank.FRESH), 57 - 4 * cards)
        assert deal.turn is not None
        seen = look(deal.view(deal.turn))
        options = choices(seen)
    Sharp().judge(seen, b"", options)
    assert ["all_solved" if cards in SOLVED else "all_played_out"] == asked


def test_the_promising_cards_are_tried_in_more_worlds() -> None:
    """Every round takes as many playouts, and leaves the better half of the cards; the rest is told as spare."""

    def outcomes(first: int, count: int, cards: list[int]) -> list[list[int]]:
        asked.append((first, count, cards))
        return [cards] * count

    asked: list[tuple[int, int, list[int]]] = []
    values, spare = narrowed([3, 1, 4, 5, 2], 245, 60, [0.0, 0.1, 0.2, 0.3, 0.4, 0.5], outcomes)
    assert [(0, 16, [3, 1, 4, 5, 2]), (16, 27, [5, 4, 3]), (43, 17, [5, 4])] == asked
    assert {1: 16, 2: 16, 3: 43, 4: 60, 5: 60} == {card: len(worth) for card, worth in values.items()}
    assert 245 == sum(map(len, values.values())) + spare
    assert {1: [0.1] * 16} == {card: worth for card, worth in values.items() if card == 1}


@dataclass(frozen=True)
class Given(Outlook):
    """An outlook with given chances: mine by number, and of the contract that stands."""

    chances: dict[int, float] = field(default_factory=dict)
    standing: float = 0.0

    def best(self, number: int) -> tuple[float, int]:
        return self.chances.get(number, 0.0), 0

    def left(self, _number: int) -> float:
        return self.standing


def called(standing: int, partners: bool, left: float, mine: dict[int, float], *replies: Reply) -> int:
    """What sharp calls over that contract, with such chances, and such seats to speak after it."""
    deal = random_deal(random.Random(1), AfterBank.FRESH)
    assert deal.turn is not None
    seen = look(deal.view(deal.turn))
    if standing:
        seat = (seen.seat + (2 if partners else 1)) & 3
        seen = replace(seen, contract=standing, declarer=seat, calls=((seat, standing),))
    return call(seen, Given(1, {}, [], {}, 0, partners, 0.0, 0.0, list(replies), mine, left))


@pytest.mark.parametrize(
    ("standing", "partners", "left", "mine", "number"),
    [
        (0, False, 0.0, {7: 0.70, 8: 0.68, 9: 0.60}, 7),  # what is lost counts twice
        (0, False, 0.0, {7: 0.70, 8: 0.80, 9: 0.70}, 8),
        (7, False, 0.80, {8: 0.70}, 8),  # they are likely to make it
        (7, False, 0.50, {8: 0.70}, 0),  # they lose it half the time, which is worth more to us
        (7, True, 0.90, {8: 0.80}, 0),  # partner makes it
        (7, True, 0.50, {8: 0.60}, 8),  # both are bad, mine is less so
        (7, True, 0.60, {8: 0.55}, 0),
        (13, False, 0.0, {}, 0),
    ],
)
def test_a_call_is_what_scores_most(
    standing: int, partners: bool, left: float, mine: dict[int, float], number: int
) -> None:
    """+number, or twice that lost, by its chance, against what the contract that stands is worth to my side."""
    assert number == called(standing, partners, left, mine)


SURE = 99.0
"""Log-odds: it calls over everything."""


@pytest.mark.parametrize(
    ("partner", "strength", "made", "number"),
    [
        (False, -SURE, 0.9, 7),  # nobody will call: as if it were the last word
        (False, SURE, 0.2, 12),  # they will, and lose it: the more, the better
        (False, 10.0, 0.9, 9),  # over a 7 and an 8 they call, over a 9 they would not
        (True, SURE, 0.9, 12),  # so will partner, and makes it
    ],
)
def test_who_speaks_later_counts(partner: bool, strength: float, made: float, number: int) -> None:
    """A call is worth what comes of it once those have spoken who speak later."""
    habit = Habit(0, 0, 0, 1, -7, 0, 0)
    mine = {7: 0.80, 8: 0.75, 9: 0.70, 10: 0.3, 11: 0.0}
    assert number == called(0, False, 0.0, mine, Reply(partner, habit, [strength], made))


@pytest.mark.parametrize(("a", "b", "deals", "least"), [("sharp@60", "easy", 16, 3.0), ("steady", "easy", 120, 0.7)])
def test_the_better_level_wins(a: str, b: str, deals: int, least: float) -> None:
    """Over some duplicate deals, points a deal. (`make arena` plays five hundred, with the whole effort.)"""
    assert mean(duplicate(Terms(a, b, "levels"), number).points for number in range(deals)) > least
