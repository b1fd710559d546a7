"""The rules engine and the bots' playout kernel against open_spiel's C++ `spades`, and what the sharp level takes.

All is CPU time of one thread, whoever else uses the machine. What a bot takes is given in games of the kernel, measured
in between, so that the figure is the same on a slow machine. open_spiel is in the laboratory's environment.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from statistics import median
from time import thread_time

from chalicelib.bots import among, choose
from chalicelib.bots.hint import hint
from chalicelib.bots.kernel import Hands, playout
from chalicelib.engine import AfterBank, Deal, Seat, client_digest, deal_secret, replay, shuffle
from dev.bench.measure import Row, in_turns, p95

ENGINE_BAR, REPLAY_BAR, KERNEL_BAR = 4, 1, 1.5
DECISION_BAR, REQUEST_BAR = 750, 3900
"""Games of the kernel."""
MOVES, SPADES_MOVES = 57, 56
"""Of a whole deal: 4 calls, the ser and 52 cards; spades has 4 bids and 52 cards."""
TURNS, GAMES, DEALS = 300, 50, 16
PERSON = Seat.NORTH
OPPONENTS = among((None, "sharp", "sharp", "sharp"))


def rows() -> Iterator[Row]:
    """The ratios to open_spiel, then the sharp level's."""
    yield from _against_spades()
    decisions, requests, hints, game = sharp_times()
    yield Row("sharp bot, a decision, p95", p95(decisions) / game, "kernel games", DECISION_BAR)
    yield Row("three sharp bots, all moves after a person's, p95", p95(requests) / game, "kernel games", REQUEST_BAR)
    yield Row("hint, p95", p95(hints) / game, "kernel games")
    yield Row("sharp bot, a decision, p95", 1000 * p95(decisions), "ms")


def _against_spades() -> Iterator[Row]:
    import pyspiel

    spades, chance, numbers = pyspiel.load_game("spades"), random.Random(1), count()
    bots = [pyspiel.make_uniform_random_bot(seat, seat) for seat in range(4)]

    def spades_moves() -> list[float]:
        state = spades.new_initial_state()
        while state.is_chance_node():  # the 52 cards are dealt one by one, which is not timed
            state.apply_action(chance.choice(state.legal_actions()))

        def play() -> None:
            for _ in range(SPADES_MOVES):
                state.apply_action(chance.choice(state.legal_actions()))

        return [_cpu(play)]

    def engine_moves() -> list[float]:
        deal = dealt(next(numbers))
        start = thread_time()
        for _ in range(MOVES):
            deal = deal.play(chance.choice(deal.legal_moves()))
        moves = thread_time() - start
        return [moves, _cpu(partial(replay, deal.hands, deal.opener, deal.after_bank, deal.codes))]

    def spades_games() -> list[float]:
        """Dealing and moves all made in C++."""
        return [_cpu(lambda: [pyspiel.evaluate_bots(spades.new_initial_state(), bots, n) for n in range(GAMES)])]

    (moves, replayed), (game,) = in_turns(engine_moves, spades_moves, turns=TURNS)
    yield Row("engine, legal_moves + play", moves / MOVES / (game / SPADES_MOVES), "x spades", ENGINE_BAR)
    yield Row("engine, replay of a deal", replayed / game, "x a spades game", REPLAY_BAR)
    (ours,), (theirs,) = in_turns(lambda: [_cpu(kernel_games(chance))], spades_games, turns=TURNS // 4)
    yield Row("bots' kernel, a game", ours / theirs, "x spades", KERNEL_BAR)


def _cpu(call: Callable[[], object]) -> float:
    start = thread_time()
    call()
    return thread_time() - start


def dealt(number: int, after_bank: AfterBank = AfterBank.FRESH) -> Deal:
    shuffled = shuffle(deal_secret(b"bench", number), client_digest(["", "", "", ""]))
    return Deal.start(shuffled.hands, shuffled.opener, after_bank)


def kernel_games(chance: random.Random) -> Callable[[], None]:
    """Some games of the kernel, dealing included."""
    pack = list(range(52))

    def play() -> None:
        for _ in range(GAMES):
            chance.shuffle(pack)
            hands: Hands = [[0, 0, 0, 0] for _ in range(4)]
            for at, card in enumerate(pack):
                hands[at & 3][card // 13] |= 1 << card % 13
            playout(hands, 0, 0, False, 0, False)

    return play


def game_seconds(turns: int = 20) -> float:
    """CPU seconds of a game of the kernel: the yardstick of what bots take."""
    return median(_cpu(kernel_games(random.Random(seed))) for seed in range(turns)) / GAMES


def sharp_times() -> tuple[list[float], list[float], list[float], float]:
    """CPU seconds of each decision of three sharp bots; of all that follow one move of the person with them; of a hint;
    and of a game of the kernel, played in between."""
    decisions: list[float] = []
    requests: list[float] = []
    hints: list[float] = []
    games: list[float] = []
    for number in range(DEALS):
        games.append(game_seconds(4))
        deal, request = dealt(number, AfterBank.STREAK if number % 2 else AfterBank.FRESH), 0.0
        while (turn := deal.turn) is not None:
            if move := deal.forced_move():
                deal = deal.play(move)
                continue
            view, start = deal.view(turn), thread_time()
            if turn is PERSON:
                hint(view, b"", OPPONENTS)
                hints.append(thread_time() - start)
                requests += [request] if request else []
                request = 0.0
                deal = deal.play(choose(view, "steady", b"", OPPONENTS))
            else:
                move = choose(view, "sharp", b"%d:%d" % (number, len(deal.codes)), OPPONENTS)
                decisions.append(thread_time() - start)
                request += decisions[-1]
                deal = deal.play(move)
    return decisions, requests, hints, median(games)
