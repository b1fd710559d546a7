"""Players: signing up, names, what is kept about one, and leaving for good."""

from __future__ import annotations

import json

import pytest

from chalicelib.service import accounts
from chalicelib.service.accounts import clean_name, read_player, rename, sign_up
from chalicelib.service.errors import Malformed
from chalicelib.service.matches import SeatRequest
from chalicelib.service.model import Change, SeatType, Start
from chalicelib.service.view import PlayerRef
from tests.service.people import EAST, NORTH, Hall, four_at_cards, play_on


class TestNames:
    """What may be a name."""

    @pytest.mark.parametrize(
        ("typed", "kept"),
        [
            ("  Asha ", "Asha"),
            ("A\u0301sha", "\u00c1sha"),
            ("क्\u200dष", "क्\u200dष"),
            ("क" * 24, "क" * 24),
            ("👍🏽", "👍🏽"),
        ],
    )
    def test_kept(self, typed: str, kept: str) -> None:
        """NFC, without blanks around; the joiners that Devanagari needs are allowed."""
        assert kept == clean_name(typed)

    @pytest.mark.parametrize(
        "typed",
        ["", "  ", "\u200d", "x" * 25, "👍" * 19, "a\u202eb", "a\nb", "a\x00b", "\u2066a", "\ud800", "a\u2028b"],
    )
    def test_refused(self, typed: str) -> None:
        """Nothing, too long (24 code points, 72 bytes), control and bidirectional-override characters."""
        with pytest.raises(Malformed, match="invalid_name") as refusal:
            clean_name(typed)
        assert {"most_code_points": 24, "most_bytes": 72} == refusal.value.params


def test_signing_up(hall: Hall) -> None:
    """A guest with a name or without one."""
    named, plain = sign_up(hall.house, "Asha"), sign_up(hall.house)
    assert ("Asha", "Guest") == (named.player.name, plain.player.name)
    assert named.player == read_player(hall.house, named.player.id)
    with pytest.raises(Malformed):
        sign_up(hall.house, "\n")


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
        rename(hall.house, host.id, "Asha")
        versions = [hall.match(match_id).version for match_id in matches]
        rename(hall.house, host.id, "Asha")
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
    told = accounts.export(hall.house, host.id)
    assert told == json.loads(json.dumps(told))
    assert {"id": host.id, "name": "Asha", "created_at": hall.clock.at} == told["player"]
    matches = {each["match_id"]: each for each in told["matches"]}  # type: ignore[attr-defined]
    assert {"match_id": solo, "seat": "north", "created_at": hall.clock.at, "status": "playing"} == matches[solo]
    assert ("east", "0a", "waiting") == tuple(matches[waiting][name] for name in ("seat", "client_seed", "status"))
    assert 1 == len(told["devices"])  # type: ignore[arg-type]


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
        [each.get("client_seed") for each in accounts.export(hall.house, person.id)["matches"]]  # type: ignore[attr-defined]
        for person in (host, friend, late)
    ]
    assert [["5eed"], [None], [None]] == seeds
