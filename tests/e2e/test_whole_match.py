"""A whole match over HTTP on a real store."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable

from dev.trust.crashes import play_through_crashes
from dev.trust.items import bare_client
from dev.trust.phones import seat_four
from dev.trust.proxy import StoreProxy
from dev.trust.quiet import found_in, secrets_of
from dev.trust.races import two_phones
from dev.trust.tally import Tally
from dev.trust.transport import OverHttp
from dev.trust.whole_match import Meter, play_checked
from tests.servers import ApiProcess, Server

DEALS = int(os.environ.get("E2E_DEALS", "2"))
"""16 in `make trust`."""
CRASHES = 4
TWO_PHONES = 40


def test_four_phones_play_a_whole_match(
    dynoxide: Server, table: str, api_process: Callable[[str, str], ApiProcess]
) -> None:
    """Four phones with the longest names play a match: all are told one story, a move costs 1 RCU and 1 WCU, and the
    match's item stays under 1,024 bytes."""
    meter = Meter()
    with StoreProxy(dynoxide.url, on_answer=meter) as proxy:
        api = api_process(proxy.url, table)
        with OverHttp(api.url) as door:
            alike, cost = play_checked(door, meter, bare_client(dynoxide.url), table, DEALS)
    print(alike.line(), cost.line(), sep="\n")
    assert [] == alike.broken + cost.broken
    assert alike.tried > 50 * DEALS


def test_the_server_writes_down_no_secret(
    dynoxide: Server, table: str, api_process: Callable[[str, str], ApiProcess]
) -> None:
    """What the API's process prints while a deal is played holds no token, name, code, seed or card."""
    api = api_process(dynoxide.url, table)
    with OverHttp(api.url) as door:
        seated = seat_four(door, names=tuple(f"Name {secrets.token_hex(6)}" for _ in range(4)), deals=1)
        seated.play(60)
        seated.at("north").send("PUT", f"{seated.path}/moves/3", {"type": "play", "card": "AS"})
        seated.at("south").send("PATCH", "/me", {"name": seated.at("south").name + "\x00"})
    lines = api.log.read_text().splitlines()
    assert len(lines) > 60
    assert [] == list(found_in(lines, secrets_of(seated)))


def test_the_api_dies(dynoxide: Server, table: str, api_process: Callable[[str, str], ApiProcess]) -> None:
    """The API is killed and started again while four phones play: no acknowledged move is lost, none is there twice."""
    tally = Tally("no acknowledged move is lost or doubled while the API dies")
    api = api_process(dynoxide.url, table)

    def crash() -> None:
        api.kill()
        api.start()

    with OverHttp(api.url) as door:
        play_through_crashes([door], crash, CRASHES, DEALS, tally)
    print(tally.line())
    assert [] == tally.broken
    assert tally.tried > CRASHES


def test_two_phones_of_one_player_move_at_once(
    dynoxide: Server, table: str, api_process: Callable[[str, str], ApiProcess]
) -> None:
    """Of two different cards for one move one is taken, and the other phone is told 409 move_already_made with the
    view as it is; the same card from both is 200 for both."""
    api = api_process(dynoxide.url, table)
    with OverHttp(api.url) as door:
        different, same = two_phones(door, TWO_PHONES)
    print(different.line(), same.line(), sep="\n")
    assert [] == different.broken + same.broken
    assert TWO_PHONES == different.tried == same.tried
