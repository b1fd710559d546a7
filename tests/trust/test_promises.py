"""Every promise, tried a few times: `make trust` tries them many times."""

from __future__ import annotations

import pytest

from dev.trust import PROMISES
from dev.trust.promise import Place, Promise


@pytest.mark.parametrize(
    "promise", [pytest.param(each, id=each.name, marks=[pytest.mark.slow] * each.slow) for each in PROMISES]
)
def test_promise(promise: Promise, place: Place) -> None:
    """What the promise says holds at every attempt."""
    tally = promise.tally(place, promise.short)
    assert [] == tally.broken
    assert promise.short <= tally.tried == tally.held
