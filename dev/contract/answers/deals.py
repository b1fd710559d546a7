"""A deal: its auction, its tricks, its pile, its result; and one that is over, whole."""

from __future__ import annotations

from chalicelib.match.model import MAX_DEALS
from dev.contract import shapes as a
from dev.contract.answers.players import PlayerRef

MINUTES = (
    "When, in steps of a minute from the deal's beginning while cards are played: it looks exact, and may be up to a "
    "minute early."
)


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

    deal_number = a.whole(None, 1, MAX_DEALS)
    opener = a.seat_name("Who speaks first.")
    phase = a.phase()
    turn = a.seat_name("Who moves next; left out when the deal is over.", required=False)
    calls = a.each(AuctionCall, "In order.")
    declarer = a.seat_name("The highest caller, once the auction is over.", required=False)
    contract = a.whole(None, 7, 13, required=False)
    ser = a.suit("The trump suit, once it is named.", required=False)
    trick = a.part(CurrentTrick, "Once the ser is named and until the last card is played.", required=False)
    last_trick = a.part(Trick, "The last finished one, once there is one.", required=False)
    tricks = a.each(Trick, "All the finished ones, in order: only if `getMatch` is asked for them.", required=False)
    pile = a.part(Pile)
    banked = a.part(SideTotals, "Tricks banked by each side.")
    commitment = a.hexadecimal("SHA-256 of the secret that this deal is shuffled with.")
    result = a.part(DealResult, required=False)


class DealSeat(a.Answer):
    """A seat of a finished deal, with the hand it was dealt."""

    seat = a.seat_name()
    player = a.part(PlayerRef, "Left out for a bot.", required=False)
    hand = a.many(a.card())
    client_seed = a.seed("The seat's part in the shuffle; empty for a bot.")


class SeedSender(a.Answer):
    """Somebody who sat at the table when the match started."""

    seat = a.seat_name()
    player = a.part(PlayerRef)


class MadeMove(a.Answer):
    """A move of a finished deal: one flat object whatever its type."""

    move_number = a.whole("Its number in the match.", 1)
    seat = a.seat_name()
    actor = a.known("Who made it.", "player", "bot", "stand_in", "rule", "timeout")
    at = a.moment(MINUTES)
    type = a.known("What it was.", "call", "pass", "ser", "play")
    number = a.whole("The number that was called.", 7, 13, required=False)
    suit = a.suit(required=False)
    card = a.card(required=False)


class Bank(a.Answer):
    """The pile banked."""

    trick_number = a.whole("The trick that banked it, by its number in the deal.", 1, 13)
    seat = a.seat_name()
    side = a.side()
    tricks = a.whole("How many tricks it was.", 1, 13)


class DealRecord(a.Answer):
    """A deal that is over, whole."""

    match_id = a.text()
    deal_number = a.whole(None, 1, MAX_DEALS)
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
    deal_secret = a.hexadecimal(
        "The secret it was shuffled with: its SHA-256 is the commitment. Of an entry once nobody else can play the "
        "cards: when its daily has run out, or of a challenge when you have finished it.",
        required=False,
    )
    commitment = a.hexadecimal("What was shown of it before.")
    client_digest = a.hexadecimal("SHA-256 of the four seeds.")
    seed_order = a.each(
        SeedSender,
        "Who sat at the start, in the order in which they sat down or sent their seeds: the last had the last word in "
        "the shuffle.",
    )
