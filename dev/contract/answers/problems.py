"""Errors, and what the service says of itself."""

from __future__ import annotations

from dev.contract import shapes as a
from dev.contract.answers.matches import MatchView


class Health(a.Answer):
    """The API is there."""

    status = a.text("`ok`.")


class ProblemParams(a.Answer):
    """What an app needs to say a problem in its own language: the members that its `code` has, and no others."""

    reason = a.text("What the JSON is not.", required=False)
    allowed = a.many(a.text(), "Methods or media types.", required=False)
    maximum = a.whole("Bytes.", required=False)
    minimum = a.whole("The lowest call that is left.", 7, 13, required=False)
    move_number = a.whole("The number of the move that was sent.", 1, required=False)
    next_move = a.whole("The number of the next move.", 1, required=False)
    seat = a.seat_name(required=False)
    turn = a.seat_name("Whose turn it is.", required=False)
    seats = a.whole("How many seats were to be yours.", required=False)
    most = a.whole("How many there may be: matches, devices or changes of seats, as the `code` says.", required=False)
    version = a.whole("Where the match is.", required=False)
    retry_after_seconds = a.whole("How long to wait before trying again.", required=False)
    card = a.card(required=False)
    suit = a.suit("The suit that was led.", required=False)


class DetailParams(a.Answer):
    """What an app needs to say what is wrong with one member or parameter."""

    expected = a.text("The JSON type that it must have.", required=False)
    allowed = a.many(a.text(), "The words that it may be.", required=False)
    minimum = a.whole(None, required=False)
    maximum = a.whole(None, required=False)
    pattern = a.text("The regular expression that it must match.", required=False)
    most_code_points = a.whole(None, required=False)
    most_bytes = a.whole(None, required=False)


class ProblemDetail(a.Answer):
    """What is wrong with one member of the body (`pointer`) or with one parameter (`parameter`)."""

    pointer = a.text("JSON Pointer (RFC 6901) into the body; empty for the whole.", required=False)
    parameter = a.text("The parameter's or header's name.", required=False)
    code = a.text("Stable: what an app goes by.")
    params = a.part(DetailParams)


class Problem(a.Answer):
    """An error (RFC 9457). An app goes by `code` and `params`; `title` and `detail` are for developers."""

    type = a.text("Names the kind of problem; leads nowhere.")
    title = a.text()
    status = a.whole(None, 400, 599)
    detail = a.text()
    code = a.text("Stable: what an app goes by.")
    params = a.part(ProblemParams)
    request_id = a.text("Tell it when you report a fault.")
    errors = a.each(ProblemDetail, "What is wrong, one by one.", required=False)
    current = a.part(MatchView, "Your view of the match as it is now (409 and 422).", required=False)
