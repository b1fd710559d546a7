"""The contract attacked for a short while; `make fuzz` does it for long."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from chalicelib.api import auth, wiring
from dev.fuzz.run import in_sequence, one_by_one, requests_of
from dev.fuzz.surroundings import Surroundings


@pytest.fixture
def surroundings(monkeypatch: pytest.MonkeyPatch) -> Iterator[Surroundings]:
    """An app to attack, which the other tests get back as it was."""
    monkeypatch.setenv(auth.KEYS_VARIABLE, "")
    monkeypatch.setenv("DO_DOONI_RATE_FACTOR", "")
    monkeypatch.setattr(wiring, "services", wiring.services)
    yield Surroundings()
    auth.signing_keys.cache_clear()


def quiet(_what: str, _requests: int) -> None:
    """Progress is for the long run."""


def test_each_operation_attacked_by_itself(surroundings: Surroundings) -> None:
    """No 5xx, no undocumented status or header, no answer off its schema, no ignored auth, no wrong data accepted."""
    assert {} == one_by_one(surroundings, 3, quiet).found
    assert requests_of(surroundings) > 300


def test_operations_attacked_in_sequence(surroundings: Surroundings) -> None:
    """The same, of what is made being found, and of what is gone being gone."""
    assert {} == in_sequence(surroundings, 10, 20, quiet).found
    assert requests_of(surroundings) > 100
    assert surroundings.application.tally["GET", "/matches/{match_id}", 200]
