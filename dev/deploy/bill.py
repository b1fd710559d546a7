"""`make bill`: what a million moves cost, and a month of 10,000 daily players: what requests use × what that costs.

Measured in the run (`dev.deploy.usage`): capacity units, calls of the store, the processor's time, bytes of log and of
answers. Prices are in prices.json; what is assumed stands below. With `ARGS=--write` the figures are kept in
measured.json and the bill is written into docs/operations.md.
"""

from __future__ import annotations

import json
import math
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from chalicelib.api.metrics import UNITS
from dev.deploy.package import ROOT, additions
from dev.deploy.usage import LOG_EVENT_BYTES, Uses, measured

PRICES: dict[str, Any] = json.loads(Path(__file__).with_name("prices.json").read_text())
"""Its "lines" are those of the bill: line → thing that is paid for → dollars."""
MEASURED = Path(__file__).with_name("measured.json")
PAGE = ROOT / "docs/operations.md"
BEGIN, END = "<!-- by make bill ARGS=--write -->\n", "<!-- end of the bill -->\n"
MEMORY_GB = 1769 / 1024
DAILY_PLAYERS, DAYS = 10_000, 30

# Assumed.
STORE_CALL_MS = 5
"""A DynamoDB call inside a region, which a local store answers faster. Lambda is paid while it waits."""
COLD_SHARE, COLD_MS = 0.01, 600
"""One request in a hundred meets a new container, whose start is paid too, and its reading the keys."""
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
"""The requests of one player in a day."""
MATCH_GB, KEPT_MONTHS = 6 * 1024 / 1e9, 12
"""A match with its deals, events and memberships, kept for a year."""
PEAK = 5
"""The busiest hour against the mean."""
CONTAINERS = 20
"""At work at a time, each of which has DynamoDB ask for the table's key every five minutes."""

Quantities = Mapping[str, float]
"""Thing that is paid for → how much of it."""


def of_request(use: Mapping[str, float], *, through_gateway: bool = True) -> Counter[str]:
    """What one request of a kind is paid for."""
    ms = math.ceil(use["cpu_ms"] + use["calls"] * STORE_CALL_MS) + COLD_SHARE * COLD_MS
    paid = {
        "lambda_request": 1,
        "lambda_gb_second": ms / 1000 * MEMORY_GB,
        "table_read_unit": use["read"],
        "table_write_unit": use["write"],
        "log_gb": use["log_bytes"] / 1e9,
    }
    if through_gateway:
        paid["log_gb"] += (len(_access_log_format()) + LOG_EVENT_BYTES) / 1e9
        paid |= {"gateway_request": 1, "secret_read": COLD_SHARE, "transfer_gb": use["answer_bytes"] / 1e9}
    paid["log_gb_month"] = 3 * paid["log_gb"]
    return Counter(paid)


def a_month(uses: Uses) -> Counter[str]:
    """All that 10,000 daily players do in a month, and what the service needs when nobody plays."""
    paid = Counter[str]()
    for kind, times in A_DAY.items():
        paid.update(times_as_much(of_request(uses[kind]), times * DAILY_PLAYERS * DAYS))
    paid.update(times_as_much(of_request(uses["sweep"], through_gateway=False), 60 * 24 * DAYS))
    stored = A_DAY["new match"] * DAILY_PLAYERS * DAYS * KEPT_MONTHS * MATCH_GB
    alarms = [one for one in additions("prod")["Resources"].values() if one.get("Type") == "AWS::CloudWatch::Alarm"]
    paid.update({"table_gb_month": stored, "table_recovery_gb_month": stored, "metric_month": len(UNITS)})
    paid.update({"alarm_month": len(alarms), "dashboard_month": 1, "secret_month": 1})
    paid.update({"key_request": CONTAINERS * 12 * 24 * DAYS})
    return paid


def times_as_much(paid: Quantities, times: float) -> dict[str, float]:
    return {thing: times * amount for thing, amount in paid.items()}


def by_line(paid: Quantities) -> dict[str, float]:
    """Dollars by the bill's lines. Raises KeyError for a thing without a price."""
    price = {thing: (line, dollars) for line, things in PRICES["lines"].items() for thing, dollars in things.items()}
    bill: dict[str, float] = {}
    for thing, amount in paid.items():
        line, dollars = price[thing]
        bill[line] = bill.get(line, 0) + amount * dollars
    return bill


def waiting_and_asking(uses: Uses) -> tuple[float, float]:
    """Dollars for a second in which a request would be kept waiting, with a look at the match's item; and for one more
    request, which asks again after that second."""
    waiting = by_line({"lambda_gb_second": MEMORY_GB, "table_read_unit": 1 / 2})
    return sum(waiting.values()), sum(by_line(of_request(uses["poll, none"])).values())


def _access_log_format() -> str:
    """About as long as a line of the gateway's log: its values are about as long as their names."""
    text: str = additions("prod")["Resources"]["RestAPI"]["Properties"]["AccessLogSetting"]["Format"]
    return text


def section(uses: Uses, measured_on: str) -> str:
    """The bill as the page has it."""
    moves, month = by_line(times_as_much(of_request(uses["move"]), 1e6)), by_line(a_month(uses))
    rows = [(line, f"{moves[line]:,.2f}" if line in moves else "", f"{month[line]:,.0f}") for line in PRICES["lines"]]
    total = sum(month.values())
    rows.append(("**in all**", f"**{sum(moves.values()):,.2f}**", f"**{total:,.0f}**"))
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    mean = sum(A_DAY.values()) * DAILY_PLAYERS / (24 * 60 * 60)
    waiting, asking = (1e6 * dollars for dollars in waiting_and_asking(uses))
    return f"""\
Measured on {measured_on}, at on-demand prices of {PRICES["region"]} as of {PRICES["as_of"]}:

| | a million moves, $ | a month of {DAILY_PLAYERS:,} daily players, $ |
|---|---|---|
{table}

A daily player costs {100 * total / DAILY_PLAYERS:.1f} cents a month, of which API Gateway takes \
{100 * month["API Gateway"] / total:.0f} % for requests.
All of them together send {mean:.0f} requests a second in the mean, and {PEAK * mean:.0f} when it is busiest.
A million seconds of keeping a request waiting would cost {waiting:.2f} $, a million polls {asking:.2f} $.
"""


def with_section(page: str, text: str) -> str:
    """The page with the bill put in its place."""
    before, _, rest = page.partition(BEGIN)
    return before + BEGIN + text + END + rest.partition(END)[2]


def last_measured() -> tuple[Uses, str]:
    """The figures of the page, and the day they were measured."""
    content = json.loads(MEASURED.read_text())
    return content["uses"], content["on"]


def bill(*, write: bool) -> str:
    """Measures, and returns what the command prints. Raises `ServerFailed`."""
    uses, measured_on = measured(), time.strftime("%Y-%m-%d")
    text = section(uses, measured_on)
    if write:
        MEASURED.write_text(json.dumps({"on": measured_on, "uses": uses}, indent=2) + "\n")
        PAGE.write_text(with_section(PAGE.read_text(encoding="utf-8"), text), encoding="utf-8")
    units = "\n".join(f"{kind:<20}" + "".join(f"{one:>14,.2f}" for one in use.values()) for kind, use in uses.items())
    heading = f"{'a request':<20}" + "".join(f"{unit:>14}" for unit in uses["move"])
    return f"{heading}\n{units}\n\n{text}\n{PRICES['note']}"
