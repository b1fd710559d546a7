"""A player's own matches in lists."""

from __future__ import annotations

from random import Random

from chalicelib.service import lists
from chalicelib.service.matches import MOST_LIVE
from chalicelib.service.model import DAY, Membership, SeatType, Status
from tests.service.people import EAST, NORTH, SOUTH, Hall, Person, four_at_cards, play_on


class TestMyTurns:
    """Matches with other people that wait for me."""

    def test_most_urgent_first(self, hall: Hall) -> None:
        """The nearest deadline first, those without a clock last; only where it is my turn."""
        host, friend = hall.guests("A", "B")
        days = {}
        for turn_seconds in (3 * DAY, DAY, 2 * DAY):
            view = host.open_table(turn_seconds=turn_seconds).view
            friend.join(view, EAST)
            host.start(view.id)
            days[view.id] = turn_seconds
        due = {NORTH: host, EAST: friend}
        for seat, person in due.items():
            mine = [match_id for match_id in days if hall.turn(match_id) is seat]
            assert sorted(mine, key=days.__getitem__) == [told.id for told in person.turns()]
        assert 3 == len(host.turns()) + len(friend.turns())

    def test_what_is_told(self, hall: Hall) -> None:
        """Enough for a badge and a list: seats, whose turn, scores, deadline."""
        people = hall.guests(*"ABCD")
        view = four_at_cards(people)
        mover = people[hall.turn(view.id)]
        (told,) = mover.turns()
        assert (view.id, view.version, True, (0, 0)) == (told.id, told.version, told.your_turn, told.scores)
        assert (view.deadline_at, hall.turn(view.id)) == (told.deadline_at, told.your_seat)
        assert [*"ABCD"] == [seat.player.name for seat in told.seats if seat.player is not None]
        mover.move(view.id)
        assert () == mover.turns()

    def test_solo_matches_do_not_count(self, hall: Hall) -> None:
        """Nobody waits there."""
        host = hall.guest()
        host.create()
        assert () == host.turns()

    def test_more_than_may_be_made(self, hall: Hall) -> None:
        """Invitations to rematches can make more live matches than the cap; none is lost from the badge."""
        people = hall.guests("A", "B")
        mover = people[0]
        for _ in range(MOST_LIVE // 10):
            play_on(people, four_at_cards(people, deals=1).id)
        first = four_at_cards(people)
        ended = [told.id for told in mover.matches(Status.FINISHED)]
        for match_id in ended:
            people[1].rematch(match_id)
        waiting = {person.id for person in people for _ in person.turns()}
        assert {hall.place(first.id, hall.turn(first.id)).player_id} == waiting


class TestList:
    """All of my matches, newest first."""

    def made(self, hall: Hall, person: Person, count: int) -> list[str]:
        ids = []
        for _ in range(count):
            hall.wait(1)
            ids.append(person.create(deals=1).view.id)
        return ids[::-1]

    def test_pages(self, hall: Hall) -> None:
        """Every match once, whatever the page's size; also those made in the same second."""
        host = hall.guest()
        ids = self.made(hall, host, 9) + [host.create(deals=1).view.id for _ in range(6)]
        newest = [told.id for told in host.matches(limit=100)]
        assert sorted(ids) == sorted(newest) and 15 == len(newest)
        for limit in (1, 2, 4, 5, 15, 16):
            assert newest == [told.id for told in host.matches(limit=limit)]

    def test_by_status(self, hall: Hall) -> None:
        """Each status has its own; together they are all."""
        host = hall.guest()
        for match_id in self.made(hall, host, 6)[::2]:
            play_on((host,), match_id)
        tables = [host.open_table().view.id for _ in range(2)]
        host.leave(self.made(hall, host, 1)[0], NORTH)
        by_status = {status: [told.id for told in host.matches(status, 2)] for status in Status}
        assert (3, 3, 2, 1) == tuple(
            len(by_status[status]) for status in (Status.FINISHED, Status.PLAYING, Status.WAITING, Status.ABANDONED)
        )
        assert set(tables) == set(by_status[Status.WAITING])
        assert {told.id for told in host.matches()} == {each for ids in by_status.values() for each in ids}

    def test_cursors_while_matches_come_and_go(self, hall: Hall) -> None:
        """A match that is there all the time is seen exactly once, though others are made, left and ended between the
        pages."""
        host, friend = hall.guests("A", "B")
        stay = self.made(hall, host, 30)
        tables = [friend.open_table().view for _ in range(10)]
        for view in tables:
            host.join(view, EAST)
        random, seen, after = Random(4), [], None
        while True:
            page = lists.list_mine(hall.house, host.id, None, 4, after)
            seen += [told.id for told in page.items]
            after = page.after
            if after is None:
                break
            if tables:
                host.leave(tables.pop(random.randrange(len(tables))).id, EAST)
            host.leave(self.made(hall, host, 1)[0], NORTH)
            play_on((host,), stay[random.randrange(30)])
        assert stay == [each for each in seen if each in stay]
        assert len(seen) == len(set(seen))

    def test_thousands(self, hall: Hall) -> None:
        """A player of thousands of ended matches: a filter that finds few of them reads a bounded stretch a page, and
        all pages together find everything."""
        host = hall.guest()
        made = self.made(hall, host, 2)
        play_on((host,), made[0])
        ended = hall.match(made[0])
        for number in range(3000):
            copy = Membership(host.id, hall.house.new_id(), NORTH, ended.created_at - 1 - number)
            hall.store._matches[copy.match_id] = hall.store._matches[ended.id]
            hall.store._memberships[host.id][copy.created_at, copy.match_id] = copy
        page = lists.list_mine(hall.house, host.id, Status.ABANDONED, 100)
        assert () == page.items and page.after is not None
        assert 3001 == sum(1 for _ in host.matches(Status.FINISHED, 100))

    def test_names_of_ended_matches(self, hall: Hall) -> None:
        """They are read from the accounts: new names, and deletions."""
        people = hall.guests(*"ABC")
        view = four_at_cards(people, deals=1)
        play_on(people, view.id)
        people[EAST].rename("Bee")
        people[SOUTH].delete()
        (told,) = people[NORTH].matches(Status.FINISHED)
        names = [seat.player and (seat.player.name, seat.player.deleted) for seat in told.seats]
        assert [("A", False), ("Bee", False), ("", True), None] == names

    def test_left_matches(self, hall: Hall) -> None:
        """Still in the list of all, as one without a seat; among those being played only while one plays."""
        people = hall.guests(*"ABCD")
        view = four_at_cards(people)
        people[EAST].leave(view.id, EAST)
        (told,) = people[EAST].matches()
        assert (None, False, Status.PLAYING) == (told.your_seat, told.your_turn, told.status)
        assert SeatType.BOT is told.seats[EAST].type
        assert [] == list(people[EAST].matches(Status.PLAYING))
