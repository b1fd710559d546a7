"""Names, and what is kept of a person: what the export tells, and what a deletion leaves."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from random import Random

from chalicelib.service.services import Services
from chalicelib.store.memory import MemoryStore
from dev.trust.phones import NONCE, Phone, Table, seat_four, sign_up
from dev.trust.snapshot import content
from dev.trust.tally import Tally, ensure
from dev.trust.transport import InProcess, Json

BIDI = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
JOINERS = "\u200c\u200d"
GOOD = (
    "A",
    "Asha",
    "आशा",
    "क्\u200dष",  # a joiner that Devanagari needs
    "क्\u200cष",
    "क" * 24,
    "😀" * 18,
    "é" * 24,
    "e\u0301" * 24,  # 24 code points once composed
    "O'Brien-Smith 3rd",
    "李雷",
    "😀",
)
BAD = (
    "",
    " ",
    "\u3000",
    "A" * 25,
    "क" * 25,
    "😀" * 19,  # 76 bytes
    "A\nB",
    "A\tB",
    "A\x00",
    "A\x7f",
    "A\x85B",
    "A\u2028B",
    "A\u2029B",
    "\u200b",
    "A\u200bB",
    "A\ufeffB",
    "A\u00adB",
    "\u200d",
    JOINERS * 3,
    "A\ud800",
    "A\udfff",
    "A\ue000",
    "A\U000e0041",
    "\u3164",
    "\u2800",
    "\ufe0f",
    "Sharp bot",
    "Do Dooni",
    "ѕуѕtеm",
    "बॉट",
    *("A" + sign + "B" for sign in BIDI),
)


def names(samples: int, seed: int = 0) -> Tally:
    """Good and bad names, and random ones of all of Unicode: kept in NFKC, or refused with a 400; nothing else."""
    tally = Tally("names: NFKC, 1 to 24 code points, at most 72 bytes, nothing that controls the text")
    transport = InProcess(Services(MemoryStore()))
    phone = sign_up(transport)
    for name in GOOD:
        _try_name(tally, transport, phone, name, good=True)
    for name in BAD:
        _try_name(tally, transport, phone, name, good=False)
    chance = Random(seed)
    for _ in range(samples):
        name = "".join(chr(_any_code_point(chance)) for _ in range(chance.choice((1, 2, 5, 12, 24, 25))))
        _try_name(tally, transport, phone, name, good=None)
    return tally


def _any_code_point(chance: Random) -> int:
    plane = chance.choice((0x80, 0x3000, 0x1_0000, 0x11_0000))
    return chance.randrange(plane)


def _try_name(tally: Tally, transport: InProcess, phone: Phone, name: str, *, good: bool | None) -> None:
    for reply in (transport.send("POST", "/players", {"name": name}), phone.send("PATCH", "/me", {"name": name})):
        with tally.attempt(f"{name!r}"):
            ensure(reply.status in (200, 201, 400), f"{reply.status} {reply.text:.100}")
            if good is not None:
                ensure((reply.status < 300) == good, f"{reply.status} {reply.text:.200}")
            if reply.status < 300:
                kept = reply.json.get("player", reply.json)["name"]
                spaced = " ".join(unicodedata.normalize("NFKC", name).split(" ")).strip()
                ensure(kept == spaced or good is None, f"kept as {kept!r}")
                ensure(kept == unicodedata.normalize("NFKC", kept), f"{kept!r} is not NFKC")
                ensure(1 <= len(kept) <= 24 and len(kept.encode()) <= 72, "kept too long")
                controls = [sign for sign in kept if unicodedata.category(sign) in ("Cc", "Cs", "Zl", "Zp")]
                ensure(not controls and not set(kept) & set(BIDI), "a sign that controls the text is kept")


def _well_known(transport: InProcess) -> tuple[Phone, list[Table]]:
    """Somebody who hosts a table that waits, plays at one, has left one, has finished one; on two devices."""
    me = sign_up(transport, "Unforgettable")
    code = me.post("/me/transfer-codes")["code"]
    transport.send("POST", "/tokens", {"type": "transfer", "code": code, "client_nonce": NONCE})
    me.post("/me/recovery-code")
    me.post("/matches", {"seats": {"north": {"type": "human"}}}, {"Idempotency-Key": "waiting"})
    me.post("/matches", {}, {"Idempotency-Key": "solo"})
    tables = []
    for moves, leaves in ((9, False), (60, False), (9, True)):
        table = seat_four(transport, 3, full=False, deals=1)
        me.put(f"{table.path}/seats/west", {"type": "human", "code": table.code})
        table = Table(table.match_id, table.code, (*table.phones[:3], me), table.chance)
        table.play(moves)
        if leaves:
            me.insist("DELETE", f"{table.path}/seats/west")
        tables.append(table)
    return me, tables


def export_is_complete() -> Tally:
    """Everything of the store that has the player's id in its key, and no word of anybody else."""
    tally = Tally("GET /me/export tells all that is kept of me, and nothing of others")
    store = MemoryStore()
    transport = InProcess(Services(store))
    me, tables = _well_known(transport)
    told = me.get("/me/export")
    text = str(told)
    devices = store.devices(me.id)
    for session in devices.sessions if devices is not None else ():
        tally.expect(True, session.id in text, "a device")
    for item in store.memberships(me.id, 100).items:
        tally.expect(True, item.match_id in text, "a match")
    tally.expect(("Unforgettable", me.id), (told["player"]["name"], told["player"]["id"]), "the profile")
    for table in tables:
        for other in table.phones[:3]:
            tally.expect(False, other.id in text or other.name in text, "another's id or name")
    player = store.player(me.id)
    tally.expect(True, player is not None and player.recovery_at is not None, "a recovery code")
    tally.expect(True, "recovery_code_at" in told["player"], "that there is a recovery code")
    for word in ("secret", "hand", "salt", me.refresh, me.access):
        tally.expect(False, word in text, f"{word[:6]} in it")
    return tally


def deletion_leaves_nothing() -> Tally:
    """After DELETE /me the name is nowhere in the store, others see `{"deleted": true}`, matches go on or stay
    readable, and nothing can be had with what the devices still hold."""
    tally = Tally("after DELETE /me the name is nowhere, others see deleted, nothing can be had any more")
    store = MemoryStore()
    transport = InProcess(Services(store))
    me, (playing, over, left) = _well_known(transport)
    before = over.at("north").send("GET", over.path)
    for _ in range(2):
        tally.expect(204, me.send("DELETE", "/me").status, "DELETE /me")
    for place in _holding(content(store), b"Unforgettable"):
        tally.add(f"the name is still in {place}")
    tally.expect([], list(_holding(content(store), b"Unforgettable")), "the name in the store")
    for table in (playing, over, left):
        view = table.at("north").get(table.path)
        tally.expect({"deleted": True}, view["seats"][3].get("player"), "the seat, to others")
        feed = table.at("north").get(f"{table.path}/events?limit=1000")
        tally.expect(False, "Unforgettable" in str(feed) + str(view), "the name, to others")
    record = over.at("north").get(f"{over.path}/deals/1")
    tally.expect(False, "Unforgettable" in str(record), "the name in a finished deal")
    after = over.at("north").send("GET", over.path, headers={"If-None-Match": before.headers["etag"]})
    tally.expect(200, after.status, "a finished match read with the old ETag")
    tally.expect(before.json["scores"], after.json["scores"], "a finished match's scores")
    moves = playing.play(60)
    tally.expect("finished", playing.at("north").get(playing.path)["status"], f"the match after {moves} more moves")
    for method, path, body in (
        ("GET", "/me", None),
        ("PATCH", "/me", {"name": "Back"}),
        ("POST", "/matches", {}),
        ("POST", "/me/transfer-codes", None),
        ("POST", "/me/recovery-code", None),
        ("GET", "/me/sessions", None),
        ("PUT", f"{left.path}/seats/west", {"type": "human", "code": left.code}),
    ):
        reply = me.send(method, path, body)
        tally.expect((401, "account_deleted"), (reply.status, reply.code), f"{method} {path}")
    reply = transport.send("POST", "/tokens", {"type": "refresh", "refresh_token": me.refresh, "client_nonce": NONCE})
    tally.expect((401, "account_deleted"), (reply.status, reply.code), "its refresh token")
    return tally


def _holding(value: Json, needle: bytes, path: str = "") -> Iterator[str]:
    """Where in the store these bytes are, packed or not."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _holding(inner, needle, f"{path}/{name if isinstance(name, str) else '…'}")
    elif isinstance(value, bytes):
        if needle in value:
            yield path
    elif isinstance(value, (tuple, list)):
        for inner in value:
            yield from _holding(inner, needle, path)
    elif needle.decode() in repr(value):
        yield path
