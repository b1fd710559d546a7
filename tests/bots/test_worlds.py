"""Worlds agree with everything seen, and are drawn evenly."""

from __future__ import annotations

import random
from collections import Counter

from chalicelib.bots.seen import look
from chalicelib.bots.worlds import worlds
from chalicelib.engine import SEATS, AfterBank, Phase
from tests.bots.deals import played_into, random_deal


def test_agree_with_what_was_seen() -> None:
    """A world has the own hand, every unseen card once, each seat's number of cards, and keeps voids void."""
    rng = random.Random(5)
    checked = 0
    while checked < 200:
        deal = played_into(rng, random_deal(rng, AfterBank.FRESH), rng.randint(0, 56))
        if deal.turn is None:
            continue
        checked += 1
        seen = look(deal.view(deal.turn))
        for hands in worlds(seen, rng, 5):
            assert hands[seen.seat] == seen.hand
            for suit in range(4):
                hidden = [hands[seat][suit] for seat in SEATS if seat != seen.seat]
                assert sum(hidden) == seen.unseen[suit]
                assert hidden[0] & hidden[1] == hidden[0] & hidden[2] == hidden[1] & hidden[2] == 0
            for seat in SEATS:
                assert sum(held.bit_count() for held in hands[seat]) == deal.view(None).cards_left[seat]
                assert all(not (seen.void[seat] >> suit & 1 and hands[seat][suit]) for suit in range(4))


def test_every_world_is_as_likely() -> None:
    """Late in a deal with voids shown, each possible world is drawn about as often as any other."""
    rng = random.Random(11)
    tried = 0
    while tried < 3:
        deal = played_into(rng, random_deal(rng, AfterBank.FRESH), rng.choice((45, 46)))
        if deal.turn is None or deal.phase is not Phase.PLAY:
            continue
        seen = look(deal.view(deal.turn))
        if not any(seen.void[seat] for seat in range(4) if seat != seen.seat):
            continue
        drawn = Counter(str(hands) for hands in worlds(seen, rng, 3000))
        if not 2 <= len(drawn) <= 60:
            continue
        tried += 1
        even = 3000 / len(drawn)
        assert all(abs(times - even) < 6 * even**0.5 for times in drawn.values())
