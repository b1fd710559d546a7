"""A hint: what the sharp level would do in this seat, and why, as a code an app can say in its own language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from ..engine import SEATS, Call, DealView, Move, Phase, Play, Ser, Suit
from . import auction
from .levels import decide
from .seen import Seen, beats, cards, legal, look
from .sharp import Sharp, choices
from .steady import masters

if TYPE_CHECKING:
    from .auction import Outlook

Params = dict[str, str | int]


class Why(NamedTuple):
    """A reason to give: the English line, and the names of the parameters in it. Chances are in per cent."""

    sentence: str
    params: tuple[str, ...] = ()


HINTS: Mapping[str, Why] = {
    "only_move": Why("It is the only move there is."),
    "open_lowest": Why("Somebody must open: {number} is made about {chance} times in 100.", ("number", "chance")),
    "call_pays": Why("{number} is made about {chance} times in 100, which pays.", ("number", "chance")),
    "call_too_dear": Why("{number} would be made only about {chance} times in 100.", ("number", "chance")),
    "leave_to_partner": Why("Partner makes {number} about {chance} times in 100.", ("number", "chance")),
    "leave_to_opponents": Why("They make {number} only about {chance} times in 100.", ("number", "chance")),
    "best_ser": Why("With {suit} as ser, {number} is made about {chance} times in 100.", ("suit", "number", "chance")),
    "lead_to_bank": Why("Nothing beats it, and a second win in a row banks {tricks}.", ("tricks",)),
    "lead_master": Why("Nothing higher is out in its suit: it starts a run."),
    "lead_ser": Why("Leading ser takes theirs, so that your other tricks are not cut."),
    "lead_low": Why("It keeps your strong cards for when they count."),
    "break_run": Why("{seat} would bank {tricks} with this trick: it has to be won.", ("seat", "tricks")),
    "take_over": Why("Partner's card may not hold: yours is the surer one."),
    "cut": Why("You have none of the suit led: cut with ser."),
    "win": Why("It wins the trick, or makes them spend more on it."),
    "let_partner_bank": Why("Partner is about to bank {tricks}: stay out of the way.", ("tricks",)),
    "leave_trick": Why("The trick is partner's so far: keep your strength."),
    "cannot_win": Why("You cannot win this trick: give what is least use."),
    "save_strength": Why("This trick is worth less than the card that would win it."),
}
"""Every code, for docs and for apps. A play's hint carries `chance` beside these: how often my side gets its way."""


@dataclass(frozen=True, slots=True)
class Hint:
    """A move and the reason for it."""

    move: Move
    code: str
    params: Params
    text: str


def hint(view: DealView, key: bytes) -> Hint:
    """What the sharp level would do in this view; the same move as `choose` gives with this key.

    `ValueError` for a view whose seat has no move to make.
    """
    sharp = Sharp()
    move = decide(sharp, view, key)
    if len(view.legal_moves) == 1:
        return _hint(move, "only_move")
    seen = look(view)
    if view.phase is Phase.PLAY:
        assert isinstance(move, Play)
        code, params = _why_play(seen, move.card.index)
        options = choices(seen)
        if len(options) > 1:
            params["chance"] = round(100 * sharp.judge(seen, key, options).chance)
        return _hint(move, code, **params)
    outlook = auction.outlook(seen, key, sharp.auction_worlds)
    if isinstance(move, Ser):
        chance = _percent(outlook.chance(seen.contract, move.suit))
        return _hint(move, "best_ser", suit=Suit(move.suit).text, number=seen.contract, chance=chance)
    return _why_call(move, seen, outlook)


def _why_call(move: Move, seen: Seen, outlook: Outlook) -> Hint:
    if isinstance(move, Call):
        code = "call_pays" if seen.contract or move.number > 7 else "open_lowest"
        return _hint(move, code, number=move.number, chance=_percent(outlook.best(move.number)[0]))
    standing = outlook.left(seen.contract)
    if (seen.declarer ^ seen.seat) & 1 == 0:
        return _hint(move, "leave_to_partner", number=seen.contract, chance=_percent(standing))
    if standing < 2 / 3:  # to them it is worth less than nothing
        return _hint(move, "leave_to_opponents", number=seen.contract, chance=_percent(standing))
    number = seen.contract + 1
    return _hint(move, "call_too_dear", number=number, chance=_percent(outlook.best(number)[0]))


def _why_play(seen: Seen, card: int) -> tuple[str, Params]:
    suit, rank = divmod(card, 13)
    stake = seen.pile + 1
    if not seen.on_table:
        if masters(seen, suit) and seen.unseen[suit] < 1 << rank:
            return ("lead_to_bank", {"tricks": stake}) if seen.armed else ("lead_master", {})
        return ("lead_ser" if suit == seen.ser else "lead_low"), {}
    at, best = seen.winning()
    partner_ahead = at == len(seen.on_table) - 2
    about_to_bank = seen.armed and at == 0
    if beats(card, best, seen.ser):
        if partner_ahead:
            return "take_over", {}
        if about_to_bank:
            return "break_run", {"seat": SEATS[seen.leader].text, "tricks": stake}
        return ("win" if suit == seen.led else "cut"), {}
    if partner_ahead:
        return ("let_partner_bank", {"tricks": stake}) if about_to_bank else ("leave_trick", {})
    held = seen.hand[seen.led]
    could_win = any(legal(each, held, seen.led) and beats(each, best, seen.ser) for each in cards(seen.hand))
    return ("save_strength" if could_win else "cannot_win"), {}


def _hint(move: Move, code: str, **params: str | int) -> Hint:
    return Hint(move, code, params, HINTS[code].sentence.format(**params))


def _percent(chance: float) -> int:
    return round(100 * chance)
