"""Making matches, seeing them, and what friends see before they join."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chalicelib.api import cursors, present
from chalicelib.api.http import Answer, Request
from chalicelib.service.tables import invites, lists, matches, rematch

if TYPE_CHECKING:
    from chalicelib.match.view import Outcome


def updated(outcome: Outcome) -> Answer:
    """A MatchUpdate with the view's ETag."""
    return Answer(present.MATCH_UPDATE(outcome), {"ETag": outcome.view.etag})


def created(outcome: Outcome) -> Answer:
    """A MatchUpdate of a new match, and where it is."""
    headers = {"ETag": outcome.view.etag, "Location": f"matches/{outcome.view.id}"}
    return Answer(present.MATCH_UPDATE(outcome), headers)


def create_match(request: Request) -> Answer:
    """Make a match.

    An empty body `{}` starts a solo match at once: you north, bots elsewhere. To play with friends, leave seats `empty`
    and share `invite.code`; the match starts when the last seat is taken, or when you start it.

    With an `Idempotency-Key` it can be repeated: the same key and body return the first request's match as it is now,
    and a different body with the same key is refused (`idempotency_key_reused`). Bodies are the same if they have the
    same members with the same values: `{}` and `{"deals": 4}` differ, though they ask for the same match.

    A match that has not started after seven days is abandoned within a minute or so. Until then its host can still
    start it.
    """
    return created(matches.create(request.services, request.player_id, request.body, request.key))


def list_matches(request: Request) -> Answer:
    """List my matches, newest first.

    Those you sit at, and those you left while cards were played, until somebody takes over your seat; with `status`,
    only those with that status. A match abandoned before cards were dealt is in nobody's list. A page can have fewer
    items than `limit`, even none: there is more exactly when `next_cursor` is there.
    """
    query = request.query
    after = cursors.read(request.keys, request.player_id, query["cursor"]) if query["cursor"] is not None else None
    page = lists.list_mine(request.services, request.player_id, query["status"], query["limit"], after)
    next_cursor = None if page.after is None else cursors.write(request.keys, request.player_id, page.after)
    return Answer(present.MATCH_PAGE((page.items, next_cursor)))


def get_match(request: Request) -> Answer:
    """See a match.

    Your view: your hand and nobody else's. If `spectators` is true, anybody can see the match, without hands. The ETag
    changes whenever your view does (except for `poll_after_seconds`, which depends on the time); send it as
    `If-None-Match`, and an unchanged match is an empty 304. The view has the last finished trick; all of them are in
    the events, or here with `tricks=true`.
    """
    view, tricks = matches.read(request.services, request.player_id, request.path["match_id"]), request.query["tricks"]
    etag = view.etag.replace('"', '"t', 1) if tricks else view.etag  # with all tricks it is another answer
    return Answer(present.match(view, tricks=tricks), {"ETag": etag})


def list_turns(request: Request) -> Answer:
    """List what is waiting for me: one cheap call for a badge.

    `items` are the matches with other people in which it is your turn, or that stand still because everybody is away
    (`stands_still`), nearest deadline first. `offers` are rematches in which a seat is reserved for you, newest first,
    20 at most. `count` counts both.

    An offer costs you nothing, neither a place in your list nor one of your 50 matches, until you sit down: with PUT on
    its `seat`, or by asking for the same rematch. DELETE on the seat declines it. It ends when the match starts without
    you or is given up, a week after it was made at the latest (`expires_at`).
    """
    return Answer(present.TURNS(lists.my_turns(request.services, request.player_id)))


def get_invite(request: Request) -> Answer:
    """See what an invite code leads to, before joining.

    `free_seats` are those that you can take. There may be none just now: the code is good while the match waits, and
    where it has `take_over` until it is over.
    """
    return Answer(present.INVITATION(invites.look_up_invite(request.services, request.path["code"])))


def create_rematch(request: Request) -> Answer:
    """Play again: the same people, asked to the same seats.

    A new match, made once: whoever asks first makes it, and everybody else's asking (or a repetition) finds it. Only
    one that was given up before cards were dealt makes room for another. Asking again with another `client_seed`
    changes yours, until cards are dealt.

    Those who are asked have a seat of type `invited` until they take it, ask for the rematch too, or decline it (DELETE
    on the seat); `GET /v1/me/turns` tells them of it. The match starts when all seats are taken, or where its `start`
    is `by_host` when the host says so. Asking after having declined takes a seat again, as long as one is free; when
    none is (`seat_taken`), or the others have started (`match_not_waiting`), it is 409.
    """
    match_id, client_seed = request.path["match_id"], request.body.get("client_seed")
    return created(rematch.rematch(request.services, request.player_id, match_id, client_seed))
