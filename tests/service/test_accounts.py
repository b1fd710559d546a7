"""Players: signing up, names, what is kept about one, and leaving for good."""

from __future__ import annotations

import json

import pytest

from chalicelib.match.model import Change, SeatType, Start
from chalicelib.match.view import PlayerRef
from chalicelib.service.errors import Unauthorized
from chalicelib.service.people import accounts
from chalicelib.service.people.accounts import read_player, rename, sign_up
from chalicelib.service.people.codes import recovery_code
from chalicelib.service.tables.matches import SeatRequest
from tests.service.people import EAST, NORTH, Hall, four_at_cards, play_on


def test_signing_up(hall: Hall) -> None:
    """A guest with a name and a language, or without."""
    named, plain = sign_up(hall.services, "Asha", "hi"), sign_up(hall.services)
    assert ("Asha", "hi", "", "") == (named.player.name, named.player.locale, plain.player.name, plain.player.locale)
    assert [named.player, plain.player] == [read_player(hall.services, each.player.id) for each in (named, plain)]


def test_without_a_name(hall: Hall) -> None:
    """A player without one sits, plays and leaves as others do, and has none at the table."""
    host = hall.guest("")
    friend = hall.guest("")
    table = host.open_table().view
    friend.join(table, EAST)
    assert [PlayerRef(host.id, ""), PlayerRef(friend.id, "")] == [
        seat.player for seat in host.read(table.id).seats if seat.player
    ]
    friend.rename("Bee")
    assert PlayerRef(friend.id, "Bee") == host.read(table.id).seats[EAST].player


def test_a_language(hall: Hall) -> None:
    """It changes by itself; a deleted account has none to change."""
    player_id = sign_up(hall.services, "Asha").player.id
    accounts.set_locale(hall.services, player_id, "pa-Guru-IN")
    player = read_player(hall.services, player_id)
    assert ("Asha", "pa-Guru-IN") == (player.name, player.locale)
    accounts.delete_player(hall.services, player_id)
    with pytest.raises(Unauthorized, match="account_deleted"):
        accounts.set_locale(hall.services, player_id, "hi")


class TestRenaming:
    """Another name, at every table."""

    def test_at_live_matches(self, hall: Hall) -> None:
        """Waiting and running ones show it at once, in their views and feeds; the version, and so the ETag, changes."""
        people = hall.guests(*"ABCD")
        running = four_at_cards(people).id
        waiting = people[EAST].open_table(EAST).view.id
        for match_id in (running, waiting):
            before = people[EAST].read(match_id)
            people[EAST].rename("Bee" + match_id[:3])
            after = people[EAST].read(match_id)
            assert (before.version + 1, True) == (after.version, before.etag != after.etag)
            assert after.seats[EAST].player == PlayerRef(people[EAST].id, "Bee" + match_id[:3])
            assert "player_renamed" == people[EAST].feed(match_id)[-1].type

    def test_repeating(self, hall: Hall) -> None:
        """The same name again changes nothing; a try that was cut short is finished by the next."""
        host = hall.guest()
        matches = [host.create().view.id for _ in range(3)]
        hall.store.rename(host.id, "Asha", hall.clock.at)
        rename(hall.services, host.id, "Asha")
        versions = [hall.match(match_id).version for match_id in matches]
        rename(hall.services, host.id, "Asha")
        assert versions == [hall.match(match_id).version for match_id in matches]
        assert {"Asha"} == {hall.place(match_id, NORTH).name for match_id in matches}

    def test_after_the_end(self, hall: Hall) -> None:
        """An ended match shows today's names: nothing is written to it, and the ETag changes."""
        people = hall.guests("A", "B")
        match_id = four_at_cards(people, deals=1).id
        play_on(people, match_id)
        before, etag = hall.match(match_id), people[0].read(match_id).etag
        people[1].rename("Bee")
        assert before == hall.match(match_id)
        view = people[0].read(match_id)
        assert PlayerRef(people[1].id, "Bee") == view.seats[EAST].player
        assert etag != view.etag

    def test_of_one_who_left(self, hall: Hall) -> None:
        """The table they left, where a bot plays for them, shows it too."""
        people = hall.guests(*"ABCD")
        match_id = four_at_cards(people).id
        people[EAST].leave(match_id, EAST)
        people[EAST].rename("Bee")
        assert "Bee" == hall.place(match_id, EAST).name and hall.place(match_id, EAST).left

    def test_while_sitting_down(self, hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
        """A rename between the reading of an account and the taking of its seat shows at the table."""
        host, friend = hall.guests("A", "B")
        table = host.open_table().view
        save = hall.store.save

        def renamed_first(change: Change) -> None:
            monkeypatch.setattr(hall.store, "save", save)
            friend.rename("Bee")
            save(change)

        monkeypatch.setattr(hall.store, "save", renamed_first)
        friend.join(table, EAST)
        assert "Bee" == hall.place(table.id, EAST).name

    def test_of_an_invited_one(self, hall: Hall) -> None:
        """Offered seats have names too."""
        people = hall.guests("A", "B")
        match_id = four_at_cards(people, deals=1).id
        play_on(people, match_id)
        again = people[0].rematch(match_id).view.id
        people[1].rename("Bee")
        assert (SeatType.INVITED, "Bee") == (hall.place(again, EAST).type, hall.place(again, EAST).name)


def test_export(hall: Hall) -> None:
    """Everything that is kept about me, as JSON: profile, devices, matches with my seat."""
    host = hall.guest("Asha")
    solo = host.create().view.id
    waiting = host.create(seats={EAST: SeatRequest("human")}, client_seed="0a").view.id
    told = accounts.export(hall.services, host.id).told
    assert told == json.loads(json.dumps(told))
    assert {"id": host.id, "name": "Asha", "created_at": hall.clock.at} == told["player"]
    matches = {each["match_id"]: each for each in told["matches"]}  # type: ignore[attr-defined]
    kept = {"match_id": solo, "seat": "north", "standing": "member", "created_at": hall.clock.at, "status": "playing"}
    assert kept == matches[solo]
    assert ("east", "0a", "waiting") == tuple(matches[waiting][name] for name in ("seat", "client_seed", "status"))
    device: dict[str, object]
    (device,) = told["devices"]  # type: ignore[misc]
    assert {"created_at": hall.clock.at, "used_at": hall.clock.at} == {
        name: value for name, value in device.items() if name != "session_id"
    }


def test_export_in_pages(hall: Hall) -> None:
    """Each match once; those that were left before the start, and seats that are kept, are told too."""
    host, friend = hall.guests("A", "B")
    made = {host.create(deals=1).view.id for _ in range(5)}
    table = friend.open_table().view
    host.join(table, EAST)
    friend.leave(table.id, EAST)
    over = four_at_cards((host, friend), deals=1).id
    play_on((host, friend), over)
    again = friend.rematch(over).view.id
    found: dict[object, object] = {}
    after: str | None = None
    while True:
        page = accounts.export(hall.services, host.id, after, 3)
        matches: list[dict[str, object]] = page.told["matches"]  # type: ignore[assignment]
        assert (
            len(matches) <= 3
            and [again] == page.told["offers"]
            and not found.keys() & {each["match_id"] for each in matches}
        )
        found |= {each["match_id"]: each["standing"] for each in matches}
        after = page.after
        if after is None:
            break
    assert dict.fromkeys(made | {over}, "member") | {table.id: "barred"} == found


def test_export_of_what_is_optional(hall: Hall) -> None:
    """Language, recovery code's time and a device's name are in it where they are; the code and its hash never."""
    grant = sign_up(hall.services, locale="hi", device_name="Phone")
    code = recovery_code(hall.services, grant.player.id)
    told = accounts.export(hall.services, grant.player.id).told
    player = {"id": grant.player.id, "created_at": hall.clock.at, "locale": "hi", "recovery_code_at": hall.clock.at}
    assert player == told["player"]
    assert "Phone" in str(told["devices"]) and code not in str(told)
    json.dumps(told)


def test_a_seed_is_its_givers(hall: Hall) -> None:
    """Who gave one finds it in their export when the match has started too; who took the seat over has not given it."""
    host, friend = hall.guests("A", "B")
    match_id = four_at_cards((host,), take_over=True, client_seed="5eed", start=Start.BY_HOST).id
    view = host.read(match_id)
    friend.join(view, EAST)
    host.leave(match_id, NORTH)
    late = hall.guest("C")
    late.join(view, NORTH)
    seeds = [
        [each.get("client_seed") for each in accounts.export(hall.services, person.id).told["matches"]]  # type: ignore[attr-defined]
        for person in (host, friend, late)
    ]
    assert [["5eed"], [None], [None]] == seeds
