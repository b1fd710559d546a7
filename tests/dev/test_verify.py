"""`python -m dev.verify`: real records pass, and whatever is changed in one is found."""

from __future__ import annotations

import copy
import io
import json
import urllib.error
import urllib.request
from collections.abc import Callable
from email.message import Message
from pathlib import Path
from random import Random
from typing import Any

import pytest

from chalicelib.api import present
from chalicelib.api.present_deal import DEAL_RECORD
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
    deals = [DEAL_RECORD(history.deal_record(services, person.id, match_id, number)) for number in numbers]
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


def other(seat: str) -> str:
    return {"north": "east"}.get(seat, "north")


def on_a_bots_seat(content: Json) -> Json:
    """A seed, however well the digest fits it; the deal."""
    deal: Json = content["deals"][0]
    deal["seats"][2]["client_seed"] = "c3fc"
    deal["client_digest"] = verify.digest_of([seat["client_seed"] for seat in deal["seats"]]).hex()
    return deal


def on_two_seats(content: Json) -> None:
    order = content["deals"][0]["seed_order"]
    order.append({"seat": "south", "player": order[0]["player"]})


FORGED = {"id": "Z" * 16, "name": "Forged"}
IN_A_DEAL: dict[str, tuple[Callable[[Json], object], str]] = {
    "commitment": (lambda deal: deal.update(commitment="0" * 64), "the secret is the one"),
    "secret": (lambda deal: deal.update(deal_secret="0" * 64), "the secret is the one"),
    "digest": (lambda deal: deal.update(client_digest="0" * 64), "the players' seeds make"),
    "seed": (lambda deal: deal["seats"][0].update(client_seed="0b"), "the players' seeds make"),
    "hands": (lambda deal: deal["seats"].reverse(), "secret and seeds make the four hands"),
    "opener": (lambda deal: deal.update(opener=other(deal["opener"])), "the opener is the one drawn"),
    "call": (lambda deal: next(call for call in deal["calls"] if "number" in call).update(number=13), "the calls, the"),
    "called": (
        lambda deal: deal["moves"].insert(4, deal["moves"][0] | {"type": "call", "number": 13}),
        "every move is legal",
    ),
    "contract": (lambda deal: deal.update(contract=deal["contract"] % 13 + 1), "the calls, the contract"),
    "ser": (lambda deal: deal.update(ser="S" if deal["ser"] != "S" else "H"), "the calls, the contract and the ser"),
    "plays": (lambda deal: deal["tricks"][0]["plays"].reverse(), "the tricks and their winners"),
    "member of the result": (lambda deal: deal["result"].update(bonus=1), "the result is right"),
    "made": (lambda deal: deal["result"].update(made=not deal["result"]["made"]), "the result is right"),
    "cards": (lambda deal: deal["moves"].__setitem__(slice(5, 7), deal["moves"][6:4:-1]), "every move is legal"),
    "mover": (lambda deal: deal["moves"][4].update(seat=other(deal["moves"][4]["seat"])), "every move is legal"),
    "winner": (lambda deal: deal["tricks"][3].update(winner=other(deal["tricks"][3]["winner"])), "the tricks and"),
    "banked": (lambda deal: deal["banked"].update(ns=deal["banked"]["ns"] - 1), "what each side banked"),
    "score": (lambda deal: deal["result"].update(score=deal["result"]["score"] + 1), "the result is right"),
}
IN_A_MATCH: dict[str, tuple[Callable[[Json], object], str]] = {
    "a commitment": (lambda match: match["match"]["commitments"].__setitem__(0, "0" * 64), "the commitment is the one"),
    "on a bot's seat": (on_a_bots_seat, "no seed is a bot's"),
    "on a bot's seat, by nobody": (
        lambda match: on_a_bots_seat(match)["seed_order"].append({"seat": "south", "player": {}}),
        "no seed is a bot's",
    ),
    "on two seats": (on_two_seats, "no seed is a bot's"),
    "in another order": (lambda match: match["deals"][0]["seed_order"].reverse(), "the seeds, their order"),
    "another seed": (lambda match: match["events"][1].update(client_seed="0c"), "the seeds, their order"),
    "no seed": (lambda match: match["events"].__delitem__(slice(1, None)), "the seeds, their order"),
    "another speaker": (
        lambda match: match["deals"][0]["seed_order"][-1].update(player=FORGED),
        "the seeds, their order",
    ),
}


@pytest.mark.parametrize("change", [*IN_A_DEAL, *IN_A_MATCH])
def test_whatever_is_changed_is_found(
    match: Json, check: Callable[..., int], capsys: pytest.CaptureFixture[str], change: str
) -> None:
    """And what is wrong is named. Whoever kept the commitments and the events knows what was sent before the last word,
    and by whom; the digest alone does not tell."""
    changed = copy.deepcopy(match)
    if change in IN_A_DEAL:
        how, wrong = IN_A_DEAL[change]
        how(changed["deals"][0])
    else:
        how, wrong = IN_A_MATCH[change]
        how(changed)
    assert 1 == check(changed)
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith(f"WRONG        {wrong}") for line in lines)
    if change in IN_A_MATCH:
        assert "ok           the players' seeds make the digest" in lines
        assert "no seed" == change or "east (B) had the last word" in lines[-2]


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
def test_what_is_no_deal(
    content: object, check: Callable[..., int], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A clear line, and 2."""
    assert 2 == check(content)
    assert 2 == verify.main([str(tmp_path / "none.json"), "1"])
    out, err = capsys.readouterr()
    assert ("", 2) == (out, err.count("\n"))


@pytest.fixture
def served(match: Json, monkeypatch: pytest.MonkeyPatch) -> dict[str, Json]:
    """The match as the API would serve it, to guests: path behind /v1 → answer."""
    path, events = f"/matches/{match['match']['id']}", match["events"]
    answers = {path: match["match"], "/players": {"tokens": {"access_token": "guest"}}}
    answers[f"{path}/events?after=0"] = {"items": events[:2], "more": True}
    answers[f"{path}/events?after=2"] = {"items": events[2:], "more": True}
    answers |= {f"{path}/deals/{deal['deal_number']}": deal for deal in match["deals"]}

    def urlopen(request: urllib.request.Request, timeout: float) -> io.BytesIO:
        path = request.full_url.removeprefix("http://game.example/v1")
        allowed = path == "/players" or request.get_header("Authorization") in ("Bearer guest", "Bearer mine")
        if not allowed or path not in answers:
            raise urllib.error.HTTPError(request.full_url, 404, "Not Found", Message(), io.BytesIO())
        return io.BytesIO(json.dumps(answers[path]).encode())

    monkeypatch.setattr(urllib.request, "urlopen", urlopen)
    monkeypatch.delenv("DO_DOONI_TOKEN", raising=False)
    return answers


def test_from_a_server(
    served: dict[str, Json], match: Json, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As a guest, or with a token of one's own; what is not there is said. A server that promises more events and has
    none is asked no further, and the seeds are not those of the feed."""
    url = f"http://game.example/v1/matches/{match['match']['id']}"
    assert 0 == verify.main([url, "2"])
    assert 0 == capsys.readouterr().out.count("not checked")
    monkeypatch.setenv("DO_DOONI_TOKEN", "mine")
    assert 0 == verify.main([url + "/deals/3", "3"])
    assert 2 == verify.main([url, "4"])
    assert 2 == verify.main(["http://game.example/v1", "1"])
    served[f"/matches/{match['match']['id']}/events?after=0"] = {"items": [], "more": True}
    assert 1 == verify.main([url, "1"])
    monkeypatch.setenv("DO_DOONI_TOKEN", "nobody's")
    assert 2 == verify.main([url, "1"])
    assert "404" in capsys.readouterr().err
