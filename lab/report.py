"""What a match showed, as Markdown tables."""

from __future__ import annotations

from math import inf
from statistics import mean, stdev
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lab.match import Duplicate, Terms
    from lab.table import Played

ENOUGH = 200
"""Contracts a band of chances must have before it is held to anything."""
WITHIN = 0.05
"""How near the share made must be to the chance seen."""


def interval(values: Sequence[float]) -> tuple[float, float]:
    """The mean and half the width of its 95 % interval, which one value alone does not bound."""
    half = 1.96 * stdev(values) / len(values) ** 0.5 if len(values) > 1 else inf
    return mean(values), half


def table(terms: Terms, played: Sequence[Duplicate]) -> str:
    """Both players' lines: points, contracts, tricks, time."""
    lines = [
        f"{len(played)} deals, each played twice, `after_bank` {terms.after_bank}, seed `{terms.seed}`",
        "",
        "| player | points a deal (95 %) | contracts | free calls | made | average call | banked | ms mean | ms p95 |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    points, half = interval([each.points for each in played])
    for name, sign, ours in ((terms.a, 1, True), (terms.b, -1, False)):
        contracts = [deal for deal, declares in _declared(played) if declares is ours]
        seconds = sorted(_seconds(played, ours))
        cells = [
            name,
            f"{sign * points:+.2f} ± {half:.2f}",
            f"{len(contracts)}",
            f"{sum(deal.voluntary for deal in contracts)}",
            *_averages(contracts),
            f"{1000 * mean(seconds):.1f}",
            f"{1000 * seconds[int(0.95 * len(seconds))]:.1f}",
        ]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _averages(contracts: Sequence[Played]) -> tuple[str, str, str]:
    """How often contracts were made, their number and the tricks banked; dashes for nobody's."""
    if not contracts:
        return "–", "–", "–"
    made = mean(deal.score > 0 for deal in contracts)
    number = mean(deal.contract for deal in contracts)
    return f"{made:.0%}", f"{number:.2f}", f"{mean(deal.banked for deal in contracts):.2f}"


def calibration(played: Iterable[Duplicate]) -> str:
    """Contracts by the chance that their declarer saw: how many were made, and whether that is near enough."""
    bands: dict[int, list[Played]] = {}
    for deal, _ in _declared(played):
        if deal.chance is not None:
            bands.setdefault(min(9, int(10 * deal.chance)), []).append(deal)
    lines = ["| chance seen | contracts | mean chance | made | off by | |", "|---|---|---|---|---|---|"]
    for band, deals in sorted(bands.items()):
        seen = mean(deal.chance or 0.0 for deal in deals)
        made = mean(deal.score > 0 for deal in deals)
        verdict = "few" if len(deals) < ENOUGH else "ok" if round(abs(made - seen), 9) <= WITHIN else "SHORT"
        name = f"{10 * band}–{10 * band + 10} %"
        lines.append(f"| {name} | {len(deals)} | {seen:.1%} | {made:.1%} | {made - seen:+.1%} | {verdict} |")
    return "\n".join(lines) if bands else ""


def _declared(played: Iterable[Duplicate]) -> Iterable[tuple[Played, bool]]:
    """Every deal at every table, and whether A declared it."""
    for each in played:
        for deal, side in each.tables():
            yield deal, deal.declarer.side is side


def _seconds(played: Iterable[Duplicate], ours: bool) -> Iterable[float]:
    for each in played:
        yield from each.first.seconds[0 if ours else 1]
        yield from each.second.seconds[1 if ours else 0]
