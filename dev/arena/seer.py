"""The yardstick: a player who sees all four hands, and looks ahead as far as it can. Never in the product.

The end of a deal it solves. Earlier it tries every way to play the rest of this trick, both sides doing their best, and
has the kernel play out what follows. It calls somewhat less than the kernel makes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chalicelib.bots.kernel import Hands, playout
from chalicelib.bots.seen import Seen, look
from chalicelib.bots.sharp import choices, solved, worth_of
from chalicelib.bots.worth import gain
from chalicelib.engine import MOVES, Call, Deal, Move, Pass, Phase, Ser, Suit

if TYPE_CHECKING:
    from collections.abc import Iterator

MARGIN = 2
"""How many fewer than the playout banks are as good as made."""
OPENING = 9
SOLVED = 6
"""Cards in hand from which on the end is solved."""


@dataclass(frozen=True, slots=True)
class Seer:
    """Sees the deal itself: `move` is given everything."""

    def move(self, deal: Deal) -> Move:
        """The best move as far as it can see."""
        assert deal.turn is not None
        seen = look(deal.view(deal.turn))
        hands: Hands = [[left >> 13 * suit & 0x1FFF for suit in range(4)] for left in deal.left]
        if deal.phase is Phase.PLAY:
            return MOVES[_play(seen, hands)]
        if deal.phase is Phase.SER:
            return Ser(Suit(_most(seen, hands, seen.seat)[1]))
        number = _call(seen, hands)
        return Call(number) if number else Pass()


def _most(seen: Seen, hands: Hands, declarer: int) -> tuple[int, int]:
    """What a declarer's side banks in a playout with open cards, and the ser that gives it most; of equals the best."""
    found = []
    for ser in range(4):
        ns = playout([hand[:] for hand in hands], ser, declarer, False, 0, seen.streak)
        found.append((13 - ns if declarer & 1 else ns, gain(hands[declarer][ser]), ser))
    most, _, ser = max(found)
    return most, ser


def _call(seen: Seen, hands: Hands) -> int:
    """A number well under what the playout banks, unless what stands is better for my side."""
    safe = _most(seen, hands, seen.seat)[0] - MARGIN
    if not seen.contract:
        return max(7, min(safe, OPENING))
    standing = seen.contract
    made = _most(seen, hands, seen.declarer)[0] >= standing
    left = (standing if made else -2 * standing) * (-1 if (seen.declarer ^ seen.seat) & 1 else 1)
    return standing + 1 if standing < safe and left < standing + 1 else 0


def _play(seen: Seen, hands: Hands) -> int:
    options = choices(seen)
    worth = worth_of(seen)
    if seen.sizes[seen.seat] <= SOLVED:
        outcomes = solved(seen, hands, options)
    else:
        outcomes = [_after(seen, hands, [*seen.on_table, card]) for card in options]
    return max(zip(options, outcomes, strict=True), key=lambda pair: worth[pair[1]])[0]


def _after(seen: Seen, hands: Hands, table: list[int]) -> int:
    """What ns banks from here on when the rest of the trick is played as well as it can be."""
    seat = (seen.leader + len(table) - 1) & 3
    card = table[-1]
    hands = [hand[:] for hand in hands]
    hands[seat][card // 13] ^= 1 << card % 13
    if len(table) == 4:
        return playout(hands, seen.ser, seen.leader, seen.armed, seen.pile, seen.streak, table)
    following = (seat + 1) & 3
    results = [_after(seen, hands, [*table, card]) for card in _follows(hands[following], table[0] // 13)]
    return min(results) if following & 1 else max(results)


def _follows(hand: list[int], led: int) -> Iterator[int]:
    """The cards that may follow; of a plain throw only the lowest of each suit."""
    for suit in [led] if hand[led] else range(4):
        held = hand[suit]
        if suit != led:
            held &= -held
        while held:
            bit = held & -held
            yield suit * 13 + bit.bit_length() - 1
            held ^= bit
