"""The end of a deal, solved: how many tricks north and south still bank when all four hands lie open.

Every line of play is looked at, save those that cannot matter (alpha-beta, R1 to R3 as in the kernel), and a
position met again, with the same cards, leader, run and pile, is remembered. For a few cards a hand.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

SUITS = tuple(0x1FFF << 13 * suit for suit in range(4))
Memory = dict[tuple[int, int, int, int, int], tuple[int, int]]


class Spent(Exception):
    """The nodes that a solver was given are used up."""


class Endgame:
    """Solves positions of one deal: one ser, one `after_bank`. What it remembers, it remembers only for itself."""

    __slots__ = ("_memory", "_ser", "_streak", "nodes")

    def __init__(self, ser: int, streak: bool, nodes: int = sys.maxsize) -> None:
        self.nodes = nodes
        """How many more positions may be looked at before it is `Spent`."""
        self._ser = ser
        self._streak = streak
        self._memory: Memory = {}

    def solve(self, hands: Sequence[int], leader: int, armed: bool, pile: int, on_table: Sequence[int] = ()) -> int:
        """Tricks ns banks from here with best play by all. `hands`: 52-bit sets by seat, less what is on the table.

        Raises `Spent`.
        """
        left = list(hands)
        if not on_table:
            return self._trick(left, leader, armed, pile, 0, 14)
        winner, best = leader, on_table[0]
        for step, card in enumerate(on_table):
            if card > best if card // 13 == best // 13 else card // 13 == self._ser:
                winner, best = (leader + step) & 3, card
        return self._card(left, leader, armed, pile, len(on_table), SUITS[on_table[0] // 13], winner, best, 0, 14)

    def _trick(self, hands: list[int], leader: int, armed: bool, pile: int, low: int, high: int) -> int:
        """The value with a trick about to be led, exact between `low` and `high`, a bound outside."""
        if not hands[leader]:
            return 0
        north, east, south, _ = hands
        state = (north | east << 52, south, north | east | south | hands[3], leader * 2 + armed, pile)
        known = self._memory.get(state)
        if known is not None:
            if known[0] == known[1] or known[0] >= high:
                return known[0]
            if known[1] <= low:
                return known[1]
        value = self._card(hands, leader, armed, pile, 0, 0, leader, 0, low, high)
        at_least, at_most = known or (0, 14)
        if value > low:
            at_least = max(at_least, value)
        if value < high:
            at_most = min(at_most, value)
        self._memory[state] = at_least, at_most
        return value

    def _card(  # noqa: C901 - the one inner loop
        self,
        hands: list[int],
        leader: int,
        armed: bool,
        pile: int,
        step: int,
        led: int,
        winner: int,
        best: int,
        low: int,
        high: int,
    ) -> int:
        """The value with a card to be played; `step` cards lie on the table and `best`, of `winner`, is ahead."""
        self.nodes -= 1
        if not self.nodes:
            raise Spent
        if step == 4:
            pile += 1
            if (armed and winner == leader) or not hands[0]:
                won = 0 if winner & 1 else pile
                return won + self._trick(hands, winner, self._streak, 0, low - won, high - won)
            return self._trick(hands, winner, True, pile, low, high)
        seat = (leader + step) & 3
        hand = hands[seat]
        legal = hand & led or hand
        others = hands[seat ^ 1] | hands[seat ^ 2] | hands[seat ^ 3] | 1 << best
        value = 14 if seat & 1 else -1
        previous = -1
        while legal:
            card = legal.bit_length() - 1
            bit = 1 << card
            legal ^= bit
            if previous - card > 0 and previous // 13 == card // 13 and not others & (1 << previous) - bit:
                previous = card
                continue  # nobody's card lies between it and the one just tried
            previous = card
            ahead, top = winner, best
            if not step:
                ahead, top, led = seat, card, SUITS[card // 13]
            elif card > best if card // 13 == best // 13 else card // 13 == self._ser:
                ahead, top = seat, card
            hands[seat] = hand ^ bit
            got = self._card(hands, leader, armed, pile, step + 1, led, ahead, top, low, high)
            if seat & 1:
                if got < value:
                    value = got
                    high = min(high, got)
            elif got > value:
                value = got
                low = max(low, got)
            if low >= high:
                break
        hands[seat] = hand
        return value
