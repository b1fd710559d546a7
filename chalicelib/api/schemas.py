"""What requests hold: bodies, path and query parameters. The contract is generated from these very schemas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from marshmallow import ValidationError

from chalicelib.api.fields import Body, Choice, Either, OneOf, Part, Text, Truth, Whole, fault
from chalicelib.engine import HIGHEST_CALL, LOWEST_CALL, SEATS, SUITS, AfterBank, Call, Card, Pass, Play, Ser
from chalicelib.service.errors import Malformed
from chalicelib.service.model import MAX_DEALS, Start, Status

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chalicelib.engine import Move

LEVELS = ("easy", "steady", "sharp")
"""The bots' levels, weakest first, as the contract promises them."""
SHORTEST_TURN, LONGEST_TURN = 60, 14 * 24 * 60 * 60
SEAT_WORDS = {seat.text: seat for seat in SEATS}
STATUS_WORDS = {status.value: status for status in Status}
CARD = "^[2-9TJQKA][SHDC]$"
CLIENT_SEED = "^[0-9a-f]{0,32}$"
CODE = "^[0-9A-Za-z][0-9A-Za-z -]{0,30}[0-9A-Za-z]$"


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


def invite_code(**kwargs: Any) -> Text:
    return Text(
        pattern=CODE,
        metadata={"description": "The code as it was told; small letters, spaces and hyphens do not matter."},
        **kwargs,
    )


def kind(word: str) -> Choice:
    """The `type` of one member of a union."""
    return Choice("", {word: word}, required=True)


def _name(text: str) -> str:
    from chalicelib.service.accounts import clean_name

    try:
        return clean_name(text)
    except Malformed as failure:
        raise ValidationError(fault(failure.code, **failure.params)) from None


def name(**kwargs: Any) -> Text:
    return Text(
        read=_name,
        metadata={
            "description": "1 to 24 characters (code points) and at most 72 bytes of UTF-8, in any script; none that "
            "controls the text. It is trimmed and kept in Unicode's NFC.",
            "minLength": 1,
        },
        **kwargs,
    )


class NewGuest(Body):
    """A guest who comes in: no e-mail, no password."""

    name = name()


class Profile(Body):
    """What a player may change of themselves."""

    name = name(required=True)


class RefreshGrant(Body):
    """A device that goes on: its refresh token for a new pair of tokens."""

    type = kind("refresh")
    refresh_token = Text(required=True, longest=512)


class TransferGrant(Body):
    """A new device: a code that another one asked for."""

    type = kind("transfer")
    code = Text(required=True, longest=64)


class TokenRequest(OneOf):
    """How a device gets its tokens."""

    component = "TokenRequest"
    members: ClassVar = {"refresh": RefreshGrant, "transfer": TransferGrant}


class _Seating(Body):
    @classmethod
    def read(cls, value: Any) -> Any:
        found = super().read(value)
        from chalicelib.service.matches import SeatRequest

        return SeatRequest(found["type"], found.get("level"))


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
        found = super().read(value)
        seats = found.pop("seats", None)
        if seats is not None:
            found["seats"] = {SEAT_WORDS[word]: asked for word, asked in seats.items()}
        from chalicelib.service.matches import NewMatch, request_digest

        return NewMatch(**found, digest=request_digest(value))


class RematchSetup(Body):
    """Playing again. It may be left out."""

    client_seed = client_seed()


class SitMyself(Body):
    """You sit here, move here before the start, or come back."""

    type = kind("human")
    code = invite_code()
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
