"""What schemathesis needs to attack the app in this process: a store, an attacker, and what a schema cannot say."""

from __future__ import annotations

import base64
import json
import random
import secrets
from collections import Counter
from collections.abc import Callable
from typing import Any

import schemathesis
from schemathesis.config import OperationConfig
from schemathesis.engine import events, from_schema

from chalicelib.api.app import create_app
from chalicelib.api.auth import Keys
from chalicelib.api.routes import BASE
from chalicelib.api.shapes import MOVE_BODY
from chalicelib.engine import SEATS
from chalicelib.service.people import accounts
from chalicelib.service.services import Services
from chalicelib.service.tables import lists, matches
from chalicelib.store.memory import MemoryStore
from dev.contract.components import unions
from dev.local.gateway import Gateway
from dev.local.http_server import Web
from dev.openapi import contract

_NOW = 1_800_000_000
_MOST_MATCHES = 40
"""A player may have 50 at once: the store is emptied before that."""


class Target:
    """The app under attack, behind the local gateway; `answers` counts (method, route, status)."""

    def __init__(self) -> None:
        keys = json.dumps({"fuzz": base64.urlsafe_b64encode(secrets.token_bytes(32)).decode()})
        self._keys = Keys(lambda: keys)
        self.answers: Counter[tuple[str, str, int]] = Counter()
        self._chance = random.Random(1)
        self.application = Web(self.empty(), log=self._count)

        @schemathesis.hook
        def before_call(context: Any, case: Any, kwargs: Any) -> None:
            self._aim(case)

    def _count(self, method: str, route: str, status: int, _seconds: float) -> None:
        self.answers[method, route.removeprefix(BASE), status] += 1

    def empty(self) -> Gateway:
        """An app with a new store, in which the attacker plays a match."""
        self.services = Services(MemoryStore(), lambda: _NOW, random.Random(1).randbytes)
        self.player_id, self._token = self._player()
        matches.create(self.services, self.player_id, matches.NewMatch(deals=1))
        return Gateway(create_app(self.services, self._keys, rate_factor=0))

    def _player(self) -> tuple[str, str]:
        """A new player's id and token."""
        grant = accounts.sign_up(self.services, "Fuzz")
        return grant.player.id, self._keys.issue(grant.player.id, grant.session_id, self.services.now())

    def attack(self, examples: int, scenarios: int, steps: int, report: Callable[[str, int], None]) -> dict[str, str]:
        """Each operation by itself, then `scenarios` of linked ones: what was found → how to see it again."""
        schema = self._schema()
        schema.config.generation.max_examples = examples
        schema.config.phases.stateful.max_steps = steps
        schema.config.phases.stateful.generation.max_examples = scenarios
        found: dict[str, str] = {}
        for event in from_schema(schema).execute():
            if isinstance(event, events.FatalError):
                raise event.exception
            if isinstance(event, events.NonFatalError):
                found[f"error: {event.label}: {event.value!r}"] = ""
            if isinstance(event, events.ScenarioFinished):
                report(str(event.label or "in sequence"), self.answers.total())
                for check in (check for checks in event.recorder.checks.values() for check in checks):
                    if check.failure_info is not None:
                        failure = check.failure_info.failure
                        what = (failure.message or failure.title).strip().splitlines()[0]
                        found.setdefault(
                            f"{check.name}: {failure.operation}: {what}", check.failure_info.code_sample or ""
                        )
        return found

    def _schema(self) -> Any:
        """The contract, with every check of schemathesis on but for what is said here."""
        schema = schemathesis.openapi.from_dict(_with_unions(contract()) | {"servers": [{"url": BASE}]})
        schema.app, schema.location = self.application, "/openapi.json"
        config = schema.config
        config.continue_on_failure = True
        config.generation.database = "none"
        # A move may be legal JSON and no legal move: 422 says that a request was understood.
        config.checks.positive_data_acceptance.expected_statuses.append("422")
        for operation in ("createPlayer", "updateMe", "listMatches", "exportMe"):
            # What a name may hold (no controls, 72 bytes), and which cursors there are, is more than a schema can say.
            own = {"include-operation-id": operation, "checks": {"positive_data_acceptance": {"enabled": False}}}
            config.operations.operations.append(OperationConfig.from_dict(own))
        target = self

        @schema.auth(refresh_interval=None)
        class Attacker:
            def get(self, case: Any, _context: Any) -> str:
                return target.token_for(case)

            def set(self, case: Any, token: str, _context: Any) -> None:
                case.headers["Authorization"] = f"Bearer {token}"

        return schema

    def token_for(self, case: Any) -> str:
        """The attacker's token; another player's for what would end the attacker."""
        if len(self.services.store.live(self.player_id)) >= _MOST_MATCHES:
            self.application.gateway = self.empty()
        ending = case.method.upper() == "DELETE" and case.path.startswith("/me")
        return self._player()[1] if ending else self._token

    def _aim(self, case: Any) -> None:
        """Send half of the well-formed requests to a match of the attacker's, a move as the next one and legal."""
        well_formed = case.meta is not None and case.meta.generation.mode.is_positive
        if not well_formed or "match_id" not in (case.path_parameters or {}) or self._chance.random() < 0.5:
            return
        moving = case.operation.definition.raw["operationId"] == "makeMove"
        mine = lists.list_mine(self.services, self.player_id).items
        mine = tuple(match for match in mine if match.your_turn or not moving)
        if not mine:
            return
        match_id = case.path_parameters["match_id"] = self._chance.choice(mine).id
        view = matches.read(self.services, self.player_id, match_id)
        if moving and view.deal is not None:
            case.path_parameters["move_number"] = view.next_move
            case.body = dict(MOVE_BODY[self._chance.choice(view.deal.legal_moves).code])
        if "seat" in case.path_parameters:
            case.path_parameters["seat"] = self._chance.choice(SEATS).text


def _with_unions(document: dict[str, Any]) -> dict[str, Any]:
    """The contract with unions: objects told apart by their `type` are flat in it, for generators' sake, but what is
    sent, and what must be refused, is made from what the app takes, the members that belong to the type."""
    schemas = document["components"]["schemas"]
    for union in unions():
        flat = schemas[union.component]
        schemas[union.component] = {
            "oneOf": [
                {
                    "type": "object",
                    "properties": {name: flat["properties"][name] for name in member().fields}
                    | {"type": {"const": word}},
                    "required": [name for name, field in member().fields.items() if field.required],
                    "additionalProperties": False,
                }
                for word, member in union.members.items()
            ]
        }
    return document
