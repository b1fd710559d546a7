"""`make bill`: what a million moves cost, and a month of 10,000 daily players, from measured figures.

With `ARGS=--write` the figures are kept in measured.json, and the bill is written into docs/operations.md: a test holds
the page to them.

Measured in this very run (`dev.deploy.usage`): capacity units, calls of the store, the processor's time, bytes of log
and of answers. Assumed, and said with each: how long Amazon's own DynamoDB takes to answer, and what a player does in a
day. Prices are those of prices.json.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from chalicelib.api.metrics import UNITS
from dev.deploy.package import ROOT, additions
from dev.deploy.usage import LOG_EVENT_BYTES, Use, measured
from dev.local.servers import ServerFailed

PRICES: dict[str, float] = json.loads(Path(__file__).with_name("prices.json").read_text())
MEASURED = Path(__file__).with_name("measured.json")
PAGE = ROOT / "docs/operations.md"
BEGIN, END = "<!-- by make bill ARGS=--write -->\n", "<!-- end of the bill -->\n"
MEMORY_GB = 1769 / 1024
STORE_CALL_MS = 5
"""Assumed: a DynamoDB call inside a region, which a local store answers faster. Lambda is paid while it waits."""
COLD_SHARE, COLD_MS = 0.01, 600
"""Assumed: one request in a hundred meets a new container, whose start is paid too, and its reading the keys."""
DAILY_PLAYERS = 10_000
DAYS = 30
A_DAY: Mapping[str, float] = {
    "move": 26,  # two deals with three others
    "poll, news": 3 * 26,
    "poll, none": 8 * 26,  # as of three who watch somebody think for six seconds (make bench ARGS=live)
    "view": 12,
    "badge": 10,
    "move, easy bots": 14,  # a deal alone
    "move, sharp bots": 14,  # and another one
    "new match": 2.5,
    "seat": 0.5,
    "refresh": 6,
    "sign-up": 0.05,
}
"""Assumed: the requests of one player in a day."""
MATCH_KB, KEPT_MONTHS = 6, 12
"""Assumed: a match with its deals, events and memberships, kept for a year."""
PEAK = 5
"""Assumed: the busiest hour against the mean."""
HOUSE_CONTAINERS = 20
"""Assumed: containers at work at a time, each of which has DynamoDB ask for the table's key every five minutes."""
TABLE: Mapping[str, tuple[str, ...]] = {
    "API Gateway": ("API Gateway",),
    "DynamoDB, reads and writes": ("DynamoDB, reads", "DynamoDB, writes"),
    "DynamoDB, storage and recovery of a year's matches": ("DynamoDB, storage", "DynamoDB, recovery"),
    "Lambda": ("Lambda, requests", "Lambda, time"),
    "logs": ("logs",),
    "answers sent": ("answers sent",),
    "metrics, alarms, keys": ("metrics, alarms, dashboard", "keys and secrets"),
}
"""The lines of the bill, and what each is made of."""
GIGA = 1e9
Costs = dict[str, float]


@dataclass(frozen=True)
class Bill:
    """Dollars, by what they are paid for."""

    name: str
    costs: Costs

    @property
    def total(self) -> float:
        return sum(self.costs.values())


def of_requests(use: Use, requests: float, *, through_gateway: bool = True) -> Costs:
    """What so many requests of a kind cost."""
    price = PRICES
    ms = math.ceil(use.cpu_ms + use.calls * STORE_CALL_MS) + COLD_SHARE * COLD_MS
    log_bytes = use.log_bytes + (_access_log_bytes() if through_gateway else 0)
    costs = {
        "Lambda, requests": price["lambda_request"],
        "Lambda, time": ms / 1000 * MEMORY_GB * price["lambda_gb_second"],
        "DynamoDB, reads": use.read * price["table_read_unit"],
        "DynamoDB, writes": use.write * price["table_write_unit"],
        "logs": log_bytes / GIGA * (price["log_gb"] + 3 * price["log_gb_month"]),
    }
    if through_gateway:
        costs["API Gateway"] = price["gateway_request"]
        costs["keys and secrets"] = COLD_SHARE * price["secret_read"]
        costs["answers sent"] = use.answer_bytes / GIGA * price["transfer_gb"]
    return {what: requests * cost for what, cost in costs.items()}


def a_million_moves(uses: Mapping[str, Use]) -> Bill:
    """Moves of people among people, and nothing else: no polls."""
    return Bill("a million moves", of_requests(uses["move"], 1e6))


def a_month(uses: Mapping[str, Use]) -> Bill:
    """All that 10,000 daily players do in a month, and what the service costs when nobody plays."""
    costs: Costs = {}
    for kind, times in A_DAY.items():
        _add(costs, of_requests(uses[kind], times * DAILY_PLAYERS * DAYS))
    _add(costs, of_requests(uses["sweep"], 60 * 24 * DAYS, through_gateway=False))
    matches = (A_DAY["new match"]) * DAILY_PLAYERS * DAYS * KEPT_MONTHS
    stored = matches * MATCH_KB * 1024 / GIGA
    resources = additions("prod")["Resources"].values()
    alarms = sum(one.get("Type") == "AWS::CloudWatch::Alarm" for one in resources)
    _add(
        costs,
        {
            "DynamoDB, storage": stored * PRICES["table_gb_month"],
            "DynamoDB, recovery": stored * PRICES["table_recovery_gb_month"],
            "metrics, alarms, dashboard": len(UNITS) * PRICES["metric_month"]
            + alarms * PRICES["alarm_month"]
            + PRICES["dashboard_month"],
            "keys and secrets": PRICES["secret_month"] + HOUSE_CONTAINERS * 12 * 24 * DAYS * PRICES["key_request"],
        },
    )
    return Bill(f"a month of {DAILY_PLAYERS:,} daily players", costs)


def waiting_or_asking(uses: Mapping[str, Use]) -> tuple[float, float]:
    """Dollars for a second in which a request would be kept waiting, with a look at the match's item; and for one more
    request, which asks again after that second."""
    waiting = MEMORY_GB * PRICES["lambda_gb_second"] + PRICES["table_read_unit"] / 2
    return waiting, sum(of_requests(uses["poll, none"], 1).values())


def requests_a_second() -> tuple[float, float]:
    """Of those players, in the mean and in the busiest hour."""
    mean = sum(A_DAY.values()) * DAILY_PLAYERS / (24 * 60 * 60)
    return mean, PEAK * mean


def _add(costs: Costs, more: Costs) -> None:
    for what, cost in more.items():
        costs[what] = costs.get(what, 0) + cost


def _access_log_bytes() -> int:
    """A line of the gateway's log: its format, with values about as long as their names."""
    setting = additions("prod")["Resources"]["RestAPI"]["Properties"]["AccessLogSetting"]
    return len(setting["Format"]) + LOG_EVENT_BYTES


def _print_uses(uses: Mapping[str, Use]) -> None:
    print(f"{'measured, a request':<20}{'RCU':>7}{'WCU':>7}{'calls':>7}{'CPU ms':>8}{'log B':>7}{'answer B':>10}")
    for kind, use in uses.items():
        units = f"{use.read:>7.2f}{use.write:>7.2f}{use.calls:>7.2f}{use.cpu_ms:>8.1f}"
        print(f"{kind:<20}{units}{use.log_bytes:>7.0f}{use.answer_bytes:>10.0f}")


def section(uses: Mapping[str, Use], measured_on: str) -> str:
    """The bill as the page has it."""
    moves, month = a_million_moves(uses), a_month(uses)
    lines = [
        f"Measured on {measured_on}, at on-demand prices of {PRICES['region']} as of {PRICES['as_of']}:",
        "",
        f"| | {moves.name}, $ | {month.name}, $ |",
        "|---|---|---|",
    ]
    for name, parts in TABLE.items():
        amounts = [_amount(bill, parts, digits) for bill, digits in ((moves, 2), (month, 0))]
        lines.append(f"| {name} | {amounts[0]} | {amounts[1]} |")
    lines.append(f"| **in all** | **{moves.total:,.2f}** | **{month.total:,.0f}** |")
    mean, busiest = requests_a_second()
    waiting, asking = (1e6 * dollars for dollars in waiting_or_asking(uses))
    player, gateway = 100 * month.total / DAILY_PLAYERS, 100 * month.costs["API Gateway"] / month.total
    lines += [
        "",
        f"A daily player costs {player:.1f} cents a month, of which API Gateway takes {gateway:.0f} % for requests.",
        f"All of them together send {mean:.0f} requests a second in the mean, and {busiest:.0f} when it is busiest.",
        f"A million seconds of keeping a request waiting would cost {waiting:.2f} $, a million polls {asking:.2f} $.",
        "",
    ]
    return "\n".join(lines)


def _amount(bill: Bill, parts: tuple[str, ...], digits: int) -> str:
    known = [bill.costs[part] for part in parts if part in bill.costs]
    return f"{sum(known):,.{digits}f}" if known else ""


def kept() -> tuple[dict[str, Use], str]:
    """The figures that were measured last for the page, and the day."""
    content = json.loads(MEASURED.read_text())
    return {kind: Use(**figures) for kind, figures in content["uses"].items()}, content["on"]


def with_section(page: str, text: str) -> str:
    """The page with the bill put in its place."""
    before, _, rest = page.partition(BEGIN)
    return before + BEGIN + text + END + rest.partition(END)[2]


def _keep(uses: Mapping[str, Use], measured_on: str) -> None:
    figures = {kind: {name: round(value, 2) for name, value in asdict(use).items()} for kind, use in uses.items()}
    MEASURED.write_text(json.dumps({"on": measured_on, "uses": figures}, indent=2) + "\n")
    PAGE.write_text(with_section(PAGE.read_text(encoding="utf-8"), section(*kept())), encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m dev.deploy.bill", description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the figures into docs/operations.md too")
    write = parser.parse_args().write
    try:
        uses = measured()
    except ServerFailed as failure:
        print(f"failed: {failure}", file=sys.stderr)
        return 1
    measured_on = time.strftime("%Y-%m-%d")
    if write:
        _keep(uses, measured_on)
        uses, measured_on = kept()
    _print_uses(uses)
    print(f"\n{section(uses, measured_on)}\n{PRICES['note']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
