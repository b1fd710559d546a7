"""What holds in every deal, whatever the cards and however it is played; and why a move is refused."""

from __future__ import annotations

import pickle
from itertools import pairwise

import pytest
from hypothesis import given

from chalicelib import engine
from chalicelib.engine import MOVES, SEATS, AfterBank, Deal, IllegalMove, Phase, Play, Seat, parse_move, replay
from tests.strategies import deals, finished_deals, hands, running_deals, states_of

SUIT = (1 << 13) - 1
WHOLE_SUITS = (SUIT, SUIT << 13, SUIT << 26, SUIT << 39)
ACES_APART = (
    SUIT & ~(1 << 12) | 1 << 25,
    (SUIT & ~(1 << 12)) << 13 | 1 << 38,
    (SUIT & ~(1 << 12)) << 26 | 1 << 51,
    (SUIT & ~(1 << 12)) << 39 | 1 << 12,
)
"""North to west: all but the ace of a suit each, and the ace of the next seat's."""


def refused(deal: Deal, move: object, seat: Seat | None = None) -> tuple[str, object]:
    """Why the move is not legal: the reason and its parameters."""
    with pytest.raises(IllegalMove) as failure:
        deal.play(move, seat)  # type: ignore[arg-type]
    return failure.value.reason, failure.value.params


@given(finished_deals())
def test_a_whole_deal(deal: Deal) -> None:
    """Four speak, one names the ser, 52 cards are played; then nobody can move. All 13 tricks are banked, once."""
    states = states_of(deal)
    phases = [Phase.AUCTION] * 4 + [Phase.SER] + [Phase.PLAY] * 52 + [Phase.DONE]
    assert phases == [state.phase for state in states]
    assert (None, (), (0, 0, 0, 0)) == (deal.turn, deal.legal_moves(), deal.left)
    assert 13 == sum(deal.banked)
    for before, move, after in zip(states, deal.moves, states[1:], strict=False):
        assert sum(after.banked) + after.pile == len(after.tricks)
        if isinstance(move, Play):
            assert before.turn is not None
            assert move.card.bit == before.left[before.turn] - after.left[before.turn]
    assert all(("deal_over", {}) == refused(deal, move, seat) for move in MOVES for seat in (*SEATS, None))


@given(deals())
def test_moves_are_legal_or_refused(deal: Deal) -> None:
    """Of the 64 moves there are every legal one is accepted, by the seat whose turn it is alone, and every other
    refused; the deal itself never changes."""
    before = deal.codes, deal.left, deal.turn, deal.legal_moves()
    assert ([] if deal.turn is None else [deal.turn]) == [seat for seat in SEATS if deal.view(seat).legal_moves]
    for move in MOVES:
        if move in deal.legal_moves():
            assert (*deal.moves, move) == deal.play(move, deal.turn).moves
            for seat in {*SEATS} - {deal.turn}:
                assert deal.turn is not None
                assert ("not_your_turn", {"turn": deal.turn.text}) == refused(deal, move, seat)
        else:
            reason, params = refused(deal, move, deal.turn)
            if isinstance(move, Play) and reason == "card_not_in_hand":  # nothing of whose it is
                assert {"card": str(move.card)} == params
    assert before == (deal.codes, deal.left, deal.turn, deal.legal_moves())


@given(running_deals())
def test_legal_moves_are_what_the_rules_say(deal: Deal) -> None:
    """Follow the led suit if you can, else any card; any higher call, or a pass unless you open; any ser."""
    assert deal.turn is not None
    hand = {str(card) for card in engine.hand_of(deal.left[deal.turn])}
    highest = max((call.number or 0 for call in deal.calls), default=0)
    match deal.phase:
        case Phase.AUCTION:
            expected = {str(number) for number in range(7, 14) if number > highest}
            expected |= {"pass"} if deal.calls else set()
        case Phase.SER:
            expected = set("SHDC")
        case _:
            assert deal.trick is not None
            led = [str(play.card)[1] for play in deal.trick.plays[:1]]
            expected = {card for card in hand if card[1] in led} or hand
    assert expected == {engine.format_move(move) for move in deal.legal_moves()}


@given(deals())
def test_forced_moves_are_public(deal: Deal) -> None:
    """R6: the server makes a pass once 13 is called and each card of the 13th trick, and nothing else, however single
    a legal move is: having to follow with one's only card is nobody else's to know."""
    thirteen = deal.phase is Phase.AUCTION and any(call.number == 13 for call in deal.calls)
    if thirteen or (deal.phase is Phase.PLAY and len(deal.tricks) == 12):
        assert deal.legal_moves() == (deal.forced_move(),)
    else:
        assert deal.forced_move() is None


@given(finished_deals())
def test_tricks_go_to_the_highest_card(deal: Deal) -> None:
    """The highest ser wins, or with none the highest of the led suit; the winner leads, the declarer leads first."""
    assert deal.declarer is deal.tricks[0].leader
    for trick in deal.tricks:
        assert [play.seat for play in trick.plays] == [SEATS[(trick.leader + i) % 4] for i in range(4)]
        led = trick.plays[0].card.suit
        suit = deal.ser if any(play.card.suit is deal.ser for play in trick.plays) else led
        assert (
            trick.winner
            is max((play for play in trick.plays if play.card.suit is suit), key=lambda p: p.card.rank).seat
        )
    assert all(before.winner is after.leader for before, after in pairwise(deal.tricks))


@given(finished_deals())
def test_two_in_a_row_bank(deal: Deal) -> None:
    """The pile, counted trick by trick as the rules are told, ends up where the deal says."""
    banked = {"ns": 0, "ew": 0}
    pile, run = 0, ""
    for number, trick in enumerate(deal.tricks, 1):
        winner, pile = trick.winner.text, pile + 1
        if winner == run or number == 13:
            banked["ns" if winner in ("north", "south") else "ew"] += pile
            pile, run = 0, winner if deal.after_bank == "streak" else ""
        else:
            run = winner
    assert banked == deal.banked._asdict()


@given(deals())
def test_the_auction(deal: Deal) -> None:
    """Each seat speaks once in order from the opener, who must call; calls rise, and the highest is the contract."""
    assert [call.seat for call in deal.calls] == [SEATS[(deal.opener + i) % 4] for i in range(len(deal.calls))]
    numbers = [call.number for call in deal.calls if call.number is not None]
    assert numbers == sorted(set(numbers)) and bool(numbers) is bool(deal.calls)
    if deal.phase is not Phase.AUCTION:
        assert (deal.declarer, deal.contract) == max(deal.calls, key=lambda call: call.number or 0)
    assert (deal.declarer is None) == (deal.contract is None) == (deal.phase is Phase.AUCTION)
    assert (deal.phase in (Phase.AUCTION, Phase.SER)) == (deal.ser is None)
    assert (deal.phase is not Phase.PLAY) == (deal.trick is None)
    assert (deal.phase is not Phase.DONE) == (deal.result is None)


@given(deals(min_moves=1))
def test_log_is_the_deal(deal: Deal) -> None:
    """Replaying the codes gives the same deal in everything that can be seen of it, and so does a pickle; another
    reading of R1, or one move less, is another deal. A repr, which may end up in a log, shows no card."""
    again = replay(deal.hands, deal.opener, deal.after_bank, deal.codes)
    assert (again, hash(again)) == (deal, hash(deal))
    assert [again.view(seat) for seat in (*SEATS, None)] == [deal.view(seat) for seat in (*SEATS, None)]
    assert deal == pickle.loads(pickle.dumps(deal)) != "deal"
    (other,) = {*AfterBank} - {deal.after_bank}
    assert deal not in (
        replay(deal.hands, deal.opener, other, deal.codes),
        replay(deal.hands, deal.opener, deal.after_bank, deal.codes[:-1]),
    )
    assert f"<Deal {deal.phase.value}, {len(deal.moves)} moves made>" == repr(deal)


@pytest.mark.parametrize(
    "dealt",
    [
        (SUIT & ~1, *WHOLE_SUITS[1:]),
        (WHOLE_SUITS[1], *WHOLE_SUITS[1:]),
        (SUIT & ~1, WHOLE_SUITS[1] | 1, *WHOLE_SUITS[2:]),
    ],
    ids=["a card is missing", "cards are there twice", "hands are uneven"],
)
def test_only_a_whole_pack_is_dealt(dealt: tuple[int, int, int, int]) -> None:
    with pytest.raises(ValueError, match="whole pack"):
        Deal.start(dealt, Seat.NORTH, AfterBank.FRESH)


@given(hands())
def test_deal_cannot_be_written_to(dealt: tuple[int, int, int, int]) -> None:
    """Assigning to anything a deal shows is an error, and there is no room for more."""
    deal = Deal.start(dealt, Seat.EAST, AfterBank.FRESH)
    for name in ("hands", "turn", "pile", "banked", "moves", "anything"):
        with pytest.raises(AttributeError):
            setattr(deal, name, None)


@pytest.mark.parametrize(
    ("moves", "move", "reason", "params"),
    [
        ("", "pass", "opener_must_call", {}),
        ("", "S", "auction_not_over", {}),
        ("", "2S", "auction_not_over", {}),
        ("8", "8", "call_too_low", {"minimum": 9}),
        ("8 pass 12", "11", "call_too_low", {"minimum": 13}),
        ("13", "13", "must_pass", {}),
        ("13 pass", "7", "must_pass", {}),
        ("13 pass pass", "S", "auction_not_over", {}),
        ("7 8 9 10", "11", "auction_over", {}),
        ("7 8 9 10", "pass", "auction_over", {}),
        ("7 8 9 10", "2S", "ser_not_named", {}),
        ("7 pass pass pass H", "H", "ser_already_named", {}),
        ("7 pass pass pass H", "13", "auction_over", {}),
        ("7 pass pass pass H", "2H", "card_not_in_hand", {"card": "2H"}),
        ("7 pass pass pass H 2S 2H 2D", "2C", "must_follow_suit", {"suit": "S"}),
        ("7 pass pass pass H 2S 2H 2D", "2H", "card_not_in_hand", {"card": "2H"}),
        ("7 pass pass pass H 2S 2H 2D AS 3H AC 3C", "2S", "card_not_in_hand", {"card": "2S"}),
    ],
)
def test_refused_with_its_reason(moves: str, move: str, reason: str, params: dict[str, object]) -> None:
    """The refusal says which rule the move breaks, and with what a client needs to explain it."""
    deal = Deal.start(ACES_APART, Seat.NORTH, AfterBank.FRESH)
    for text in moves.split():
        deal = deal.play(parse_move(text))
    assert (reason, params) == refused(deal, parse_move(move))
    if deal.moves:  # a seat that is not to move hears so, whatever it tries
        assert deal.turn is not None
        assert ("not_your_turn", {"turn": deal.turn.text}) == refused(deal, parse_move(move), deal.turn.next)


def test_sentences_name_their_parameters() -> None:
    """Each reason's sentence can be said with exactly its parameters; one that nobody listed cannot be given."""
    for slug, reason in engine.REASONS.items():
        values = {name: f"<{name}>" for name in reason.params}
        error = IllegalMove(slug, **values)
        assert values == error.params
        assert all(value in str(error) for value in values.values()) and str(error).endswith(".")
        with pytest.raises(TypeError):
            IllegalMove(slug, **values, more=1)
    with pytest.raises(TypeError):
        IllegalMove("call_too_low")
    with pytest.raises(KeyError):
        IllegalMove("because")
