"""Nothing secret is written down: a whole run's log, searched for tokens, names, codes, seeds and cards."""

from __future__ import annotations

import logging
import re
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from random import Random

from chalicelib.api.logs import Lines
from chalicelib.match.model import Change
from chalicelib.service.clock.sweep import sweep
from chalicelib.service.services import Services
from chalicelib.store.memory import MemoryStore
from dev.trust.loud import heard_by
from dev.trust.phones import NONCE, Phone, Table, seat_four, seed_of, sign_up
from dev.trust.tally import Tally
from dev.trust.transport import InProcess

CARD = re.compile(r"(?<![A-Za-z0-9_-])[2-9TJQKA][SHDC](?![A-Za-z0-9_-])")


class Talkative(MemoryStore):
    """A store whose failures quote everything, as libraries' do."""

    failing = False

    def save(self, change: Change) -> None:
        if self.failing:
            raise RuntimeError(f"could not write {change!r}")
        super().save(change)


class _AsDeployed(logging.Handler):
    """Lines as a deployment writes them, and our own records' words and values besides."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.setFormatter(Lines())
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))
        if record.name.startswith("chalicelib"):
            self.lines.append(record.getMessage())


@contextmanager
def gathered() -> Iterator[list[str]]:
    """Within the `with`, every log line of this process from DEBUG on."""
    handler = _AsDeployed()
    with heard_by(handler):
        yield handler.lines


def secrets_of(table: Table, phones: Iterable[Phone] = ()) -> set[str]:
    """Texts that must not be in a log."""
    told = {table.code, f"{table.code[:4]}-{table.code[4:]}"}
    for phone in (*table.phones, *phones):
        told |= {phone.name, phone.access, phone.access.rpartition(".")[2], phone.refresh, phone.refresh[32:75]}
        told.add(seed_of(phone))
    return {text for text in told if text}


def found_in(lines: Iterable[str], hidden: set[str]) -> Iterator[str]:
    """What of it is in these lines; any card counts."""
    for line in lines:
        for text in hidden:
            if text in line or text.lower() in line.lower():
                yield f"{text[:12]}… in {line[:200]}"
        if CARD.search(line):
            yield f"a card in {line[:200]}"


def quiet_log(rounds: int, seed: int = 0) -> Tally:
    """A match with mistakes of every kind: wrong bodies, wrong tokens, illegal moves, and a store that fails while it
    quotes what it was given. Each log line is an attempt."""
    tally = Tally("no token, name, code, seed or card is in a log line, faults included")
    chance = Random(seed)
    for number in range(rounds):
        store, clock = Talkative(), [1_900_000_000]
        services = Services(store, partial(clock.__getitem__, 0))
        transport = InProcess(services)
        names = tuple(secrets.token_hex(8) for _ in range(4))
        with gathered() as lines:
            table = seat_four(transport, seed + number, names, deals=1, turn_seconds=60)
            other = transport.send(
                "POST", "/tokens", {"type": "transfer", "code": _transfer_code(table), "client_nonce": NONCE}
            )
            device = Phone(transport, refresh=other.json["tokens"]["refresh_token"])
            for _ in range(20):
                table.play(chance.randint(1, 3))
                _blunder(table, store, chance)
            clock[0] += 200
            store.failing = True
            sweep(services)
            store.failing = False
            clock[0] += 3600
            sweep(services)
            table.at("north").send("DELETE", "/me")
        match = store.match(table.match_id)
        assert match is not None
        hidden = secrets_of(table, [device, sign_up(transport, secrets.token_hex(8))])
        hidden |= {match.secret.hex(), repr(match.secret)[2:-1], str(match.secret)}
        faults = list(found_in(lines, hidden))
        for fault in faults:
            tally.add(fault)
        for _ in lines[len(faults) :]:
            tally.add()
        tally.expect(True, any('"internal_error"' in line for line in lines), "a failure was logged")
    return tally


def _transfer_code(table: Table) -> str:
    return str(table.at("east").post("/me/transfer-codes")["code"])


def _blunder(table: Table, store: Talkative, chance: Random) -> None:
    phone, view = table.turn()
    if view["status"] != "playing":
        return
    path = f"{table.path}/moves/{view['next_move']}"
    phone.send("PUT", path, {"type": "play", "card": chance.choice(["AS", "2C", "XX"])[::-1]})
    for card in ("AS", "2C", "TH"):
        table.at("south").send("PUT", f"{table.path}/moves/900", {"type": "play", "card": card})
    phone.send("PUT", path, {"type": "play", "name": phone.name, "token": phone.refresh})
    phone.send("PATCH", "/me", {"name": phone.name + "\x00"})
    phone.send("GET", f"/invites/{table.code}X")
    phone.send("GET", f"/matches?cursor={phone.refresh}")
    phone.send("GET", f"/{phone.name}/{table.code}")
    phone.send("POST", "/tokens", {"type": "refresh", "refresh_token": phone.refresh[:-1], "client_nonce": NONCE})
    phone.send("GET", "/me", headers={"Authorization": f"Bearer {phone.access}x"})
    phone.send("POST", "/matches", {"client_seed": seed_of(phone)}, {"Idempotency-Key": phone.refresh})
    store.failing = True
    phone.send("PUT", path, chance.choice(view["you"]["legal_moves"]))
    phone.send("PUT", f"{table.path}/seats/north", {"type": "human", "code": table.code, "client_seed": seed_of(phone)})
    store.failing = False
