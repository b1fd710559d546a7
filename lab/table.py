"""One deal of the arena played at one table, and what is worth knowing of it afterwards."""

from __future__ import annotations

import hashlib
import random
from dataclasses import dataclass
from time import thread_time

from chalicelib.bots import Opponents, among
from chalicelib.bots.levels import decide
from chalicelib.bots.seen import look
from chalicelib.bots.sharp import Sharp
from chalicelib.engine import SEATS, AfterBank, Deal, DealView, Move, Seat, Side
from lab.players import Player, SeesAll, known_as, player

Seated = tuple[str, str]
"""Names of who plays north and south, and who plays east and west."""


@dataclass(frozen=True, slots=True)
class Played:
    """A finished deal."""

    declarer: Seat
    contract: int
    banked: int
    """By the declarer's side."""
    score: int
    voluntary: bool
    """The declarer could have passed."""
    chance: float | None
    """To make it, as the declarer saw it when it called; None if it does not reckon in chances."""
    seconds: tuple[list[float], list[float]]
    """CPU time of each decision, by ns and ew."""

    def points(self, side: Side) -> int:
        """The score of that side less the other's."""
        return self.score if self.declarer.side is side else -self.score


def decide_with(bot: Player, deal: Deal, view: DealView, key: bytes, opponents: Opponents) -> Move:
    """The player's move: from the view, or for the open-hands solver from everything."""
    return bot.move(deal) if isinstance(bot, SeesAll) else decide(bot, view, key, opponents)


def dealt(seed: str, number: int, after_bank: AfterBank) -> Deal:
    """The arena's deal of that number: the same for everybody who names the same seed."""
    pack = list(range(52))
    random.Random(f"{seed}:{number}").shuffle(pack)
    north, east, south, west = (sum(1 << card for card in pack[i::4]) for i in range(4))
    return Deal.start((north, east, south, west), SEATS[number % 4], after_bank)


def play_out(deal: Deal, seated: Seated, salt: str) -> Played:
    """Play a deal to the end; forced moves that everybody sees (R6) are made without asking."""
    ns, ew = map(known_as, seated)
    opponents = among((ns, ew, ns, ew))
    players = [player(name) for name in seated]
    seconds: tuple[list[float], list[float]] = ([], [])
    heard: dict[Seat, tuple[DealView, bytes]] = {}
    while (turn := deal.turn) is not None:
        if (move := deal.forced_move()) is None:
            key = hashlib.sha256(f"{salt}:{len(deal.codes)}".encode()).digest()
            start = thread_time()
            view = deal.view(turn)
            move = decide_with(players[turn % 2], deal, view, key, opponents)
            seconds[turn % 2].append(thread_time() - start)
            if move.type == "call":
                heard[turn] = view, key
        deal = deal.play(move, turn)
    result, declarer = deal.result, deal.declarer
    assert result is not None
    assert declarer is not None
    view, key = heard[declarer]
    bot = players[declarer % 2]
    return Played(
        declarer=declarer,
        contract=result.contract,
        banked=result.banked,
        score=result.score,
        voluntary=bool(view.calls),
        chance=bot.outlook(look(view, opponents), key).best(result.contract)[0] if isinstance(bot, Sharp) else None,
        seconds=seconds,
    )
