"""The small pieces that packed forms are made of.

Whatever cannot be kept raises `ValueError` when it is packed; whatever is not what packing makes raises `Unreadable`.
"""

from __future__ import annotations

import functools
import os
import struct
from base64 import urlsafe_b64decode, urlsafe_b64encode

from chalicelib.engine import DealResult, Side, result_of
from chalicelib.service.ports import Unavailable

FORMS = (1,)
"""The forms of stored items that this version reads, oldest first. The first byte of all that is packed is its form.

A form is read by every function before any writes it, so it comes in two deployments (docs/changing.md)."""
FORM_VARIABLE = "DO_DOONI_FORM"
"""The form that a stage writes; without it, the newest."""
BROKEN = (struct.error, IndexError, KeyError, TypeError, ValueError)
"""What reading a form raises that is not what packing makes."""
ID_BYTES = 12
_LOWEST_CONTRACT = 7


class Unreadable(ValueError):
    """An item is not what this version, or an earlier one, has written."""


class NewerForm(Unavailable):
    """A later version wrote the item. To read what we know of it, and write that back, would lose the rest; a container
    of that version can answer."""


def form_written() -> int:
    """The form to write."""
    named = os.environ.get(FORM_VARIABLE)
    form = int(named) if named else FORMS[-1]
    if form not in FORMS:
        raise RuntimeError(f"{FORM_VARIABLE} is {form}, and this version knows {FORMS}")
    return form


def check_form(form: int) -> None:
    """Raises `NewerForm` for one that is not known yet, `Unreadable` for one that never was or is given up."""
    if form in FORMS:
        return
    if form > FORMS[-1]:
        raise NewerForm(f"an item of form {form}, which this version does not know")
    raise Unreadable(f"an item of form {form}, which nobody reads any more")


@functools.lru_cache(maxsize=1024)
def pack_id(text: str) -> bytes:
    """The 12 bytes an id was made of."""
    raw = urlsafe_b64decode(text)
    if len(raw) != ID_BYTES or unpack_id(raw) != text:
        raise ValueError("not an id")
    return raw


@functools.lru_cache(maxsize=1024)
def unpack_id(raw: bytes) -> str:
    if len(raw) != ID_BYTES:
        raise Unreadable("not an id")
    return urlsafe_b64encode(raw).decode("ascii")


class Reader:
    """Reads on from where it stopped, and never beyond the end."""

    __slots__ = ("_at", "_packed")

    def __init__(self, packed: bytes, at: int) -> None:
        self._packed = packed
        self._at = at

    def take(self, count: int) -> bytes:
        at = self._at
        self._at = end = at + count
        if end > len(self._packed):
            raise Unreadable("cut off")
        return self._packed[at:end]

    def counted(self) -> bytes:
        return self.take(self.take(1)[0])

    def rest(self) -> bytes:
        return self._packed[self._at :]


def counted(raw: bytes) -> bytes:
    return bytes([len(raw)]) + raw


def exactly(raw: bytes, count: int) -> bytes:
    if len(raw) != count:
        raise ValueError(f"{count} bytes are wanted")
    return raw


def result_byte(result: DealResult) -> int:
    """Side, contract and banked tricks tell the rest."""
    byte = (result.side is Side.EW) << 7 | (result.contract - _LOWEST_CONTRACT) << 4 | result.banked
    if RESULT_OF.get(byte) != result:
        raise ValueError("not a deal's result")
    return byte


def _result(byte: int) -> DealResult:
    return result_of(Side.EW if byte >> 7 else Side.NS, (byte >> 4 & 7) + _LOWEST_CONTRACT, byte & 15)


RESULT_OF = {byte: _result(byte) for byte in range(256) if byte >> 4 & 7 < 7 and byte & 15 <= 13}
