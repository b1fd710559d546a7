"""A match from one seat, what happens to it, and lists of matches."""

from __future__ import annotations

from chalicelib.api.fields import Either
from chalicelib.api.schemas import MoveRequest
from chalicelib.bots.hint import HINTS
from chalicelib.match.event_types import EVENT_TYPES, EventType
from chalicelib.match.model import MAX_DEALS
from dev.contract import shapes as a
from dev.contract.answers.deals import MINUTES, DealResult, DealView, SideTotals
from dev.contract.answers.players import PlayerRef


def _members(kind: EventType) -> str:
    names = [*(f"`{name}`" for name in kind.always), *(f"perhaps `{name}`" for name in kind.perhaps)]
    return f": {', '.join(names)}" if names else ""


_REASONS = "Why. An app gets along with one it does not know. " + " ".join(
    f"`{code}`: {why}" for code, why in HINTS.items()
)

_EVENT_TYPES = "\n".join(f"* `{name}`{_members(kind)}" for name, kind in EVENT_TYPES.items())


class MatchRules(a.Answer):
    """The options of a table."""

    deals = a.whole("How many deals (R4).", 1, MAX_DEALS)
    after_bank = a.after_bank()
    turn_seconds = a.whole(
        "Seconds a player has for a move; left out: no clock. If nobody set it, it goes by how many humans sit (before "
        "the start, by how many would if people took all the free seats): a day for more than one, else no clock.",
        1,
        required=False,
    )
    start = a.start()
    take_over = a.truth("Whether a friend may take a bot's seat once cards are dealt.")
    hints = a.truth("Whether players may ask for hints.")


class SeatInfo(a.Answer):
    """One seat of the table: one object whatever is on it."""

    seat = a.seat_name()
    type = a.known("What is on it.", "human", "bot", "empty", "invited")
    player = a.part(PlayerRef, "Who sits or is invited here, or sat here until they left.", required=False)
    level = a.text(
        "The level of the bot that makes the moves here. Left out while a human does; while they are `away` it is that "
        "of the bot that stands in: that of the bot whose seat they took over, else `steady`.",
        required=False,
    )
    cards_left = a.whole("How many cards it holds, while the match is played.", 0, 13, required=False)
    away = a.truth("The player let time run out twice running; a bot stands in until they are back.")
    left = a.truth("The player has left for good.")


class Invite(a.Answer):
    """What friends need to sit down."""

    code = a.text("Can be read aloud over the phone.")
    expires_at = a.moment()


class MatchResult(a.Answer):
    """How a match ended."""

    winner = a.side("Left out for a draw.", required=False)
    scores = a.part(SideTotals)
    deals = a.each(DealResult)


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

    deal_number = a.whole(None, 1, MAX_DEALS)
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
    poll_after_seconds = a.seconds("How long to wait before asking again, at the time of this answer.")
    seats = a.each(SeatInfo, "All four, in order of play.")
    scores = a.part(SideTotals)
    commitments = a.many(a.hexadecimal(""), "Of every deal of the match, in order.")
    invite = a.part(Invite, "For those at the table, while there is a seat that a friend can take.", required=False)
    host_seat = a.seat_name(required=False)
    deadline_at = a.moment("When the move is made for whoever has the turn.", required=False)
    you = a.part(YourSeat, required=False)
    deal = a.part(DealView, "Once cards are dealt.", required=False)
    previous_deal = a.part(PreviousDeal, required=False)
    result = a.part(MatchResult, "When the match is finished.", required=False)
    rematch_id = a.text("The latest match made to play again.", required=False)
    set_id = a.text("The set that it is an entry of.", required=False)


class Event(a.Answer):
    """One numbered thing that happened: one flat object whatever its type, with the members that its type needs."""

    version = a.whole("Its number: without gaps in a match.", 1)
    at = a.moment(
        f"{MINUTES} `version` is the order, and `deadline_at` of the match is exact; what happens before the start and "
        "after the end is told to the second."
    )
    type = a.text(f"What happened. An app passes over a type that it does not know.\n\n{_EVENT_TYPES}")
    actor = a.known("Who made it happen.", "player", "bot", "stand_in", "rule", "timeout", required=False)
    seat = a.seat_name(required=False)
    move_number = a.whole("The move's number in the match.", 1, required=False)
    number = a.whole("The number that was called.", 7, 13, required=False)
    suit = a.suit(required=False)
    card = a.card(required=False)
    deal_number = a.whole("The deal's number.", 1, MAX_DEALS, required=False)
    opener = a.seat_name(required=False)
    commitment = a.text(None, "^[0-9a-f]{64}$", required=False)
    hand = a.many(a.card(), "Your cards, and nobody else's.", required=False)
    trick_number = a.whole("The trick's number in the deal.", 1, 13, required=False)
    side = a.side(required=False)
    tricks = a.whole("How many tricks were banked.", 1, 13, required=False)
    result = a.part(DealResult, required=False)
    match_result = a.part(MatchResult, required=False)
    place = a.part(SeatInfo, "The seat as it is from now on.", required=False)
    host_seat = a.seat_name(required=False)
    client_seed = a.seed("What the player who sat down, or sent it anew, gives to the shuffle.", required=False)
    rules = a.part(MatchRules, required=False)
    spectators = a.truth("Whether anybody may watch.", required=False)
    commitments = a.many(a.hexadecimal(""), "Of every deal of the match, in order.", required=False)
    rematch_id = a.text(required=False)


class MatchUpdate(a.Answer):
    """Your view after a write, and the events of this request and all since: the latest 200, where they are more."""

    match = a.part(MatchView)
    events = a.each(Event)
    events_from = a.whole(
        "Only there if earlier events are left out: the `after` with which `listEvents` gives all of them.",
        required=False,
    )


class LeaveUpdate(a.Answer):
    """A MatchUpdate for whoever may still see the match; for others no `match`, and no events."""

    match = a.part(MatchView, required=False)
    events = a.each(Event)


class EventPage(a.Answer):
    """A stretch of the feed."""

    items = a.each(Event)
    version = a.whole("The next `after`.")
    more = a.truth("Whether there is more already.")
    poll_after_seconds = a.seconds("How long to wait before asking again, if there is not.")
    deadline_at = a.moment("When the move is made for whoever has the turn now.", required=False)
    match = a.part(
        MatchView,
        "Your view, if you asked for it and there are items. It is the latest, and ahead of them if there is more.",
        required=False,
    )


class HintParams(a.Answer):
    """What the reason's sentence needs: the members that its `code` has, and a weighed play's `chance`."""

    number = a.whole("A call.", 7, 13, required=False)
    chance = a.whole("How often my side gets its way, in per cent of the hands that fit.", 0, 100, required=False)
    suit = a.suit(required=False)
    tricks = a.whole(None, 1, 13, required=False)
    seat = a.seat_name(required=False)


class Hint(a.Answer):
    """What the strongest bot would do in your seat."""

    move = Either(MoveRequest, required=True, metadata={"description": "A whole body for `makeMove`."})
    code = a.text(_REASONS)
    params = a.part(HintParams)
    text = a.text("The reason in English, for developers.")


class MatchSummary(a.Answer):
    """A match in a list of mine."""

    id = a.text()
    version = a.whole()
    status = a.status()
    seats = a.each(SeatInfo)
    your_seat = a.seat_name("Left out when you have left, or are invited only.", required=False)
    your_turn = a.truth()
    stands_still = a.truth("Everybody at it is away: it goes on when one of them takes their seat again.")
    scores = a.part(SideTotals)
    created_at = a.moment()
    updated_at = a.moment("When the turn now waiting began.")
    deadline_at = a.moment(required=False)
    rematch_id = a.text("The latest match made to play again; it may still be waiting for you.", required=False)
    set_id = a.text("The set that it is an entry of.", required=False)


class MatchPage(a.Answer):
    """A page of my matches."""

    items = a.each(MatchSummary)
    next_cursor = a.text("Only there if there is more: the next page's `cursor`.", required=False)


class Offer(a.Answer):
    """A seat that is kept for me in a rematch."""

    match = a.part(MatchSummary)
    seat = a.seat_name("Take it with PUT, decline it with DELETE.")
    rematch_of = a.text("The match that was played before.", required=False)
    expires_at = a.moment("When the offer ends: from then on the table is given up, if it has not started.")


class Turns(a.Answer):
    """What waits for me."""

    count = a.whole("How many there are of both.")
    items = a.each(MatchSummary)
    offers = a.each(Offer)


class Invitation(a.Answer):
    """What a friend sees before joining: a match, or a set to enter, which looks like a table with one seat free."""

    match_id = a.text("The match to sit down at; left out for a set.", required=False)
    set_id = a.text("The set to enter; left out for a match.", required=False)
    host = a.part(PlayerRef, "Whose table it is, or who made the challenge.", required=False)
    rules = a.part(MatchRules)
    seats = a.each(SeatInfo)
    free_seats = a.many(a.seat_name(), "Those on which you can sit down now; none while the table is full.")
    commitments = a.many(a.hexadecimal(""), "Of every deal of the match: note them before you send a seed.")
    expires_at = a.moment("Left out for a set, whose code goes on leading to it.", required=False)
