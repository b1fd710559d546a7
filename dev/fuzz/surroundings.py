"""What the attacked app stands on: a store in memory that is emptied from time to time, and players to attack as."""

from __future__ import annotations

import base64
import json
import logging
import os
import random
from typing import Any

import schemathesis
from chalice.config import Config
from schemathesis.config import OperationConfig
from schemathesis.transport.wsgi import WSGITransport

from app import app
from chalicelib.api import auth, wiring
from chalicelib.api.routes import BASE
from chalicelib.service.people import accounts
from chalicelib.service.services import Services
from chalicelib.service.tables import matches
from chalicelib.store.memory import MemoryStore
from dev.contract.components import unions
from dev.fuzz.wsgi import Application
from dev.local.gateway import Gateway, ThreadedApp
from dev.openapi import contract

_NOW = 1_800_000_000
_SOCKET_SETTINGS = ("max_redirects", "verify", "cert", "proxies")
MOST_MATCHES = 40
"""A player may have 50 at once: the store is emptied before that."""


class Surroundings:
    """One attacked app. `token` is the attacker's."""

    def __init__(self) -> None:
        os.environ[auth.KEYS_VARIABLE] = json.dumps({"fuzz": base64.urlsafe_b64encode(os.urandom(32)).decode()})
        os.environ["DO_DOONI_RATE_FACTOR"] = "0"
        auth.signing_keys.cache_clear()
        logging.getLogger("chalicelib.api.logs").setLevel(logging.ERROR)
        app.__class__ = ThreadedApp
        self.application = Application(Gateway(app, Config.create(lambda_timeout=29), "192.0.2.1"))
        self.empty()
        wiring.services = lambda: self.services  # type: ignore[assignment]  # in place of a cached function

    def empty(self) -> None:
        """A new store, with an attacker in it who plays a match; always the same, so that a finding is found again."""
        self.services = Services(MemoryStore(), lambda: _NOW, random.Random(1).randbytes)
        self.player_id, self.token = self.player()
        matches.create(self.services, self.player_id, matches.NewMatch(deals=1))

    def empty_if_full(self) -> None:
        if len(self.services.store.live(self.player_id)) >= MOST_MATCHES:
            self.empty()

    def player(self) -> tuple[str, str]:
        """A new player's id and token."""
        grant = accounts.sign_up(self.services, "Fuzz")
        return grant.player.id, auth.issue(grant.player.id, grant.session_id, self.services.now())

    def token_for(self, case: Any) -> str:
        """The attacker's token; another player's for what would end the attacker."""
        ending = case.method.upper() == "DELETE" and case.path.startswith("/me")
        return self.player()[1] if ending else self.token

    def schema(self) -> Any:
        """The contract, with every check of schemathesis on but for what is said here."""
        WSGITransport.send = _in_process  # type: ignore[method-assign]  # a patch: see _in_process
        schema = schemathesis.openapi.from_dict(_told_apart(contract()) | {"servers": [{"url": BASE}]})
        schema.app, schema.location = self.application, "/openapi.json"
        config = schema.config
        config.continue_on_failure = True
        config.generation.database = "none"
        config.generation.deterministic = False
        # A move may be legal JSON and no legal move: 422 says that a request was understood.
        config.checks.positive_data_acceptance.expected_statuses.append("422")
        for operation in ("createPlayer", "updateMe", "listMatches", "exportMe"):
            # What a name may hold (no controls, 72 bytes), and which cursors there are, is more than a schema can say.
            own = OperationConfig.from_dict(
                {"include-operation-id": operation, "checks": {"positive_data_acceptance": {"enabled": False}}}
            )
            config.operations.operations.append(own)
        schema.auth(refresh_interval=None)(self._attacker())
        return schema

    def _attacker(self) -> type:
        surroundings = self

        class Attacker:
            def get(self, case: Any, _context: Any) -> str:
                surroundings.empty_if_full()
                return surroundings.token_for(case)

            def set(self, case: Any, token: str, _context: Any) -> None:
                case.headers["Authorization"] = f"Bearer {token}"

        return Attacker


def _told_apart(document: dict[str, Any]) -> dict[str, Any]:
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


_send = WSGITransport.send


def _in_process(self: WSGITransport, case: Any, **kwargs: Any) -> Any:
    """schemathesis 4.32 hands its probes' settings for sockets to werkzeug too, which knows none."""
    for name in _SOCKET_SETTINGS:
        kwargs.pop(name, None)
    return _send(self, case, **kwargs)
