"""Refresh tokens and transfer codes: a lost answer loses nobody's device, and a stolen token no more than one."""

from __future__ import annotations

from random import Random

from chalicelib.service.house import House
from chalicelib.store.memory import MemoryStore
from dev.trust.door import InProcess, Reply
from dev.trust.phones import sign_up
from dev.trust.tally import Tally, ensure

NOW = 1_900_000_000


def _refresh(door: InProcess, token: str) -> Reply:
    return door.send("POST", "/tokens", {"type": "refresh", "refresh_token": token})


def _successor(door: InProcess, token: str) -> str:
    reply = _refresh(door, token)
    ensure(reply.status == 200, f"a good token was answered {reply.status} {reply.code}")
    return str(reply.json["tokens"]["refresh_token"])


def families(rounds: int, seed: int = 0) -> Tally:
    """Chains of refreshes, with repeats, with garbage that looks like a known token, and with a copied one."""
    tally = Tally("refresh tokens: a repeat gets the same successor, garbage harms nobody, a copy ends one family")
    chance = Random(seed)
    for number in range(rounds):
        door = InProcess(House(MemoryStore()))
        me = sign_up(door)
        other = door.send("POST", "/tokens", {"type": "transfer", "code": me.post("/me/transfer-codes")["code"]})
        elsewhere = other.json["tokens"]["refresh_token"]
        with tally.attempt(f"round {number}"):
            chain = [me.refresh]
            for _ in range(chance.randint(1, 6)):
                following = {_successor(door, chain[-1]) for _ in range(chance.randint(1, 4))}
                ensure(len(following) == 1, "a repeat got another successor")
                chain.append(following.pop())
                _garbage(door, chain[-1], chance)
            ensure(len(set(chain)) == len(chain), "a token came twice")
            if len(chain) > 2:
                copied = _refresh(door, chance.choice(chain[:-2]))
                ensure((copied.status, copied.code) == (401, "session_revoked"), f"a copy was answered {copied.code}")
                for token in chain:
                    ensure(_refresh(door, token).code == "session_revoked", "the family lives on after a copy was used")
            else:
                _successor(door, chain[-1])
            _successor(door, elsewhere)  # the other device knows nothing of it
    return tally


def _garbage(door: InProcess, token: str, chance: Random) -> None:
    """What looks like the token and is not: refused, and the token still good."""
    at = chance.randrange(len(token))
    sign = chance.choice([each for each in "abcdef0123456789_-XYZ" if each != token[at]])
    for wrong in (token[:at] + sign + token[at + 1 :], token[:-1], token + "A", token[:32] + "A" * (len(token) - 32)):
        reply = _refresh(door, wrong)
        ensure((reply.status, reply.code) == (401, "refresh_token_invalid"), f"garbage got {reply.status} {reply.code}")


def transfers(rounds: int) -> Tally:
    """Codes used, repeated, used up, expired, and guessed."""
    tally = Tally("transfer codes: good once, repeatable until used, wrong and expired ones answered alike")
    clock = [NOW]
    door = InProcess(House(MemoryStore(), lambda: clock[0]), fixed_id="one")

    def exchange(code: str) -> Reply:
        return door.send("POST", "/tokens", {"type": "transfer", "code": code})

    for number in range(rounds):
        me = sign_up(door)
        code = me.post("/me/transfer-codes")["code"]
        with tally.attempt(f"round {number}"):
            spoken = " ".join(code[at : at + 4] for at in range(0, len(code), 4)).lower()
            one, again = exchange(code), exchange(spoken)
            ensure(one.status == again.status == 200, f"{one.status} {again.status}")
            ensure(
                one.json["tokens"]["refresh_token"] == again.json["tokens"]["refresh_token"], "two devices of one code"
            )
            ensure(one.json["player"]["id"] == me.id, "somebody else's account")
            _successor(door, one.json["tokens"]["refresh_token"])
            used = exchange(code)
            late = me.post("/me/transfer-codes")["code"]
            clock[0] += 601
            expired, wrong = exchange(late), exchange("2" * len(late))
            ensure(used.status == 401, "a code was good twice")
            ensure(used == expired == wrong, "used, expired and wrong codes are answered differently")
    return tally


def signing_out() -> Tally:
    """This device alone is signed out."""
    tally = Tally("DELETE /me/session signs this device out, and no other")
    door = InProcess(House(MemoryStore()))
    me = sign_up(door)
    other = door.send("POST", "/tokens", {"type": "transfer", "code": me.post("/me/transfer-codes")["code"]})
    for _ in range(2):
        tally.expect(204, me.send("DELETE", "/me/session").status, "signing out")
    tally.expect("session_revoked", _refresh(door, me.refresh).code, "this device's token")
    tally.expect(200, _refresh(door, other.json["tokens"]["refresh_token"]).status, "the other device's")
    return tally
