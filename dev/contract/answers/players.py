"""Players, devices and tokens."""

from __future__ import annotations

from dev.contract import shapes as a


class PlayerRef(a.Answer):
    """A player as others know them: `id` and `name`, or `deleted` alone for an account that is gone."""

    id = a.text(required=False)
    name = a.text(required=False)
    deleted = a.truth("Only there, and true, when the account is deleted.", required=False)


class Me(a.Answer):
    """My profile."""

    id = a.text()
    name = a.text()
    created_at = a.moment()


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


class ExportedDevice(a.Answer):
    """One device that is, or was, signed in."""

    session_id = a.text()
    created_at = a.moment()
    used_at = a.moment("When it last got new tokens.")
    revoked = a.truth()


class ExportedMatch(a.Answer):
    """A match that the player is, or was, one of."""

    match_id = a.text()
    seat = a.seat_name(required=False)
    client_seed = a.seed(required=False)
    status = a.status(required=False)
    created_at = a.moment(required=False)


class Export(a.Answer):
    """Everything that is kept about a player."""

    player = a.part(Me)
    devices = a.each(ExportedDevice)
    matches = a.each(ExportedMatch)
