"""Deleting an account: seats go to bots, names go everywhere, and the sweep finishes what was cut short."""

from __future__ import annotations

import pytest

from chalicelib.match.model import Change, Match, SeatType, Start, Status
from chalicelib.match.view import PlayerRef
from chalicelib.service.clock.sweep import BATCH, RETRY_AFTER, sweep
from chalicelib.service.errors import Forbidden, Refused, TryAgain, Unauthorized
from chalicelib.service.people import accounts
from chalicelib.service.people.accounts import TABLES_AT_ONCE, delete_player, read_player
from chalicelib.service.people.codes import recover, recovery_code
from chalicelib.service.people.devices import check_session
from chalicelib.service.play import history
from chalicelib.service.ports import Lost, Player, Unavailable
from chalicelib.store.wire import Unreadable
from tests.service.people import EAST, NORTH, SOUTH, WEST, Hall, Person, four_at_cards, play_on

GONE = PlayerRef(None, "", deleted=True)


class TestDeleting:
    """DELETE of the account, at every state a match of theirs can be in."""

    def test_the_account(self, hall: Hall) -> None:
        """Gone for everything, and deleting again is fine; as is deleting what never was."""
        host = hall.guest()
        for _ in range(2):
            host.delete()
        delete_player(hall.services, "AAAAAAAAAAAAAAAA")
        for act in (read_player, accounts.export):
            with pytest.raises(Unauthorized, match="account_deleted"):
                act(hall.services, host.id)
        with pytest.raises(Unauthorized, match="account_deleted"):
            host.rename("A")
        player = hall.store.player(host.id)
        assert player is not None and ("", hall.clock.at, True) == (player.name, player.deleted_at, player.settled)
        assert hall.store.devices(host.id) is None

    def test_a_deletion_that_is_cut_short(self, hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
        """From its first write on nothing can be had with what the devices hold; a second try finishes it."""
        grant = accounts.sign_up(hall.services, "Asha")
        code = recovery_code(hall.services, grant.player.id)
        with monkeypatch.context() as patched:
            patched.setattr(hall.store, "naming", None)
            with pytest.raises(TypeError):
                delete_player(hall.services, grant.player.id)
        with pytest.raises(Unauthorized, match="account_deleted"):
            check_session(hall.services, grant.player.id, grant.session_id)
        with pytest.raises(Refused, match="recovery_code_invalid"):
            recover(hall.services, code, "a-nonce-of-this-phone")
        assert delete_player(hall.services, grant.player.id)
        player = hall.store.player(grant.player.id)
        assert player is not None and player.settled

    def test_a_recovery_code_made_meanwhile(self, hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
        """The deletion reads anew, and the code is worth nothing."""
        grant = accounts.sign_up(hall.services)
        mark_deleted = hall.store.mark_deleted
        made = []

        def code_first(player: Player, deleted_at: int) -> None:
            monkeypatch.setattr(hall.store, "mark_deleted", mark_deleted)
            made.append(recovery_code(hall.services, grant.player.id))
            mark_deleted(player, deleted_at)

        monkeypatch.setattr(hall.store, "mark_deleted", code_first)
        assert delete_player(hall.services, grant.player.id)
        with pytest.raises(Refused, match="recovery_code_invalid"):
            recover(hall.services, made[0], "a-nonce-of-this-phone")

    def test_a_table_that_waits(self, hall: Hall) -> None:
        """The seat is free, the host role passes on, a table without a human is given up."""
        host, friend = hall.guests("A", "B")
        shared, alone = host.open_table().view, host.open_table().view
        friend.join(shared, EAST)
        host.delete()
        match = hall.match(shared.id)
        assert (SeatType.EMPTY, EAST, Status.WAITING) == (match.places[NORTH].type, match.host, match.status)
        assert Status.ABANDONED is hall.match(alone.id).status

    def test_a_running_match(self, hall: Hall) -> None:
        """A bot goes on from the seat; the others see that its player is deleted, and no name or id any more."""
        people = hall.guests(*"ABCD")
        match_id = four_at_cards(people, deals=2).id
        people[EAST].delete()
        seat = people[NORTH].read(match_id).seats[EAST]
        assert (SeatType.BOT, GONE, True) == (seat.type, seat.player, seat.left)
        assert "" == hall.place(match_id, EAST).name
        self.nobody_names(people[NORTH], match_id, people[EAST].id)
        play_on((people[NORTH], people[SOUTH], people[WEST]), match_id)
        assert Status.FINISHED is people[NORTH].read(match_id).status
        self.nobody_names(people[NORTH], match_id, people[EAST].id)

    def nobody_names(self, other: Person, match_id: str, player_id: str) -> None:
        told = repr(other.read(match_id)) + repr(other.feed(match_id)) + repr(list(other.matches()))
        assert player_id not in told and "'B'" not in told

    def test_away_or_left_before(self, hall: Hall) -> None:
        """Whoever had left is deleted from the seat too."""
        people = hall.guests(*"ABCD")
        match_id = four_at_cards(people).id
        people[EAST].leave(match_id, EAST)
        people[EAST].delete()
        assert GONE == people[NORTH].read(match_id).seats[EAST].player
        assert "player_deleted" == people[NORTH].feed(match_id)[-1].type

    def test_the_last_human(self, hall: Hall) -> None:
        """The match is given up, and its secret told all the same."""
        people = hall.guests("A", "B")
        match_id = four_at_cards(people, spectators=True).id
        for person in people:
            person.delete()
        assert Status.ABANDONED is hall.match(match_id).status
        record = history.deal_record(hall.services, hall.guest().id, match_id, 1)
        assert ((None,) * 4, None) == (record.players, record.deal.result)
        assert 64 == len(record.deal_secret)

    def test_an_ended_match(self, hall: Hall) -> None:
        """Stays readable for the others, with the deletion shown, and the ETag changes."""
        people = hall.guests("A", "B")
        match_id = four_at_cards(people, deals=1).id
        play_on(people, match_id)
        etag = people[0].read(match_id).etag
        people[1].delete()
        view = people[0].read(match_id)
        assert GONE == view.seats[EAST].player and etag != view.etag
        self.nobody_names(people[0], match_id, people[1].id)

    def test_an_invitation(self, hall: Hall) -> None:
        """An offered seat is free again."""
        people = hall.guests("A", "B")
        match_id = four_at_cards(people, deals=1).id
        play_on(people, match_id)
        again = people[0].rematch(match_id).view.id
        people[1].delete()
        assert SeatType.EMPTY is hall.place(again, EAST).type

    def test_cut_short(self, hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
        """The tombstone comes first; the sweep, or the next try, goes on where it stopped."""
        people = hall.guests(*"ABCD")
        matches = [four_at_cards(people).id for _ in range(5)]
        save, left = hall.store.save, iter([True, True])

        def failing(change: object) -> None:
            if not next(left, False):
                raise Unavailable
            save(change)  # type: ignore[arg-type]

        with monkeypatch.context() as broken:
            broken.setattr(hall.store, "save", failing)
            with pytest.raises(Unavailable):
                people[EAST].delete()
            assert 1 == hall.sweep().failed
        assert 2 == sum(hall.place(match_id, EAST).deleted for match_id in matches)
        with pytest.raises(Unauthorized, match="account_deleted"):
            people[EAST].create()
        assert 1 == hall.sweep().settled  # the store was at fault: at once
        assert 5 == sum(hall.place(match_id, EAST).deleted for match_id in matches)
        assert 0 == hall.sweep().settled

    def test_meanwhile(self, hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
        """Until it is carried to a match, that one names the player, and an access token that lasts still moves there;
        where it has been, neither is so. The sweep ends both."""
        people = hall.guests(*"ABCD")
        matches = [four_at_cards(people).id for _ in range(2)]
        save, left = hall.store.save, iter([True])

        def failing(change: Change) -> None:
            if not next(left, False):
                raise Unavailable
            save(change)

        with monkeypatch.context() as broken:
            broken.setattr(hall.store, "save", failing)
            with pytest.raises(Unavailable):
                people[EAST].delete()
        (done,) = (match_id for match_id in matches if hall.place(match_id, EAST).deleted)
        (open_,) = set(matches) - {done}
        assert people[EAST].id not in repr(people[NORTH].read(done)) + repr(people[NORTH].feed(done))
        assert PlayerRef(people[EAST].id, "B") == people[NORTH].read(open_).seats[EAST].player
        while hall.turn(open_) is not EAST:
            people[hall.turn(open_)].move(open_)
        assert EAST == people[EAST].move(open_).events[0].seat
        with pytest.raises(Forbidden, match="not_seated"):
            people[EAST].put(done, 1, hall.deal(done).legal_moves()[0])
        assert people[EAST].read(done).seat is None
        assert 1 == hall.sweep().settled
        for match_id in matches:
            self.nobody_names(people[NORTH], match_id, people[EAST].id)

    def test_many_that_cannot_be_finished_hold_up_no_other(self, hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
        """However many deletions wait for matches that cannot be read, one sweep finishes all the others."""
        players = [hall.guest() for _ in range(BATCH + 5)]
        *stuck, last = players
        broken = {player.create().view.id for player in stuck}
        whole = four_at_cards((hall.guest(), last)).id
        read, save = hall.store.match, hall.store.save

        def unreadable(match_id: str) -> Match | None:
            if match_id in broken:
                raise Unreadable("not a packed match")
            return read(match_id)

        def failing(change: Change) -> None:
            raise Unavailable("away")

        monkeypatch.setattr(hall.store, "match", unreadable)
        for player in stuck:
            player.delete()
        monkeypatch.setattr(hall.store, "save", failing)
        with pytest.raises(Unavailable):
            last.delete()
        monkeypatch.setattr(hall.store, "save", save)
        assert (len(stuck), 1) == ((report := hall.sweep()).failed, report.settled)
        assert hall.place(whole, EAST).deleted
        assert 0 == hall.sweep().failed

    @pytest.mark.parametrize("failure", [Lost(), Unavailable("a newer form")])
    def test_a_match_that_is_never_written(
        self, hall: Hall, monkeypatch: pytest.MonkeyPatch, failure: Exception
    ) -> None:
        """Races that go on, or an item that cannot be read for long, keep no other match back."""
        player = hall.guest("Xena")
        tables = [hall.guest().open_table(start=Start.BY_HOST).view for _ in range(4)]
        for table in tables:
            player.join(table, EAST)
            hall.wait(1)
        save, stuck = hall.store.save, tables[-1].id

        def failing(change: Change) -> None:
            if change.match.id == stuck:
                raise failure
            save(change)

        monkeypatch.setattr(hall.store, "save", failing)
        with pytest.raises((Unavailable, TryAgain)):
            player.delete()
        assert 1 == hall.sweep().failed
        assert ["", "", "", "Xena"] == [hall.place(table.id, EAST).name for table in tables]
        monkeypatch.undo()
        assert 1 == hall.sweep().settled
        assert "" == hall.place(stuck, EAST).name

    def test_more_matches_than_one_look(self, hall: Hall) -> None:
        """A look at an account has a few of its matches, and the next ones go on from there; a run without time left
        does one match."""
        player, hosts = hall.guest("Xena"), hall.guests("A", "B")
        tables = []
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
        assert 0 == hall.sweep().settled
        assert 2 * TABLES_AT_ONCE + 1 == renamed("Yara")
        assert 1 == hall.sweep().settled
        assert len(tables) == renamed("Yara")
        player.rename("Zoe")
        player.rename("Zoe")
        assert 2 * TABLES_AT_ONCE == renamed("Zoe")
        player.delete()
        assert TABLES_AT_ONCE == renamed("")
        assert [0, 1] == [hall.sweep().settled for _ in range(2)]
        assert len(tables) == renamed("")

    def test_a_broken_match(self, hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
        """It keeps nobody in the other ones; the sweep takes the player out of it once it can be read."""
        people = hall.guests("A", "B")
        broken, whole = (four_at_cards(people).id for _ in range(2))
        read = hall.store.match

        def unreadable(match_id: str) -> Match | None:
            if match_id == broken:
                raise Unreadable("not a packed match")
            return read(match_id)

        monkeypatch.setattr(hall.store, "match", unreadable)
        people[0].delete()
        assert hall.place(whole, NORTH).deleted
        assert (1, 0) == ((report := hall.sweep()).failed, report.settled)
        monkeypatch.undo()
        assert (0, 0) == ((report := hall.sweep()).failed, report.settled)
        hall.wait(RETRY_AFTER)
        assert 1 == hall.sweep().settled
        assert hall.place(broken, NORTH).deleted
