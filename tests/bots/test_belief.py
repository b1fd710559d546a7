"""What is said in the auction tells where the cards are likely to lie."""

from __future__ import annotations

import random
from statistics import mean
from typing import TYPE_CHECKING

import pytest

from chalicelib.bots.belief import likely_worlds, said
from chalicelib.bots.seen import PEOPLE, Opponents, among, look
from chalicelib.bots.worth import best_ser, worth
from chalicelib.engine import SEATS, AfterBank, Deal, Seat, Ser, Suit, parse_move
from tests.bots.deals import played_into, random_deal

if TYPE_CHECKING:
    from chalicelib.bots.seen import Seen

NORTH, EAST, SOUTH, WEST = SEATS


def heard(calls: str, opponents: Opponents = PEOPLE, seed: int = 1) -> Seen:
    """What the next to speak has seen after these calls, north's the first; its own hand is the same for every `calls`
    of as many words."""
    deal = random_deal(random.Random(seed), AfterBank.FRESH)
    deal = Deal.start(deal.hands, Seat.NORTH, AfterBank.FRESH)
    for text in calls.split():
        deal = deal.play(parse_move(text))
    assert deal.turn is not None
    return look(deal.view(deal.turn), opponents)


def mean_worth(seen: Seen, seat: Seat) -> float:
    """What a hidden hand is worth, on average over the likely worlds."""
    return mean(worth(hands[seat], best_ser(hands[seat])) for hands in likely_worlds(seen, random.Random(5), 300))


@pytest.mark.parametrize(
    ("weaker", "stronger", "who"),
    [
        ("7", "8", NORTH),  # an opener who need not call 8
        ("7 pass", "7 8", EAST),
        ("7 pass pass", "7 8 pass", EAST),  # overcalled or not, what was said counts
        ("7 pass 8", "7 8 9", EAST),
        ("7 8 pass", "7 8 9", SOUTH),  # my opponent's or my partner's alike
        ("7 pass pass", "7 pass 8", SOUTH),
        ("7 8 pass", "7 10 pass", EAST),
    ],
)
def test_more_said_is_a_better_hand(weaker: str, stronger: str, who: Seat) -> None:
    """Whoever says more is believed to hold more: opener, caller, also one whose call was overcalled."""
    assert mean_worth(heard(weaker), who) + 0.3 < mean_worth(heard(stronger), who)


def test_a_pass_is_a_weaker_hand_than_nothing_said() -> None:
    """A seat that has passed is believed to hold less than one that has not spoken yet."""
    seen = heard("7 pass")
    assert mean_worth(seen, EAST) + 0.1 < mean_worth(seen, WEST)


def test_who_must_pass_has_said_nothing() -> None:
    """After 13 all pass, whatever they hold; and what my own seat said is no news."""
    seen = heard("13")
    assert [NORTH] == [each.seat for each in said(seen)]
    deal = Deal.start(random_deal(random.Random(1), AfterBank.FRESH).hands, Seat.NORTH, AfterBank.FRESH)
    for text in ("8", "pass", "13", "pass", "S"):
        deal = deal.play(parse_move(text))
    assert deal.turn is SOUTH
    assert [NORTH, EAST] == [each.seat for each in said(look(deal.view(SOUTH)))]


def test_levels_are_read_by_their_habits() -> None:
    """A pass of the easy level, which hardly ever calls, tells less than one of a person or of a sharp bot."""
    easy = mean_worth(heard("7 pass", among(("sharp", "easy", "sharp", "easy"))), EAST)
    assert mean_worth(heard("7 pass"), EAST) + 0.1 < easy
    assert mean_worth(heard("7 pass"), EAST) == mean_worth(heard("7 pass", among(("sharp",) * 4)), EAST)


def test_who_spoke_counts_not_who_plays_now() -> None:
    """An 8 that a person opened with is read as a person's, though a steady bot, which never does, stands in since."""
    stands_in = Opponents(plays=("steady", None, None, None), spoke=(None, None, None, None))
    assert mean_worth(heard("8"), NORTH) == mean_worth(heard("8", stands_in), NORTH)


def test_no_hand_is_impossible_for_what_was_said() -> None:
    """However unlike a level it is what it said, worlds stay many and different."""
    for calls in ("8", "7 8 9", "7 11", "13"):
        for level in ("easy", "steady", "sharp"):
            seen = heard(calls, among((level,) * 4))
            drawn = {tuple(map(tuple, hands)) for hands in likely_worlds(seen, random.Random(5), 60)}
            assert len(drawn) > 12


def test_a_pass_over_more_tells_less() -> None:
    """A good hand passes over a 9 sooner than over a 7."""
    hand = [0b1110000000011, 0b1100000000001, 0b11, 0b111]
    low, high = (said(heard(calls))[-1].likelihood(hand) for calls in ("7 pass pass", "9 pass pass"))
    assert low < high


def test_the_ser_was_likely_named_for_length() -> None:
    """Once the ser is named, its declarer is believed to hold more of it than the others."""
    deal = Deal.start(random_deal(random.Random(2), AfterBank.FRESH).hands, Seat.NORTH, AfterBank.FRESH)
    for text in ("7", "pass", "pass", "pass"):
        deal = deal.play(parse_move(text))
    deal = deal.play(Ser(Suit.H))
    deal = deal.play(deal.legal_moves()[0])
    seen = look(deal.view(EAST))
    lengths = [
        [hands[seat][Suit.H].bit_count() + seen.played[seat][Suit.H].bit_count() for seat in (NORTH, SOUTH, WEST)]
        for hands in likely_worlds(seen, random.Random(5), 300)
    ]
    north, south, west = (mean(column) for column in zip(*lengths, strict=True))
    assert north > max(south, west) + 0.7


def test_as_many_worlds_as_asked_for_and_all_possible() -> None:
    """At any point, every world deals out exactly the unseen cards, to each as many as it holds, voids kept."""
    rng = random.Random(11)
    for _ in range(150):
        deal = played_into(rng, random_deal(rng, AfterBank.FRESH), rng.randrange(1, 56))
        assert deal.turn is not None
        seen = look(deal.view(deal.turn))
        drawn = list(likely_worlds(seen, rng, 7))
        assert 7 == len(drawn)
        for hands in drawn:
            assert seen.hand == hands[seen.seat]
            hidden = [hands[seat] for seat in range(4) if seat != seen.seat]
            assert seen.unseen == [sum(hand[suit] for hand in hidden) for suit in range(4)]
            assert list(seen.sizes) == [sum(map(int.bit_count, hand)) for hand in hands]
            assert not any(hands[seat][suit] for seat in range(4) for suit in range(4) if seen.void[seat] >> suit & 1)
