"""Nothing leaks: whoever cannot see a card is told the same whatever the card is.

A match of four people is stopped at a random moment. From one seat (or a spectator's, or a stranger's) every read and
every kind of request is tried twice: in the deal as it is, and in deals that look the same from there. The answers
(status, headers, every byte of the body) and what is logged meanwhile must be equal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from random import Random

from chalicelib.api.routes import ROUTES
from chalicelib.engine import CARDS, SEATS, Deal, Play, Seat
from chalicelib.match.cards import running_deal, secret_of
from chalicelib.service.services import Services
from chalicelib.store.memory import MemoryStore
from dev.trust.hands import Hands, dealt_instead, looking_alike
from dev.trust.phones import LONGEST_NAMES, Phone, Table, seat_four, sign_up
from dev.trust.snapshot import copied
from dev.trust.tally import Tally
from dev.trust.transport import InProcess, Json, Reply
from dev.trust.written import written

NOW = 1_900_000_000
LAST_TRICK_FROM = 53
"""Moves of a deal before the last trick, whose four cards are laid open by the rules themselves (R6)."""
ALL_MOVES: tuple[Json, ...] = (
    *({"type": "play", "card": str(card)} for card in CARDS),
    *({"type": "call", "number": number} for number in range(7, 14)),
    *({"type": "ser", "suit": suit} for suit in "SHDC"),
    {"type": "pass"},
)
NO_MOVES: tuple[Json, ...] = (
    {"type": "play", "card": "1S"},
    {"type": "play"},
    {"type": "call", "number": 14},
    {"type": "play", "card": "AS", "seat": "north"},
    b'{"type":',
)


@dataclass(frozen=True, slots=True)
class Ask:
    """One request of the viewer's."""

    method: str
    path: str
    body: Json = None
    etag: str | None = None


@dataclass
class Moment:
    """A match stopped somewhere, and who looks at it: a seat, or None."""

    store: MemoryStore
    table: Table
    viewer: Seat | None
    phone: Phone
    deal: Deal
    secret: bytes
    made: dict[int, Json]
    """Moves of the match so far, by number."""

    def ask(self, ask: Ask, phone: Phone | None = None) -> tuple[Reply, list[str]]:
        """The answer, and what was logged; the match stays as it is."""
        services = Services(copied(self.store), lambda: NOW + 5, Random(7).randbytes)
        transport = InProcess(services, fixed_id="one")
        headers = {"If-None-Match": ask.etag} if ask.etag is not None else {}
        with written() as lines:
            reply = (phone or self.phone).through(transport).send(ask.method, ask.path, ask.body, headers)
        return reply, lines


def _clock() -> Callable[[], int]:
    """Goes on a little with every look at it, and not so far that a token expires."""
    looks = count()
    return lambda: NOW - 800 + min(next(looks) // 4, 800)


def random_moment(chance: Random) -> Moment:
    """Somewhere in the first two deals of a match of four."""
    while True:
        store = MemoryStore()
        transport = InProcess(Services(store, _clock(), chance.randbytes))
        setup: dict[str, Json] = {
            "deals": chance.randint(2, 16),
            "after_bank": chance.choice(["fresh", "streak"]),
            "spectators": chance.random() < 0.7,
            "take_over": chance.random() < 0.3,
        }
        table = seat_four(transport, chance.randrange(2**32), tuple(chance.sample(LONGEST_NAMES, 4)), **setup)
        table.play(chance.randint(0, 110))
        match = store.match(table.match_id)
        deal = running_deal(match) if match is not None else None
        if match is None or deal is None:
            continue
        viewer = chance.choice([*SEATS, None])
        phone = sign_up(transport, "Zoya") if viewer is None else table.phones[viewer]
        feed = table.phones[0].get(f"{table.path}/events?limit=1000")["items"]
        made = {event["move_number"]: _body(event) for event in feed if "move_number" in event}
        return Moment(store, table, viewer, phone, deal, secret_of(match, match.deal), made)


def _body(event: Json) -> Json:
    return {name: event[name] for name in ("type", "card", "number", "suit") if name in event}


def asks(moment: Moment, chance: Random) -> Iterator[Ask]:
    """All that the viewer may try: every GET of the route table, and writes that are right, wrong and repeated."""
    yield from _reads(moment)
    number = len(moment.made) + 1
    moves = f"{moment.table.path}/moves/"
    for body in ALL_MOVES:
        if not _opens_last_trick(moment, body):
            yield Ask("PUT", f"{moves}{number}", body)
    for body in NO_MOVES:
        yield Ask("PUT", f"{moves}{number}", body)
    earlier = chance.sample(sorted(moment.made), min(6, len(moment.made)))
    for old in {*earlier, *([number - 1] if moment.made else [])}:
        yield Ask("PUT", f"{moves}{old}", moment.made[old])
        yield Ask("PUT", f"{moves}{old}", chance.choice(ALL_MOVES))
    for late in (number + 1, number + 4):
        yield Ask("PUT", f"{moves}{late}", chance.choice(ALL_MOVES))
    for seat in SEATS:
        yield Ask("PUT", f"{moment.table.path}/seats/{seat.text}", {"type": "human", "code": moment.table.code})
        yield Ask("PUT", f"{moment.table.path}/seats/{seat.text}", {"type": "bot"})
        yield Ask("DELETE", f"{moment.table.path}/seats/{seat.text}")
    yield Ask("POST", f"{moment.table.path}/start")
    yield Ask("POST", f"{moment.table.path}/rematch")


def _opens_last_trick(moment: Moment, body: Json) -> bool:
    """A legal card after which the rules lay everybody's last card open."""
    deal = moment.deal
    if len(deal.moves) + 1 < LAST_TRICK_FROM or deal.turn != moment.viewer:
        return False
    legal = {str(move.card) for move in deal.legal_moves() if isinstance(move, Play)}
    return body["type"] == "play" and body["card"] in legal


def _reads(moment: Moment) -> Iterator[Ask]:
    values = {"match_id": [moment.table.match_id], "code": [moment.table.code], "deal_number": ["1", "2", "3"]}
    values["set_id"] = ["A" * 16]
    for route in ROUTES:
        if route.method != "GET" or route.for_all:
            continue
        paths = [route.path]
        for parameter in route.path_parameters:
            paths = [
                path.replace("{" + parameter.name + "}", text) for path in paths for text in values[parameter.name]
            ]
        for path in paths:
            yield Ask("GET", path)
            reply, _ = moment.ask(Ask("GET", path))
            if "etag" in reply.headers:
                yield Ask("GET", path, etag=reply.headers["etag"])
            yield Ask("GET", path, etag='"1"')
    match = moment.store.match(moment.table.match_id)
    version = match.version if match is not None else 0
    for after in sorted({0, version // 2, max(version - 4, 0), version, version + 1}):
        yield Ask("GET", f"{moment.table.path}/events?after={after}&limit=1000")
        yield Ask("GET", f"{moment.table.path}/events?after={after}&limit=3")


def try_to_see(moments: int, worlds: int, seed: int = 0) -> Tally:
    """At so many moments, ask everything in the deal as it is and in at most about `worlds` others."""
    tally = Tally("whoever cannot see a card is told the same whatever it is, byte by byte, in answers and in logs")
    chance = Random(seed)
    questions = deals = seen = 0
    for _ in range(moments):
        moment = random_moment(chance)
        others = looking_alike(moment.deal, moment.viewer, chance, worlds)
        asked = list(asks(moment, chance))
        told = [moment.ask(ask) for ask in asked]
        questions += len(asked)
        deals += len(others)
        for hands in others:
            with dealt_instead(moment.secret, hands):
                seen += _another_sees(moment, hands)
                for ask, (reply, lines) in zip(asked, told, strict=True):
                    again, more_lines = moment.ask(ask)
                    tally.add(_difference(moment, ask, reply, again) or _difference(moment, ask, lines, more_lines))
    # Whose hand was changed must see it: else nothing was changed, and nothing shown.
    tally.expect(deals, seen, "deals in which a hidden hand sees the other cards")
    tally.notes.append(f"{moments} moments, {deals} other deals, {questions} different requests")
    return tally


def _another_sees(moment: Moment, hands: Hands) -> bool:
    """Whether a hidden seat with another hand is shown it."""
    changed = next(seat for seat in SEATS if hands[seat] != moment.deal.hands[seat])
    phone, ask = moment.table.phones[changed], Ask("GET", moment.table.path)
    shown = moment.ask(ask, phone)[0].json["you"]["hand"]
    mask = sum(card.bit for card in CARDS if str(card) in shown)
    return mask == hands[changed] & ~(moment.deal.hands[changed] & ~moment.deal.left[changed])


def _difference(moment: Moment, ask: Ask, one: Reply | list[str], other: Reply | list[str]) -> str | None:
    if one == other:
        return None
    who = "a stranger" if moment.viewer is None else moment.viewer.text
    request = f"{ask.method} {ask.path} {ask.body} by {who} after {len(moment.made)} moves"
    return f"{request}: {one!r:.400} became {other!r:.400}"
