"""One phone's calls to a deployed stage: every answer is what it should be, or the call fails."""

from __future__ import annotations

import secrets
from typing import Any

import requests

Json = dict[str, Any]
_PATIENCE = 300


class Unexpected(AssertionError):
    """The stage answered otherwise than it should."""


class Guest:
    """A player on one device."""

    def __init__(self, base: str) -> None:
        self._base = base
        self._http = requests.Session()
        self.tokens: Json = {}
        self.id = ""

    def close(self) -> None:
        self._http.close()

    def sign_up(self, name: str) -> None:
        answer = self.call("POST", "/players", {"name": name}, expected=201)
        self.tokens, self.id = answer["tokens"], answer["player"]["id"]

    def refresh(self) -> None:
        grant = {"type": "refresh", "refresh_token": self.tokens["refresh_token"], "client_nonce": secrets.token_hex(8)}
        self.tokens = {}
        self.tokens = self.call("POST", "/tokens", grant)["tokens"]

    def call(self, method: str, path: str, body: Json | None = None, *, expected: int = 200) -> Json:
        """The answer's body, of a request that is to end with this status."""
        status, answer = self.ask(method, path, body)
        if status != expected:
            raise Unexpected(f"{method} {path}: {status} {answer.get('code')}")
        return answer

    def ask(self, method: str, path: str, body: Json | None = None) -> tuple[int, Json]:
        """Status and body, whatever they are."""
        headers = {"Authorization": f"Bearer {self.tokens['access_token']}"} if self.tokens else {}
        answer = self._http.request(method, self._base + path, json=body, headers=headers, timeout=_PATIENCE)
        return answer.status_code, answer.json() if answer.content else {}

    def move(self, match: Json, choice: int = 0) -> tuple[int, Json]:
        """Make one of the legal moves of a view that is mine."""
        moves = match["you"]["legal_moves"]
        return self.ask("PUT", f"/matches/{match['id']}/moves/{match['next_move']}", moves[choice % len(moves)])
