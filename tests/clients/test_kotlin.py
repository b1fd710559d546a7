"""The Kotlin client: OpenAPI Generator's, for Retrofit and kotlinx.serialization.

Retrofit's and OkHttp's jars are not to be had here, so the client is compiled against dev/clients/kotlin/stubs, which
declare what it names of them. It cannot send with those: what runs are its models and the guide's code, on answers
that are made up.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from chalicelib.api.schemas import MatchSetup
from dev.clients.compile_kotlin import compile_kotlin, run_kotlin
from dev.clients.guide import code
from dev.clients.tools import HERE
from tests.clients.answers import SEATS, TOLD, Json, future, recorded
from tests.clients.conftest import Client, or_skip


@pytest.fixture(scope="module")
def read(client: Client, tmp_path_factory: pytest.TempPathFactory) -> Json:
    """What the compiled client, the guide's code and Answers.kt read in the recorded answers and in a future one."""
    folder, own = client("kotlin"), tmp_path_factory.mktemp("kotlin")
    (own / "guide.kt").write_text(code("kotlin"), encoding="utf-8")
    (own / "answers.json").write_text(json.dumps({"answers": recorded(), "future": future()}), encoding="utf-8")
    sources = [folder / "src/main/kotlin", HERE / "kotlin", own / "guide.kt"]
    or_skip(lambda: compile_kotlin(sources, own / "classes"))
    told: Json = json.loads(run_kotlin(own / "classes", "AnswersKt", str(own / "answers.json")))
    return told


def test_it_compiles_and_keeps_every_answer(read: Json) -> None:
    """Client and guide compile, and a recorded answer, read and written again, has lost nothing."""
    assert [each["value"] for each in recorded()] == [_without_null(answer) for answer in read["answers"]]


def test_it_reads_an_answer_of_the_future(read: Json) -> None:
    """An unknown event, an unknown kind of seat and new members are no trouble."""
    assert (SEATS, TOLD) == (read["seats"], read["told"])


def test_it_says_what_can_be_played(read: Json) -> None:
    """The guide's code finds the cards among the legal moves."""
    hand = future()["match"]["you"]["hand"]
    assert len(hand) > 1
    assert sorted(hand) == sorted(read["playable"])


def test_the_api_takes_what_it_sends(read: Json) -> None:
    """With the one setting that the guide names, a request has no member that is null."""
    assert {"deals": 1, "client_seed": "c0ffee"}.items() <= read["setup"].items()
    assert 1 == MatchSetup.read(read["setup"]).deals


def test_its_loop_shows_every_event_once(read: Json) -> None:
    """Whatever happens between two requests, and over several pages of the feed, nothing is left out or told twice; and
    a seat that is away is taken again, once."""
    assert {"told": list(range(5, 41)), "shown": 40, "drawn": 40, "sat": 1} == read["watched"]


def test_a_request_in_vain_is_given_up(read: Json) -> None:
    """A fault of the server, or a lost connection, is met with six attempts; a limit that is over in an hour with one,
    and the player is told."""
    vain = {"sent": 6, "code": "internal_error", "tried": 6, "lost": "lost"}
    assert vain | {"asked": 1, "said": "Too often. Try again in 60 min."} == read["in_vain"]


def _without_null(value: Any) -> Any:
    match value:
        case dict():
            return {name: _without_null(member) for name, member in value.items() if member is not None}
        case list():
            return [_without_null(member) for member in value]
    return value
