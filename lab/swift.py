"""Sharp, compiled: the same worlds, the same choices, many times as fast, so that thousands of deals can be played.

Only what takes sharp its time is here once more: drawing likely worlds, playing them out, solving the end. Calls are
priced, and cards chosen, by the product's own code. `lab/tests/test_swift.py` holds both to the same moves.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from random import Random
from typing import TYPE_CHECKING, ParamSpec, TypeAlias, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

from chalicelib.bots import auction, belief, sharp, worlds, worth
from chalicelib.bots.sharp import Sharp
from lab.open_cards.bits import SUIT
from lab.open_cards.playout import playout

if TYPE_CHECKING:
    from collections.abc import Callable

    from chalicelib.bots.kernel import Hand
    from chalicelib.bots.seen import Seen
    from lab.open_cards.bits import Ints

P = ParamSpec("P")
R = TypeVar("R")
Floats: TypeAlias = NDArray[np.float64]
PLACES = 1 << 15
"""In the memory of the end's solver; a decision looks at fewer positions."""


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """Compiled on its first call in a process; not kept on disk, as in `bits.py`."""
    return cast("Callable[P, R]", numba.njit(error_model="numpy")(function))


# chance, as Python's -------------------------------------------------------------------------------------------------


@compiled
def word(mt: Ints) -> int:
    """The next 32 bits of a Mersenne Twister: 624 words, then the place."""
    at = mt[624]
    if at >= 624:
        for i in range(624):
            y = mt[i] & 0x80000000 | mt[i + 1 if i < 623 else 0] & 0x7FFFFFFF
            mt[i] = mt[i + 397 if i < 227 else i - 227] ^ y >> 1 ^ -(y & 1) & 0x9908B0DF
        at = 0
    mt[624] = at + 1
    bits: int = mt[at]
    bits ^= bits >> 11
    bits ^= bits << 7 & 0x9D2C5680
    bits ^= bits << 15 & 0xEFC60000
    return bits ^ bits >> 18


@compiled
def uniform(mt: Ints) -> float:
    """`Random.random`."""
    high, low = word(mt) >> 5, word(mt) >> 6
    return (high * 67108864.0 + low) / 9007199254740992.0


@compiled
def deal_out(mt: Ints, cards: Ints, count: int, share: Ints, hidden: Ints, hands: Ints) -> None:
    """The cards in an order drawn by lot, to each hidden seat its share."""
    order = np.empty(count, np.int64)  # by a chance of 53 bits each, then by place
    for i in range(count):
        key = ((word(mt) >> 5) << 26 | word(mt) >> 6) << 6 | i
        j = i
        while j and order[j - 1] > key:
            order[j] = order[j - 1]
            j -= 1
        order[j] = key
    at = 0
    for i in range(3):
        held = 0
        for _ in range(share[i]):
            held |= 1 << cards[order[at] & 63]
            at += 1
        hands[hidden[i]] |= held


@compiled
def best_ser(hand: int, gain: Floats) -> int:
    """`worth.best_ser`."""
    best = 0
    for suit in range(1, 4):
        if gain[hand >> 16 * suit & SUIT] > gain[hand >> 16 * best & SUIT]:
            best = suit
    return best


@compiled
def likelihood(hand: int, told: Floats, plain: Floats, gain: Floats) -> float:
    """`Said.likelihood`; `told`: seat, constant, worth, ace, free, above, jump."""
    odds, aces = 0.0, 0
    for suit in range(4):
        held = hand >> 16 * suit & SUIT
        odds += plain[held]
        aces += held >> 12
    odds += gain[hand >> 16 * best_ser(hand, gain) & SUIT]
    odds = told[1] + told[2] * odds
    if told[4]:
        odds += told[3] * aces
    if told[5] < 0:
        likely = 1 / (1 + np.exp(odds))
    else:
        odds += told[6] * told[5]
        likely = 1 / (1 + np.exp(-odds)) - 1 / (1 + np.exp(-(odds + told[6])))
    return float(belief.SLIP + (1 - belief.SLIP) * likely)


@compiled
def resampled(
    mt: Ints,
    count: int,
    found: Ints,
    played: Ints,
    told: Floats,
    declarer: int,
    ser: int,
    plain: Floats,
    gain: Floats,
) -> Ints:
    """Of the worlds drawn, that many by how likely they are."""
    likely, odds, total = np.ones(len(found)), np.empty(4), 0.0
    for i in range(len(found)):
        for j in range(len(told)):
            at = int(told[j, 0])
            likely[i] *= likelihood(found[i, at] | played[at], told[j], plain, gain)
        if declarer >= 0:
            hand = found[i, declarer] | played[declarer]
            for suit in range(4):
                odds[suit] = np.exp(belief.CERTAINTY * gain[hand >> 16 * suit & SUIT])
            named = odds[ser] / (odds[0] + odds[1] + odds[2] + odds[3])
            likely[i] *= belief.SLIP + (1 - belief.SLIP) * named
        total += likely[i]
    kept = np.empty((count, 4), np.int64)
    step = total / count
    at_weight, got = uniform(mt) * step, 0
    for i in range(len(found)):
        while at_weight < likely[i] and got < count:
            kept[got] = found[i]
            got += 1
            at_weight += step
        at_weight -= likely[i]
    while got < count:
        kept[got] = found[-1]
        got += 1
    return kept


@compiled
def draw(
    mt: Ints,
    count: int,
    mine: int,
    seat: int,
    hidden: Ints,
    pools: Ints,
    lengths: Ints,
    free: Ints,
    sizes: Ints,
    splits: Ints,
    weights: Floats,
    played: Ints,
    told: Floats,
    declarer: int,
    ser: int,
    plain: Floats,
    gain: Floats,
) -> Ints:
    """`likely_worlds`; `declarer`: who named the ser, -1 if that tells nothing."""
    weighed = len(told) > 0 or declarer >= 0
    drawn = belief.DRAWN * count if weighed else count
    found = np.zeros((drawn, 4), np.int64)
    chosen = np.zeros(drawn, np.int64)
    if len(splits) > 1:
        for i in range(drawn):
            chosen[i] = np.searchsorted(weights, uniform(mt) * weights[-1], side="right")
    room = np.empty(3, np.int64)
    for i in range(drawn):
        hands = found[i]
        hands[seat] = mine
        room[:] = sizes
        for tied in range(len(pools)):
            share = splits[chosen[i], tied]
            deal_out(mt, pools[tied], lengths[tied], share, hidden, hands)
            room -= share
        deal_out(mt, free, len(free), room, hidden, hands)
    return resampled(mt, count, found, played, told, declarer, ser, plain, gain) if weighed else found


# what comes of them --------------------------------------------------------------------------------------------------


@compiled
def banked(hands: Ints, ser: int, declarer: int, streak: int) -> int:
    """By the declarer's side, of a whole deal."""
    left, log, table = hands.copy(), np.empty(52, np.int64), np.zeros(4, np.int64)
    ns = playout(left, ser, declarer, 0, 0, streak, table, 0, log, 0, 1)
    return 13 - ns if declarer & 1 else ns


@compiled
def tallies(found: Ints, sers: Ints, seat: int, other: int, streak: int, gain: Floats) -> tuple[Ints, Ints]:
    """What `auction.outlook` counts."""
    mine, theirs = np.zeros((len(sers), 14), np.int64), np.zeros(14, np.int64)
    for hands in found:
        for i in range(len(sers)):
            mine[i, banked(hands, sers[i], seat, streak)] += 1
        if other >= 0:
            theirs[banked(hands, best_ser(hands[other], gain), other, streak)] += 1
    return mine, theirs


@compiled
def played_out(
    found: Ints,
    seat: int,
    options: Ints,
    ser: int,
    leader: int,
    armed: int,
    pile: int,
    streak: int,
    table: Ints,
    placed: int,
) -> Ints:
    """`all_played_out`, without the spare ones."""
    outcomes = np.empty((len(found), len(options)), np.int64)
    left, log = np.empty(4, np.int64), np.empty(52, np.int64)
    for i in range(len(found)):
        for j in range(len(options)):
            left[:] = found[i]
            left[seat] ^= 1 << options[j]
            table[placed] = options[j]
            outcomes[i, j] = playout(left, ser, leader, armed, pile, streak, table, placed + 1, log, 0, 1)
    return outcomes


@compiled
def place_of(memory: Ints, age: int, hands: Ints, state: int) -> int:
    """Where a position is noted, or may be."""
    at: int = (
        hands[0] * 0x9E3779B1
        ^ hands[1] * 0x85EBCA77
        ^ hands[2] * 0xC2B2AE3D
        ^ hands[3] * 0x27D4EB2F
        ^ state * 0x165667B1
    )
    at = (at ^ at >> 17 ^ at >> 31) & PLACES - 1
    while memory[at, 5] == age:
        entry = memory[at]
        if (
            entry[0] == hands[0]
            and entry[1] == hands[1]
            and entry[2] == hands[2]
            and entry[3] == hands[3]
            and entry[4] == state
        ):
            break
        at = at + 1 & PLACES - 1
    return at


@compiled
def node(  # noqa: C901 - the one inner loop
    hands: Ints,
    leader: int,
    armed: int,
    pile: int,
    step: int,
    led: int,
    winner: int,
    best: int,
    low: int,
    high: int,
    ser: int,
    streak: int,
    nodes: Ints,
    memory: Ints,
    age: int,
) -> int:
    """`Endgame._card`, and with step -1 `Endgame._trick`. `nodes`: those left, and whether they are spent."""
    if step < 0:
        if not hands[leader]:
            return 0
        state = leader * 2 + armed | pile << 3
        at = place_of(memory, age, hands, state)
        at_least, at_most = 0, 14
        if memory[at, 5] == age:
            at_least, at_most = int(memory[at, 6]), int(memory[at, 7])
            if at_least == at_most or at_least >= high:
                return at_least
            if at_most <= low:
                return at_most
        value = node(hands, leader, armed, pile, 0, 0, leader, 0, low, high, ser, streak, nodes, memory, age)
        if nodes[1]:
            return 0
        if value > low:
            at_least = max(at_least, value)
        if value < high:
            at_most = min(at_most, value)
        at = place_of(memory, age, hands, state)
        memory[at, :4] = hands
        memory[at, 4], memory[at, 5], memory[at, 6], memory[at, 7] = state, age, at_least, at_most
        return value
    nodes[0] -= 1
    if not nodes[0]:
        nodes[1] = 1
        return 0
    if step == 4:
        pile += 1
        if (armed and winner == leader) or not hands[0]:
            won = 0 if winner & 1 else pile
            return won + node(
                hands, winner, streak, 0, -1, 0, 0, 0, low - won, high - won, ser, streak, nodes, memory, age
            )
        return node(hands, winner, 1, pile, -1, 0, 0, 0, low, high, ser, streak, nodes, memory, age)
    seat = (leader + step) & 3
    hand = hands[seat]
    legal = hand & led
    if not legal:
        legal = hand
    others = hands[seat ^ 1] | hands[seat ^ 2] | hands[seat ^ 3] | 1 << best
    value = 14 if seat & 1 else -1
    previous = -1
    for card in range(51, -1, -1):
        bit = 1 << card
        if not legal & bit:
            continue
        if previous - card > 0 and previous // 13 == card // 13 and not others & (1 << previous) - bit:
            previous = card
            continue
        previous = card
        ahead, top = winner, best
        if not step:
            ahead, top, led = seat, card, 0x1FFF << card // 13 * 13
        elif card > best if card // 13 == best // 13 else card // 13 == ser:
            ahead, top = seat, card
        hands[seat] = hand ^ bit
        got = node(hands, leader, armed, pile, step + 1, led, ahead, top, low, high, ser, streak, nodes, memory, age)
        if nodes[1]:
            hands[seat] = hand
            return 0
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


@compiled
def narrow(hand: int) -> int:
    """With 13 bits a suit."""
    return hand & SUIT | (hand >> 16 & SUIT) << 13 | (hand >> 32 & SUIT) << 26 | (hand >> 48 & SUIT) << 39


@compiled
def solved(
    found: Ints,
    seat: int,
    options: Ints,
    ser: int,
    leader: int,
    armed: int,
    pile: int,
    streak: int,
    table: Ints,
    placed: int,
    budget: int,
    memory: Ints,
    age: int,
) -> Ints:
    """`all_solved` of wide worlds, for cards as the product numbers them; none where one world is too much."""
    outcomes = np.empty((len(found), len(options)), np.int64)
    nodes, hands = np.array([budget, 0]), np.empty(4, np.int64)
    for i in range(len(found)):
        for j in range(len(options)):
            for k in range(4):
                hands[k] = narrow(found[i, k])
            card = options[j]
            hands[seat] ^= 1 << card
            table[placed] = card
            winner, best = leader, table[0]
            for step in range(placed + 1):
                card = table[step]
                if card > best if card // 13 == best // 13 else card // 13 == ser:
                    winner, best = (leader + step) & 3, card
            led = 0x1FFF << table[0] // 13 * 13
            outcomes[i, j] = node(
                hands, leader, armed, pile, placed + 1, led, winner, best, 0, 14, ser, streak, nodes, memory, age + i
            )
            if nodes[1]:
                return outcomes[:i]
    return outcomes


# the player ----------------------------------------------------------------------------------------------------------


@cache
def tables() -> tuple[Floats, Floats]:
    """What each holding is worth plain, and what it gains as ser."""
    return np.array([worth.as_plain(held) for held in range(1 << 13)]), np.array(
        [worth.gain(held) for held in range(1 << 13)]
    )


class Notes:
    """The memory of the end's solver, one for a process; what was noted at another age is not believed."""

    table = np.zeros((PLACES, 8), np.int64)
    age = 1


def wide(hand: Hand) -> int:
    """With 16 bits a suit."""
    s, h, d, c = hand
    return s | h << 16 | d << 32 | c << 48


def drawn(seen: Seen, key: bytes, count: int) -> Ints:
    """That many of `likely_worlds`."""
    plain, gain = tables()
    hidden = [(seen.seat + step) & 3 for step in (1, 2, 3)]
    tied = [suit for suit in range(4) if seen.unseen[suit] and any(seen.void[seat] >> suit & 1 for seat in hidden)]
    cards = [[16 * suit + rank for rank in range(13) if seen.unseen[suit] >> rank & 1] for suit in range(4)]
    free = [card for suit in range(4) if suit not in tied for card in cards[suit]]
    sizes = [seen.sizes[seat] for seat in hidden]
    splits = worlds._splits(seen, hidden, tied, sizes, len(free))
    told = [
        (each.seat, each.constant, each.habit.worth, each.habit.ace, each.free, each.above, each.habit.jump)
        for each in belief.said(seen)
    ]
    named = seen.ser >= 0 and seen.declarer != seen.seat
    return draw(
        np.array(Random(key).getstate()[1], np.int64),
        count,
        wide(seen.hand),
        seen.seat,
        np.array(hidden),
        np.array([cards[suit] + [0] * (13 - len(cards[suit])) for suit in tied], np.int64).reshape(len(tied), 13),
        np.array([len(cards[suit]) for suit in tied], np.int64),
        np.array(free, np.int64),
        np.array(sizes),
        np.array([split.shares for split in splits], np.int64).reshape(len(splits), len(tied), 3),
        np.array(list(accumulate(float(split.worlds) for split in splits))),
        np.array([wide(hand) for hand in seen.played]),
        np.array(told, np.float64).reshape(len(told), 7),
        seen.declarer if named else -1,
        seen.ser,
        plain,
        gain,
    )


def tallied(seen: Seen, key: bytes, count: int, sers: list[int], other: int, later: list[int]) -> auction.Tallies:
    """`auction.tallied`."""
    found = drawn(seen, key, count)
    plain, gain = tables()
    mine, theirs = tallies(found, np.array(sers), seen.seat, other, int(seen.streak), gain)
    strengths = []
    for seat in later:
        habit = belief.habit_of(seen.opponents.plays[seat])
        suits = [found[:, seat] >> 16 * suit & SUIT for suit in range(4)]
        worths = sum(plain[held] for held in suits) + np.max([gain[held] for held in suits], axis=0)
        strengths.append((habit.worth * worths + habit.ace * sum(held >> 12 for held in suits)).tolist())
    return mine.tolist(), theirs.tolist(), strengths


@dataclass(frozen=True, slots=True)
class Swift(Sharp):
    """Sharp, as fast as it goes."""

    def outlook(self, seen: Seen, key: bytes) -> auction.Outlook:
        return auction.outlook(seen, key, max(8, self.effort // 6), tallied)

    def values(self, seen: Seen, key: bytes, options: list[int]) -> sharp.Values:
        cards = seen.sizes[seen.seat]
        playouts = max(sharp.ENOUGH * cards, self.effort * 13 // (cards + 2))
        most = sharp.SOLVED[cards].worlds if cards in sharp.SOLVED else sharp.MOST
        found = drawn(seen, key, min(most, playouts // sharp.ENOUGH))
        state = (seen.ser, seen.leader, int(seen.armed), seen.pile, int(seen.streak))
        table, placed = np.zeros(4, np.int64), len(seen.on_table)

        def outcomes(first: int, count: int, cards: list[int]) -> list[list[int]]:
            table[:placed] = [card + card // 13 * 3 for card in seen.on_table]
            spread = np.array([card + card // 13 * 3 for card in cards])
            rows: list[list[int]] = played_out(
                found[first : first + count], seen.seat, spread, *state, table, placed
            ).tolist()
            return rows

        if cards not in sharp.SOLVED:
            return self.tried(options, playouts, len(found), sharp.worth_of(seen), outcomes)
        table[:placed] = seen.on_table
        nodes = len(found) * sharp.SOLVED[cards].nodes[placed]
        rows = solved(found, seen.seat, np.array(options), *state, table, placed, nodes, Notes.table, Notes.age)
        Notes.age += len(found)
        return sharp.valued(seen, options, rows.tolist() or outcomes(0, 1, options))

    def tried(
        self, options: list[int], playouts: int, worlds: int, worth: list[float], outcomes: sharp.Outcomes
    ) -> sharp.Values:
        """The worth of each card in the worlds in which it is tried."""
        return sharp.narrowed(options, playouts, worlds, worth, outcomes)[0]
