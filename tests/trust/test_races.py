"""Many at once, on a real store."""

from __future__ import annotations

import secrets

import pytest

from chalicelib.service.services import Services
from chalicelib.store import DynamoStore, create_table
from dev.trust.account_races import live_limit, offers_cost_nothing, renamed_at_once, sent_away
from dev.trust.phones import PATIENCE
from dev.trust.reading_races import read_while_played
from dev.trust.seat_races import create_once, last_seat, leave_and_sit, refresh_once, start_once
from dev.trust.sweep_races import time_out_once
from dev.trust.tally import Tally
from dev.trust.transport import InProcess
from tests.servers import Server


@pytest.fixture(scope="module")
def transport(dynoxide: Server) -> InProcess:
    table = f"races-{secrets.token_hex(4)}"
    create_table(table, dynoxide.url)
    return InProcess(Services(DynamoStore(table, dynoxide.url, call_seconds=PATIENCE)))


def assert_held(tally: Tally, times: int) -> None:
    assert [] == tally.broken
    assert times == tally.tried == tally.held


def test_fifty_callers_for_the_last_seat(transport: InProcess) -> None:
    """Of fifty who want the last seat one sits, and forty-nine get a clear 409."""
    assert_held(last_seat(transport, 3), 3)


def test_leaving_and_sitting_cross(transport: InProcess) -> None:
    """Whoever leaves and whoever sits at the same moment are answered as it stands in the feed."""
    assert_held(leave_and_sit(transport, 10), 10)


def test_a_start_happens_once(transport: InProcess) -> None:
    """The host's start, repeated at once, and the last seat's taking deal one deal."""
    assert_held(start_once(transport, 5), 5)


def test_a_feed_is_read_while_others_move(transport: InProcess) -> None:
    """Across the ends of deals, too: no event is told twice, none is left out, none is told otherwise later."""
    tally = read_while_played(transport, 300)
    assert [] == tally.broken
    assert 300 <= tally.tried == tally.held


def test_a_match_is_made_once(transport: InProcess) -> None:
    """One Idempotency-Key, or one rematch, from many sides at once makes one match."""
    assert_held(create_once(transport, 3), 4)


def test_a_turn_whose_time_is_up(transport: InProcess) -> None:
    """Several sweeps and the late player at once make one move."""
    assert_held(time_out_once(transport.services.store, 8), 8)


def test_an_account_is_renamed_and_deleted_at_once(transport: InProcess) -> None:
    """Each pair of acts in both orders: profile and tables agree, and the deleted are named nowhere."""
    assert_held(renamed_at_once(transport, 12), 12)


def test_more_matches_than_anybody_may_have(transport: InProcess) -> None:
    """Sixty asked for at once: fifty are made."""
    assert_held(live_limit(transport, 1), 1)


def test_a_player_sent_away_stays_away(transport: InProcess) -> None:
    """With the old code and the new one, before the start and after."""
    assert_held(sent_away(transport, 4), 4)


def test_others_rematches_cost_nothing(transport: InProcess) -> None:
    """Made and left again, they leave nothing with those who were asked."""
    assert_held(offers_cost_nothing(transport, 5), 5)


def test_a_refresh_token_has_one_successor(transport: InProcess) -> None:
    """A device that sends its refresh token many times at once stays signed in."""
    assert_held(refresh_once(transport, 5), 5)
