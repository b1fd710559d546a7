"""Players: signing up, names, and what is kept about one."""

from __future__ import annotations

import json
from typing import Any

from chalicelib.match.model import SeatType, Start
from chalicelib.match.view import PlayerRef
from chalicelib.service.people import accounts
from chalicelib.service.people.accounts import sign_up
from chalicelib.service.people.codes import recovery_code
from chalicelib.service.tables.matches import SeatRequest
from tests.service.meddling import first
from tests.service.people import EAST, NORTH, Hall, Person, four_at_cards, play_on


def exported(person: Person, after: str | None = None) -> dict[str, Any]:
    return accounts.export(person.hall.services, person.id, after).content


class TestRenaming:
    """Another name, at every table. (That live ones show it: test_name_races.)"""

    def test_repeating(self, hall: Hall) -> None:
        """The same name again changes nothing; a try that was cut short is finished by the next."""
        host = hall.guest()
        matches = [host.create().view.id for _ in range(3)]
        hall.store.rename(host.id, "Asha", hall.clock.at)
        host.rename("Asha")
        versions = [hall.match(match_id).version for match_id in matches]
        host.rename("Asha")
        assert versions == [hall.match(match_id).version for match_id in matches]
        assert {"Asha"} == {hall.place(match_id, NORTH).name for match_id in matches}

    def test_after_the_end(self, hall: Hall) -> None:
        """An ended match shows today's names: nothing is written to it, and the ETag, of the version and a digest of
        the names, changes with them alone."""
        people, match_id = hall.over("AB")
        before, (etag, again) = hall.match(match_id), [people[0].read(match_id).etag for _ in range(2)]
        assert etag == again and etag.startswith(f'"{before.version}.')
        people[1].rename("Bee")
        view = people[0].read(match_id)
        assert (before, True) == (hall.match(match_id), etag != view.etag)
        assert PlayerRef(people[1].id, "Bee") == view.seats[EAST].player

    def test_of_those_who_left_or_are_asked(self, hall: Hall) -> None:
        """The table they left, where a bot plays for them, and seats that are kept for them show it too."""
        people, match_id = hall.playing("ABCD")
        people[EAST].leave(match_id, EAST)
        people[EAST].rename("Bee")
        assert "Bee" == hall.place(match_id, EAST).name and hall.place(match_id, EAST).left
        people, over = hall.over("AB")
        again = people[0].rematch(over).view.id
        people[1].rename("Bee")
        assert (SeatType.INVITED, "Bee") == (hall.place(again, EAST).type, hall.place(again, EAST).name)

    def test_while_sitting_down(self, hall: Hall) -> None:
        """A rename between the reading of an account and the taking of its seat, or the making of its table, costs a
        try, and shows there."""
        host, friend = hall.guests("A", "B")
        table = host.open_table().view
        with hall.instead(save=first(lambda: friend.rename("Bee"))):
            friend.join(table, EAST)
        with hall.instead(save=first(lambda: host.rename("Ann"))):
            made = host.create("key").view.id
        assert ("Bee", "Ann") == (hall.place(table.id, EAST).name, hall.place(made, NORTH).name)


class TestExport:
    """Everything that is kept about me, as JSON: profile, devices, matches with my seat."""

    def test_all_of_it(self, hall: Hall) -> None:
        """What is optional is in it where it is; codes and their hashes never."""
        grant = sign_up(hall.services, "Asha", "hi", "Phone")
        host, now = Person(hall, grant.player.id), hall.clock.at
        code = recovery_code(hall.services, host.id)
        solo = host.create().view.id
        waiting = host.create(seats={EAST: SeatRequest("human")}, client_seed="0a").view.id
        told = exported(host)
        assert told == json.loads(json.dumps(told)) and code not in str(told)
        profile = {"id": host.id, "name": "Asha", "created_at": now, "locale": "hi", "recovery_code_at": now}
        assert profile == told["player"]
        matches = {each["match_id"]: each for each in told["matches"]}
        kept = {"match_id": solo, "seat": "north", "standing": "member", "created_at": now, "status": "playing"}
        assert kept == matches[solo]
        assert ("east", "0a", "waiting") == tuple(matches[waiting][name] for name in ("seat", "client_seed", "status"))
        (device,) = told["devices"]
        assert {"session_id": grant.session_id, "name": "Phone", "created_at": now, "used_at": now} == device
        plain = exported(Person(hall, sign_up(hall.services).player.id))
        assert {"id", "created_at"} == set(plain["player"]) and "name" not in plain["devices"][0]

    def test_in_pages(self, hall: Hall) -> None:
        """Each match once; those that were left before the start, and seats that are kept, are told too."""
        host, friend = hall.guests("A", "B")
        made = {host.create(deals=1).view.id for _ in range(5)}
        table = friend.open_table().view
        host.join(table, EAST)
        friend.leave(table.id, EAST)
        over = four_at_cards((host, friend), deals=1).id
        play_on((host, friend), over)
        again = friend.rematch(over).view.id
        found: dict[str, str] = {}
        page = accounts.export(hall.services, host.id, None, 3)
        while True:
            matches: list[dict[str, str]] = page.content["matches"]  # type: ignore[assignment]
            assert [again] == page.content["offers"]
            assert len(matches) <= 3 and not found.keys() & {each["match_id"] for each in matches}
            found |= {each["match_id"]: each["standing"] for each in matches}
            if page.after is None:
                break
            page = accounts.export(hall.services, host.id, page.after, 3)
        assert dict.fromkeys(made | {over}, "member") | {table.id: "barred"} == found

    def test_a_seed_is_its_givers(self, hall: Hall) -> None:
        """Who gave one finds it when the match has started too; who took the seat over has not given it."""
        host, friend, late = hall.guests(*"ABC")
        match_id = four_at_cards((host,), take_over=True, client_seed="5eed", start=Start.BY_HOST).id
        view = host.read(match_id)
        friend.join(view, EAST)
        host.leave(match_id, NORTH)
        late.join(view, NORTH)
        seeds = [[each.get("client_seed") for each in exported(person)["matches"]] for person in (host, friend, late)]
        assert [["5eed"], [None], [None]] == seeds
