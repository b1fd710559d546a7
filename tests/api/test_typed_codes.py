"""Codes as people type and paste them: read in one way wherever one is sent."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import quote

import pytest

from chalicelib.service.services import CODE_ALPHABET, plain_code
from tests.api.client import Client, Foursome

NONCE = "a-nonce-of-this-phone"
FULLWIDTH = {ord(sign): ord(sign) + 0xFEE0 for sign in CODE_ALPHABET}
DEVANAGARI = {ord(sign): chr(0x0966 + int(sign)) for sign in CODE_ALPHABET if sign.isdecimal()}


def joined(by: str) -> Callable[[str], str]:
    return lambda code: by.join((code[:4], code[4:]))


@pytest.mark.parametrize(
    "typed",
    [
        str.lower,
        lambda code: f" {code} ",
        lambda code: f"\t{code}\r\n",
        " ".join,
        *map(joined, "-.\u2010\u2011\u2012\u2013\u2014\u2212\u00a0\u202f\u200b\u00ad_,:/*\u2022"),
        lambda code: f"\ufeff\u200e{code}\u200f",
        lambda code: f"\u201c{code}\u201d.",
        lambda code: code.translate(FULLWIDTH),
        lambda code: code.lower().translate(DEVANAGARI),
        lambda code: code.replace("Q", "0").replace("L", "1"),
        lambda code: code.replace("Q", "o").replace("L", "I"),
    ],
)
def test_what_counts_of_a_typed_code(client: Client, typed: Callable[[str], str]) -> None:
    """Its letters and digits: in the address and the body, of an invitation, a transfer and a recovery."""
    assert CODE_ALPHABET == plain_code(typed(CODE_ALPHABET))
    table = Foursome.waiting(client)
    host, friend = table.players[:2]
    code = typed(host.ok("GET", table.path)["invite"]["code"])
    assert table.id == friend.ok("GET", f"/invites/{quote(code, safe='')}")["match_id"]
    friend.ok("PUT", f"{table.path}/seats/east", {"type": "human", "code": code})
    for kind, path in (("transfer", "/me/transfer-codes"), ("recovery", "/me/recovery-code")):
        grant = {"type": kind, "code": typed(host.ok("POST", path)["code"]), "client_nonce": NONCE}
        assert host.player_id == client.ok("POST", "/tokens", grant)["player"]["id"]


@pytest.mark.parametrize("typed", ["", " ", "-", "\u200b", "%", "no such code", "\u0410" * 8, "\ufdfa" * 64])
def test_a_wrong_code_is_no_fault_of_the_app(client: Client, typed: str) -> None:
    """Whatever somebody types: it is not found, or refused, and never malformed."""
    table = Foursome.waiting(client)
    friend = table.players[1]
    wrong = friend.call("PUT", f"{table.path}/seats/east", {"type": "human", "code": typed})
    assert (404, "invite_not_found") == (wrong.status, wrong.code)
    if typed:
        wrong = friend.call("GET", f"/invites/{quote(typed, safe='')}")
        assert (404, "invite_not_found") == (wrong.status, wrong.code)
    for kind in ("transfer", "recovery"):
        wrong = client.call("POST", "/tokens", {"type": kind, "code": typed, "client_nonce": NONCE})
        assert (422, f"{kind}_code_invalid") == (wrong.status, wrong.code)


def test_only_what_looks_alike_is_read_as_something_else() -> None:
    """Each sign of the alphabet is itself, and the four that no code has are the signs that look like them."""
    assert list(CODE_ALPHABET) == [plain_code(sign) for sign in CODE_ALPHABET]
    assert "QQLL" == plain_code("0O1I") == plain_code("0o1i")
