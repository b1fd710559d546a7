"""What may be a name, and what reads as the game itself."""

from __future__ import annotations

import pytest

from chalicelib.service.people.names import clean_device_name, clean_name
from dev.name_table import TABLE, table
from tests.service.people import refused

NEW_EMOJI = "\U0001fae8\U0001fac6\U0001fae9"
"""Of Unicode 15, 16 and 16: Python 3.11 knows of Unicode 14."""


def test_the_table_is_current() -> None:
    """As `make name-table` writes it, of the Unicode that the pinned tools know."""
    assert table() == TABLE.read_text(encoding="utf-8")


ENGLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        *(("  Asha ", "Asha"), ("Asha\u3000  Devi", "Asha Devi"), ("A\u0301sha", "\u00c1sha"), ("Ａｓｈａ", "Asha")),
        *((name, name) for name in ("क्\u200dष", "क" * 24, "می\u200cخواهم", "Gal·la", "👍🏽", "❤\ufe0f")),
        *(
            (name, name)
            for name in ("👨\u200d👩🏽\u200d👧", "1\ufe0f\u20e3", "Ann " + ENGLAND, NEW_EMOJI, "O'Neil, J. R.")
        ),
    ],
)
def test_kept(typed: str, kept: str) -> None:
    """By the Nickname profile (RFC 8266): one kind of space, none around, NFKC; joiners and variants in their places.
    A kept name stays as it is."""
    assert kept == clean_name(typed) == clean_name(kept)


@pytest.mark.parametrize(
    "typed",
    [
        *("", "  ", "x" * 25, "👍" * 19, "a\nb", "a\x00b", "a\u2028b", "\ud800", "a\ufdd0", "\ue000"),
        *("a\u202eb", "\u2066a", "a\u061c"),  # direction
        *("a\u200db", "\u200d", "a\u200cb", "a\ufe0f", "\ufe0f", "·", "ش\u0660\u06f1"),  # out of their places
        *(ENGLAND[:-1], "a" + ENGLAND[1:], ENGLAND + "\U000e007f", ENGLAND.replace("\U000e006e", "\U000e006f")),
        *("\u115f", "\u1160", "\u3164", "\uffa0", "\u2800", "\u2800 \u2800", "\u034f", "\u17b4", "\u00ad"),
        *("\U0001d159", "\ufffc", "\u200b", "\u2060", "\ufeff", "\u180e", "\U000e0041", "\U000e0100", "\u0301"),
    ],
)
def test_refused(typed: str) -> None:
    """Too long (24 code points, 72 bytes), controls, what cannot be seen, marks alone."""
    assert {"most_code_points": 24, "most_bytes": 72} == refused("invalid_name", clean_name, typed).params


@pytest.mark.parametrize(
    "typed",
    [
        *("Bot", "bot 1", "Sharp bot", "SharpBot", "sharpbot", "Bot_1", "B o t", "b.o.t", "🤖Bot", "Robot 3"),
        *("System", "The SYSTEM", "Admin", "administrator", "Moderator", "Do Dooni", "DoDooni", "do.dooni team"),
        *("В\u043eт", "Βοτ", "ВОТ", "ѕуѕtеm", "ｂｏｔ", "🅑🅞🅣", "🇧🇴🇹", "ʙᴏᴛ", "bøt", "Bót", "𝔹𝕠𝕥"),
        *("Stand-in", "stand_in", "sharpb0t", "bot🤖", "B0t", "adm1n", "5y5tem", "$ystem", "D0 D00ni", "dêlêted"),
        *("Bo\u0337t", "b\u0338ot", "Do\u0335 Dooni", "bo\u20d2t", "bo\u0489t", "bo\u20ddt", "8ot", "𝟾ot"),
        *("Бот", "Робот", "Система", "админ", "机器人", "機器人 2", "ボット", "ﾎﾞｯﾄ", "ロボット"),
        *("로봇", "시스템", "관리자", "बॉट", "सिस्टम", "एडमिन", "दो दूनी", "दो-दूनी", "बॉट 2", "ਬੋਟ", "بوٹ"),
    ],
)
def test_reserved(typed: str) -> None:
    """What reads as a bot, as those who run the game, or as the game, in whatever letters."""
    refused("name_reserved", clean_name, typed)


@pytest.mark.parametrize(
    "typed",
    [
        *("Boti", "Abbott", "Robotnik", "Admiral", "Modi", "Systema", "Do", "Dooni", "बेटा", "Bob", "Guest", "Lisa"),
        *("Thein", "Mod", "Борис", "БОРИС", "Ботир", "机", "봇물이", "8 Ball", "র\u200d্যাচেল"),
    ],
)
def test_people(typed: str) -> None:
    """Names that only begin or sound alike are people's."""
    assert typed == clean_name(typed)


def test_devices() -> None:
    """A device's name may be longer and is nobody's to be taken in by; else it is a name."""
    assert "Sharp Bot of " + "x" * 51 == clean_device_name(" Sharp Bot of " + "x" * 51)
    for typed in ("x" * 65, "\u3164"):
        refused("invalid_name", clean_device_name, typed)
