"""Sets, and what their entries have made, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chalicelib.api import shapes as a
from chalicelib.api.present import DEAL_RESULT, MATCH_RULES, PLAYER_REF, SEAT_INFO
from chalicelib.api.shapes import Json, Shape, always, perhaps
from chalicelib.match.model import MAX_DEALS
from chalicelib.match.sets import points

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from chalicelib.engine import DealResult
    from chalicelib.match.sets import SetResult, SetView
    from chalicelib.match.view import PlayerRef

SET_DEAL = Shape(
    "SetDeal",
    "One deal of a set, as far as you may know how it went.",
    always("deal_number", a.whole("", 1, MAX_DEALS), 0),
    perhaps("result", a.part(DEAL_RESULT, "Your own."), 1),
    perhaps("points", a.points("What it is worth to your side: your score less the others'."), 2),
    perhaps(
        "par",
        a.part(
            DEAL_RESULT, "What the strongest bot makes of it in your seat. It may come a little later than your own."
        ),
        3,
    ),
    perhaps("par_points", a.points("What par is worth to your side."), 4),
)
SCORE_COUNT = Shape(
    "ScoreCount",
    "How many entries made one score.",
    always("score", a.points(), 0),
    always("players", a.whole("", 1), 1),
)


def _deals(view: SetView) -> Iterator[tuple[object, ...]]:
    def worth(result: DealResult | None) -> int | None:
        return None if result is None else points(result, view.deal_set.seat)

    for number, deal in enumerate(view.deals, 1):
        yield number, deal.result, worth(deal.result), deal.par, worth(deal.par)


DEAL_SET = Shape(
    "DealSet",
    "The same deals for everybody who enters, and how you stand to them.",
    always("id", a.text(), "deal_set.id"),
    always(
        "type",
        a.known("Where it comes from.", "daily", "challenge"),
        lambda view: "daily" if view.deal_set.day else "challenge",
    ),
    perhaps("day", a.text("A daily's day (UTC).", format="date"), lambda view: view.deal_set.day or None),
    perhaps(
        "code",
        a.text("A challenge's: pass it on. `getInvite` tells what it leads to."),
        lambda view: view.deal_set.code or None,
    ),
    perhaps("maker", a.part(PLAYER_REF, "Who made the challenge.")),
    always("rules", a.part(MATCH_RULES), "deal_set.rules"),
    always("seats", a.each(SEAT_INFO, "The bots in order of play, and yours, `empty`.")),
    always("seat", a.seat_name("Where you sit, as everybody does."), "deal_set.seat"),
    always("commitments", a.many(a.hexadecimal(), "Of every deal, in order."), "deal_set.commitments"),
    perhaps(
        "next_commitments",
        a.many(a.hexadecimal(), "Of tomorrow's daily, told with today's."),
        lambda view: view.next_commitments or None,
    ),
    always("opens_at", a.moment(), "deal_set.opens_at"),
    perhaps("closes_at", a.moment("From when on nobody enters; left out: never."), "deal_set.closes_at"),
    perhaps("due_at", a.moment("Until when it may be played; left out: for ever."), "deal_set.runs_out_at"),
    always("takes_entries", a.truth("Whether it can be entered."), "open"),
    always(
        "state",
        a.known("Your entry.", "not_entered", "playing", "finished", "abandoned"),
        lambda view: view.status or "not_entered",
    ),
    perhaps("match_id", a.text("Your entry, once there is one.")),
    always("deals", a.each(SET_DEAL, "Those that you have finished; all of them once the set has run out."), _deals),
    perhaps("score", a.points("Yours, once you have finished: points of all deals.")),
    perhaps("par_score", a.points("Par of the whole set.")),
    perhaps(
        "counted",
        a.truth("Whether your score is in the histogram yet: it is within minutes."),
        lambda view: None if view.score is None else view.counted,
    ),
    perhaps(
        "rank",
        a.whole("1 for the best; equal scores share a rank.", 1),
        lambda view: view.ranking and view.ranking.rank,
    ),
    perhaps(
        "percentile",
        a.whole("How many of the other entries, in per cent, scored less.", 0, 100),
        lambda view: view.ranking and view.ranking.percentile,
    ),
    perhaps(
        "histogram",
        a.each(SCORE_COUNT, "All scores that were made, lowest first: once you have finished."),
        lambda view: None if view.histogram is None else sorted(view.histogram.items()),
    ),
)
"""Of a SetView."""
SET_RESULT = Shape(
    "SetResult",
    "What one player made of a challenge.",
    always("player", a.part(PLAYER_REF), 0),
    always("score", a.points(), 1),
    always("rank", a.whole("1 for the best; equal scores share a rank.", 1), 2),
)
SET_RESULTS = Shape(
    "SetResults",
    "Those who share a challenge, the best first.",
    always("items", a.each(SET_RESULT), lambda ranked: ranked),
)


def results(by_player: Iterable[tuple[PlayerRef, SetResult]]) -> Json:
    """SetResults."""
    ranked: list[tuple[PlayerRef, int, int]] = []
    for number, (player, result) in enumerate(by_player, 1):
        same = ranked and ranked[-1][1] == result.score
        ranked.append((player, result.score, ranked[-1][2] if same else number))
    return SET_RESULTS(ranked)
