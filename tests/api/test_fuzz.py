"""The contract attacked for a short while; `make fuzz` does it for long."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from chalicelib.api import auth, wiring
from dev.fuzz.attack import Target


@pytest.fixture
def target(monkeypatch: pytest.MonkeyPatch) -> Iterator[Target]:
    """An app to attack, which the other tests get back as it was."""
    monkeypatch.setenv(auth.KEYS_VARIABLE, "")
    monkeypatch.setenv("DO_DOONI_RATE_FACTOR", "")
    monkeypatch.setattr(wiring, "services", wiring.services)
    yield Target()
    auth.signing_keys.cache_clear()


def test_nothing_is_found(target: Target) -> None:
    """No 5xx, no undocumented status or header, no answer off its schema, no ignored auth, no wrong data accepted; in
    sequence what is made is found, and what is gone is gone."""
    assert {} == target.attack(3, 10, 20, lambda _what, _requests: None)
    assert target.answers.total() > 400
    assert target.answers["GET", "/matches/{match_id}", 200]
    assert target.answers["PUT", "/matches/{match_id}/moves/{move_number}", 200]
