"""`make bill`: what a million moves cost, and a month of 10,000 daily players, from measured figures.

Measured in this very run (`dev.deploy.usage`): capacity units, calls of the store, the processor's time, bytes of log
and of answers. Assumed, and said with each: how long Amazon's own DynamoDB takes to answer, and what a player does in a
day. Prices are those of prices.json.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from chalicelib.api.metrics import UNITS
from dev.deploy.package import additions
from dev.deploy.usage import LOG_EVENT_BYTES, Use, measured
from dev.local.servers import ServerFailed

PRICES: dict[str, float] = json.loads(Path(__file__).with_name("prices.json").read_text())
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
    "poll, none": 5 * 26,
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
    """All that 10,000 daily players do in a month, and what the house costs when nobody plays."""
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


def _print_bill(bill: Bill) -> None:
    print(f"\n{bill.name}, $")
    for what, cost in sorted(bill.costs.items(), key=lambda item: -item[1]):
        print(f"  {what:<28}{cost:>9.2f}")
    print(f"  {'in all':<28}{bill.total:>9.2f}")


def main() -> int:
    try:
        uses = measured()
    except ServerFailed as failure:
        print(f"failed: {failure}", file=sys.stderr)
        return 1
    _print_uses(uses)
    for bill in (a_million_moves(uses), a_month(uses)):
        _print_bill(bill)
    month = a_month(uses).total / DAILY_PLAYERS
    mean, peak = requests_a_second()
    print(f"\n{100 * month:.2f} cents a daily player and month; {mean:.0f} requests a second, {peak:.0f} when busiest")
    print(f"prices: {PRICES['region']}, {PRICES['as_of']}. {PRICES['note']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
