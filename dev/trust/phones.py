"""Players with a phone each, and tables they sit at: what attacks are made from."""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from random import Random

from dev.trust.transport import Json, Reply, Transport

SEATS = ("north", "east", "south", "west")
LONGEST_NAMES = tuple(sign * 24 for sign in "कखगघ")
"""Four names of 24 code points and 72 bytes."""
NONCE = "a-nonce-of-one-phone"
"""A `client_nonce`, where it does not matter which."""
PATIENCE = 300.0
"""Seconds a client goes on repeating a request: nobody gives up because a machine is busy."""


@dataclass
class Phone:
    """One device of one player: where it sends to, and what it signs with."""

    transport: Transport
    id: str = ""
    name: str = ""
    access: str = ""
    refresh: str = ""
    address: str = ""

    def send(self, method: str, path: str, body: Json = None, headers: Mapping[str, str] | None = None) -> Reply:
        """One request, once."""
        signed = {"Authorization": f"Bearer {self.access}"} if self.access else {}
        return self.transport.send(method, path, body, {**signed, **(headers or {})})

    def insist(self, method: str, path: str, body: Json = None, headers: Mapping[str, str] | None = None) -> Reply:
        """As the guide says: repeat what got no answer, a 503 or a 429, the same request, until it is answered."""
        until = time.monotonic() + PATIENCE
        pause = 0.02
        while True:
            try:
                reply = self.send(method, path, body, headers)
            except ConnectionError:
                reply = None
            if reply is not None and reply.status not in (429, 503):
                return reply
            if time.monotonic() > until:
                raise TimeoutError(f"{method} {path}: {reply.status if reply else 'no answer'} for {PATIENCE:g} s")
            time.sleep(pause)
            pause = min(2 * pause, 0.5)

    def get(self, path: str) -> Json:
        """What a GET answers; anything but 200 is an error of the attack, not of the promise."""
        return _content(self.insist("GET", path), 200)

    def post(self, path: str, body: Json = None, headers: Mapping[str, str] | None = None) -> Json:
        return _content(self.insist("POST", path, body, headers), 200, 201)

    def put(self, path: str, body: Json = None) -> Json:
        return _content(self.insist("PUT", path, body), 200)

    def through(self, transport: Transport) -> Phone:
        """The same device, sending another way."""
        return replace(self, transport=transport)


def _content(reply: Reply, *wanted: int) -> Json:
    if reply.status not in wanted:
        raise AssertionError(f"{reply.status} {reply.text[:600]}")
    return reply.json


def sign_up(transport: Transport, name: str = "Asha") -> Phone:
    """A new guest."""
    made = Phone(transport).post("/players", {"name": name})
    player, tokens = made["player"], made["tokens"]
    return Phone(transport, player["id"], player["name"], tokens["access_token"], tokens["refresh_token"])


@dataclass
class Table:
    """Four phones at one match, in the order of `SEATS`."""

    match_id: str
    code: str
    phones: tuple[Phone, ...]
    chance: Random = field(default_factory=Random, repr=False)

    @property
    def path(self) -> str:
        return f"/matches/{self.match_id}"

    def at(self, seat: str) -> Phone:
        return self.phones[SEATS.index(seat)]

    def turn(self) -> tuple[Phone, Json]:
        """The phone whose turn it is, with its view; any phone's where it is nobody's."""
        view = self.phones[0].get(self.path)
        seat = view.get("deal", {}).get("turn", "north")
        return self.at(seat), view if seat == "north" else self.at(seat).get(self.path)

    def play(self, moves: int) -> int:
        """So many random legal moves; fewer if the match ends. Returns how many were made."""
        for made in range(moves):
            phone, view = self.turn()
            if view["status"] != "playing":
                return made
            phone.put(f"{self.path}/moves/{view['next_move']}", self.chance.choice(view["you"]["legal_moves"]))
        return moves


def seat_four(
    transport: Transport, seed: int = 0, names: tuple[str, ...] = LONGEST_NAMES, *, full: bool = True, **setup: Json
) -> Table:
    """A table of four people, started unless `full` is False (then west is still to be had)."""
    phones = tuple(sign_up(transport, name) for name in names)
    wishes = {"deals": 16, **setup, "seats": {"north": {"type": "human"}}, "client_seed": secrets.token_hex(16)}
    match = phones[0].post("/matches", wishes, {"Idempotency-Key": secrets.token_hex(8)})["match"]
    table = Table(match["id"], match["invite"]["code"], phones, Random(seed))
    for seat, phone in zip(SEATS[1 : 4 if full else 3], phones[1:], strict=False):
        phone.put(f"{table.path}/seats/{seat}", {"type": "human", "code": table.code, "client_seed": seed_of(phone)})
    return table


def seed_of(phone: Phone) -> str:
    """A phone's part in the shuffle: the same at every repetition of its request."""
    return phone.id.encode().hex()[:32]
