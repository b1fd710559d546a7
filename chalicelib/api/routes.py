"""The one table of what this API does. The app, the contract and the tests are all made from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chalicelib.api import parameters as p
from chalicelib.api import schemas
from chalicelib.api.endpoints import about, accounts, history, matches, play, seats
from chalicelib.engine import REASONS

if TYPE_CHECKING:
    from collections.abc import Callable

    from chalicelib.api.fields import Body, OneOf
    from chalicelib.api.http import Answer, Request
    from chalicelib.api.parameters import Parameter

BASE = "/v1"


@dataclass(frozen=True, slots=True)
class Rate:
    """How often in an hour, by one caller and from one source address. 0: not counted."""

    name: str
    caller: int
    address: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """One operation."""

    method: str
    path: str
    """Behind `BASE`, with the names of path parameters in braces."""
    operation_id: str
    tag: str
    endpoint: Callable[[Request], Answer]
    status: int = 200
    answer: str | None = None
    """The schema of the answer's body in the contract; None: there is none."""
    page: bool = False
    """Whether the answer is a page for people."""
    path_parameters: tuple[Parameter, ...] = ()
    query: tuple[Parameter, ...] = ()
    body: type[Body] | type[OneOf] | None = None
    takes_key: bool = False
    """Whether an Idempotency-Key makes it repeatable."""
    for_all: bool = False
    """Whether it needs no access token."""
    rate: Rate | None = None
    errors: tuple[str, ...] = ()
    """Codes of problems that the use case may answer with, beside those that follow from the form of the route."""
    etag: bool = False
    """Whether an answer other than to GET has an ETag, the view's."""
    location: bool = False
    no_store: bool = False
    """Whether nobody may keep the answer, because it holds tokens or goes stale at once."""

    @property
    def conditional(self) -> bool:
        """Whether If-None-Match is looked at: every read that may be kept has an ETag."""
        return self.method == "GET" and not self.no_store


PLAYERS = Rate("players", caller=0, address=120)
TOKENS = Rate("tokens", caller=0, address=3000)
CODES = Rate("codes", caller=30, address=300)
NEW_MATCHES = Rate("matches", caller=120, address=1200)
INVITES = Rate("invites", caller=120, address=600)
SITTING = Rate("sitting", caller=240, address=1200)
HINTS = Rate("hints", caller=1200, address=12000)
EXPORTS = Rate("exports", caller=30, address=300)

_NO_MATCH = "match_not_found"

ROUTES: tuple[Route, ...] = (
    Route(
        method="POST",
        path="/players",
        operation_id="createPlayer",
        tag="Players",
        endpoint=accounts.create_player,
        status=201,
        answer="SignIn",
        body=schemas.NewGuest,
        for_all=True,
        rate=PLAYERS,
        no_store=True,
    ),
    Route(
        method="POST",
        path="/tokens",
        operation_id="createTokens",
        tag="Players",
        endpoint=accounts.create_tokens,
        status=200,
        answer="SignIn",
        body=schemas.TokenRequest,
        for_all=True,
        rate=TOKENS,
        errors=("refresh_token_invalid", "transfer_code_invalid", "session_revoked", "account_deleted"),
        no_store=True,
    ),
    Route(
        method="GET",
        path="/me",
        operation_id="getMe",
        tag="Players",
        endpoint=accounts.get_me,
        answer="Me",
        errors=("account_deleted",),
    ),
    Route(
        method="PATCH",
        path="/me",
        operation_id="updateMe",
        tag="Players",
        endpoint=accounts.update_me,
        answer="Me",
        body=schemas.Profile,
        errors=("account_deleted",),
    ),
    Route(
        method="DELETE",
        path="/me",
        operation_id="deleteMe",
        tag="Players",
        endpoint=accounts.delete_me,
        status=204,
    ),
    Route(
        method="GET",
        path="/me/export",
        operation_id="exportMe",
        tag="Players",
        endpoint=accounts.export_me,
        answer="Export",
        rate=EXPORTS,
        errors=("account_deleted",),
        no_store=True,
    ),
    Route(
        method="POST",
        path="/me/transfer-codes",
        operation_id="createTransferCode",
        tag="Players",
        endpoint=accounts.create_transfer_code,
        status=201,
        answer="TransferCode",
        rate=CODES,
        errors=("account_deleted",),
        no_store=True,
    ),
    Route(
        method="DELETE",
        path="/me/session",
        operation_id="deleteSession",
        tag="Players",
        endpoint=accounts.sign_out,
        status=204,
    ),
    Route(
        method="GET",
        path="/me/turns",
        operation_id="listTurns",
        tag="Matches",
        endpoint=matches.list_turns,
        answer="Turns",
    ),
    Route(
        method="POST",
        path="/matches",
        operation_id="createMatch",
        tag="Matches",
        endpoint=matches.create_match,
        status=201,
        answer="MatchUpdate",
        body=schemas.MatchSetup,
        takes_key=True,
        rate=NEW_MATCHES,
        errors=("account_deleted", "host_must_sit", "too_many_matches", "idempotency_key_reused"),
        etag=True,
        location=True,
    ),
    Route(
        method="GET",
        path="/matches",
        operation_id="listMatches",
        tag="Matches",
        endpoint=matches.list_matches,
        answer="MatchPage",
        query=(p.STATUS, p.MATCH_LIMIT, p.CURSOR),
    ),
    Route(
        method="GET",
        path="/matches/{match_id}",
        operation_id="getMatch",
        tag="Matches",
        endpoint=matches.get_match,
        answer="MatchView",
        path_parameters=(p.MATCH,),
        errors=(_NO_MATCH,),
    ),
    Route(
        method="GET",
        path="/invites/{code}",
        operation_id="getInvite",
        tag="Seats",
        endpoint=matches.get_invite,
        answer="Invitation",
        path_parameters=(p.INVITE_CODE,),
        rate=INVITES,
        errors=("invite_not_found",),
    ),
    Route(
        method="PUT",
        path="/matches/{match_id}/seats/{seat}",
        operation_id="takeSeat",
        tag="Seats",
        endpoint=seats.take_seat,
        answer="MatchUpdate",
        path_parameters=(p.MATCH, p.SEAT),
        body=schemas.SeatClaim,
        rate=SITTING,
        errors=(
            "account_deleted",
            "code_needed",
            "host_only",
            _NO_MATCH,
            "invite_not_found",
            "seat_taken",
            "already_seated",
            "other_seat_held",
            "match_not_waiting",
            "match_over",
            "too_many_matches",
        ),
        etag=True,
    ),
    Route(
        method="DELETE",
        path="/matches/{match_id}/seats/{seat}",
        operation_id="leaveSeat",
        tag="Seats",
        endpoint=seats.leave_seat,
        status=204,
        path_parameters=(p.MATCH, p.SEAT),
        errors=("host_only", _NO_MATCH, "match_over"),
    ),
    Route(
        method="POST",
        path="/matches/{match_id}/start",
        operation_id="startMatch",
        tag="Seats",
        endpoint=seats.start_match,
        answer="MatchUpdate",
        path_parameters=(p.MATCH,),
        errors=("host_only", _NO_MATCH, "match_over"),
        etag=True,
    ),
    Route(
        method="PUT",
        path="/matches/{match_id}/moves/{number}",
        operation_id="makeMove",
        tag="Play",
        endpoint=play.make_move,
        answer="MatchUpdate",
        path_parameters=(p.MATCH, p.MOVE_NUMBER),
        body=schemas.MoveRequest,
        errors=(
            "not_seated",
            _NO_MATCH,
            "match_not_started",
            "match_over",
            "move_already_made",
            "move_out_of_order",
            *REASONS,
        ),
        etag=True,
    ),
    Route(
        method="GET",
        path="/matches/{match_id}/hint",
        operation_id="getHint",
        tag="Play",
        endpoint=play.get_hint,
        answer="Hint",
        path_parameters=(p.MATCH,),
        rate=HINTS,
        errors=(_NO_MATCH, "not_seated", "match_not_started", "match_over", "hints_off", "not_your_turn"),
    ),
    Route(
        method="GET",
        path="/matches/{match_id}/events",
        operation_id="listEvents",
        tag="Play",
        endpoint=history.list_events,
        answer="EventPage",
        path_parameters=(p.MATCH,),
        query=(p.AFTER, p.EVENT_LIMIT),
        errors=(_NO_MATCH, "after_beyond_version"),
    ),
    Route(
        method="GET",
        path="/matches/{match_id}/deals/{number}",
        operation_id="getDeal",
        tag="Deals",
        endpoint=history.get_deal,
        answer="DealRecord",
        path_parameters=(p.MATCH, p.DEAL_NUMBER),
        errors=(_NO_MATCH, "deal_not_found"),
    ),
    Route(
        method="POST",
        path="/matches/{match_id}/rematch",
        operation_id="createRematch",
        tag="Matches",
        endpoint=matches.create_rematch,
        status=201,
        answer="MatchUpdate",
        path_parameters=(p.MATCH,),
        takes_key=True,
        rate=NEW_MATCHES,
        errors=("account_deleted", "code_needed", "not_seated", _NO_MATCH, "match_not_over", "too_many_matches"),
        etag=True,
        location=True,
    ),
    Route(
        method="GET",
        path="/health",
        operation_id="getHealth",
        tag="Service",
        endpoint=about.get_health,
        answer="Health",
        for_all=True,
        no_store=True,
    ),
    Route(
        method="GET",
        path="/openapi.json",
        operation_id="getOpenapi",
        tag="Service",
        endpoint=about.get_openapi,
        answer="Contract",
        for_all=True,
    ),
    Route(
        method="GET",
        path="/docs",
        operation_id="getDocs",
        tag="Service",
        endpoint=about.get_docs,
        page=True,
        for_all=True,
    ),
)
