"""Making moves."""

from __future__ import annotations

from chalicelib.api.endpoints.matches import updated
from chalicelib.api.http import Answer, Request


def make_move(request: Request) -> Answer:
    """Make the move of this number.

    `move_number` is the `next_move` of the view you decided on, and the body one of its `legal_moves`. Bots' moves, and
    moves that are forced for all to see, follow in the same answer, as events that you can animate one by one.

    Repeat it as often as you like: the same move at the same number is made once, and every repetition answers 200. A
    number that holds another move is 409 `move_already_made`, one beyond the next 409 `move_out_of_order`; both
    carry `current`, your view as it is now.
    """
    from chalicelib.service.play import moves

    path = request.path
    return updated(moves.make(request.services, request.player_id, path["match_id"], path["move_number"], request.body))


def get_hint(request: Request) -> Answer:
    """Ask what to do.

    On your turn: the move that the strongest bot would make from what your seat can see, ready to be sent, and why, as
    a `code` with `params` that an app can say in its own language. Asked
    for again before the move, it is the same.
    """
    from chalicelib.api.present_hint import HINT
    from chalicelib.service.play import hints

    return Answer(HINT(hints.hint(request.services, request.player_id, request.path["match_id"])))
