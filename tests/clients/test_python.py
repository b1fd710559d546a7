"""The Python client: OpenAPI Generator's, with pydantic."""

from __future__ import annotations

import json

from dev.clients.tools import HERE, python, run
from tests.clients.answers import SEATS
from tests.clients.conftest import Client, or_skip


def test_it_plays_a_solo_deal(client: Client, server: str, future_file: str) -> None:
    """The client plays a solo deal to its end, and reads an answer of tomorrow."""
    folder, interpreter = client("python"), or_skip(python)
    program = str(HERE / "python/play.py")
    told = run([interpreter, "-W", "error", program, server, future_file], env={"PYTHONPATH": str(folder)})
    played, read = map(json.loads, told.splitlines())
    assert "finished" == played["status"]
    assert {"ns", "ew"} == set(played["scores"])
    assert 52 == played["plays"]
    assert {"seats": SEATS, "types": ["toss", "play"], "cards": [None, "AS"]} == read
