"""The packed form of a match.

It must fit in 1,024 bytes with its keys (one write unit), whatever happens in the match, so the form is tight: ids as
the 12 bytes they were made of, a byte a result, the log as it is. `ValueError` for a match that cannot be kept so.
"""

from __future__ import annotations

import struct

from chalicelib.engine import SEATS, AfterBank, Seat
from chalicelib.match.log import Log
from chalicelib.match.model import Entry, Invite, Match, Place, Rules, SeatType, Seed, Start, Status
from chalicelib.store.wire import (
    BROKEN,
    ID_BYTES,
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

_STATUSES = tuple(Status)
_SEAT_TYPES = tuple(SeatType)
_NO_SEAT = 7

_HEAD = struct.Struct(">B3sBBBIIIIIIH32sB")
"""form, bits, deals, deal, edition, turn_seconds (0: no clock), created_at, turn_at, last_at, base_at, base_version,
base_move, secret, number of results."""
_INSTANT = struct.Struct(">I")
_ENTRY_OF = struct.Struct(">12sI")
"""set, when it runs out (0: never)."""

_CLOCK_BY_DEFAULT, _SPECTATORS, _TAKE_OVER, _HINTS, _STREAK, _BY_HOST = 1, 2, 4, 8, 16, 32
_DEALT, _SEEDS, _INVITE, _REMATCH, _REMATCH_OF, _ASKED = 64, 128, 256, 512, 1024, 2048
_STATUS_AT, _HOST_AT, _OPENER_AT = 12, 14, 17
_ENTRY = 1 << 20
_UNUSED_AT = 21

_PLAYER, _NAMED, _LEVELLED, _AWAY, _LEFT, _DELETED = 4, 8, 16, 32, 64, 128


def pack_match(match: Match) -> bytes:
    """All of a match but its id, version and `scheduled_at`, which the item's own attributes hold.

    The head; a byte a result; the digests; rematch ids; invite; set; seeds (before the start); four places; the log.
    """
    rules = match.rules
    bits = (
        (_CLOCK_BY_DEFAULT if rules.clock_by_default else 0)
        | (_SPECTATORS if rules.spectators else 0)
        | (_TAKE_OVER if rules.take_over else 0)
        | (_HINTS if rules.hints else 0)
        | (_STREAK if rules.after_bank is AfterBank.STREAK else 0)
        | (_BY_HOST if rules.start is Start.BY_HOST else 0)
        | (_STATUSES.index(match.status) << _STATUS_AT)
        | ((_NO_SEAT if match.host is None else match.host) << _HOST_AT)
        | ((_NO_SEAT if match.first_opener is None else match.first_opener) << _OPENER_AT)
    )
    parts = [b"", bytes([result_byte(result) for result in match.results])]
    if match.client_digest:
        bits |= _DEALT
        parts.append(exactly(match.client_digest, 32))
    if match.request_digest:
        bits |= _ASKED
        parts.append(counted(match.request_digest))
    if match.rematch_id is not None:
        bits |= _REMATCH
        parts.append(pack_id(match.rematch_id))
    if match.rematch_of is not None:
        bits |= _REMATCH_OF
        parts.append(pack_id(match.rematch_of))
    if match.invite is not None:
        bits |= _INVITE
        parts += counted(match.invite.code.encode("ascii")), _INSTANT.pack(match.invite.expires_at)
    if match.entry is not None:
        bits |= _ENTRY
        entry = match.entry
        parts.append(_ENTRY_OF.pack(pack_id(entry.set_id), entry.runs_out_at or 0))
    if match.seeds:
        bits |= _SEEDS
        parts += bytes([len(match.seeds)]), *map(_pack_seed, match.seeds)
    parts += map(_pack_place, match.places)
    parts.append(match.log.packed)
    if rules.turn_seconds == 0:
        raise ValueError("a clock of no time")
    try:
        parts[0] = _HEAD.pack(
            form_written(),
            bits.to_bytes(3, "big"),
            rules.deals,
            match.deal,
            match.edition,
            rules.turn_seconds or 0,
            match.created_at,
            match.turn_at,
            match.last_at,
            match.base_at,
            match.base_version,
            match.base_move,
            exactly(match.secret, 32),
            len(match.results),
        )
    except (struct.error, OverflowError) as wrong:
        raise ValueError("a number of the match is out of its range") from wrong
    return b"".join(parts)


def unpack_match(match_id: str, version: int, packed: bytes, scheduled_at: int | None) -> Match:
    """What `pack_match` was given."""
    try:
        return _unpack_match(match_id, version, packed, scheduled_at)
    except BROKEN as wrong:
        raise Unreadable("not a packed match") from wrong


def _unpack_match(match_id: str, version: int, packed: bytes, scheduled_at: int | None) -> Match:
    head = _HEAD.unpack_from(packed)
    form, flags, deals, deal, edition, turn_seconds, created_at, turn_at, last_at, base_at = head[:10]
    base_version, base_move, secret, count = head[10:]
    check_form(form)
    bits = int.from_bytes(flags, "big")
    if bits >> _UNUSED_AT:
        raise NewerForm("a match with an option that this version does not know")
    reader = Reader(packed, _HEAD.size)
    results = tuple([RESULT_OF[byte] for byte in reader.take(count)])
    client_digest = reader.take(32) if bits & _DEALT else b""
    request_digest = reader.counted() if bits & _ASKED else b""
    rematch_id = unpack_id(reader.take(ID_BYTES)) if bits & _REMATCH else None
    rematch_of = unpack_id(reader.take(ID_BYTES)) if bits & _REMATCH_OF else None
    invite = None
    if bits & _INVITE:
        invite = Invite(reader.counted().decode("ascii"), _INSTANT.unpack(reader.take(4))[0])
    entry = None
    if bits & _ENTRY:
        set_id, runs_out_at = _ENTRY_OF.unpack(reader.take(_ENTRY_OF.size))
        entry = Entry(unpack_id(set_id), runs_out_at or None)
    seeds = tuple([_unpack_seed(reader) for _ in range(reader.take(1)[0])]) if bits & _SEEDS else ()
    places = (_unpack_place(reader), _unpack_place(reader), _unpack_place(reader), _unpack_place(reader))
    return Match(
        id=match_id,
        secret=secret,
        rules=Rules(
            deals=deals,
            after_bank=AfterBank.STREAK if bits & _STREAK else AfterBank.FRESH,
            turn_seconds=turn_seconds or None,
            clock_by_default=bits & _CLOCK_BY_DEFAULT != 0,
            start=Start.BY_HOST if bits & _BY_HOST else Start.WHEN_FULL,
            spectators=bits & _SPECTATORS != 0,
            take_over=bits & _TAKE_OVER != 0,
            hints=bits & _HINTS != 0,
        ),
        status=_STATUSES[bits >> _STATUS_AT & 3],
        places=places,
        host=_seat_or_none(bits >> _HOST_AT & 7),
        created_at=created_at,
        version=version,
        seeds=seeds,
        client_digest=client_digest,
        first_opener=_seat_or_none(bits >> _OPENER_AT & 7),
        deal=deal,
        base_version=base_version,
        base_move=base_move,
        base_at=base_at,
        log=Log(reader.rest()),
        results=results,
        turn_at=turn_at,
        last_at=last_at,
        scheduled_at=scheduled_at,
        invite=invite,
        rematch_id=rematch_id,
        rematch_of=rematch_of,
        request_digest=request_digest,
        entry=entry,
        edition=edition,
    )


def _pack_place(place: Place) -> bytes:
    """A byte of type and flags, a byte of time-outs, then what the flags say is there."""
    bits = (
        _SEAT_TYPES.index(place.type)
        | (_AWAY if place.away else 0)
        | (_LEFT if place.left else 0)
        | (_DELETED if place.deleted else 0)
    )
    rest = b""
    if place.player_id is not None:
        bits |= _PLAYER
        rest += pack_id(place.player_id)
    if place.name:
        bits |= _NAMED
        rest += counted(place.name.encode())
    if place.level is not None:
        bits |= _LEVELLED
        rest += counted(place.level.encode("ascii"))
    return bytes([bits, place.timeouts]) + rest


def _unpack_place(reader: Reader) -> Place:
    bits, timeouts = reader.take(2)
    return Place(
        type=_SEAT_TYPES[bits & 3],
        player_id=unpack_id(reader.take(ID_BYTES)) if bits & _PLAYER else None,
        name=reader.counted().decode() if bits & _NAMED else "",
        level=reader.counted().decode("ascii") if bits & _LEVELLED else None,
        away=bits & _AWAY != 0,
        left=bits & _LEFT != 0,
        deleted=bits & _DELETED != 0,
        timeouts=timeouts,
    )


def _pack_seed(seed: Seed) -> bytes:
    """Seat, player, and hexadecimal digits, perhaps an odd number of them, two a byte."""
    digits = seed.digits
    raw = bytes.fromhex(digits if len(digits) % 2 == 0 else digits + "0")
    if raw.hex()[: len(digits)] != digits:
        raise ValueError("not a seed")
    return bytes([seed.seat]) + pack_id(seed.player_id) + bytes([len(digits)]) + raw


def _unpack_seed(reader: Reader) -> Seed:
    seat, player_id, digits = SEATS[reader.take(1)[0]], unpack_id(reader.take(ID_BYTES)), reader.take(1)[0]
    return Seed(seat, player_id, reader.take((digits + 1) // 2).hex()[:digits])


def _seat_or_none(number: int) -> Seat | None:
    return None if number == _NO_SEAT else SEATS[number]
