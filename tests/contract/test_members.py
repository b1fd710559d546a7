"""Who is one of a match, and for whom there is still something to play."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chalicelib.engine import SEATS, Seat
from chalicelib.service.model import Change, Match, Membership, Place, SeatType, Status
from chalicelib.service.ports import AccountGone, SeatHeld, Store
from tests.contract import given
from tests.contract.given import NOW


def seated(store: Store, player_id: str, match: Match, seat: Seat = Seat.NORTH) -> Membership:
    """A new match, with the player on a seat."""
    membership = given.seat(match, player_id, seat)
    store.save(Change(match, None, joined=(membership,)))
    return membership


def lists(store: Store, player_id: str) -> tuple[tuple[Membership, ...], tuple[Membership, ...]]:
    """A player's matches, and the live ones."""
    return store.memberships(player_id, 50).items, store.memberships(player_id, 50, live=True).items


def test_nobody_has_no_matches(store: Store) -> None:
    """An account without a match has an empty list."""
    player = given.player(store)

    assert ((), ()) == lists(store, player.id)
    assert store.memberships(player.id, 1).after is None
    assert store.membership(player.id, given.match()) is None


def test_who_joins_is_one_of_the_match(store: Store) -> None:
    """On the seat taken; for the others nothing changes."""
    player, other, match = given.player(store), given.player(store), given.waiting_match()

    membership = seated(store, player.id, match, Seat.SOUTH)

    assert membership == store.membership(player.id, match)
    assert ((membership,), (membership,)) == lists(store, player.id)
    assert store.membership(other.id, match) is None
    assert ((), ()) == lists(store, other.id)


def test_a_list_is_read_in_stretches(store: Store) -> None:
    """Newest first, by id where two are of the same second; no stretch repeats or leaves out any."""
    player = given.player(store)
    matches = [given.match(created_at=NOW + second) for second in (5, 1, 3, 3, 3, 2, 9_999)]
    all_of_them = [seated(store, player.id, match) for match in matches]
    newest_first = sorted(all_of_them, key=lambda one: (one.created_at, one.match_id), reverse=True)

    for live in (False, True):
        for limit in (1, 2, 3, 7, 8):
            found: list[Membership] = []
            page = store.memberships(player.id, limit, live=live)
            found += page.items
            while page.after is not None:
                assert limit == len(page.items)
                page = store.memberships(player.id, limit, page.after, live=live)
                found += page.items
            assert newest_first == found


def test_a_list_goes_on_behind_a_match_that_has_left_it(store: Store) -> None:
    """A cursor stands for a place in the order, whether or not its match is still in the list."""
    player = given.player(store)
    matches = [given.waiting_match(created_at=NOW + second) for second in range(5)]
    memberships = [seated(store, player.id, match) for match in matches]
    page = store.memberships(player.id, 2)
    store.save(given.next_change(matches[3], removed=(memberships[3],)))
    seated(store, player.id, given.waiting_match(created_at=NOW + 60))

    rest = store.memberships(player.id, 2, page.after)

    assert (NOW + 3, matches[3].id) == page.after
    assert (memberships[2], memberships[1]) == rest.items
    assert (memberships[0],) == store.memberships(player.id, 2, rest.after).items


def test_a_deleted_account_takes_no_seat(store: Store) -> None:
    """Nor does one that never was."""
    player = given.player(store)
    store.bury(player, NOW)

    for player_id in (player.id, given.new_id()):
        with pytest.raises(AccountGone):
            match = given.match()
            unknown = replace(player, id=player_id)
            store.save(Change(match, None, named=(unknown,), joined=(given.seat(match, player_id),)))


def test_a_name_is_copied_from_the_profile_as_it_is(whole_store: Store) -> None:
    """A rename that went past the table before the name was written there would never reach it."""
    read = given.player(whole_store)
    match = given.stored(whole_store, given.waiting_match())
    renamed = whole_store.rename(read.id, read.name, NOW)

    with pytest.raises(AccountGone):
        whole_store.save(given.next_change(match, named=(read,)))
    assert match == whole_store.match(match.id)

    whole_store.save(given.next_change(match, named=(renamed,)))
    whole_store.bury(read, NOW)
    with pytest.raises(AccountGone):
        whole_store.save(given.next_change(given.stepped(match), named=(renamed,)))


def test_a_refused_seat_changes_nothing(whole_store: Store) -> None:
    """Neither match nor list knows of a seat that a deleted account was refused, nor of who joins with it."""
    gone, other = given.player(whole_store), given.player(whole_store)
    match = given.stored(whole_store, given.waiting_match())
    whole_store.bury(gone, NOW)

    with pytest.raises(AccountGone):
        whole_store.save(
            given.next_change(
                match,
                named=(other, gone),
                joined=(given.seat(match, other.id), given.seat(match, gone.id, Seat.EAST)),
            )
        )

    assert match == whole_store.match(match.id)
    assert ((), ()) == lists(whole_store, gone.id)
    assert ((), ()) == lists(whole_store, other.id)


def test_once_cards_are_dealt_an_account_has_held_one_seat(store: Store) -> None:
    """Who has left comes back to the same seat or not at all: on another one they would see a second hand."""
    player, match = given.player(store), given.match()
    north = seated(store, player.id, match)
    store.save(given.next_change(match, retired=(north,)))
    match = given.stepped(match)

    with pytest.raises(SeatHeld):
        store.save(given.next_change(match, joined=(given.seat(match, player.id, Seat.EAST),)))
    store.save(given.next_change(match, joined=(north,)))

    assert ((north,), (north,)) == lists(store, player.id)


def test_before_the_start_a_player_may_move(store: Store) -> None:
    """The seat may change until cards are dealt, with the write that deals them too."""
    player, match = given.player(store), given.waiting_match()
    north = seated(store, player.id, match)
    east, south = given.seat(match, player.id, Seat.EAST), given.seat(match, player.id, Seat.SOUTH)

    store.save(given.next_change(match, removed=(north,), joined=(east,)))
    assert east == store.membership(player.id, match)

    match = given.stepped(match)
    started = given.stepped(match, status=Status.PLAYING, deal=1)
    store.save(Change(started, match.version, seeds=given.NO_SEEDS, joined=(south,)))

    assert ((south,), (south,)) == lists(store, player.id)


def test_who_is_removed_was_never_there(store: Store) -> None:
    """Before the start leaving leaves no trace."""
    player, match = given.player(store), given.waiting_match()
    north = seated(store, player.id, match)

    store.save(given.next_change(match, removed=(north,)))

    assert store.membership(player.id, match) is None
    assert ((), ()) == lists(store, player.id)


def test_who_retires_keeps_the_match_but_not_among_the_live_ones(store: Store) -> None:
    """The match stays in the list of all, to be looked at."""
    player, match = given.player(store), given.match()
    north = seated(store, player.id, match)

    store.save(given.next_change(match, retired=(north,)))

    assert north == store.membership(player.id, match)
    assert ((north,), ()) == lists(store, player.id)


@pytest.mark.parametrize("end", [Status.FINISHED, Status.ABANDONED])
def test_an_ended_match_is_nobodys_live_one(store: Store, end: Status) -> None:
    """With its end it leaves the live list of everybody who sits, is away or is invited."""
    players = [given.player(store) for _ in SEATS]
    match = given.match()
    kinds = (SeatType.HUMAN, SeatType.HUMAN, SeatType.INVITED, SeatType.BOT)
    north, east, south, west = (Place(kind, player.id) for kind, player in zip(kinds, players, strict=True))
    match = replace(match, places=(north, east, south, west))
    memberships = tuple(given.seat(match, player.id, seat) for player, seat in zip(players, SEATS, strict=True))
    store.save(Change(match, None, joined=memberships))

    store.save(Change(given.stepped(match, status=end), match.version))

    for player, membership in zip(players, memberships, strict=True):
        assert ((membership,), ()) == lists(store, player.id)


def test_a_match_may_end_with_the_write_that_seats_somebody(store: Store) -> None:
    """Whoever sits down in that write has nothing live either."""
    player, match = given.player(store), given.stored(store, given.match())
    north = given.seat(match, player.id)

    store.save(Change(given.stepped(match, status=Status.FINISHED), match.version, joined=(north,)))

    assert ((north,), ()) == lists(store, player.id)
