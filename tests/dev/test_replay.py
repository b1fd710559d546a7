"""`python -m dev.replay FILE` tells a finished deal trick by trick."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from chalicelib.engine import AfterBank, format_deal
from dev.replay import main
from tests.engine.tricks import won_by

NOTATION = format_deal(won_by("neswnnneewwss", AfterBank.FRESH))
TOLD = """\
north  S AT62  H J73  D Q84  C K95
east   S K95  H AT62  D J73  C Q84
south  S Q84  H K95  D AT62  C J73
west   S J73  H Q84  D K95  C AT62

north calls 7
east passes
south passes
west passes
north names S the ser and leads

 1  north leads [AS] 5S  4S  3S   north wins, pile 1
 2  north leads  2S [KS] 8S  7S   east  wins, pile 2
 3  east  leads  2H [KH] 4H  3H   south wins, pile 3
 4  south leads  2D [KD] 4D  3D   west  wins, pile 4
 5  west  leads  2C [KC] 4C  3C   north wins, pile 5
 6  north leads [QD] 7D  6D  5D   north wins, pile 6
    ns bank 6: ns 6, ew 0
 7  north leads [JH] 6H  5H  8H   north wins, pile 1
 8  north leads  5C [QC] 7C  6C   east  wins, pile 2
 9  east  leads [AH] 9H  QH  7H   east  wins, pile 3
    ew bank 3: ns 6, ew 3
10  east  leads  TH  TD [JS] 6S   west  wins, pile 1
11  west  leads [AC] 9C  8C  JC   west  wins, pile 2
    ew bank 2: ns 6, ew 5
12  west  leads  9D  8D  JD [AD]  south wins, pile 1
13  south leads [QS] TC  TS  9S   south wins, pile 2
    ns bank 2: ns 8, ew 5

ns called 7 and banked 8: made, +7
"""


@pytest.mark.parametrize("text", [NOTATION, json.dumps({"number": 1, "notation": NOTATION})], ids=["text", "json"])
def test_deal_is_told(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A notation, or a deal record that has one, is told from the hands to the result."""
    file = tmp_path / "deal"
    file.write_text(text)
    assert 0 == main([str(file)])
    assert TOLD == capsys.readouterr().out


def test_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """`-` reads what is piped in."""
    monkeypatch.setattr("sys.stdin", io.StringIO(NOTATION))
    assert 0 == main(["-"])
    assert TOLD == capsys.readouterr().out


@pytest.mark.parametrize(
    "text",
    ["", "[]", "null", '{"notation": 3}', "[" * 100_000, NOTATION.replace("made +7", "lost -14")],
    ids=["empty", "list", "null", "number", "deep", "changed"],
)
def test_no_deal(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that is no finished deal is told so on one line, with nothing printed."""
    file = tmp_path / "deal"
    file.write_text(text)
    assert 1 == main([str(file)])
    captured = capsys.readouterr()
    assert "" == captured.out
    assert captured.err.startswith(f"{file}: line ")
    assert 1 == captured.err.count("\n")


def test_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without a file that can be read there is a message and another exit code."""
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    for arguments in ([], ["a", "b"], ["--help"], [str(tmp_path / "none")], [str(tmp_path / "bytes")]):
        assert 2 == main(arguments)
    assert capsys.readouterr().err.startswith("usage: ")
