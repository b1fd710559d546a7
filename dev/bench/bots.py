"""What the bots cost: the playout kernel against open_spiel's C++, and the sharp level's time to answer.

CPU time of one thread, whoever else uses the machine. What a decision takes is told in games of the kernel, measured
between the decisions, so that the figure is the same on a slow machine; and in milliseconds of one full core, which on
Lambda comes with 1,769 MB of memory.
"""

from __future__ import annotations

import random
from itertools import count
from statistics import median
from time import thread_time
from typing import TYPE_CHECKING, NamedTuple

from chalicelib.bots import among, choose
from chalicelib.bots.hint import hint
from chalicelib.bots.kernel import Hands, playout
from chalicelib.engine import AfterBank, Deal, Seat
from dev.bench.row import Row
from lab.table import dealt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

GAMES, TURNS = 4000, 80
DEALS = 16
YARDSTICK_GAMES = 200
DECISION_BAR, REQUEST_BAR = 750, 3900
"""Games of the kernel."""
PERSON = Seat.NORTH
COMPANY = among((None, "sharp", "sharp", "sharp"))


def rows() -> Iterable[Row]:
    """The kernel's row, then the sharp level's."""
    yield Row("bots_kernel_per_game", kernel_ratio(), "x_open_spiel", 1.5)
    times = sharp_times()
    decision, request, hint = (_part(each, 0.95) for each in (times.decisions, times.requests, times.hints))
    yield Row("bots_sharp_decision_p95", decision / times.game, "kernel_games", DECISION_BAR)
    yield Row("bots_three_sharp_request_p95", request / times.game, "kernel_games", REQUEST_BAR)
    yield Row("bots_hint_p95", hint / times.game, "kernel_games")
    yield Row("bots_sharp_decision_p95_by_itself", 1000 * decision, "ms")
    yield Row("bots_sharp_decision_max_by_itself", 1000 * max(times.decisions), "ms")
    yield Row("bots_three_sharp_request_p95_by_itself", 1000 * request, "ms")
    yield Row("bots_three_sharp_request_max_by_itself", 1000 * max(times.requests), "ms")
    yield Row("bots_hint_p95_by_itself", 1000 * hint, "ms")


def kernel_ratio() -> float:
    """Seconds a whole game of the kernel, dealing included, over open_spiel's, each at its best of many short turns: a
    busy machine only ever adds."""
    ours, theirs = kernel_game(random.Random(1)), _spades_game()
    best = [float("inf"), float("inf")]
    for _ in range(TURNS):
        for which, game in enumerate((ours, theirs)):
            start = thread_time()
            for _ in range(GAMES // TURNS):
                game()
            best[which] = min(best[which], thread_time() - start)
    return best[0] / best[1]


def kernel_game(rng: random.Random) -> Callable[[], None]:
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


class Times(NamedTuple):
    """CPU seconds."""

    decisions: list[float]
    """Of three sharp bots, each by itself."""
    requests: list[float]
    """All decisions that follow one move of the person with them."""
    hints: list[float]
    game: float
    """A game of the kernel, the median of those played in between."""


def sharp_times() -> Times:
    """A request goes on into the next deal, as the service does, until it is the person's turn again."""
    decisions, requests, hints, games = [], [], [], []
    request = 0.0
    for number in range(DEALS):
        games.append(game_seconds(number))
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
    return Times(decisions, requests, hints, median(games))


def game_seconds(seed: int) -> float:
    """CPU seconds of a game of the kernel, dealing included: the yardstick of what bots take."""
    game = kernel_game(random.Random(seed))
    start = thread_time()
    for _ in range(YARDSTICK_GAMES):
        game()
    return (thread_time() - start) / YARDSTICK_GAMES


def _part(values: list[float], part: float) -> float:
    return sorted(values)[int(part * len(values))]
