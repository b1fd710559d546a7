"""Everything Hypothesis draws in these tests."""

from __future__ import annotations

from dataclasses import fields
from enum import Enum
from random import Random
from typing import Any, TypeVar, get_type_hints

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from chalicelib.engine import MOVES, SEATS, AfterBank, Banked, Deal, DealResult, Move, Seat, result_of
from chalicelib.match import model
from chalicelib.match.event_types import SEAT_EVENT_TYPES
from chalicelib.match.log import Log
from chalicelib.match.model import Actor, ClosedDeal, EventBatch, Match, Place, Rules, SeatEvent
from chalicelib.service.services import id_text

# How long an example takes says how busy the machine is, not whether the rules hold.
settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")

T = TypeVar("T")


def every_field_of(kind: type[T], **drawn: st.SearchStrategy[Any]) -> st.SearchStrategy[T]:
    """Values of a dataclass, all of whose fields are drawn: truths and words of an enum by themselves, others as given.
    A field that is neither is named, so that a new one cannot be left out of what is tested."""
    hints = get_type_hints(kind, vars(model) | {"Log": Log, "Mapping": dict})
    for field in fields(kind):  # type: ignore[arg-type]  # all that are given are dataclasses
        hint = hints[field.name]
        if hint is bool or (isinstance(hint, type) and issubclass(hint, Enum)):
            drawn.setdefault(field.name, st.booleans() if hint is bool else st.sampled_from(list(hint)))
        elif field.name not in drawn:
            raise AssertionError(f"tests/strategies.py draws no {kind.__name__}.{field.name}")
    return st.builds(kind, **drawn)


seats = st.sampled_from(SEATS)
onlookers = st.none() | seats
"""Whoever looks at a deal: a seat, or None for a spectator."""
after_banks = st.sampled_from(AfterBank)
moves: st.SearchStrategy[Move] = st.sampled_from(MOVES)
client_seeds = st.text("0123456789abcdef", max_size=32)
secrets = st.binary(min_size=32, max_size=32)


@st.composite
def hands(draw: st.DrawFn) -> tuple[int, int, int, int]:
    """The whole pack, dealt: a 52-bit set a seat. (Of a seed: to draw a permutation takes thrice as long.)"""
    pack = list(range(52))
    Random(draw(st.integers(0, 2**32 - 1))).shuffle(pack)
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


ids = st.binary(min_size=12, max_size=12).map(id_text)
times = st.integers(0, 2**32 - 1)
versions = st.integers(0, 10_000)
levels = st.sampled_from(["easy", "medium", "strong"])
names = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=24).filter(
    lambda name: len(name.encode()) <= 72
)
places = every_field_of(
    Place,
    player_id=st.none() | ids,
    name=names,
    level=st.none() | levels,
    timeouts=st.integers(0, 255),
)
rules = every_field_of(
    Rules,
    deals=st.integers(1, 16),
    turn_seconds=st.none() | st.integers(60, 14 * 86_400),
)


@st.composite
def logs(draw: st.DrawFn) -> Log:
    """A log of moves by anybody, at any time, with seat events in between."""
    log, minutes = Log(), 0
    for _ in range(draw(st.integers(0, 57))):
        log = log.with_marks(draw(st.integers(0, 300)))
        minutes += draw(st.integers(0, 43_200))
        actor = draw(st.sampled_from([Actor.PLAYER, Actor.BOT, Actor.STAND_IN, Actor.TIMEOUT]))
        log = log.with_move(draw(st.integers(0, 63)), actor, minutes)
    return log


@st.composite
def results(draw: st.DrawFn) -> DealResult:
    """How any deal may end."""
    ns = draw(st.integers(0, 13))
    side = draw(seats).side
    return result_of(side, draw(st.integers(7, 13)), Banked(ns, 13 - ns).of(side))


matches = every_field_of(
    Match,
    id=ids,
    secret=secrets,
    rules=rules,
    places=st.tuples(places, places, places, places),
    host=st.none() | seats,
    created_at=times,
    version=versions,
    seeds=st.lists(st.builds(model.Seed, seats, ids, client_seeds), max_size=4).map(tuple),
    client_digest=st.just(b"") | secrets,
    first_opener=st.none() | seats,
    deal=st.integers(0, 16),
    base_version=versions,
    base_move=st.integers(0, 15 * 57),
    base_at=times,
    log=logs(),
    results=st.lists(results(), max_size=16).map(tuple),
    turn_at=times,
    last_at=times,
    scheduled_at=st.none() | times,
    invite=st.none() | every_field_of(model.Invite, code=st.text("ABC789", min_size=8, max_size=10), expires_at=times),
    rematch_id=st.none() | ids,
    rematch_of=st.none() | ids,
    request_digest=st.binary(max_size=32),
    edition=st.integers(0, 255),
    entry=st.none() | every_field_of(model.Entry, set_id=ids, runs_out_at=st.none() | times.filter(bool)),
)
"""Any match that the store must be able to hold, whether or not play could lead there."""

closed_deals = every_field_of(
    ClosedDeal,
    number=st.integers(1, 16),
    opener=seats,
    base_version=versions,
    base_move=st.integers(0, 15 * 57),
    base_at=times,
    ended_at=times,
    last_version=versions,
    deal_secret=secrets,
    log=logs(),
    players=st.tuples(*[st.none() | ids] * 4),
    result=st.none() | results(),
)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc"), inner, max_size=3),
    max_leaves=5,
)
seat_events = every_field_of(
    SeatEvent,
    type=st.sampled_from(list(SEAT_EVENT_TYPES)),
    at=times,
    actor=st.none() | st.sampled_from(Actor),
    seat=st.none() | seats,
    place=st.none() | places,
    values=st.dictionaries(st.text("abc", min_size=1), json_values, max_size=3),
)
batches = every_field_of(
    EventBatch, version=st.integers(1, 10_000), events=st.lists(seat_events, min_size=1, max_size=4).map(tuple)
)
