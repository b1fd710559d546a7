"""Taking seats, leaving them, and starting."""

from __future__ import annotations

from chalicelib.api.endpoints.matches import updated
from chalicelib.api.http import Answer, Request
from chalicelib.match.transition import DEFAULT_LEVEL
from chalicelib.service.tables import leaving, seats


def take_seat(request: Request) -> Answer:
    """Take a seat, move to another before the start, come back to your own, or (the host) seat a bot.

    Whoever has not been at the table yet needs its invite `code`, or an invitation. Once cards are dealt an account can
    only ever hold the one seat it had. Taking the seat you have changes nothing, even when the match is over, so this
    can be repeated. Before the start it may bring another `client_seed`: the events tell `seat_taken` of the same seat
    once more.
    """
    services, path, claim = request.services, request.path, request.body
    if claim["type"] == "bot":
        level = claim.get("level", DEFAULT_LEVEL)
        return updated(seats.seat_bot(services, request.player_id, path["match_id"], path["seat"], level))
    code, client_seed = claim.get("code"), claim.get("client_seed")
    return updated(seats.sit(services, request.player_id, path["match_id"], path["seat"], code, client_seed))


def leave_seat(request: Request) -> Answer:
    """Leave a seat for good, decline one that is kept for you, or (the host, before the start) free somebody's.

    While cards are played a bot takes over, and the leaver may go on watching. Whoever leaves before the start may see
    the table no more (unless anybody may): their answer has no `match`. Whom the host sends away cannot come back to
    the table (`removed_by_host`), and `invite.code` is another one from then on: the old one leads nowhere. Once cards
    are dealt the host can free nobody's seat (`match_not_waiting`). Repeating it changes nothing.

    If the host leaves, the next human in order of play is the host, those who are away only if all are
    (`host_changed`).
    """
    left = leaving.leave(request.services, request.player_id, request.path["match_id"], request.path["seat"])
    return Answer({"events": []}) if left is None else updated(left)


def start_match(request: Request) -> Answer:
    """Start now, with bots on empty seats.

    The host's to say. A match that is being played already stays as it is, so this can be repeated. A `client_seed`
    that comes with it is the host's from then on: nobody can send one after it, so the host has the last word in the
    shuffle.
    """
    client_seed = request.body.get("client_seed")
    return updated(seats.start(request.services, request.player_id, request.path["match_id"], client_seed))
