"""What a move does to a deal: the rules themselves, made in place and without judging twice.

A hand is a 52-bit set, a move is its code, and the legal moves are a 64-bit set of codes, so that judging a
move is one `and`. `Deal` wraps this as a value; nobody else touches it.
"""

from __future__ import annotations

from typing import Self

from chalicelib.engine.cards import CARDS, PACK, SUIT_CARDS, SUITS
from chalicelib.engine.moves import CALL_CODE, HIGHEST_CALL, LOWEST_CALL, PASS_CODE, SER_CODE
from chalicelib.engine.types import SEATS, AfterBank, Seat

SPOKEN = len(SEATS)
"""Moves in the auction: each seat speaks once."""
NAMED = SPOKEN + 1
"""Moves up to and including the naming of the ser."""
OVER = NAMED + len(CARDS)
"""Moves of a whole deal."""
TRICKS = len(CARDS) // len(SEATS)

_SUIT_OF = bytes(code // 13 for code in range(52))
_BYTE_OF = tuple(bytes((code,)) for code in range(64))
_PASS = 1 << PASS_CODE
_SERS = sum(1 << SER_CODE + suit for suit in SUITS)
_CALLS_FROM = tuple(
    sum(1 << CALL_CODE + number for number in range(max(LOWEST_CALL, lowest), HIGHEST_CALL + 1))
    for lowest in range(HIGHEST_CALL + 2)
)
"""The calls of at least that number."""


class State:
    """Hands, opener, the table's reading of R1, the moves so far, and what has come of them."""

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

    def _begin(self, hands: tuple[int, int, int, int], opener: Seat, after_bank: AfterBank) -> None:
        north, east, south, west = hands
        if north | east | south | west != PACK or any(hand.bit_count() != TRICKS for hand in hands):
            raise ValueError("the hands do not deal the whole pack")
        self._hands = hands
        self._opener = SEATS[opener]
        self._after_bank = AfterBank(after_bank)
        self._log = self._winners = b""
        self._turn = int(opener)
        self._run = -1
        self._legal = None
        self._best = self._best_seat = self._call = self._caller = self._ser = 0
        self._gone = self._ns = self._ew = 0

    def _copy(self) -> Self:
        copy = self.__class__.__new__(self.__class__)
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
        copy._legal = None
        return copy

    def _judge(self) -> int:
        """The set of legal codes, worked out once."""
        moves = len(self._log)
        if moves >= OVER:
            legal = 0
        elif moves >= NAMED:
            legal = self._hands[self._turn] & ~self._gone
            if in_trick := (moves - NAMED) & 3:
                legal = legal & SUIT_CARDS[_SUIT_OF[self._log[-in_trick]]] or legal
        elif moves == SPOKEN:
            legal = _SERS
        else:
            legal = _CALLS_FROM[self._call + 1] | (_PASS if moves else 0)
        self._legal = legal
        return legal

    def _make(self, code: int) -> None:
        """Make a legal move in place. Only for a deal that nobody else holds yet."""
        moves = len(self._log)
        self._log += _BYTE_OF[code]
        if moves < NAMED:
            self._speak(code, moves)
            return
        self._gone |= 1 << code
        in_trick = (moves - NAMED) & 3
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

    def _speak(self, code: int, moves: int) -> None:
        if moves == SPOKEN:
            self._ser = code - SER_CODE
            return
        if code != PASS_CODE:
            self._call = code - CALL_CODE
            self._caller = self._turn
        self._turn = self._caller if moves == SPOKEN - 1 else (self._turn + 1) & 3

    def _finish_trick(self, winner: int) -> None:
        """Two in a row: the winner of a trick banks the pile with a second win, or with the last trick."""
        self._winners += _BYTE_OF[winner]
        self._turn = winner
        if winner == self._run or len(self._winners) == TRICKS:
            banked = len(self._winners) - self._ns - self._ew
            if winner & 1:
                self._ew += banked
            else:
                self._ns += banked
            self._run = winner if self._after_bank is AfterBank.STREAK else -1
        else:
            self._run = winner
