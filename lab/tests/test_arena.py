"""The arena measures what it says it measures."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from chalicelib.engine import AfterBank, Seat
from lab.__main__ import main
from lab.fit import fitted, surprise
from lab.match import Duplicate, Terms, duplicate
from lab.players import known_as
from lab.report import calibration, interval, table
from lab.table import Played, dealt

CONTRACT = Played(Seat.NORTH, 8, 8, 8, True, 0.75, ([], []))
LOST = replace(CONTRACT, banked=7, score=-16)


def contracts(made: int, lost: int) -> list[Duplicate]:
    """As many contracts, two a duplicate, all called with a chance of 75 %."""
    all_of_them = [CONTRACT] * made + [LOST] * lost
    return [Duplicate(first, second) for first, second in zip(all_of_them[::2], all_of_them[1::2], strict=True)]


@pytest.mark.parametrize(
    ("made", "lost", "verdict"),
    [(150, 50, "ok"), (158, 42, "ok"), (162, 38, "SHORT"), (138, 62, "SHORT"), (90, 30, "few")],
)
def test_calibration_tells_a_band_that_is_off(made: int, lost: int, verdict: str) -> None:
    """A band of 200 contracts or more is held to five points on either side; a smaller one is held to nothing."""
    line = calibration(contracts(made, lost)).splitlines()[-1]
    assert line.startswith("| 70–80 % |")
    assert line.endswith(f"| {verdict} |")


def test_a_duplicate_swaps_the_sides() -> None:
    """Both tables play the same cards; the same two players the other way round cancel out."""
    terms = Terms("steady", "easy", "test")
    forth, back = duplicate(terms, 3), duplicate(replace(terms, a="easy", b="steady"), 3)
    assert forth.points == -back.points
    assert (forth.first.declarer, forth.first.score) == (back.second.declarer, back.second.score)
    assert dealt("test", 3, AfterBank.FRESH) == dealt("test", 3, AfterBank.FRESH)


def test_a_player_does_not_meet_itself_twice_alike() -> None:
    """Against itself, by whatever name, a player has other luck at the second table: both would be one game."""
    for b in ("sharp@8", "sharp@08"):
        played = [duplicate(Terms("sharp@8", b, "alike"), number) for number in range(4)]
        assert any(each.first.score != each.second.score or each.points for each in played)


def test_a_table_of_one_deal(capsys: pytest.CaptureFixture[str]) -> None:
    """Even one deal makes a table, with an interval that says how little it is."""
    assert "± inf" in table(Terms("steady", "easy", "test"), [duplicate(Terms("steady", "easy", "test"), 1)])
    middle, half = interval([1.0, 3.0])
    assert middle == 2
    assert half == pytest.approx(1.96)
    with pytest.raises(SystemExit):
        main(["sharp", "nobody"])
    with pytest.raises(SystemExit):
        main(["sharp", "easy", "--deals", "0"])
    assert "a match has a deal at least" in capsys.readouterr().err


def test_what_others_know_of_a_player() -> None:
    """A variant passes for its level; who is none of the levels passes for a person."""
    names = ("sharp", "sharp@100", "sharp-1", "before", "swift+1", "easy", "open_hands")
    assert [*["sharp"] * 5, "easy", None] == list(map(known_as, names))


def test_fit_finds_what_made_the_examples() -> None:
    """From examples drawn by known log-odds, the fit gets them back."""
    rng = np.random.default_rng(1)
    true = np.array([-0.5, 1.2, -0.8])
    x = np.column_stack([np.ones(20_000), rng.normal(size=(20_000, 2))])
    came = rng.random(20_000) < 1 / (1 + np.exp(-(x @ true)))
    found, loss = fitted(lambda at: surprise(x @ at, came), np.zeros(3))
    assert np.allclose(true, found, atol=0.1)
    assert loss < surprise(x @ np.zeros(3), came)
