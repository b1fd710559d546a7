"""A stored format that changes while old and new functions run side by side: nothing is misread, nothing is lost."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from moto import mock_aws

from chalicelib.api.app import create_app
from chalicelib.service.clock.sweep import sweep
from chalicelib.service.ports import Unavailable
from chalicelib.service.services import Services
from chalicelib.store import DynamoStore, create_table, keys, wire
from chalicelib.store.codec import pack_match, unpack_match
from chalicelib.store.records import (
    pack_batch,
    pack_closed,
    pack_sessions,
    unpack_batch,
    unpack_closed,
    unpack_sessions,
)
from chalicelib.store.wire import FORM_VARIABLE, FORMS, NewerForm, Unreadable
from tests.api.client import Client, Table
from tests.api.conftest import SIGNING_KEYS, keys_of
from tests.contract import given

NEXT = FORMS[-1] + 1
Packed = dict[str, bytes]


def _packed() -> Packed:
    """One of each kind, in the form that is written now."""
    return {
        "match": pack_match(given.full_match()),
        "deal": pack_closed(given.closed_deal()),
        "events": pack_batch(given.batch(3, "seat_taken")),
        "devices": pack_sessions([given.session()]),
    }


READ: dict[str, Callable[[bytes], object]] = {
    "match": lambda packed: unpack_match(given.new_id(), 7, packed, None),
    "deal": lambda packed: unpack_closed(1, packed),
    "events": lambda packed: unpack_batch(3, packed),
    "devices": unpack_sessions,
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


@pytest.fixture
def store() -> Iterator[DynamoStore]:
    with mock_aws():
        table = f"forms-{secrets.token_hex(6)}"
        create_table(table)
        yield DynamoStore(table)


@pytest.fixture
def services(store: DynamoStore) -> Services:
    return Services(store)


@pytest.fixture
def client(services: Services) -> Client:
    return Client(create_app(services, keys_of(SIGNING_KEYS), rate_factor=0))


def _item(store: DynamoStore, pk: str, sk: str) -> dict[str, Any]:
    item = store._table.get_raw(pk, sk)
    assert item is not None
    return dict(item)


def _put(store: DynamoStore, item: dict[str, Any]) -> None:
    store._table.connection.dispatch("PutItem", {"TableName": store._table.name, "Item": item})


def _newer(item: dict[str, Any]) -> dict[str, Any]:
    packed = item["match"]["B"]
    return {**item, "match": {"B": bytes([NEXT]) + packed[1:]}}


def _painted(item: dict[str, Any]) -> dict[str, Any]:
    return {**item, "colour": {"S": "red"}}


@pytest.mark.parametrize("later", [_newer, _painted], ids=["form", "attribute"])
def test_a_function_of_before_meets_a_match_of_after(
    client: Client, services: Services, store: DynamoStore, later: Any
) -> None:
    """Everything that needs the match is 503, with the time to wait; nothing is written; the sweep neither fails for
    good nor puts the match off. With the new function all goes on."""
    asha = client.guest()
    view = asha.solo(turn_seconds=60)
    path, pk = f"/matches/{view['id']}", keys.match_key(view["id"])
    before = _item(store, pk, keys.MATCH)
    _put(store, later(before))
    asked: list[tuple[str, str, Any]] = [
        ("GET", path, None),
        ("PUT", f"{path}/moves/{view['next_move']}", view["you"]["legal_moves"][0]),
        ("GET", "/matches", None),
        ("PATCH", "/me", {"name": "Bela"}),
    ]
    for method, where, body in asked:
        reply = asha.call(method, where, body)
        assert (503, "try_again", "1") == (reply.status, reply.code, reply.headers["Retry-After"]), (method, where)
    late = Services(store, lambda: services.now() + 3600)
    assert sweep(late).failed
    assert later(before) == _item(store, pk, keys.MATCH)
    _put(store, before)
    assert 200 == asha.call("PATCH", "/me", {"name": "Bela"}).status
    assert not sweep(late).failed


def test_what_a_later_version_keeps_of_a_device_is_not_lost(client: Client, store: DynamoStore) -> None:
    """A refresh writes the whole item: it is refused where that would drop an attribute, or something of a device."""
    sign_in = client.ok("POST", "/players", {})
    player, token = sign_in["player"]["id"], sign_in["tokens"]["refresh_token"]
    before = _item(store, keys.player_key(player), keys.DEVICES)
    grant = {"type": "refresh", "refresh_token": token, "client_nonce": "nonce-of-this-phone"}
    packed = before["sessions"]["B"]
    coloured = {**before, "sessions": {"B": packed.replace(b'{"id"', b'{"colour":"red","id"')}}
    for later in (_painted(before), coloured):
        _put(store, later)
        assert 503 == client.call("POST", "/tokens", grant).status
        assert later == _item(store, keys.player_key(player), keys.DEVICES)
    _put(store, before)
    assert 200 == client.call("POST", "/tokens", grant).status


def test_a_standing_of_a_later_version_is_not_overwritten(client: Client, store: DynamoStore) -> None:
    """Looking on, sitting down, leaving, being sent away and the export are 503 for who does not know it."""
    table = Table.waiting(client)
    host, friend = table.players[:2]
    code = host.ok("GET", table.path)["invite"]["code"]
    seat = f"{table.path}/seats/east"
    sort = keys.membership_sort(table.id)
    friend.ok("PUT", seat, {"type": "human", "code": code})
    member = _item(store, keys.player_key(friend.player_id), sort)
    later = {**member, "standing": {"S": "later"}}

    def all_refused(*asked: tuple[Client, str, str, Any]) -> None:
        _put(store, later)
        for who, method, where, body in asked:
            reply = who.call(method, where, body)
            assert (503, "try_again", "1") == (reply.status, reply.code, reply.headers["Retry-After"]), (method, where)
            assert later == _item(store, keys.player_key(friend.player_id), sort)

    all_refused((friend, "DELETE", seat, None), (host, "DELETE", seat, None), (friend, "GET", "/me/export", None))
    _put(store, member)
    friend.ok("DELETE", seat)
    all_refused((friend, "GET", table.path, None), (friend, "PUT", seat, {"type": "human", "code": code}))
    _put(store, member)
    assert 200 == friend.call("PUT", seat, {"type": "human", "code": code}).status
