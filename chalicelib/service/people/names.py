"""What may be a name: the Nickname profile of PRECIS (RFC 8266), with emoji, and without what reads as the game itself.

Which signs there are is of a current Unicode (`name_table`); Python's own tables only normalize.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from bisect import bisect_right
from itertools import accumulate

from chalicelib.match.model import MAX_NAME_BYTES, MAX_NAME_POINTS
from chalicelib.service.errors import Malformed
from chalicelib.service.people.name_table import LOOK_ALIKES, MARKS, PICTOGRAPHS, SIGNS

MAX_DEVICE_POINTS, MAX_DEVICE_BYTES = 64, 192
_PASSES = 4
"""Mappings of a name until it stays as it is (RFC 8266 §2.3); no text is known that needs more than three."""
_NON_JOINER, _JOINER = "\u200c\u200d"
_VARIANTS = "\ufe0e\ufe0f"
"""Text or picture: after a sign that has both forms."""
_ARABIC = "[\u0600-\u06ff\u0750-\u077f]"
_SKIN_TONES = re.compile("[\U0001f3fb-\U0001f3ff]")
_TAGS = "\U000e0020\U000e007f"
"""The first and the last of the signs that cannot be seen, and that name a flag."""
_REGIONS = ("".join(chr(0xE0000 + ord(letter)) for letter in region) for region in ("gbeng", "gbsct", "gbwls"))
_FLAGS = re.compile(f"\U0001f3f4({'|'.join(_REGIONS)})\U000e007f")
"""England, Scotland, Wales: all that UTS #51 recommends."""
_VIRAMA = 9
"""The combining class of the sign that ties two consonants together."""
_ACCENT = 10
"""Combining classes from here on are marks over, under and through a letter; below are parts of a script's letters."""
_OVERLAY = 1
"""The combining class of strokes through a letter."""
_WORDS = frozenset(
    (
        *("bot", "bots", "robot", "robots", "computer", "system", "server", "timeout", "deleted"),
        *("admin", "admins", "administrator", "moderator", "operator", "official", "support", "staff"),
        *("बॉट", "बोट", "रोबोट", "रोबॉट", "कंप्यूटर", "कम्प्यूटर", "सिस्टम", "सर्वर", "एडमिन", "ऐडमिन", "प्रशासक"),
        *("бот", "боты", "робот", "система", "админ", "администратор", "модератор"),
        *(
            "机器人",
            "機器人",
            "系统",
            "系統",
            "管理员",
            "管理員",
            "ボット",
            "ロボット",
            "システム",
            "管理者",
            "봇",
            "로봇",
            "시스템",
            "관리자",
        ),
        *("ਬੋਟ", "ਬੌਟ", "ਰੋਬੋਟ", "ਸਿਸਟਮ", "ਐਡਮਿਨ", "ਪ੍ਰਬੰਧਕ", "بوٹ", "روبوٹ", "سسٹم", "ایڈمن"),
    )
)
"""Reserved as a word of a name, and as a whole name with any signs between its letters."""
_GAME = ("dodooni", "doduni", "dodoni", "दोदूनी", "दोदुनी", "ਦੋਦੂਣੀ", "ਦੋਦੂਨੀ", "دودونی")
"""Reserved wherever it stands in a name, written together or apart."""
_BOTS = re.compile("(easy|steady|sharp|my|the|auto)bots?|bots?(easy|steady|sharp)|stand[il]n")
"""Reserved as a whole name, written together or apart."""
_SYMBOLS = "|!$@"
"""Signs that stand in for letters."""
_DIGITS = str.maketrans("0134578i" + _SYMBOLS, "oleastblllsa")


def clean_name(typed: str) -> str:
    """A player's name as it is kept. `Malformed`: invalid_name, name_reserved."""
    name = _clean(typed, MAX_NAME_POINTS, MAX_NAME_BYTES)
    if _reserved(name):
        raise Malformed("name_reserved")
    return name


def clean_device_name(typed: str) -> str:
    """A device's name as it is kept: only its owner sees it. `Malformed`: invalid_name."""
    return _clean(typed, MAX_DEVICE_POINTS, MAX_DEVICE_BYTES)


def _clean(typed: str, most_points: int, most_bytes: int) -> str:
    name = _mapped(typed)
    fits = name is not None and 1 <= len(name) <= most_points and _is_freeform(name)
    if name is None or not fits or len(name.encode()) > most_bytes:
        raise Malformed("invalid_name", most_code_points=most_points, most_bytes=most_bytes)
    return name


def _mapped(typed: str) -> str | None:
    """Spaces made one kind and single, none at the ends, NFKC (RFC 8266 §2.1). None for what does not settle."""
    name = typed
    for _ in range(_PASSES):
        spaced = "".join(" " if unicodedata.category(sign) == "Zs" else sign for sign in name)
        mapped = unicodedata.normalize("NFKC", re.sub(" +", " ", spaced.strip(" ")))
        if mapped == name:
            return name
        name = mapped
    return None


def _is_freeform(name: str) -> bool:
    """Whether all signs may be in a name, each where it is, and one of them at least can be seen."""
    allowed = all(
        sign == " " or _in(SIGNS, sign) or _in(MARKS, sign) or _in_place(name, at) for at, sign in enumerate(name)
    )
    digits = [bool(re.search(kind, name)) for kind in ("[\u0660-\u0669]", "[\u06f0-\u06f9]")]
    return allowed and not all(digits) and any(_in(SIGNS, sign) for sign in name)


def _in_place(name: str, at: int) -> bool:
    """Whether a sign that has its place (RFC 5892 A.1 to A.7; of emoji, UTS #51) is there."""
    sign, before, after = name[at], name[:at], name[at + 1 :]
    match sign:
        case "\u200d" if after and _in(PICTOGRAPHS, after[0]):
            base = _SKIN_TONES.sub("", before).rstrip(_VARIANTS)
            return base != "" and _in(PICTOGRAPHS, base[-1])
        case "\u200c" | "\u200d":
            virama = before != "" and unicodedata.combining(before[-1]) == _VIRAMA
            arabic = re.search(f"{_ARABIC}\\Z", before) is not None and re.match(_ARABIC, after) is not None
            bengali = before.endswith("\u09b0") and after.startswith("\u09cd\u09af")  # ra before ya-phalaa
            return virama or (sign == _NON_JOINER and arabic) or (sign == _JOINER and bengali)
        case "\ufe0e" | "\ufe0f":
            return before != "" and (_in(PICTOGRAPHS, before[-1]) or before[-1] in "0123456789#*")
        case _ if _TAGS[0] <= sign <= _TAGS[1]:
            return any(flag.start() < at < flag.end() for flag in _FLAGS.finditer(name))
        case "\u00b7":
            return before.casefold().endswith("l") and after.casefold().startswith("l")
        case "\u0375":
            return re.match("[\u0370-\u03ff\u1f00-\u1fff]", after) is not None
        case "\u05f3" | "\u05f4":
            return re.search("[\u05d0-\u05ea]\\Z", before) is not None
        case "\u30fb":
            return re.search("[\u3041-\u3096\u30a1-\u30fa\u3400-\u4dbf\u4e00-\u9fff]", name) is not None
    return False


def _in(table: str, sign: str) -> bool:
    bounds = _bounds(table)
    return bisect_right(bounds, ord(sign)) % 2 == 1


@functools.cache
def _bounds(table: str) -> tuple[int, ...]:
    """Where ranges begin and end, in turn."""
    return tuple(accumulate(int(number, 36) for number in table.split()))


def _reserved(name: str) -> bool:
    """Whether it reads as a bot, as the game or as those who run it, whatever the letters are made of."""
    parted = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    words = "".join(sign if _in_word(sign) else " " for sign in _skeleton(parted)).split()
    bare = [word.strip("0123456789" + _SYMBOLS) for word in words]
    whole = _readings("".join(words), "".join(bare))
    return (
        not _reserved_words().isdisjoint(_readings(*words, *bare) | whole)
        or any(_BOTS.fullmatch(reading) for reading in whole)
        or any(game in reading for game in _readings(*map(_skeleton, _GAME)) for reading in whole)
    )


def _in_word(sign: str) -> bool:
    """Whether it is a letter, a part of one or a digit, or stands in for one; what Python does not know yet is not."""
    return unicodedata.category(sign)[0] not in "ZPSC" or sign in _SYMBOLS


def _readings(*texts: str) -> set[str]:
    """Each as it is, and with letters for the digits and signs that stand in for them; i and l are one."""
    return {*texts, *(text.translate(_DIGITS) for text in texts)}


@functools.cache
def _reserved_words() -> frozenset[str]:
    forms = (
        form for word in _WORDS for form in (word, word.title(), word.upper())
    )  # which may look like other letters
    return frozenset(_readings(*map(_skeleton, forms)))


def _skeleton(text: str) -> str:
    """Without case, accents and what joins, and with Latin letters for what looks like them."""
    folded = []
    for sign in unicodedata.normalize("NFD", text):
        overlay = unicodedata.combining(sign) == _OVERLAY or unicodedata.category(sign) == "Me"
        if not overlay and unicodedata.combining(sign) < _ACCENT and sign not in _VARIANTS + _NON_JOINER + _JOINER:
            latin = _latin()
            folded.append(latin.get(sign) or latin.get(sign.upper()) or sign.casefold())
    return "".join(folded)


@functools.cache
def _latin() -> dict[str, str]:
    return {sign: same[0] for same in LOOK_ALIKES.split() for sign in same[1:]}
