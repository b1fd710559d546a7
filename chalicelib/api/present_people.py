"""Players, devices and tokens as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from chalicelib.api import shapes as a
from chalicelib.api.shapes import Shape, always, item, perhaps
from chalicelib.service.people.devices import day_used

if TYPE_CHECKING:
    from chalicelib.service.ports import Player, Session


class SignedIn(NamedTuple):
    """Who has come in, and the tokens to go on with."""

    player: Player
    access_token: str
    expires_in: int
    refresh_token: str


def _day_used(session: Session) -> int:
    return day_used(session)


ME = Shape(
    "Me",
    "My profile.",
    always("id", a.text()),
    perhaps("name", a.text(), lambda player: player.name or None),
    perhaps(
        "locale", a.text("The language of the player's app, as a BCP 47 tag."), lambda player: player.locale or None
    ),
    always("created_at", a.moment()),
    perhaps("recovery_code_at", a.moment("When the recovery code was made; left out if there is none."), "recovery_at"),
)
TOKENS = Shape(
    "Tokens",
    "What a device signs in with.",
    always("access_token", a.text("For the header `Authorization: Bearer …`.")),
    always("token_type", a.text("Always `Bearer`."), lambda _signed_in: "Bearer"),
    always("expires_in", a.whole("Seconds that the access token is good for.")),
    always("refresh_token", a.text("For new tokens (`createTokens`). Keep it where the system keeps secrets.")),
)
SIGN_IN = Shape(
    "SignIn",
    "The player, and the device's tokens.",
    always("player", a.part(ME)),
    always("tokens", a.part(TOKENS), lambda signed_in: signed_in),
)
"""Of a SignedIn."""
TRANSFER_CODE = Shape(
    "TransferCode",
    "Signs another device in.",
    always("code", a.text("To be typed on the other device. Case, spaces and hyphens do not matter."), 0),
    always("expires_at", a.moment(), 1),
)
RECOVERY_CODE = Shape(
    "RecoveryCode",
    "Gets you back in when all devices are lost.",
    always(
        "code",
        a.text("To be written down: show it in groups of four. Case, spaces and hyphens do not matter."),
        str,
    ),
)
_USED_AT = a.moment("The day (UTC) on which it last got new tokens, as its midnight, or when it signed in.")
DEVICE_SESSION = Shape(
    "DeviceSession",
    "One of my devices.",
    always("id", a.text(), lambda seen: seen[0].id),
    perhaps("name", a.text("The `device_name` that it signed in with."), lambda seen: seen[0].name or None),
    always("created_at", a.moment("When it signed in."), lambda seen: seen[0].created_at),
    always("used_at", _USED_AT, lambda seen: _day_used(seen[0])),
    always("current", a.truth("Whether it is the device that made this request."), 1),
)
"""Of a session and whether it is the caller's."""
DEVICE_SESSIONS = Shape(
    "DeviceSessions",
    "The devices that are signed in, 16 at most.",
    always("items", a.each(DEVICE_SESSION), lambda devices: devices),
)
EXPORTED_DEVICE = Shape(
    "ExportedDevice",
    "One device that is signed in.",
    always("session_id", a.text(), item("session_id")),
    perhaps("name", a.text(), item("name")),
    always("created_at", a.moment(), item("created_at")),
    always("used_at", _USED_AT, item("used_at")),
)
EXPORTED_MATCH = Shape(
    "ExportedMatch",
    "A match that the player sits or sat at.",
    always("match_id", a.text(), item("match_id")),
    perhaps("seat", a.word("SeatName"), item("seat")),
    always(
        "standing",
        a.text(
            "`member`: sits there, or left while cards were played; `gone`: left or declined before the start; "
            "`barred`: sent away by the host."
        ),
        item("standing"),
    ),
    perhaps("client_seed", a.word("ClientSeed"), item("client_seed")),
    perhaps(
        "deal_set_id", a.text("The set that it is an entry of, or that the player has made of it."), item("deal_set_id")
    ),
    perhaps("challenge_code", a.text("Of the set that the player has made."), item("challenge_code")),
    perhaps("status", a.word("MatchStatus"), item("status")),
    perhaps("created_at", a.moment(), item("created_at")),
)
_EXPORTED_ME = Shape(ME.name, ME.description, *(member._replace(of=item(member.name)) for member in ME.members))
PLAYER_EXPORT = Shape(
    "PlayerExport",
    "Everything stored about a player.",
    always("player", a.part(_EXPORTED_ME), item("player")),
    always("devices", a.each(EXPORTED_DEVICE), item("devices")),
    always("offers", a.many(a.text(), "Matches in which a seat is reserved for me, newest first."), item("offers")),
    always("matches", a.each(EXPORTED_MATCH), item("matches")),
    perhaps(
        "next_cursor", a.text("Only if there are more matches: the `cursor` of the next page."), item("next_cursor")
    ),
)
