"""Players, their devices and tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from chalicelib.api import auth
from chalicelib.api.http import Answer, Request
from chalicelib.api.present import Json, moment

if TYPE_CHECKING:
    from chalicelib.service.devices import Grant
    from chalicelib.service.ports import Player


def _granted(request: Request, grant: Grant) -> Answer:
    tokens = {
        "access_token": auth.issue(grant.player.id, grant.session_id, request.house.now()),
        "token_type": "Bearer",
        "expires_in": auth.LIFETIME,
        "refresh_token": grant.refresh_token,
    }
    return Answer({"player": _me(grant.player), "tokens": tokens})


def _me(player: Player) -> Json:
    return {"id": player.id, "name": player.name, "created_at": moment(player.created_at)}


def create_player(request: Request) -> Answer:
    """Come in as a guest.

    No e-mail, no password: keep the tokens. A name may be given now or later. Repeating it makes another guest.
    """
    from chalicelib.service import accounts

    return _granted(request, accounts.sign_up(request.house, request.body.get("name")))


def create_tokens(request: Request) -> Answer:
    """Get new tokens, with a refresh token or with a transfer code.

    A refresh token is good once: store the new one before using it. If the answer was lost, ask again with the same
    token and get the same successor; a token whose successor has been used already signs the device out.
    """
    from chalicelib.service import devices

    asked = request.body
    if asked["type"] == "refresh":
        return _granted(request, devices.refresh(request.house, asked["refresh_token"]))
    return _granted(request, devices.exchange(request.house, asked["code"]))


def create_transfer_code(request: Request) -> Answer:
    """Get a code that signs another device in, or this one after reinstalling.

    It is good for ten minutes, and for one device. Repeating it makes another code.
    """
    from chalicelib.service import devices

    code, expires_at = devices.transfer_code(request.house, request.player_id, request.session_id)
    return Answer({"code": code, "expires_at": moment(expires_at)})


def sign_out(request: Request) -> Answer:
    """Sign this device out. Repeating it changes nothing."""
    from chalicelib.service import devices

    devices.sign_out(request.house, request.player_id, request.session_id)
    return Answer(None)


def get_me(request: Request) -> Answer:
    """See my profile."""
    from chalicelib.service import accounts

    return Answer(_me(accounts.read_player(request.house, request.player_id)))


def update_me(request: Request) -> Answer:
    """Change my name, in running matches too."""
    from chalicelib.service import accounts

    return Answer(_me(accounts.rename(request.house, request.player_id, request.body["name"])))


def delete_me(request: Request) -> Answer:
    """Delete my account.

    Seats go to bots, and others see `{"deleted": true}` where your name was. It cannot be undone; repeating it changes
    nothing.
    """
    from chalicelib.service import accounts

    accounts.delete_player(request.house, request.player_id)
    return Answer(None)


def export_me(request: Request) -> Answer:
    """Get everything that is kept about me."""
    from chalicelib.service import accounts

    return Answer(_with_moments(accounts.export(request.house, request.player_id)))


def _with_moments(told: Any) -> Any:
    """The same with times in the API's form, wherever they are."""
    if isinstance(told, dict):
        return {
            name: moment(inner) if name.endswith("_at") else _with_moments(inner)
            for name, inner in told.items()
            if inner is not None
        }
    return [_with_moments(inner) for inner in told] if isinstance(told, list) else told
