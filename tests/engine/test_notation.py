"""The notation of a finished deal: written, read back, and nothing else read."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chalicelib.engine import AfterBank, Deal, Malformed, MalformedNotation, Seat, format_deal, parse_deal
from tests.engine.tricks import won_by
from tests.strategies import deals, finished_deals

WRITTEN = format_deal(won_by("neswnnneewwss", AfterBank.FRESH))
LINES = WRITTEN.split("\n")


@given(finished_deals())
def test_deal_is_read_as_written(deal: Deal) -> None:
    """Reading a deal's notation gives the same deal: hands, opener, reading of R1 and every move."""
    assert deal == parse_deal(format_deal(deal))


@given(deals(max_moves=56))
def test_running_deal_has_no_notation(deal: Deal) -> None:
    """A deal that is not over, the abandoned one too, has no notation, which would tell its hands."""
    with pytest.raises(ValueError, match="only a finished deal"):
        format_deal(deal)


@pytest.mark.parametrize("after_bank", AfterBank)
def test_notation_by_hand(after_bank: AfterBank) -> None:
    """The lines are those of docs/notation.md, banks marked where they fall under each reading of R1."""
    lines = format_deal(won_by("neswnnneewwss", after_bank)).split("\n")
    fresh = after_bank is AfterBank.FRESH
    head = f"Do Dooni 1 {after_bank.value}", "N AT62.J73.Q84.K95", "E K95.AT62.J73.Q84", "S Q84.K95.AT62.J73"
    assert [*head, "W J73.Q84.K95.AT62", "Auction N 7, E pass, S pass, W pass", "Ser N S"] == lines[:7]
    assert [str(number) for number in range(1, 14)] == [line.split(" ")[0] for line in lines[7:20]]
    assert (["ns 6", "ew 3", "ew 2", "ns 2"] if fresh else ["ns 6", "ns 1", "ew 2", "ew 2", "ns 2"]) == [
        line.partition(" = ")[2] for line in lines[7:20] if " = " in line
    ]
    assert ["Banked ns 8, ew 5" if fresh else "Banked ns 9, ew 4", "Result ns 7 made +7", ""] == lines[20:]


def test_example_of_the_page() -> None:
    """The example in docs/notation.md is a deal, and written as it would be."""
    page = (Path(__file__).parents[2] / "docs" / "notation.md").read_text()
    example = page.split("```")[1].removeprefix("text\n")
    deal = parse_deal(example)
    assert example == format_deal(deal)
    assert (Seat.EAST, Seat.SOUTH, 13) == (deal.opener, deal.declarer, deal.contract)


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        *((1, head) for head in ("Do Dooni 2 fresh", "Do Dooni 1 streak", "")),
        *((2, f"N {hand}") for hand in ("AT62.J73.Q84.K9", "AT62.J73.Q84.K94", "AT62.J73.Q84.K9X", "AT62.J73.Q84")),
        *((2, f"N {hand}") for hand in ("TA62.J73.Q84.K95", "AT62.J73.Q84-.K95")),
        (2, "E AT62.J73.Q84.K95"),
        (6, "Auction N 6, E pass, S pass, W pass"),
        (6, "Auction N pass, E 7, S pass, W pass"),
        (6, "Auction N 7, E 7, S pass, W pass"),
        (6, "Auction N 7, S pass, E pass, W pass"),
        (6, "Auction N 7, E pass, S pass"),
        (6, "Auction N S, E pass, S pass, W pass"),
        *((7, ser) for ser in ("Ser N X", "Ser E S", "Ser N 7")),
        (21, "Banked ns 5, ew 8"),
        *((22, f"Result ns 7 {end}") for end in ("made +8", "lost -14", "made +7 ", "made +7\r")),
    ],
)
def test_changed_line_is_malformed(line: int, wrong: str) -> None:
    """A line that is not what it should be is named in the error."""
    with pytest.raises(MalformedNotation) as malformed:
        parse_deal("\n".join([*LINES[: line - 1], wrong, *LINES[line:]]))
    # Another reading of R1 shows only where it makes a bank differ.
    assert malformed.value.line in ({14, 15, 16} if wrong == "Do Dooni 1 streak" else {line})
    assert str(malformed.value).startswith(f"line {malformed.value.line}: ")


@pytest.mark.parametrize(
    "text",
    ["", "\n", WRITTEN + "\n", WRITTEN[:-1], "\n" + WRITTEN, WRITTEN.lower(), WRITTEN.replace("\n", "\r\n"), "\n" * 22],
    ids=["empty", "end", "too long", "no end", "moved", "lower", "crlf", "blank"],
)
def test_other_text_is_malformed(text: str) -> None:
    with pytest.raises(MalformedNotation):
        parse_deal(text)


@given(finished_deals(), st.data())
def test_any_change_is_noticed(deal: Deal, data: st.DataObject) -> None:
    """One character changed anywhere gives another deal's notation or none: never this one's, never another error."""
    text = format_deal(deal)
    at = data.draw(st.integers(0, len(text) - 1))
    changed = text[:at] + data.draw(st.sampled_from("NESWSHDC23456789TJQKA .*=,+-\n\u0661")) + text[at + 1 :]
    try:
        read = parse_deal(changed)
    except Malformed:
        return
    assert changed == format_deal(read)


def test_illegal_card_is_malformed() -> None:
    """A card that may not be played is refused with the rule it breaks, on its line."""
    assert "1 N AS* 5S 4S 3S" == LINES[7]
    with pytest.raises(MalformedNotation, match=r"^line 8: .* the suit led, S"):
        parse_deal(WRITTEN.replace(" 5S 4S 3S", " AH 4S 3S"))
    with pytest.raises(MalformedNotation, match=r"^line 8: The card 2S is not in the hand"):
        parse_deal(WRITTEN.replace(" 5S 4S 3S", " 2S 4S 3S"))
