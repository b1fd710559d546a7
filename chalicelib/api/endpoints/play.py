"""Making moves."""

from __future__ import annotations

from chalicelib.api.endpoints.matches import updated
from chalicelib.api.http import Answer, Request
from chalicelib.service.play import moves


def make_move(request: Request) -> Answer:
    """Make the move of this number.

    `move_number` is the `next_move` of the view you decided on, and the body one of its `legal_moves`. Bots' moves, and
    moves that are forced for all to see, follow in the same answer, as events that you can animate one by one.

    Repeat it as often as you like: the same move with the same number is made once, and every repetition is answered
    with 200. If another move was made with that number, the answer is 409 `move_already_made`; a number beyond the next
    one is 409 `move_out_of_order`. Both carry `current`, your view as it is now.
    """
    path = request.path
    return updated(moves.make(request.services, request.player_id, path["match_id"], path["move_number"], request.body))


def get_hint(request: Request) -> Answer:
    """Get a hint.

    On your turn: the move that the strongest bot would make from what your seat can see, ready to send, and the reason,
    as a `code` with `params` for your app's own language. Until you move, the hint stays the same.
    """
    # These import the bots: 7 ms, which a cold start among people does without.
    from chalicelib.api.present_hint import HINT
    from chalicelib.service.play import hints

    return Answer(HINT(hints.hint(request.services, request.player_id, request.path["match_id"])))
