"""The two ways to attack: every operation by itself, and operations in sequence, as an app uses them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import hypothesis
from schemathesis.engine import events, from_schema
from schemathesis.errors import FailureGroup

from chalicelib.api.present import MOVE_BODY
from chalicelib.engine import SEATS
from chalicelib.service.tables import lists, matches
from dev.fuzz.surroundings import Surroundings

Report = Callable[[str, int], None]
"""Called with (what is being done, requests so far)."""


@dataclass(slots=True)
class Findings:
    """What went wrong: (check, operation, message) → how to see it again."""

    found: dict[tuple[str, str, str], str] = field(default_factory=dict)

    def add(self, check: str, operation: str, message: str, sample: str | None) -> None:
        self.found.setdefault((check, operation, message.strip().splitlines()[0]), sample or "")


def requests_of(surroundings: Surroundings) -> int:
    return sum(surroundings.application.tally.values())


def one_by_one(surroundings: Surroundings, examples: int, report: Report) -> Findings:
    """Examples, coverage and fuzzing of each operation by itself, `examples` a mode."""
    findings = Findings()
    schema = surroundings.schema()
    schema.config.generation.max_examples = examples
    schema.config.phases.stateful.enabled = False

    for event in from_schema(schema).execute():
        if isinstance(event, events.ScenarioFinished):
            report(str(event.label), requests_of(surroundings))
            for found in _failures(event):
                findings.add(*found)
        elif isinstance(event, events.NonFatalError):
            findings.add("error", str(event.label), repr(event.value), None)
        elif isinstance(event, events.FatalError):
            raise event.exception
    return findings


def _failures(event: events.ScenarioFinished) -> Iterator[tuple[str, str, str, str | None]]:
    for checks in event.recorder.checks.values():
        for check in checks:
            if check.failure_info is not None:
                failure = check.failure_info.failure
                yield (
                    check.name,
                    str(failure.operation),
                    failure.message or failure.title,
                    check.failure_info.code_sample,
                )


def in_sequence(surroundings: Surroundings, scenarios: int, steps: int, report: Report, seed: int = 0) -> Findings:
    """Scenarios of linked operations. Half of the well formed moves and reads go to a match that is there."""
    findings = Findings()
    schema = surroundings.schema()

    class Scenario(schema.as_state_machine()):  # type: ignore[misc]  # a base that is made at run time
        def setup(self) -> None:
            surroundings.empty()
            self.chance = random.Random(seed)
            report("in sequence", requests_of(surroundings))

        def before_call(self, case: Any) -> None:
            if case.meta is not None and case.meta.generation.mode.is_positive and self.chance.random() < 0.5:
                _aim(surroundings, case, self.chance)

    settings = hypothesis.settings(
        max_examples=scenarios,
        stateful_step_count=steps,
        deadline=None,
        database=None,
        suppress_health_check=list(hypothesis.HealthCheck),
        phases=[hypothesis.Phase.generate],
        print_blob=False,
    )
    try:
        Scenario.run(settings=settings)
    except FailureGroup as group:
        for failure in group.exceptions:
            findings.add(type(failure).__name__, str(failure.operation), failure.message or failure.title, None)
    return findings


def _aim(surroundings: Surroundings, case: Any, chance: random.Random) -> None:
    """Send a well formed request to a match of the attacker's, a move as the next one and legal."""
    if "match_id" not in (case.path_parameters or {}):
        return
    moving = case.operation.definition.raw["operationId"] == "makeMove"
    mine = lists.list_mine(surroundings.services, surroundings.player_id).items
    mine = tuple(match for match in mine if match.your_turn or not moving)
    if not mine:
        return
    case.path_parameters["match_id"] = chance.choice(mine).id
    view = matches.read(surroundings.services, surroundings.player_id, case.path_parameters["match_id"])
    if moving and view.deal is not None:
        case.path_parameters["move_number"] = view.next_move
        case.body = dict(MOVE_BODY[chance.choice(view.deal.legal_moves).code])
    if "seat" in case.path_parameters:
        case.path_parameters["seat"] = chance.choice(SEATS).text
