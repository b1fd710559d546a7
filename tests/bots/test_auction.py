"""Chances in the auction take the opponents into account: the same cards are worth more against weak players."""

from __future__ import annotations

import random
from statistics import mean

from chalicelib.bots.auction import ease, outlook
from chalicelib.bots.seen import PEOPLE, among, look
from chalicelib.engine import AfterBank, Call, Deal, Seat
from tests.bots.deals import random_deal

EASY_OPPONENTS = among(("sharp", "easy", "sharp", "easy"))
EASY_PARTNER = among(("sharp", "sharp", "easy", "sharp"))


def test_sharp_company_and_people_are_the_measure() -> None:
    """Among sharp bots, and among people, who are reckoned as good, nothing is added; weaker opponents help most."""
    assert 0 == ease(PEOPLE, 0) == ease(among(("sharp", None, "sharp", None)), 1)
    assert ease(EASY_OPPONENTS, 0) > ease(among(("sharp", "steady", "sharp", "steady")), 0) > 0
    assert ease(EASY_PARTNER, 0) < 0 < ease(EASY_PARTNER, 1)


def test_chances_follow_the_company() -> None:
    """Against easy opponents my contract is likelier made, and theirs less, than against sharp ones."""
    rng = random.Random(3)
    mine, theirs = [], []
    for _ in range(20):
        hands = random_deal(rng, AfterBank.FRESH).hands
        opened = Deal.start(hands, Seat.WEST, AfterBank.FRESH).play(Call(7))
        sharp = outlook(look(opened.view(Seat.NORTH), among(("sharp",) * 4)), b"k", 40)
        easy = outlook(look(opened.view(Seat.NORTH), EASY_OPPONENTS), b"k", 40)
        mine.append(easy.best(8)[0] - sharp.best(8)[0])
        theirs.append(easy.left(7) - sharp.left(7))
    assert mean(mine) > 0.03
    assert mean(theirs) < -0.03
