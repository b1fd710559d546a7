"""What the contract's tests put into a store: accounts, matches, and their next steps."""

from __future__ import annotations

import secrets
from base64 import urlsafe_b64encode
from dataclasses import replace
from typing import Any

from chalicelib.engine import SEATS, AfterBank, DealResult, Seat, Side
from chalicelib.match import model
from chalicelib.match.log import Log
from chalicelib.match.model import Actor, Change, ClosedDeal, EventBatch, Invite, Match, Place, SeatType, Seed
from chalicelib.service.ports import Devices, Player, Session, Store

NOW = 1_800_000_000


def seeds(*digits: str) -> tuple[Seed, ...]:
    """One for each seat from the last on, so that their order is not the seats'."""
    return tuple(Seed(SEATS[at], new_id(), digits[at]) for at in reversed(range(len(digits))))


RESULT = DealResult(Side.EW, 9, 8, False, -18)


def new_id() -> str:
    return urlsafe_b64encode(secrets.token_bytes(12)).decode()


def invite(life: int) -> Invite:
    """A new code, good for so many seconds."""
    return Invite(new_id()[:8], NOW + life)


def match(**fields: Any) -> Match:
    """A match in the middle of its first deal, with bots on all seats, unless `fields` say otherwise."""
    plain = Match(
        id=new_id(),
        secret=secrets.token_bytes(32),
        rules=model.Rules(),
        status=model.Status.PLAYING,
        places=(Place(SeatType.BOT, level="easy"),) * 4,
        host=Seat.NORTH,
        created_at=NOW,
        version=7,
        seeds=(),
        client_digest=secrets.token_bytes(32),
        first_opener=Seat.EAST,
        deal=1,
        base_version=4,
        base_move=0,
        base_at=NOW + 60,
        log=Log().with_marks(2).with_move(53, Actor.PLAYER, 3),
        results=(),
        turn_at=NOW + 120,
        last_at=NOW + 120,
        scheduled_at=NOW + 86_400,
    )
    return replace(plain, **fields)


def waiting_match(**fields: Any) -> Match:
    """A match that has not started."""
    places = (Place(), Place(), Place(), Place())
    still = {"status": model.Status.WAITING, "deal": 0, "client_digest": b"", "first_opener": None, "places": places}
    return match(**{**still, **fields})


def full_match(**fields: Any) -> Match:
    """A match with something in every field."""
    everything = {
        "rules": model.Rules(16, AfterBank.STREAK, 86_400, True, model.Start.BY_HOST, True, True, False),
        "places": (
            Place(SeatType.HUMAN, new_id(), "नमस्ते", "easy", away=True, timeouts=2),
            Place(SeatType.BOT, new_id(), "", "strong", left=True, deleted=True),
            Place(SeatType.INVITED, new_id(), "Zoë"),
            Place(),
        ),
        "host": Seat.SOUTH,
        "results": (RESULT, DealResult(Side.NS, 13, 13, True, 13)),
        "deal": 3,
        "base_move": 114,
        "invite": Invite("7KQ2MXPA", NOW + 500),
        "rematch_id": new_id(),
        "rematch_of": new_id(),
        "request_digest": b"sixteen bytes 12",
        "entry": model.Entry(new_id(), NOW + 700),
        "edition": 3,
    }
    return match(**{**everything, **fields})


def stored(store: Store, match: Match) -> Match:
    """The match, put into the store."""
    store.save(Change(match, None))
    return match


def stepped(match: Match, **fields: Any) -> Match:
    """The match one event later."""
    return replace(match, version=match.version + 1, **fields)


def next_change(match: Match, **fields: Any) -> Change:
    """A write of the match one event later, read as it is given."""
    return replace(Change(stepped(match), match), **fields)


def batch(version: int, *types: str) -> EventBatch:
    """Seat events of these types, one after another."""
    return EventBatch(version, tuple(model.SeatEvent(kind, NOW, Actor.PLAYER, Seat.WEST, Place()) for kind in types))


def closed_deal(number: int = 1, **fields: Any) -> ClosedDeal:
    deal = ClosedDeal(
        number=number,
        opener=Seat.WEST,
        base_version=4,
        base_move=0,
        base_at=NOW,
        ended_at=NOW + 3_600,
        last_version=90,
        deal_secret=secrets.token_bytes(32),
        log=Log().with_move(53, Actor.PLAYER, 3).with_marks(1).with_move(52, Actor.TIMEOUT, 20_000),
        players=(new_id(), None, new_id(), None),
        result=RESULT,
    )
    return replace(deal, **fields)


def session(**fields: Any) -> Session:
    plain = Session(
        id=new_id(),
        salt=secrets.token_bytes(32),
        current=secrets.token_bytes(32),
        created_at=NOW,
        used_at=NOW,
        expires_at=NOW + 1_000,
    )
    return replace(plain, **fields)


def player(store: Store, name: str = "Asha") -> Player:
    """An account in the store, with one device."""
    account = Player(new_id(), name, NOW)
    store.create_player(account, Devices(account.id, (session(),)))
    return account


def devices(store: Store, player_id: str) -> Devices:
    """A player's devices, who has some."""
    found = store.devices(player_id)
    assert found is not None
    return found


def placed(match: Match, seat: Seat, place: Place) -> Match:
    """The match with one seat as given."""
    places = list(match.places)
    places[seat] = place
    return replace(match, places=model.by_seat(places))


def sitting(match: Match, player: Player, seat: Seat = Seat.NORTH) -> Match:
    """The match with the player on a seat."""
    return placed(match, seat, Place(SeatType.HUMAN, player.id, player.name))


def offering(match: Match, player: Player, seat: Seat) -> Match:
    """The match with a seat kept for the player."""
    return placed(match, seat, Place(SeatType.INVITED, player.id, player.name))
