"""Every error the API answers with, in one table, and the document that carries it (RFC 9457).

A client goes by `code` and `params`; `title` and `detail` are English for whoever reads the traffic.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from chalicelib.api import shapes as a
from chalicelib.engine import REASONS, Sentence

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

CONTENT_TYPE = "application/problem+json"
HEADERS: Mapping[str, str] = {"Content-Type": CONTENT_TYPE, "Cache-Control": "no-store"}
"""What every problem is sent with, whoever makes it."""
TYPE_PREFIX = "urn:problem-type:do-dooni:"
"""Before the code it gives the `type`, which names a kind of problem and leads nowhere (RFC 9457 §3.1.1)."""


class Problem(NamedTuple):
    """One kind of problem."""

    status: int
    title: str
    detail: Sentence


_BY_KIND: Mapping[tuple[int, str], Mapping[str, str]] = {
    (400, "Malformed request"): {
        "malformed_json": "The body is not valid JSON ({reason}).",
        "invalid_body": "The body is not valid for this operation: see errors.",
        "invalid_parameter": "A parameter is not valid for this operation: see errors.",
        "bad_request": "This is not a valid HTTP request.",
    },
    # The caller is not known (any more). An app refreshes once, whichever it is.
    (401, "Not signed in"): {
        "token_missing": "An access token is required (Authorization: Bearer …). Refresh, then repeat.",
        "token_invalid": "The access token is not valid. Refresh, then repeat.",
        "token_expired": "The access token has expired. Refresh, then repeat.",
        "session_revoked": "This device is signed out. Sign it in with a transfer code or the recovery code.",
        "refresh_token_invalid": "The refresh token is not valid.",
        "account_deleted": "The account has been deleted.",
    },
    (403, "Not allowed"): {
        "host_only": "Only the host can do this.",
        "not_seated": "Only players with a seat in the match can do this.",
        "removed_by_host": "The host has removed you from this table: you cannot sit down here.",
        "code_needed": "You need this table's invite code to sit down.",
        "set_sealed": "Finish the set yourself first.",
        "forbidden": "The gateway has refused this request.",
    },
    # There is no such thing, or it is not yours to see.
    (404, "Not found"): {
        "route_not_found": "There is nothing at this address.",
        "match_not_found": "There is no such match, or you cannot see it.",
        "invite_not_found": "The invite code is wrong or has expired, or its match takes no more players.",
        "set_not_found": "There is no such set, or it has not opened yet.",
        "deal_not_found": "The match has no finished deal with this number.",
    },
    # `current` is the caller's view.
    (409, "Conflict with the current state"): {
        "match_not_started": "The match has not started yet.",
        "match_not_waiting": "The match has already started.",
        "match_not_over": "The match is not over yet.",
        "match_over": "The match is over.",
        "move_already_made": "A different move {move_number} was already made. The next move is {next_move}.",
        "move_out_of_order": "Moves cannot be skipped. The next move is {next_move}.",
        "seat_taken": "Seat {seat} is not available.",
        "already_seated": "You already have a seat in this match: {seat}.",
        "set_closed": "The set has closed.",
        "other_seat_held": "You have played seat {seat} in this match, and cannot take another.",
    },
    # Understood, and refused.
    (422, "Refused"): {
        "idempotency_key_reused": "This Idempotency-Key was already used for a different request.",
        "host_must_sit": "Exactly one seat must be yours, not {seats}.",
        "too_many_matches": "You are in {most} unfinished matches, which is the limit.",
        "too_many_seat_changes": "You cannot sit down: you or the table are at the limit of {most} seat changes.",
        "transfer_code_invalid": "The transfer code is wrong, used or expired.",
        "client_nonce_used": "This client_nonce was used for the last refresh. Draw a new one for each refresh.",
        "recovery_code_invalid": "The recovery code is wrong, or a newer one has replaced it.",
        "too_many_devices": "You have {most} devices, which is the limit: sign one out first.",
        "entry_played_once": "This match is an entry in a set, and each player enters a set only once.",
        "not_a_challenge": "Only a finished match that you played alone can be a challenge: no clock, spectators or "
        "take-over.",
        "set_still_open": "The daily is still open: it cannot be a challenge yet.",
        "edition_retired": "The bots of this set have been replaced: it cannot be played any more.",
        "hints_off": "This table plays without hints.",
        "hint_unavailable": "There is no hint for this position.",
        "after_beyond_version": "The match is only at version {version}.",
    },
    (405, "Method not allowed"): {"method_not_allowed": "This address allows only {allowed}."},
    (413, "Too large"): {"body_too_large": "The body can have at most {maximum} bytes."},
    (415, "Unsupported media type"): {"unsupported_media_type": "The body must be sent as Content-Type: {allowed}."},
    (429, "Too many requests"): {"rate_limited": "Try again in {retry_after_seconds} seconds."},
    (500, "Internal error"): {"internal_error": "Something is wrong on our side, not with your request."},
    (503, "Try again"): {
        "try_again": "The request did not finish in time: repeat it in {retry_after_seconds} seconds."
    },
    (422, "Illegal move"): REASONS,
}
PROBLEMS: Mapping[str, Problem] = {
    code: Problem(status, title, Sentence(detail))
    for (status, title), details in _BY_KIND.items()
    for code, detail in details.items()
}

ERRORS: Mapping[str, Sentence] = {
    "required": Sentence("This is required."),
    "unknown_field": Sentence("There is no such member."),
    "wrong_type": Sentence("This must be of type {expected}."),
    "not_allowed": Sentence("This must be one of {allowed}."),
    "out_of_range": Sentence("This must be from {minimum} to {maximum}."),
    "too_long": Sentence("This can have at most {maximum} characters."),
    "wrong_format": Sentence("This must match {pattern}."),
    "invalid_name": Sentence(
        "A name has 1 to {most_code_points} code points, at most {most_bytes} bytes, something visible and no control "
        "characters."
    ),
    "invalid_escape": Sentence("This is not percent-encoded UTF-8 (RFC 3986 §2.1)."),
    "name_reserved": Sentence("This name could be taken for a bot's or the game's own."),
    "unknown_parameter": Sentence("There is no such parameter."),
    "repeated_parameter": Sentence("This parameter can be given only once."),
    "invalid_cursor": Sentence("This is not a cursor that this API gave you."),
}
"""What is wrong with one member of a body, or one parameter: an entry of `errors`."""


class _Known(dict[str, object]):
    """Fills in a missing parameter, so that an error can always be described."""

    def __missing__(self, key: str) -> str:
        return "…"


def _words(value: object) -> object:
    """A parameter as it stands in a sentence."""
    return ", ".join(map(str, value)) if isinstance(value, list) else value


class _Occurrence(NamedTuple):
    code: str
    params: Mapping[str, object]
    request_id: str
    errors: Sequence[Mapping[str, object]]
    current: Mapping[str, object] | None

    @property
    def kind(self) -> Problem:
        return PROBLEMS[self.code]

    @property
    def detail(self) -> str:
        return self.kind.detail.format_map(_Known({name: _words(value) for name, value in self.params.items()}))


def problem(
    code: str,
    params: Mapping[str, object] | None = None,
    *,
    request_id: str,
    errors: Sequence[Mapping[str, object]] = (),
    current: Mapping[str, object] | None = None,
) -> dict[str, object]:
    """The document for `code`, a key of `PROBLEMS`. `current` is the caller's view of the match (409 and 422)."""
    return PROBLEM(_Occurrence(code, dict(params or {}), request_id, errors, current))


PROBLEM_PARAMS = a.Shape(
    "ProblemParams",
    "What an app needs to describe the problem in its own language: exactly the members that its `code` has.",
    *(
        a.perhaps(name, kind)
        for name, kind in {
            "reason": a.text("What is wrong with the JSON."),
            "allowed": a.many(a.text(), "Methods or media types."),
            "maximum": a.whole("Bytes."),
            "minimum": a.whole("The lowest call that is left.", 7, 13),
            "move_number": a.whole("The number of the move that was sent.", 1),
            "next_move": a.whole("The number of the next move.", 1),
            "seat": a.word("SeatName"),
            "turn": a.word("SeatName", "Whose turn it is."),
            "seats": a.whole("How many seats were to be yours."),
            "most": a.whole("The limit: of matches, devices or seat changes, as the `code` says."),
            "version": a.whole("The version of the match."),
            "retry_after_seconds": a.whole("How long to wait before trying again."),
            "card": a.word("Card"),
            "suit": a.word("Suit", "The suit that was led."),
        }.items()
    ),
)
DETAIL_PARAMS = a.Shape(
    "DetailParams",
    "What an app needs to describe what is wrong with one member or parameter.",
    *(
        a.perhaps(name, kind)
        for name, kind in {
            "expected": a.text("The JSON type that it must have."),
            "allowed": a.many(a.text(), "The words that it may be."),
            "minimum": a.whole(),
            "maximum": a.whole(),
            "pattern": a.text("The regular expression that it must match."),
            "most_code_points": a.whole(),
            "most_bytes": a.whole(),
        }.items()
    ),
)
PROBLEM_DETAIL = a.Shape(
    "ProblemDetail",
    "What is wrong with one member of the body (`pointer`) or with one parameter (`parameter`).",
    a.perhaps("pointer", a.text("JSON Pointer (RFC 6901) into the body; empty for the whole."), a.item("pointer")),
    a.perhaps("parameter", a.text("The parameter's or header's name."), a.item("parameter")),
    a.always("code", a.text("Stable: what an app goes by."), a.item("code")),
    a.always("params", a.word("DetailParams"), a.item("params")),
)
PROBLEM = a.Shape(
    "Problem",
    "An error (RFC 9457). Apps go by `code` and `params`; `title` and `detail` are for developers.",
    a.always(
        "type", a.text("Identifies the kind of problem; not an address."), lambda problem: TYPE_PREFIX + problem.code
    ),
    a.always("title", a.text(), "kind.title"),
    a.always("status", a.whole("", 400, 599), "kind.status"),
    a.always("detail", a.text()),
    a.always("code", a.text("Stable: what an app goes by.")),
    a.always("params", a.word("ProblemParams")),
    a.always("request_id", a.text("Quote it when you report an error.")),
    a.perhaps("errors", a.each(PROBLEM_DETAIL, "What is wrong, one by one."), lambda problem: problem.errors or None),
    a.perhaps("current", a.word("MatchView", "Your view of the match as it is now (409 and 422).")),
)
