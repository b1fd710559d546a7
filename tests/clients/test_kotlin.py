"""The Kotlin client: OpenAPI Generator's, for Retrofit and kotlinx.serialization.

No registry in reach carries Retrofit's and OkHttp's jars, so the client is compiled against dev/clients/kotlin/stubs,
which declare what it names of them. It cannot send with those: what runs are its models and the guide's code, on
made-up answers.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from chalicelib.api.schemas import MatchSetup
from dev.clients.programs import code, kotlin
from dev.clients.tools import HERE
from tests.clients.answers import SEATS, TOLD, Json, future, recorded
from tests.clients.conftest import Client, or_skip

pytestmark = pytest.mark.slow  # a compiler


@pytest.fixture(scope="module")
def read(client: Client, tmp_path_factory: pytest.TempPathFactory) -> Json:
    """What the compiled client, the guide's code and Answers.kt read in the recorded answers and in a future one."""
    folder, own = client("kotlin"), tmp_path_factory.mktemp("kotlin")
    (own / "guide.kt").write_text(code("kotlin"), encoding="utf-8")
    deals = [each["value"] for each in recorded() if each["schema"] == "DealRecord"]
    (own / "answers.json").write_text(
        json.dumps({"answers": recorded(), "future": future(), "deals": deals}), encoding="utf-8"
    )
    sources = [folder / "src/main/kotlin", HERE / "kotlin", own / "guide.kt"]
    told = or_skip(lambda: kotlin(sources, own / "classes", "AnswersKt", str(own / "answers.json")))
    return json.loads(told)  # type: ignore[no-any-return]


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


def test_it_tells_an_answer_from_none(read: Json) -> None:
    """A lost connection, a fault and a proxy's error leave a write unsettled after six attempts, a captive portal's
    page and a firewall's at once. A limit that is over in an hour is said at once. Every answer sets the clock."""
    assert {
        "lost": "6 unsettled",
        "fault": "6 unsettled",
        "bad_gateway": "6 unsettled",
        "gateway_timeout": "6 unsettled",
        "portal": "1 unsettled",
        "blocked": "1 unsettled",
        "late": "1 Too often. Try again in 60 min.",
        "refused": "1 That did not work (match_not_found).",
        "ahead": True,
    } == read["in_vain"]


def test_it_stays_signed_in(read: Json) -> None:
    """A cold start refreshes first, with the nonce that was stored before a restart; a 401 refreshes once. Only a 401
    to the refresh itself says that the device is signed out."""
    told = "unsettled, 0, 0, signed out"
    assert {"told": told, "first": 1, "refreshes": 8, "left": False} == read["signed_in"]


def test_a_move_outlives_the_app(read: Json) -> None:
    """A move without an answer is stored, and sent again first after a restart. 304 is an answer. The loop can be woken
    and stopped in a pause of an hour."""
    assert {
        "unsettled": True,
        "attempts": 6,
        "sent": 7,
        "same": True,
        "left": True,
        "unchanged": True,
        "before": 0,
    } == read["restarted"]


def test_it_checks_a_shuffle(read: Json) -> None:
    """A finished deal is held against what was noted before the cards, and its hands against its secret and seeds."""
    assert read["checked"]
    for each in read["checked"]:
        assert {"fair": "", "other": "commitment, seed", "hands": "hands"} == each


def _without_null(value: Any) -> Any:
    match value:
        case dict():
            return {name: _without_null(member) for name, member in value.items() if member is not None}
        case list():
            return [_without_null(member) for member in value]
    return value
