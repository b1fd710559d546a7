"""A deal as a value: the hands, the opener, the table's reading of R1, and the moves so far.

Everything else is computed from the moves as they are made. A `Deal` never changes for whoever holds it:
`play` answers a new one. Inside, a hand is a 52-bit set, a move is its code, and the legal moves are a
64-bit set of codes, so that judging a move is one `and`.
"""

from __future__ import annotations

from .cards import CARDS, PACK, SUIT_CARDS, SUITS, Suit
from .moves import CALL_CODE, HIGHEST_CALL, LOWEST_CALL, MOVES, PASS_CODE, SER_CODE, Move
from .refusal import refusal
from .scoring import DealResult, result_of
from .types import SEATS, AfterBank, AuctionCall, Banked, FinishedTrick, Phase, Played, Seat, Trick
from .view import DealView, view_of

SPOKEN = 4
"""Moves in the auction: each seat speaks once."""
NAMED = SPOKEN + 1
"""Moves up to and including the naming of the ser."""
OVER = NAMED + len(CARDS)
"""Moves of a whole deal."""

_SUIT_OF = bytes(code // 13 for code in range(52))
_BYTE_OF = tuple(bytes((code,)) for code in range(64))
_MOVE_OF_BIT = {move.bit: move for move in MOVES}
_PASS = 1 << PASS_CODE
_SERS = sum(1 << SER_CODE + suit for suit in SUITS)
_OPENINGS = sum(1 << CALL_CODE + number for number in range(LOWEST_CALL, HIGHEST_CALL + 1))
_LEGAL_OVER = tuple(
    _PASS | sum(1 << CALL_CODE + number for number in range(max(LOWEST_CALL, call + 1), HIGHEST_CALL + 1))
    for call in range(HIGHEST_CALL + 1)
)
"""For the highest call so far: a pass or any higher call."""


class Deal:
    """One deal at one moment. Made by `Deal.start` or `replay`, moved on by `play`."""

    __slots__ = (
        "_after_bank",
        "_best",  # code of the card that is winning the trick
        "_best_seat",
        "_call",  # highest call so far, 0 for none
        "_caller",
        "_ew",  # tricks banked
        "_gone",  # cards played, as a set
        "_hands",
        "_legal",  # set of legal codes, None until asked for
        "_log",  # codes of the moves so far
        "_ns",
        "_opener",
        "_run",  # seat whose win of the next trick banks, -1 for none
        "_ser",
        "_turn",
        "_winners",  # seats, one a finished trick
    )
    _hands: tuple[int, int, int, int]
    _opener: Seat
    _after_bank: AfterBank
    _log: bytes
    _winners: bytes
    _legal: int | None
    _best: int
    _best_seat: int
    _call: int
    _caller: int
    _ew: int
    _gone: int
    _ns: int
    _run: int
    _ser: int
    _turn: int

    @classmethod
    def start(cls, hands: tuple[int, int, int, int], opener: Seat, after_bank: AfterBank) -> Deal:
        """A deal nobody has spoken in yet; `hands` are 52-bit sets by seat.

        `ValueError` if they do not deal the whole pack, 13 cards each.
        """
        north, east, south, west = hands
        if north | east | south | west != PACK or any(hand.bit_count() != 13 for hand in hands):
            raise ValueError("the hands do not deal the whole pack")
        deal = cls.__new__(cls)
        deal._hands = hands
        deal._opener = SEATS[opener]
        deal._after_bank = AfterBank(after_bank)
        deal._log = deal._winners = b""
        deal._turn = int(opener)
        deal._run = -1
        deal._legal = None
        deal._best = deal._best_seat = deal._call = deal._caller = deal._ser = 0
        deal._gone = deal._ns = deal._ew = 0
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

    def is_legal(self, move: Move) -> bool:
        """May whose turn it is make this move?"""
        return bool(move.bit & (self._judge() if self._legal is None else self._legal))

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
        made = len(self._log)
        if OVER - len(SEATS) <= made < OVER:
            return self.legal_moves()[0]
        return MOVES[PASS_CODE] if self._call == HIGHEST_CALL and made < SPOKEN else None

    def _copy(self) -> Deal:
        copy = Deal.__new__(Deal)
        copy._hands = self._hands
        copy._opener = self._opener
        copy._after_bank = self._after_bank
        copy._log = self._log
        copy._winners = self._winners
        copy._turn = self._turn
        copy._call = self._call
        copy._caller = self._caller
        copy._ser = self._ser
        copy._gone = self._gone
        copy._best = self._best
        copy._best_seat = self._best_seat
        copy._run = self._run
        copy._ns = self._ns
        copy._ew = self._ew
        return copy

    def _judge(self) -> int:
        """The set of legal codes, worked out once."""
        made = len(self._log)
        if made >= OVER:
            legal = 0
        elif made >= NAMED:
            legal = self._hands[self._turn] & ~self._gone
            if in_trick := (made - NAMED) & 3:
                legal = legal & SUIT_CARDS[_SUIT_OF[self._log[-in_trick]]] or legal
        elif made == SPOKEN:
            legal = _SERS
        else:
            legal = _LEGAL_OVER[self._call] if made else _OPENINGS
        self._legal = legal
        return legal

    def _make(self, code: int) -> None:
        """Make a legal move in place. Only for a deal that nobody else holds yet."""
        made = len(self._log)
        self._log += _BYTE_OF[code]
        self._legal = None
        if made < NAMED:
            self._speak(code, made)
            return
        self._gone |= 1 << code
        in_trick = (made - NAMED) & 3
        if not in_trick:
            self._best = code
            self._best_seat = self._turn
        else:
            suit, best_suit = _SUIT_OF[code], _SUIT_OF[self._best]
            if code > self._best if suit == best_suit else suit == self._ser:
                self._best = code
                self._best_seat = self._turn
        if in_trick == 3:
            self._finish_trick(self._best_seat)
        else:
            self._turn = (self._turn + 1) & 3

    def _speak(self, code: int, made: int) -> None:
        if made == SPOKEN:
            self._ser = code - SER_CODE
            return
        if code != PASS_CODE:
            self._call = code - CALL_CODE
            self._caller = self._turn
        self._turn = self._caller if made == SPOKEN - 1 else (self._turn + 1) & 3

    def _finish_trick(self, winner: int) -> None:
        """Two in a row: the winner of a trick banks the pile with a second win, or with the last trick."""
        self._winners += _BYTE_OF[winner]
        self._turn = winner
        if winner == self._run or len(self._winners) == 13:
            banked = len(self._winners) - self._ns - self._ew
            if winner & 1:
                self._ew += banked
            else:
                self._ns += banked
            self._run = winner if self._after_bank is AfterBank.STREAK else -1
        else:
            self._run = winner

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
        made = len(self._log)
        if made < SPOKEN:
            return Phase.AUCTION
        if made < NAMED:
            return Phase.SER
        return Phase.PLAY if made < OVER else Phase.DONE

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
    def result(self) -> DealResult | None:
        """The score, once the deal is over."""
        return result_of(SEATS[self._caller], self._call, self.banked) if len(self._log) == OVER else None

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
