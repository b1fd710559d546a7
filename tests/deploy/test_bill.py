"""The bill's arithmetic, on figures that can be checked by hand."""

from __future__ import annotations

from typing import Any

import pytest

from dev.deploy import bill
from dev.deploy.usage import Use

USE = Use(read=1, write=2, calls=2, cpu_ms=4, log_bytes=400, answer_bytes=1_000, requests=1)


class Noted(dict[str, Any]):
    """Prices, and which were asked for."""

    def __init__(self, prices: dict[str, Any]) -> None:
        super().__init__(prices)
        self.asked: set[str] = set()

    def __getitem__(self, name: str) -> Any:
        self.asked.add(name)
        return super().__getitem__(name)


def test_every_price_is_paid(monkeypatch: pytest.MonkeyPatch) -> None:
    """No price is written down that the month's bill leaves out."""
    prices = Noted(dict(bill.PRICES))
    monkeypatch.setattr(bill, "PRICES", prices)
    bill.a_month(dict.fromkeys([*bill.A_DAY, "sweep"], USE))
    assert {"region", "as_of", "note"} == prices.keys() - prices.asked


def test_the_page_has_the_bill_that_was_measured() -> None:
    """docs/operations.md says what the command has printed of the figures in measured.json."""
    page = bill.PAGE.read_text(encoding="utf-8")
    stale = "dev/deploy/measured.json or the bill has changed: make bill ARGS=--write"
    assert bill.with_section(page, bill.section(*bill.kept())) == page, stale


def test_every_request_of_a_day_was_measured() -> None:
    """And nothing beside, but the sweep."""
    assert {*bill.A_DAY, "sweep"} == bill.kept()[0].keys(), "make bill ARGS=--write"


def test_every_cost_is_a_line_of_the_table() -> None:
    """The table leaves nothing out of the sum."""
    costs = bill.a_month(dict.fromkeys([*bill.A_DAY, "sweep"], USE)).costs
    assert costs.keys() == {part for parts in bill.TABLE.values() for part in parts}


def test_asking_again_costs_less_than_waiting() -> None:
    """Lambda is paid by the second: as long as that is dearer than another request, none is kept waiting."""
    waiting, asking = bill.waiting_or_asking({"poll, none": USE})
    assert pytest.approx((1769 / 1024) * 0.0000133334 + 0.0625e-6) == waiting
    assert asking < waiting / 3


def test_a_million_requests_cost_what_they_use() -> None:
    """4 ms and two calls of 5 ms are 14 ms, and a hundredth of a start's 600 ms are 6 more."""
    costs = bill.of_requests(USE, 1e6)
    expected = {
        "API Gateway": 3.5,
        "Lambda, requests": 0.2,
        "Lambda, time": 1e6 * 0.020 * (1769 / 1024) * 0.0000133334,
        "DynamoDB, reads": 0.125,
        "DynamoDB, writes": 1.25,
        "answers sent": 0.09,
        "keys and secrets": 0.05,  # ten thousand starts read them
    }
    assert pytest.approx(expected) == {what: costs[what] for what in expected}
    assert expected.keys() | {"logs"} == costs.keys()
