"""Players, their devices and tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chalicelib.api import cursors
from chalicelib.api.http import Answer, Request
from chalicelib.api.present_people import (
    DEVICE_SESSIONS,
    ME,
    PLAYER_EXPORT,
    RECOVERY_CODE,
    SIGN_IN,
    TRANSFER_CODE,
    SignedIn,
)
from chalicelib.service.people import accounts, codes, devices

if TYPE_CHECKING:
    from chalicelib.service.people.devices import Grant


def _granted(request: Request, grant: Grant) -> Answer:
    access_token = request.keys.issue(grant.player.id, grant.session_id, request.services.now())
    return Answer(SIGN_IN(SignedIn(grant.player, access_token, request.keys.lifetime, grant.refresh_token)))


def create_player(request: Request) -> Answer:
    """Sign up as a guest.

    No e-mail, no password: store the tokens. A name can be given now, later or never. Repeating it makes another guest.
    """
    return _granted(request, accounts.sign_up(request.services, **request.body))


def create_tokens(request: Request) -> Answer:
    """Get new tokens, with a refresh token, a transfer code or the recovery code.

    A refresh token is good once. Draw a new `client_nonce` each time, store it, send both; store the new tokens before
    using them. If the answer was lost, send the same again and get the same successor. A token that was exchanged
    already, sent with another nonce more than a minute later, is a stolen copy: its device is signed out, and those
    that it has signed in by transfer codes. A recovery code signs all other devices out, and stays good.
    """
    grant, nonce = request.body, request.body["client_nonce"]
    if grant["type"] == "refresh":
        return _granted(request, devices.refresh(request.services, grant["refresh_token"], nonce, request.admit))
    sign_in = codes.transfer if grant["type"] == "transfer" else codes.recover
    return _granted(request, sign_in(request.services, grant["code"], nonce, grant.get("device_name", "")))


def create_transfer_code(request: Request) -> Answer:
    """Get a code that signs another device in, or this one after reinstalling.

    It is good for ten minutes, for one device, and while this device is signed in. Repeating it makes another code.
    """
    return Answer(TRANSFER_CODE(codes.transfer_code(request.services, request.player_id, request.session_id)))


def create_recovery_code(request: Request) -> Answer:
    """Get a recovery code, the way back in when all devices are lost.

    It is shown only this once, for the player to write down, and is valid until the next one is made. Repeating it
    makes another code.
    """
    return Answer(RECOVERY_CODE(codes.recovery_code(request.services, request.player_id)))


def list_sessions(request: Request) -> Answer:
    """See the devices that are signed in, by the day of their last use."""
    sessions = devices.list_sessions(request.services, request.player_id)
    current = request.session_id
    return Answer(DEVICE_SESSIONS([(session, session.id == current) for session in sessions]))


def delete_session(request: Request) -> Answer:
    """Sign this device out. Repeating it changes nothing."""
    devices.sign_out(request.services, request.player_id, request.session_id)
    return Answer(None)


def delete_session_by_id(request: Request) -> Answer:
    """Sign one of my devices out. Repeating it changes nothing."""
    devices.sign_out(request.services, request.player_id, request.path["session_id"])
    return Answer(None)


def delete_other_sessions(request: Request) -> Answer:
    """Sign all my other devices out. Repeating it changes nothing."""
    devices.sign_others_out(request.services, request.player_id, request.session_id)
    return Answer(None)


def get_me(request: Request) -> Answer:
    """See my profile."""
    return Answer(ME(accounts.read_player(request.services, request.player_id)))


def update_me(request: Request) -> Answer:
    """Change my name, in running matches too, or my app's language.

    At many tables it takes some minutes to reach all of them.
    """
    if "locale" in request.body:
        accounts.set_locale(request.services, request.player_id, request.body["locale"])
    if "name" in request.body:
        accounts.rename(request.services, request.player_id, request.body["name"])
    return Answer(ME(accounts.read_player(request.services, request.player_id)))


def delete_me(request: Request) -> Answer:
    """Delete my account.

    Seats go to bots, and others see `{"deleted": true}` where your name was. It cannot be undone; repeating it changes
    nothing.

    All devices are signed out in its first write; then your matches follow one by one. If that is cut short (503), the
    others of them still name you until you repeat it or the sweep goes on with it, mostly within a minute. An access
    token goes on reading until it ends, 15 minutes at most, and moving at a match in which the seat is still yours.
    """
    accounts.delete_player(request.services, request.player_id)
    return Answer(None)


def export_me(request: Request) -> Answer:
    """Get everything that is stored about me.

    Matches come a hundred at a time at most, in no particular order: there are more if `next_cursor` is there.
    Everything else is on every page.
    """
    cursor = request.query["cursor"]
    after = cursors.read(request.keys, request.player_id, cursor)[1] if cursor is not None else None
    page = accounts.export(request.services, request.player_id, after)
    next_cursor = None if page.after is None else cursors.write(request.keys, request.player_id, (0, page.after))
    return Answer(PLAYER_EXPORT(page.content | {"next_cursor": next_cursor}))
