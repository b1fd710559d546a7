"""What requests hold: bodies, path and query parameters. The contract is generated from these very schemas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from marshmallow import ValidationError

from chalicelib.api.fields import Body, Choice, Either, OneOf, Part, Text, Truth, Whole, fault
from chalicelib.api.shapes import MOVE_BODY
from chalicelib.engine import HIGHEST_CALL, LOWEST_CALL, MOVES, SEATS, SUITS, AfterBank, Call, Card, Pass, Play, Ser
from chalicelib.match.model import MAX_DEALS, Start, Status
from chalicelib.service.errors import Malformed
from chalicelib.service.people import names
from chalicelib.service.tables.matches import NewMatch, SeatRequest, request_digest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from chalicelib.engine import Move

LEVELS = ("easy", "steady", "sharp")
"""The bots' levels, weakest first, as the contract promises them."""
SHORTEST_TURN, LONGEST_TURN = 60, 14 * 24 * 60 * 60
SEAT_WORDS = {seat.text: seat for seat in SEATS}
STATUS_WORDS = {status.value: status for status in Status}
CARD = "^[2-9TJQKA][SHDC]$"
ID = "^[A-Za-z0-9_-]{16}$"
CLIENT_SEED = "^[0-9a-f]{0,32}$"
NONCE = "^[A-Za-z0-9_-]{16,64}$"
LOCALE = (
    "^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?(-([0-9A-Za-z]{5,8}|[0-9][0-9A-Za-z]{3}))*"
    "(-u(-[0-9A-Za-z]{2,8})+)?$"
)
"""A language tag (RFC 5646 §2.1): language, script, region, variants, and the extension for locales."""
LONGEST_CODE = 64
"""Characters of a code as it may be typed, signs that do not count included."""
HOW_TYPED = (
    "The code as somebody typed it: send it as it is. Small letters, spaces, dashes and dots do not matter; `0` and "
    "`O` are read as `Q`, `1` and `I` as `L`."
)


def level(**kwargs: Any) -> Choice:
    return Choice("BotLevel", {name: name for name in LEVELS}, **kwargs)


def client_seed() -> Text:
    return Text(
        pattern=CLIENT_SEED,
        component="ClientSeed",
        metadata={
            "description": "Your part in the shuffle: up to 32 lowercase hexadecimal digits, drawn at random. "
            "Passed over once cards are dealt."
        },
    )


def code(**kwargs: Any) -> Text:
    return Text(longest=LONGEST_CODE, metadata={"description": HOW_TYPED}, **kwargs)


def kind(word: str) -> Choice:
    """The `type` of one member of a union."""
    return Choice("", {word: word}, required=True)


def _reader(clean: str) -> Callable[[str], str]:
    """Reads a text with this function of `names`, which is loaded when somebody gives a name."""

    def read(text: str) -> str:
        try:
            cleaned: str = getattr(names, clean)(text)
        except Malformed as failure:
            raise ValidationError(fault(failure.code, **failure.params)) from None
        return cleaned

    return read


def name() -> Text:
    return Text(
        read=_reader("clean_name"),
        metadata={
            "description": "1 to 24 characters (code points) and at most 72 bytes of UTF-8, in any script, emoji too, "
            "by the Nickname profile of RFC 8266: trimmed, in NFKC, with something that can be seen, and nothing that "
            "controls the text. Names that read as a bot or as the game itself are refused.",
            "minLength": 1,
        },
    )


def locale() -> Text:
    return Text(
        pattern=LOCALE,
        longest=35,
        read=_canonical,
        metadata={"description": "The language that your app speaks, as a BCP 47 tag: `hi`, `pa-Guru-IN`."},
    )


def _canonical(tag: str) -> str:
    """A language tag in the usual case (RFC 5646 §2.1.1)."""
    language, *subtags = tag.lower().split("-")
    single = next((at for at, subtag in enumerate(subtags) if len(subtag) == 1), len(subtags))
    for at, subtag in enumerate(subtags[:single]):
        subtags[at] = {2: subtag.upper(), 4: subtag.title()}.get(len(subtag), subtag)
    return "-".join([language, *subtags])


def device_name() -> Text:
    return Text(
        read=_reader("clean_device_name"),
        metadata={
            "description": "What you call this device in `listSessions`: 1 to 64 characters, such as its model.",
            "minLength": 1,
        },
    )


def client_nonce() -> Text:
    return Text(
        pattern=NONCE,
        required=True,
        metadata={
            "description": "Drawn at random for this request, and stored before it is sent: with it a request whose "
            "answer was lost can be repeated. 16 to 64 characters of A-Z, a-z, 0-9, _ and -."
        },
    )


class NewGuest(Body):
    """A guest who comes in: no e-mail, no password."""

    name = name()
    locale = locale()
    device_name = device_name()


class Profile(Body):
    """What a player may change of themselves. What is left out stays as it is."""

    name = name()
    locale = locale()


class RefreshGrant(Body):
    """A device that goes on: its refresh token for a new pair of tokens."""

    type = kind("refresh")
    refresh_token = Text(required=True, longest=512)
    client_nonce = client_nonce()


class TransferGrant(Body):
    """A new device: a code that another one asked for."""

    type = kind("transfer")
    code = code(required=True)
    client_nonce = client_nonce()
    device_name = device_name()


class RecoveryGrant(Body):
    """The way back in: the account's recovery code. All other devices are signed out."""

    type = kind("recovery")
    code = code(required=True)
    client_nonce = client_nonce()
    device_name = device_name()


class TokenRequest(OneOf):
    """How a device gets its tokens."""

    component = "TokenRequest"
    members: ClassVar = {"refresh": RefreshGrant, "transfer": TransferGrant, "recovery": RecoveryGrant}


class _Seating(Body):
    @classmethod
    def read(cls, value: Any) -> Any:
        members = super().read(value)
        return SeatRequest(members["type"], members.get("level"))


class SeatForMe(_Seating):
    """You sit here: exactly one seat must be yours."""

    type = kind("human")


class SeatLeftEmpty(_Seating):
    """Somebody with the invite code may sit here."""

    type = kind("empty")


class SeatForBot(_Seating):
    """A bot sits here."""

    type = kind("bot")
    level = level()


class SeatSetup(OneOf):
    """Who sits on a seat of a new match."""

    component = "SeatSetup"
    members: ClassVar = {"human": SeatForMe, "empty": SeatLeftEmpty, "bot": SeatForBot}


class SeatSetups(Body):
    """Seat by seat; a seat left out is empty."""

    north = Either(SeatSetup)
    east = Either(SeatSetup)
    south = Either(SeatSetup)
    west = Either(SeatSetup)


class MatchSetup(Body):
    """A new match. All of it may be left out: `{}` starts a solo match at once, you north and bots elsewhere."""

    deals = Whole(minimum=1, maximum=MAX_DEALS, metadata={"description": "How many deals (R4).", "default": 4})
    after_bank = Choice("AfterBank", {word.value: word for word in AfterBank}, metadata={"default": "fresh"})
    turn_seconds = Whole(
        minimum=SHORTEST_TURN,
        maximum=LONGEST_TURN,
        metadata={
            "description": "Seconds a player has for a move before it is made for them. "
            "Left out: a day where more than one human plays, and no clock where only one does."
        },
    )
    start = Choice("StartRule", {word.value: word for word in Start}, metadata={"default": "when_full"})
    spectators = Truth(metadata={"description": "Whether anybody may watch (without hands).", "default": False})
    take_over = Truth(
        metadata={"description": "Whether a friend may take a bot's seat once cards are dealt.", "default": False}
    )
    hints = Truth(metadata={"description": "Whether players may ask for hints.", "default": True})
    seats = Part(SeatSetups)
    client_seed = client_seed()

    @classmethod
    def read(cls, value: Any) -> Any:
        members = super().read(value)
        seats = members.pop("seats", None)
        if seats is not None:
            members["seats"] = {SEAT_WORDS[word]: seat for word, seat in seats.items()}
        return NewMatch(**members, digest=request_digest(value))


class ChallengeSetup(Body):
    """A challenge to others."""

    match_id = Text(pattern=ID, required=True, metadata={"description": "The match that you have finished."})


class RematchSetup(Body):
    """Playing again. It may be left out."""

    client_seed = client_seed()


class StartSetup(Body):
    """Starting. It may be left out."""

    client_seed = client_seed()


class SitMyself(Body):
    """You sit here, move here before the start, or come back."""

    type = kind("human")
    code = code()
    client_seed = client_seed()


class SitBot(Body):
    """The host seats a bot here."""

    type = kind("bot")
    level = level()


class SeatClaim(OneOf):
    """Who takes a seat."""

    component = "SeatClaim"
    members: ClassVar = {"human": SitMyself, "bot": SitBot}


class CallMove(Body):
    """Call a number of tricks in the auction."""

    type = kind("call")
    number = Whole(minimum=LOWEST_CALL, maximum=HIGHEST_CALL, required=True)

    @classmethod
    def read(cls, value: Any) -> Move:
        return Call(super().read(value)["number"])


class PassMove(Body):
    """Pass in the auction."""

    type = kind("pass")

    @classmethod
    def read(cls, value: Any) -> Move:
        super().read(value)
        return Pass()


class SerMove(Body):
    """Name the ser (trump)."""

    type = kind("ser")
    suit = Choice("Suit", {suit.text: suit for suit in SUITS}, required=True)

    @classmethod
    def read(cls, value: Any) -> Move:
        return Ser(super().read(value)["suit"])


class PlayMove(Body):
    """Play a card."""

    type = kind("play")
    card = Text(pattern=CARD, read=Card.parse, component="Card", required=True)

    @classmethod
    def read(cls, value: Any) -> Move:
        return Play(super().read(value)["card"])


class MoveRequest(OneOf):
    """A move. `legal_moves` of a view holds whole ones, ready to be sent."""

    component = "Move"
    members: ClassVar[Mapping[str, type[Body]]] = {
        "call": CallMove,
        "pass": PassMove,
        "ser": SerMove,
        "play": PlayMove,
    }

    @classmethod
    def read(cls, value: Any) -> Move:
        # A move as `legal_moves` has it is known at once: to check it field by field takes 2 % of a move's time.
        return _KNOWN_MOVES.get(repr(value)) or super().read(value)


_KNOWN_MOVES = {repr(body): move for body, move in zip(MOVE_BODY, MOVES, strict=True)}
