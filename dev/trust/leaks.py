"""Nothing leaks: whoever cannot see a card is told the same whatever the card is, and no log has a secret.

A match of four people is stopped at a random moment. From one seat (or as a spectator or stranger) every read and every
kind of request is tried twice: in the deal as it is, and in deals that look the same from there. The answers (status,
headers, every byte of the body) and what is logged meanwhile must be equal.
"""

from __future__ import annotations

import itertools
import logging
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from random import Random
from typing import NamedTuple, TypeAlias

from chalicelib import engine
from chalicelib.api.logs import Lines
from chalicelib.api.routes import ROUTES
from chalicelib.engine import CARDS, SEATS, Deal, Play, Seat
from chalicelib.engine.shuffle import Shuffled
from chalicelib.match import cards
from chalicelib.match.model import Change
from chalicelib.service.clock.sweep import sweep
from chalicelib.service.services import Services
from chalicelib.store.memory import MemoryStore
from dev.driver import InProcess, Json, Player, Reply, seat_four, seed_of, sign_up
from dev.trust.asks import NOW, SWEEP, all_asks
from dev.trust.items import copied
from dev.trust.promise import Place, Tally, promise

Hands: TypeAlias = tuple[int, int, int, int]
SUIT_BITS = (1 << 13) - 1
LAST_TRICK_FROM = 53
"""Moves of a deal before the last trick, whose four cards are laid open by the rules themselves (R6)."""
MOVES: tuple[Json, ...] = (
    *({"type": "play", "card": str(card)} for card in CARDS),
    *({"type": "call", "number": number} for number in range(7, 15)),
    *({"type": "ser", "suit": suit} for suit in "SHDC"),
    *({"type": "pass"}, {"type": "play", "card": "1S"}, {"type": "play"}, b'{"type":'),
    {"type": "play", "card": "AS", "seat": "north"},
)
WORLDS = 4


# Deals that look the same ---------------------------------------------------------------------------------------------


def looking_alike(deal: Deal, viewer: Seat | None, chance: Random, most: int) -> list[Hands]:
    """Hands as dealt, other than the real ones, of at most so many deals that look the same to the viewer: the cards
    it cannot see, dealt anew among the hands it cannot see, but none of a suit to whom has shown to be void in it."""
    hidden = [seat for seat in SEATS if seat is not viewer]
    void = dict.fromkeys(SEATS, 0)
    for plays in [trick.plays for trick in deal.tricks] + ([deal.trick.plays] if deal.trick is not None else []):
        for seat, card in plays:
            if card.suit is not (led := plays[0].card.suit):
                void[seat] |= SUIT_BITS << 13 * led
    unseen = [card.bit for card in CARDS if any(card.bit & deal.left[seat] for seat in hidden)]
    found = set()
    for _ in range(20 * most):
        if (held := _dealt(unseen, {seat: deal.left[seat].bit_count() for seat in hidden}, void, chance)) is not None:
            north, east, south, west = (
                deal.hands[seat] & ~deal.left[seat] | held.get(seat, deal.left[seat]) for seat in SEATS
            )
            found.add((north, east, south, west))
    return sorted(found - {deal.hands})[:most]


def _dealt(unseen: list[int], room: dict[Seat, int], void: dict[Seat, int], chance: Random) -> dict[Seat, int] | None:
    """One way, those cards first that fit the fewest hands; None if this try has come to a dead end."""
    held = dict.fromkeys(room, 0)
    chance.shuffle(unseen)
    for bit in sorted(unseen, key=lambda bit: sum(not bit & void[seat] for seat in room)):
        free = [seat for seat in room for _ in range(room[seat]) if not bit & void[seat]]
        if not free:
            return None
        seat = chance.choice(free)
        held[seat] |= bit
        room[seat] -= 1
    return held


@contextmanager
def dealt_instead(secret: bytes, hands: Hands) -> Iterator[None]:
    """Within the `with`, the deal of this secret has these hands; everything else of it, its commitment too, stays."""
    real = engine.shuffle

    def shuffle(deal_secret: bytes, client_digest: bytes) -> Shuffled:
        dealt = real(deal_secret, client_digest)
        return Shuffled(hands, dealt.opener) if deal_secret == secret else dealt

    vars(cards)["shuffle"] = shuffle
    try:
        yield
    finally:
        vars(cards)["shuffle"] = real


# What is written down -------------------------------------------------------------------------------------------------


class _Written(logging.Handler):
    """Every record as a deployment writes it, its words and values besides, and whatever is printed."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.setFormatter(Lines())
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines += [self.format(record), record.getMessage()]

    def write(self, text: str) -> int:
        self.lines.append(text)
        return len(text)


@contextmanager
def written() -> Iterator[list[str]]:
    """Within the `with`, gathers all that is logged (from DEBUG on, whatever levels were set before) or printed."""
    names = [name for name in logging.root.manager.loggerDict if name.partition(".")[0] in ("chalicelib", "do-dooni")]
    loggers = [logging.getLogger(), *map(logging.getLogger, names)]
    levels, handler = [logger.level for logger in loggers], _Written()
    for logger in loggers:
        logger.setLevel(logging.DEBUG)
    loggers[0].addHandler(handler)
    try:
        with redirect_stdout(handler), redirect_stderr(handler):
            yield handler.lines
    finally:
        loggers[0].removeHandler(handler)
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


# The same, whatever the cards -----------------------------------------------------------------------------------------

VARIES = re.compile(r"""(["'](?:\w+_)?ms["']: ?)[0-9.]+|(["']Timestamp["']: ?)\d+|, ?["']cold_starts["']: ?1""")
"""What differs in a log from one run to the next by itself."""


class Ask(NamedTuple):
    """One request of the viewer's."""

    method: str
    path: str
    body: Json = None
    etag: str = ""


class Moment:
    """A match of four stopped somewhere in its first two deals, and who looks at it: a seat, or None."""

    def __init__(self, chance: Random, lines: list[str]) -> None:
        self.store, self.trial, looks = MemoryStore(), MemoryStore(), itertools.count()
        self.lines, self.chance = lines, Random()
        self.transport = InProcess(Services(self.trial, lambda: NOW + 5, self.chance.randbytes), request_id="one")
        # A clock that goes on a little with every look at it, and not so far that a token expires.
        services = Services(self.store, lambda: NOW - 800 + min(next(looks) // 4, 800), chance.randbytes)
        setup: dict[str, Json] = {"spectators": chance.random() < 0.7, "take_over": chance.random() < 0.3}
        after_bank, deals = chance.choice(["fresh", "streak"]), chance.randint(2, 16)
        self.four = seat_four(InProcess(services), chance.getrandbits(32), after_bank=after_bank, deals=deals, **setup)
        while True:
            self.four.play(chance.randint(0, 110))
            match = self.store.match(self.four.match_id)
            assert match is not None
            deal = cards.running_deal(match)
            if deal is not None:
                break
        self.deal, self.version, self.secret = deal, match.version, cards.secret_of(match, match.deal)
        self.viewer = chance.choice([*SEATS, None])
        self.player = sign_up(InProcess(services), "Zoya") if self.viewer is None else self.four.players[self.viewer]
        events = self.four.players[0].events(self.four.path)
        self.made = {each["move_number"]: _body(each) for each in events if "move_number" in each}

    def ask(self, ask: Ask, player: Player | None = None) -> tuple[Reply, list[str]]:
        """The answer, and what was logged; the match stays as it is."""
        vars(self.trial).update(vars(copied(self.store)))
        self.chance.seed(7)
        headers, begin = {"If-None-Match": ask.etag} if ask.etag else {}, len(self.lines)
        asker = (player or self.player).through(self.transport)
        reply = asker.send(ask.method, ask.path, ask.body, headers)
        return reply, [VARIES.sub(r"\1\2", line) for line in self.lines[begin:]]

    def asks(self, chance: Random) -> Iterator[Ask]:
        """All that the viewer may try: every GET there is, and writes that are right, wrong and repeated."""
        path, number = self.four.path, len(self.made) + 1
        for read in self.reads():
            yield from (Ask("GET", read), Ask("GET", read, etag='"1"'))
            if etag := self.ask(Ask("GET", read))[0].headers.get("ETag"):
                yield Ask("GET", read, etag=etag)
        yield from (Ask("PUT", f"{path}/moves/{number}", body) for body in MOVES if not self.opens_last_trick(body))
        for old in {*chance.sample(sorted(self.made), min(6, number - 1)), number - 1} - {0}:
            yield from (Ask("PUT", f"{path}/moves/{old}", body) for body in (self.made[old], chance.choice(MOVES)))
        yield from (Ask("PUT", f"{path}/moves/{late}", chance.choice(MOVES)) for late in (number + 1, number + 4))
        for seat in (f"{path}/seats/{seat.text}" for seat in SEATS):
            yield Ask("PUT", seat, {"type": "human", "code": self.four.code})
            yield from (Ask("PUT", seat, {"type": "bot"}), Ask("DELETE", seat))
        yield from (Ask("POST", f"{path}/{action}") for action in ("start", "rematch"))

    def reads(self) -> Iterator[str]:
        known = {"match_id": self.four.match_id, "code": self.four.code, "set_id": "A" * 16}
        for path in (route.path for route in ROUTES if route.method == "GET" and not route.for_all):
            numbers = "123" if "{deal_number}" in path else "1"
            yield from (path.format(deal_number=number, **known) for number in numbers)
        for after, limit in itertools.product({0, self.version // 2, self.version - 4, self.version + 1}, (3, 1000)):
            yield f"{self.four.path}/events?after={max(after, 0)}&limit={limit}"

    def opens_last_trick(self, body: Json) -> bool:
        """A legal card after which the rules lay everybody's last card open."""
        if len(self.deal.moves) + 1 < LAST_TRICK_FROM or self.deal.turn != self.viewer or isinstance(body, bytes):
            return False
        return body.get("card") in {str(move.card) for move in self.deal.legal_moves() if isinstance(move, Play)}

    def another_sees(self, hands: Hands) -> bool:
        """Whether a hidden seat with another hand is shown it: else nothing was changed, and nothing proved."""
        seat = next(seat for seat in SEATS if hands[seat] != self.deal.hands[seat])
        shown = self.ask(Ask("GET", self.four.path), self.four.players[seat])[0].body["you"]["hand"]
        held = sum(card.bit for card in CARDS if str(card) in shown)
        return held == hands[seat] & ~(self.deal.hands[seat] & ~self.deal.left[seat])


def _body(event: Json) -> Json:
    return {name: event[name] for name in ("type", "card", "number", "suit") if name in event}


@promise(
    "whoever cannot see a card is told the same whatever it is, byte by byte, in answers and in logs", long=40, short=6
)
def noninterference(_: Place, tally: Tally, moments: int) -> None:
    chance, deals = Random(moments), 0
    with written() as lines:
        for _number in range(moments):
            moment = Moment(chance, lines)
            asked = list(moment.asks(chance))
            told = [moment.ask(ask) for ask in asked]
            for hands in looking_alike(moment.deal, moment.viewer, chance, WORLDS):
                deals += 1
                with dealt_instead(moment.secret, hands):
                    tally.expect(True, moment.another_sees(hands), "a hidden hand sees the other cards")
                    for ask, before in zip(asked, told, strict=True):
                        again, moves = moment.ask(ask), len(moment.made)
                        differs = f"{ask} by {moment.viewer} after {moves} moves: {before!r:.600} is {again!r:.600}"
                        tally.add(None if again == before else differs)
    tally.notes.append(f"{moments} moments, {deals} other deals")


# No log has a secret --------------------------------------------------------------------------------------------------

CARD = re.compile(r"(?<![A-Za-z0-9_-])[2-9TJQKA][SHDC](?![A-Za-z0-9_-])")


class Talkative(MemoryStore):
    """A store whose failures quote everything, as libraries' do."""

    failing = False

    def save(self, change: Change) -> None:
        if self.failing:
            raise RuntimeError(f"could not write {change!r}")
        super().save(change)


def secrets_of(players: Iterable[Player], codes: Iterable[str]) -> set[str]:
    """Texts that must not be in a log."""
    found = {text for code in codes for text in (code, f"{code[:4]}-{code[4:]}")}
    for player in players:
        found |= {player.name, player.access, player.access.rpartition(".")[2], player.refresh, player.refresh[32:75]}
        found.add(seed_of(player))
    return found - {""}


def found_in(lines: Iterable[str], hidden: set[str]) -> Iterator[str]:
    """What of it is in these lines; any card counts."""
    for line in lines:
        yield from (f"{text[:12]}… in {line[:200]}" for text in hidden if text.lower() in line.lower())
        if CARD.search(line):
            yield f"a card in {line[:200]}"


@promise("no token, name, code, seed or card is in a log line, faults included", long=5, short=1)
def quiet_log(_: Place, tally: Tally, rounds: int) -> None:
    """Every request there is, as it should be and with mistakes, and a store that fails while it quotes what it was
    given. Each log line is an attempt."""
    for number in range(rounds):
        store, chance = Talkative(), Random(number)
        with written() as lines:
            asks = all_asks(lambda at: InProcess(Services(store, lambda: at, chance.randbytes)))  # noqa: B023 - called here
            players = [ask.player for ask in asks if ask.player.id]
            codes = {ask.body["code"] for ask in asks if isinstance(ask.body, dict) and "code" in ask.body}
            for failing, ask in itertools.product((True, False), asks):
                store.failing = failing
                services = Services(store, lambda: NOW + ask.later)  # noqa: B023 - called here
                if ask.method == SWEEP:
                    sweep(services)
                    continue
                player, transport = ask.player, InProcess(services)
                secret = f"{player.name}{player.refresh[:-1]}"
                player.through(transport).send(ask.method, ask.path, ask.body, ask.headers)
                player.through(transport).send(ask.method, f"{ask.path}X{player.refresh}", ask.body)
                player.through(transport).send(ask.method, ask.path, {"type": "play", "card": "SA", "name": secret})
                transport.send(ask.method, ask.path, ask.body, {"Authorization": f"Bearer {player.access}x"})
                transport.send("POST", "/tokens", {"type": "refresh", "refresh_token": secret, "client_nonce": secret})
        for match_id in store._matches:
            match = store.match(match_id)
            assert match is not None
            codes |= {match.secret.hex(), repr(match.secret)[2:-1]}
        faults = list(found_in(lines, secrets_of(players, codes)))
        for fault in faults + [None] * (len(lines) - len(faults)):
            tally.add(fault)
        tally.expect(True, any('"internal_error"' in line for line in lines), "a failure was logged")
