"""The clients in Go, Java, Python and Rust, by OpenAPI Generator: each is compiled, and plays."""

from __future__ import annotations

import json

import pytest

from dev.clients.programs import PROGRAMS
from dev.clients.tools import run
from tests.clients.answers import SEATS
from tests.clients.conftest import Client, or_skip

LANGUAGES = [pytest.param(each, marks=[] if each == "python" else pytest.mark.slow) for each in PROGRAMS]


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_plays_a_solo_deal(client: Client, server: str, future_file: str, language: str) -> None:
    """The client signs up (compiled ones refresh their tokens), sits down among bots, plays a deal to its end with the
    legal moves it is given, and reads an answer of tomorrow."""
    folder = client(language)
    program = or_skip(lambda: PROGRAMS[language](folder))
    played, read = map(json.loads, run([*program, server, future_file]).splitlines())
    assert ("finished", 52, {"ns", "ew"}) == (played["status"], played["plays"], set(played["scores"]))
    assert {"seats": SEATS, "types": ["toss", "play"], "cards": [None, "AS"]} == read
