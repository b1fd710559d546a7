"""Who is one of a match, in whose list it is, for whom it is live, and to whom a seat of it is offered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from chalicelib.engine import SEATS, Seat
from chalicelib.match import model
from chalicelib.match.model import MOST_LIVE, Change, Match, Membership, Place, SeatType, Standing, Status
from chalicelib.service.ports import AccountGone, Player, SeatHeld, Store, TooManyLive
from tests.contract import given
from tests.contract.given import NOW

NORTH, EAST, SOUTH, WEST = SEATS


def seated(store: Store, player: Player, match: Match, seat: Seat = NORTH) -> Match:
    """The match, new in the store, with the player on a seat."""
    return given.stored(store, given.sitting(match, player, seat))


def lists(store: Store, player: Player) -> dict[str, tuple[str, ...]]:
    """All that a store lists for a player, where there is anything."""
    found = {status.value: store.listed(player.id, 50, status=status).match_ids for status in Status}
    found |= {"all": store.listed(player.id, 50).match_ids, "live": store.live(player.id)}
    found["offers"] = store.offers(player.id, 0)
    return {name: ids for name, ids in found.items() if ids}


def sits_in(match: Match) -> dict[str, tuple[str, ...]]:
    return {match.status.value: (match.id,), "all": (match.id,), "live": (match.id,)}


def left(match: Match, seat: Seat = NORTH) -> Match:
    """A step in which whoever sits there leaves: before the start without a trace on the seat."""
    place = Place()
    if match.status is Status.PLAYING:
        place = replace(match.places[seat], type=SeatType.BOT, left=True)
    return given.placed(given.stepped(match), seat, place)


def saved(store: Store, before: Match, after: Match, **parts: Any) -> Match:
    """The step, written."""
    store.save(Change(after, before, **parts))
    return after


def dealt(match: Match) -> Match:
    """A step in which cards are dealt."""
    return given.stepped(match, status=Status.PLAYING, deal=1)


def paged(read: Callable[[Any], Any]) -> list[Any]:
    """All pages of a list, each read from where the one before has ended."""
    pages = [read(None)]
    while pages[-1].after is not None:
        pages.append(read(pages[-1].after))
    return pages


@pytest.mark.parametrize("match", [given.waiting_match(), given.match()], ids=["waiting", "playing"])
def test_who_sits_is_one_of_the_match(store: Store, match: Match) -> None:
    """On the seat taken; for the others nothing changes: an account without a match has empty lists."""
    player, other = given.player(store), given.player(store)
    match = seated(store, player, replace(match, id=given.new_id()), SOUTH)
    assert Membership(player.id, match.id, SOUTH) == store.membership(player.id, match.id)
    assert sits_in(match) == lists(store, player)
    assert (None, {}) == (store.membership(other.id, match.id), lists(store, other))
    assert (None, None) == (store.listed(other.id, 1).after, store.memberships(other.id, 1).after)
    assert () == store.memberships(other.id, 1).items


@pytest.mark.parametrize("statuses", [(Status.WAITING,), (Status.PLAYING, Status.WAITING), tuple(Status)])
def test_a_list_is_read_in_stretches(store: Store, statuses: tuple[Status, ...]) -> None:
    """Newest first, by id where two are of the same second; no stretch repeats or leaves out any, by status or not."""
    player = given.player(store)
    matches = []
    for number, second in enumerate((5, 1, 3, 3, 3, 2, 9_999)):
        match = seated(store, player, given.match(created_at=NOW + second))
        status = statuses[number % len(statuses)]
        if status is not Status.PLAYING:
            match = saved(store, match, given.stepped(match, status=status))
        matches.append(match)
    matches.sort(key=lambda match: (match.created_at, match.id), reverse=True)
    asked: tuple[Status | None, ...] = (None, *statuses)
    for wanted in asked:
        expected = [match.id for match in matches if wanted in (None, match.status)]
        for limit in (1, 2, 3, 7, 8):
            found = paged(lambda after, limit=limit: store.listed(player.id, limit, after, wanted))  # type: ignore[misc]  # noqa: B023
            assert expected == [match_id for page in found for match_id in page.match_ids]
            assert all(limit == len(page.match_ids) for page in found[:-1])


def test_what_names_a_player_is_read_in_stretches(store: Store) -> None:
    """Every live match once, in the order in which a match goes on from one stretch into the next: those that wait,
    those that are played, left or not, and offers. Matches that have ended name nobody."""
    player = given.player(store)
    waiting = [seated(store, player, given.waiting_match(created_at=NOW + second)) for second in range(3)]
    playing = [seated(store, player, given.match(created_at=NOW + second)) for second in range(3)]
    saved(store, playing[1], left(playing[1]))
    ended = seated(store, player, given.match())
    saved(store, ended, given.stepped(ended, status=Status.FINISHED))
    tables = [given.waiting_match(created_at=NOW + at) for at in (0, 1)]
    offers = [given.stored(store, given.offering(match, player, EAST)) for match in tables]
    expected = [match.id for matches in (waiting, playing, offers) for match in reversed(matches)]
    for limit in (1, 2, 3, 4, 7, 8, 9):
        found: list[str] = []
        after = ""
        while page := store.naming(player.id, limit, after):
            assert len(page) <= limit
            found += [match_id for _, match_id in page]
            after = page[-1][0]
        assert expected == found


def test_a_list_goes_on_behind_a_match_that_has_left_it(store: Store) -> None:
    """A cursor stands for a place in the order, whether or not its match is still in the list."""
    player = given.player(store)
    matches = [seated(store, player, given.waiting_match(created_at=NOW + second)) for second in range(5)]
    page = store.listed(player.id, 2)
    saved(store, matches[3], left(matches[3]))
    seated(store, player, given.waiting_match(created_at=NOW + 60))
    rest = store.listed(player.id, 2, page.after)
    assert (NOW + 3, matches[3].id) == page.after
    assert (matches[2].id, matches[1].id) == rest.match_ids
    assert (matches[0].id,) == store.listed(player.id, 2, rest.after).match_ids


def test_memberships_are_read_in_stretches(store: Store) -> None:
    """All of them, in the order of their ids."""
    player = given.player(store)
    ids = sorted(seated(store, player, given.match()).id for _ in range(5))
    for limit in (1, 2, 4, 5, 6):
        found = paged(lambda after, limit=limit: store.memberships(player.id, limit, after))  # type: ignore[misc]
        assert ids == [item.match_id for page in found for item in page.items]


def test_a_name_is_copied_from_the_profile_as_it_is(store: Store) -> None:
    """A rename that went past the table before the name was written there would never reach it; and nobody is named
    who is deleted or never was, nor whoever would sit down with them: neither match nor list knows of it."""
    read, other = given.player(store), given.player(store)
    match = given.stored(store, given.waiting_match())
    renamed = store.rename(read.id, read.name, NOW)
    with pytest.raises(AccountGone):
        store.save(given.next_change(match, named=(read,)))
    assert match == store.match(match.id)
    match = saved(store, match, given.stepped(match), named=(renamed,))
    store.mark_deleted(renamed, NOW)
    both = given.sitting(given.sitting(given.stepped(match), other), renamed, EAST)
    for gone in (renamed, replace(read, id=given.new_id())):
        with pytest.raises(AccountGone):
            store.save(Change(both, match, named=(other, gone)))
    assert match == store.match(match.id)
    for player in (renamed, other):
        assert ({}, None) == (lists(store, player), store.membership(player.id, match.id))


def test_nobody_sits_at_more_than_so_many_live_matches(store: Store) -> None:
    """The write that would be one too many is refused whole; at one of them a player may sit down again."""
    player = given.player(store)
    matches = [seated(store, player, given.match()) for _ in range(MOST_LIVE)]
    one_more = given.sitting(given.match(), player)
    with pytest.raises(TooManyLive):
        store.save(Change(one_more, None))
    assert store.match(one_more.id) is None
    assert {match.id for match in matches} == set(store.live(player.id))
    gone = saved(store, matches[0], left(matches[0]))
    store.save(Change(one_more, None))
    back = given.sitting(given.stepped(gone), player)
    with pytest.raises(TooManyLive):
        saved(store, gone, back)
    saved(store, one_more, given.stepped(one_more, status=Status.FINISHED))
    saved(store, gone, back)
    assert {match.id for match in matches} == set(store.live(player.id))


def test_who_leaves_among_cards(store: Store) -> None:
    """Keeps the match in the list, to be looked at, and not among the live ones."""
    player = given.player(store)
    match = seated(store, player, given.match())
    gone = saved(store, match, left(match))
    assert Membership(player.id, match.id, NORTH) == store.membership(player.id, match.id)
    assert {"playing": (match.id,), "all": (match.id,)} == lists(store, player)
    with pytest.raises(SeatHeld):
        saved(store, gone, given.sitting(given.stepped(gone), player, EAST))
    back = saved(store, gone, given.sitting(given.stepped(gone), player))
    assert sits_in(match) == lists(store, player)
    gone = saved(store, back, left(back))
    saved(store, gone, given.stepped(gone, status=Status.FINISHED))
    assert {"finished": (match.id,), "all": (match.id,)} == lists(store, player)


def test_before_the_start_a_player_may_move(store: Store) -> None:
    """The seat may change until cards are dealt, with the write that deals them too."""
    player = given.player(store)
    match = seated(store, player, given.waiting_match())
    moved = saved(store, match, given.sitting(left(match), player, EAST))
    assert Membership(player.id, match.id, EAST) == store.membership(player.id, match.id)
    started = replace(given.sitting(left(moved, EAST), player, SOUTH), status=Status.PLAYING, deal=1)
    saved(store, moved, started, seeds=())
    assert Membership(player.id, match.id, SOUTH) == store.membership(player.id, match.id)
    assert sits_in(started) == lists(store, player)


def test_who_leaves_before_the_start_is_gone(store: Store) -> None:
    """The match is in no list any more, and only remembers that they were there; they may take any seat later."""
    player = given.player(store)
    match = seated(store, player, given.waiting_match())
    gone = saved(store, match, left(match))
    assert Membership(player.id, match.id, NORTH, Standing.GONE) == store.membership(player.id, match.id)
    assert {} == lists(store, player)
    started = saved(store, gone, dealt(gone), seeds=())
    saved(store, started, given.sitting(given.stepped(started), player, EAST))
    assert Membership(player.id, match.id, EAST) == store.membership(player.id, match.id)


def test_who_is_sent_away_may_not_come_back(store: Store) -> None:
    """Neither before the start nor among cards, on no seat."""
    player = given.player(store)
    match = seated(store, player, given.waiting_match())
    gone = saved(store, match, left(match), barred=(player.id,))
    assert Membership(player.id, match.id, NORTH, Standing.BARRED) == store.membership(player.id, match.id)
    for table in (gone, saved(store, gone, dealt(gone), seeds=())):
        for seat in (NORTH, EAST):
            with pytest.raises(SeatHeld):
                saved(store, table, given.sitting(given.stepped(table), player, seat))
    assert {} == lists(store, player)


def test_who_takes_over_a_seat_takes_its_place_in_the_lists(store: Store) -> None:
    """The match is no longer in the list of whoever had left it, who may still look on."""
    old, new = given.player(store), given.player(store)
    match = seated(store, old, given.match())
    gone = saved(store, match, left(match))
    saved(store, gone, given.sitting(given.stepped(gone), new))
    assert ({}, sits_in(match)) == (lists(store, old), lists(store, new))
    assert Membership(old.id, match.id, NORTH) == store.membership(old.id, match.id)


@pytest.mark.parametrize("end", [Status.FINISHED, Status.ABANDONED])
def test_an_ended_match_is_nobodys_live_one(store: Store, end: Status) -> None:
    """It stands under its end in the list of everybody who sits, is away, or has left; not in a deleted account's."""
    players = [given.player(store) for _ in SEATS]
    match = given.match()
    for player, seat in zip(players, SEATS, strict=True):
        match = given.sitting(match, player, seat)
    match = given.stored(store, given.placed(match, EAST, replace(match.places[EAST], away=True)))
    gone = left(match, SOUTH)
    gone = given.placed(gone, WEST, replace(gone.places[WEST], type=SeatType.BOT, left=True, deleted=True))
    saved(store, match, gone)
    saved(store, gone, given.stepped(gone, status=end))
    told = {end.value: (match.id,), "all": (match.id,)}
    assert [told, told, told, {}] == [lists(store, player) for player in players]


def test_a_table_given_up_without_cards_is_in_no_list(store: Store) -> None:
    """Neither of those who sit nor of those to whom a seat was offered; it remembers the former."""
    host, asked = given.player(store), given.player(store)
    match = given.stored(store, given.offering(given.sitting(given.waiting_match(), host), asked, EAST))
    saved(store, match, given.stepped(match, status=Status.ABANDONED))
    assert ({}, {}) == (lists(store, host), lists(store, asked))
    assert Membership(host.id, match.id, NORTH) == store.membership(host.id, match.id)
    assert store.membership(asked.id, match.id) is None


def test_a_match_may_end_with_the_write_that_seats_somebody(store: Store) -> None:
    """Whoever sits down in that write has nothing live, and finds it among those that are over."""
    player, match = given.player(store), given.stored(store, given.match())
    saved(store, match, given.sitting(given.stepped(match, status=Status.FINISHED), player))
    assert {"finished": (match.id,), "all": (match.id,)} == lists(store, player)


def test_an_offer_is_no_match_of_ones_own(store: Store) -> None:
    """It is neither live nor in the list; the newest are told, and no old ones."""
    player = given.player(store)
    matches = [given.waiting_match(created_at=NOW + number) for number in range(8)]
    for match in matches:
        given.stored(store, given.offering(match, player, NORTH))
    newest = tuple(match.id for match in reversed(matches))
    assert {"offers": newest} == lists(store, player)
    assert newest[:3] == store.offers(player.id, 0, 3)
    assert newest[:2] == store.offers(player.id, matches[-2].created_at)
    assert () == store.offers(player.id, NOW + model.UNSTARTED_LIFE)
    assert store.membership(player.id, matches[0].id) is None


@pytest.mark.parametrize("how", ["sits", "sits elsewhere", "declines", "is sent away", "is left out", "is given up"])
def test_an_offer_ends(store: Store, how: str) -> None:
    """In the write that makes it worth nothing. What is kept of whoever never sat ends with the table's life."""
    player = given.player(store)
    match = given.stored(store, given.offering(given.waiting_match(), player, EAST))
    standing: Standing | None = Standing.GONE
    change = Change(left(match, EAST), match)
    match how:
        case "sits":
            change, standing = Change(given.sitting(given.stepped(match), player, EAST), match), Standing.MEMBER
        case "sits elsewhere":
            change, standing = Change(given.sitting(change.match, player, WEST), match), Standing.MEMBER
        case "is sent away":
            change, standing = replace(change, barred=(player.id,)), Standing.BARRED
        case "is left out":
            bots = (Place(SeatType.BOT, level="easy"),) * 4
            change = Change(replace(dealt(match), places=bots), match, seeds=())
        case "is given up":
            change, standing = Change(given.stepped(match, status=Status.ABANDONED), match), None
    store.save(change)
    held = store.membership(player.id, change.match.id)
    assert standing == (held.standing if held is not None else None)
    if held is not None:
        assert held.until == (
            None if standing is Standing.MEMBER else match.created_at + model.UNSTARTED_LIFE + model.DAY
        )
    assert (sits_in(change.match) if standing is Standing.MEMBER else {}) == lists(store, player)
