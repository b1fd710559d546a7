"""What the search knows of positions it met: between which numbers the tricks lie that ns still banks there.

A position is known by who holds what in order, suit by suit, not by what the cards are called.
"""

from __future__ import annotations

from lab.open_cards.bits import ARMED, LEADER, LEFT, NEED, PILE, SUIT, Ints, compiled

PLACES = 4
"""Places side by side in the memory where a position may be noted."""
UNCLEAR = -64
"""Neither yes nor no. Where a card was best before, its negative less 1 says the same."""


@compiled
def mixed(x: int) -> int:
    """Its bits stirred."""
    x = x * -0x61C8864680B583EB
    x ^= x >> 32 & 0xFFFFFFFF
    x = x * -0x3B314601E57A13AD
    return x ^ (x >> 29 & 0x7FFFFFFFF)


@compiled
def key_of(hands: Ints, state: Ints, t: int, ser: int, streak: int) -> int:
    """The same for positions that differ in the names of plain suits only."""
    key = mixed(state[t, LEADER] | state[t, ARMED] << 2 | streak << 3)
    for suit in range(4):
        at = 16 * suit
        holding = 0
        for seat in range(4):
            holding |= (hands[t, seat] >> at & SUIT) << 13 * seat
        if suit == ser:
            holding |= 1 << 61
        key += mixed(holding)
    return key


@compiled
def recalled(key: int, pile: int, need: int, table: Ints, age: int) -> int:
    """1 or 0 when what is known says whether ns banks what it needs, otherwise less.

    One trick more on the pile is worth one at most, and never harms: so one pile's numbers bound another's.
    """
    at = key & (len(table) - PLACES)
    card = UNCLEAR
    for slot in range(at, at + PLACES):
        entry = table[slot, 1]
        if table[slot, 0] == key and entry >> 22 == age:
            more = pile - (entry >> 18 & 15)
            if (entry & 15) + min(more, 0) >= need:
                return 1
            if (entry >> 4 & 15) + max(more, 0) < need:
                return 0
            card = -1 - (entry >> 8 & 63)
    return card


@compiled
def remember(key: int, result: int, card: int, state: Ints, t: int, table: Ints, age: int) -> None:
    """Note what was found of a position; of those that want the same place, the ones with more to play stay."""
    left, need, pile = state[t, LEFT], state[t, NEED], state[t, PILE]
    low, high = 0, pile + left
    at = key & (len(table) - PLACES)
    place, least = at, 99
    for slot in range(at, at + PLACES):
        entry = table[slot, 1]
        if entry >> 22 != age:
            worth = -1
        elif table[slot, 0] == key and entry >> 18 & 15 == pile:
            low, high = entry & 15, entry >> 4 & 15
            place = slot
            break
        else:
            worth = entry >> 14 & 15
        if worth < least:
            place, least = slot, worth
    if result:
        low = max(low, need)
    else:
        high = min(high, need - 1)
    table[place, 0] = key
    table[place, 1] = low | high << 4 | card << 8 | left << 14 | pile << 18 | age << 22
