"""Sets are sealed: whoever has not finished a deal of one is told the same by every operation, whatever its cards, par
and the others' results are.

Everything is asked twice: of the world as it is, and of one in which all that the caller may not know yet is otherwise.
The answers are the same, byte for byte. A route that is added is asked by itself.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from random import Random
from typing import Any, cast

import pytest

from chalicelib.api.app import create_app
from chalicelib.api.routes import BASE, ROUTES
from chalicelib.engine import Shuffled, deal_secret, shuffle
from chalicelib.match import cards, sets
from chalicelib.match.model import UNVISITED_LIFE
from chalicelib.match.sets import SetResult
from chalicelib.service.clock.sweep import sweep
from chalicelib.service.services import Services
from chalicelib.service.sets import making
from chalicelib.store.memory import MemoryStore
from dev.local.gateway import Gateway
from dev.trust.items import copied
from tests.api.client import BODIES, Client, Json, path_of
from tests.api.conftest import SIGNING_KEYS, Clock, keys_of

DEALS = 3
ASKED = sorted((route for route in ROUTES if not route.for_all), key=lambda route: route.method != "GET")
STATES = {
    "not entered": 0,
    "before the first": 0,
    "in the second": 1,
    "left the second": 1,
    "given up in the second": 1,
}
"""How many deals the caller has finished."""


class World:
    """A challenge and a daily that others have finished, and a caller who has not."""

    def __init__(self, state: str, kind: str) -> None:
        self.state, self.clock, self.store = state, Clock(), MemoryStore()
        nobody = Client(self.app(self.store))
        maker, self.friend, self.caller = (nobody.guest(name) for name in ("Asha", "Bilal", "Charu"))
        if kind == "challenge":
            view = self._play(maker, maker.solo(deals=DEALS))
            deal_set = maker.ok("POST", "/sets", {"match_id": view["id"]})
            self.others = [view["id"], self._play(self.friend, self._entry(self.friend, deal_set["id"]))["id"]]
        else:
            deal_set = self.caller.ok("GET", "/sets/daily")
            self.others = [self._play(each, self._entry(each, deal_set["id"]))["id"] for each in (maker, self.friend)]
        self.set_id, self.code = deal_set["id"], deal_set.get("code", "AAAAAAAA")
        while sweep(Services(self.store, self.clock.now)).pars:
            self.clock.at += 60
        self.own = self._stand() if state != "not entered" else self.others[0]
        kept = self.store.deal_set(self.set_id)
        assert kept is not None and len(kept.par) == kept.rules.deals
        self.secrets = [deal_secret(kept.secret, number) for number in range(1, kept.rules.deals + 1)]

    def app(self, store: MemoryStore) -> Any:
        return create_app(Services(store, self.clock.now, Random(7).randbytes), keys_of(SIGNING_KEYS), rate_factor=1000)

    def _entry(self, player: Client, set_id: str) -> Json:
        view: Json = player.ok("PUT", f"/sets/{set_id}/entry")["match"]
        return view

    def _play(self, player: Client, view: Json, upto: int = 99) -> Json:
        """On, until so many deals are over."""
        while view["status"] == "playing" and view["deal"]["deal_number"] <= upto:
            view = player.move(view, view["you"]["legal_moves"][-1]).body["match"]
        return view

    def _stand(self) -> str:
        """The caller's entry, brought to where it is."""
        view = self._play(self.caller, self._entry(self.caller, self.set_id), upto=STATES[self.state])
        if self.state.startswith("left"):
            self.caller.ok("DELETE", f"/matches/{view['id']}/seats/north")
        if self.state.startswith("given up"):
            match = self.store.match(view["id"])
            assert match is not None
            late = Services(self.store, lambda: self.clock.at + UNVISITED_LIFE)
            transition = late.transition(match, deal=cards.running_deal(match))
            transition.abandon()
            self.store.save(transition.change())
        return str(view["id"])

    @contextmanager
    def otherwise(self, finished: int) -> Iterator[MemoryStore]:
        """The store, with other cards in deals that were not begun (and in one that was left, other hands at the hidden
        seats), another par of what is not finished, and other results of the others."""
        store = copied(self.store)
        packed, par = store._sets[self.set_id]
        store._sets[self.set_id] = packed, par[:finished] + par[finished:][::-1].translate(bytes(range(1, 256)) + b"\0")
        store._histograms[self.set_id] = {-7: 3, 1: 5}
        store._set_results[self.set_id] = {SetResult(self.friend.player_id, 1)}
        begun = finished + (self.state in ("before the first", "in the second"))
        hidden = set(self.secrets[begun:])

        def dealt_otherwise(secret: bytes, client_digest: bytes) -> Shuffled:
            deal_set = shuffle(secret, client_digest)
            north, east, south, west = deal_set.hands
            left = self.state.endswith("the second") and secret == self.secrets[1]
            hands = (north, west, east, south) if left else (west, north, east, south)
            return Shuffled(hands, deal_set.opener) if secret in hidden else deal_set

        vars(cards)["shuffle"] = dealt_otherwise
        try:
            yield store
        finally:
            vars(cards)["shuffle"] = shuffle

    def told(self, store: MemoryStore) -> Iterator[tuple[str, str]]:
        """What the caller is answered to everything there is to ask, each by a copy of the store."""
        copies = Copies()
        gateway = Gateway(self.app(cast(MemoryStore, copies)), request_id="one")
        headers = {"Authorization": f"Bearer {self.caller.token}", "Content-Type": "application/json"}
        for route in ASKED:
            if route.operation_id == "enterSet" and self.state == "not entered":
                continue  # from then on one's own cards are known
            asked_of = (self.own, *self.others) if "{match_id}" in route.path or route.body else (self.own,)
            for match_id, number in product(asked_of, range(1, DEALS + 1 if "_number}" in route.path else 2)):
                match = store.match(match_id)
                values = {"match_id": match_id, "set_id": self.set_id, "code": self.code, "deal_number": str(number)}
                values |= {"seat": "north", "move_number": str(match.base_move + number if match is not None else 1)}
                path = path_of(route, **values)
                body = {"match_id": match_id} if route.operation_id == "createSet" else BODIES.get(route.operation_id)
                content = None if body is None else json.dumps(body).encode()
                copies.store = copied(store)
                yield (
                    f"{route.method} {path}",
                    repr(gateway.handle_request(route.method, BASE + path, headers, content)),
                )


class Copies:
    """One store after the other."""

    store: MemoryStore

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)


@pytest.fixture(autouse=True)
def _quick_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sets, "PAR_LEVEL", "easy")
    monkeypatch.setattr(making, "PAR_LEVEL", "easy")


@pytest.mark.parametrize("kind", ["challenge", "daily"])
@pytest.mark.parametrize("state", STATES)
def test_nothing_is_told_too_early(state: str, kind: str) -> None:
    """By no operation, of no match and no deal; nor is a secret of any deal."""
    world = World(state, kind)
    as_it_is = list(world.told(world.store))
    with world.otherwise(STATES[state]) as store:
        for (asked, told), (_, told_otherwise) in zip(as_it_is, world.told(store), strict=True):
            assert told == told_otherwise, asked
            assert not [secret for secret in world.secrets if secret.hex() in told], asked
    assert len(as_it_is) > len(ASKED)


def test_what_is_otherwise_is_seen_once_one_may() -> None:
    """Else the worlds would not differ: par, the others' results and their names after one's own finish, and cards."""
    world = World("in the second", "challenge")
    world._play(world.caller, world.caller.ok("GET", f"/matches/{world.own}"))
    as_it_is = list(world.told(world.store))
    with world.otherwise(0) as store:
        both = zip(as_it_is, world.told(store), strict=True)
        differs = {asked for (asked, told), (_, told_otherwise) in both if told != told_otherwise}
    assert {
        f"GET /sets/{world.set_id}",
        f"GET /sets/{world.set_id}/results",
        f"GET /matches/{world.own}/deals/{DEALS}",
    } <= differs
