"""The packed forms of what is beside a match (deals that are over, seat events), and of a player's devices.

Seat events and devices are few, and have many members: a byte for the form, then JSON.
"""

from __future__ import annotations

import json
import struct
from base64 import b64decode, b64encode
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

from chalicelib.engine import SEATS
from chalicelib.match.event_types import SEAT_EVENT_TYPES
from chalicelib.match.log import Log
from chalicelib.match.model import Actor, ClosedDeal, EventBatch, Place, SeatEvent, SeatType, Seed
from chalicelib.service.ports import Session
from chalicelib.store.wire import (
    BROKEN,
    RESULT_OF,
    NewerForm,
    Reader,
    Unreadable,
    check_form,
    counted,
    exactly,
    form_written,
    pack_id,
    result_byte,
    unpack_id,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


_DEAL = struct.Struct(">BBIHIII32s")
"""form, opener, base_version, base_move, base_at, ended_at, last_version, deal secret."""
MOST_IN_A_WRITE = 32
"""Seat events that one write may hold: none comes near."""
_DEFAULTS = asdict(Place())
_PLACE_FIELDS = frozenset(field.name for field in fields(Place))
_EVENT_FIELDS = frozenset(field.name for field in fields(SeatEvent))
_SESSION_FIELDS = frozenset(field.name for field in fields(Session))
_DIGESTS = ("salt", "current", "previous", "nonce", "opened")
"""Members of a session that are bytes: Base64 in JSON."""


def pack_closed(deal: ClosedDeal) -> bytes:
    """All of a finished deal but its number."""
    try:
        head = _DEAL.pack(
            form_written(),
            deal.opener,
            deal.base_version,
            deal.base_move,
            deal.base_at,
            deal.ended_at,
            deal.last_version,
            exactly(deal.deal_secret, 32),
        )
    except struct.error as wrong:
        raise ValueError("a number of the deal is out of its range") from wrong
    result = b"" if deal.result is None else bytes([result_byte(deal.result)])
    players = [b"" if player is None else pack_id(player) for player in deal.players]
    return b"".join([head, counted(result), *map(counted, players), deal.log.packed])


def unpack_closed(number: int, packed: bytes) -> ClosedDeal:
    """What `pack_closed` was given."""
    try:
        form, opener, base_version, base_move, base_at, ended_at, last_version, secret = _DEAL.unpack_from(packed)
        check_form(form)
        reader = Reader(packed, _DEAL.size)
        result = reader.counted()
        north, east, south, west = [unpack_id(kept) if (kept := reader.counted()) else None for _ in SEATS]
        return ClosedDeal(
            number=number,
            opener=SEATS[opener],
            base_version=base_version,
            base_move=base_move,
            base_at=base_at,
            ended_at=ended_at,
            last_version=last_version,
            deal_secret=secret,
            log=Log(reader.rest()),
            players=(north, east, south, west),
            result=RESULT_OF[result[0]] if result else None,
        )
    except BROKEN as wrong:
        raise Unreadable("not a packed deal") from wrong


def last_version(batch: EventBatch) -> int:
    """The version of the batch's last event: what it is kept under."""
    return batch.version + len(batch.events) - 1


def pack_batch(batch: EventBatch) -> bytes:
    """All of a batch but its versions."""
    if not 0 < len(batch.events) <= MOST_IN_A_WRITE:
        raise ValueError("no event, or too many")
    written = [_written(event) for event in batch.events]
    return (
        bytes([form_written()])
        + json.dumps(written, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    )


def unpack_batch(last: int, packed: bytes) -> EventBatch:
    """What `pack_batch` was given; `last` is the last event's version."""
    try:
        check_form(packed[0])
        events = tuple(_read(written) for written in json.loads(packed[1:]))
    except BROKEN as wrong:
        raise Unreadable("not packed events") from wrong
    return EventBatch(last - len(events) + 1, events)


def _written(event: SeatEvent) -> dict[str, object]:
    written: dict[str, object] = {"type": event.type, "at": event.at}
    if event.actor is not None:
        written["actor"] = event.actor
    if event.seat is not None:
        written["seat"] = event.seat
    if event.place is not None:
        written["place"] = {name: value for name, value in asdict(event.place).items() if value != _DEFAULTS[name]}
    if event.values:
        written["values"] = dict(event.values)
    return written


def _read(written: Mapping[str, Any]) -> SeatEvent:
    if not written.keys() <= _EVENT_FIELDS or written["type"] not in SEAT_EVENT_TYPES:
        raise NewerForm("a seat event with something that this version does not know")
    place = written.get("place")
    return SeatEvent(
        type=written["type"],
        at=written["at"],
        actor=Actor(written["actor"]) if "actor" in written else None,
        seat=SEATS[written["seat"]] if "seat" in written else None,
        place=None if place is None else _place(place),
        values=written.get("values", {}),
    )


def _place(written: Mapping[str, Any]) -> Place:
    if not written.keys() <= _PLACE_FIELDS:
        raise NewerForm("a seat with something that this version does not know")
    return Place(**{**written, "type": SeatType(written.get("type", SeatType.EMPTY))})


def write_seeds(seeds: tuple[Seed, ...]) -> str:
    """A line each, in their order."""
    return "\n".join(f"{seed.seat:d} {seed.player_id} {seed.digits}" for seed in seeds)


def read_seeds(written: str) -> tuple[Seed, ...]:
    """What `write_seeds` was given."""
    lines = [line.split(" ") for line in written.splitlines()]
    return tuple(Seed(SEATS[int(seat)], player_id, digits) for seat, player_id, digits in lines)


def pack_sessions(sessions: Iterable[Session]) -> bytes:
    """A player's devices. What is empty is left out."""
    written = [{name: value for name, value in asdict(session).items() if value} for session in sessions]
    for session in written:
        session |= {name: b64encode(session[name]).decode() for name in _DIGESTS if name in session}
    return bytes([form_written()]) + json.dumps(written, ensure_ascii=False, separators=(",", ":")).encode()


def unpack_sessions(packed: bytes) -> tuple[Session, ...]:
    """What `pack_sessions` was given."""
    try:
        check_form(packed[0])
        return tuple(_session(written) for written in json.loads(packed[1:]))
    except BROKEN as wrong:
        raise Unreadable("not packed devices") from wrong


def _session(written: dict[str, Any]) -> Session:
    if not written.keys() <= _SESSION_FIELDS:
        raise NewerForm("a device with something that this version does not know")
    written |= {name: b64decode(written[name], validate=True) for name in _DIGESTS if name in written}
    return Session(**{**written, "makers": tuple(written.get("makers", ()))})
