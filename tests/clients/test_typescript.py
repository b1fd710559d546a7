"""The TypeScript client: openapi-typescript and openapi-fetch, with the guide's code."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import requests

from chalicelib.engine import Seat
from chalicelib.service.clock.sweep import sweep
from chalicelib.service.services import Services
from chalicelib.store import DynamoStore
from dev.clients.programs import code
from dev.clients.tools import HERE, Failed, node, node_tool, run
from dev.web.build import LIBRARY, build_library
from tests.clients.answers import SEATS, TOLD
from tests.clients.conftest import Client, or_skip

LATE = "Too often. Try again in "


@pytest.fixture(scope="module")
def workshop(client: Client) -> Path:
    """The generated client, and beside it the guide's code and a program that plays with it, compiled."""
    folder = client("typescript")
    for own in (HERE / "typescript").iterdir():
        shutil.copy(own, folder)
    or_skip(build_library)
    library = folder.parent / "node_modules/do-dooni"
    library.parent.mkdir(exist_ok=True)
    if not library.exists():
        library.symlink_to(LIBRARY)
    (folder / "guide.ts").write_text(code("ts"), encoding="utf-8")
    run([*or_skip(lambda: node_tool("tsc")), "-p", str(folder)])
    return folder


def test_it_plays_a_solo_deal(workshop: Path, server: str, future_file: str) -> None:
    """The guide's code compiles under --strict, plays a solo deal through a token of old keys, a lost answer and a busy
    server, proves its shuffle against what was noted, reads an answer of tomorrow, shows every event once whatever
    comes between two requests, and takes its seat again if that is away.

    A fault, a proxy's error and a lost connection leave a write unsettled after six attempts, a captive portal's page
    and a firewall's at once. A limit that is over soon is waited for, a long one is said at once. 304 is an answer, and
    every answer sets the clock."""
    told = run([node(), str(workshop / "out/play.js"), server, future_file])
    played, read, watched, *answers, unchanged = map(json.loads, told.splitlines())
    assert ("finished", {"ns", "ew"}, 52) == (played["status"], set(played["scores"]), played["plays"])
    assert 12 <= played["decided"] <= 14  # perhaps a call, perhaps the ser, twelve cards; the thirteenth is forced
    assert 3 == played["kept"]  # the tokens of the sign-up, the nonce of the refresh, and its tokens
    assert [[], ["commitment"], ["seed"]] == played["fair"]
    assert {"seats": SEATS, "told": TOLD} == read
    sat = ['/matches/m/seats/east {"type":"human"}']
    assert {"told": list(range(5, 41)), "shown": 40, "drawn": 40, "sat": sat} == watched
    pauses = [0.5, 1, 2, 4, 8]
    assert {
        "fault": (6, [0] * 5, "unsettled"),
        "lost": (6, pauses, "unsettled"),
        "bad_gateway": (6, pauses, "unsettled"),
        "gateway_timeout": (6, pauses, "unsettled"),
        "portal": (1, [], "unsettled"),
        "blocked": (1, [], "unsettled"),
        "soon": (6, [10] * 5, f"{LATE}1 min."),
        "late": (1, [], f"{LATE}60 min."),
        "refused": (1, [], "That did not work (match_not_found)."),
    } == {each["name"]: (each["sent"], each["pauses"], each["told"]) for each in answers}
    assert {"unchanged": 304, "left": 60} == unchanged


def test_friends_play_through_restarts(workshop: Path, server: str) -> None:
    """Two apps play with nothing but what they have stored. A cold start refreshes with the stored nonce. A match goes
    on after a restart, the move on its way first; closed, it is opened again, and an unchanged one costs a 304. What
    was noted proves both shuffles. A rematch is noticed at the result and in the badge, taken, and declined. An app
    that is stopped asks no more, and one that is woken asks at once."""
    cold, played, offered, again, stopped = map(
        json.loads, run([node(), str(workshop / "out/friends.js"), server]).splitlines()
    )
    name = {"name": "Asha", "left": True, "signedOut": True}
    assert {"unsettled": True, "sent": 7, "nonces": 1} | name == cold
    assert {
        "closed": "playing",
        "statuses": ["finished", "finished"],
        "restarted": True,
        "plays": 52,
        "unchanged": 7,
        "unfair": [],
    } == played
    assert {"found": True, "count": 1, "offered": True, "noted": 1} == offered
    assert {"unfair": [], "offers": 0} == again
    assert {"before": 0, "woken": 1, "status": "waiting"} == stopped


def test_it_comes_back(workshop: Path, server: str, store: DynamoStore) -> None:
    """A player opens a match that stands still at another's turn, since two time-outs running have made them `away`:
    the guide's loop takes the seat again, and plays to the end."""
    signed_in = requests.post(f"{server}/players", json={}, timeout=300).json()["tokens"]
    caller = {"Authorization": f"Bearer {signed_in['access_token']}"}
    seats = {"north": {"type": "human"}} | {seat: {"type": "bot"} for seat in ("east", "south", "west")}
    setup = {"deals": 1, "turn_seconds": 60, "seats": seats}

    def deserted() -> Any:
        match_id = requests.post(f"{server}/matches", json=setup, headers=caller, timeout=300).json()["match"]["id"]
        assert [False, True] == [away_after_time_out(store, match_id) for _ in range(2)]
        return requests.get(f"{server}/matches/{match_id}", headers=caller, timeout=300).json()

    # At times the clock's second move gives north the next turn too; then the move itself is the way back.
    view = next(view for view in (deserted() for _ in range(20)) if not view["you"]["legal_moves"])
    assert "playing" == view["status"]
    told = json.loads(run([node(), str(workshop / "out/back.js"), server, signed_in["refresh_token"], view["id"]]))
    assert {"status": "finished", "plays": 52} == {name: told[name] for name in ("status", "plays")}
    assert 10 <= told["decided"] <= 12  # those of a whole deal, less two that the clock made


def away_after_time_out(store: DynamoStore, match_id: str) -> bool:
    """Let the turn's time run out, by a sweep whose clock is ahead; whether north is away then."""
    before = store.match(match_id)
    assert before is not None and before.deadline_at is not None
    deadline = before.deadline_at
    sweep(Services(store, now=lambda: deadline))
    after = store.match(match_id)
    assert after is not None and after.version > before.version
    return after.places[Seat.NORTH].away


def test_strict_means_strict(workshop: Path) -> None:
    """A client that misspells a member does not compile: the types are those of the contract."""
    wrong = workshop / "wrong"
    wrong.mkdir(exist_ok=True)
    shutil.copy(HERE / "typescript/tsconfig.json", wrong)
    (wrong / "wrong.ts").write_text(
        'import type { MatchView } from "../guide.ts";\nexport const turn = (view: MatchView) => view.deal?.trun;\n'
    )
    with pytest.raises(Failed, match="'trun' does not exist"):
        run([*node_tool("tsc"), "-p", str(wrong)])
