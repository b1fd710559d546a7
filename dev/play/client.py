"""The API as the terminal client calls it. Whatever fails on the way is tried again: of the writes made here
signing up alone may happen twice, and a spare guest harms nobody."""

from __future__ import annotations

import secrets
import time
import uuid
from typing import Any

import requests

Json = dict[str, Any]
_TRIES = 4
_PATIENCE = (3, 15)
"""Seconds to connect, and to wait for an answer."""


class Refused(Exception):
    """The server's own no: a problem document (RFC 9457)."""

    def __init__(self, status: int, problem: Json) -> None:
        super().__init__(problem.get("detail") or problem.get("title") or f"the server answered {status}")
        self.status = status
        self.code: str = problem.get("code", "")
        self.current: Json | None = problem.get("current")
        """The match as it is, where the refusal says so."""


class Unreachable(Exception):
    """No answer, or none but "try later", however often it was asked."""


class Client:
    """One player's calls to one server."""

    def __init__(self, server: str) -> None:
        self._base = server.rstrip("/").removesuffix("/v1") + "/v1"
        self._http = requests.Session()
        self._tokens: Json = {}

    def sign_up(self, name: str) -> Json:
        """A new guest account, whose tokens the later calls use."""
        answer = self._call("POST", "/players", {"name": name})
        self._tokens = answer["tokens"]
        player: Json = answer["player"]
        return player

    def create_match(self, options: Json) -> Json:
        """A match by `options` ({}: solo against bots), made once however often the request has to be sent."""
        return self._call("POST", "/matches", options, {"Idempotency-Key": str(uuid.uuid4())})

    def match(self, match_id: str) -> Json:
        """My view."""
        return self._call("GET", f"/matches/{match_id}")

    def move(self, match_id: str, number: int, move: Json) -> Json:
        """Make move `number`: the view after it, and the events since."""
        return self._call("PUT", f"/matches/{match_id}/moves/{number}", move)

    def events(self, match_id: str, after: int) -> Json:
        """What happened since version `after`, with my view if anything did."""
        return self._call("GET", f"/matches/{match_id}/events?after={after}&view=true")

    def _call(self, method: str, path: str, body: Json | None = None, headers: dict[str, str] | None = None) -> Json:
        try:
            return self._insist(method, path, body, headers)
        except Refused as refusal:
            if refusal.status != 401 or not self._tokens:
                raise
        self._refresh()
        return self._insist(method, path, body, headers)

    def _refresh(self) -> None:
        refresh_token = self._tokens["refresh_token"]
        body = {"type": "refresh", "refresh_token": refresh_token, "client_nonce": secrets.token_urlsafe(16)}
        self._tokens = {}
        self._tokens = self._insist("POST", "/tokens", body, None)["tokens"]

    def _insist(self, method: str, path: str, body: Json | None, headers: dict[str, str] | None) -> Json:
        """Ask until the server says yes or no."""
        fault, wait = "", 0.0
        for attempt in range(_TRIES):
            time.sleep(wait)
            wait = 0.3 * 2**attempt
            try:
                answer = self._http.request(
                    method,
                    self._base + path,
                    json=body,
                    headers={**self._authorization(), **(headers or {})},
                    timeout=_PATIENCE,
                )
            except (requests.ConnectionError, requests.Timeout):
                fault = f"no answer from {self._base}"
                continue
            if answer.ok:
                result: Json = answer.json() if answer.content else {}
                return result
            refusal = Refused(answer.status_code, _problem(answer))
            if answer.status_code not in (429, 500, 502, 503, 504):
                raise refusal
            fault = str(refusal)
            retry_after = answer.headers.get("Retry-After", "")
            wait = min(float(retry_after), 10) if retry_after.isdigit() else wait
        raise Unreachable(fault)

    def _authorization(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self._tokens['access_token']}"} if self._tokens else {}


def _problem(answer: requests.Response) -> Json:
    try:
        problem = answer.json()
    except ValueError:
        problem = None
    return problem if isinstance(problem, dict) else {"title": f"{answer.status_code} {answer.reason}"}
