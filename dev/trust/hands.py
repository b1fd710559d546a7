"""Every deal that looks the same from one seat: the cards it cannot see, dealt anew among the hands it cannot see.

A hidden hand keeps the cards it has played. What it still holds may be any of the unseen cards, as many as it holds,
but none of a suit that it has shown to be void in by not following.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

from chalicelib import engine
from chalicelib.engine import SEATS, Deal, Seat
from chalicelib.engine.shuffle import Shuffled
from chalicelib.match import cards

Hands: TypeAlias = tuple[int, int, int, int]
SUIT_BITS = (1 << 13) - 1


@dataclass(frozen=True, slots=True)
class Unseen:
    """What a viewer does not know: cards (bits) still held by `seats`, how many each, and which each may hold."""

    seats: tuple[Seat, ...]
    unseen: int
    holds: tuple[int, ...]
    may_hold: tuple[int, ...]

    def possible(self, unseen: int, room: list[int]) -> bool:
        """Hall's condition: the cards that only some of the seats may hold fit into those seats' room."""
        for some in range(1, 1 << len(self.seats)):
            others = 0
            for at, allowed in enumerate(self.may_hold):
                if not some >> at & 1:
                    others |= allowed
            only_these = (unseen & ~others).bit_count()
            if only_these > sum(room[at] for at in range(len(room)) if some >> at & 1):
                return False
        return unseen.bit_count() == sum(room)

    def random(self, chance: Random) -> tuple[int, ...]:
        """One way to hold them, by seat as in `seats`; every way there is may come."""
        room, hands, left = list(self.holds), [0] * len(self.seats), self.unseen
        bits = [1 << at for at in range(52) if self.unseen >> at & 1]
        chance.shuffle(bits)
        for bit in bits:
            left &= ~bit
            choices = [at for at, free in enumerate(room) for _ in range(free) if bit & self.may_hold[at]]
            chance.shuffle(choices)
            for at in choices:
                room[at] -= 1
                if self.possible(left, room):
                    hands[at] |= bit
                    break
                room[at] += 1
            else:
                raise AssertionError("the real deal is one way: there must be one")
        return tuple(hands)

    def every(self) -> Iterator[tuple[int, ...]]:
        """All the ways."""
        bits = [1 << at for at in range(52) if self.unseen >> at & 1]
        yield from self._with(bits, list(self.holds), [0] * len(self.seats))

    def _with(self, bits: list[int], room: list[int], hands: list[int]) -> Iterator[tuple[int, ...]]:
        if not bits:
            yield tuple(hands)
            return
        bit, *rest = bits
        for at, allowed in enumerate(self.may_hold):
            if room[at] and bit & allowed:
                room[at] -= 1
                hands[at] |= bit
                yield from self._with(rest, room, hands)
                hands[at] &= ~bit
                room[at] += 1


def unseen_by(deal: Deal, viewer: Seat | None) -> Unseen:
    """What the viewer (None: a spectator) does not know of a deal."""
    seats = tuple(seat for seat in SEATS if seat != viewer)
    may_hold = dict.fromkeys(SEATS, (1 << 52) - 1)
    tricks = [trick.plays for trick in deal.tricks] + ([deal.trick.plays] if deal.trick is not None else [])
    for plays in tricks:
        for seat, card in plays:
            led = plays[0].card.suit
            if card.suit != led:
                may_hold[seat] &= ~(SUIT_BITS << 13 * led)
    left = [deal.left[seat] for seat in seats]
    unseen = 0
    for hand in left:
        unseen |= hand
    return Unseen(seats, unseen, tuple(hand.bit_count() for hand in left), tuple(may_hold[seat] for seat in seats))


_FEW = 9
"""So few unseen cards are dealt in every way there is (1,680 at most, among three hands)."""


def looking_alike(deal: Deal, viewer: Seat | None, chance: Random, most: int) -> list[Hands]:
    """Hands as dealt, other than the real ones, in deals that look the same to the viewer: all of them where they are
    few, else at most `most`, at random."""
    unknown = unseen_by(deal, viewer)
    if unknown.unseen.bit_count() <= _FEW:
        ways = list(unknown.every())
        chance.shuffle(ways)
        ways = ways[:most] if len(ways) > 4 * most else ways
    else:
        ways = [unknown.random(chance) for _ in range(most)]
    found = {_as_dealt(deal, unknown.seats, way) for way in ways}
    return sorted(found - {deal.hands})


def _as_dealt(deal: Deal, seats: tuple[Seat, ...], held: tuple[int, ...]) -> Hands:
    north, east, south, west = (
        deal.hands[seat] & ~deal.left[seat] | (held[seats.index(seat)] if seat in seats else deal.left[seat])
        for seat in SEATS
    )
    return north, east, south, west


@contextmanager
def dealt_instead(secret: bytes, hands: Hands) -> Iterator[None]:
    """Within the `with`, the deal of this secret has these hands; everything else of it, its commitment too, stays."""
    real = engine.shuffle

    def shuffle(deal_secret: bytes, client_digest: bytes) -> Shuffled:
        dealt = real(deal_secret, client_digest)
        return Shuffled(hands, dealt.opener) if deal_secret == secret else dealt

    vars(cards)["shuffle"] = shuffle
    try:
        yield
    finally:
        vars(cards)["shuffle"] = real
