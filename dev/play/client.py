"""The API as the terminal client calls it. Whatever fails on the way is tried again: of the writes made here
signing up alone may happen twice, and a spare guest harms nobody."""

from __future__ import annotations

import secrets
import time
from typing import Any

import requests

Json = dict[str, Any]
_TRIES = 4
_TIMEOUT = (3, 15)
"""Seconds to connect, and to wait for an answer."""


class Refused(Exception):
    """The server's own no: a problem document (RFC 9457)."""

    def __init__(self, answer: requests.Response) -> None:
        try:
            self.problem: Json = dict(answer.json())
        except (ValueError, TypeError):
            self.problem = {}
        self.status = answer.status_code
        super().__init__(self.problem.get("detail") or self.problem.get("title") or f"{self.status} {answer.reason}")


class Unreachable(Exception):
    """No answer, or none but "try later", however often it was asked."""


class Client:
    """One player's calls to one server."""

    def __init__(self, server: str) -> None:
        self._base = server.rstrip("/").removesuffix("/v1") + "/v1"
        self._http = requests.Session()
        self._refresh_token = ""

    def sign_up(self, name: str) -> None:
        """A new guest account, whose tokens the later calls use."""
        self._sign_in(self.call("POST", "/players", {"name": name}))

    def call(self, method: str, path: str, body: Json | None = None, headers: dict[str, str] | None = None) -> Json:
        """The answer's body. Raises Refused or Unreachable."""
        try:
            return self._insist(method, path, body, headers)
        except Refused as refusal:
            if refusal.status != 401 or not self._refresh_token:
                raise
        refresh = {"type": "refresh", "refresh_token": self._refresh_token, "client_nonce": secrets.token_urlsafe(16)}
        self._http.headers.pop("Authorization")
        self._sign_in(self._insist("POST", "/tokens", refresh, None))
        return self._insist(method, path, body, headers)

    def _sign_in(self, answer: Json) -> None:
        self._refresh_token = answer["tokens"]["refresh_token"]
        self._http.headers["Authorization"] = f"Bearer {answer['tokens']['access_token']}"

    def _insist(self, method: str, path: str, body: Json | None, headers: dict[str, str] | None) -> Json:
        """Ask until the server says yes or no."""
        fault, wait = "", 0.0
        for attempt in range(_TRIES):
            time.sleep(wait)
            wait = 0.3 * 2**attempt
            try:
                answer = self._http.request(method, self._base + path, json=body, headers=headers, timeout=_TIMEOUT)
            except (requests.ConnectionError, requests.Timeout):
                fault = f"no answer from {self._base}"
                continue
            if answer.ok:
                return answer.json() if answer.content else {}
            refusal = Refused(answer)
            if answer.status_code not in (429, 500, 502, 503, 504):
                raise refusal
            retry_after, fault = answer.headers.get("Retry-After", ""), str(refusal)
            wait = min(float(retry_after), 10) if retry_after.isdigit() else wait
        raise Unreachable(fault)
