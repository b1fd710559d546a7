"""Whole positions with open cards, searched to the end: does ns still bank so many tricks when all play their best?

Alpha-beta with a null window, so that each answer is yes or no; by a loop, since compiled calls that call themselves
are slow. A position met again is remembered by who holds what in order, not by what the cards are called. What is
clear without search is seen at once: too little left to reach, the last trick, a leader's run that nobody can stop.
"""

from __future__ import annotations

import numpy as np

from lab.open_cards.bits import ARMED, LEADER, LEFT, NEED, PILE, SUIT, Ints, beats, compiled, count
from lab.open_cards.bounds import banked_by, last_trick, sure_run
from lab.open_cards.memory import key_of, recalled, remember
from lab.open_cards.order import ordered


@compiled
def known(hands: Ints, state: Ints, t: int, ser: int, streak: int, key: int, table: Ints, age: int) -> int:
    """1 or 0 when it is clear without search whether ns banks what it needs, otherwise less."""
    left, need, pile, leader = state[t, LEFT], state[t, NEED], state[t, PILE], state[t, LEADER]
    if need <= 0:
        return 1
    if need > pile + left:
        return 0
    if left == 1:
        return 1 - (last_trick(hands, t, leader, ser) & 1)
    sure = banked_by(sure_run(hands, t, leader, ser), state[t, ARMED], pile, left, streak)
    if leader & 1:
        if need > pile + left - sure:
            return 0
    elif sure >= need:
        return 1
    return recalled(key, pile, need, table, age)


@compiled
def can_bank(  # noqa: C901 - one loop instead of calls of itself is what makes it fast
    start: Ints,
    ser: int,
    streak: int,
    leader: int,
    armed: int,
    pile: int,
    on_table: Ints,
    placed: int,
    need: int,
    table: Ints,
    age: int,
    budget: int,
) -> int:
    """1 if ns banks at least `need` from here with best play by all, 0 if not, -1 if the budget did not suffice.

    `start`: the hands without the `placed` cards on the table. `table`: the memory, pairs of ints, a power of two of
    them; what was noted at another `age` gives way first, and is not believed. `budget`: how many
    positions may be looked at, those between tricks.
    """
    hands, state, trick = np.empty((14, 4), np.int64), np.empty((14, 5), np.int64), np.empty((14, 4), np.int64)
    ahead, chosen = np.empty((14, 5, 2), np.int64), np.empty((14, 4, 2), np.int64)
    moves, scores = np.empty((14, 4, 14), np.int64), np.empty((14, 4, 14), np.int64)
    position = np.empty(14, np.int64)
    hands[0, :] = start
    state[0, LEADER], state[0, ARMED], state[0, PILE], state[0, NEED] = leader, armed, pile, need
    state[0, LEFT] = count(start[leader]) + (placed > 0)
    ahead[0, 0, 0], ahead[0, 0, 1] = leader, -1
    for step in range(placed):
        card = on_table[step]
        trick[0, step] = card
        ahead[0, step + 1] = ahead[0, step]
        if step == 0 or beats(card, ahead[0, step, 1], ser):
            ahead[0, step + 1, 0], ahead[0, step + 1, 1] = (leader + step) & 3, card
    t, step = 0, placed
    result = -1
    while True:
        if result < 0:  # at a new node
            if step == 4:
                finished(hands, state, trick, ahead, t, streak)
                t, step = t + 1, 0
            tried = -1
            if step == 0:
                budget -= 1
                if budget < 0:
                    return -1
                position[t] = key_of(hands, state, t, ser, streak)
                result = known(hands, state, t, ser, streak, position[t], table, age)
                tried = -1 - result
            if result < 0:
                result = -1
                seat = (state[t, LEADER] + step) & 3
                stake = state[t, ARMED] or state[t, PILE]
                chosen[t, step, 0] = 0
                chosen[t, step, 1] = ordered(
                    hands,
                    t,
                    seat,
                    step,
                    trick[t, 0],
                    ahead[t, step, 0],
                    ahead[t, step, 1],
                    ser,
                    stake,
                    tried,
                    moves,
                    scores,
                )
        else:  # back from the card that was tried last
            if step == 0 and t > 0:
                t, step = t - 1, 3
            else:
                step -= 1
            if t == 0 and step < placed:
                return result
            seat = (state[t, LEADER] + step) & 3
            card = trick[t, step]
            hands[t, seat] |= 1 << card
            good = result != seat & 1
            if not good:
                chosen[t, step, 0] += 1
            if good or chosen[t, step, 0] == chosen[t, step, 1]:
                if step == 0:
                    remember(position[t], result, card, state, t, table, age)
            else:
                result = -1
        if result < 0:
            card = moves[t, step, chosen[t, step, 0]]
            trick[t, step] = card
            hands[t, seat] ^= 1 << card
            ahead[t, step + 1, 0], ahead[t, step + 1, 1] = ahead[t, step, 0], ahead[t, step, 1]
            if step == 0 or beats(card, ahead[t, step, 1], ser):
                ahead[t, step + 1, 0], ahead[t, step + 1, 1] = seat, card
            step += 1


@compiled
def next_hands(hands: Ints, trick: Ints, t: int) -> None:
    """The hands after a trick: every card above a gone one moves down, since only the order of the cards counts."""
    a, b, c, d = trick[t, 0], trick[t, 1], trick[t, 2], trick[t, 3]
    if a < b:
        a, b = b, a
    if c < d:
        c, d = d, c
    if a < c:
        a, c = c, a
    if b < d:
        b, d = d, b
    if b < c:
        b, c = c, b
    for seat in range(4):
        cards = hands[t, seat]
        for card in (a, b, c, d):
            above = (SUIT << (card & 48)) & -(1 << card)
            cards = cards & ~above | (cards & above) >> 1 & above
        hands[t + 1, seat] = cards


@compiled
def finished(hands: Ints, state: Ints, trick: Ints, ahead: Ints, t: int, streak: int) -> None:
    """Put trick `t` on the pile or into the bank (R1 to R3), and the next one after it."""
    winner = ahead[t, 4, 0]
    pile, left, need = state[t, PILE] + 1, state[t, LEFT] - 1, state[t, NEED]
    if (state[t, ARMED] and winner == state[t, LEADER]) or not left:
        if not winner & 1:
            need -= pile
        pile, armed = 0, streak
    else:
        armed = 1
    t += 1
    state[t, LEADER], state[t, ARMED], state[t, PILE], state[t, NEED], state[t, LEFT] = winner, armed, pile, need, left
    next_hands(hands, trick, t - 1)
    ahead[t, 0, 0], ahead[t, 0, 1] = winner, -1
