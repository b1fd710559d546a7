"""Deleting an account: seats go to bots, names go everywhere, and the sweep finishes what was cut short."""

from __future__ import annotations

import pytest

from chalicelib.match.model import SeatType, Start, Status
from chalicelib.match.view import PlayerRef
from chalicelib.service.clock.sweep import BATCH, RETRY_AFTER, sweep
from chalicelib.service.errors import TryAgain
from chalicelib.service.people import accounts
from chalicelib.service.people.accounts import TABLES_AT_ONCE, delete_player, read_player
from chalicelib.service.people.codes import recover, recovery_code
from chalicelib.service.people.devices import check_session
from chalicelib.service.play import history
from chalicelib.service.ports import Lost, Unavailable
from chalicelib.store.wire import Unreadable
from tests.service.meddling import failing, failing_for, first
from tests.service.people import EAST, NORTH, SOUTH, WEST, Hall, Person, four_at_cards, play_on, refused

GONE = PlayerRef(None, "", deleted=True)
UNREADABLE = Unreadable("not a packed match")


def settled(hall: Hall, player_id: str) -> bool:
    player = hall.store.player(player_id)
    assert player is not None and player.deleted_at is not None
    return player.settled


def nobody_names(other: Person, match_id: str, player: Person, name: str = "'B'") -> None:
    told = repr(other.read(match_id)) + repr(other.feed(match_id)) + repr(list(other.matches()))
    assert player.id not in told and name not in told


def deletion_fails_after(hall: Hall, player: Person, saves: int) -> None:
    """The store is away after so many matches."""
    with hall.instead(save=failing(Unavailable(), after=saves)), pytest.raises(Unavailable):
        player.delete()


class TestDeleting:
    """DELETE of the account, at every state a match of theirs can be in."""

    def test_the_account(self, hall: Hall) -> None:
        """Gone for everything, and deleting again is fine; as is deleting what never was."""
        host, now = hall.guest(), hall.clock.at
        for _ in range(2):
            host.delete()
        delete_player(hall.services, "AAAAAAAAAAAAAAAA")
        for act in (read_player, accounts.export):
            refused("account_deleted", act, hall.services, host.id)
        refused("account_deleted", host.join, hall.guest().open_table().view, EAST)
        refused("account_deleted", accounts.set_locale, hall.services, host.id, "hi")
        player = hall.store.player(host.id)
        assert player is not None and ("", now, True) == (player.name, player.deleted_at, player.settled)
        assert hall.store.devices(host.id) is None

    def test_a_recovery_code_made_meanwhile(self, hall: Hall) -> None:
        """The deletion reads anew, and the code is worth nothing."""
        player_id, plain, made = accounts.sign_up(hall.services).player.id, hall.services, list[str]()
        with hall.instead(mark_deleted=first(lambda: made.append(recovery_code(plain, player_id)))):
            assert delete_player(hall.services, player_id)
        refused("recovery_code_invalid", recover, hall.services, made[0], "a-nonce-of-this-phone")

    def test_a_table_that_waits(self, hall: Hall) -> None:
        """The seat is free, the host role passes on, a table without a human is given up; an offered seat is free."""
        host, friend = hall.guests("A", "B")
        shared, alone = host.open_table().view, host.open_table().view
        friend.join(shared, EAST)
        over = four_at_cards((friend, host), deals=1).id
        play_on((friend, host), over)
        again = friend.rematch(over).view.id
        assert SeatType.INVITED is hall.place(again, EAST).type
        host.delete()
        match = hall.match(shared.id)
        assert (SeatType.EMPTY, EAST, Status.WAITING) == (match.places[NORTH].type, match.host, match.status)
        assert Status.ABANDONED is hall.match(alone.id).status
        assert SeatType.EMPTY is hall.place(again, EAST).type

    def test_a_running_match(self, hall: Hall) -> None:
        """A bot goes on from the seat; the others see that its player is deleted, and no name or id any more, nor when
        it has ended, under another ETag. Whoever had left is deleted from the seat too."""
        people, match_id = hall.playing("ABCD", deals=2)
        people[EAST].delete()
        seat = people[NORTH].read(match_id).seats[EAST]
        assert (SeatType.BOT, GONE, True) == (seat.type, seat.player, seat.left)
        nobody_names(people[NORTH], match_id, people[EAST])
        people[SOUTH].leave(match_id, SOUTH)
        people[SOUTH].delete()
        assert GONE == people[NORTH].read(match_id).seats[SOUTH].player
        assert "player_deleted" == people[NORTH].feed(match_id)[-1].type
        play_on((people[NORTH], people[WEST]), match_id)
        etag = people[NORTH].read(match_id).etag
        people[WEST].delete()
        view = people[NORTH].read(match_id)
        assert ([GONE] * 3, True) == ([seat.player for seat in view.seats[1:]], etag != view.etag)
        for player, name in zip(people[1:], ("'B'", "'C'", "'D'"), strict=True):
            nobody_names(people[NORTH], match_id, player, name)

    def test_the_last_human(self, hall: Hall) -> None:
        """The match is given up, and its secret told all the same."""
        people, match_id = hall.playing("AB", spectators=True)
        for person in people:
            person.delete()
        assert Status.ABANDONED is hall.match(match_id).status
        record = history.deal_record(hall.services, hall.guest().id, match_id, 1)
        assert ((None,) * 4, None) == (record.players, record.deal.result)
        assert record.deal_secret is not None


class TestCutShort:
    """The tombstone comes first; the sweep, or the next try, goes on where it stopped."""

    def test_from_its_first_write_on(self, hall: Hall) -> None:
        """Nothing can be had with what the devices hold; a second try finishes it."""
        grant = accounts.sign_up(hall.services, "Asha")
        player_id, code = grant.player.id, recovery_code(hall.services, grant.player.id)
        with hall.instead(naming=failing(TypeError())), pytest.raises(TypeError):
            delete_player(hall.services, player_id)
        refused("account_deleted", check_session, hall.services, player_id, grant.session_id)
        refused("recovery_code_invalid", recover, hall.services, code, "a-nonce-of-this-phone")
        assert delete_player(hall.services, player_id) and settled(hall, player_id)

    def test_the_sweep_goes_on(self, hall: Hall) -> None:
        people = hall.guests(*"ABCD")
        matches = [four_at_cards(people).id for _ in range(5)]
        with hall.instead(save=failing(Unavailable(), after=2)):
            with pytest.raises(Unavailable):
                people[EAST].delete()
            assert 1 == hall.sweep().failed
        assert 2 == sum(hall.place(match_id, EAST).deleted for match_id in matches)
        assert 1 == hall.sweep().settled  # the store was at fault: at once
        assert 5 == sum(hall.place(match_id, EAST).deleted for match_id in matches)
        assert 0 == hall.sweep().settled

    def test_meanwhile(self, hall: Hall) -> None:
        """Until it is carried to a match, that one names the player, and an access token that lasts still moves there;
        where it has been, neither is so. The sweep ends both."""
        people = hall.guests(*"ABCD")
        matches = [four_at_cards(people).id for _ in range(2)]
        deletion_fails_after(hall, people[EAST], 1)
        done, open_ = sorted(matches, key=lambda match_id: not hall.place(match_id, EAST).deleted)
        assert people[EAST].id not in repr(people[NORTH].read(done)) + repr(people[NORTH].feed(done))
        assert PlayerRef(people[EAST].id, "B") == people[NORTH].read(open_).seats[EAST].player
        while hall.turn(open_) is not EAST:
            people[hall.turn(open_)].move(open_)
        assert EAST == people[EAST].move(open_).events[0].seat
        refused("not_seated", people[EAST].put, done, 1, hall.deal(done).legal_moves()[0])
        assert people[EAST].read(done).seat is None
        assert 1 == hall.sweep().settled
        assert all(hall.place(match_id, EAST).deleted for match_id in matches)

    def test_many_that_cannot_be_finished_hold_up_no_other(self, hall: Hall) -> None:
        """However many deletions wait for matches that cannot be read, one sweep finishes all the others."""
        *stuck, last = [hall.guest() for _ in range(BATCH + 5)]
        broken = {player.create().view.id for player in stuck}
        whole = four_at_cards((hall.guest(), last)).id
        with hall.instead(match=failing_for(broken, UNREADABLE)):
            for player in stuck:
                player.delete()
            with hall.instead(save=failing(Unavailable())), pytest.raises(Unavailable):
                last.delete()
            assert (len(stuck), 1) == ((report := hall.sweep()).failed, report.settled)
        assert hall.place(whole, EAST).deleted
        assert 0 == hall.sweep().failed

    @pytest.mark.parametrize("failure", [Lost(), Unavailable("a newer form")], ids=["races go on", "unreadable"])
    def test_a_match_that_is_never_written(self, hall: Hall, failure: Exception) -> None:
        """It keeps no other match back, for however long."""
        player = hall.guest("Xena")
        tables = [hall.guest().open_table(start=Start.BY_HOST).view for _ in range(4)]
        for table in tables:
            player.join(table, EAST)
            hall.wait(1)
        with hall.instead(save=failing_for({tables[-1].id}, failure)):
            with pytest.raises((Unavailable, TryAgain)):
                player.delete()
            assert 1 == hall.sweep().failed
        assert ["", "", "", "Xena"] == [hall.place(table.id, EAST).name for table in tables]
        assert 1 == hall.sweep().settled
        assert "" == hall.place(tables[-1].id, EAST).name

    def test_a_match_that_cannot_be_read(self, hall: Hall) -> None:
        """It keeps nobody in the other ones; the sweep takes the player out of it once it can be read."""
        people = hall.guests("A", "B")
        broken, whole = (four_at_cards(people).id for _ in range(2))
        with hall.instead(match=failing_for({broken}, UNREADABLE)):
            people[0].delete()
            assert hall.place(whole, NORTH).deleted
            assert (1, 0) == ((report := hall.sweep()).failed, report.settled)
        assert (0, 0) == ((report := hall.sweep()).failed, report.settled)
        hall.wait(RETRY_AFTER)
        assert 1 == hall.sweep().settled
        assert hall.place(broken, NORTH).deleted

    def test_more_matches_than_one_look(self, hall: Hall) -> None:
        """A look at an account has a few of its matches, and the next ones go on from there; a run without time left
        does one match."""
        player, hosts, tables = hall.guest("Xena"), hall.guests("A", "B"), list[str]()
        for number in range(2 * TABLES_AT_ONCE + 5):
            table = hosts[number % 2].open_table(start=Start.BY_HOST).view
            player.join(table, EAST)
            hosts[number % 2].start(table.id)
            player.leave(table.id, EAST)
            tables.append(table.id)

        def renamed(name: str) -> int:
            return sum(hall.place(table, EAST).name == name for table in tables)

        player.rename("Yara")
        assert TABLES_AT_ONCE == renamed("Yara")
        late = iter([False, *[True] * 1000])
        sweep(hall.services, lambda: next(late))
        assert TABLES_AT_ONCE + 1 == renamed("Yara")
        assert [(0, 2 * TABLES_AT_ONCE + 1), (1, len(tables))] == [
            (hall.sweep().settled, renamed("Yara")) for _ in range(2)
        ]
        for _ in range(2):
            player.rename("Zoe")
        assert 2 * TABLES_AT_ONCE == renamed("Zoe")
        player.delete()
        assert TABLES_AT_ONCE == renamed("")
        assert [0, 1] == [hall.sweep().settled for _ in range(2)]
        assert len(tables) == renamed("")
