"""The attacks themselves: each finds what it is made to find."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings

from chalicelib.engine import Deal, Seat
from chalicelib.match.cards import running_deal
from chalicelib.match.view import MatchView, match_view
from chalicelib.service.services import Services
from chalicelib.store.memory import MemoryStore
from chalicelib.store.table import DynamoTable, Write
from dev.driver import PATIENCE, InProcess, Json, Player, Reply, seat_four
from dev.local.servers import Server
from dev.trust.faults import meet_and_repeat, try_all
from dev.trust.follower import Follower
from dev.trust.leaks import found_in, looking_alike, noninterference
from dev.trust.matches import killed_store
from dev.trust.promise import Broken, Place, Tally
from dev.trust.store_faults import Fault
from tests import strategies


def test_a_write_by_halves_is_found(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store that makes several writes of one transaction leaves a seat or a deal half changed."""
    whole = DynamoTable.write

    def by_halves(table: DynamoTable, *writes: Write) -> Mapping[str, Any]:
        return [whole(table, write) for write in writes if write.kind != "ConditionCheck"][-1]

    monkeypatch.setattr(DynamoTable, "write", by_halves)
    tally, attack = Tally("whole writes"), partial(meet_and_repeat, lasting=False)
    try_all(
        place, tally, [Fault.DROPPED_BEFORE], attack, ["leaving among cards", "a move that ends a deal"], PATIENCE, 2
    )
    assert not tally.kept


def test_the_store_of_a_local_run_is_killed(local_store_on_disk: Callable[[], Server]) -> None:
    """What it has acknowledged is there when it is back."""
    tally = Tally("no acknowledged move is lost")
    killed_store(local_store_on_disk, tally, 3)
    assert [] == tally.broken
    assert tally.kept


@dataclass
class Lying:
    """A way to the API on which the feed is altered."""

    transport: InProcess
    lie: str

    def send(self, method: str, path: str, body: Json = None, headers: Mapping[str, str] | None = None) -> Reply:
        reply = self.transport.send(method, path, body, headers)
        if "/events" not in path:
            return reply
        page = reply.body
        items = page["items"]
        if self.lie == "lost":
            del items[12]
        elif self.lie == "doubled":
            items.insert(12, {**items[12]})
            for late in items[13:]:
                late["version"] += 1
        elif self.lie == "changed":
            items[12]["seat"] = "nobody"
        page["version"] = items[-1]["version"]
        return replace(reply, text=json.dumps(page))


@pytest.mark.parametrize("lie", ["lost", "doubled", "changed"])
def test_a_feed_that_lies_is_found(lie: str) -> None:
    """An event that is gone, there twice or another one than it was is found by whoever follows the feed."""
    transport = InProcess(Services(MemoryStore()))
    four = seat_four(transport)
    four.play(20)
    follower = Follower(four.at("north"), four.path, "north")
    follower.poll()
    follower.settle()
    follower.player = follower.player.through(Lying(transport, lie))
    with pytest.raises(Broken):
        follower.settle()


def test_a_little_in_a_view_is_found(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """A view that tells a little of a neighbour's hand: enough that hardly ever two hands tell the same."""

    def leaking(match: Any, deal: Deal | None, seat: Seat | None, now: int, names: Any = None) -> MatchView:
        view = match_view(match, deal, seat, now, names)
        neighbour = Seat.NORTH if seat is None else seat.next
        told = deal.left[neighbour] % 7 if deal is not None else 0
        return view._replace(poll_after_seconds=view.poll_after_seconds + told)

    monkeypatch.setattr("chalicelib.service.table.match_view", leaking)
    tally = Tally("nothing leaks")
    noninterference(place, tally, 2)
    assert not tally.kept


def test_a_hand_in_the_log_is_found(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """A log line with the cards of the table, at whatever level it is written."""

    def talking(match: Any) -> Deal | None:
        deal = running_deal(match)
        logging.getLogger("chalicelib.service").debug("dealt %s", deal.hands if deal else None)
        return deal

    monkeypatch.setattr("chalicelib.service.table.running_deal", talking)
    tally = Tally("nothing leaks")
    noninterference(place, tally, 1)
    assert not tally.kept


def test_a_secret_in_a_line_is_found() -> None:
    """A name, and a card."""
    assert 2 == len(list(found_in(['{"event":"x","name":"Asha","card":"AS"}', "quiet"], {"Asha"})))


@given(strategies.running_deals(), strategies.onlookers)
@settings(max_examples=60, deadline=None)
def test_other_deals_look_the_same(deal: Deal, viewer: Seat | None) -> None:
    """Cards dealt anew among hidden hands allow the very same moves, and show the viewer the very same deal."""
    for hands in looking_alike(deal, viewer, Random(1), 5):
        again = Deal.start(hands, deal.opener, deal.after_bank)
        for move in deal.moves:
            again = again.play(move)
        assert hands != deal.hands
        assert deal.view(viewer) == again.view(viewer)


def test_nothing_tried_is_nothing_held() -> None:
    """A promise that nobody tried to break has not held, and one failure among many is told."""
    tally = Tally("a promise")
    assert not tally.kept
    tally.add()
    assert tally.kept
    with tally.attempt("once more"):
        raise Broken("as it must not be")
    assert (2, 1, ["once more: as it must not be"]) == (tally.tried, tally.held, tally.broken)
    assert not tally.kept
    assert tally.line().startswith("BROKEN")


def test_a_player_repeats_as_the_guide_says() -> None:
    """What got no answer, or a 503, is sent again, the same; any other answer stands."""
    sent: list[tuple[str, str]] = []

    class Failing:
        def send(self, method: str, path: str, body: Json = None, headers: Mapping[str, str] | None = None) -> Reply:
            sent.append((method, path))
            if len(sent) == 1:
                raise ConnectionError
            headers = {"Content-Type": "application/json"}
            return Reply(503 if len(sent) == 2 else 409, headers, '{"code":"seat_taken"}')

    assert "seat_taken" == Player(Failing()).insist("PUT", "/there").code
    assert [("PUT", "/there")] * 3 == sent
