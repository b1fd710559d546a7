"""Sets, and what their entries have made."""

from __future__ import annotations

from chalicelib.match.model import MAX_DEALS
from dev.contract import shapes as a
from dev.contract.answers.deals import DealResult
from dev.contract.answers.matches import MatchRules, SeatInfo
from dev.contract.answers.players import PlayerRef


class SetDeal(a.Answer):
    """One deal of a set, as far as you may know how it went."""

    deal_number = a.whole(None, 1, MAX_DEALS)
    result = a.part(DealResult, "Your own.", required=False)
    points = a.points("What it is worth to your side: your score less the others'.", required=False)
    par = a.part(
        DealResult,
        "What the strongest bot makes of it in your seat. It may come a little later than your own.",
        required=False,
    )
    par_points = a.points("What par is worth to your side.", required=False)


class ScoreCount(a.Answer):
    """How many entries made one score."""

    score = a.points()
    entries = a.whole(None, 1)


class DealSet(a.Answer):
    """The same deals for everybody who enters, and how you stand to them."""

    id = a.text()
    type = a.known("Where it comes from.", "daily", "challenge")
    day = a.text("A daily's day (UTC).", metadata={"format": "date"}, required=False)
    code = a.text("A challenge's: pass it on. `getInvite` tells what it leads to.", required=False)
    maker = a.part(PlayerRef, "Who made the challenge.", required=False)
    rules = a.part(MatchRules)
    seats = a.each(SeatInfo, "The bots in order of play, and yours, `empty`.")
    seat = a.seat_name("Where you sit, as everybody does.")
    commitments = a.many(a.hexadecimal(""), "Of every deal, in order.")
    next_commitments = a.many(a.hexadecimal(""), "Of tomorrow's daily, told with today's.", required=False)
    opens_at = a.moment()
    closes_at = a.moment("From when on nobody enters; left out: never.", required=False)
    due_at = a.moment("Until when it may be played; left out: for ever.", required=False)
    open = a.truth("Whether it can be entered.")
    state = a.known("Your entry.", "not_entered", "playing", "finished", "abandoned")
    match_id = a.text("Your entry, once there is one.", required=False)
    deals = a.each(SetDeal, "Those that you have finished; all of them once the set has run out.")
    score = a.points("Yours, once you have finished: points of all deals.", required=False)
    par_score = a.points("Par of the whole set.", required=False)
    counted = a.truth("Whether your score is in the histogram yet: it is within minutes.", required=False)
    rank = a.whole("1 for the best; equal scores share a rank.", 1, required=False)
    percentile = a.whole("How many of the other entries, in per cent, scored less.", 0, 100, required=False)
    histogram = a.each(ScoreCount, "All scores that were made, lowest first: once you have finished.", required=False)


class SetResult(a.Answer):
    """What one player made of a challenge."""

    player = a.part(PlayerRef)
    score = a.points()
    rank = a.whole("1 for the best; equal scores share a rank.", 1)


class SetResults(a.Answer):
    """Those who share a challenge, the best first."""

    items = a.each(SetResult)
