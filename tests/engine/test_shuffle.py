"""The shuffle anyone can check, beside its worked cases."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chalicelib import engine
from chalicelib.engine import PACK, SEATS, Deal, client_digest, commitment, deal_secret, opener_of, shuffle
from tests.strategies import client_seeds, secrets


@given(secrets, st.lists(client_seeds, min_size=4, max_size=4), st.integers(1, 16))
def test_shuffle_deals_a_whole_pack(match_secret: bytes, seeds: list[str], number: int) -> None:
    """Any secret and seeds give a deal, always the same one, and a commitment that anyone can check; another deal's
    number, or another player's seed, gives other hands. A repr shows nothing of it."""
    secret = deal_secret(match_secret, number)
    shuffled = shuffle(secret, client_digest(seeds))
    assert shuffled == shuffle(secret, client_digest(seeds))
    assert ("Shuffled()", PACK) == (repr(shuffled), sum(shuffled.hands))
    assert Deal.start(shuffled.hands, shuffled.opener, engine.AfterBank.FRESH).turn is shuffled.opener
    assert sha256(secret).hexdigest() == commitment(secret)
    assert shuffled.hands != shuffle(deal_secret(match_secret, number + 1), client_digest(seeds)).hands
    other = client_digest([*seeds[:3], "1" if seeds[3] == "0" else "0"])
    assert shuffled.hands != shuffle(secret, other).hands


@pytest.mark.parametrize(
    "seeds",
    [
        *([""] * 3, [""] * 5),
        *([wrong, "", "", ""] for wrong in ("A", "g", "0\n", "\n", "0" * 33, "\u0661")),
    ],
)
def test_seeds_are_hexadecimal(seeds: list[str]) -> None:
    """Seeds that could carry words, or be read as another four, are refused."""
    with pytest.raises(engine.Malformed):
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
