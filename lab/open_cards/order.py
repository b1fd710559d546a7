"""Which cards the search tries, and in what order: it has less to do when the best one comes first."""

from __future__ import annotations

from lab.open_cards.bits import SUIT, Ints, beats, compiled, highest


@compiled
def beaten(hand: int, card: int, led: int, ser: int) -> bool:
    """Whether this hand, playing later, can beat the card; `led` is the suit led."""
    suit = card >> 4
    held = hand >> 16 * led & SUIT
    if held:
        return suit == led and highest(held) > card & 15
    held = hand >> 16 * ser & SUIT
    return held != 0 and (suit != ser or highest(held) > card & 15)


@compiled
def promise(
    after: int, before: int, seat: int, step: int, card: int, led: int, winner: int, best: int, ser: int, stake: int
) -> int:
    """How early to try a card: what cuts most positions off goes first."""
    rank, cheap = card & 15, (card & 15) + (8 if card >> 4 == ser else 0)
    if step == 0:
        if not beaten(after, card, led, ser) and not beaten(before, card, led, ser):
            return (80 if stake else 50) - cheap
        return 20 + rank + (16 if card >> 4 == ser else 0)
    safe = step == 3 or not beaten(after, card, led, ser)
    if beats(card, best, ser):
        if (winner ^ seat) & 1:
            return (80 if safe else 60) - cheap
        return (30 if safe else 20) - rank
    return 50 - cheap


@compiled
def ordered(
    hands: Ints,
    t: int,
    seat: int,
    step: int,
    first: int,
    winner: int,
    best: int,
    ser: int,
    stake: int,
    tried: int,
    moves: Ints,
    scores: Ints,
) -> int:
    """Lists the cards worth trying, one of each run of equal ones, the promising first; how many they are.

    `first`: the card led; `tried`: the card that was best here before, or -1.
    """
    hand = hands[t, seat]
    legal = hand
    if step:
        legal = hand & SUIT << (first & 48)
        if not legal:
            legal = hand
    others = hands[t, seat ^ 1] | hands[t, seat ^ 2] | hands[t, seat ^ 3]
    after, before = hands[t, (seat + 1) & 3], hands[t, (seat + 3) & 3]
    if step:
        others |= 1 << best
    found, above = 0, -1
    while legal:
        card = highest(legal)
        legal ^= 1 << card
        equal = above >= 0 and above >> 4 == card >> 4 and not others & (1 << above) - (1 << card)
        above = card
        if equal:
            if card == tried:  # then its run comes first
                scores[t, step, found - 1] = 1 << 40
            continue
        led = first >> 4 if step else card >> 4
        score = promise(after, before, seat, step, card, led, winner, best, ser, stake)
        if card == tried:
            score = 1 << 40
        moves[t, step, found], scores[t, step, found] = card, score
        found += 1
    for i in range(1, found):
        card, score = moves[t, step, i], scores[t, step, i]
        j = i
        while j and scores[t, step, j - 1] < score:
            moves[t, step, j], scores[t, step, j] = moves[t, step, j - 1], scores[t, step, j - 1]
            j -= 1
        moves[t, step, j], scores[t, step, j] = card, score
    return found
