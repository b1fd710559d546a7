"""The arena's yardstick: what it searches and plays out is what the product's own slow rooms find."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import numpy as np
import pytest

from chalicelib.bots.endgame import Endgame
from chalicelib.bots.kernel import Hands
from chalicelib.bots.kernel import playout as plain_playout
from chalicelib.engine import AfterBank, Call, Deal, Pass, Phase, Seat, Ser, Side, Suit
from lab.open_cards.exact import Exact, Position, spread, wide
from lab.open_cards.playout import playout
from lab.open_hand_solver import OpenHandSolver
from tests.bots.deals import played_into, random_deal

if TYPE_CHECKING:
    from collections.abc import Iterator

BOTH = pytest.mark.parametrize("after_bank", list(AfterBank))


def endings(after_bank: AfterBank, fewest: int, most: int, count: int) -> Iterator[Deal]:
    """Deals in the middle of play, after so many random moves."""
    rng = random.Random(after_bank.value)
    for _ in range(count):
        deal = played_into(rng, random_deal(rng, after_bank), rng.randint(fewest, most))
        if deal.phase is Phase.PLAY:
            yield deal


def position_of(deal: Deal) -> Position:
    assert deal.trick is not None
    assert deal.ser is not None
    return Position(
        tuple(deal.left),
        int(deal.ser),
        deal.after_bank is AfterBank.STREAK,
        int(deal.trick.leader),
        deal.run_seat is not None,
        deal.pile,
        tuple(play.card.index for play in deal.trick.plays),
    )


@BOTH
def test_the_search_finds_what_the_endgame_finds(after_bank: AfterBank) -> None:
    """With up to six cards in hand, in mid-trick too, ns reaches exactly the numbers that the endgame says it banks."""
    exact = Exact(places=1 << 12)  # so few that notes give way to others all the time
    seen = set()
    for deal in endings(after_bank, 33, 56, 120):
        at = position_of(deal)
        endgame = Endgame(at.ser, at.streak)
        ns = endgame.solve(at.hands, at.leader, at.armed, at.pile, at.on_table)
        assert [number <= ns for number in range(15)] == [exact.reaches(at, number) for number in range(15)]
        seen.add(ns)
    assert len(seen) > 5


@BOTH
def test_a_card_later_the_search_agrees(after_bank: AfterBank) -> None:
    """A position is worth what the best card for whose turn it is makes of it, a trick's fourth card too."""
    exact = Exact()
    for deal in endings(after_bank, 25, 45, 40):
        assert deal.turn is not None
        at, codes = position_of(deal), [move.card.index for move in deal.legal_moves() if move.type == "play"]
        for need in range(1, 14):
            after = [exact.reaches(at.after(card), need) for card in codes]
            best = any(after) if deal.turn.side is Side.NS else all(after)
            assert best == exact.reaches(at, need)


def test_the_search_says_when_its_budget_is_spent() -> None:
    """A whole deal takes more than a few positions; then there is no answer rather than a wrong one."""
    deal = random_deal(random.Random(1), AfterBank.FRESH)
    start = Position(tuple(deal.left), 0, False, 0)
    assert Exact().reaches(start, 7, budget=3) is None


@BOTH
def test_the_playout_plays_as_the_kernel(after_bank: AfterBank) -> None:
    """From any moment of a deal it plays the same cards and banks the same."""
    compared = 0
    for deal in endings(after_bank, 5, 57, 800):
        at = position_of(deal)
        hands: Hands = [[left >> 13 * suit & 0x1FFF for suit in range(4)] for left in at.hands]
        cards: list[int] = []
        banked = plain_playout(hands, at.ser, at.leader, at.armed, at.pile, at.streak, at.on_table, cards)

        log, table = np.zeros(52, np.int64), spread(at.on_table)
        table.resize(4)
        rest = (at.pile, int(at.streak), table, len(at.on_table), log, 0, 0)
        assert banked == playout(wide(at.hands), at.ser, at.leader, int(at.armed), *rest)
        assert list(spread(cards)) == list(log[: len(cards)])
        compared += 1
    assert compared > 700


@BOTH
def test_the_open_hand_solver_keeps_what_it_has(after_bank: AfterBank) -> None:
    """It plays legal moves to the end, and once a contract is sure for its side it stays so, whatever others play."""
    rng = random.Random(after_bank.value)
    exact = Exact()
    for side in Side:
        deal = played_into(rng, random_deal(rng, after_bank), 5 + 4 * 5)
        open_hand_solver, sure = OpenHandSolver(), False
        while deal.turn is not None:
            if deal.turn.side is not side:
                deal = deal.play(rng.choice(deal.legal_moves()))
                continue
            assert deal.contract is not None
            assert deal.declarer is not None
            goal = deal.contract if deal.declarer.side is Side.NS else 14 - deal.contract
            reached = exact.reaches(position_of(deal), goal - deal.banked.ns)
            assert reached is (side is Side.NS) or not sure
            sure = reached is (side is Side.NS)
            deal = deal.play(open_hand_solver.move(deal))
        assert deal.result is not None


def test_the_open_hand_solver_repeats_itself() -> None:
    """The same deal gives the same moves, whatever the solver met before."""
    rng = random.Random(7)
    others, fresh = OpenHandSolver(), OpenHandSolver()
    for _ in range(2):
        deal = played_into(rng, random_deal(rng, AfterBank.FRESH), 17)
        assert others.move(deal) == OpenHandSolver().move(deal)
    deal = played_into(rng, random_deal(rng, AfterBank.FRESH), 17)
    while deal.turn is not None:
        move = fresh.move(deal)
        assert others.move(deal) == move
        deal = deal.play(move)


def test_the_open_hand_solver_leaves_the_last_word_to_its_partner() -> None:
    """With a whole suit in each hand anybody makes 13: the opener calls 7, lest an opponent pass, partner the 13."""
    suits = tuple(0x1FFF << 13 * suit for suit in range(4))
    deal = Deal.start((suits[0], suits[1], suits[2], suits[3]), Seat.NORTH, AfterBank.FRESH)
    open_hand_solver = OpenHandSolver()
    assert open_hand_solver.move(deal) == Call(7)
    deal = deal.play(Call(7)).play(Pass())
    assert open_hand_solver.move(deal) == Call(13)
    deal = deal.play(Call(13)).play(Pass())
    assert open_hand_solver.move(deal) == Ser(Suit.D)


def test_the_open_hand_solver_lets_opponents_fail() -> None:
    """It passes on a contract that its side beats, since that scores twice the number, even where it could make 13."""
    # North has A K Q of each suit and the jack of spades; the others share the rest.
    top = sum(0x1C00 << 13 * suit for suit in range(4)) | 1 << 9
    rest = [card for card in range(52) if not top >> card & 1]
    west, east, south = (sum(1 << card for card in rest[i::3]) for i in range(3))
    deal = Deal.start((top, east, south, west), Seat.WEST, AfterBank.FRESH).play(Call(7))
    open_hand_solver = OpenHandSolver()
    assert open_hand_solver.move(deal) == Pass()
    mine = Deal.start((top, east, south, west), Seat.SOUTH, AfterBank.FRESH).play(Call(7)).play(Pass())
    assert open_hand_solver.move(mine) == Call(13)
