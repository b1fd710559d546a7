"""The yardstick: a player who sees all four hands, and searches the play to its end. Never in the product.

It calls what its side is proved to make, and leaves to the opponents what they are proved not to. It plays a card that
is proved to make, or to break, the contract whatever the others do. Where there is none, or none is found within the
budget, it takes the one after which playouts with some mistakes in them go its way most often.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from chalicelib.bots.seen import look
from chalicelib.bots.sharp import choices
from chalicelib.bots.worth import gain
from chalicelib.engine import MOVES, Call, Deal, Move, Pass, Phase, Ser, Suit, same_side
from lab.open_cards.exact import UNBOUNDED, Exact, Position, share

if TYPE_CHECKING:
    from chalicelib.bots.seen import Seen

CALL_BUDGET = 2_000_000
"""Positions that one question of the auction may take."""
PLAY_BUDGET = 4_000_000
"""Positions that one card may take while a hand has more cards than `FREE`; from then on there is no limit."""
FREE = 10
SERS = 2
"""Suits tried as ser."""


class OpenHandSolver:
    """Sees the deal itself: `move` is given everything.

    What the search remembers of a deal can let it find within the budget what it would not have found afresh; of other
    deals it remembers nothing.
    """

    def __init__(self) -> None:
        _compile()
        self._exact = Exact()
        self._hands: tuple[int, ...] = ()

    def move(self, deal: Deal) -> Move:
        """The best move as far as it can see."""
        assert deal.turn is not None
        seen = look(deal.view(deal.turn))
        if deal.phase is not Phase.PLAY or self._hands != deal.hands:
            self._exact.forget()
            self._hands = deal.hands
        position = Position(tuple(deal.left), seen.ser, seen.streak, seen.leader, seen.armed, seen.pile, seen.on_table)
        if deal.phase is Phase.PLAY:
            return MOVES[self._play(seen, position)]
        if deal.phase is Phase.SER:
            found = self._makes(position, seen.seat, seen.contract)
            return Ser(Suit(likely_sers(position, seen.seat, seen.contract)[0] if found is None else found))
        number = self._call(seen, position)
        return Call(number) if number else Pass()

    def _play(self, seen: Seen, position: Position) -> int:
        """A card that is proved to do, or of those not proved to fail the most likely."""
        options = choices(seen)
        ns = seen.seat & 1 == 0
        need = ns_needs(seen.declarer, seen.contract) - seen.banked[0]
        likely = {card: share(position.after(card), need) for card in options}
        options.sort(key=lambda card: -likely[card] if ns else likely[card])
        budget = PLAY_BUDGET if seen.sizes[seen.leader] > FREE else UNBOUNDED
        unclear = []
        for card in options if len(options) > 1 else ():
            reached = self._exact.reaches(position.after(card), need, budget)
            if reached is ns:
                return card
            if reached is None:
                unclear.append(card)
        return (unclear or options)[0]

    def _call(self, seen: Seen, position: Position) -> int:
        """The most that is proved to be made, if that gains anything; 0 to pass.

        A contract that fails costs twice its number: more than any contract gains.
        """
        standing = seen.contract
        against = not same_side(seen.declarer, seen.seat)
        if standing and against and self._makes(position, seen.declarer, standing) is None:
            return 0
        most = max(standing, 6)
        while most < 13 and self._makes(position, seen.seat, most + 1) is not None:
            most += 1
        if most == standing or (most > 7 and self._partner_can(seen, position, most)):
            most = 0
        return most if standing else max(most, 7)

    def _partner_can(self, seen: Seen, position: Position, number: int) -> bool:
        """Whether partner speaks later and makes as many: then an opponent gets the chance to call too much before."""
        partner = seen.seat ^ 2
        waits = all(seat != partner for seat, _ in seen.calls)
        return waits and self._makes(position, partner, number) is not None

    def _makes(self, position: Position, declarer: int, number: int) -> int | None:
        """The ser with which a declarer is proved to make that number; None if none is found."""
        need = ns_needs(declarer, number)
        for ser in likely_sers(position, declarer, number):
            start = Position(position.hands, ser, position.streak, declarer)
            if self._exact.reaches(start, need, CALL_BUDGET) is (declarer & 1 == 0):
                return ser
        return None


@cache
def _compile() -> None:
    """Have compiled what the solver asks for, in this process: its first move would pay for it."""
    start = Position((1, 1 << 13, 1 << 26, 1 << 39), 0, False, 0)
    Exact(places=1 << 4).reaches(start, 1)
    share(start, 1)


def ns_needs(declarer: int, contract: int) -> int:
    """What ns must bank of a whole deal to make the contract, or to break it."""
    return 14 - contract if declarer & 1 else contract


def likely_sers(position: Position, declarer: int, number: int) -> list[int]:
    """The suits most promising as ser, the best first."""
    need, sign = ns_needs(declarer, number), -1 if declarer & 1 else 1

    def promise(ser: int) -> float:
        start = Position(position.hands, ser, position.streak, declarer)
        return sign * share(start, need) + 0.05 * gain(position.hands[declarer] >> 13 * ser & 0x1FFF)

    return sorted(range(4), key=promise, reverse=True)[:SERS]
