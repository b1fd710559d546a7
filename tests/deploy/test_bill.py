"""The bill's arithmetic, on figures that can be checked by hand."""

from __future__ import annotations

import pytest

from dev.deploy import bill

USE = {"read": 1.0, "write": 2, "calls": 2, "cpu_ms": 4, "log_bytes": 400, "answer_bytes": 1_000}
USES = dict.fromkeys([*bill.A_DAY, "sweep"], USE)


def test_every_price_is_paid() -> None:
    """No price is written down that the month's bill leaves out; a thing without a price is a KeyError."""
    assert {thing for things in bill.PRICES["lines"].values() for thing in things} == bill.a_month(USES).keys()
    assert bill.PRICES["lines"].keys() == bill.by_line(bill.a_month(USES)).keys()


def test_the_page_has_the_bill_that_was_measured() -> None:
    """docs/operations.md says what the command makes of the figures in measured.json, which are of all of a day."""
    page = bill.PAGE.read_text(encoding="utf-8")
    stale = "dev/deploy/measured.json or the bill has changed: make bill ARGS=--write"
    assert bill.with_section(page, bill.section(*bill.last_measured())) == page, stale
    assert USES.keys() == bill.last_measured()[0].keys(), stale


def test_asking_again_costs_less_than_waiting() -> None:
    """Lambda is paid by the second: as long as that is dearer than another request, none is kept waiting."""
    waiting, asking = bill.waiting_and_asking(USES)
    assert pytest.approx((1769 / 1024) * 0.0000133334 + 0.0625e-6) == waiting
    assert asking < waiting / 3


def test_a_million_requests_cost_what_they_use() -> None:
    """4 ms and two calls of 5 ms are 14 ms, and a hundredth of a start's 600 ms are 6 more."""
    costs = bill.by_line(bill.times_as_much(bill.of_request(USE), 1e6))
    expected = {
        "API Gateway": 3.5,
        "Lambda": 0.2 + 1e6 * 0.020 * (1769 / 1024) * 0.0000133334,
        "DynamoDB, reads and writes": 0.125 + 1.25,
        "answers sent": 0.09,
        "metrics, alarms, keys": 0.05,  # ten thousand starts read the keys
    }
    assert pytest.approx(expected) == {line: costs[line] for line in expected}
    assert expected.keys() | {"logs"} == costs.keys()
