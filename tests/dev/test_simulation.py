"""A short simulation, always the same one, and that it does not pass over a broken promise."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test

from chalicelib.api import present
from chalicelib.match.model import Match
from chalicelib.match.sets import SetResult
from chalicelib.match.view import Event
from chalicelib.service.clock.sweep import SweepReport
from chalicelib.service.tables import seats
from chalicelib.store.memory import MemoryStore
from dev.simulation import crowd, sets
from dev.simulation.crowd import Crowd
from dev.simulation.screen import Screen


def simulate(runs: int) -> None:
    short = settings(
        max_examples=runs,
        stateful_step_count=40,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(seed(1)(Crowd), settings=short)


def test_a_crowd() -> None:
    """Every match ends, every deadline is kept, no event is lost, doubled or told otherwise, and every screen that is
    rebuilt from events is the view, though answers get lost and sweeps crash, overlap and stop early."""
    Crowd.counts.clear()
    simulate(8)
    counts = Crowd.counts
    assert counts["ended: finished"] + counts["ended: abandoned"] > 10
    for name in ("moves", "time-outs", "rematches", "seats left", "sweeps that crashed", "writes without an answer"):
        assert counts[name], name


HONEST = present.event


def without_numbers(event: Event) -> dict[str, Any]:
    return HONEST(event) | ({"number": 7} if event.type == "call" else {})


@pytest.mark.parametrize(
    ("owner", "name", "broken"),
    [
        pytest.param(crowd, "sweep", lambda *_: SweepReport(), id="a sweep that does nothing"),
        pytest.param(present, "event", without_numbers, id="calls told as sevens"),
        pytest.param(MemoryStore, "batches", lambda *_: (), id="seat events that are lost"),
        pytest.param(seats, "_let_in", lambda *_: None, id="a table that asks for no code"),
    ],
)
def test_what_is_broken_is_found(owner: Any, name: str, broken: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of these faults is seen."""
    monkeypatch.setattr(owner, name, broken)
    with pytest.raises((AssertionError, ValueError, KeyError)):
        simulate(150)


def test_gaps() -> None:
    """A screen does not read past a missing event."""
    with pytest.raises(ValueError, match="event 2 after 0"):
        Screen("m", "p").read({"items": [{"version": 2, "type": "pass"}]})


def test_histograms_are_their_recounts() -> None:
    """Of dailies and challenges, though answers get lost and entries are counted late and again."""
    counts, wrong = sets.simulate(players=10, days=1, challenges=1, seed=1)
    assert [] == wrong
    assert counts["lost"] and counts["counted"] and counts["sets"] == 2


def test_an_entry_that_is_counted_twice_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A store that counts whatever it is asked to."""

    def careless(self: MemoryStore, match: Match, result: SetResult) -> None:
        assert match.entry is not None
        self._keep_result(match.entry.set_id, result)
        self.reschedule(match, None)

    monkeypatch.setattr(MemoryStore, "fold", careless)
    assert sets.simulate(players=10, days=1, challenges=1, seed=1)[1]
