"""What is clear of a position with open cards without search."""

from __future__ import annotations

from lab.open_cards.bits import SUIT, Ints, beats, compiled, count, highest, lowest


@compiled
def sure_run(hands: Ints, t: int, leader: int, ser: int) -> int:
    """How many tricks in a row the leader can win, whatever the others do; not always all of them."""
    mine = hands[t, leader]
    others = hands[t, leader ^ 1] | hands[t, leader ^ 2] | hands[t, leader ^ 3]
    at = 16 * ser
    sers = mine >> at & SUIT
    against = others >> at & SUIT
    if against:
        longest = 0
        for step in range(1, 4):
            longest = max(longest, count(hands[t, leader ^ step] >> at & SUIT))
        high = count(sers >> highest(against))
        clear = longest <= high
        run = count(sers) if clear else high
    else:
        clear = True
        run = count(sers)
    for suit in range(4):
        held = mine >> 16 * suit & SUIT
        if suit == ser or not held:
            continue
        against = others >> 16 * suit & SUIT
        high = count(held >> highest(against)) if against else count(held)
        if not high:
            continue
        longest, shortest = 0, 13
        for step in range(1, 4):
            hand = hands[t, leader ^ step]
            length = count(hand >> 16 * suit & SUIT)
            longest = max(longest, length)
            if hand >> at & SUIT:
                shortest = min(shortest, length)
        if clear:
            run += count(held) if longest <= high else high
        else:
            run += min(high, shortest)
    return run


@compiled
def banked_by(run: int, armed: int, pile: int, left: int, streak: int) -> int:
    """What a leader banks who wins so many tricks in a row (R1), at least."""
    if run >= left:
        return pile + left
    if run + armed < 2:
        return 0
    if streak:
        return pile + run
    return pile + (1 + (run - 1) // 2 * 2 if armed else run // 2 * 2)


@compiled
def last_trick(hands: Ints, t: int, leader: int, ser: int) -> int:
    """Who wins the last trick."""
    winner, best = leader, lowest(hands[t, leader])
    for step in range(1, 4):
        seat = (leader + step) & 3
        card = lowest(hands[t, seat])
        if beats(card, best, ser):
            winner, best = seat, card
    return winner
