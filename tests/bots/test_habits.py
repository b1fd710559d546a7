"""What a person at the table would see the levels do."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from chalicelib.bots import LEVELS, choose
from chalicelib.bots.seen import Seen, beats, cards, legal, look
from chalicelib.engine import AfterBank, Call, Deal, Pass, Phase, Play, Seat, Ser, Suit
from tests.bots.deals import played_into, random_deal

if TYPE_CHECKING:
    from collections.abc import Iterator

SPADES = 0x1FFF


def plays(level: str, count: int) -> Iterator[tuple[Seen, int, list[int]]]:
    """Positions in mid-trick of random deals: what the seat sees, the card the level plays, and those it might."""
    rng = random.Random(f"habits {level}")
    while count:
        deal = played_into(rng, random_deal(rng, AfterBank.FRESH), rng.randint(6, 52))
        if deal.phase is not Phase.PLAY or deal.trick is None or not deal.trick.plays or deal.turn is None:
            continue
        seen = look(deal.view(deal.turn))
        move = choose(deal.view(deal.turn), level, b"")
        assert isinstance(move, Play)
        held = seen.hand[seen.led]
        yield seen, move.card.index, [card for card in cards(seen.hand) if legal(card, held, seen.led)]
        count -= 1


@pytest.mark.parametrize("level", ["easy", "steady"])
def test_last_to_play_leaves_partners_trick(level: str) -> None:
    """Last to play, a bot does not overtake its partner's winning card unless every legal card would."""
    kept = []
    for seen, card, options in plays(level, 600):
        at, best = seen.winning()
        if len(seen.on_table) == 3 and at == 1 and not all(beats(each, best, seen.ser) for each in options):
            kept.append(not beats(card, best, seen.ser))
    assert len(kept) > 10
    assert all(kept)


def test_easy_wins_cheaply() -> None:
    """Last to play and able to win, easy wins with its lowest card that does."""
    kept = []
    for seen, card, options in plays("easy", 600):
        at, best = seen.winning()
        winners = [each for each in options if beats(each, best, seen.ser)]
        if len(seen.on_table) == 3 and at != 1 and winners:
            kept.append(card == min(winners))
    assert len(kept) > 10
    assert all(kept)


def test_steady_breaks_a_run_about_to_bank() -> None:
    """When an opponent banks unless somebody wins, steady wins last in hand whenever it can."""
    kept = []
    for seen, card, options in plays("steady", 600):
        at, best = seen.winning()
        winners = [each for each in options if beats(each, best, seen.ser)]
        if seen.armed and at == 0 and len(seen.on_table) == 3 and winners:
            kept.append(beats(card, best, seen.ser))
    assert len(kept) > 10
    assert all(kept)


def test_steady_stays_out_of_partners_bank() -> None:
    """When partner led, wins so far and will bank, steady does not take the trick from it if it need not."""
    kept = []
    for seen, card, options in plays("steady", 600):
        at, best = seen.winning()
        partner_banks = seen.armed and at == 0 and len(seen.on_table) == 2
        if partner_banks and not all(beats(each, best, seen.ser) for each in options):
            kept.append(not beats(card, best, seen.ser))
    assert len(kept) > 10
    assert all(kept)


@pytest.mark.parametrize("level", LEVELS)
def test_names_its_long_strong_suit(level: str) -> None:
    """A hand of one whole suit names that suit."""
    deal = Deal.start(whole_suits(), Seat.NORTH, AfterBank.FRESH).play(Call(13))
    for _ in range(3):
        deal = deal.play(Pass())
    assert choose(deal.view(Seat.NORTH), level, b"") == Ser(Suit.S)


def test_sharp_calls_what_it_holds() -> None:
    """With thirteen spades sharp calls thirteen; with a hand of low cards it opens as low as it may, and passes."""
    strong = Deal.start(whole_suits(), Seat.NORTH, AfterBank.FRESH)
    assert choose(strong.view(Seat.NORTH), "sharp", b"") == Call(13)
    low = sum(0b1111 << 13 * suit for suit in range(4)) ^ 0b1110  # the 5 4 3 of spades are somebody else's
    rest = [card for card in range(52) if not low >> card & 1]
    east, south, west = (sum(1 << card for card in rest[i::3]) for i in range(3))
    weak = Deal.start((low, east, south, west), Seat.NORTH, AfterBank.FRESH)
    assert choose(weak.view(Seat.NORTH), "sharp", b"") == Call(7)
    weak = Deal.start((low, east, south, west), Seat.WEST, AfterBank.FRESH).play(Call(7))
    assert choose(weak.view(Seat.NORTH), "sharp", b"") == Pass()


def whole_suits() -> tuple[int, int, int, int]:
    """A suit for each seat, spades for north."""
    return SPADES, SPADES << 13, SPADES << 26, SPADES << 39
