"""Nobody is told of a card they cannot see."""

from __future__ import annotations

import logging
from dataclasses import replace
from itertools import permutations
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings

from chalicelib.engine import CARDS, Deal, Seat
from chalicelib.match.cards import running_deal
from chalicelib.match.view import MatchView, match_view
from dev.trust.fairness import opened_in_time
from dev.trust.hands import looking_alike, unseen_by
from dev.trust.noninterference import try_to_see
from tests import strategies


@pytest.mark.parametrize("seed", range(2))
def test_hidden_cards_change_nothing_that_is_told(seed: int) -> None:
    """Whoever cannot see a card is told the same whatever it is: every read, every answer, every header, every log
    line."""
    tally = try_to_see(moments=3, worlds=3, seed=seed)
    assert [] == tally.broken
    assert tally.tried > 300


def test_a_little_in_a_view_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A view that tells a little of a neighbour's hand is seen through: enough that hardly ever two hands tell the
    same."""
    honest = match_view

    def leaking(match: Any, deal: Deal | None, seat: Seat | None, now: int, names: Any = None) -> MatchView:
        view = honest(match, deal, seat, now, names)
        neighbour = Seat.NORTH if seat is None else seat.next
        told = deal.left[neighbour] % 7 if deal is not None else 0
        return replace(view, poll_after_seconds=view.poll_after_seconds + told)

    monkeypatch.setattr("chalicelib.service.table.match_view", leaking)
    assert not try_to_see(moments=2, worlds=3).kept


def test_a_hand_in_the_log_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A log line with the cards of the table is seen through, at whatever level it is written."""
    honest = running_deal

    def talking(match: Any) -> Deal | None:
        deal = honest(match)
        logging.getLogger("chalicelib.service").debug("dealt %s", deal.hands if deal else None)
        return deal

    monkeypatch.setattr("chalicelib.service.table.running_deal", talking)
    assert not try_to_see(moments=1, worlds=2).kept


@given(strategies.running_deals(), strategies.onlookers)
@settings(max_examples=60, deadline=None)
def test_other_deals_look_the_same(deal: Deal, viewer: Seat | None) -> None:
    """Cards dealt anew among hidden hands allow the very same moves, and show the viewer the very same deal."""
    for hands in looking_alike(deal, viewer, Random(1), 5):
        again = Deal.start(hands, deal.opener, deal.after_bank)
        for move in deal.moves:
            again = again.play(move)
        assert hands != deal.hands
        assert deal.view(viewer) == again.view(viewer)


@given(strategies.deals(min_moves=48, max_moves=56), strategies.seats)
@settings(max_examples=30, deadline=None)
def test_every_way_is_found(deal: Deal, viewer: Seat) -> None:
    """Where few cards are unseen, all the ways to hold them are tried: as many as there are by counting."""
    unknown = unseen_by(deal, viewer)
    unseen = [card.bit for card in CARDS if card.bit & unknown.unseen]
    owners = [at for at, count in enumerate(unknown.holds) for _ in range(count)]
    ways = {
        assigned
        for assigned in permutations(owners)
        if all(bit & unknown.may_hold[at] for bit, at in zip(unseen, assigned, strict=True))
    }
    assert len(ways) == len(list(unknown.every()))


def test_secrets_are_told_in_time() -> None:
    """Every deal is committed to from the start, and opened when it is over and not before: played out, given up, or
    its players gone."""
    tally = opened_in_time(3)
    assert [] == tally.broken
    assert tally.tried > 10
