"""What a seat has seen, in plain ints: its view, remembered and counted. The shapes are the kernel's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from chalicelib.bots.kernel import CUT, Hand, Hands
from chalicelib.engine import AfterBank, DealView

FULL = CUT - 1
"""A whole suit, as a holding."""
Levels = tuple[str | None, str | None, str | None, str | None]
"""By seat, a bot's level; None for a person."""


class Opponents(NamedTuple):
    """Who is at the table, as everybody sees it."""

    plays: Levels
    """Who makes the moves of each seat now."""
    spoke: Levels
    """Who made the call or the pass of each seat that has spoken: a bot may have taken over since."""


def among(levels: Levels) -> Opponents:
    """The opponents at a table where nobody has come or gone."""
    return Opponents(levels, levels)


PEOPLE = among((None, None, None, None))


@dataclass(frozen=True, slots=True)
class Seen:
    """All that one seat knows while it is its turn."""

    seat: int
    opponents: Opponents
    opener: int
    hand: Hand
    played: Hands
    """Cards already played, by seat and suit, those on the table included."""
    unseen: Hand
    """Cards in the three hidden hands, by suit."""
    void: list[int]
    """By seat, the set of suits it is known to have none of, as bits."""
    sizes: tuple[int, int, int, int]
    """Cards left, by seat."""
    calls: tuple[tuple[int, int], ...]
    """(seat, number) in order; 0 for a pass."""
    declarer: int
    """The highest caller so far, or the opener while nobody has called."""
    contract: int
    """The highest call so far; 0 before the first."""
    ser: int
    """-1 until it is named."""
    leader: int
    on_table: tuple[int, ...]
    """Cards of this trick so far, the leader's first."""
    armed: bool
    """The leader banks if it wins this trick."""
    pile: int
    banked: tuple[int, int]
    streak: bool

    @property
    def led(self) -> int:
        """The suit led to this trick, -1 when it is mine to lead."""
        return self.on_table[0] // 13 if self.on_table else -1

    def winning(self) -> tuple[int, int]:
        """The place in the trick (0 leader … 2) and the card that wins so far; only with a card on the table."""
        best = 0
        for at, card in enumerate(self.on_table):
            if beats(card, self.on_table[best], self.ser):
                best = at
        return best, self.on_table[best]

    def missing(self) -> int:
        """How many more tricks the declarer's side must bank."""
        return self.contract - self.banked[self.declarer & 1]


def beats(card: int, other: int, ser: int) -> bool:
    """Whether `card`, played later in the trick, beats `other`, the best so far."""
    suit = card // 13
    return card > other if suit == other // 13 else suit == ser


def cards(hand: Hand) -> list[int]:
    """The cards of a hand, lowest first in each suit."""
    return [suit * 13 + rank for suit, held in enumerate(hand) for rank in range(13) if held >> rank & 1]


def legal(card: int, held: int, led: int) -> bool:
    """Whether a hand that holds `held` of the led suit may play the card."""
    return not held or card // 13 == led


def look(view: DealView, opponents: Opponents = PEOPLE) -> Seen:
    """What the seat of this view has seen, against such opponents. The view must be a player's, not a spectator's."""
    assert view.seat is not None
    me = int(view.seat)
    hand = [0, 0, 0, 0]
    for card in view.hand:
        hand[card.suit] |= 1 << card.rank
    played: Hands = [[0, 0, 0, 0] for _ in range(4)]
    void = [0, 0, 0, 0]
    for trick in (*view.tricks, *((view.trick,) if view.trick else ())):
        for seat, card in trick.plays:
            played[seat][card.suit] |= 1 << card.rank
            if card.suit != trick.plays[0].card.suit:
                void[seat] |= 1 << trick.plays[0].card.suit
    unseen = [FULL ^ hand[suit] ^ sum(seat[suit] for seat in played) for suit in range(4)]
    on_table = tuple(play.card.index for play in view.trick.plays) if view.trick else ()
    calls = tuple((int(call.seat), call.number or 0) for call in view.calls)
    contract = max((number for _, number in calls), default=0)
    declarer = next((seat for seat, number in calls if number == contract), int(view.opener))
    return Seen(
        seat=me,
        opponents=opponents,
        opener=int(view.opener),
        hand=hand,
        played=played,
        unseen=unseen,
        void=void,
        sizes=(view.cards_left[0], view.cards_left[1], view.cards_left[2], view.cards_left[3]),
        calls=calls,
        declarer=declarer,
        contract=contract,
        ser=-1 if view.ser is None else int(view.ser),
        leader=(me - len(on_table)) & 3,
        on_table=on_table,
        armed=view.run_seat is not None,
        pile=view.pile,
        banked=(view.banked.ns, view.banked.ew),
        streak=view.after_bank is AfterBank.STREAK,
    )
