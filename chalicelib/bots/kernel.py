"""The playout kernel: the rest of a deal, played out in plain ints.

A sharp bot asks thousands of times a second "if the cards lay so, how many tricks would be banked?".
The engine answers that too, but it checks and explains every move. This room only counts.

Shapes
    suit     0..3, S H D C.
    holding  one seat's cards in one suit, a 13-bit mask; bit 0 is the 2, bit 12 the ace. Holdings of one suit
             are disjoint, so the greater number has the higher card.
    hand     a list of four holdings. `hands`: a list of four hands by seat 0..3, north east south west.
    card     `suit * 13 + rank`, as in the engine.

The players here see all four hands, as the one who asks about a sample does.
"""

from __future__ import annotations

from collections.abc import Sequence

Hand = list[int]
Hands = list[Hand]

AFTER = ((1, 2, 3), (2, 3, 0), (3, 0, 1), (0, 1, 2))
"""The three seats that play after a leader, in order."""
PLAIN = ((1, 2, 3), (0, 2, 3), (0, 1, 3), (0, 1, 2))
"""The suits that are not ser."""
CUT = 1 << 13
"""Above every card of a suit: what a card of the led suit would have to beat once the trick is cut."""


def playout(  # noqa: C901 - one loop without calls is what makes it fast
    hands: Hands,
    ser: int,
    leader: int,
    armed: bool,
    pile: int,
    streak: bool,
    on_table: Sequence[int] = (),
    log: list[int] | None = None,
) -> int:
    """Play the deal out and return how many tricks north and south bank from here on.

    `hands` is used up. `armed`: the leader won the trick before and its run is alive, so that winning this one
    banks (R1 to R3). `pile`: finished tricks on hold. `streak`: the table's `after_bank`. `on_table`: the cards
    played to this trick, up to all four, the leader's first, gone from `hands`. `log` receives every card played.
    """
    banked = 0
    tricks = sum(map(int.bit_count, hands[leader])) + (1 if on_table else 0)
    while tricks:
        tricks -= 1
        followers: tuple[int, ...] = AFTER[leader]
        last = followers[2]
        winner = leader
        stake = armed or pile  # with neither, the trick only starts a run, and is not fought for
        cut = 0
        if on_table:
            led, rank = divmod(on_table[0], 13)
            top = 1 << rank
            for seat, card in zip(followers, on_table[1:], strict=False):
                suit, rank = divmod(card, 13)
                bit = 1 << rank
                if suit == led and bit > top:
                    top, winner = bit, seat
                elif suit == ser != led and bit > cut:
                    top, cut, winner = CUT, bit, seat
            followers = followers[len(on_table) - 1 :]
            on_table = ()
        else:
            led, top = lead(hands, ser, leader, armed, pile)
            hands[leader][led] ^= top
            if log is not None:
                log.append(led * 13 + top.bit_length() - 1)
        for seat in followers:
            hand = hands[seat]
            held = hand[led]
            if seat == last:
                threat = 0
            else:  # the next seat is an opponent: what could it still put on this trick?
                behind = hands[(seat + 1) & 3]
                threat = behind[led] or (CUT if behind[ser] > cut else 0)
            if held:
                card = held & -held
                if (winner ^ seat) & 1 and stake:  # not same_side, without the call: this is the inner loop
                    enough = held & -(top if top > threat else 1 << threat.bit_length() - 1)
                    if enough:
                        card = enough & -enough
                suit = led
                if card > top:
                    top, winner = card, seat
            else:
                held = hand[ser]
                if held > cut and ((winner ^ seat) & 1 or threat > top) and (stake or seat == last):
                    enough = held & -cut or held
                    card = enough & -enough
                    suit = ser
                else:
                    suit, card = discard(hand, ser)
                if suit == ser and card > cut:
                    top, cut, winner = CUT, card, seat
            hand[suit] ^= card
            if log is not None:
                log.append(suit * 13 + card.bit_length() - 1)
        pile += 1
        if not tricks or (armed and winner == leader):
            if not winner & 1:
                banked += pile
            pile = 0
            armed = streak
        else:
            armed = True
        leader = winner
    return banked


def lead(hands: Hands, ser: int, leader: int, armed: bool, pile: int) -> tuple[int, int]:
    """The suit and the bit to lead: a sure trick when it banks or starts a run that will, otherwise the lowest card.

    Plain sure tricks go first, while nobody can cut them. Sure ser keeps: it takes a pile worth taking, or the last.
    """
    hand = hands[leader]
    left = hands[(leader + 1) & 3]
    right = hands[(leader + 3) & 3]
    left_ser = left[ser]
    right_ser = right[ser]
    sure = 0
    best = -1
    for suit in (0, 1, 2, 3):
        held = hand[suit]
        a = left[suit]
        b = right[suit]
        against = a | b
        if held > against and (suit == ser or ((a or not left_ser) and (b or not right_ser))):
            sure += (held >> against.bit_length()).bit_count()
            if best < 0 or suit != ser:
                best = suit
    if best >= 0 and (armed or sure > 1) and (best != ser or pile > 1):
        return best, 1 << hand[best].bit_length() - 1
    return discard(hand, ser)


def discard(hand: Hand, ser: int) -> tuple[int, int]:
    """The suit and the bit of the lowest card that is not ser, or of the lowest ser."""
    low = CUT
    where = ser
    for suit in PLAIN[ser]:
        held = hand[suit]
        if held and held & -held < low:
            low = held & -held
            where = suit
    if where == ser:
        held = hand[ser]
        low = held & -held
    return where, low
