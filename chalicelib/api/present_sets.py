"""Sets as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chalicelib.api.present import SEAT_TEXT, Json, deal_result, moment, player, rules, seat
from chalicelib.match.sets import points

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from chalicelib.engine import Seat
    from chalicelib.match.sets import DealOfSet, SetResult, SetView
    from chalicelib.match.view import PlayerRef


def deal_set(view: SetView) -> Json:
    """DealSet."""
    dealt, ranking = view.dealt, view.ranking
    shown: Json = {
        "id": dealt.id,
        "type": "daily" if dealt.day else "challenge",
        "rules": rules(dealt.rules),
        "seats": [seat(each) for each in view.seats],
        "seat": SEAT_TEXT[dealt.seat],
        "commitments": dealt.commitments,
        "opens_at": moment(dealt.opens_at),
        "open": view.open,
        "state": view.status.value if view.status is not None else "not_entered",
        "deals": [_deal(number, each, dealt.seat) for number, each in enumerate(view.deals, 1)],
    }
    perhaps: Json = {
        "day": dealt.day or None,
        "code": dealt.code or None,
        "maker": player(view.maker) if view.maker is not None else None,
        "closes_at": moment(dealt.closes_at) if dealt.closes_at is not None else None,
        "due_at": moment(dealt.runs_out_at) if dealt.runs_out_at is not None else None,
        "match_id": view.match_id,
        "score": view.score,
        "counted": view.counted if view.score is not None else None,
        "par_score": view.par_score,
        "rank": ranking.rank if ranking is not None else None,
        "percentile": ranking.percentile if ranking is not None else None,
        "histogram": _histogram(view.histogram) if view.histogram is not None else None,
        "next_commitments": view.next_commitments or None,
    }
    return shown | {name: value for name, value in perhaps.items() if value is not None}


def _histogram(counts: Mapping[int, int]) -> list[Json]:
    return [{"score": score, "entries": many} for score, many in sorted(counts.items())]


def _deal(number: int, deal: DealOfSet, at: Seat) -> Json:
    shown: Json = {"deal_number": number}
    if deal.result is not None:
        shown |= {"result": deal_result(deal.result), "points": points(deal.result, at)}
    if deal.par is not None:
        shown |= {"par": deal_result(deal.par), "par_points": points(deal.par, at)}
    return shown


def results(found: Iterable[tuple[PlayerRef, SetResult]]) -> Json:
    """SetResults. Equal scores share a rank."""
    items: list[Json] = []
    for who, result in found:
        same = items and items[-1]["score"] == result.score
        rank = items[-1]["rank"] if same else len(items) + 1
        items.append({"player": player(who), "score": result.score, "rank": rank})
    return {"items": items}
