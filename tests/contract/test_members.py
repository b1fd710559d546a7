"""Who is one of a match, in whose list it is, for whom it is live, and to whom a seat of it is offered."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chalicelib.engine import SEATS, Seat
from chalicelib.match.model import (
    DAY,
    MOST_LIVE,
    UNSTARTED_LIFE,
    Change,
    Match,
    Membership,
    Place,
    SeatType,
    Standing,
    Status,
)
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


def left(match: Match, seat: Seat) -> Match:
    """A step in which whoever sits there leaves: before the start without a trace on the seat."""
    place = Place()
    if match.status is Status.PLAYING:
        place = replace(match.places[seat], type=SeatType.BOT, left=True)
    return given.placed(given.stepped(match), seat, place)


def test_nobody_has_no_matches(store: Store) -> None:
    """An account without a match has empty lists."""
    player = given.player(store)

    assert {} == lists(store, player)
    assert store.listed(player.id, 1).after is None
    assert ((), None) == (store.memberships(player.id, 1).items, store.memberships(player.id, 1).after)
    assert store.membership(player.id, given.new_id()) is None


@pytest.mark.parametrize("match", [given.waiting_match(), given.match()])
def test_who_sits_is_one_of_the_match(store: Store, match: Match) -> None:
    """On the seat taken; for the others nothing changes."""
    player, other = given.player(store), given.player(store)

    match = seated(store, player, replace(match, id=given.new_id()), SOUTH)

    assert Membership(player.id, match.id, SOUTH) == store.membership(player.id, match.id)
    assert sits_in(match) == lists(store, player)
    assert store.membership(other.id, match.id) is None
    assert {} == lists(store, other)


@pytest.mark.parametrize("statuses", [(Status.WAITING,), (Status.PLAYING, Status.WAITING), tuple(Status)])
def test_a_list_is_read_in_stretches(store: Store, statuses: tuple[Status, ...]) -> None:
    """Newest first, by id where two are of the same second; no stretch repeats or leaves out any, by status or not."""
    player = given.player(store)
    matches = []
    for number, second in enumerate((5, 1, 3, 3, 3, 2, 9_999)):
        match = seated(store, player, given.match(created_at=NOW + second, status=Status.PLAYING))
        status = statuses[number % len(statuses)]
        if status is not Status.PLAYING:
            ended = given.stepped(match, status=status)
            store.save(Change(ended, match))
            match = ended
        matches.append(match)
    matches.sort(key=lambda match: (match.created_at, match.id), reverse=True)

    asked: tuple[Status | None, ...] = (None, *statuses)
    for wanted in asked:
        expected = [match.id for match in matches if wanted in (None, match.status)]
        for limit in (1, 2, 3, 7, 8):
            found: list[str] = []
            page = store.listed(player.id, limit, status=wanted)
            found += page.match_ids
            while page.after is not None:
                assert limit == len(page.match_ids)
                page = store.listed(player.id, limit, page.after, wanted)
                found += page.match_ids
            assert expected == found


def test_what_names_a_player_is_read_in_stretches(store: Store) -> None:
    """Every live match once, in the order in which a match goes on from one stretch into the next: those that wait,
    those that are played, left or not, and offers. Matches that have ended name nobody."""
    player = given.player(store)
    waiting = [seated(store, player, given.waiting_match(created_at=NOW + second)) for second in range(3)]
    playing = [seated(store, player, given.match(created_at=NOW + second)) for second in range(3)]
    store.save(Change(left(playing[1], NORTH), playing[1]))
    ended = seated(store, player, given.match())
    store.save(Change(given.stepped(ended, status=Status.FINISHED), ended))
    invited = Place(SeatType.INVITED, player.id, player.name)
    offers = [
        given.stored(store, given.placed(given.waiting_match(created_at=NOW + at), EAST, invited)) for at in (0, 1)
    ]

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
    store.save(Change(left(matches[3], NORTH), matches[3]))
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
        found: list[str] = []
        after: str | None = None
        while True:
            page = store.memberships(player.id, limit, after)
            found += [item.match_id for item in page.items]
            after = page.after
            if after is None:
                break
        assert ids == found


def test_a_deleted_account_is_not_named(store: Store) -> None:
    """Nor one that never was."""
    player = given.player(store)
    store.mark_deleted(player, NOW)

    for gone in (player, replace(player, id=given.new_id())):
        with pytest.raises(AccountGone):
            store.save(Change(given.sitting(given.match(), gone), None, named=(gone,)))


def test_a_name_is_copied_from_the_profile_as_it_is(whole_store: Store) -> None:
    """A rename that went past the table before the name was written there would never reach it."""
    read = given.player(whole_store)
    match = given.stored(whole_store, given.waiting_match())
    renamed = whole_store.rename(read.id, read.name, NOW)

    with pytest.raises(AccountGone):
        whole_store.save(given.next_change(match, named=(read,)))
    assert match == whole_store.match(match.id)

    whole_store.save(given.next_change(match, named=(renamed,)))
    whole_store.mark_deleted(read, NOW)
    with pytest.raises(AccountGone):
        whole_store.save(given.next_change(given.stepped(match), named=(renamed,)))


def test_a_refused_seat_changes_nothing(whole_store: Store) -> None:
    """Neither match nor list knows of a seat that a deleted account was refused, nor of who sits down with it."""
    gone, other = given.player(whole_store), given.player(whole_store)
    match = given.stored(whole_store, given.waiting_match())
    whole_store.mark_deleted(gone, NOW)

    with pytest.raises(AccountGone):
        both = given.sitting(given.sitting(given.stepped(match), other), gone, EAST)
        whole_store.save(Change(both, match, named=(other, gone)))

    assert match == whole_store.match(match.id)
    for player in (gone, other):
        assert {} == lists(whole_store, player)
        assert whole_store.membership(player.id, match.id) is None


def test_nobody_sits_at_more_than_so_many_live_matches(whole_store: Store) -> None:
    """The write that would be one too many is refused whole; at one of them a player may sit down again."""
    player = given.player(whole_store)
    matches = [seated(whole_store, player, given.match()) for _ in range(MOST_LIVE)]
    one_more = given.sitting(given.match(), player)

    with pytest.raises(TooManyLive):
        whole_store.save(Change(one_more, None))
    assert whole_store.match(one_more.id) is None
    assert {match.id for match in matches} == set(whole_store.live(player.id))

    gone = left(matches[0], NORTH)
    whole_store.save(Change(gone, matches[0]))
    whole_store.save(Change(one_more, None))
    with pytest.raises(TooManyLive):
        whole_store.save(Change(given.sitting(given.stepped(gone), player), gone))
    ended = given.stepped(one_more, status=Status.FINISHED)
    whole_store.save(Change(ended, one_more))
    whole_store.save(Change(given.sitting(given.stepped(gone), player), gone))
    assert {match.id for match in matches} == set(whole_store.live(player.id))


def test_once_cards_are_dealt_an_account_has_held_one_seat(store: Store) -> None:
    """Who has left comes back to the same seat or not at all: on another one they would see a second hand."""
    player = given.player(store)
    match = seated(store, player, given.match())
    gone = left(match, NORTH)
    store.save(Change(gone, match))

    with pytest.raises(SeatHeld):
        store.save(Change(given.sitting(given.stepped(gone), player, EAST), gone))
    back = given.sitting(given.stepped(gone), player)
    store.save(Change(back, gone))

    assert sits_in(match) == lists(store, player)


def test_before_the_start_a_player_may_move(store: Store) -> None:
    """The seat may change until cards are dealt, with the write that deals them too."""
    player = given.player(store)
    match = seated(store, player, given.waiting_match())

    moved = given.sitting(left(match, NORTH), player, EAST)
    store.save(Change(moved, match))
    assert Membership(player.id, match.id, EAST) == store.membership(player.id, match.id)

    started = replace(given.sitting(left(moved, EAST), player, SOUTH), status=Status.PLAYING, deal=1)
    store.save(Change(started, moved, seeds=()))

    assert Membership(player.id, match.id, SOUTH) == store.membership(player.id, match.id)
    assert sits_in(started) == lists(store, player)


def test_who_leaves_before_the_start_is_gone(store: Store) -> None:
    """The match is in no list any more, and only remembers that they were there; they may take any seat later."""
    player = given.player(store)
    match = seated(store, player, given.waiting_match())
    gone = left(match, NORTH)
    store.save(Change(gone, match))

    assert Membership(player.id, match.id, NORTH, Standing.GONE) == store.membership(player.id, match.id)
    assert {} == lists(store, player)

    started = given.stepped(gone, status=Status.PLAYING, deal=1)
    store.save(Change(started, gone, seeds=()))
    store.save(Change(given.sitting(given.stepped(started), player, EAST), started))
    assert Membership(player.id, match.id, EAST) == store.membership(player.id, match.id)


@pytest.mark.parametrize("dealt", [False, True])
def test_who_is_sent_away_may_not_come_back(store: Store, dealt: bool) -> None:
    """Neither before the start nor among cards, on no seat."""
    player = given.player(store)
    match = seated(store, player, given.waiting_match())
    gone = left(match, NORTH)
    store.save(Change(gone, match, barred=(player.id,)))
    assert Membership(player.id, match.id, NORTH, Standing.BARRED) == store.membership(player.id, match.id)
    if dealt:
        started = given.stepped(gone, status=Status.PLAYING, deal=1)
        store.save(Change(started, gone, seeds=()))
        gone = started

    for seat in (NORTH, EAST):
        with pytest.raises(SeatHeld):
            store.save(Change(given.sitting(given.stepped(gone), player, seat), gone))
    assert {} == lists(store, player)


def test_who_leaves_among_cards_keeps_the_match_but_not_among_the_live_ones(store: Store) -> None:
    """It stays in the list, under its status, to be looked at."""
    player = given.player(store)
    match = seated(store, player, given.match())

    gone = left(match, NORTH)
    store.save(Change(gone, match))

    assert Membership(player.id, match.id, NORTH) == store.membership(player.id, match.id)
    assert {"playing": (match.id,), "all": (match.id,)} == lists(store, player)

    store.save(Change(given.stepped(gone, status=Status.FINISHED), gone))
    assert {"finished": (match.id,), "all": (match.id,)} == lists(store, player)


def test_who_takes_over_a_seat_takes_its_place_in_the_lists(store: Store) -> None:
    """The match is no longer in the list of whoever had left it, who may still look on."""
    old, new = given.player(store), given.player(store)
    match = seated(store, old, given.match())
    gone = left(match, NORTH)
    store.save(Change(gone, match))

    store.save(Change(given.sitting(given.stepped(gone), new), gone))

    assert {} == lists(store, old)
    assert Membership(old.id, match.id, NORTH) == store.membership(old.id, match.id)
    assert sits_in(match) == lists(store, new)


@pytest.mark.parametrize("end", [Status.FINISHED, Status.ABANDONED])
def test_an_ended_match_is_nobodys_live_one(store: Store, end: Status) -> None:
    """It stands under its end in the list of everybody who sits, is away, or has left; not in a deleted account's."""
    players = [given.player(store) for _ in SEATS]
    match = given.match()
    for player, seat in zip(players, SEATS, strict=True):
        match = given.sitting(match, player, seat)
    match = given.placed(match, EAST, replace(match.places[EAST], away=True))
    given.stored(store, match)
    gone = left(match, SOUTH)
    gone = given.placed(gone, WEST, replace(gone.places[WEST], type=SeatType.BOT, left=True, deleted=True))
    store.save(Change(gone, match))

    store.save(Change(given.stepped(gone, status=end), gone))

    for player in players[:3]:
        assert {end.value: (match.id,), "all": (match.id,)} == lists(store, player)
    assert {} == lists(store, players[3])


def test_a_table_given_up_without_cards_is_in_no_list(store: Store) -> None:
    """Neither of those who sit nor of those to whom a seat was offered; it remembers the former."""
    host, asked = given.player(store), given.player(store)
    match = given.offering(given.sitting(given.waiting_match(), host), asked, EAST)
    given.stored(store, match)

    store.save(Change(given.stepped(match, status=Status.ABANDONED), match))

    assert ({}, {}) == (lists(store, host), lists(store, asked))
    assert Membership(host.id, match.id, NORTH) == store.membership(host.id, match.id)
    assert store.membership(asked.id, match.id) is None


def test_a_match_may_end_with_the_write_that_seats_somebody(store: Store) -> None:
    """Whoever sits down in that write has nothing live, and finds it among those that are over."""
    player, match = given.player(store), given.stored(store, given.match())

    store.save(Change(given.sitting(given.stepped(match, status=Status.FINISHED), player), match))

    assert {"finished": (match.id,), "all": (match.id,)} == lists(store, player)


def test_an_offer_is_no_match_of_ones_own(store: Store) -> None:
    """It is neither live nor in the list, however many there are; the newest are told, and no old ones."""
    player = given.player(store)
    matches = [given.waiting_match(created_at=NOW + number) for number in range(MOST_LIVE + 5)]
    for match in matches:
        given.stored(store, given.offering(match, player, NORTH))
    newest = tuple(match.id for match in reversed(matches))

    assert {"offers": newest} == lists(store, player)
    assert newest[:3] == store.offers(player.id, 0, 3)
    assert newest[:2] == store.offers(player.id, matches[-2].created_at)
    assert () == store.offers(player.id, NOW + UNSTARTED_LIFE)
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
            started = given.stepped(match, status=Status.PLAYING, deal=1, places=bots)
            change = Change(started, match, seeds=())
        case "is given up":
            change, standing = Change(given.stepped(match, status=Status.ABANDONED), match), None

    store.save(change)

    held = store.membership(player.id, change.match.id)
    assert standing == (held.standing if held is not None else None)
    if held is not None:
        assert held.until == (None if standing is Standing.MEMBER else match.created_at + UNSTARTED_LIFE + DAY)
    assert (sits_in(change.match) if standing is Standing.MEMBER else {}) == lists(store, player)
