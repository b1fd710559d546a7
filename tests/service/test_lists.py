"""A player's own matches in lists."""

from __future__ import annotations

from random import Random

from chalicelib.match.model import DAY, SeatType, Status
from chalicelib.service.tables import lists
from tests.service.people import EAST, NORTH, SOUTH, Hall, Person, play_on, send_away, time_out


def made(hall: Hall, person: Person, count: int) -> list[str]:
    """Ids of so many solo matches, the newest first."""
    ids = []
    for _ in range(count):
        hall.wait(1)
        ids.append(person.create(deals=1).view.id)
    return ids[::-1]


class TestMyTurns:
    """Matches with other people that wait for me."""

    def test_most_urgent_first(self, hall: Hall) -> None:
        """The nearest deadline first; only where it is my turn, and not alone, where nobody waits."""
        host, friend = hall.guests("A", "B")
        host.create()
        days = {}
        for turn_seconds in (3 * DAY, DAY, 2 * DAY):
            view = host.open_table(turn_seconds=turn_seconds).view
            friend.join(view, EAST)
            host.start(view.id)
            days[view.id] = turn_seconds
        for seat, person in ((NORTH, host), (EAST, friend)):
            mine = [match_id for match_id in days if hall.turn(match_id) is seat]
            assert sorted(mine, key=days.__getitem__) == [told.id for told in person.turns()]
        assert 3 == len(host.turns()) + len(friend.turns())

    def test_what_is_told(self, hall: Hall) -> None:
        """Enough for a badge and a list: seats, whose turn, scores, deadline."""
        people, match_id = hall.playing("ABCD")
        mover, match = people[hall.turn(match_id)], hall.match(match_id)
        (told,) = mover.turns()
        assert (match_id, match.version, True, (0, 0)) == (told.id, told.version, told.your_turn, told.scores)
        assert (match.deadline_at, hall.turn(match_id)) == (told.deadline_at, told.your_seat)
        assert [*"ABCD"] == [seat.player.name for seat in told.seats if seat.player is not None]
        mover.move(match_id)
        assert () == mover.turns()

    def test_a_table_that_stands_still(self, hall: Hall) -> None:
        """All who play are away: it is in the badge of each of them, whoever's turn it is, until one is back; but not
        where nobody else plays."""
        people, match_id = hall.playing("AB")
        send_away(hall, match_id, people, EAST)
        assert () == people[EAST].turns()
        alone = people[NORTH].create(turn_seconds=60).view.id
        for each in (match_id, alone):
            while hall.match(each).present:
                time_out(hall, each)
        for person in people:
            (told,) = person.turns()
            assert (match_id, True, None) == (told.id, told.stands_still, told.deadline_at)
        people[NORTH].sit(match_id, NORTH)
        assert () == people[EAST].turns()
        assert {match_id: False, alone: True} == {told.id: told.stands_still for told in people[NORTH].matches()}


class TestList:
    """All of my matches, newest first."""

    def test_pages(self, hall: Hall) -> None:
        """Every match once, whatever the page's size; also those made in the same second."""
        host = hall.guest()
        ids = made(hall, host, 9) + [host.create(deals=1).view.id for _ in range(6)]
        newest = [told.id for told in host.matches(limit=100)]
        assert sorted(ids) == sorted(newest) and 15 == len(newest)
        for limit in (1, 2, 4, 5, 15, 16):
            assert newest == [told.id for told in host.matches(limit=limit)]

    def test_cursors_while_matches_come_and_go(self, hall: Hall) -> None:
        """A match that is there all the time is seen exactly once, though others are made, left and ended between the
        pages."""
        host, friend = hall.guests("A", "B")
        stay = made(hall, host, 30)
        tables = [friend.open_table().view for _ in range(10)]
        for view in tables:
            host.join(view, EAST)
        random, seen = Random(4), list[str]()
        page = lists.list_mine(hall.services, host.id, None, 4, None)
        while True:
            seen += [told.id for told in page.items]
            if page.after is None:
                break
            if tables:
                host.leave(tables.pop(random.randrange(len(tables))).id, EAST)
            host.leave(made(hall, host, 1)[0], NORTH)
            play_on((host,), stay[random.randrange(30)])
            page = lists.list_mine(hall.services, host.id, None, 4, page.after)
        assert stay == [each for each in seen if each in stay]
        assert len(seen) == len(set(seen))

    def test_names_of_ended_matches(self, hall: Hall) -> None:
        """They are read from the accounts: new names, and deletions."""
        people, _ = hall.over("ABC")
        people[EAST].rename("Bee")
        people[SOUTH].delete()
        (told,) = people[NORTH].matches(Status.FINISHED)
        names = [seat.player and (seat.player.name, seat.player.deleted) for seat in told.seats]
        assert [("A", False), ("Bee", False), ("", True), None] == names

    def test_left_matches(self, hall: Hall) -> None:
        """In the list as ones without a seat, under the status they have: one that goes on is still being played."""
        people, match_id = hall.playing("ABCD", deals=1)
        people[EAST].leave(match_id, EAST)
        for status in (None, Status.PLAYING):
            (told,) = people[EAST].matches(status)
            assert (None, False, Status.PLAYING) == (told.your_seat, told.your_turn, told.status)
            assert SeatType.BOT is told.seats[EAST].type
        play_on(people, match_id)
        assert [] == list(people[EAST].matches(Status.PLAYING))
        assert [match_id] == [told.id for told in people[EAST].matches(Status.FINISHED)]
