"""Everything Hypothesis draws in these tests."""

from __future__ import annotations

from random import Random

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from chalicelib.engine import MOVES, SEATS, AfterBank, Deal, Move, Seat

# How long an example takes says how busy the machine is, not whether the rules hold.
settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")

seats = st.sampled_from(SEATS)
onlookers = st.none() | seats
"""Whoever looks at a deal: a seat, or None for a spectator."""
after_banks = st.sampled_from(AfterBank)
moves: st.SearchStrategy[Move] = st.sampled_from(MOVES)
client_seeds = st.text("0123456789abcdef", max_size=32)
secrets = st.binary(min_size=32, max_size=32)


@st.composite
def hands(draw: st.DrawFn) -> tuple[int, int, int, int]:
    """The whole pack, dealt: a 52-bit set a seat."""
    pack = draw(st.permutations(range(52)))
    north, east, south, west = (sum(1 << index for index in pack[seat::4]) for seat in SEATS)
    return north, east, south, west


@st.composite
def deals(draw: st.DrawFn, min_moves: int = 0, max_moves: int = 57) -> Deal:
    """A deal that has gone on for a number of legal moves, 57 being the whole of it."""
    deal = Deal.start(draw(hands()), draw(seats), draw(after_banks))
    random = Random(draw(st.integers(0, 2**32 - 1)))
    for _ in range(draw(st.integers(min_moves, max_moves))):
        deal = deal.play(random.choice(deal.legal_moves()))
    return deal


def finished_deals() -> st.SearchStrategy[Deal]:
    """A deal played to its end."""
    return deals(min_moves=57)


def running_deals() -> st.SearchStrategy[Deal]:
    """A deal in which somebody is to move."""
    return deals(max_moves=56)


def states_of(deal: Deal) -> list[Deal]:
    """The deal at every moment from its start to where it stands."""
    states = [Deal.start(deal.hands, Seat(deal.opener), deal.after_bank)]
    for move in deal.moves:
        states.append(states[-1].play(move))
    return states
