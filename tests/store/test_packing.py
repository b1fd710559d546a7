"""The packed forms: what goes in comes out, and nothing else is taken for one."""

from __future__ import annotations

from dataclasses import fields, replace
from enum import Enum
from typing import Any

import pytest
from hypothesis import given as draw
from hypothesis import strategies as st

from chalicelib.engine import DealResult, Seat, Side
from chalicelib.match.model import ClosedDeal, EventBatch, Match, Place, Rules, SeatEvent, SeatType, Seed
from chalicelib.store.codec import pack_match, unpack_match
from chalicelib.store.records import last_version, pack_batch, pack_closed, unpack_batch, unpack_closed
from chalicelib.store.wire import FORMS, NewerForm, Unreadable, pack_id
from tests import strategies
from tests.contract import given


@draw(strategies.matches)
def test_any_match_comes_back(match: Match) -> None:
    """Whatever a match holds."""
    assert match == unpack_match(match.id, match.version, pack_match(match), match.scheduled_at)


@pytest.mark.parametrize("option", [field.name for field in fields(Rules)])
def test_every_option_is_packed(option: str) -> None:
    """Whatever an option is, it comes back: two matches that differ in it alone are not packed alike."""
    packed = {
        pack_match(given.match(id="A" * 16, secret=bytes(32), client_digest=bytes(32), rules=rules))
        for rules in _rules_that_differ_in(option)
    }
    assert 2 == len(packed), f"chalicelib/store/codec.py does not keep Rules.{option}"


def _rules_that_differ_in(option: str) -> list[Rules]:
    plain = Rules(turn_seconds=60)
    value: Any = getattr(plain, option)
    if isinstance(value, Enum):
        other: Any = next(each for each in type(value) if each is not value)
    else:
        other = not value if isinstance(value, bool) else value + 1
    different: dict[str, Any] = {option: other}
    return [plain, replace(plain, **different)]


@draw(strategies.closed_deals, strategies.batches)
def test_any_record_comes_back(deal: ClosedDeal, batch: EventBatch) -> None:
    """Whatever a finished deal and seat events hold, and their versions."""
    assert deal == unpack_closed(deal.number, pack_closed(deal))
    assert batch == unpack_batch(last_version(batch), pack_batch(batch))


@draw(strategies.matches, st.data())
def test_what_is_cut_off_is_not_read(match: Match, data: st.DataObject) -> None:
    """Unless only the log is cut, whose bytes are the service's to judge."""
    packed = pack_match(match)
    before_the_log = len(packed) - len(match.log.packed)
    with pytest.raises(Unreadable):
        unpack_match(match.id, match.version, packed[: data.draw(st.integers(0, before_the_log - 1))], None)


@draw(st.binary(max_size=300))
def test_noise_is_not_read(noise: bytes) -> None:
    """Bytes that nobody packed are refused, in no other way."""
    for read in (lambda: unpack_closed(1, noise), lambda: unpack_batch(9, noise)):
        try:
            read()
        except Unreadable:
            continue
        except NewerForm:
            assert noise[0] > FORMS[-1]
        else:
            assert noise[0] in FORMS


@pytest.mark.parametrize(
    "fault",
    [
        *({name: b"short"} for name in ("secret", "client_digest")),
        *({"seeds": (Seed(Seat.NORTH, "A" * 16, digits),)} for digits in ("XY", "ab ")),
        *({"rematch_id": "not an id"}, {"rematch_of": "AAAAAAAAAAAAAAA="}),
        *({"created_at": -1}, {"turn_at": 2**32}, {"deal": 300}),
        *({"results": (DealResult(Side.NS, contract, 8, True, contract),)} for contract in (9, 6)),
        *({"places": (place, *[Place()] * 3)} for place in (Place(timeouts=256), Place(SeatType.BOT, "someone"))),
        {"rules": replace(given.full_match().rules, turn_seconds=0)},
    ],
    ids=str,
)
def test_a_match_that_cannot_be_kept_is_refused(fault: dict[str, Any]) -> None:
    """Rather than kept as something else."""
    with pytest.raises(ValueError, match=r"."):
        pack_match(replace(given.full_match(), **fault))


def test_events_that_cannot_be_kept_are_refused() -> None:
    """No events at all, and numbers that JSON does not have."""
    for batch in (EventBatch(1, ()), EventBatch(1, (SeatEvent("x", 1, values={"n": float("nan")}),))):
        with pytest.raises(ValueError, match=r"."):
            pack_batch(batch)


@pytest.mark.parametrize("text", ["", "AAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAA=", "AAAAAAAAAAAAAAA+", "A" * 20, "é" * 16])
def test_what_is_no_id_is_refused(text: str) -> None:
    """Sixteen signs of the url-safe alphabet (RFC 4648 §5), and nothing that merely decodes."""
    with pytest.raises(ValueError, match=r"."):
        pack_id(text)
