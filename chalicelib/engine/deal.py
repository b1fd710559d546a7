"""A deal as a value: the hands, the opener, the table's reading of R1, and the moves so far.

Everything else follows from those. A `Deal` never changes for whoever holds it: `play` answers a new one.
"""

from __future__ import annotations

from chalicelib.engine.cards import CARDS, SUITS, Suit
from chalicelib.engine.moves import CALL_CODE, HIGHEST_CALL, MOVES, PASS_CODE, Move
from chalicelib.engine.refusal import refusal
from chalicelib.engine.scoring import DealResult, result_of
from chalicelib.engine.state import NAMED, OVER, SPOKEN, TRICKS, State
from chalicelib.engine.types import SEATS, AfterBank, AuctionCall, Banked, FinishedTrick, Phase, Played, Seat, Trick
from chalicelib.engine.view import DealView, view_of

_MOVE_OF_BIT = {move.bit: move for move in MOVES}


class Deal(State):
    """One deal at one moment. Made by `Deal.start` or `replay`, moved on by `play`."""

    __slots__ = ()

    @classmethod
    def start(cls, hands: tuple[int, int, int, int], opener: Seat, after_bank: AfterBank) -> Deal:
        """A deal nobody has spoken in yet; `hands` are 52-bit sets by seat.

        `ValueError` if they do not deal the whole pack, 13 cards each.
        """
        deal = cls.__new__(cls)
        deal._begin(hands, opener, after_bank)
        return deal

    # -- moving on ---------------------------------------------------------------------------------

    def legal_moves(self) -> tuple[Move, ...]:
        """The moves that whose turn it is may make, in the order of their codes; none once the deal is over."""
        legal = self._legal
        if legal is None:
            legal = self._judge()
        moves = []
        while legal:
            bit = legal & -legal
            moves.append(_MOVE_OF_BIT[bit])
            legal ^= bit
        return tuple(moves)

    def play(self, move: Move, seat: Seat | None = None) -> Deal:
        """The deal after a move of whose turn it is, or of `seat`; `IllegalMove` if it may not be made."""
        legal = self._legal
        if legal is None:
            legal = self._judge()
        if not move.bit & legal or (seat is not None and seat != self._turn):
            raise refusal(self, move, seat)
        after = self._copy()
        after._make(move.code)
        return after

    def forced_move(self) -> Move | None:
        """R6: the only move there is, if the whole table can see that; otherwise None."""
        moves = len(self._log)
        if OVER - len(SEATS) <= moves < OVER:
            return self.legal_moves()[0]
        return MOVES[PASS_CODE] if self._call == HIGHEST_CALL and moves < SPOKEN else None

    # -- what is to be seen ------------------------------------------------------------------------

    @property
    def hands(self) -> tuple[int, int, int, int]:
        """The four hands as dealt, 52-bit sets by seat."""
        return self._hands

    @property
    def left(self) -> tuple[int, int, int, int]:
        """The cards still held, 52-bit sets by seat."""
        north, east, south, west = self._hands
        there = ~self._gone
        return (north & there, east & there, south & there, west & there)

    @property
    def opener(self) -> Seat:
        return self._opener

    @property
    def after_bank(self) -> AfterBank:
        return self._after_bank

    @property
    def codes(self) -> bytes:
        """The codes of the moves so far: with hands, opener and after_bank, all there is to a deal."""
        return self._log

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves so far."""
        return tuple([MOVES[code] for code in self._log])

    @property
    def phase(self) -> Phase:
        moves = len(self._log)
        if moves < SPOKEN:
            return Phase.AUCTION
        if moves < NAMED:
            return Phase.SER
        return Phase.PLAY if moves < OVER else Phase.DONE

    @property
    def turn(self) -> Seat | None:
        """The seat that moves next, None once the deal is over."""
        return SEATS[self._turn] if len(self._log) < OVER else None

    @property
    def calls(self) -> tuple[AuctionCall, ...]:
        """What has been said in the auction, in order."""
        return tuple(
            [
                AuctionCall(SEATS[(self._opener + i) & 3], None if code == PASS_CODE else code - CALL_CODE)
                for i, code in enumerate(self._log[:SPOKEN])
            ]
        )

    @property
    def declarer(self) -> Seat | None:
        """The highest caller, None until the auction is over."""
        return SEATS[self._caller] if len(self._log) >= SPOKEN else None

    @property
    def contract(self) -> int | None:
        """The declarer's call, None until the auction is over."""
        return self._call if len(self._log) >= SPOKEN else None

    @property
    def ser(self) -> Suit | None:
        return SUITS[self._ser] if len(self._log) >= NAMED else None

    @property
    def trick(self) -> Trick | None:
        """The unfinished trick, without plays before its lead; None before the play and after it."""
        if not NAMED <= len(self._log) < OVER:
            return None
        number = len(self._winners)
        leader = SEATS[self._winners[-1] if number else self._caller]
        return Trick(leader, self._plays(number, leader))

    @property
    def tricks(self) -> tuple[FinishedTrick, ...]:
        """The finished tricks, in order."""
        tricks = []
        leader = SEATS[self._caller]
        for number, seat in enumerate(self._winners):
            winner = SEATS[seat]
            tricks.append(FinishedTrick(leader, self._plays(number, leader), winner))
            leader = winner
        return tuple(tricks)

    @property
    def winners(self) -> tuple[Seat, ...]:
        """Who won the finished tricks, in order."""
        return tuple([SEATS[seat] for seat in self._winners])

    def _plays(self, number: int, leader: int) -> tuple[Played, ...]:
        first = NAMED + 4 * number
        return tuple(
            [Played(SEATS[(leader + i) & 3], CARDS[code]) for i, code in enumerate(self._log[first : first + 4])]
        )

    @property
    def pile(self) -> int:
        """Tricks on hold."""
        return len(self._winners) - self._ns - self._ew

    @property
    def run_seat(self) -> Seat | None:
        """The seat that banks the pile if it wins the next trick, if there is one."""
        return SEATS[self._run] if self._run >= 0 and len(self._log) < OVER else None

    @property
    def banked(self) -> Banked:
        return Banked(self._ns, self._ew)

    @property
    def banks(self) -> tuple[int, ...]:
        """Numbers of the tricks with which a pile was banked."""
        numbers, run = [], None
        for number, winner in enumerate(self._winners, 1):
            if banked := winner == run or number == TRICKS:
                numbers.append(number)
            run = None if banked and self._after_bank is AfterBank.FRESH else winner
        return tuple(numbers)

    @property
    def event_count(self) -> int:
        """How many events the moves so far were: see `events_of`."""
        return len(self._log) + len(self._winners) + len(self.banks) + (len(self._log) == OVER)

    @property
    def result(self) -> DealResult | None:
        """The score, once the deal is over."""
        if len(self._log) != OVER:
            return None
        side = SEATS[self._caller].side
        return result_of(side, self._call, self.banked.of(side))

    def view(self, seat: Seat | None) -> DealView:
        """What that seat may see, or for None what a spectator may."""
        return view_of(self, seat)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Deal):
            return NotImplemented
        return self._truth() == other._truth()

    def __hash__(self) -> int:
        return hash(self._truth())

    def _truth(self) -> tuple[object, ...]:
        return self._hands, self._opener, self._after_bank, self._log

    def __repr__(self) -> str:
        """Without a card: a repr ends up in logs."""
        return f"<Deal {self.phase}, {len(self._log)} moves made>"
