"""A stored format that changes while old and new functions run side by side: nothing is misread, nothing is lost."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable
from typing import Any

import pytest

from chalicelib.api.app import create_app
from chalicelib.service.clock.sweep import sweep
from chalicelib.service.ports import Unavailable
from chalicelib.service.services import Services
from chalicelib.store import DynamoStore, create_table, keys, records, wire
from chalicelib.store.codec import pack_match, unpack_match
from chalicelib.store.wire import FORM_VARIABLE, FORMS, NewerForm, Unreadable
from tests.api.client import Client, Foursome
from tests.api.conftest import SIGNING_KEYS, keys_of
from tests.contract import given
from tests.servers import Server

NEXT = FORMS[-1] + 1
Packed = dict[str, bytes]


def _packed() -> Packed:
    """One of each kind, in the form that is written now."""
    return {
        "match": pack_match(given.full_match()),
        "deal": records.pack_closed(given.closed_deal()),
        "events": records.pack_batch(given.batch(3, "seat_taken")),
        "devices": records.pack_sessions([given.session()]),
    }


READ: dict[str, Callable[[bytes], object]] = {
    "match": lambda packed: unpack_match(given.new_id(), 7, packed, None),
    "deal": lambda packed: records.unpack_closed(1, packed),
    "events": lambda packed: records.unpack_batch(3, packed),
    "devices": records.unpack_sessions,
}


@pytest.fixture
def version(monkeypatch: pytest.MonkeyPatch) -> Callable[[tuple[int, ...], int], None]:
    """Makes this process a version that reads these forms and writes that one."""

    def be(reads: tuple[int, ...], writes: int) -> None:
        monkeypatch.setattr(wire, "FORMS", reads)
        monkeypatch.setenv(FORM_VARIABLE, str(writes))

    return be


BEFORE, READING, WRITING = (FORMS, FORMS[-1]), ((*FORMS, NEXT), FORMS[-1]), ((*FORMS, NEXT), NEXT)
"""(what is read, what is written): as it is, after the first deployment, after the second."""


@pytest.mark.parametrize(("old", "new"), [(BEFORE, READING), (READING, WRITING)], ids=["first", "second"])
def test_each_deployment_of_a_new_form_can_be_taken_back(version: Any, old: Any, new: Any) -> None:
    """Read it first, then write it: in both deployments old and new functions run side by side, and each reads what the
    other writes, then and after a roll back."""
    for writer, reader in ((old, new), (new, old)):
        version(*writer)
        written = _packed()
        assert {writer[1]} == {packed[0] for packed in written.values()}
        version(*reader)
        for kind, packed in written.items():
            READ[kind](packed)


@pytest.mark.parametrize("kind", READ)
def test_an_item_of_a_newer_form_is_said_to_be_one(version: Any, kind: str) -> None:
    """To write before all functions read is the mistake that the recipe prevents; even then nothing is taken for
    something else. It passes by itself, so it is `Unavailable`."""
    version(*WRITING)
    packed = _packed()[kind]
    version(*BEFORE)
    with pytest.raises(NewerForm, match=f"form {NEXT}"):
        READ[kind](packed)
    assert issubclass(NewerForm, Unavailable)


@pytest.mark.parametrize("kind", READ)
def test_a_form_that_is_given_up_is_a_fault(version: Any, kind: str) -> None:
    """No newer function comes that could read it."""
    packed = _packed()[kind]
    version((NEXT,), NEXT)
    with pytest.raises(Unreadable):
        READ[kind](packed)


def test_a_form_that_nobody_knows_is_not_written(version: Any) -> None:
    """A stage that names one says so at the first write."""
    version(FORMS, NEXT)
    with pytest.raises(RuntimeError, match=FORM_VARIABLE):
        _packed()


@pytest.mark.parametrize("bit", range(21, 24))
def test_an_option_of_a_later_version_is_not_dropped(bit: int) -> None:
    """A bit that this version has no use for is not read over: written back it would be lost."""
    packed = bytearray(_packed()["match"])
    packed[3 - bit // 8] |= 1 << bit % 8
    with pytest.raises(NewerForm, match="option"):
        READ["match"](bytes(packed))


@pytest.mark.parametrize(
    "change",
    [
        lambda event: event.update(type="seat_painted"),
        lambda event: event.update(colour="red"),
        lambda event: event.update(place={"colour": "red"}),
    ],
    ids=["type", "member", "place"],
)
def test_a_seat_event_of_a_later_version_is_not_dropped(change: Callable[[Any], None]) -> None:
    """A type, a member or something of a seat that this version does not know."""
    packed = _packed()["events"]
    events = json.loads(packed[1:])
    change(events[0])
    with pytest.raises(NewerForm):
        READ["events"](packed[:1] + json.dumps(events).encode())


@pytest.fixture(scope="module")
def store(local_store: Server) -> DynamoStore:
    table = f"forms-{secrets.token_hex(6)}"
    create_table(table, local_store.url)
    return DynamoStore(table, local_store.url, call_seconds=60)


@pytest.fixture
def client(store: DynamoStore) -> Client:
    return Client(create_app(Services(store), keys_of(SIGNING_KEYS), rate_factor=0))


class Item:
    """An item in the table, which a later version has written anew."""

    def __init__(self, store: DynamoStore, pk: str, sk: str) -> None:
        self.store, self.pk, self.sk = store, pk, sk
        self.before = self.now()

    def now(self) -> dict[str, Any]:
        item = self.store._table.get_raw(self.pk, self.sk)
        assert item is not None
        return dict(item)

    def put(self, item: dict[str, Any]) -> None:
        self.store._table.connection.dispatch("PutItem", {"TableName": self.store._table.name, "Item": item})

    def all_refused(self, later: dict[str, Any], *asked: tuple[Client, str, str, Any]) -> None:
        """Each request is 503, with the time to wait, and nothing is written."""
        self.put(later)
        for who, method, where, body in asked:
            reply = who.call(method, where, body)
            assert (503, "try_again", "1") == (reply.status, reply.code, reply.headers["Retry-After"]), (method, where)
            assert later == self.now()


RED = {"colour": {"S": "red"}}


@pytest.mark.parametrize("later", ["a form", "an attribute"])
def test_a_function_of_before_meets_a_match_of_after(client: Client, store: DynamoStore, later: str) -> None:
    """Everything that needs the match is refused; the sweep neither fails for good nor puts the match off."""
    asha = client.guest()
    view = asha.solo(turn_seconds=60)
    path, item = f"/matches/{view['id']}", Item(store, keys.match_key(view["id"]), keys.MATCH)
    newer = {"match": {"B": bytes([NEXT]) + item.before["match"]["B"][1:]}}
    written = item.before | (newer if later == "a form" else RED)
    item.all_refused(
        written,
        (asha, "GET", path, None),
        (asha, "PUT", f"{path}/moves/{view['next_move']}", view["you"]["legal_moves"][0]),
        (asha, "GET", "/matches", None),
        (asha, "PATCH", "/me", {"name": "Bela"}),
    )
    late = Services(store, lambda: int(time.time()) + 3600)
    assert sweep(late).failed and written == item.now()
    item.put(item.before)
    assert 200 == asha.call("PATCH", "/me", {"name": "Bela"}).status
    assert not sweep(late).failed


def test_what_a_later_version_keeps_of_a_device_is_not_lost(client: Client, store: DynamoStore) -> None:
    """A refresh writes the whole item: it is refused where that would drop an attribute, or something of a device."""
    made = client.ok("POST", "/players", {})
    item = Item(store, keys.player_key(made["player"]["id"]), keys.DEVICES)
    token = made["tokens"]["refresh_token"]
    grant = {"type": "refresh", "refresh_token": token, "client_nonce": "nonce-of-this-phone"}
    coloured = item.before["sessions"]["B"].replace(b'{"id"', b'{"colour":"red","id"')
    for later in (RED, {"sessions": {"B": coloured}}):
        item.all_refused(item.before | later, (client, "POST", "/tokens", grant))
    item.put(item.before)
    assert 200 == client.grant("refresh", token).status


def test_a_standing_of_a_later_version_is_not_overwritten(client: Client, store: DynamoStore) -> None:
    """Looking on, sitting down, leaving, being sent away and the export are refused to who does not know it."""
    table = Foursome.waiting(client)
    host, friend = table.players[:2]
    seat, claim = f"{table.path}/seats/east", {"type": "human", "code": host.ok("GET", table.path)["invite"]["code"]}
    table.sit("east")
    item = Item(store, keys.player_key(friend.player_id), keys.membership_sort(table.id))
    later, leaves = item.before | {"standing": {"S": "later"}}, (friend, "DELETE", seat, None)
    item.all_refused(later, leaves, (host, "DELETE", seat, None), (friend, "GET", "/me/export", None))
    item.put(item.before)
    friend.ok("DELETE", seat)
    item.all_refused(later, (friend, "GET", table.path, None), (friend, "PUT", seat, claim))
    item.put(item.before)
    assert 200 == friend.call("PUT", seat, claim).status
