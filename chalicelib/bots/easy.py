"""The easy level: sound but simple. It looks at its own hand and at the trick on the table, and remembers nothing.

It counts the tricks in its hand, as beginners do; its numbers are a beginner's, and fitted to nothing.
"""

from __future__ import annotations

from chalicelib.bots.kernel import Hand
from chalicelib.bots.seen import Seen, beats, cards, legal
from chalicelib.engine import same_side

HONOURS = {9: 0.1, 10: 0.3, 11: 0.6, 12: 1.0}
"""What the honours of a plain suit are worth in tricks, by rank: J Q K A."""
PARTNER = 2.5
"""Tricks an unknown partner is trusted to bring."""


def call(seen: Seen, _key: bytes) -> int:
    """A number to call, or 0 to pass: the hand's own worth, never more than one above what is needed."""
    worth = strength(seen.hand, best_ser(seen.hand)) + PARTNER
    if not seen.contract:
        return 8 if worth >= 8.5 else 7
    ours = same_side(seen.declarer, seen.seat)
    number = seen.contract + 1
    return number if number <= 13 and worth >= number + (0.5 if not ours else 1.5) else 0


def ser(seen: Seen, _key: bytes) -> int:
    """The suit in which the hand is worth most."""
    return best_ser(seen.hand)


def best_ser(hand: Hand) -> int:
    """The suit that makes most of a hand."""
    return max(range(4), key=lambda suit: (strength(hand, suit), hand[suit]))


def strength(hand: Hand, ser: int) -> float:
    """The tricks to hope for from this hand alone with this ser: honours, ser length, and short suits to cut."""
    worth = 0.0
    for suit, held in enumerate(hand):
        worth += sum(value for rank, value in HONOURS.items() if held >> rank & 1)
        length = held.bit_count()
        if suit == ser:
            worth += 0.6 * max(0, length - 3)
        elif length < 2 and hand[ser].bit_count() > 2:
            worth += (2 - length) * 0.4
    return worth


def play(seen: Seen, _key: bytes) -> int:
    """A card: win cheaply, leave partner's trick alone, otherwise throw the lowest."""
    if not seen.on_table:
        return lead(seen)
    held = seen.hand[seen.led]
    at, best = seen.winning()
    last = len(seen.on_table) == 3
    partners = at == len(seen.on_table) - 2
    if partners and (last or best % 13 >= 11 or best // 13 != seen.led):
        return cheapest(seen)
    winners = [card for card in cards(seen.hand) if legal(card, held, seen.led) and beats(card, best, seen.ser)]
    if not winners:
        return cheapest(seen)
    if last or winners[0] // 13 != seen.led:
        return min(winners)
    if partners:
        return cheapest(seen)
    return max(winners) if max(winners) % 13 >= 11 else min(winners)


def lead(seen: Seen) -> int:
    """An ace if there is one, a high ser when that banks, otherwise low from the longest plain suit."""
    aces = [suit for suit in range(4) if suit != seen.ser and seen.hand[suit] >> 12]
    if aces:
        return min(aces, key=lambda suit: seen.hand[suit].bit_count()) * 13 + 12
    held = seen.hand[seen.ser]
    if held >> 12 or (seen.armed and held >> 10):
        return seen.ser * 13 + held.bit_length() - 1
    plain = [suit for suit in range(4) if suit != seen.ser and seen.hand[suit]] or [seen.ser]
    return lowest(seen.hand, max(plain, key=lambda suit: seen.hand[suit].bit_count()))


def cheapest(seen: Seen) -> int:
    """The lowest legal card; a ser only when nothing else may be thrown."""
    if seen.hand[seen.led]:
        return lowest(seen.hand, seen.led)
    suits = [suit for suit in range(4) if suit != seen.ser and seen.hand[suit]] or [seen.ser]
    return min((lowest(seen.hand, suit) for suit in suits), key=lambda card: card % 13)


def lowest(hand: Hand, suit: int) -> int:
    """The lowest card of a suit held."""
    held = hand[suit]
    return suit * 13 + (held & -held).bit_length() - 1
