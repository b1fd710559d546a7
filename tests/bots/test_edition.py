"""The bots' edition says which bots they are: whatever changes a move of theirs makes it another one."""

from __future__ import annotations

import hashlib

import pytest

from chalicelib.bots import EDITION, EDITIONS, LEVELS, among, choose
from chalicelib.engine import SEATS, AfterBank, Deal, client_digest, deal_secret, shuffle

DEALS = 6
DIGESTS = {1: "99b0c6ad46d9a335"}
"""Edition → of the moves of so many deals, in which every level plays."""


def moves_of(edition: int) -> str:
    """A digest of what the bots of an edition do."""
    told = []
    for number in range(DEALS):
        dealt = shuffle(deal_secret(b"edition", number), client_digest([""] * 4))
        deal = Deal.start(dealt.hands, dealt.opener, AfterBank.FRESH)
        levels = [LEVELS[(seat + number) % len(LEVELS)] for seat in SEATS]
        _, east, south, west = levels
        while deal.turn is not None:
            key = b"%d %d" % (number, len(deal.codes))
            around = among((None, east, south, west))
            move = choose(deal.view(deal.turn), levels[deal.turn], key, around, edition)
            deal = deal.play(move)
            told.append(move.code)
    return hashlib.sha256(bytes(told)).hexdigest()[:16]


@pytest.mark.parametrize("edition", EDITIONS)
def test_an_edition_is_what_it_was(edition: int) -> None:
    """Sets that are open go on with the bots that they began with. Where this fails the bots have changed: while
    none of this edition are deployed, write the new digest here; else make another edition (docs/releasing.md)."""
    assert DIGESTS[edition] == moves_of(edition)


def test_the_newest_is_played() -> None:
    """And an edition that is gone is refused."""
    assert max(EDITIONS) == EDITION
    deal = Deal.start(shuffle(b"", client_digest([""] * 4)).hands, SEATS[0], AfterBank.FRESH)
    with pytest.raises(ValueError, match="level"):
        choose(deal.view(SEATS[0]), "easy", b"", among((None,) * 4), EDITION + 1)
