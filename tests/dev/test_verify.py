"""`python -m dev.verify`: real records pass, and whatever is changed in one is found."""

from __future__ import annotations

import copy
import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from typing import Any

import pytest

from chalicelib.api import present
from chalicelib.api.present_deal import deal_record
from chalicelib.match.model import Start
from chalicelib.service.play import history
from chalicelib.service.tables import seats
from dev import verify
from tests.service.people import EAST, NORTH, Hall, Person, play_on

Json = dict[str, Any]
VECTORS = json.loads((Path(__file__).parents[1] / "vectors" / "shuffle.json").read_text())


def saved(person: Person, match_id: str) -> Json:
    """A match and its deals, as an app would keep them."""
    services = person.hall.services
    view = person.read(match_id)
    numbers = range(1, (view.deal_number or 0) + 1)
    deals = [deal_record(history.deal_record(services, person.id, match_id, number)) for number in numbers]
    events = [present.event(event) for event in person.feed(match_id)]
    content = {"match": present.match(view), "deals": deals, "events": events}
    return json.loads(json.dumps(content))  # type: ignore[no-any-return]


@pytest.fixture(scope="module")
def match() -> Json:
    """Three deals of two people with seeds."""
    hall = Hall(seed=3)
    people = host, friend = hall.guests("A", "B")
    view = host.open_table(client_seed="0a", deals=3).view
    friend.join(view, EAST, "0b")
    host.start(view.id)
    play_on(people, view.id, choose=Random(3))
    return saved(host, view.id)


@pytest.fixture
def check(tmp_path: Path) -> Callable[..., int]:
    """Write a JSON value to a file and verify a deal of it."""

    def run(content: object, number: int = 1, *more: str) -> int:
        file = tmp_path / "deals.json"
        file.write_text(json.dumps(content))
        return verify.main([str(file), str(number), *more])

    return run


@pytest.mark.parametrize("case", VECTORS)
def test_the_shuffle_of_its_own(case: Json) -> None:
    """The worked cases come out."""
    digest = verify.digest_of(list(case["client_seeds"].values()))
    hands, opener = verify.dealt(bytes.fromhex(case["deal_secret"]), digest)
    assert case["client_digest"] == digest.hex()
    assert [set(hand) for hand in case["hands"].values()] == hands
    if case["deal"] == 1:
        assert case["opener"] == opener


@pytest.mark.parametrize("number", [1, 2, 3])
def test_real_deals(match: Json, check: Callable[..., int], capsys: pytest.CaptureFixture[str], number: int) -> None:
    """Every line says ok."""
    assert 0 == check(match, number)
    lines = capsys.readouterr().out.splitlines()
    assert 12 == sum(line.startswith("ok") for line in lines) == len(lines) - 2
    assert "east (B) had the last word, and sent 0b" in lines[-2]


def test_a_deal_by_itself(match: Json, check: Callable[..., int], capsys: pytest.CaptureFixture[str]) -> None:
    """What needs more than the one deal is not checked, and said so; a commitment may be given."""
    assert 0 == check(match["deals"][1], 2)
    assert 3 == capsys.readouterr().out.count("not checked")
    assert 0 == check(match["deals"][:2], 2, "--seen", match["match"]["commitments"][1])
    assert 1 == capsys.readouterr().out.count("not checked")
    assert 1 == check(match["deals"][1], 2, "--seen", match["match"]["commitments"][0])


CHANGES: dict[str, Callable[[Json], object]] = {
    "commitment": lambda deal: deal.update(commitment="0" * 64),
    "secret": lambda deal: deal.update(deal_secret="0" * 64),
    "digest": lambda deal: deal.update(client_digest="0" * 64),
    "seed": lambda deal: deal["seats"][0].update(client_seed="0b"),
    "hands": lambda deal: deal["seats"].reverse(),
    "opener": lambda deal: deal.update(opener={"north": "east"}.get(deal["opener"], "north")),
    "call": lambda deal: next(call for call in deal["calls"] if "number" in call).update(number=13),
    "called": lambda deal: deal["moves"].insert(4, deal["moves"][0] | {"type": "call", "number": 13}),
    "contract": lambda deal: deal.update(contract=deal["contract"] % 13 + 1),
    "ser": lambda deal: deal.update(ser="S" if deal["ser"] != "S" else "H"),
    "plays": lambda deal: deal["tricks"][0]["plays"].reverse(),
    "member of the result": lambda deal: deal["result"].update(bonus=1),
    "made": lambda deal: deal["result"].update(made=not deal["result"]["made"]),
    "cards": lambda deal: deal["moves"].__setitem__(slice(5, 7), deal["moves"][6:4:-1]),
    "mover": lambda deal: deal["moves"][4].update(seat={"north": "east"}.get(deal["moves"][4]["seat"], "north")),
    "winner": lambda deal: deal["tricks"][3].update(winner={"north": "east"}.get(deal["tricks"][3]["winner"], "north")),
    "banked": lambda deal: deal["banked"].update(ns=deal["banked"]["ns"] - 1),
    "score": lambda deal: deal["result"].update(score=deal["result"]["score"] + 1),
}


@pytest.mark.parametrize("change", CHANGES)
def test_changed_deals(match: Json, check: Callable[..., int], capsys: pytest.CaptureFixture[str], change: str) -> None:
    """Whatever is changed, something is wrong."""
    changed = copy.deepcopy(match)
    CHANGES[change](changed["deals"][0])
    assert 1 == check(changed)
    assert "WRONG" in capsys.readouterr().out


def on_a_bots_seat(content: Json, *, named: bool) -> None:
    """A seed, however well the digest fits it."""
    deal = content["deals"][0]
    deal["seats"][2]["client_seed"] = "c3fc"
    deal["client_digest"] = verify.digest_of([seat["client_seed"] for seat in deal["seats"]]).hex()
    if named:
        deal["seed_order"].append({"seat": "south", "player": {}})


def on_two_seats(content: Json) -> None:
    order = content["deals"][0]["seed_order"]
    order.append({"seat": "south", "player": order[0]["player"]})


BOTS = "no seed is a bot's"
IN_THE_FEED = "the seeds, their order and who sent them are those of the feed"
LAST = {"id": "Z" * 16, "name": "Forged"}
FORGED: dict[str, tuple[Callable[[Json], object], str]] = {
    "a commitment": (
        lambda content: content["match"]["commitments"].__setitem__(0, "0" * 64),
        "the commitment is the one that was shown before the cards",
    ),
    "on a bot's seat": (lambda content: on_a_bots_seat(content, named=False), BOTS),
    "on a bot's seat, by nobody": (lambda content: on_a_bots_seat(content, named=True), BOTS),
    "on two seats": (on_two_seats, BOTS),
    "in another order": (lambda content: content["deals"][0]["seed_order"].reverse(), IN_THE_FEED),
    "another seed": (lambda content: content["events"][1].update(client_seed="0c"), IN_THE_FEED),
    "no seed": (lambda content: content["events"].__delitem__(slice(1, None)), IN_THE_FEED),
    "another speaker": (lambda content: content["deals"][0]["seed_order"][-1].update(player=LAST), IN_THE_FEED),
}


@pytest.mark.parametrize("forged", FORGED)
def test_forged_seeds(match: Json, check: Callable[..., int], capsys: pytest.CaptureFixture[str], forged: str) -> None:
    """Whoever kept the commitments and the events knows what was sent before the last word, and by whom; the digest
    alone does not tell."""
    changed = copy.deepcopy(match)
    change, wrong = FORGED[forged]
    change(changed)
    assert 1 == check(changed)
    out = capsys.readouterr().out
    assert f"WRONG        {wrong}\n" in out
    assert "ok           the players' seeds make the digest\n" in out
    assert "no seed" == forged or "east (B) had the last word" in out


def test_a_deletion_is_no_forgery(match: Json, check: Callable[..., int]) -> None:
    """Who sent a seed may have deleted the account since; a commitment of another deal matters to that deal alone."""
    changed = copy.deepcopy(match)
    changed["deals"][0]["seed_order"][-1]["player"] = {"deleted": True}
    changed["match"]["commitments"][1] = "0" * 64
    assert (0, 1) == (check(changed, 1), check(changed, 2))


def test_who_had_the_last_word(check: Callable[..., int], capsys: pytest.CaptureFixture[str]) -> None:
    """By the start, by another seed, or by sitting down without one; by nobody."""
    hall = Hall()
    host, friend = hall.guests("Asha", "Bela")

    def table(*, again: str | None, at_start: str | None, seed: str | None) -> str:
        view = host.open_table(deals=1, client_seed="01", start=Start.BY_HOST).view
        friend.join(view, EAST, seed)
        if again is not None:
            host.sit(view.id, NORTH, client_seed=again)
        seats.start(hall.services, host.id, view.id, at_start)
        host.leave(view.id, NORTH)
        friend.leave(view.id, EAST)
        assert 0 == check(saved(host, view.id))
        return capsys.readouterr().out.splitlines()[-2].strip()

    assert "east (Bela) had the last word, and sent 02" == table(again=None, at_start=None, seed="02")
    assert "east (Bela) had the last word, and sent no seed" == table(again=None, at_start=None, seed=None)
    assert "north (Asha) had the last word, and sent 03" == table(again="03", at_start=None, seed="02")
    assert "north (Asha) had the last word, and sent 04" == table(again="03", at_start="04", seed="02")


def test_a_deal_given_up(check: Callable[..., int]) -> None:
    """The cards are checked all the same."""
    hall = Hall()
    host = hall.guest()
    view = host.create(client_seed="ff").view
    play_on((host,), view.id, 5)
    host.leave(view.id, NORTH)
    assert 0 == check(saved(host, view.id))


def test_a_finished_deal_passed_off_as_given_up(match: Json, check: Callable[..., int]) -> None:
    """Found by the match's status, or by its later deals; without the match it cannot be told."""
    changed = copy.deepcopy(match)
    _cut(changed["deals"][0])
    assert 0 == check(changed["deals"])
    assert 1 == check(changed)
    changed["match"]["status"] = "abandoned"
    assert 1 == check(changed)
    changed["match"]["deal"]["deal_number"] = 1
    assert 0 == check(changed)


def _cut(deal: Json) -> None:
    """Leave the first call and what follows from it."""
    for member in ("result", "notation", "declarer", "contract", "ser"):
        deal.pop(member, None)
    deal |= {"phase": "auction", "moves": deal["moves"][:1], "calls": deal["calls"][:1]}
    deal |= {"tricks": [], "banks": [], "banked": {"ns": 0, "ew": 0}}


def test_alone_with_a_seed_after_the_commitments(check: Callable[..., int]) -> None:
    """A table for one that its host starts takes a seed after the commitments were shown."""
    hall = Hall()
    host = hall.guest()
    view = host.create(start=Start.BY_HOST, deals=1).view
    host.sit(view.id, NORTH, client_seed="abc")
    assert view.commitments == host.start(view.id).view.commitments
    play_on((host,), view.id)
    content = saved(host, view.id)
    assert "abc" == content["deals"][0]["seats"][0]["client_seed"]
    assert 0 == check(content)


@pytest.mark.parametrize("content", [{}, [], [1], "x", None, {"deals": [{"deal_number": 1}]}, {"deals": 3}])
def test_what_is_no_deal(content: object, check: Callable[..., int], capsys: pytest.CaptureFixture[str]) -> None:
    """A clear line, and 2."""
    assert 2 == check(content)
    assert "" == capsys.readouterr().out


def test_no_such_file(tmp_path: Path) -> None:
    assert 2 == verify.main([str(tmp_path / "none.json"), "1"])


@pytest.fixture
def server(match: Json) -> Iterator[str]:
    """The match as the API would serve it, to guests; the match's URL."""
    match_id = match["match"]["id"]
    answers = {f"/v1/matches/{match_id}": match["match"], "/v1/players": {"tokens": {"access_token": "guest"}}}
    events = match["events"]
    answers[f"/v1/matches/{match_id}/events?after=0"] = {"items": events[:2], "more": True}
    answers[f"/v1/matches/{match_id}/events?after=2"] = {"items": events[2:], "more": True}
    answers |= {f"/v1/matches/{match_id}/deals/{deal['deal_number']}": deal for deal in match["deals"]}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            allowed = self.path == "/v1/players" or self.headers["Authorization"] in ("Bearer guest", "Bearer mine")
            self.send_response(200 if allowed and self.path in answers else 404)
            self.end_headers()
            self.wfile.write(json.dumps(answers.get(self.path, {})).encode())

        do_POST = do_GET  # noqa: N815

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        thread = threading.Thread(target=http.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{http.server_port}/v1/matches/{match_id}"
        http.shutdown()
        thread.join()


def test_from_a_server(server: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """As a guest, or with a token of one's own; what is not there is said."""
    monkeypatch.delenv("DO_DOONI_TOKEN", raising=False)
    assert 0 == verify.main([server, "2"])
    assert 0 == capsys.readouterr().out.count("not checked")
    monkeypatch.setenv("DO_DOONI_TOKEN", "mine")
    assert 0 == verify.main([server + "/deals/3", "3"])
    assert 2 == verify.main([server, "4"])
    monkeypatch.setenv("DO_DOONI_TOKEN", "nobody's")
    assert 2 == verify.main([server, "1"])
    assert "404" in capsys.readouterr().err
    assert 2 == verify.main(["http://127.0.0.1:1/v1", "1"])


def test_a_server_that_promises_more_and_has_none(monkeypatch: pytest.MonkeyPatch, match: Json) -> None:
    """It is asked once, and the seeds are not those of the feed."""
    asked = []

    def ask(url: str, *_: object) -> Json:
        asked.append(url)
        answers = {"/events?after=0": {"items": [], "more": True}, "/deals/1": match["deals"][0]}
        return next((answer for end, answer in answers.items() if url.endswith(end)), match["match"])

    monkeypatch.setenv("DO_DOONI_TOKEN", "mine")
    monkeypatch.setattr(verify, "_ask", ask)
    assert 1 == verify.main(["http://127.0.0.1/v1/matches/M", "1"])
    assert 1 == sum("/events" in url for url in asked)
