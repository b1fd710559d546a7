"""A hint: what the sharp level would do in this seat, and why, as a code an app can say in its own language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chalicelib.bots import auction
from chalicelib.bots.seen import FULL, PEOPLE, Opponents, Seen, beats, cards, legal, look
from chalicelib.bots.sharp import Sharp, choices
from chalicelib.bots.steady import cut_off, holds
from chalicelib.engine import (
    LOWEST_CALL,
    MOVES,
    SEATS,
    Call,
    DealView,
    Move,
    Pass,
    Phase,
    Sentence,
    Ser,
    Suit,
    same_side,
)

if TYPE_CHECKING:
    from chalicelib.bots.auction import Outlook

Params = dict[str, str | int]

PAYS = 2 / 3
"""A call that is made more often than this scores more than it loses."""
LAST = 3
"""Cards on the table when the last of a trick is to come."""
JACK = 9
"""Its rank."""


HINTS: Mapping[str, Sentence] = {
    "only_move": Sentence("It is the only move there is."),
    "open_lowest": Sentence("Somebody must open: {number} is made about {chance} times in 100."),
    "call_pays": Sentence("{number} is made about {chance} times in 100, which pays."),
    "call_better": Sentence(
        "Anything less is worse for you, though {number} is made only about {chance} times in 100."
    ),
    "call_too_dear": Sentence("{number} would be made only about {chance} times in 100."),
    "leave_to_partner": Sentence("Partner makes {number} about {chance} times in 100."),
    "leave_to_opponents": Sentence("They make {number} only about {chance} times in 100."),
    "best_ser": Sentence("With {suit} as ser, {number} is made about {chance} times in 100."),
    "lead_to_bank": Sentence("Nothing higher is out in its suit, and a second win in a row banks {tricks}."),
    "lead_master": Sentence("Nothing higher is out in its suit, to start a run with."),
    "lead_ser": Sentence("Leading ser takes theirs, so that your other tricks are not cut."),
    "lead_low": Sentence("It keeps your strong cards for when they count."),
    "does_best": Sentence("It does best in the hands that fit what you have seen."),
    "settled": Sentence("The contract is decided: no card changes it any more."),
    "break_run": Sentence("{seat} would bank {tricks} with this trick: it has to be won."),
    "take_over": Sentence("Partner's card may not hold: yours is the surer one."),
    "keep_lead": Sentence("The trick is your side's either way: so you lead next."),
    "must_win": Sentence("Every card that you may play beats the others so far."),
    "cut": Sentence("You have none of the suit led: cut with ser."),
    "win": Sentence("It wins the trick, or makes them spend more on it."),
    "let_partner_bank": Sentence("Partner is about to bank {tricks}: stay out of the way."),
    "leave_trick": Sentence("The trick is partner's so far: keep your strength."),
    "let_go": Sentence("Stopping {seat} here would cost more than the {tricks} at stake."),
    "cannot_win": Sentence("You cannot win this trick: give what you need least."),
    "save_strength": Sentence("This trick is worth less than the card that would win it."),
}
"""Every code, for docs and for apps. Where a play was weighed against others its hint carries `chance` beside these:
how often my side gets its way, in the hands that fit."""


@dataclass(frozen=True, slots=True)
class Hint:
    """A move and the reason for it."""

    move: Move
    code: str
    params: Params
    text: str


def hint(view: DealView, key: bytes, opponents: Opponents = PEOPLE) -> Hint:
    """What the sharp level would do in this view, against such opponents; the move that
    `choose` gives with this key.

    `ValueError` for a view whose seat has no move to make.
    """
    if not view.legal_moves:
        raise ValueError("not this seat's turn")
    if len(view.legal_moves) == 1:
        return _hint(view.legal_moves[0], "only_move")
    sharp, seen = Sharp(), look(view, opponents)
    if view.phase is Phase.PLAY:
        return _play(seen, sharp, key)
    outlook = sharp.outlook(seen, key)
    if view.phase is Phase.AUCTION:
        return _call(seen, outlook)
    chance, ser = outlook.best(seen.contract)
    suit = Suit(ser)
    return _hint(Ser(suit), "best_ser", suit=suit.text, number=seen.contract, chance=_percent(chance))


def _play(seen: Seen, sharp: Sharp, key: bytes) -> Hint:
    options = choices(seen)
    chance: Params = {}
    card = options[0]
    if len(options) > 1:
        card, share = sharp.judge(seen, key, options)
        chance["chance"] = _percent(share)
    code, params = _why_play(seen, card)
    return _hint(MOVES[card], code, **params, **chance)


def _call(seen: Seen, outlook: Outlook) -> Hint:
    if called := auction.call(seen, outlook):
        chance = outlook.best(called)[0]
        code = "call_pays" if chance >= PAYS else "call_better"
        if not seen.contract and called == LOWEST_CALL:
            code = "open_lowest"
        return _hint(Call(called), code, number=called, chance=_percent(chance))
    move = Pass()
    standing = outlook.left(seen.contract)
    ours = same_side(seen.declarer, seen.seat)
    if ours and standing >= PAYS:
        return _hint(move, "leave_to_partner", number=seen.contract, chance=_percent(standing))
    if not ours and standing < PAYS:  # to them it is worth less than nothing
        return _hint(move, "leave_to_opponents", number=seen.contract, chance=_percent(standing))
    number = seen.contract + 1
    return _hint(move, "call_too_dear", number=number, chance=_percent(outlook.best(number)[0]))


def _why_play(seen: Seen, card: int) -> tuple[str, Params]:
    if not 0 < seen.missing() <= 13 - sum(seen.banked):
        return "settled", {}
    return _why_follow(seen, card) if seen.on_table else _why_lead(seen, card)


def _why_follow(seen: Seen, card: int) -> tuple[str, Params]:
    suit, rank = divmod(card, 13)
    stake = seen.pile + 1
    at, best = seen.winning()
    partner_ahead = at == len(seen.on_table) - 2
    about_to_bank = seen.armed and at == 0
    run: Params = {"seat": SEATS[seen.leader].text, "tricks": stake}
    held = seen.hand[seen.led]
    winning = [beats(each, best, seen.ser) for each in cards(seen.hand) if legal(each, held, seen.led)]
    if beats(card, best, seen.ser):
        if about_to_bank and not partner_ahead:
            return "break_run", run
        if all(winning):
            return "must_win", {}
        if partner_ahead:
            return _why_over_partner(seen, card, best), {}
        return ("win" if suit == seen.led else "cut"), {}
    if partner_ahead and any(winning):
        return ("let_partner_bank", {"tricks": stake}) if about_to_bank else ("leave_trick", {})
    if rank >= JACK and seen.hand[suit] & (1 << rank) - 1:
        return "does_best", {}  # a strong card where a weaker one would do: nothing is saved
    if not any(winning):
        return "cannot_win", {}
    return ("let_go", run) if about_to_bank else ("save_strength", {})


def _why_over_partner(seen: Seen, card: int, best: int) -> str:
    """Of a card that beats partner's."""
    if len(seen.on_table) == LAST or holds(seen, best):
        return "keep_lead"
    suit = best // 13
    behind = (seen.seat + 1) & 3
    higher = seen.unseen[suit] & ~((2 << best % 13) - 1) & ((1 << card % 13) - 1 if card // 13 == suit else FULL)
    if higher and not seen.void[behind] >> suit & 1:
        return "take_over"  # a card that beats partner's, and not mine, may lie behind
    return "does_best"


def _why_lead(seen: Seen, card: int) -> tuple[str, Params]:
    suit, rank = divmod(card, 13)
    if seen.unseen[suit] < 1 << rank and not cut_off(seen, suit):
        return ("lead_to_bank", {"tricks": seen.pile + 1}) if seen.armed else ("lead_master", {})
    opponents = ((seen.seat + 1) & 3, (seen.seat + 3) & 3)
    if suit == seen.ser:
        plain = any(held for other, held in enumerate(seen.hand) if other != suit)
        theirs = seen.unseen[suit] and any(not seen.void[seat] >> suit & 1 for seat in opponents)
        return "lead_ser" if plain and theirs else "does_best", {}
    low = seen.hand[suit] & (1 << rank) - 1 == 0 and rank < JACK
    strong = any(held >> JACK for held in seen.hand)
    return "lead_low" if low and strong else "does_best", {}


def _hint(move: Move, code: str, **params: str | int) -> Hint:
    return Hint(move, code, params, HINTS[code].format(**params))


def _percent(chance: float) -> int:
    return round(100 * chance)
