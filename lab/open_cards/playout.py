"""The playout kernel (`chalicelib/bots/kernel.py`), compiled: the same cards, hundreds of times as fast."""

from __future__ import annotations

import numpy as np

from lab.open_cards.bits import SUIT, Ints, beats, compiled, count, highest, lowest


@compiled
def discard(hand: int, ser: int) -> int:
    """The lowest card that is not ser, of the first suit that has it, or the lowest ser."""
    found, low = -1, 13
    for suit in range(4):
        held = hand >> 16 * suit & SUIT
        if suit != ser and held and lowest(held) < low:
            low = lowest(held)
            found = 16 * suit + low
    return found if found >= 0 else lowest(hand)


@compiled
def lead(hands: Ints, ser: int, leader: int, armed: int, pile: int) -> int:
    """A sure trick when it banks or starts a run that will, otherwise the lowest card."""
    hand, left, right = hands[leader], hands[(leader + 1) & 3], hands[(leader + 3) & 3]
    left_cuts, right_cuts = left >> 16 * ser & SUIT, right >> 16 * ser & SUIT
    sure, best = 0, -1
    for suit in range(4):
        held = hand >> 16 * suit & SUIT
        a, b = left >> 16 * suit & SUIT, right >> 16 * suit & SUIT
        if held > a | b and (suit == ser or ((a or not left_cuts) and (b or not right_cuts))):
            sure += count(held >> highest(a | b)) if a | b else count(held)
            if best < 0 or suit != ser:
                best = suit
    if best >= 0 and (armed or sure > 1) and (best != ser or pile > 1):
        return 16 * best + highest(hand >> 16 * best & SUIT)
    return discard(hand, ser)


@compiled
def follow(hands: Ints, seat: int, step: int, led: int, best: int, ser: int, ahead: int, stake: int) -> int:
    """The card of a seat that follows. `ahead`: its side is winning so far, with the card `best`."""
    hand = hands[seat]
    held = hand >> 16 * led & SUIT
    cut = best & 15 if best >> 4 == ser != led else -1
    top = 13 if cut >= 0 else best & 15
    threat = -1
    if step < 3:  # the next seat is an opponent: what could it still put on this trick?
        behind = hands[(seat + 1) & 3]
        if behind >> 16 * led & SUIT:
            threat = highest(behind >> 16 * led & SUIT)
        elif behind >> 16 * ser & SUIT and highest(behind >> 16 * ser & SUIT) > cut:
            threat = 13
    if held:
        if not ahead and stake:
            enough = held & -(1 << max(top, threat))
            if enough:
                return 16 * led + lowest(enough)
        return 16 * led + lowest(held)
    held = hand >> 16 * ser & SUIT
    if held and highest(held) > cut and (not ahead or threat > top) and (stake or step == 3):
        enough = held & -(1 << cut) if cut >= 0 else held
        return 16 * ser + lowest(enough or held)
    return discard(hand, ser)


@compiled
def stirred(chance: int) -> int:
    """The next of a row of random numbers of 31 bits."""
    chance ^= chance << 13 & 0x7FFFFFFF
    chance ^= chance >> 17
    return chance ^ (chance << 5 & 0x7FFFFFFF)


@compiled
def any_legal(hand: int, step: int, led: int, chance: int) -> int:
    """One of the cards that may be played."""
    legal = hand & SUIT << 16 * led if step else hand
    if not legal:
        legal = hand
    for _ in range(chance % count(legal)):
        legal &= legal - 1
    return lowest(legal)


@compiled
def playout(  # noqa: C901 - the kernel's loop
    hands: Ints,
    ser: int,
    leader: int,
    armed: int,
    pile: int,
    streak: int,
    on_table: Ints,
    placed: int,
    log: Ints,
    noise: int,
    chance: int,
) -> int:
    """What ns banks from here on, as the kernel plays; `hands` is used up, `log` receives the cards.

    `on_table`: the `placed` cards of this trick, the leader's first, gone from `hands`. Of 1,024 cards, `noise` are
    any legal ones instead, as `chance` will have it.
    """
    banked = logged = 0
    tricks = count(hands[leader]) + (placed > 0)
    while tricks:
        tricks -= 1
        winner, best, led = leader, 0, 0
        stake = armed or pile
        for step in range(4):
            seat = (leader + step) & 3
            if step < placed:
                card = on_table[step]
            else:
                if step == 0:
                    card = lead(hands, ser, leader, armed, pile)
                else:
                    ahead = (winner ^ seat) & 1 == 0
                    card = follow(hands, seat, step, led, best, ser, ahead, stake)
                if noise:
                    chance = stirred(chance)
                    if chance & 1023 < noise:
                        card = any_legal(hands[seat], step, led, chance >> 10)
                hands[seat] ^= 1 << card
                log[logged] = card
                logged += 1
            if step == 0:
                led, best = card >> 4, card
            elif beats(card, best, ser):
                winner, best = seat, card
        placed = 0
        pile += 1
        if not tricks or (armed and winner == leader):
            if not winner & 1:
                banked += pile
            pile = 0
            armed = streak
        else:
            armed = 1
        leader = winner
    return banked


@compiled
def mean_share(
    hands: Ints,
    ser: int,
    leader: int,
    armed: int,
    pile: int,
    streak: int,
    on_table: Ints,
    placed: int,
    need: int,
    noise: int,
    times: int,
) -> float:
    """In what share of so many playouts with some noise ns banks what it needs."""
    reached, chance = 0, 1
    left, log = np.empty(4, np.int64), np.empty(52, np.int64)
    for _ in range(times):
        chance = stirred(chance)
        left[:] = hands
        reached += playout(left, ser, leader, armed, pile, streak, on_table, placed, log, noise, chance) >= need
    return reached / times
