"""The attacks themselves: each finds what it is made to find."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from chalicelib.service.services import Services
from chalicelib.store.memory import MemoryStore
from chalicelib.store.table import Table, Write
from dev.trust.faults import try_faults
from dev.trust.follower import Follower
from dev.trust.phones import PATIENCE, Phone, seat_four
from dev.trust.proxy import Fault
from dev.trust.scenarios import SCENARIOS
from dev.trust.tally import Broken, Tally
from dev.trust.transport import InProcess, Json, Reply
from tests.servers import Server


def test_a_write_by_halves_is_found(dynoxide: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store that makes of one transaction several writes leaves a seat or a deal half changed, and is found out."""
    whole = Table.write

    def by_halves(table: Table, *writes: Write) -> Mapping[str, Any]:
        answers = [whole(table, write) for write in writes if write.kind != "ConditionCheck"]
        return answers[-1]

    monkeypatch.setattr(Table, "write", by_halves)
    scenarios = [each for each in SCENARIOS if each.name in ("leaving among cards", "a move that ends a deal")]
    faults = (Fault.DROPPED_BEFORE,)
    once, _ = try_faults(dynoxide.url, faults, scenarios, PATIENCE, 4, f"halves-{secrets.token_hex(4)}", lasting=False)
    assert not once.kept


@dataclass
class Lying:
    """A way to the API on which the feed is altered."""

    transport: InProcess
    lie: str

    def send(self, method: str, path: str, body: Json = None, headers: Mapping[str, str] | None = None) -> Reply:
        reply = self.transport.send(method, path, body, headers)
        if "/events" not in path:
            return reply
        page = reply.json
        items = page["items"]
        if self.lie == "lost":
            del items[12]
        elif self.lie == "doubled":
            items.insert(12, {**items[12], "version": items[12]["version"]})
            for late in items[13:]:
                late["version"] += 1
        elif self.lie == "changed":
            items[12]["seat"] = "nobody"
        page["version"] = items[-1]["version"]
        return Reply(reply.status, reply.headers, json.dumps(page))


@pytest.mark.parametrize("lie", ["lost", "doubled", "changed"])
def test_a_feed_that_lies_is_found(lie: str) -> None:
    """An event that is gone, there twice or another one than it was is found by whoever follows the feed."""
    transport = InProcess(Services(MemoryStore()))
    table = seat_four(transport)
    table.play(20)
    follower = Follower(table.at("north"), table.path, "north")
    follower.poll()
    honest = follower.forget()
    follower.phone = follower.phone.through(Lying(transport, lie))
    with pytest.raises(Broken):
        follower.poll()
        if follower.events != honest:
            raise Broken("events that were told are gone or changed")


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


def test_a_client_repeats_as_the_guide_says() -> None:
    """What got no answer, or a 503, is sent again, the same; any other answer stands."""
    sent: list[tuple[str, str]] = []

    @dataclass
    class Failing:
        def send(self, method: str, path: str, body: Json = None, headers: Mapping[str, str] | None = None) -> Reply:
            sent.append((method, path))
            if len(sent) == 1:
                raise ConnectionError
            return Reply(503 if len(sent) == 2 else 409, {}, '{"code":"seat_taken"}')

    assert "seat_taken" == Phone(Failing()).insist("PUT", "/there").code
    assert [("PUT", "/there")] * 3 == sent
