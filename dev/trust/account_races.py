"""One account from many sides at once, and what other people do to its lists: renames, deletions, limits, offers."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import permutations

from chalicelib.match.model import MOST_LIVE
from chalicelib.service.clock.sweep import sweep
from dev.trust.phones import Phone, Table, seat_four, sign_up
from dev.trust.races import at_once
from dev.trust.tally import Tally, ensure
from dev.trust.transport import InProcess

TABLES = 6


def _at_tables(transport: InProcess, phone: Phone) -> list[str]:
    """Paths of tables at which the player sits on the east, some waiting and some at cards."""
    paths = []
    for number in range(TABLES):
        host = sign_up(transport, "Host")
        match = host.post("/matches", {"seats": {"north": {"type": "human"}}, "start": "by_host"})["match"]
        path = f"/matches/{match['id']}"
        phone.put(f"{path}/seats/east", {"type": "human", "code": match["invite"]["code"]})
        if number % 2:
            host.post(f"{path}/start")
        paths.append(path)
    return paths


def _names_at(transport: InProcess, phone: Phone, paths: list[str]) -> set[str]:
    """What the tables call the player."""
    found = set()
    for path in paths:
        match = transport.services.store.match(path.rpartition("/")[2])
        assert match is not None
        found |= {place.name for place in match.places if place.player_id == phone.id}
    return found


def renamed_at_once(transport: InProcess, rounds: int) -> Tally:
    """Two renames, or a rename and a deletion, in both orders, at tables that go on."""
    tally = Tally("renames and deletions at once: profile and tables agree, and a deleted player is named nowhere")
    with ThreadPoolExecutor(2) as pool:
        for number in range(rounds):
            phone = sign_up(transport, "Before")
            paths = _at_tables(transport, phone)
            acts = [
                partial(phone.insist, "PATCH", "/me", {"name": f"Bee {number}"}),
                partial(phone.insist, "PATCH", "/me", {"name": f"Bella {number}"}),
                partial(phone.insist, "DELETE", "/me"),
            ]
            two = [*permutations(acts, 2)][number % 6]
            replies = at_once(pool, list(two))
            with tally.attempt(f"round {number}"):
                ensure({reply.status for reply in replies} <= {200, 204, 401}, f"{[each.text for each in replies]}")
                sweep(transport.services)
                player = transport.services.store.player(phone.id)
                assert player is not None
                ensure(player.settled, "the sweep has not settled the account")
                ensure((player.deleted_at is not None) == (acts[2] in two), "the deletion does not stand")
                names = _names_at(transport, phone, paths)
                ensure(names <= {player.name}, f"the profile is {player.name!r}, the tables say {names}")
    return tally


def live_limit(transport: InProcess, rounds: int, callers: int = 60) -> Tally:
    """So many new matches of one player asked for at once."""
    tally = Tally(f"{callers} matches asked for at once: {MOST_LIVE} are made, the others refused, none is lost")
    with ThreadPoolExecutor(callers) as pool:
        for number in range(rounds):
            phone = sign_up(transport)
            table = sign_up(transport).post("/matches", {"seats": {"north": {"type": "human"}}})["match"]
            claim = {"type": "human", "code": table["invite"]["code"]}
            calls = [
                partial(phone.insist, "POST", "/matches", {}, {"Idempotency-Key": f"{number}-{each}"})
                for each in range(callers - 1)
            ]
            calls.append(partial(phone.insist, "PUT", f"/matches/{table['id']}/seats/east", claim))
            replies = at_once(pool, calls)
            with tally.attempt(f"round {number}"):
                told = Counter(reply.code for reply in replies)
                ensure(told == {"": MOST_LIVE, "too_many_matches": callers - MOST_LIVE}, f"{dict(told)}")
                ensure(len(phone.get("/matches?limit=100")["items"]) == MOST_LIVE, "the list has another number")
    return tally


def sent_away(transport: InProcess, rounds: int) -> Tally:
    """A player whom the host sends away tries every way back, the last one while the host does it."""
    tally = Tally("a player whom the host has sent away comes back in no way")
    with ThreadPoolExecutor(2) as pool:
        for number in range(rounds):
            table = seat_four(transport, number, full=False, take_over=True, deals=1)
            host, sent = table.phones[0], table.phones[2]
            claim = {"type": "human", "code": table.code}
            at_once(
                pool,
                [
                    partial(host.insist, "DELETE", f"{table.path}/seats/south"),
                    partial(sent.insist, "PUT", f"{table.path}/seats/west", claim),
                ],
            )
            # Whoever has moved in time is sent away from there.
            for seat in ("south", "west"):
                host.insist("DELETE", f"{table.path}/seats/{seat}")
            with tally.attempt(f"round {number}"):
                _stays_away(table, host, sent)
    return tally


def _stays_away(table: Table, host: Phone, sent: Phone) -> None:
    code = host.get(table.path)["invite"]["code"]
    ensure(code != table.code, "the old code is the new one")
    ensure(sent.insist("GET", f"/invites/{table.code}").status == 404, "the old code leads somewhere")
    for started in (False, True):
        for seat in ("south", "west"):
            for tried in (table.code, code):
                reply = sent.insist("PUT", f"{table.path}/seats/{seat}", {"type": "human", "code": tried})
                wanted = "invite_not_found" if tried == table.code else "removed_by_host"
                ensure(reply.code == wanted, f"{seat}, started {started}: {reply.status} {reply.code}")
        if not started:
            host.post(f"{table.path}/start")


def offers_cost_nothing(transport: InProcess, rounds: int) -> Tally:
    """Rematches made and left again, by everybody who played with the player, and rematches that wait."""
    tally = Tally("rematches that others make take no place in a player's list, and none of their live matches")
    table = seat_four(transport, deals=1)
    table.play(60)
    victim, attacker = table.phones[0], table.phones[1]
    for number in range(rounds):
        made = attacker.post(f"{table.path}/rematch")["match"]["id"]
        with tally.attempt(f"round {number}"):
            offers = victim.get("/me/turns")["offers"]
            ensure([made] == [offer["match"]["id"] for offer in offers], f"{len(offers)} offers")
            attacker.insist("DELETE", f"/matches/{made}/seats/east")
            turns = victim.get("/me/turns")
            ensure((turns["count"], turns["offers"]) == (0, []), f"the badge says {turns['count']}")
            listed = [each["id"] for each in victim.get("/matches?limit=100")["items"]]
            ensure(listed == [table.match_id], f"the list has {len(listed)} matches")
            ensure(transport.services.store.live(victim.id) == (), "a live match is counted")
    return tally
