"""The clients in Go, Java and Rust, by OpenAPI Generator: each is compiled, and plays."""

from __future__ import annotations

import json

import pytest

from dev.clients.compiled import PROGRAMS
from dev.clients.tools import run
from tests.clients.answers import SEATS
from tests.clients.conftest import Client, or_skip

pytestmark = pytest.mark.slow  # three compilers


@pytest.mark.parametrize("language", PROGRAMS)
def test_it_plays_a_solo_deal(client: Client, server: str, future_file: str, language: str) -> None:
    """The client signs up, refreshes its tokens, sits down among bots, plays a deal to its end with the legal moves it
    is told, and reads an answer of tomorrow."""
    folder = client(language)
    program = or_skip(lambda: PROGRAMS[language](folder))
    played, read = map(json.loads, run([*program, server, future_file]).splitlines())
    assert "finished" == played["status"]
    assert {"ns", "ew"} == set(played["scores"])
    assert 52 == played["plays"]
    assert {"seats": SEATS, "types": ["toss", "play"], "cards": [None, "AS"]} == read
