"""Reading: ETags, 304, the feed, lists and their cursors, and who may see what."""

from __future__ import annotations

import json
import time
import timeit
from collections.abc import Callable

from chalicelib.api.conditional import unchanged
from tests.api.client import Client, Table
from tests.api.conftest import Clock
from tests.api.test_seats import finished


def tags(etag: str) -> list[tuple[str, bool]]:
    """If-None-Match values, and whether they name the answer."""
    return [
        (etag, True),
        (f"W/{etag}", True),
        (f'"other", {etag}', True),
        (f'W/"a",W/{etag} , "b"', True),
        (f'"a", ,, {etag},,', True),
        (f" {etag} ", True),
        ("*", True),
        ('"other"', False),
        (etag.strip('"'), False),
        (f"w/{etag}", False),
        (etag[:-1], False),
        (f'"a" {etag}', False),
        ("", False),
    ]


def test_nothing_new_costs_nothing(asha: Client) -> None:
    """If-None-Match is compared weakly (RFC 9110 §13.1.2), on every read that has an ETag; each is one caller's own."""
    view = asha.solo(deals=1)
    for path in (f"/matches/{view['id']}", f"/matches/{view['id']}/events", "/me", "/matches", "/me/turns"):
        first = asha.call("GET", path)
        for sent, same in tags(first.headers["ETag"]):
            reply = asha.call("GET", path, headers={"If-None-Match": sent})
            assert (304 if same else 200) == reply.status, sent
            assert first.headers["ETag"] == reply.headers["ETag"]
            assert "private, no-cache" == reply.headers["Cache-Control"]
            assert "Authorization" == reply.headers["Vary"]
            assert (reply.body is None) is same


def test_no_header_takes_long_to_read() -> None:
    """If-None-Match of many blanks, which is no list of tags, is told to be none at once."""
    few, many = (f'"a"{" " * blanks}x' for blanks in (2_000, 64_000))
    # 32 times the blanks; by their square it would take 1,024 times as long.
    assert fastest(lambda: unchanged(many, '"1"')) < 200 * fastest(lambda: unchanged(few, '"1"'))


def fastest(read: Callable[[], bool]) -> float:
    """Seconds of the processor for some reads, the best of several times."""
    return min(timeit.repeat(read, time.process_time, repeat=5, number=5))


def test_a_write_takes_no_notice_of_if_none_match(asha: Client) -> None:
    """Only reads are conditional."""
    view = asha.solo()
    reply = asha.move(view, view["you"]["legal_moves"][0], headers={"If-None-Match": "*"})

    assert 200 == reply.status
    assert f'"{reply.body["match"]["version"]}"' == reply.headers["ETag"]


def test_an_etag_changes_with_the_view(client: Client) -> None:
    """A move, a rename and a deletion each make another ETag; reading makes none."""
    table = Table.started(client, deals=1)
    watcher = table.players[0]

    def etag() -> str:
        return watcher.call("GET", table.path).headers["ETag"]

    seen = [etag()]
    assert seen[-1] == etag()
    player, view = table.turn()
    player.move(view, view["you"]["legal_moves"][0])
    seen.append(etag())
    table.players[1].ok("PATCH", "/me", {"name": "Somebody"})
    seen.append(etag())
    table.players[2].ok("DELETE", "/me")
    seen.append(etag())
    assert 4 == len(set(seen))
    names = [seat["player"] for seat in watcher.ok("GET", table.path)["seats"]]
    assert ("Somebody", {"deleted": True}) == (names[1]["name"], names[2])


def test_the_feed_goes_on_where_it_stopped(asha: Client) -> None:
    """Pages of any size make up the whole, without a gap or a repetition."""
    view = asha.solo(deals=1)
    path = f"/matches/{view['id']}/events"
    whole = asha.ok("GET", f"{path}?limit=1000")
    for limit in (1, 3, 1000):
        found, after = [], 0
        while True:
            page = asha.ok("GET", f"{path}?after={after}&limit={limit}")
            found += page["items"]
            after = page["version"]
            if not page["more"]:
                break
        assert whole["items"] == found
    news = asha.ok("GET", f"{path}?after={view['version']}")
    assert ([], view["version"], False) == (news["items"], news["version"], news["more"])


def test_the_feed_of_the_future(asha: Client) -> None:
    """A version that no event has had yet is 422, with the one there is."""
    view = asha.solo()
    reply = asha.call("GET", f"/matches/{view['id']}/events?after={view['version'] + 1}")

    assert (422, "after_beyond_version", view["version"]) == (reply.status, reply.code, reply.body["params"]["version"])


def test_my_matches_page_by_page(asha: Client, clock: Clock) -> None:
    """Newest first; the cursor goes on; nobody else's are among them."""
    made = []
    for _ in range(5):
        clock.at += 1
        made.append(asha.solo()["id"])
    found, cursor = [], ""
    while True:
        page = asha.ok("GET", f"/matches?limit=2{cursor}")
        found += [item["id"] for item in page["items"]]
        if "next_cursor" not in page:
            break
        cursor = f"&cursor={page['next_cursor']}"

    assert made[::-1] == found
    assert {"items": []} == asha.guest().ok("GET", "/matches")
    assert 5 == len(asha.ok("GET", "/matches?status=playing")["items"])
    assert [] == asha.ok("GET", "/matches?status=finished")["items"]


def test_a_cursor_is_for_whom_it_was_made(asha: Client, clock: Clock) -> None:
    """Altered anywhere, cut, lengthened, or sent by another player: 400."""
    for _ in range(2):
        clock.at += 1
        asha.solo()
    cursor = asha.ok("GET", "/matches?limit=1")["next_cursor"]
    assert 200 == asha.call("GET", f"/matches?cursor={cursor}").status

    other = [cursor[:at] + ("B" if cursor[at] == "A" else "A") + cursor[at + 1 :] for at in range(len(cursor))]
    for wrong in (*other, cursor[:-1], cursor + "A", cursor + "=", cursor.swapcase()):
        reply = asha.call("GET", f"/matches?cursor={wrong}")
        assert (400, "invalid_parameter") == (reply.status, reply.code), wrong
    assert 400 == asha.guest().call("GET", f"/matches?cursor={cursor}").status


def test_others_do_not_see_my_match(client: Client) -> None:
    """A match of others is not there, in whatever way one asks."""
    table, stranger = Table.started(client, deals=1), client.guest()
    for path in ("", "/events", "/deals/1"):
        assert "match_not_found" == stranger.call("GET", table.path + path).code
    assert "match_not_found" == stranger.call("POST", f"{table.path}/start").code
    assert "match_not_found" == stranger.call("DELETE", f"{table.path}/seats/north").code


def test_news_come_with_the_view(client: Client) -> None:
    """With `view=true` a page that has events has the caller's view; one without has none, and costs a few hundred
    bytes."""
    table = Table.started(client, deals=1)
    player, view = table.turn()
    others = [each for each in table.players if each is not player]
    events = f"{table.path}/events?after={view['version']}"
    player.move(view, view["you"]["legal_moves"][0])

    for other in others:
        page = other.ok("GET", f"{events}&view=true")
        assert page["match"] == other.ok("GET", table.path)
        assert page["match"]["version"] == page["version"] == view["version"] + 1
        assert page["items"] == other.ok("GET", events)["items"]
        nothing = other.call("GET", f"{table.path}/events?after={page['version']}&view=true")
        assert [] == nothing.body["items"] and "match" not in nothing.body
        assert len(json.dumps(nothing.body)) < 200
    first = others[0].ok("GET", f"{table.path}/events?after=0&limit=1&view=true")
    assert first["more"] and first["match"]["version"] == view["version"] + 1
    assert "match" not in others[0].ok("GET", f"{events}&view=false")
    assert 400 == others[0].call("GET", f"{events}&view=1").status


def test_tricks_on_demand(client: Client) -> None:
    """A view has the last finished trick; with `tricks=true` all of them, under an ETag of its own."""
    asha = client.guest()
    view = asha.solo(deals=1)
    path = f"/matches/{view['id']}"
    assert "last_trick" not in view["deal"] and [] == asha.ok("GET", f"{path}?tricks=true")["deal"]["tricks"]
    while view["status"] == "playing":
        view = asha.move(view, view["you"]["legal_moves"][0]).body["match"]
        deal = view["deal"]
        assert "tricks" not in deal
        whole = asha.call("GET", f"{path}?tricks=true")
        tricks = whole.body["deal"].pop("tricks")
        assert deal == whole.body["deal"]
        assert deal.get("last_trick") == (tricks[-1] if tricks else None)
        assert len(tricks) == sum(deal["banked"].values()) + deal["pile"]["tricks"]
    plain = asha.call("GET", path).headers["ETag"]
    assert plain != whole.headers["ETag"]
    assert 304 == asha.call("GET", f"{path}?tricks=true", headers={"If-None-Match": whole.headers["ETag"]}).status
    assert 200 == asha.call("GET", f"{path}?tricks=true", headers={"If-None-Match": plain}).status


def test_spectators_see_no_hand(client: Client) -> None:
    """With `spectators` anybody may watch: the table and its events, without anybody's cards."""
    table, stranger = Table.started(client, deals=1, spectators=True), client.guest()
    view = stranger.ok("GET", table.path)

    assert "you" not in view
    assert "invite" not in view
    assert not any("hand" in event for event in stranger.ok("GET", f"{table.path}/events")["items"])
    assert "not_seated" == stranger.move(view, {"type": "pass"}).code


def test_a_deal_that_is_not_over(asha: Client) -> None:
    """It is 404 deal_not_found: nothing of it is to be had."""
    view = asha.solo()
    for number in (1, 2, 16):
        assert "deal_not_found" == asha.call("GET", f"/matches/{view['id']}/deals/{number}").code


def test_matches_that_wait_for_me(client: Client) -> None:
    """Only those with other people, while it is my turn."""
    table = Table.started(client, deals=1)
    player, view = table.turn()
    player.solo()

    waiting = player.ok("GET", "/me/turns")
    assert (1, [view["id"]]) == (waiting["count"], [item["id"] for item in waiting["items"]])
    player.move(view, view["you"]["legal_moves"][0])
    assert 0 == player.ok("GET", "/me/turns")["count"]


def test_what_is_for_all(client: Client) -> None:
    """No token is needed to ask whether the API is there, and a wrong one does no harm."""
    assert 200 == client.call("GET", "/health").status
    assert 200 == client.with_token("garbage").call("GET", "/health").status


def test_a_seat_is_told_alike_in_views_and_lists(client: Client) -> None:
    """The seats of a summary are those of the view, before the cards, among them, and when the match is over."""
    table = Table.started(client, deals=1)
    host = table.players[0]
    waiting = Table.waiting(client)
    seen = set()
    for who, path in ((waiting.players[0], waiting.path), (host, table.path)):
        view, summary = who.ok("GET", path), who.ok("GET", "/matches")["items"][0]
        assert view["seats"] == summary["seats"]
        seen.add("cards_left" in view["seats"][0])
    for seat, player in zip(
        ("south", "east", "west", "north"), (table.players[at] for at in (2, 1, 3, 0)), strict=True
    ):
        player.ok("DELETE", f"{table.path}/seats/{seat}")
    player = client.guest()
    over = player, finished(player)
    for who, path in ((host, table.path), over):
        view, summary = who.ok("GET", path), who.ok("GET", "/matches")["items"][0]
        assert view["status"] in ("abandoned", "finished")
        assert view["seats"] == summary["seats"] and "cards_left" not in view["seats"][0]
    assert {False, True} == seen
