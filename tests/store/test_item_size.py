"""The match's item stays within one write unit."""

from __future__ import annotations

import secrets
from dataclasses import replace
from typing import Any

import pytest

from chalicelib.engine import AfterBank, DealResult, Seat, Side
from chalicelib.match import model
from chalicelib.match.log import Log
from chalicelib.match.model import MAX_DEALS, Actor, Entry, Invite, Match, Place, Rules, SeatType, Start, Status
from chalicelib.service.services import CODE_LENGTH, ID_BYTES
from chalicelib.store import codec
from chalicelib.store.codec import unpack_match
from chalicelib.store.matches import match_item
from dev.item_size import MOST_FOR_ONE_WRITE_UNIT, item_size
from tests.contract import given

LONGEST_NAME = "क" * model.MAX_NAME_POINTS
FORTNIGHT_IN_MINUTES = 14 * 24 * 60
MOVES_OF_A_DEAL = 57
LATEST = 2**32 - 1
ALLOTTED = {"app": 12, "group": 12, "reminded move": 2}
"""Bytes that are kept free in the item for what is to come: see "The item's budget" in docs/architecture.md."""


def longest_log(marks: int) -> Log:
    """A whole deal, every move a fortnight after the one before, `marks` seat events before each and at the end."""
    log = Log().with_marks(marks)
    for number in range(MOVES_OF_A_DEAL):
        log = log.with_move(63, Actor.TIMEOUT, FORTNIGHT_IN_MINUTES * (number + 1)).with_marks(marks)
    return log


def largest_match(marks: int) -> Match:
    """The last deal of the longest match, every field as long as it can get."""
    place = Place(SeatType.BOT, given.new_id(), LONGEST_NAME, "standard", away=True, left=True, timeouts=255)
    return Match(
        id=given.new_id(),
        secret=secrets.token_bytes(32),
        rules=Rules(MAX_DEALS, AfterBank.STREAK, 14 * 86_400, True, Start.BY_HOST, True, True, True),
        status=Status.PLAYING,
        places=(place,) * 4,
        host=Seat.WEST,
        created_at=LATEST,
        version=9_999_999,
        seeds=(),
        client_digest=secrets.token_bytes(32),
        first_opener=Seat.WEST,
        deal=MAX_DEALS,
        base_version=9_999_000,
        base_move=15 * MOVES_OF_A_DEAL,
        base_at=LATEST,
        log=longest_log(marks),
        results=(DealResult(Side.EW, 13, 13, True, 13),) * MAX_DEALS,
        turn_at=LATEST,
        last_at=LATEST,
        scheduled_at=LATEST,
        invite=Invite("W" * CODE_LENGTH, LATEST),
        rematch_id=given.new_id(),
        rematch_of=given.new_id(),
        request_digest=secrets.token_bytes(16),
        entry=Entry(given.new_id(), LATEST),
    )


def written(match: Match) -> dict[str, Any]:
    """The item that the store writes for a match."""
    return match_item(match).serialize()


@pytest.mark.parametrize("marks", [1, 8_000])
def test_the_largest_match_is_one_write_unit(marks: int) -> None:
    """With the longest names, every option, and seat events, be they thousands, between any two of the last moves."""
    assert (12, model.MAX_NAME_BYTES) == (ID_BYTES, len(LONGEST_NAME.encode()))
    match = largest_match(marks)
    item = written(match)
    assert item_size(item) + sum(ALLOTTED.values()) < MOST_FOR_ONE_WRITE_UNIT
    assert match == unpack_match(match.id, match.version, item["match"]["B"], match.scheduled_at)


def test_a_match_that_waits_is_one_write_unit() -> None:
    """Before the start it holds the longest seeds in place of a log."""
    waiting = {"log": Log(), "client_digest": b"", "deal": 0, "results": ()}
    match = replace(largest_match(1), seeds=given.seeds(*("f" * 32,) * 4), **waiting)  # type: ignore[arg-type]
    assert item_size(written(match)) + sum(ALLOTTED.values()) < MOST_FOR_ONE_WRITE_UNIT


def test_the_allotted_parts_have_their_flags() -> None:
    """Of the head's three bytes of flags a bit is free for each."""
    assert codec._UNUSED_AT + len(ALLOTTED) <= 24


@pytest.mark.parametrize(
    ("item", "size"),
    [
        ({"a": {"N": "7"}}, 1 + 2),
        ({"a": {"N": "-700"}}, 1 + 3),
        ({"a": {"N": "1800000001"}}, 1 + 6),
        ({"é": {"S": "नम"}}, 2 + 6),
        ({"bb": {"B": b"1234"}}, 2 + 4),
        ({"yes": {"BOOL": True}}, 3 + 1),
    ],
)
def test_sizes_by_the_published_rules(item: dict[str, Any], size: int) -> None:
    """Names and values count; a number takes a byte for two digits that matter, and one more."""
    assert size == item_size(item)
