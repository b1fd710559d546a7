"""Sets: the same deals for everybody, each alone against the same bots."""

from __future__ import annotations

import hmac
from collections import Counter
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from chalicelib import bots
from chalicelib.match import sets
from chalicelib.match.model import DAY, Status
from chalicelib.match.opponents import opponents
from chalicelib.match.sets import DealSet, Ranking, rank
from chalicelib.match.view import PlayerRef
from chalicelib.service.people import accounts
from chalicelib.service.play import history
from chalicelib.service.ports import Unavailable
from chalicelib.service.sets import entries, making, results
from chalicelib.service.sets.upkeep import count_entry, prepare_daily
from chalicelib.service.tables.invites import look_up_invite
from chalicelib.service.tables.matches import SeatRequest
from tests.service.meddling import failing, first
from tests.service.people import EAST, NORTH, SOUTH, WEST, Hall, Person, play_on, refused


@pytest.fixture(autouse=True)
def _quick_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Par is made by a bot that thinks less long."""
    monkeypatch.setattr(sets, "PAR_LEVEL", "easy")
    monkeypatch.setattr(making, "PAR_LEVEL", "easy")


def finished(player: Person, luck: int = 1, **options: Any) -> str:
    """A solo match that the player has played to its end."""
    view = player.create(**{"deals": 1, "client_seed": "c0ffee", **options}).view
    play_on((player,), view.id, choose=Random(luck))
    return view.id


def challenge(player: Person, match_id: str) -> DealSet:
    return making.challenge(player.hall.services, player.id, match_id)


def enter(player: Person, set_id: str) -> str:
    return entries.enter(player.hall.services, player.id, set_id).view.id


def see(player: Person, set_id: str) -> sets.SetView:
    return results.read(player.hall.services, player.id, set_id)


def daily(hall: Hall) -> DealSet:
    return making.daily_of(hall.services, hall.clock.at // DAY)


def until_swept(hall: Hall) -> None:
    """Until the sweep finds nothing more to do."""
    while True:
        report = hall.sweep()
        if not report.seen and not report.pars:
            return
        hall.wait(60)


class TestChallenge:
    def test_everybody_gets_the_same_cards_and_bots(self, hall: Hall) -> None:
        """Whoever plays as the challenger did meets the same moves, and ends with the same results."""
        asha, bilal = hall.guests("Asha", "Bilal")
        source = finished(asha, deals=2)
        made = challenge(asha, source)
        entry = enter(bilal, made.id)
        play_on((bilal,), entry, choose=Random(1))
        assert hall.match(source).results == hall.match(entry).results
        assert [deal.log.codes() for deal in hall.store.closed_deals(source, 1, 2)] == [
            deal.log.codes() for deal in hall.store.closed_deals(entry, 1, 2)
        ]
        assert made.commitments == bilal.read(entry).commitments

    def test_it_is_made_once_and_entered_once(self, hall: Hall) -> None:
        """The challenger's own entry is the match it was made from; from an entry it is the same set."""
        asha, bilal = hall.guests("Asha", "Bilal")
        source = finished(asha)
        made = challenge(asha, source)
        hall.wait(DAY)
        assert made == challenge(asha, source)
        assert source == enter(asha, made.id)
        entry = enter(bilal, made.id)
        assert entry == enter(bilal, made.id)
        refused("match_not_over", challenge, bilal, entry)
        play_on((bilal,), entry)
        assert made == challenge(bilal, entry)

    def test_two_devices_enter_at_once(self, hall: Hall) -> None:
        """The second one finds the entry of the first; so do two who need the day's set first."""
        asha, bilal = hall.guests("Asha", "Bilal")
        made, found = challenge(asha, finished(asha)), list[str]()
        with hall.instead(save=first(lambda: found.append(enter(bilal, made.id)))):
            assert [enter(bilal, made.id)] == found
        days = list[DealSet]()
        with hall.instead(add_set=first(lambda: days.append(daily(hall)))):
            assert [daily(hall)] == days

    def test_a_code_leads_to_it(self, hall: Hall) -> None:
        """As to a table with one seat free."""
        asha = hall.guest("Asha")
        made = challenge(asha, finished(asha))
        told = look_up_invite(hall.services, made.code.lower())
        assert (None, made.id, PlayerRef(asha.id, "Asha"), (NORTH,)) == (
            told.match_id,
            told.set_id,
            told.host,
            told.free_seats,
        )
        assert ["empty", "bot", "bot", "bot"] == [seat.type for seat in told.seats]

    @pytest.mark.parametrize("options", [{"spectators": True}, {"take_over": True}, {"turn_seconds": DAY}])
    def test_not_every_match_is_one(self, hall: Hall, options: dict[str, Any]) -> None:
        """Nobody else may have seen the cards, or moved for the player."""
        asha = hall.guest("Asha")
        refused("not_a_challenge", challenge, asha, finished(asha, **options))

    def test_nor_one_that_others_have_played_in(self, hall: Hall) -> None:
        """Be it for one move."""
        asha, bilal = hall.guests("Asha", "Bilal")
        bots = {seat: SeatRequest("bot", "easy") for seat in (SOUTH, WEST)}
        view = asha.create(seats={NORTH: SeatRequest("human")} | bots, deals=1).view
        bilal.join(view, EAST)
        bilal.leave(view.id, EAST)
        play_on((asha,), view.id)
        assert Status.FINISHED is hall.match(view.id).status
        refused("not_a_challenge", challenge, asha, view.id)
        refused("not_seated", challenge, bilal, view.id)

    def test_an_entry_is_played_once(self, hall: Hall) -> None:
        """There is no rematch, and whoever leaves finds it given up."""
        asha, bilal, charu = hall.guests("Asha", "Bilal", "Charu")
        made = challenge(asha, finished(asha))
        entry, left = enter(bilal, made.id), enter(charu, made.id)
        play_on((bilal,), entry)
        refused("entry_played_once", bilal.rematch, entry)
        charu.leave(left, NORTH)
        assert left == enter(charu, made.id)
        assert Status.ABANDONED is hall.match(left).status
        refused("match_over", charu.sit, left, NORTH)
        refused("match_not_found", bilal.read, left)

    def test_its_bots_stay(self, hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
        """Where a set's edition is gone nobody enters or goes on: other bots would move."""
        asha, bilal, charu = hall.guests("Asha", "Bilal", "Charu")
        made = challenge(asha, finished(asha))
        entry = enter(bilal, made.id)
        monkeypatch.setattr(bots, "EDITIONS", {2: bots.EDITIONS[1]})
        refused("edition_retired", bilal.move, entry)
        refused("edition_retired", enter, charu, made.id)
        assert not see(charu, made.id).open
        assert asha.move(asha.create().view.id)

    def test_they_are_those_whom_the_maker_met(self, hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
        """A challenge of a match that was made before a release has the bots of before, as long as they are there."""
        asha = hall.guest("Asha")
        early, late = finished(asha), finished(asha)
        monkeypatch.setattr(bots, "EDITION", 2)
        monkeypatch.setattr(bots, "EDITIONS", {**bots.EDITIONS, 2: bots.EDITIONS[1]})
        assert (1, 2) == (challenge(asha, early).edition, challenge(asha, finished(asha)).edition)
        monkeypatch.setattr(bots, "EDITIONS", {2: bots.EDITIONS[2]})
        refused("edition_retired", challenge, asha, late)


class TestSealing:
    def test_deal_by_deal(self, hall: Hall) -> None:
        """Par and one's own result of what one has finished; the others' once all is finished."""
        asha, bilal = hall.guests("Asha", "Bilal")
        made = challenge(asha, finished(asha, deals=2))
        until_swept(hall)
        before = see(bilal, made.id)
        assert (None, (), None, None) == (before.status, before.deals, before.histogram, before.ranking)
        entry = enter(bilal, made.id)
        refused("set_sealed", results.by_name, hall.services, bilal.id, made.id)
        while len(hall.match(entry).results) < 1:
            bilal.move(entry)
        half = see(bilal, made.id)
        assert (1, True) == (len(half.deals), all(deal.result and deal.par for deal in half.deals))
        assert (None, None, None) == (half.histogram, half.score, half.par_score)
        play_on((bilal,), entry)
        whole = see(bilal, made.id)
        assert 2 == len(whole.deals) and whole.histogram and whole.par_score is not None

    def test_a_deal_that_was_left_is_not_shown(self, hall: Hall) -> None:
        """Neither its hands nor its secret; of those that were finished the hands, but not yet the secret."""
        asha, bilal = hall.guests("Asha", "Bilal")
        entry = enter(bilal, challenge(asha, finished(asha, deals=2)).id)
        while len(hall.match(entry).results) < 1:
            bilal.move(entry)
        bilal.move(entry)
        bilal.leave(entry, NORTH)
        refused("deal_not_found", history.deal_record, hall.services, bilal.id, entry, 2)
        assert history.deal_record(hall.services, bilal.id, entry, 1).deal_secret is None
        shown = bilal.read(entry)
        assert shown.deal is not None and not shown.deal.hand

    def test_secrets_come_with_the_end(self, hall: Hall) -> None:
        """Of a challenge with one's own, of a daily once it has run out."""
        asha, bilal = hall.guests("Asha", "Bilal")
        for set_id, waits in ((challenge(asha, finished(asha)).id, False), (daily(hall).id, True)):
            entry = enter(bilal, set_id)
            play_on((bilal,), entry)
            secret = history.deal_record(hall.services, bilal.id, entry, 1).deal_secret
            assert (secret is None) == waits
        hall.wait(2 * DAY)
        assert history.deal_record(hall.services, bilal.id, entry, 1).deal_secret is not None


class TestDaily:
    def test_one_a_day(self, hall: Hall) -> None:
        """At midnight UTC another; its commitments were told the day before."""
        asha = hall.guest("Asha")
        hall.clock.at = 20_000 * DAY + DAY - 1
        today = results.read_daily(hall.services, asha.id)
        hall.wait(1)
        tomorrow = results.read_daily(hall.services, asha.id)
        assert ("2024-10-04", "2024-10-05") == (today.deal_set.day, tomorrow.deal_set.day)
        assert today.next_commitments == tomorrow.deal_set.commitments != today.deal_set.commitments
        assert (4, False, "easy") == (
            tomorrow.deal_set.rules.deals,
            tomorrow.deal_set.rules.hints,
            tomorrow.deal_set.line_up[EAST],
        )

    def test_tomorrows_is_not_there_yet(self, hall: Hall) -> None:
        """Whoever guesses its id neither sees nor enters it."""
        asha = hall.guest("Asha")
        tomorrow = making.daily_of(hall.services, hall.clock.at // DAY + 1)
        refused("set_not_found", see, asha, tomorrow.id)
        refused("set_not_found", enter, asha, tomorrow.id)

    def test_its_hours(self, hall: Hall) -> None:
        """Enter until it closes, finish within 24 hours more; what is unfinished then is given up, unranked."""
        asha, bilal, charu = hall.guests("Asha", "Bilal", "Charu")
        today = daily(hall)
        assert today.closes_at is not None and today.runs_out_at == today.closes_at + DAY
        first = enter(asha, today.id)
        hall.clock.at = today.closes_at - 1
        second = enter(bilal, today.id)
        hall.wait(1)
        refused("set_closed", enter, charu, today.id)
        assert first == enter(asha, today.id)
        hall.clock.at = today.runs_out_at - 1
        play_on((asha,), first)
        hall.wait(1)
        refused("set_closed", bilal.move, second)
        until_swept(hall)
        assert (Status.FINISHED, Status.ABANDONED) == (hall.match(first).status, hall.match(second).status)
        assert Ranking(1, 1, None) == see(asha, today.id).ranking
        unranked = see(bilal, today.id)
        assert (None, None) == (unranked.score, unranked.ranking)
        # Now everybody may see it.
        assert 4 == len(see(charu, today.id).deals) and see(charu, today.id).histogram == unranked.histogram

    def test_no_challenge_while_it_is_open(self, hall: Hall) -> None:
        """Else it would be a table to practise at; afterwards it is the same set."""
        asha, bilal = hall.guests("Asha", "Bilal")
        today = daily(hall)
        entry = enter(asha, today.id)
        play_on((asha,), entry)
        refused("set_still_open", challenge, asha, entry)
        hall.wait(2 * DAY)
        assert today.id == challenge(asha, entry).id
        refused("set_closed", enter, bilal, today.id)

    def test_nobody_is_named(self, hall: Hall) -> None:
        """Only how many made which score."""
        asha = hall.guest("Asha")
        today = daily(hall)
        play_on((asha,), enter(asha, today.id))
        until_swept(hall)
        assert () == results.by_name(hall.services, asha.id, today.id)
        assert 1 == sum((see(asha, today.id).histogram or {}).values())


class TestCounting:
    def test_once_whatever_is_repeated(self, hall: Hall) -> None:
        """A sweep that is cut off, one that comes twice, a match that was restored since: an entry counts once."""
        asha, bilal = hall.guests("Asha", "Bilal")
        made = challenge(asha, finished(asha))
        entry = enter(bilal, made.id)
        play_on((bilal,), entry)
        uncounted = hall.match(entry)
        assert (False, 2) == (see(bilal, made.id).counted, see(bilal, made.id).ranking[1])  # type: ignore[index]
        for _ in range(3):
            count_entry(hall.services, uncounted)
        hall.store.reschedule(hall.match(entry), hall.clock.at)
        until_swept(hall)
        view = see(bilal, made.id)
        assert (True, 2) == (view.counted, view.ranking[1])  # type: ignore[index]
        assert Counter(view.histogram) == Counter(
            sets.total(hall.match(each).results, NORTH)
            for each in (made.source.match_id, entry)  # type: ignore[union-attr]
        )

    def test_the_names_of_those_who_share(self, hall: Hall) -> None:
        """The best first; whoever is deleted is named no more, and counts on."""
        people = hall.guests("Asha", "Bilal", "Charu")
        made = challenge(people[0], finished(people[0]))
        for luck, friend in enumerate(people[1:], 5):
            play_on((friend,), enter(friend, made.id), choose=Random(luck))
        until_swept(hall)
        told = results.by_name(hall.services, people[1].id, made.id)
        assert {"Asha", "Bilal", "Charu"} == {who.name for who, _ in told}
        assert all(better.score >= worse.score for (_, better), (_, worse) in pairwise(told))
        people[2].delete()
        told = results.by_name(hall.services, people[1].id, made.id)
        assert ["", "Asha", "Bilal"] == sorted(who.name for who, _ in told)
        assert 3 == sum((see(people[0], made.id).histogram or {}).values())

    def test_a_deleted_player_s_entry_is_given_up(self, hall: Hall) -> None:
        """Nobody plays on for them, so it is in no histogram."""
        asha, bilal = hall.guests("Asha", "Bilal")
        made = challenge(asha, finished(asha))
        entry = enter(bilal, made.id)
        bilal.delete()
        until_swept(hall)
        assert Status.ABANDONED is hall.match(entry).status
        assert 1 == sum((see(asha, made.id).histogram or {}).values())

    def test_what_is_kept_is_exported(self, hall: Hall) -> None:
        """Entries, and the sets that one has made."""
        asha, bilal = hall.guests("Asha", "Bilal")
        source = finished(asha)
        made = challenge(asha, source)
        entry = enter(bilal, made.id)
        finished(bilal)

        def of_sets(player: Person) -> list[tuple[object, ...]]:
            matches = accounts.export(hall.services, player.id).content["matches"]
            assert isinstance(matches, list)
            names = ("match_id", "deal_set_id", "challenge_code")
            return [tuple(each.get(name) for name in names) for each in matches if "deal_set_id" in each]

        assert [(source, made.id, made.code)] == of_sets(asha)
        assert [(entry, made.id, None)] == of_sets(bilal)


def test_par_is_a_player_s_entry(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is what an entry would make whose player moves as the bot does: the others cannot tell."""
    asha, bilal = hall.guests("Asha", "Bilal")
    made = challenge(asha, finished(asha, deals=2))
    until_swept(hall)
    entry = enter(bilal, made.id)
    while (match := hall.match(entry)).status is Status.PLAYING:
        deal = hall.deal(entry)
        number = match.base_move + len(deal.codes) + 1
        key = hmac.digest(made.secret, b"par:%d" % number, "sha256")
        bilal.put(entry, number, bots.choose(deal.view(NORTH), "easy", key, opponents(match, deal)))
    kept = hall.store.deal_set(made.id)
    assert kept is not None and match.results == kept.par


@pytest.mark.parametrize(("score", "ranking"), [(9, Ranking(1, 4, 66)), (0, Ranking(3, 4, 0)), (-1, Ranking(5, 5, 0))])
def test_a_place_among_all(score: int, ranking: Ranking) -> None:
    """Equal scores share a rank; the percentile is of the others who scored less."""
    counts = {9: 2, 0: 2} | ({-1: 1} if score == -1 else {})
    assert ranking == rank(counts, score)


def test_tomorrow_s_daily_is_there_though_nobody_asks(hall: Hall) -> None:
    """Its commitments are fixed a day before its cards are played."""
    prepare_daily(hall.services)
    tomorrow = making.daily_of(hall.services, hall.clock() // DAY + 1)
    hall.wait(DAY)
    assert tomorrow.commitments == results.read_daily(hall.services, hall.guest().id).deal_set.commitments


def test_tomorrow_s_daily_waits_for_the_store(hall: Hall, caplog: pytest.LogCaptureFixture) -> None:
    """Where the store does not answer a run goes on without, and says so; the next one makes it."""
    with hall.instead(deal_set=failing(Unavailable())):
        prepare_daily(hall.services)
    assert ["tomorrow's daily could not be made"] == caplog.messages


def test_a_histogram_that_is_behind(hall: Hall) -> None:
    """One's own score is in it, whatever the store has told, so that a rank is always of the whole."""
    asha = hall.guest("Asha")
    made = challenge(asha, finished(asha))
    with hall.instead(histogram=lambda _whole, _set_id: {-400: 2}):
        view = see(asha, made.id)
    assert view.score is not None and view.ranking is not None
    assert {-400: 2, view.score: 1} == view.histogram
    assert (1, 3, 100) == view.ranking
