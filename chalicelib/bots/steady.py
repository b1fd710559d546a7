"""The steady level: it remembers every card, counts the suits, and plays the pile.

It knows which of its cards are *masters* (nothing higher is out), which seats are void, and whether a run is
about to bank. It wins where the pile is at stake, breaks the opponents' runs and leaves its partner's alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from chalicelib.bots.easy import cheapest, lowest
from chalicelib.bots.seen import Seen, beats, cards, legal
from chalicelib.bots.worth import best_ser, chance
from chalicelib.engine import same_side

if TYPE_CHECKING:
    from chalicelib.bots.kernel import Hand

ENOUGH = 0.67
"""A voluntary call must be made more often than two times in three: +bid against -2 x bid."""
TAKEN_FROM_PARTNER = 0.20
"""How much surer yet when that takes the contract from partner, who may well make it. (Tried out in the arena.)"""
LEFT_TO_THEM = 0.22
"""... or from opponents, who may well lose it: against a hand good enough to call, they mostly do."""


def call(seen: Seen, _key: bytes, /) -> int:
    """The lowest call there is, if its chance pays for taking the contract away from who has it."""
    number = max(seen.contract + 1, 7)
    if not seen.contract:
        return number
    taken = TAKEN_FROM_PARTNER if same_side(seen.declarer, seen.seat) else LEFT_TO_THEM
    return number if number <= 13 and chance(seen.hand, number) > ENOUGH + taken else 0


def ser(seen: Seen, _key: bytes, /) -> int:
    """The suit in which the hand is worth most."""
    return best_ser(seen.hand)


def play(seen: Seen, _key: bytes, /) -> int:
    """A card for what the pile, the runs and the cards still out ask for."""
    return follow(seen) if seen.on_table else lead(seen)


def lead(seen: Seen) -> int:
    """A master when it banks or a second one is there to bank with it; otherwise low, where partner may win."""
    safe = [suit for suit in range(4) if masters(seen, suit) and not cut_off(seen, suit)]
    if seen.pile < 2 and seen.ser in safe:
        safe.remove(seen.ser)  # it keeps for a pile worth taking, or for the last
    if safe and (seen.armed or sum(masters(seen, suit) for suit in safe) > 1):
        suit = max(safe, key=lambda suit: (suit == seen.ser, seen.unseen[suit].bit_count()))
        return highest(seen.hand, suit)
    plain = [suit for suit in range(4) if suit != seen.ser and seen.hand[suit]]
    if not plain:
        return lowest(seen.hand, seen.ser)
    partner = (seen.seat + 2) & 3
    for suit in plain:
        if seen.void[partner] >> suit & 1 and not seen.void[partner] >> seen.ser & 1 and not cut_off(seen, suit):
            return lowest(seen.hand, suit)  # partner can cut it
    open_suits = [suit for suit in plain if not cut_off(seen, suit)] or plain
    keep = [suit for suit in open_suits if not masters(seen, suit)] or open_suits
    return lowest(seen.hand, max(keep, key=lambda suit: seen.hand[suit].bit_count()))


def follow(seen: Seen) -> int:
    """Win for the side that needs it, with as little as will do; otherwise throw what is least use."""
    at, best = seen.winning()
    place = len(seen.on_table)
    last = place == 3
    winners = [
        card for card in cards(seen.hand) if legal(card, seen.hand[seen.led], seen.led) and beats(card, best, seen.ser)
    ]
    contested = seen.armed or seen.pile  # a trick that only starts a run is not fought for
    if at == place - 2:  # partner is ahead
        its_run = seen.armed and at == 0
        if last or its_run or not contested or holds(seen, best):
            return throw(seen)
        sure = [card for card in winners if holds(seen, card)]
        return sure[0] if sure and best % 13 < 10 else throw(seen)
    if not winners or not contested:
        return throw(seen)
    if last:
        return winners[0]
    sure = [card for card in winners if holds(seen, card)]
    if sure:
        return sure[0]
    about_to_bank = seen.armed and at == 0
    cut = winners[0] // 13 != seen.led
    return winners[0] if cut or about_to_bank or place == 2 or seen.pile >= 2 else throw(seen)


def throw(seen: Seen) -> int:
    """The lowest card that follows, or the lowest of a plain suit, masters last."""
    if seen.hand[seen.led]:
        return cheapest(seen)
    plain = [suit for suit in range(4) if suit != seen.ser and seen.hand[suit]]
    if not plain:
        return lowest(seen.hand, seen.ser)
    suit = min(plain, key=lambda suit: lowest(seen.hand, suit) % 13 + 20 * masters(seen, suit))
    return lowest(seen.hand, suit)


def masters(seen: Seen, suit: int) -> int:
    """How many cards of the suit in hand nobody else can beat with the suit itself."""
    return (seen.hand[suit] >> seen.unseen[suit].bit_length()).bit_count()


def cut_off(seen: Seen, suit: int) -> bool:
    """Whether an opponent is known to be void in the suit, and may hold ser to cut it."""
    if suit == seen.ser or not seen.unseen[seen.ser]:
        return False
    opponents = ((seen.seat + 1) & 3, (seen.seat + 3) & 3)
    return any(seen.void[seat] >> suit & 1 and not seen.void[seat] >> seen.ser & 1 for seat in opponents)


def holds(seen: Seen, card: int) -> bool:
    """Whether the card, on this trick, cannot be beaten by the opponent still to play, as far as is known."""
    suit, rank = divmod(card, 13)
    behind = (seen.seat + 1) & 3
    if suit == seen.led and suit != seen.ser and seen.void[behind] >> suit & 1:
        return not seen.unseen[seen.ser] or bool(seen.void[behind] >> seen.ser & 1)
    return seen.void[behind] >> suit & 1 == 1 or seen.unseen[suit] < 1 << rank


def highest(hand: Hand, suit: int) -> int:
    """The highest card of a suit held."""
    return suit * 13 + hand[suit].bit_length() - 1
