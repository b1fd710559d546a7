"""Players, devices and tokens."""

from __future__ import annotations

from dev.contract import shapes as a


class PlayerRef(a.Answer):
    """A player as others know them: `id`, and `name` if there is one; or `deleted` alone where the account is gone."""

    id = a.text(required=False)
    name = a.text('Left out for a player without one: say "a guest" in your app\'s language.', required=False)
    deleted = a.truth("Only there, and true, when the account is deleted.", required=False)


class Me(a.Answer):
    """My profile."""

    id = a.text()
    name = a.text(required=False)
    locale = a.text("The language of the player's app, as a BCP 47 tag.", required=False)
    created_at = a.moment()
    recovery_code_at = a.moment("When the recovery code was made; left out while there is none.", required=False)


class Tokens(a.Answer):
    """What a device signs in with."""

    access_token = a.text("For the header `Authorization: Bearer …`.")
    token_type = a.text("Always `Bearer`.")
    expires_in = a.whole("Seconds that the access token is good for.")
    refresh_token = a.text("For new tokens (`createTokens`). Keep it where the system keeps secrets.")


class SignIn(a.Answer):
    """Who has come in, and the tokens to go on with."""

    player = a.part(Me)
    tokens = a.part(Tokens)


class TransferCode(a.Answer):
    """Signs one more device in."""

    code = a.text("To be typed on the other device; small letters, spaces and hyphens do not matter.")
    expires_at = a.moment()


class RecoveryCode(a.Answer):
    """The way back in."""

    code = a.text("To be written down. Show it in groups of four; small letters, spaces and hyphens do not matter.")


class DeviceSession(a.Answer):
    """One of my devices."""

    id = a.text()
    name = a.text("As it was called when it signed in (`device_name`).", required=False)
    created_at = a.moment("When it signed in.")
    used_at = a.moment("The day (UTC) on which it last got new tokens, as its midnight, or when it signed in.")
    current = a.truth("Whether it is the device that asks.")


class DeviceSessions(a.Answer):
    """The devices that are signed in, 16 at most."""

    items = a.each(DeviceSession)


class ExportedDevice(a.Answer):
    """One device that is signed in."""

    session_id = a.text()
    name = a.text(required=False)
    created_at = a.moment()
    used_at = a.moment("The day (UTC) on which it last got new tokens, as its midnight, or when it signed in.")


class ExportedMatch(a.Answer):
    """A match that the player is, or was, one of."""

    match_id = a.text()
    seat = a.seat_name(required=False)
    standing = a.text(
        "`member`: sits there, or left while cards were played; `gone`: left or declined before the start; `barred`: "
        "sent away by the host."
    )
    client_seed = a.seed(required=False)
    set_id = a.text("The set that it is an entry of, or that the player has made of it.", required=False)
    challenge_code = a.text("Of the set that the player has made.", required=False)
    status = a.status(required=False)
    created_at = a.moment(required=False)


class PlayerExport(a.Answer):
    """Everything that is kept about a player."""

    player = a.part(Me)
    devices = a.each(ExportedDevice)
    offers = a.many(a.text(), "Matches in which a seat is kept for me, the newest first.")
    matches = a.each(ExportedMatch)
    next_cursor = a.text("Only there if there are more matches: the next page's `cursor`.", required=False)
