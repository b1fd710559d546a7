"""Ids and codes that cannot be guessed, and limits on trying."""

from __future__ import annotations

import secrets
from collections import Counter

from chalicelib.api.routes import ROUTES, By, Rate
from chalicelib.service.services import Services
from chalicelib.store.memory import MemoryStore
from dev.trust.matrix import BODIES
from dev.trust.phones import Phone, seat_four, sign_up
from dev.trust.tally import Tally, ensure
from dev.trust.transport import InProcess, Reply

NOW = 1_900_000_000
FACTOR = 0.02
"""Of the limits, where they are tried."""
LOOK_ALIKES = frozenset("01OI")
MUST_BE_LIMITED = frozenset(
    ("createPlayer", "createTokens", "createMatch", "getInvite", "takeSeat", "createTransferCode")
)


def codes(count: int) -> Tally:
    """Many codes: their letters, how evenly they come, how long they are."""
    tally = Tally("invite codes: 40 random bits or more, no look-alike letters, none twice; ids 96 bits")
    services = Services(MemoryStore())
    tally.expect(secrets.token_bytes, services.random_bytes, "where chance comes from")
    made = [services.new_code() for _ in range(count)]
    letters = Counter("".join(made))
    tally.expect(set(), set(letters) & LOOK_ALIKES, "look-alike letters")
    tally.expect(True, len(letters) ** len(made[0]) >= 2**40, "possible codes")
    tally.expect(count, len(set(made)), "different codes")
    usual = sum(letters.values()) / len(letters)
    tally.expect(
        [], [each for each, times in letters.items() if abs(times - usual) > usual / 2], "letters that are rare"
    )
    ids = {services.new_id() for _ in range(count)}
    tally.expect((count, {16}), (len(ids), {len(each) for each in ids}), "different ids, and their length")
    return tally


def invites(rounds: int) -> Tally:
    """A right, a wrong and an expired code."""
    tally = Tally("a wrong and an expired invite code are answered alike, whoever asks and however")
    clock = [NOW]
    transport = InProcess(Services(MemoryStore(), lambda: clock[0]), fixed_id="one")
    for number in range(rounds):
        table = seat_four(transport, number, full=False)
        friend = sign_up(transport)
        with tally.attempt(f"round {number}"):
            code = table.code
            spoken = f"{code[:4]}-{code[4:]}".lower()
            ensure(friend.send("GET", f"/invites/{spoken}").status == 200, "the code as it is spoken was refused")
            claim = {"type": "human", "code": code}
            clock[0] += 7 * 24 * 3600 + 1
            friend = sign_up(transport)
            replies = [friend.send("GET", f"/invites/{each}") for each in (code, "2222 2222", "zzzzzzzz", "A" * 20)]
            ensure(
                len(set(map(_told, replies))) == 1 and replies[0].status == 404, f"{[each.text for each in replies]}"
            )
            claims = [claim, {"type": "human", "code": "22222222"}]
            sat = [friend.send("PUT", f"{table.path}/seats/west", each) for each in claims]
            elsewhere = friend.send("PUT", "/matches/AAAAAAAAAAAAAAAA/seats/west", claim)
            ensure(len({_told(each) for each in (*sat, elsewhere)}) == 1, f"{[each.text for each in sat]}")
            ensure(sat[0].code == "invite_not_found", sat[0].code)
    return tally


def _told(reply: Reply) -> tuple[int, str]:
    return reply.status, reply.text


def limits() -> Tally:
    """Each limited operation until it is refused: by caller, and by address whoever the caller is."""
    tally = Tally("creating, looking up, sitting and signing in are limited; moves never are")
    limited = {route.operation_id for route in ROUTES if route.rates}
    tally.expect(set(), MUST_BE_LIMITED - limited, "operations without a limit")
    tally.expect((), next(route.rates for route in ROUTES if route.operation_id == "makeMove"), "the limits of moves")
    for route in ROUTES:
        for rate in route.rates:
            if rate.by is By.DEVICE:
                continue  # counted when a token is good: a test of the API's limits has some
            body = {"type": "human", "code": "22222222"} if rate.failures else None
            if route.operation_id != "takeSeat" or body is None:
                body = BODIES.get(route.operation_id)
            with tally.attempt(f"{route.operation_id} by {rate.by}"):
                _until_refused(route.method, route.path, body, rate)
    return tally


def _until_refused(method: str, path: str, body: object, rate: Rate) -> None:
    allowed, by = max(1, int(rate.most * FACTOR)), rate.by
    services = Services(MemoryStore(), lambda: NOW)
    unlimited = InProcess(services)
    phones = [sign_up(unlimited) for _ in range(allowed + 2 if by is By.ADDRESS else 1)]
    path = path.replace("{code}", "22222222").replace("{match_id}", "A" * 16).replace("{seat}", "east")
    for use in range(allowed + 1):
        phone = phones[use] if by is By.ADDRESS else phones[0]
        # An IPv6 subscriber has a whole /56 to send from; a caller may be anywhere.
        address = f"2001:db8::{use + 1:x}" if by is By.ADDRESS else f"198.51.100.{use + 1}"
        reply = phone.through(InProcess(services, address, rate_factor=FACTOR)).send(method, path, body)
        if use < allowed:
            ensure(reply.status != 429, f"refused at use {use + 1} of {allowed}")
    ensure((reply.status, reply.code) == (429, "rate_limited"), f"use {allowed + 1} was answered {reply.status}")
    ensure(1 <= int(reply.headers["retry-after"]) <= 3600, "no Retry-After")
    stranger: Phone = phones[-1] if by is By.ADDRESS else Phone(phones[0].transport)
    stranger = sign_up(unlimited)
    again = stranger.through(InProcess(services, "203.0.113.9", rate_factor=FACTOR)).send(method, path, body)
    ensure(again.status != 429, "somebody else, elsewhere, is refused too")
