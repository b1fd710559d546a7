"""The API as the terminal client calls it. Whatever fails on the way is tried again: of the writes made here
signing up alone may happen twice, and a spare guest harms nobody."""

from __future__ import annotations

import secrets
import time
from dataclasses import replace
from typing import Any

from dev.driver import OverHttp, Player, Reply

Json = dict[str, Any]
_PAUSES = (0.3, 0.6, 1.2, None)
"""Seconds before each further try, where the server names none."""


class Refused(Exception):
    """The server's own no: a problem document (RFC 9457)."""

    def __init__(self, reply: Reply) -> None:
        self.status, self.problem = reply.status, reply.body if isinstance(reply.body, dict) else {}
        super().__init__(self.problem.get("detail") or f"the server answered {reply.status}")


class Unreachable(Exception):
    """No answer, or none but "try later", however often it was asked."""


class Client:
    """One player's calls to one server."""

    def __init__(self, server: str) -> None:
        self._base = server.rstrip("/").removesuffix("/v1") + "/v1"
        self._player = Player(OverHttp(self._base, timeout=15))

    def sign_up(self, name: str) -> None:
        """A new guest account, whose tokens the later calls use."""
        self._sign_in(self.call("POST", "/players", {"name": name}))

    def call(self, method: str, path: str, body: Json | None = None, headers: dict[str, str] | None = None) -> Any:
        """The answer's body. Raises Refused or Unreachable."""
        reply = self._insist(method, path, body, headers)
        if reply.status == 401 and self._player.refresh:
            refresh, self._player = self._player.refresh, replace(self._player, access="", refresh="")
            sent = {"type": "refresh", "refresh_token": refresh, "client_nonce": secrets.token_urlsafe(16)}
            self._sign_in(self.call("POST", "/tokens", sent))
            reply = self._insist(method, path, body, headers)
        if reply.status >= 400:
            raise Refused(reply)
        return reply.body

    def _sign_in(self, answer: Json) -> None:
        tokens = answer["tokens"]
        self._player = replace(self._player, access=tokens["access_token"], refresh=tokens["refresh_token"])

    def _insist(self, method: str, path: str, body: Json | None, headers: dict[str, str] | None) -> Reply:
        """Ask until the server says yes or no."""
        fault = ""
        for pause in _PAUSES:
            retry_after = ""
            try:
                reply = self._player.send(method, path, body, headers)
            except ConnectionError:
                fault = f"no answer from {self._base}"
            else:
                if reply.status not in (429, 500, 502, 503, 504):
                    return reply
                fault, retry_after = str(Refused(reply)), reply.headers.get("Retry-After", "")
            if pause is not None:
                time.sleep(min(float(retry_after), 10) if retry_after.isdigit() else pause)
        raise Unreachable(fault)
