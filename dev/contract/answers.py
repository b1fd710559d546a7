"""What answers hold. They may grow: an app ignores members it does not know. No member is ever null."""

from __future__ import annotations

from chalicelib.api.fields import Either
from chalicelib.api.schemas import MoveRequest
from chalicelib.service.model import MAX_DEALS
from dev.contract import shapes as a


class PlayerRef(a.Answer):
    """A player as others know them: `id` and `name`, or `deleted` alone for an account that is gone."""

    id = a.text(required=False)
    name = a.text(required=False)
    deleted = a.truth("Only there, and true, when the account is deleted.", required=False)


class Me(a.Answer):
    """My profile."""

    id = a.text()
    name = a.text()
    created_at = a.moment()


class Tokens(a.Answer):
    """What a device signs in with."""

    access_token = a.text("For the header `Authorization: Bearer …`.")
    token_type = a.text("Always `Bearer`.")
    expires_in = a.whole("Seconds that the access token is good for.")
    refresh_token = a.text("For new tokens (`createTokens`). Keep it where the system keeps secrets.")


class SignIn(a.Answer):
    """Who has come in, and the tokens to go on with."""

    player = a.part(Me)
    tokens = a.part(Tokens)


class TransferCode(a.Answer):
    """Signs one more device in."""

    code = a.text("To be typed on the other device; small letters, spaces and hyphens do not matter.")
    expires_at = a.moment()


class ExportedDevice(a.Answer):
    """One device that is, or was, signed in."""

    session_id = a.text()
    created_at = a.moment()
    used_at = a.moment("When it last got new tokens.")
    revoked = a.truth()


class ExportedMatch(a.Answer):
    """A match that the player is, or was, one of."""

    match_id = a.text()
    seat = a.seat_name(required=False)
    client_seed = a.seed(required=False)
    status = a.status(required=False)
    created_at = a.moment(required=False)


class Export(a.Answer):
    """Everything that is kept about a player."""

    player = a.part(Me)
    devices = a.each(ExportedDevice)
    matches = a.each(ExportedMatch)


class MatchRules(a.Answer):
    """The options of a table."""

    deals = a.whole("How many deals (R4).", 1, MAX_DEALS)
    after_bank = a.after_bank()
    turn_seconds = a.whole("Seconds a player has for a move; left out: no clock.", 1, required=False)
    start = a.start()
    take_over = a.truth("Whether a friend may take a bot's seat once cards are dealt.")
    hints = a.truth("Whether players may ask for hints.")


class SeatInfo(a.Answer):
    """One seat of the table: one object whatever is on it."""

    seat = a.seat_name()
    type = a.known("What is on it.", "human", "bot", "empty", "invited")
    player = a.part(PlayerRef, "Who sits or is invited here, or sat here until they left.", required=False)
    level = a.text("The level of the bot that plays here.", required=False)
    cards_left = a.whole("How many cards it holds, once they are dealt.", 0, 13, required=False)
    away = a.truth("The player let time run out; a bot stands in until they are back.")
    left = a.truth("The player has left for good.")


class Invite(a.Answer):
    """What friends need to sit down."""

    code = a.text("Can be read aloud over the phone.")
    expires_at = a.moment()


class SideTotals(a.Answer):
    """A number for each side."""

    ns = a.whole(None, -a.LOTS)
    ew = a.whole(None, -a.LOTS)


class DealResult(a.Answer):
    """How a deal ended for the declarer's side; the other side scores 0."""

    side = a.side("The declarer's side.")
    contract = a.whole(None, 7, 13)
    banked = a.whole("Tricks that side banked.", 0, 13)
    made = a.truth()
    score = a.whole("The contract if it was made, else minus twice the contract.", -26, 13)


class MatchResult(a.Answer):
    """How a match ended."""

    winner = a.side("Left out for a draw.", required=False)
    scores = a.part(SideTotals)
    deals = a.each(DealResult)


class AuctionCall(a.Answer):
    """What a seat said in the auction: a number, or without one a pass."""

    seat = a.seat_name()
    number = a.whole(None, 7, 13, required=False)


class PlayedCard(a.Answer):
    """A card on the table."""

    seat = a.seat_name()
    card = a.card()


class CurrentTrick(a.Answer):
    """The trick being played, in order of play."""

    leader = a.seat_name()
    plays = a.each(PlayedCard)


class Trick(a.Answer):
    """A finished trick."""

    leader = a.seat_name()
    plays = a.each(PlayedCard)
    winner = a.seat_name()


class Pile(a.Answer):
    """The tricks on hold."""

    tricks = a.whole(None, 0, 13)
    run_seat = a.seat_name("The seat that banks the pile if it wins the next trick, if there is one.", required=False)


class DealView(a.Answer):
    """The running deal as everybody at the table may see it (an ended match's last one)."""

    number = a.whole(None, 1, MAX_DEALS)
    opener = a.seat_name("Who speaks first.")
    phase = a.phase()
    turn = a.seat_name("Who moves next; left out when the deal is over.", required=False)
    calls = a.each(AuctionCall, "In order.")
    declarer = a.seat_name("The highest caller, once the auction is over.", required=False)
    contract = a.whole(None, 7, 13, required=False)
    ser = a.suit("The trump suit, once it is named.", required=False)
    trick = a.part(CurrentTrick, "Once the ser is named and until the last card is played.", required=False)
    tricks = a.each(Trick, "The finished ones, in order.")
    pile = a.part(Pile)
    banked = a.part(SideTotals, "Tricks banked by each side.")
    commitment = a.hexadecimal("SHA-256 of the secret that this deal is shuffled with.")
    result = a.part(DealResult, required=False)


class YourSeat(a.Answer):
    """What only you see."""

    seat = a.seat_name()
    hand = a.many(a.card(), "Your cards: suits S H D C, in each suit high to low. Empty before cards are dealt.")
    legal_moves = a.many(
        Either(MoveRequest),
        "Whole bodies for `makeMove`; empty when it is not your turn.",
    )


class PreviousDeal(a.Answer):
    """The deal before the running one."""

    number = a.whole(None, 1, MAX_DEALS)
    result = a.part(DealResult)


class MatchView(a.Answer):
    """A match from your seat; without `you` for a spectator."""

    id = a.text()
    version = a.whole("The number of the last event: what `listEvents` takes as `after`.")
    status = a.status()
    rules = a.part(MatchRules)
    spectators = a.truth("Whether anybody may watch.")
    created_at = a.moment()
    next_move = a.whole("The number that the next move of the match has.", 1)
    poll_after_seconds = a.whole("How long to wait before asking again.")
    seats = a.each(SeatInfo, "All four, in order of play.")
    scores = a.part(SideTotals)
    commitments = a.many(a.hexadecimal(""), "Of every deal of the match, in order.")
    invite = a.part(Invite, "For those at the table, while a seat can be had.", required=False)
    host_seat = a.seat_name(required=False)
    deadline_at = a.moment("When the move is made for whoever has the turn.", required=False)
    you = a.part(YourSeat, required=False)
    deal = a.part(DealView, "Once cards are dealt.", required=False)
    previous_deal = a.part(PreviousDeal, required=False)
    result = a.part(MatchResult, "When the match is finished.", required=False)
    rematch_id = a.text("The match that follows this one.", required=False)


class Event(a.Answer):
    """One numbered thing that happened: one flat object whatever its type, with the members that its type needs.

    `match_created` (seat, host_seat, rules, spectators, commitments), `seat_taken`, `seat_left`, `seat_away`,
    `seat_back`, `seat_offered`, `player_renamed`, `player_deleted` (seat, and `place`: what the seat is from now on;
    `rules` with a `seat_taken` that starts a clock), `host_changed` (host_seat),
    `match_started` (rules), `deal_started` (deal, opener, commitment, and your `hand`), `call` (number), `pass`, `ser`
    (suit), `play` (card), each with seat and `move`; `trick_won` (seat, trick), `banked` (seat, side, tricks),
    `deal_scored` (deal, result), `match_finished` (match_result), `match_abandoned`, `rematch_created` (rematch_id).
    """

    version = a.whole("Its number: without gaps in a match.", 1)
    at = a.moment()
    type = a.text("What happened. An app passes over a type that it does not know.")
    actor = a.known("Who made it happen.", "player", "bot", "stand_in", "rule", "timeout", required=False)
    seat = a.seat_name(required=False)
    move = a.whole("The move's number in the match.", 1, required=False)
    number = a.whole("The number that was called.", 7, 13, required=False)
    suit = a.suit(required=False)
    card = a.card(required=False)
    deal = a.whole("The deal's number.", 1, MAX_DEALS, required=False)
    opener = a.seat_name(required=False)
    commitment = a.text(None, "^[0-9a-f]{64}$", required=False)
    hand = a.many(a.card(), "Your cards, and nobody else's.", required=False)
    trick = a.whole("The trick's number in the deal.", 1, 13, required=False)
    side = a.side(required=False)
    tricks = a.whole("How many tricks were banked.", 1, 13, required=False)
    result = a.part(DealResult, required=False)
    match_result = a.part(MatchResult, required=False)
    place = a.part(SeatInfo, "The seat as it is from now on.", required=False)
    host_seat = a.seat_name(required=False)
    rules = a.part(MatchRules, required=False)
    spectators = a.truth("Whether anybody may watch.", required=False)
    commitments = a.many(a.hexadecimal(""), "Of every deal of the match, in order.", required=False)
    rematch_id = a.text(required=False)


class MatchUpdate(a.Answer):
    """Your view after a write, and the events of this request and all since."""

    match = a.part(MatchView)
    events = a.each(Event)


class EventPage(a.Answer):
    """A stretch of the feed."""

    items = a.each(Event)
    version = a.whole("The next `after`.")
    more = a.truth("Whether there is more already.")
    poll_after_seconds = a.whole("How long to wait before asking again, if there is not.")
    deadline_at = a.moment("When the move is made for whoever has the turn now.", required=False)


class MatchSummary(a.Answer):
    """A match in a list of mine."""

    id = a.text()
    version = a.whole()
    status = a.status()
    seats = a.each(SeatInfo)
    your_seat = a.seat_name("Left out when you have left.", required=False)
    your_turn = a.truth()
    scores = a.part(SideTotals)
    created_at = a.moment()
    updated_at = a.moment("When the turn now waiting began.")
    deadline_at = a.moment(required=False)


class MatchPage(a.Answer):
    """A page of my matches."""

    items = a.each(MatchSummary)
    next_cursor = a.text("Only there if there is more: the next page's `cursor`.", required=False)


class Turns(a.Answer):
    """The matches that wait for me."""

    count = a.whole()
    items = a.each(MatchSummary)


class Invitation(a.Answer):
    """What a friend sees before joining."""

    match_id = a.text()
    host = a.part(PlayerRef, required=False)
    rules = a.part(MatchRules)
    seats = a.each(SeatInfo)
    commitments = a.many(a.hexadecimal(""), "Of every deal of the match: note them before you send a seed.")
    expires_at = a.moment()


class DealSeat(a.Answer):
    """A seat of a finished deal, with the hand it was dealt."""

    seat = a.seat_name()
    player = a.part(PlayerRef, "Left out for a bot.", required=False)
    hand = a.many(a.card())
    client_seed = a.seed("The seat's part in the shuffle.")


class MadeMove(a.Answer):
    """A move of a finished deal: one flat object whatever its type."""

    move = a.whole("Its number in the match.", 1)
    seat = a.seat_name()
    actor = a.known("Who made it.", "player", "bot", "stand_in", "rule", "timeout")
    at = a.moment()
    type = a.known("What it was.", "call", "pass", "ser", "play")
    number = a.whole("The number that was called.", 7, 13, required=False)
    suit = a.suit(required=False)
    card = a.card(required=False)


class Bank(a.Answer):
    """The pile banked."""

    trick = a.whole("The trick that banked it, by its number.", 1, 13)
    seat = a.seat_name()
    side = a.side()
    tricks = a.whole("How many tricks it was.", 1, 13)


class DealRecord(a.Answer):
    """A deal that is over, whole."""

    match_id = a.text()
    number = a.whole(None, 1, MAX_DEALS)
    started_at = a.moment()
    ended_at = a.moment()
    opener = a.seat_name()
    after_bank = a.after_bank()
    phase = a.phase("Where it stopped.")
    seats = a.each(DealSeat)
    moves = a.each(MadeMove)
    calls = a.each(AuctionCall)
    declarer = a.seat_name(required=False)
    contract = a.whole(None, 7, 13, required=False)
    ser = a.suit(required=False)
    tricks = a.each(Trick)
    banks = a.each(Bank)
    banked = a.part(SideTotals)
    result = a.part(DealResult, "Left out for a deal that was given up.", required=False)
    notation = a.text("The whole deal as a short text, if it was played to its end.", required=False)
    deal_secret = a.hexadecimal("The secret it was shuffled with: its SHA-256 is the commitment.")
    commitment = a.hexadecimal("What was shown of it before.")
    client_digest = a.hexadecimal("SHA-256 of the four seeds.")


class Health(a.Answer):
    """The API is there."""

    status = a.text("`ok`.")


class Contract(a.Answer):
    """An OpenAPI document."""

    openapi = a.text()


class ProblemParams(a.Answer):
    """What an app needs to say a problem in its own language: the members that its `code` has, and no others."""

    reason = a.text("What the JSON is not.", required=False)
    allowed = a.text("Methods or media types, with commas.", required=False)
    maximum = a.whole("Bytes.", required=False)
    minimum = a.whole("The lowest call that is left.", 7, 13, required=False)
    number = a.whole("The number of the move that was sent.", 1, required=False)
    next_move = a.whole("The number of the next move.", 1, required=False)
    seat = a.seat_name(required=False)
    turn = a.seat_name("Whose turn it is.", required=False)
    seats = a.whole("How many seats were to be yours.", required=False)
    most = a.whole("How many matches anybody may have running.", required=False)
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


BY_NAME = {schema.__name__: schema for schema in a.Answer.__subclasses__()}
