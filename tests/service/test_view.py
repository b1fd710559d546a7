"""What a view shows, and when its ETag changes."""

from __future__ import annotations

from random import Random

from chalicelib.engine import Side, commitment, deal_secret
from chalicelib.match.cards import running_deal
from chalicelib.match.model import Match, Status
from chalicelib.match.view import GONE, MatchResult, PlayerRef, match_view
from tests.service.people import EAST, NORTH, SOUTH, Hall, four_at_cards, play_on


def test_commitments_are_of_the_deals_secrets(hall: Hall) -> None:
    """One a deal, from the match's secret, which itself is nowhere in the view."""
    view = four_at_cards(hall.guests(*"ABCD"), deals=3)
    match = hall.match(view.id)
    assert tuple(commitment(deal_secret(match.secret, number)) for number in (1, 2, 3)) == view.commitments
    assert repr(match.secret) not in repr(view) and match.secret.hex() not in repr(view)


def test_next_move_counts_through_the_match(hall: Hall) -> None:
    """One more than the moves made, over all deals, and the same after the end."""
    people = hall.guests(*"ABCD")
    view = four_at_cards(people, deals=2)
    random = Random(1)
    while (match := hall.match(view.id)).status is Status.PLAYING:
        deal = running_deal(match)
        assert deal is not None
        assert match.base_move + len(deal.moves) + 1 == people[NORTH].read(view.id).next_move
        play_on(people, view.id, 1, random)
    assert 2 * 57 + 1 == people[NORTH].read(view.id).next_move


def test_previous_deal(hall: Hall) -> None:
    """The deal before the one on the table, with its result, at the end too."""
    people = hall.guests(*"ABCD")
    view = four_at_cards(people, deals=2)
    assert view.previous_deal is None
    while hall.match(view.id).deal == 1:
        play_on(people, view.id, 1)
    first = hall.match(view.id).results[0]
    assert (1, first) == people[NORTH].read(view.id).previous_deal
    play_on(people, view.id)
    view = people[NORTH].read(view.id)
    assert (1, first) == view.previous_deal and view.deal_number == 2 and view.deal is not None
    assert view.result is not None and first == view.result.deals[0]


def test_etags_of_ended_matches(hall: Hall) -> None:
    """The version, and a digest of the names: it changes with them, and with nothing else."""
    people = hall.guests("A", "B")
    view = four_at_cards(people, deals=1)
    play_on(people, view.id)
    etags = [people[0].read(view.id).etag for _ in range(2)]
    assert 1 == len(set(etags)) and etags[0].startswith(f'"{hall.match(view.id).version}.')
    people[1].rename("Bee")
    assert people[0].read(view.id).etag not in etags


def test_winner() -> None:
    """The higher total; equal ones are a draw (R4)."""
    assert MatchResult(None, (0, 0), ()) == MatchResult.of(())


def test_results_add_up(hall: Hall) -> None:
    """Scores of the sides that declared, and the winner."""
    people = hall.guests(*"ABCD")
    view = four_at_cards(people, deals=4)
    play_on(people, view.id, choose=Random(9))
    result = people[NORTH].read(view.id).result
    assert result is not None
    ns = sum(deal.score for deal in result.deals if deal.side is Side.NS)
    ew = sum(deal.score for deal in result.deals if deal.side is Side.EW)
    assert ((ns, ew), Side.NS if ns > ew else Side.EW if ew > ns else None) == (result.scores, result.winner)


def test_names_given_and_not(hall: Hall) -> None:
    """Live matches name players themselves; for ended ones the names are given; a deleted player is nobody."""
    people = hall.guests("A", "B", "C")
    match: Match = hall.match(four_at_cards(people).id)
    view = match_view(match, running_deal(match), NORTH, hall.clock())
    assert PlayerRef(people[1].id, "B") == view.seats[EAST].player
    names = {people[1].id: PlayerRef(people[1].id, "Bee"), people[2].id: GONE}
    view = match_view(match, running_deal(match), NORTH, hall.clock(), names)
    assert (PlayerRef(people[1].id, "Bee"), GONE) == (view.seats[EAST].player, view.seats[SOUTH].player)
