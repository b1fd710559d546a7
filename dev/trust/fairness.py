"""Fair deals: committed to from the first moment, and opened when a deal is over and not before."""

from __future__ import annotations

import base64
from hashlib import sha256
from random import Random

from chalicelib.api.routes import ROUTES
from chalicelib.engine import deal_secret
from chalicelib.service.services import Services
from chalicelib.store.memory import MemoryStore
from dev.trust.phones import SEATS, Phone, Table, seat_four, seed_of, sign_up
from dev.trust.tally import Tally, ensure
from dev.trust.transport import InProcess
from dev.verify import verify


def opened_in_time(matches: int, seed: int = 0) -> Tally:
    """Matches that are played out, given up in the middle, or whose players delete their accounts: at every few moves
    everything that anybody can read is searched for secrets whose time has not come."""
    tally = Tally("commitments from creation on; a deal's secret is told when it is over and not before")
    chance = Random(seed)
    for number in range(matches):
        store = MemoryStore()
        transport = InProcess(Services(store))
        table = seat_four(transport, seed + number, full=False, deals=3, spectators=True)
        committed = table.at("north").get(table.path)["commitments"]
        table.phones[3].put(f"{table.path}/seats/west", {"type": "human", "code": table.code, "client_seed": "feed"})
        onlooker = sign_up(transport)
        end = chance.choice(("played out", "given up", "deleted"))
        for _ in range(12):
            with tally.attempt(f"match {number} ({end})"):
                _search(store, table, onlooker, committed)
            if not table.play(chance.randint(5, 25)) or (end != "played out" and chance.random() < 0.15):
                break
        if end != "played out":
            for seat in SEATS:
                path = "/me" if end == "deleted" else f"{table.path}/seats/{seat}"
                table.at(seat).send("DELETE", path)
        with tally.attempt(f"match {number}, {end}"):
            _search(store, table, onlooker, committed)
    return tally


def _search(store: MemoryStore, table: Table, onlooker: Phone, committed: list[str]) -> None:
    match = store.match(table.match_id)
    assert match is not None
    over = match.deal if not match.status.live else match.deal - 1
    hidden = {match.secret.hex(), base64.b64encode(match.secret).decode(), repr(match.secret)[2:-1]}
    for number in range(1, match.rules.deals + 1):
        secret = deal_secret(match.secret, number)
        ensure(sha256(secret).hexdigest() == committed[number - 1], f"deal {number} is not the one committed to")
        reply = onlooker.send("GET", f"{table.path}/deals/{number}")
        if number <= over:
            ensure(reply.status == 200 and reply.json["deal_secret"] == secret.hex(), f"deal {number} is not opened")
            record = reply.json
            ensure(record["seats"][1]["client_seed"] == seed_of(table.at("east")), "a player's seed is not told")
            first = onlooker.get(f"{table.path}/deals/1")
            events = onlooker.get(f"{table.path}/events?after=0")["items"]
            findings = verify(record, first, committed[number - 1], events, onlooker.get(table.path))
            wrong = [str(finding) for finding in findings if not finding.right]
            ensure(not wrong, f"deal {number} does not verify: {wrong}")
        else:
            ensure((reply.status, reply.code) == (404, "deal_not_found"), f"deal {number}: {reply.status}")
            hidden |= {secret.hex(), base64.b64encode(secret).decode(), repr(secret)[2:-1]}
    for phone in (*table.phones, onlooker):
        for path in _reads(table):
            text = phone.send("GET", path).text
            ensure(not any(secret in text for secret in hidden), f"a secret before its time in {path}")


def _reads(table: Table) -> list[str]:
    paths = [route.path for route in ROUTES if route.method == "GET" and not route.for_all]
    known = {"match_id": table.match_id, "code": table.code, "deal_number": "1", "set_id": "A" * 16}
    return [path.format(**known) for path in paths]
