"""A small simulation, screens built of events, and that neither would pass over a broken promise."""

from __future__ import annotations

from typing import Any

import pytest

from chalicelib.api import present
from chalicelib.match.view import Event
from chalicelib.service.clock.sweep import SweepReport
from dev.simulation import simulation as room
from dev.simulation.record import Broken, Record
from dev.simulation.screen import Screen
from dev.simulation.simulation import Simulation
from dev.simulation.walk import Differs, Walk


def test_a_season() -> None:
    """Every match ends, every deadline is honoured within two sweeps, no event is lost or doubled: whatever players
    do, though sweeps crash, overlap and stop early, and answers get lost."""
    simulation = Simulation(20, seed=7)
    simulation.run()
    counts = simulation.counts
    assert counts["ended: finished"] + counts["ended: abandoned"] == len(simulation.store.due_at) >= 20
    for name in ("sweeps that crashed", "sweeps within a sweep", "time-outs", "back by a PUT", "days without a sweep"):
        assert counts[name], name
    assert simulation.store.unanswered


@pytest.mark.parametrize("seed", range(2))
def test_screens(seed: int) -> None:
    """A screen that is built of the feed's events alone is the view, at every version, for every seat and a
    spectator."""
    walked = Walk(seed)
    walked.run()
    assert walked.compared["spectator"] and walked.compared["north"]


class TestTheChecksThemselves:
    """A broken promise is seen."""

    def test_deadlines(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A sweep that does nothing breaks the promise of the clock."""
        monkeypatch.setattr(room, "sweep", lambda *_: SweepReport())
        with pytest.raises(Broken, match="still are"):
            Simulation(20, seed=1).run()

    def test_events(self) -> None:
        """An event that is told twice differently, a gap, and a lost one."""
        record = Record()
        one, other, two = Event(1, 0, "call"), Event(1, 0, "pass"), Event(2, 0, "pass")
        record.acknowledged("m", [one])
        with pytest.raises(Broken, match="two events"):
            record.acknowledged("m", [other])
        with pytest.raises(Broken, match="gaps"):
            record.check("m", 2, (two,))
        record.acknowledged("m", [two])
        with pytest.raises(Broken, match="lost"):
            record.check("m", 1, (one,))

    def test_screens(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A feed that keeps something back makes another screen."""
        told = present.event

        def keeping_back(event: Event) -> dict[str, Any]:
            shown = told(event)
            shown.pop("number", None)
            return shown | ({"number": 7} if event.type == "call" else {})

        monkeypatch.setattr(present, "event", keeping_back)
        with pytest.raises((Differs, ValueError)):
            for seed in range(3):
                Walk(seed).run()

    def test_gaps(self) -> None:
        """A screen does not read past a missing event."""
        screen = Screen("m", "p")
        with pytest.raises(ValueError, match="event 2 after 0"):
            screen.read({"items": [{"version": 2, "type": "pass"}]})
