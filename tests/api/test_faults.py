"""When something goes wrong behind the API: what the caller is told, and what is not told to anybody."""

from __future__ import annotations

import json
import logging
from typing import Any

import pytest

from chalicelib.service.ports import Lost, Unavailable
from chalicelib.service.services import Services
from tests.api.client import Client
from tests.api.conftest import behind
from tests.service.meddling import failing

SECRET = "the hand of west is AS KS QS"


@pytest.mark.parametrize("call", ["match", "save", "player", "live"])
def test_a_store_that_does_not_answer(asha: Client, services: Services, call: str) -> None:
    """503 try_again with Retry-After; afterwards the same request goes through."""
    request: Any = ("POST", "/matches", {"seats": {"north": {"type": "human"}}})
    key = {"Idempotency-Key": "once"}
    reply = behind(asha, services, **{call: failing(Unavailable(SECRET))}).call(*request, headers=key)
    assert (503, "try_again", "1") == (reply.status, reply.code, reply.headers["Retry-After"])
    assert SECRET not in json.dumps(reply.body)
    assert 201 == asha.call(*request, headers=key).status


def test_races_that_go_on(asha: Client, services: Services) -> None:
    """A write that loses again and again is 503 too, and nothing has happened."""
    view = asha.solo()
    reply = behind(asha, services, save=failing(Lost())).move(view, view["you"]["legal_moves"][0])
    assert (503, "try_again") == (reply.status, reply.code)
    assert reply.body["params"]["retry_after_seconds"] == int(reply.headers["Retry-After"])
    assert view == asha.ok("GET", f"/matches/{view['id']}")


def test_a_fault_tells_nothing(asha: Client, services: Services, caplog: pytest.LogCaptureFixture) -> None:
    """500 internal_error without a word of the error; the log has its kind and place, not its message."""
    with caplog.at_level(logging.DEBUG):
        reply = behind(asha, services, match=failing(RuntimeError(SECRET))).call("GET", f"/matches/{'A' * 16}")
    assert (500, "internal_error", {}) == (reply.status, reply.code, reply.body["params"])
    logged = " ".join(f"{record.getMessage()} {record.exc_text}" for record in caplog.records)
    assert "RuntimeError" in logged and reply.body["request_id"] in logged
    assert asha.token is not None and asha.token not in logged
    assert SECRET not in logged + json.dumps(reply.body)


def test_a_fault_names_the_match_however_its_id_is_written(
    asha: Client, services: Services, caplog: pytest.LogCaptureFixture
) -> None:
    """A path's parameter may be percent-encoded; what is no id, or no encoding, is not in the line."""
    asha = behind(asha, services, match=failing(RuntimeError(SECRET)))
    for written, logged in (("%41" + "A" * 15, "A" * 16), ("A" * 16, "A" * 16), ("%41", None), ("%4" + "A%" * 7, None)):
        caplog.clear()
        with caplog.at_level(logging.INFO, "chalicelib.api.logs"):
            asha.call("GET", f"/matches/{written}")
        line: Any = caplog.records[-1].msg
        assert logged == line.get("match_id"), written
