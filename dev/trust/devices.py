"""Refresh tokens and transfer codes: a lost answer loses nobody's device, and a stolen token no more than one."""

from __future__ import annotations

import secrets
from functools import partial
from random import Random

from chalicelib.service.services import Services
from chalicelib.store.memory import MemoryStore
from dev.trust.phones import Phone, sign_up
from dev.trust.tally import Tally, ensure
from dev.trust.transport import InProcess, Reply

NOW = 1_900_000_000


def _nonce() -> str:
    return secrets.token_urlsafe(16)


def _refresh(transport: InProcess, token: str, nonce: str = "") -> Reply:
    grant = {"type": "refresh", "refresh_token": token, "client_nonce": nonce or _nonce()}
    return transport.send("POST", "/tokens", grant)


def _successor(transport: InProcess, token: str, nonce: str = "") -> str:
    reply = _refresh(transport, token, nonce)
    ensure(reply.status == 200, f"a good token was answered {reply.status} {reply.code}")
    return str(reply.json["tokens"]["refresh_token"])


def families(rounds: int, seed: int = 0) -> Tally:
    """Chains of refreshes, with repeats, with garbage that looks like a known token, and with a copied one."""
    tally = Tally(
        "refresh tokens: a repeat gets the same successor, garbage harms nobody, a copy ends all it may have made"
    )
    chance = Random(seed)
    for number in range(rounds):
        transport = InProcess(Services(MemoryStore()))
        me = sign_up(transport)
        other = _transfer(transport, me.post("/me/transfer-codes")["code"], _nonce())
        elsewhere = other.json["tokens"]["refresh_token"]
        with tally.attempt(f"round {number}"):
            chain = [me.refresh]
            for _ in range(chance.randint(1, 6)):
                following = {_successor(transport, chain[-1]) for _ in range(chance.randint(1, 4))}
                ensure(len(following) == 1, "a repeat got another successor")
                chain.append(following.pop())
                _garbage(transport, chain[-1], chance)
            ensure(len(set(chain)) == len(chain), "a token came twice")
            if len(chain) > 2:
                copied = _refresh(transport, chance.choice(chain[:-2]))
                ensure((copied.status, copied.code) == (401, "session_revoked"), f"a copy was answered {copied.code}")
                for token in chain:
                    ensure(
                        _refresh(transport, token).code == "session_revoked",
                        "the family lives on after a copy was used",
                    )
                ensure(_refresh(transport, elsewhere).code == "session_revoked", "a device that it signed in lives on")
            else:
                _successor(transport, chain[-1])
                _successor(transport, elsewhere)
    return tally


def _garbage(transport: InProcess, token: str, chance: Random) -> None:
    """What looks like the token and is not: refused, and the token still good."""
    at = chance.randrange(len(token))
    sign = chance.choice([each for each in "abcdef0123456789_-XYZ" if each != token[at]])
    for wrong in (token[:at] + sign + token[at + 1 :], token[:-1], token + "A", token[:32] + "A" * (len(token) - 32)):
        reply = _refresh(transport, wrong)
        ensure((reply.status, reply.code) == (401, "refresh_token_invalid"), f"garbage got {reply.status} {reply.code}")


def thieves(rounds: int, seed: int = 0) -> Tally:
    """An owner and a thief with a copy of the token, who refresh when they like for days: somebody notices, and the
    thief is out, with all devices that the thief has signed in; an honest phone loses answers, and nothing else."""
    tally = Tally("a copied refresh token: the thief is out in the first round; lost answers cost nobody a device")
    chance = Random(seed)
    for number in range(rounds):
        clock = [NOW]
        transport = InProcess(Services(MemoryStore(), partial(clock.__getitem__, 0)))
        with tally.attempt(f"round {number}"):
            owner, honest = sign_up(transport), sign_up(transport)
            stolen, token = owner.refresh, honest.refresh
            gained = _refresh(transport, stolen)
            device = Phone(transport, access=gained.json["tokens"]["access_token"])
            child = _transfer(transport, device.post("/me/transfer-codes")["code"], _nonce())
            clock[0] += chance.randrange(60, 170 * 86_400)
            late = _refresh(transport, stolen)
            ensure((late.status, late.code) == (401, "session_revoked"), f"both are in: {late.text:.80}")
            for grant in (gained, child):
                again = _refresh(transport, grant.json["tokens"]["refresh_token"])
                ensure(again.status == 401, "the thief is in still")
            for _ in range(3):
                nonce = _nonce()
                for _lost in range(chance.randrange(3)):
                    _refresh(transport, token, nonce)
                    clock[0] += chance.randrange(1, 59 * 86_400)
                token = _successor(transport, token, nonce)
                clock[0] += chance.randrange(1, 59 * 86_400)
    return tally


def _transfer(transport: InProcess, code: str, nonce: str) -> Reply:
    return transport.send("POST", "/tokens", {"type": "transfer", "code": code, "client_nonce": nonce})


def transfers(rounds: int) -> Tally:
    """Codes used, repeated, used up, expired, and guessed."""
    tally = Tally("transfer codes: good once, repeatable until used, wrong and expired ones answered alike")
    clock = [NOW]
    transport = InProcess(Services(MemoryStore(), lambda: clock[0]), fixed_id="one")

    for number in range(rounds):
        me = sign_up(transport)
        code = me.post("/me/transfer-codes")["code"]
        with tally.attempt(f"round {number}"):
            spoken = " ".join(code[at : at + 4] for at in range(0, len(code), 4)).lower()
            own, other = _nonce(), _nonce()
            one, again = _transfer(transport, code, own), _transfer(transport, spoken, own)
            ensure(one.status == again.status == 200, f"{one.status} {again.status}")
            ensure(
                one.json["tokens"]["refresh_token"] == again.json["tokens"]["refresh_token"], "two devices of one code"
            )
            ensure(one.json["player"]["id"] == me.id, "somebody else's account")
            second = _transfer(transport, code, other)
            _successor(transport, one.json["tokens"]["refresh_token"])
            used = _transfer(transport, code, own)
            late = me.post("/me/transfer-codes")["code"]
            clock[0] += 601
            expired, wrong = _transfer(transport, late, own), _transfer(transport, "2" * len(late), own)
            ensure(used.status == 422, "a code was good twice")
            ensure(second == used == expired == wrong, "used, expired and wrong codes are answered differently")
    return tally


def signing_out() -> Tally:
    """This device alone is signed out."""
    tally = Tally("DELETE /me/session signs this device out, and no other")
    transport = InProcess(Services(MemoryStore()))
    me = sign_up(transport)
    other = _transfer(transport, me.post("/me/transfer-codes")["code"], _nonce())
    for _ in range(2):
        tally.expect(204, me.send("DELETE", "/me/session").status, "signing out")
    tally.expect("session_revoked", _refresh(transport, me.refresh).code, "this device's token")
    tally.expect(200, _refresh(transport, other.json["tokens"]["refresh_token"]).status, "the other device's")
    return tally
