"""What holds in every deal, whatever the cards and however it is played."""

from __future__ import annotations

import pickle
from itertools import pairwise

import pytest
from hypothesis import given

from chalicelib.engine import (
    MOVES,
    SEATS,
    AfterBank,
    Deal,
    IllegalMove,
    Phase,
    Play,
    Seat,
    Suit,
    format_move,
    hand_of,
    replay,
)
from tests.strategies import deals, finished_deals, hands, running_deals, states_of


@given(finished_deals())
def test_every_trick_is_banked_once(deal: Deal) -> None:
    """The two sides' banked tricks add up to 13, and never more than are won on the way."""
    assert 13 == sum(deal.banked)
    for state in states_of(deal):
        assert sum(state.banked) + state.pile == len(state.tricks)


@given(finished_deals())
def test_deal_has_57_moves(deal: Deal) -> None:
    """Four speak, one names the ser, 52 cards are played; then nobody can move."""
    assert [state.phase for state in states_of(deal)] == (
        [Phase.AUCTION] * 4 + [Phase.SER] + [Phase.PLAY] * 52 + [Phase.DONE]
    )
    assert deal.turn is None
    assert () == deal.legal_moves()
    assert (0, 0, 0, 0) == deal.left


@given(deals())
def test_only_whose_turn_it_is_can_move(deal: Deal) -> None:
    """Exactly one seat has legal moves, and none once the deal is over."""
    movers = [seat for seat in SEATS if deal.view(seat).legal_moves]
    assert ([] if deal.turn is None else [deal.turn]) == movers


@given(deals())
def test_moves_are_legal_or_refused(deal: Deal) -> None:
    """Of the 64 moves there are, every legal one is accepted, every other refused; the deal itself never changes."""
    log, left, turn = deal.codes, deal.left, deal.turn
    legal = deal.legal_moves()
    for move in MOVES:
        if move in legal:
            assert (*deal.moves, move) == deal.play(move, turn).moves
        else:
            with pytest.raises(IllegalMove) as refused:
                deal.play(move, turn)
            assert refused.value.reason
    assert (log, left, turn, legal) == (deal.codes, deal.left, deal.turn, deal.legal_moves())


@given(running_deals())
def test_nobody_moves_for_another(deal: Deal) -> None:
    """A move that would be legal is refused from any seat but the one whose turn it is."""
    for seat in SEATS:
        if seat is not deal.turn:
            with pytest.raises(IllegalMove) as refused:
                deal.play(deal.legal_moves()[0], seat)
            assert deal.turn is not None
            assert ("not_your_turn", {"turn": deal.turn.text}) == (refused.value.reason, refused.value.params)


@given(running_deals())
def test_legal_moves_are_what_the_rules_say(deal: Deal) -> None:
    """Follow the led suit if you can, else any card; any higher call, or a pass unless you open; any ser."""
    assert deal.turn is not None
    hand = [str(card) for card in hand_of(deal.left[deal.turn])]
    called = [call.number for call in deal.calls if call.number is not None]
    if deal.phase is Phase.AUCTION:
        expected = {str(number) for number in range(7, 14) if number > max(called, default=0)} | (
            {"pass"} if deal.calls else set()
        )
    elif deal.phase is Phase.SER:
        expected = {"S", "H", "D", "C"}
    else:
        assert deal.trick is not None
        led = [str(play.card)[1] for play in deal.trick.plays[:1]]
        expected = {card for card in hand if card[1] in led} or set(hand)
    assert {format_move(move) for move in deal.legal_moves()} == expected


@given(finished_deals())
def test_tricks_go_to_the_highest_card(deal: Deal) -> None:
    """The highest ser wins, or with none the highest of the led suit; the winner leads, the declarer leads first."""
    assert deal.declarer is deal.tricks[0].leader
    for trick in deal.tricks:
        assert [play.seat for play in trick.plays] == [SEATS[(trick.leader + i) % 4] for i in range(4)]
        led = trick.plays[0].card.suit
        suit = deal.ser if any(play.card.suit is deal.ser for play in trick.plays) else led
        _rank, winner = max((play.card.rank, play.seat) for play in trick.plays if play.card.suit is suit)
        assert trick.winner is winner
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


@given(finished_deals())
def test_highest_caller_declares(deal: Deal) -> None:
    """Each seat speaks once in order from the opener; the highest call is the contract."""
    assert [call.seat for call in deal.calls] == [SEATS[(deal.opener + i) % 4] for i in range(4)]
    assert deal.calls[0].number is not None
    numbers = [call.number for call in deal.calls if call.number is not None]
    assert numbers == sorted(set(numbers))
    assert (deal.declarer, deal.contract) == max(deal.calls, key=lambda call: call.number or 0)


@given(deals())
def test_declarer_and_ser_are_known_in_time(deal: Deal) -> None:
    """There is no declarer or contract before the auction ends, no ser before it is named, no result before the end."""
    assert (deal.declarer is None) == (deal.contract is None) == (deal.phase is Phase.AUCTION)
    assert (deal.phase in (Phase.AUCTION, Phase.SER)) == (deal.ser is None)
    assert (deal.phase is not Phase.PLAY) == (deal.trick is None)
    assert (deal.phase is not Phase.DONE) == (deal.result is None)


@given(deals())
def test_log_is_the_deal(deal: Deal) -> None:
    """Replaying the codes gives the same deal in everything that can be seen of it, and so does a pickle."""
    again = replay(deal.hands, deal.opener, deal.after_bank, deal.codes)
    assert again == deal
    assert hash(again) == hash(deal)
    assert [again.view(seat) for seat in (*SEATS, None)] == [deal.view(seat) for seat in (*SEATS, None)]
    assert pickle.loads(pickle.dumps(deal)) == deal


@given(finished_deals())
def test_deals_differ_by_any_part(deal: Deal) -> None:
    """Another reading of R1, or one move less, is another deal."""
    other = AfterBank.STREAK if deal.after_bank is AfterBank.FRESH else AfterBank.FRESH
    assert replay(deal.hands, deal.opener, other, deal.codes) != deal
    assert replay(deal.hands, deal.opener, deal.after_bank, deal.codes[:-1]) != deal
    assert deal != "deal"


@given(finished_deals())
def test_cards_leave_the_hands_as_played(deal: Deal) -> None:
    """A card is in its player's hand before it is played, in nobody's after."""
    for before, move in zip(states_of(deal), deal.moves, strict=False):
        if isinstance(move, Play):
            assert before.turn is not None
            after = before.play(move)
            assert before.left[before.turn] - after.left[before.turn] == move.card.bit


@pytest.mark.parametrize("hand", ["DECK", "TWICE", "UNEVEN"])
def test_only_a_whole_pack_is_dealt(hand: str) -> None:
    """Hands with a card missing, twice there, or not 13 each are refused."""
    suits = [((1 << 13) - 1) << 13 * suit for suit in Suit]
    if hand == "DECK":
        suits[0] &= ~1
    elif hand == "TWICE":
        suits[0] = suits[1]
    else:
        suits[0], suits[1] = suits[0] & ~1, suits[1] | 1
    with pytest.raises(ValueError, match="whole pack"):
        Deal.start((suits[0], suits[1], suits[2], suits[3]), Seat.NORTH, AfterBank.FRESH)


@given(hands())
def test_deal_cannot_be_written_to(dealt: tuple[int, int, int, int]) -> None:
    """Assigning to anything a deal shows is an error, and there is no room for more."""
    deal = Deal.start(dealt, Seat.EAST, AfterBank.FRESH)
    for name in ("hands", "turn", "pile", "banked", "moves", "anything"):
        with pytest.raises(AttributeError):
            setattr(deal, name, None)


@given(deals())
def test_repr_shows_no_card(deal: Deal) -> None:
    """A deal's repr, which may end up in a log, is its phase and length only."""
    assert repr(deal) == f"<Deal {deal.phase.value}, {len(deal.moves)} moves made>"
