"""The shuffle anyone can check, beside its worked cases."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chalicelib.engine import (
    PACK,
    SEATS,
    AfterBank,
    Deal,
    Malformed,
    client_digest,
    commitment,
    deal_secret,
    opener_of,
    shuffle,
)
from tests.strategies import client_seeds, secrets


@given(secrets, st.lists(client_seeds, min_size=4, max_size=4), st.integers(1, 16))
def test_shuffle_deals_a_whole_pack(match_secret: bytes, seeds: list[str], number: int) -> None:
    """Any secret and seeds give a deal, always the same one, and a commitment that anyone can check."""
    secret = deal_secret(match_secret, number)
    shuffled = shuffle(secret, client_digest(seeds))
    assert shuffled == shuffle(secret, client_digest(seeds))
    assert sum(shuffled.hands) == PACK
    assert Deal.start(shuffled.hands, shuffled.opener, AfterBank.FRESH).turn is shuffled.opener
    assert sha256(secret).hexdigest() == commitment(secret)


@given(secrets, st.integers(1, 16))
def test_every_part_counts(match_secret: bytes, number: int) -> None:
    """Another deal's number, or another player's seed, gives other hands."""
    secret = deal_secret(match_secret, number)
    mine = shuffle(secret, client_digest(["", "", "", ""])).hands
    assert mine != shuffle(deal_secret(match_secret, number + 1), client_digest(["", "", "", ""])).hands
    assert mine != shuffle(secret, client_digest(["", "", "", "0"])).hands


@pytest.mark.parametrize(
    "seeds",
    [
        ["", "", ""],
        ["", "", "", "", ""],
        ["A", "", "", ""],
        ["g", "", "", ""],
        ["", "0\n", "", ""],
        ["\n", "", "", ""],
        ["", "", "", "0" * 33],
        ["\u0661", "", "", ""],
    ],
)
def test_seeds_are_hexadecimal(seeds: list[str]) -> None:
    """Seeds that could carry words, or be read as another four, are refused."""
    with pytest.raises(Malformed):
        client_digest(seeds)


def test_cards_and_openers_fall_evenly() -> None:
    """Over 2,000 shuffles each seat gets the ace of spades, and the opening, about as often."""
    digest = client_digest(["", "", "", ""])
    shuffles = [shuffle(deal_secret(b"evenly", number), digest) for number in range(2000)]
    aces = Counter(next(seat for seat in SEATS if shuffled.hands[seat] >> 12 & 1) for shuffled in shuffles)
    openers = Counter(shuffled.opener for shuffled in shuffles)
    assert all(420 < counts[seat] < 580 for counts in (aces, openers) for seat in SEATS)


@pytest.mark.parametrize("first", SEATS)
def test_r5_opening_moves_on(first: int) -> None:
    """R5: the opening moves one seat in order of play each deal."""
    assert [SEATS[(first + i) % 4] for i in range(16)] == [opener_of(SEATS[first], number) for number in range(1, 17)]


def test_repr_hides_the_hands() -> None:
    """A shuffle's repr, which may end up in a log, shows nothing of it."""
    assert "Shuffled()" == repr(shuffle(b"secret", b"digest"))
