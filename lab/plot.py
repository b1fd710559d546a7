"""Strength against time: sharp with several efforts, each in a match with steady, drawn as docs/bots-strength.svg.

python -m lab.plot --deals 120 20 60 150 400 800
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from math import log10
from pathlib import Path
from statistics import mean

from lab.match import Terms, match
from lab.report import interval

OUT = Path("docs/bots-strength.svg")
WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 640, 360, 60, 50, 20


@dataclass(frozen=True, slots=True)
class Point:
    """One effort's outcome."""

    effort: int
    milliseconds: float
    points: float
    half: float


def measured(effort: int, deals: int) -> Point:
    """Play sharp with this effort against steady."""
    played = match(Terms(f"sharp@{effort}", "steady", "plot"), range(deals))
    seconds = [second for each in played for second in (*each.first.seconds[0], *each.second.seconds[1])]
    points, half = interval([each.points for each in played])
    return Point(effort, 1000 * mean(seconds), points, half)


def drawn(points: list[Point]) -> str:
    """The points as an SVG: milliseconds a decision, on a logarithmic scale, against points a deal with intervals."""
    low = min(0.0, *(point.points - point.half for point in points))
    high = max(point.points + point.half for point in points)
    first, last = log10(points[0].milliseconds) - 0.15, log10(points[-1].milliseconds) + 0.15

    def across(milliseconds: float) -> float:
        return LEFT + (log10(milliseconds) - first) / (last - first) * (WIDTH - LEFT - 20)

    def up(value: float) -> float:
        return HEIGHT - BOTTOM - (value - low) / (high - low) * (HEIGHT - BOTTOM - TOP)

    style = 'font-family="sans-serif" font-size="12" fill="#333"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
        "<title>sharp against steady: points a deal by mean milliseconds a decision</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
    ]
    for tick in range(int(low), int(high) + 1):
        parts.append(f'<path d="M{LEFT} {up(tick):.1f}H{WIDTH - 20}" stroke="#ddd"/>')
        parts.append(f'<text x="{LEFT - 10}" y="{up(tick) + 4:.1f}" text-anchor="end" {style}>{tick:+d}</text>')
    line = " ".join(f"{across(point.milliseconds):.1f},{up(point.points):.1f}" for point in points)
    parts.append(f'<polyline points="{line}" fill="none" stroke="#26a" stroke-width="2"/>')
    for point in points:
        x = across(point.milliseconds)
        top, bottom = up(point.points + point.half), up(point.points - point.half)
        parts.append(f'<path d="M{x:.1f} {top:.1f}V{bottom:.1f}" stroke="#26a"/>')
        parts.append(f'<circle cx="{x:.1f}" cy="{up(point.points):.1f}" r="4" fill="#26a"/>')
        text = f"{point.milliseconds:.1f} ms"
        parts.append(f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle" {style}>{text}</text>')
    middle = (LEFT + WIDTH) / 2
    parts.append(
        f'<text x="{middle}" y="{HEIGHT - 10}" text-anchor="middle" {style}>mean time of a decision (log scale)</text>'
    )
    parts.append(f'<text x="{LEFT - 45}" y="14" {style}>points a deal against steady (95 %)</text></svg>')
    return "\n".join(parts) + "\n"


def main(arguments: list[str]) -> int:
    """Play, print the figures, write the plot."""
    parser = argparse.ArgumentParser(prog="python -m lab.plot", description=__doc__)
    parser.add_argument("efforts", nargs="*", type=int, default=[20, 60, 150, 400, 800])
    parser.add_argument("--deals", type=int, default=120)
    asked = parser.parse_args(arguments)
    points = [measured(effort, asked.deals) for effort in sorted(asked.efforts)]
    print("| effort | ms a decision | points a deal against steady |\n|---|---|---|")
    for point in points:
        print(f"| {point.effort} | {point.milliseconds:.1f} | {point.points:+.2f} ± {point.half:.2f} |")
    OUT.write_text(drawn(points), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
