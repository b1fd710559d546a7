"""Reading: ETags, 304, the feed, lists and their cursors, and who may see what."""

from __future__ import annotations

import json
import time
import timeit
from collections.abc import Callable

from chalicelib.api.conditional import unchanged
from tests.api.client import Client, Foursome
from tests.api.conftest import Clock


def tags(etag: str) -> list[tuple[str, bool]]:
    """If-None-Match values, and whether they name the answer."""
    same = etag, f"W/{etag}", f'"other", {etag}', f'W/"a",W/{etag} , "b"', f'"a", ,, {etag},,', f" {etag} ", "*"
    other = '"other"', etag.strip('"'), f"w/{etag}", etag[:-1], f'"a" {etag}', ""
    return [*((tag, True) for tag in same), *((tag, False) for tag in other)]


def test_nothing_new_costs_nothing(asha: Client) -> None:
    """If-None-Match is compared weakly (RFC 9110 §13.1.2), on every read that has an ETag; each is one caller's own."""
    view = asha.solo(deals=1)
    for path in (f"/matches/{view['id']}", f"/matches/{view['id']}/events", "/me", "/matches", "/me/turns"):
        plain = asha.call("GET", path)
        for sent, same in tags(plain.headers["ETag"]):
            reply = asha.call("GET", path, headers={"If-None-Match": sent})
            assert (304 if same else 200, plain.headers["ETag"]) == (reply.status, reply.headers["ETag"]), sent
            assert ("private, no-cache", "Authorization") == (reply.headers["Cache-Control"], reply.headers["Vary"])
            assert (reply.body is None) is same


def test_no_header_takes_long_to_read() -> None:
    """If-None-Match of many blanks, which is no list of tags, is told to be none at once."""
    few, many = (f'"a"{" " * blanks}x' for blanks in (2_000, 32_000))
    # 16 times the blanks; by their square it would take 256 times as long.
    assert fastest(lambda: unchanged(many, '"1"')) < 100 * fastest(lambda: unchanged(few, '"1"'))


def fastest(read: Callable[[], bool]) -> float:
    """Seconds of the processor for a read, the best of many, since the machine may be busy."""
    return min(timeit.repeat(read, time.process_time, repeat=50, number=1))


def test_an_etag_changes_with_the_view(client: Client) -> None:
    """A move, a rename and a deletion each make another ETag; reading makes none. Only reads are conditional."""
    table = Foursome.started(client, deals=1)
    watcher = table.players[0]

    def etag() -> str:
        return watcher.call("GET", table.path).headers["ETag"]

    seen = [etag()]
    assert seen[-1] == etag()
    player, view = table.turn()
    reply = player.move(view, view["you"]["legal_moves"][0], headers={"If-None-Match": "*"})
    seen.append(etag())
    assert (200, seen[-1]) == (reply.status, reply.headers["ETag"])
    table.players[1].ok("PATCH", "/me", {"name": "Somebody"})
    seen.append(etag())
    table.players[2].ok("DELETE", "/me")
    seen.append(etag())
    assert 4 == len(set(seen))
    names = [seat["player"] for seat in watcher.ok("GET", table.path)["seats"]]
    assert ("Somebody", {"deleted": True}) == (names[1]["name"], names[2])


def test_my_matches_page_by_page(asha: Client, clock: Clock) -> None:
    """Newest first; the cursor goes on; nobody else's are among them."""
    made = []
    for _ in range(5):
        clock.at += 1
        made.append(asha.solo()["id"])
    page = asha.ok("GET", "/matches?limit=2")
    cursor, found = page["next_cursor"], [item["id"] for item in page["items"]]
    while "next_cursor" in page:
        page = asha.ok("GET", f"/matches?limit=2&cursor={page['next_cursor']}")
        found += [item["id"] for item in page["items"]]
    assert made[::-1] == found
    assert {"items": []} == asha.guest().ok("GET", "/matches")
    assert [5, 0] == [len(asha.ok("GET", f"/matches?status={status}")["items"]) for status in ("playing", "finished")]
    other = [cursor[:at] + ("B" if cursor[at] == "A" else "A") + cursor[at + 1 :] for at in range(len(cursor))]
    for wrong in (*other, cursor[:-1], cursor + "A", cursor + "=", cursor.swapcase()):
        reply = asha.call("GET", f"/matches?cursor={wrong}")
        assert (400, "invalid_parameter") == (reply.status, reply.code), wrong
    assert 400 == asha.guest().call("GET", f"/matches?cursor={cursor}").status


def test_news_come_with_the_view(client: Client) -> None:
    """With `view=true` a page that has events has the caller's view; one without has none, and costs a few hundred
    bytes."""
    table = Foursome.started(client, deals=1)
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
    page = others[0].ok("GET", f"{table.path}/events?after=0&limit=1&view=true")
    assert page["more"] and page["match"]["version"] == view["version"] + 1
    assert "match" not in others[0].ok("GET", f"{events}&view=false")
    assert 400 == others[0].call("GET", f"{events}&view=1").status


def test_tricks_on_demand(asha: Client) -> None:
    """A view has the last finished trick; with `tricks=true` all of them, under an ETag of its own."""
    view = asha.solo(deals=1)
    path = f"/matches/{view['id']}"
    assert "last_trick" not in view["deal"] and [] == asha.ok("GET", f"{path}?tricks=true")["deal"]["tricks"]
    while view["status"] == "playing":
        view = asha.move(view, view["you"]["legal_moves"][0]).body["match"]
        deal = view["deal"]
        whole = asha.call("GET", f"{path}?tricks=true")
        tricks = whole.body["deal"].pop("tricks")
        assert "tricks" not in deal and deal == whole.body["deal"]
        assert deal.get("last_trick") == (tricks[-1] if tricks else None)
        assert len(tricks) == sum(deal["banked"].values()) + deal["pile"]["tricks"]
    plain = asha.call("GET", path).headers["ETag"]
    assert plain != whole.headers["ETag"]
    for etag, status in ((whole.headers["ETag"], 304), (plain, 200)):
        assert status == asha.call("GET", f"{path}?tricks=true", headers={"If-None-Match": etag}).status


def test_who_sees_what(client: Client) -> None:
    """Each player sees their own 13 cards; with `spectators` anybody may watch the table and its events, without
    anybody's cards or the invite. Whose turn it is finds the match among those that wait for them, a solo match not."""
    table, stranger = Foursome.started(client, deals=1, spectators=True), client.guest()
    views = [player.ok("GET", table.path) for player in table.players]
    assert 52 == len({card for view in views for card in view["you"]["hand"]})
    assert 1 == sum(bool(view["you"]["legal_moves"]) for view in views)
    assert 1 == len({str({**view, "you": None, "poll_after_seconds": 0}) for view in views})
    view = stranger.ok("GET", table.path)
    assert not {"you", "invite"} & view.keys()
    assert not any("hand" in event for event in stranger.ok("GET", f"{table.path}/events")["items"])
    player, view = table.turn()
    player.solo()
    waiting = player.ok("GET", "/me/turns")
    assert (1, [table.id]) == (waiting["count"], [item["id"] for item in waiting["items"]])
    player.move(view, view["you"]["legal_moves"][0])
    assert 0 == player.ok("GET", "/me/turns")["count"]


def test_what_is_for_all(client: Client) -> None:
    """No token is needed to ask whether the API is there, and a wrong one does no harm."""
    assert [200, 200] == [client.with_token(token).call("GET", "/health").status for token in (None, "garbage")]


def test_a_seat_is_told_alike_in_views_and_lists(client: Client) -> None:
    """The seats of a summary are those of the view, before the cards, among them, and when the match is over."""

    def seats(who: Client, path: str) -> tuple[str, bool]:
        view, summary = who.ok("GET", path), who.ok("GET", "/matches")["items"][0]
        assert view["seats"] == summary["seats"]
        return view["status"], "cards_left" in view["seats"][0]

    waiting, table, player = Foursome.waiting(client), Foursome.started(client, deals=1), client.guest()
    host = table.players[0]
    assert [("waiting", False), ("playing", True)] == [seats(each.players[0], each.path) for each in (waiting, table)]
    for at, seat in ((2, "south"), (1, "east"), (3, "west"), (0, "north")):
        table.players[at].ok("DELETE", f"{table.path}/seats/{seat}")
    assert [("abandoned", False), ("finished", False)] == [seats(host, table.path), seats(player, player.finished())]
