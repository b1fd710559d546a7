"""Every error the API answers with, in one table, and the document that carries it (RFC 9457).

A client goes by `code` and `params`; `title` and `detail` are English for whoever reads the traffic.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from chalicelib.engine import REASONS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

CONTENT_TYPE = "application/problem+json"
HEADERS: Mapping[str, str] = {"Content-Type": CONTENT_TYPE, "Cache-Control": "no-store"}
"""What every problem is sent with, whoever makes it."""
TYPE_PREFIX = "urn:problem-type:do-dooni:"
"""Before the code it gives the `type`, which names a kind of problem and leads nowhere (RFC 9457 §3.1.1)."""


class Kind(NamedTuple):
    """One kind of problem. `detail` may name the parameters it is filled in with."""

    status: int
    title: str
    detail: str
    params: tuple[str, ...] = ()


class ErrorKind(NamedTuple):
    """What is wrong with one member of a body, or one parameter: an entry of `errors`."""

    detail: str
    params: tuple[str, ...] = ()


_MALFORMED = "Malformed request"
_SIGN_IN = "Not signed in"
_NOT_FOUND = "Not found"
_STATE = "Not as things stand"
_REFUSED = "Refused"
_ILLEGAL = "Illegal move"

PROBLEMS: Mapping[str, Kind] = {
    # 400: what was sent can't be read.
    "malformed_json": Kind(400, _MALFORMED, "The body is not the JSON this API reads ({reason}).", ("reason",)),
    "invalid_body": Kind(400, _MALFORMED, "The body is not what this operation takes: see errors."),
    "invalid_parameter": Kind(400, _MALFORMED, "A parameter is not what this operation takes: see errors."),
    "bad_request": Kind(400, _MALFORMED, "This is not an HTTP request that can be read."),
    # 401: the caller is nobody (any more). To an access token: refresh once, whichever it is.
    "token_missing": Kind(401, _SIGN_IN, "This needs an access token (Authorization: Bearer …): refresh, and repeat."),
    "token_invalid": Kind(401, _SIGN_IN, "The access token is not valid here (any more): refresh, and repeat."),
    "token_expired": Kind(401, _SIGN_IN, "The access token has expired: refresh, and repeat."),
    "session_revoked": Kind(
        401, _SIGN_IN, "This device is signed out. A transfer code or the recovery code signs it in."
    ),
    "refresh_token_invalid": Kind(401, _SIGN_IN, "The refresh token is not one of this API."),
    "account_deleted": Kind(401, _SIGN_IN, "The account is deleted."),
    # 403: only somebody else may.
    "host_only": Kind(403, "Not allowed", "Only the match's host may do this."),
    "not_seated": Kind(403, "Not allowed", "Only those who have a seat in the match may do this."),
    "removed_by_host": Kind(403, "Not allowed", "The host has sent you away: you may not sit down at this table."),
    "code_needed": Kind(403, "Not allowed", "Sitting down at this table takes its invite code."),
    "forbidden": Kind(403, "Not allowed", "The gateway does not let this request through."),
    # 404: there is no such thing, or it is not yours to see.
    "route_not_found": Kind(404, _NOT_FOUND, "There is nothing at this address."),
    "match_not_found": Kind(404, _NOT_FOUND, "There is no such match, or it is not yours to see."),
    "invite_not_found": Kind(
        404, _NOT_FOUND, "The invite code is wrong or has expired, or its match takes nobody else."
    ),
    "deal_not_found": Kind(404, _NOT_FOUND, "The match has no finished deal of this number."),
    # 409: not as things stand now; `current` is the caller's view.
    "match_not_started": Kind(409, _STATE, "The match has not started yet."),
    "match_not_waiting": Kind(409, _STATE, "The match has started already."),
    "match_not_over": Kind(409, _STATE, "The match is not over yet."),
    "match_over": Kind(409, _STATE, "The match is over."),
    "move_already_made": Kind(
        409,
        _STATE,
        "Move {move_number} is made, and it is another one: the next is {next_move}.",
        ("move_number", "next_move"),
    ),
    "move_out_of_order": Kind(409, _STATE, "The number is beyond the next move, {next_move}.", ("next_move",)),
    "seat_taken": Kind(409, _STATE, "Seat {seat} is not available.", ("seat",)),
    "already_seated": Kind(409, _STATE, "Your seat in this match is {seat}.", ("seat",)),
    "other_seat_held": Kind(
        409, _STATE, "You held seat {seat} while cards were played here, and may hold no other.", ("seat",)
    ),
    # 422: understood, and refused.
    "idempotency_key_reused": Kind(422, _REFUSED, "This Idempotency-Key was used for a different request."),
    "host_must_sit": Kind(422, _REFUSED, "Exactly one seat must be yours, not {seats}.", ("seats",)),
    "too_many_matches": Kind(
        422, _REFUSED, "You sit at {most} matches that are not over, which is the limit.", ("most",)
    ),
    "too_many_seat_changes": Kind(
        422,
        _REFUSED,
        "Seats here have changed {most} times, by you or by all: you may not sit down now.",
        ("most",),
    ),
    "transfer_code_invalid": Kind(422, _REFUSED, "The transfer code is wrong, used or expired."),
    "client_nonce_used": Kind(
        422, _REFUSED, "The client_nonce is the last refresh's. Draw a new one for each refresh."
    ),
    "recovery_code_invalid": Kind(422, _REFUSED, "The recovery code is wrong, or another has taken its place."),
    "too_many_devices": Kind(422, _REFUSED, "Nobody may have more than {most} devices: sign one out first.", ("most",)),
    "hints_off": Kind(422, _REFUSED, "The table plays without hints."),
    "hint_unavailable": Kind(422, _REFUSED, "There is no hint for this position."),
    "after_beyond_version": Kind(422, _REFUSED, "The match is at version {version} only.", ("version",)),
    # The request's form.
    "method_not_allowed": Kind(405, "Method not allowed", "Only {allowed} here.", ("allowed",)),
    "body_too_large": Kind(413, "Too large", "The body may have at most {maximum} bytes.", ("maximum",)),
    "unsupported_media_type": Kind(
        415, "Unsupported media type", "The body must be sent as Content-Type: {allowed}.", ("allowed",)
    ),
    # 429, 5xx.
    "rate_limited": Kind(
        429, "Too many requests", "Too often: try again in {retry_after_seconds} seconds.", ("retry_after_seconds",)
    ),
    "internal_error": Kind(500, "Internal error", "Something is wrong here, not with your request."),
    "try_again": Kind(
        503,
        "Try again",
        "The request was not settled in time: repeat it in {retry_after_seconds} seconds.",
        ("retry_after_seconds",),
    ),
    # 422: illegal moves, one code a reason (the engine's own table).
    **{code: Kind(422, _ILLEGAL, reason.sentence, reason.params) for code, reason in REASONS.items()},
}

ERRORS: Mapping[str, ErrorKind] = {
    "required": ErrorKind("This must be there."),
    "unknown_field": ErrorKind("This is not known here."),
    "wrong_type": ErrorKind("This must be of type {expected}.", ("expected",)),
    "not_allowed": ErrorKind("This must be one of {allowed}.", ("allowed",)),
    "out_of_range": ErrorKind("This must be from {minimum} to {maximum}.", ("minimum", "maximum")),
    "too_long": ErrorKind("This may have at most {maximum} characters.", ("maximum",)),
    "wrong_format": ErrorKind("This is not written as it must be: {pattern}.", ("pattern",)),
    "invalid_name": ErrorKind(
        "A name has 1 to {most_code_points} code points and at most {most_bytes} bytes, something that can be seen, "
        "and nothing that controls the text.",
        ("most_code_points", "most_bytes"),
    ),
    "invalid_escape": ErrorKind("This is not percent-encoded UTF-8 (RFC 3986 §2.1)."),
    "name_reserved": ErrorKind("This name reads as a bot, or as the game itself."),
    "unknown_parameter": ErrorKind("This parameter is not known here."),
    "repeated_parameter": ErrorKind("This parameter may be given once."),
    "invalid_cursor": ErrorKind("This is no cursor that this API gave you."),
}


class _Known(dict[str, object]):
    """Stands in for a parameter that is not there: an error must not fail for want of a word."""

    def __missing__(self, key: str) -> str:
        return "…"


def _words(value: object) -> object:
    """A parameter as it stands in a sentence."""
    return ", ".join(map(str, value)) if isinstance(value, list) else value


def problem(
    code: str,
    params: Mapping[str, object] | None = None,
    *,
    request_id: str,
    errors: Sequence[Mapping[str, object]] = (),
    current: Mapping[str, object] | None = None,
) -> dict[str, object]:
    """The document for `code`, a key of `PROBLEMS`. `current` is the caller's view of the match (409 and 422)."""
    kind = PROBLEMS[code]
    params = dict(params or {})
    document: dict[str, object] = {
        "type": TYPE_PREFIX + code,
        "title": kind.title,
        "status": kind.status,
        "detail": kind.detail.format_map(_Known({name: _words(value) for name, value in params.items()})),
        "code": code,
        "params": params,
        "request_id": request_id,
    }
    if errors:
        document["errors"] = list(errors)
    if current is not None:
        document["current"] = current
    return document
