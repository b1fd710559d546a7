"""What the bots cost: the playout kernel against open_spiel's C++, and the sharp level's time to answer.

CPU time of one thread: what a decision takes on one full core, whoever else uses the machine. On Lambda a full core
comes with 1,769 MB of memory; with less, multiply.
"""

from __future__ import annotations

import random
from itertools import count
from time import thread_time
from typing import TYPE_CHECKING

from chalicelib.bots import among, choose
from chalicelib.bots.hint import hint
from chalicelib.bots.kernel import Hands, playout
from chalicelib.engine import AfterBank, Deal, Seat
from dev.arena.table import dealt
from dev.bench.row import Row

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

GAMES = 2000
DEALS = 16
PERSON = Seat.NORTH
COMPANY = among((None, "sharp", "sharp", "sharp"))


def rows() -> Iterable[Row]:
    """The kernel's row, then the sharp level's."""
    yield Row("bots_kernel_per_game", kernel_ratio(), "x_open_spiel", 1.5)
    decisions, requests, hints = sharp_times()
    yield Row("bots_sharp_decision_p95", 1000 * _part(decisions, 0.95), "ms", 40)
    yield Row("bots_sharp_decision_max", 1000 * max(decisions), "ms")
    yield Row("bots_three_sharp_request_p95", 1000 * _part(requests, 0.95), "ms", 250)
    yield Row("bots_three_sharp_request_max", 1000 * max(requests), "ms")
    yield Row("bots_hint_p95", 1000 * _part(hints, 0.95), "ms")


def kernel_ratio() -> float:
    """Seconds a whole game of the kernel, dealing included, over open_spiel's, each at its best of five turns."""
    ours, theirs = _kernel_game(random.Random(1)), _spades_game()
    best = [float("inf"), float("inf")]
    for _ in range(5):
        for which, game in enumerate((ours, theirs)):
            start = thread_time()
            for _ in range(GAMES // 5):
                game()
            best[which] = min(best[which], thread_time() - start)
    return best[0] / best[1]


def _kernel_game(rng: random.Random) -> Callable[[], None]:
    pack = list(range(52))

    def game() -> None:
        rng.shuffle(pack)
        hands: Hands = [[0, 0, 0, 0] for _ in range(4)]
        for at, card in enumerate(pack):
            hands[at & 3][card // 13] |= 1 << card % 13
        playout(hands, 0, 0, False, 0, False)

    return game


def _spades_game() -> Callable[[], None]:
    """A game of random moves, dealing and moves all made in C++: one call through its binding."""
    import pyspiel

    spades = pyspiel.load_game("spades")
    bots = [pyspiel.make_uniform_random_bot(seat, seat) for seat in range(4)]
    seeds = count()

    def game() -> None:
        pyspiel.evaluate_bots(spades.new_initial_state(), bots, next(seeds))

    return game


def sharp_times() -> tuple[list[float], list[float], list[float]]:
    """CPU seconds of each decision of three sharp bots, of all those that follow one move of the person with them, and
    of each hint the person asks for.

    A request goes on into the next deal, as the service does, until it is the person's turn again.
    """
    decisions, requests, hints = [], [], []
    request = 0.0
    for number in range(DEALS):
        deal: Deal = dealt("bench", number, AfterBank.STREAK if number % 2 else AfterBank.FRESH)
        while (turn := deal.turn) is not None:
            if move := deal.forced_move():
                deal = deal.play(move)
            elif turn is PERSON:
                if request:
                    requests.append(request)
                request = 0.0
                view = deal.view(turn)
                start = thread_time()
                hint(view, b"", COMPANY)
                hints.append(thread_time() - start)
                deal = deal.play(choose(view, "steady", b"", COMPANY))
            else:
                start = thread_time()
                deal = deal.play(choose(deal.view(turn), "sharp", b"%d:%d" % (number, len(deal.codes)), COMPANY))
                decisions.append(thread_time() - start)
                request += decisions[-1]
    return decisions, requests, hints


def _part(values: list[float], part: float) -> float:
    return sorted(values)[int(part * len(values))]
