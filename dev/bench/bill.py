"""The bill, from figures measured in the same run (dev/deploy/bill.py says what is assumed besides)."""

from __future__ import annotations

from collections.abc import Iterator

from dev.bench.row import Row
from dev.deploy.bill import DAILY_PLAYERS, a_million_moves, a_month
from dev.deploy.usage import measured


def rows() -> Iterator[Row]:
    """Dollars, and what a move of four people takes."""
    uses = measured()
    move = uses["move"]
    yield Row("bill, a move on average, reads", move.read, "RCU")
    yield Row("bill, a move on average, writes", move.write, "WCU")
    yield Row("bill, a move on average, CPU", move.cpu_ms, "ms")
    yield Row("bill, a move on average, log", move.log_bytes, "bytes")
    for bill in (a_million_moves(uses), a_month(uses)):
        yield Row(f"bill, {bill.name}", bill.total, "$")
    yield Row("bill, a daily player and month", 100 * a_month(uses).total / DAILY_PLAYERS, "cents")
