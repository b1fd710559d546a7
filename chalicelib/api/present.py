"""A match from one seat, what happens to it, and lists of matches, as JSON.

This is on the way of every move: tables made once stand in for formatting.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from chalicelib.api.shapes import (
    Json,
    Kind,
    Shape,
    always,
    card,
    each,
    hexadecimal,
    known,
    many,
    moment,
    move,
    part,
    perhaps,
    seat_name,
    seconds,
    suit,
    text,
    truth,
    whole,
    word,
)
from chalicelib.match.event_types import EVENT_TYPES, EventType
from chalicelib.match.model import MAX_DEALS

if TYPE_CHECKING:
    from chalicelib.match.view import Event, MatchView

MINUTES = (
    "When it happened. While cards are played it is rounded down to whole minutes since the start of the deal, so it "
    "may be up to a minute early."
)

PLAYER_REF = Shape(
    "PlayerRef",
    "A player as others see them: `id`, and `name` if there is one; only `deleted` if the account is deleted.",
    perhaps("id", text()),
    perhaps(
        "name",
        text('Left out for a player without one: say "a guest" in your app\'s language.'),
        lambda ref: ref.name or None,
    ),
    perhaps(
        "deleted",
        truth("Only there, and true, if the account is deleted."),
        lambda ref: ref.deleted or None,
    ),
)
SIDE_TOTALS = Shape(
    "SideTotals",
    "A number for each side.",
    always("ns", whole(minimum=-(2**31 - 1)), 0),
    always("ew", whole(minimum=-(2**31 - 1)), 1),
)
DEAL_RESULT = Shape(
    "DealResult",
    "How a deal ended for the declarer's side; the other side scores 0.",
    always("side", word("Side", "The declarer's side.")),
    always("contract", whole("", 7, 13)),
    always("banked", whole("Tricks that side banked.", 0, 13)),
    always("made", truth()),
    always("score", whole("The contract if it was made, else minus twice the contract.", -26, 13)),
)
AUCTION_CALL = Shape(
    "AuctionCall",
    "What a seat said in the auction: a number, or without one a pass.",
    always("seat", seat_name()),
    perhaps("number", whole("", 7, 13)),
)
PLAYED_CARD = Shape("PlayedCard", "A card on the table.", always("seat", seat_name()), always("card", card()))
CURRENT_TRICK = Shape(
    "CurrentTrick",
    "The trick being played, in order of play.",
    always("leader", seat_name()),
    always("plays", each(PLAYED_CARD)),
)
TRICK = Shape(
    "Trick",
    "A finished trick.",
    always("leader", seat_name()),
    always("plays", each(PLAYED_CARD)),
    always("winner", seat_name()),
)
PILE = Shape(
    "Pile",
    "The tricks that are not banked yet.",
    always("tricks", whole("", 0, 13), "pile"),
    perhaps(
        "run_seat", seat_name("The seat that banks the pile if it wins the next trick; left out if no seat would.")
    ),
)
DEAL_VIEW = Shape(
    "DealView",
    "The current deal as everybody at the table sees it; the last one once the match has ended.",
    always("deal_number", whole("", 1, MAX_DEALS)),
    always("opener", seat_name("Who calls first."), "deal.opener"),
    always("phase", word("DealPhase"), "deal.phase"),
    perhaps("turn", seat_name("Who moves next; left out when the deal is over."), "deal.turn"),
    always("calls", each(AUCTION_CALL, "In order."), "deal.calls"),
    perhaps("declarer", seat_name("The highest caller, once the auction is over."), "deal.declarer"),
    perhaps("contract", whole("", 7, 13), "deal.contract"),
    perhaps("ser", suit("The trump suit, once it is named."), "deal.ser"),
    perhaps("trick", part(CURRENT_TRICK, "From the naming of the ser to the last card."), "deal.trick"),
    perhaps(
        "last_trick",
        part(TRICK, "The last finished trick, if any."),
        lambda view: view.deal.tricks[-1] if view.deal.tricks else None,
    ),
    perhaps(
        "tricks", each(TRICK, "All finished tricks in order; only from `getMatch` with `tricks=true`."), "deal.tricks"
    ),
    always("pile", part(PILE), "deal"),
    always("banked", part(SIDE_TOTALS, "Tricks banked by each side."), "deal.banked"),
    always(
        "commitment",
        hexadecimal("SHA-256 of the secret that this deal is shuffled with."),
        lambda view: view.commitments[view.deal_number - 1],
    ),
    perhaps("result", part(DEAL_RESULT), "deal.result"),
)
"""Of a MatchView, whose `deal` it is."""
_BRIEF_DEAL = DEAL_VIEW.without("tricks")
MATCH_RULES = Shape(
    "MatchRules",
    "The options of a table.",
    always("deals", whole("How many deals (R4).", 1, MAX_DEALS)),
    always("after_bank", word("AfterBank")),
    perhaps(
        "turn_seconds",
        whole(
            "Seconds a player has for a move; left out if there is no clock. By default it depends on how many humans "
            "sit (before the start: on how many would, with all free seats taken): a day for more than one, else no "
            "clock.",
            1,
        ),
    ),
    always("start", word("StartRule")),
    always("take_over", truth("Whether a friend may take a bot's seat once cards are dealt.")),
    always("hints", truth("Whether players may ask for hints.")),
)
SEAT_INFO = Shape(
    "SeatInfo",
    "One seat of the table, whoever has it.",
    always("seat", seat_name()),
    always("type", known("What is on it.", "human", "bot", "empty", "invited")),
    perhaps("player", part(PLAYER_REF, "Who sits here, is invited, or sat here before leaving.")),
    perhaps(
        "level",
        text(
            "The level of the bot that makes the moves here; left out while a human does. While a player is `away` it "
            "is the stand-in's: the level of the bot whose seat they took over, else `steady`."
        ),
    ),
    perhaps("cards_left", whole("How many cards it holds, while the match is being played.", 0, 13)),
    always("away", truth("The player ran out of time twice in a row; a bot stands in until they are back.")),
    always("left", truth("The player has left for good.")),
)
INVITE = Shape(
    "Invite",
    "What friends need to sit down.",
    always("code", text("Can be read aloud over the phone.")),
    always("expires_at", moment()),
)
MATCH_RESULT = Shape(
    "MatchResult",
    "How a match ended.",
    perhaps("winner", word("Side", "Left out for a draw.")),
    always("scores", part(SIDE_TOTALS)),
    always("deals", each(DEAL_RESULT)),
)
YOUR_SEAT = Shape(
    "YourSeat",
    "What only you can see.",
    always("seat", seat_name()),
    always(
        "hand",
        many(card(), "Your cards, by suit (S H D C) and from high to low. Empty before cards are dealt."),
        lambda view: () if view.deal is None else view.deal.hand,
    ),
    always(
        "legal_moves",
        many(move(), "Whole bodies for `makeMove`; empty when it is not your turn."),
        lambda view: () if view.deal is None else view.deal.legal_moves,
    ),
)
"""Of a MatchView, whose `seat` it is."""
PREVIOUS_DEAL = Shape(
    "PreviousDeal",
    "The deal before the current one.",
    always("deal_number", whole("", 1, MAX_DEALS), 0),
    always("result", part(DEAL_RESULT), 1),
)
_COMMITMENTS = many(hexadecimal(), "Of every deal of the match, in order.")
MATCH_VIEW = Shape(
    "MatchView",
    "A match from your seat; without `you` for a spectator.",
    always("id", text()),
    always("version", whole("The number of the last event: what `listEvents` takes as `after`.")),
    always("status", word("MatchStatus")),
    always("rules", part(MATCH_RULES)),
    always("spectators", truth("Whether anybody may watch."), "rules.spectators"),
    always("created_at", moment()),
    always("next_move", whole("The number that the next move of the match has.", 1)),
    always("poll_after_seconds", seconds("How long to wait before asking again, as of this answer.")),
    always("seats", each(SEAT_INFO, "All four, in order of play.")),
    always("scores", part(SIDE_TOTALS)),
    always("commitments", _COMMITMENTS),
    perhaps("invite", part(INVITE, "For players at the table, while a friend can take a seat.")),
    perhaps("host_seat", seat_name(), "host"),
    perhaps("deadline_at", moment("When a bot moves for the player whose turn it is.")),
    perhaps("you", part(YOUR_SEAT), lambda view: None if view.seat is None else view),
    perhaps(
        "deal",
        part(_BRIEF_DEAL, "Once cards are dealt."),
        lambda view: None if view.deal is None or view.deal_number is None else view,
    ),
    perhaps("previous_deal", part(PREVIOUS_DEAL)),
    perhaps("result", part(MATCH_RESULT, "Once the match is finished.")),
    perhaps("rematch_id", text("The latest rematch.")),
    perhaps("deal_set_id", text("The set that it is an entry of."), "set_id"),
)


def _members_of(kind: EventType) -> str:
    names = [*(f"`{name}`" for name in kind.always), *(f"perhaps `{name}`" for name in kind.perhaps)]
    return f": {', '.join(names)}" if names else ""


_EVENT_VALUES = (
    perhaps("move_number", whole("The move's number in the match.", 1)),
    perhaps("number", whole("The number that was called.", 7, 13)),
    perhaps("suit", suit()),
    perhaps("card", card()),
    perhaps("deal_number", whole("The deal's number.", 1, MAX_DEALS)),
    perhaps("opener", seat_name()),
    perhaps("commitment", hexadecimal()),
    perhaps("hand", many(card(), "Your own cards.")),
    perhaps("trick_number", whole("The trick's number in the deal.", 1, 13)),
    perhaps("side", word("Side")),
    perhaps("tricks", whole("How many tricks were banked.", 1, 13)),
    perhaps("result", part(DEAL_RESULT)),
    perhaps("match_result", part(MATCH_RESULT)),
    perhaps("place", part(SEAT_INFO, "The seat as it is from now on.")),
    perhaps("host_seat", seat_name()),
    perhaps("client_seed", word("ClientSeed", "The player's part in the shuffle.")),
    perhaps("rules", part(MATCH_RULES)),
    perhaps("spectators", truth("Whether anybody may watch.")),
    perhaps("commitments", _COMMITMENTS),
    perhaps("rematch_id", text()),
)
"""Found among the `values` of an event."""
_CONVERT = {member.name: member.kind.convert for member in _EVENT_VALUES}
_HEAD = (
    always("version", whole("Its number; a match's events are numbered without gaps.", 1)),
    always(
        "at",
        moment(
            f"{MINUTES} Order events by `version`. Before the start and after the end times are exact to the second, "
            "and so is `deadline_at`."
        ),
    ),
    always(
        "type",
        text(
            "What happened. Ignore types that you do not know.\n\n"
            + "\n".join(f"* `{name}`{_members_of(kind)}" for name, kind in EVENT_TYPES.items())
        ),
    ),
    perhaps("actor", known("Who caused it.", "player", "bot", "stand_in", "rule", "timeout")),
    perhaps("seat", seat_name()),
)
EVENT = Shape(
    "Event",
    "One numbered thing that happened: a flat object with the members that its type has.",
    *_HEAD,
    *_EVENT_VALUES,
)
_EVENT_HEAD = Shape("", "", *_HEAD)


def event(entry: Event) -> Json:
    """Event. What a type does not need is not looked at."""
    shown = _EVENT_HEAD(entry)
    for name, value in entry.values.items():
        if name == "result" and entry.type == "match_finished":
            name = "match_result"  # a member of an open answer has one type, whatever the event's
        convert = _CONVERT.get(name)
        shown[name] = value if convert is None else convert(value)
    return shown


_EVENTS = Kind(each(EVENT).schema, lambda entries: [event(entry) for entry in entries])
MATCH_UPDATE = Shape(
    "MatchUpdate",
    "Your view after a write, and the events of this request and all since, the latest 200 at most.",
    always("match", part(MATCH_VIEW), "view"),
    always("events", _EVENTS),
    perhaps(
        "events_from",
        whole("Only if earlier events are left out: `listEvents` returns all of them with this as `after`."),
    ),
)
LEAVE_UPDATE = Shape(
    "LeaveUpdate",
    "A MatchUpdate if you can still see the match; else no `match` and no events.",
    perhaps("match", part(MATCH_VIEW), "view"),
    always("events", _EVENTS),
)
EVENT_PAGE = Shape(
    "EventPage",
    "A stretch of the feed.",
    always("items", _EVENTS),
    always("version", whole("The next `after`.")),
    always("more", truth("Whether there are more already.")),
    always("poll_after_seconds", seconds("How long to wait before asking again, if not.")),
    perhaps("deadline_at", moment("When a bot moves for the player whose turn it is now.")),
    perhaps(
        "match",
        part(
            MATCH_VIEW,
            "Your view, if you asked for it and there are items. It is the latest, so ahead of them if there are more.",
        ),
        "view",
    ),
)
MATCH_SUMMARY = Shape(
    "MatchSummary",
    "A match in my list.",
    always("id", text()),
    always("version", whole()),
    always("status", word("MatchStatus")),
    always("seats", each(SEAT_INFO)),
    perhaps("your_seat", seat_name("Left out if you have left or are only invited.")),
    always("your_turn", truth()),
    always("stands_still", truth("Everybody is away: the match continues when one of them takes their seat again.")),
    always("scores", part(SIDE_TOTALS)),
    always("created_at", moment()),
    always("updated_at", moment("When the current turn began.")),
    perhaps("deadline_at", moment()),
    perhaps("rematch_id", text("The latest rematch; it may still be waiting for you.")),
    perhaps("deal_set_id", text("The set that it is an entry of."), "set_id"),
)
MATCH_PAGE = Shape(
    "MatchPage",
    "A page of my matches.",
    always("items", each(MATCH_SUMMARY), 0),
    perhaps("next_cursor", text("Only if there is more: the `cursor` of the next page."), 1),
)
OFFER = Shape(
    "Offer",
    "A seat reserved for me in a rematch.",
    always("match", part(MATCH_SUMMARY)),
    always("seat", seat_name("Take it with PUT, decline it with DELETE.")),
    perhaps("rematch_of", text("The match that it is a rematch of.")),
    always("expires_at", moment("When the offer expires: the match is abandoned then, if it has not started.")),
)
TURNS = Shape(
    "Turns",
    "What waits for me.",
    always(
        "count",
        whole("How many items and offers there are."),
        lambda waiting: len(waiting.matches) + len(waiting.offers),
    ),
    always("items", each(MATCH_SUMMARY), "matches"),
    always("offers", each(OFFER)),
)
INVITATION = Shape(
    "Invitation",
    "What a friend sees before joining: a match, or a set to enter, which looks like a table with one seat free.",
    perhaps("match_id", text("The match to sit down at; left out for a set.")),
    perhaps("deal_set_id", text("The set to enter; left out for a match."), "set_id"),
    perhaps("host", part(PLAYER_REF, "Whose table it is, or who made the challenge.")),
    always("rules", part(MATCH_RULES)),
    always("seats", each(SEAT_INFO)),
    always("free_seats", many(seat_name(), "Seats that you can take now; none while the table is full.")),
    always("commitments", many(hexadecimal(), "Of every deal of the match. Save them before you send a seed.")),
    perhaps("expires_at", moment("Left out for a set, whose code goes on leading to it.")),
)


def match(view: MatchView, *, tricks: bool = False) -> Json:
    """MatchView; with `tricks` every finished trick of the deal, not the last alone."""
    shown = MATCH_VIEW(view)
    if tricks and "deal" in shown:
        shown["deal"] = DEAL_VIEW(view)
    return shown
