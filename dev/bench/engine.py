"""The rules engine against open_spiel's C++ `spades`, called through its Python binding.

Both play whole deals with random legal moves, in turns, in the same loop: ask for the legal moves, choose one, make
it. Timed is that loop alone, for what the players do (spades: 4 bids and 52 cards; here: 4 calls, the ser and 52
cards), the choosing with it. Not timed: making the state and dealing the cards, which spades does by 52 chance moves.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from random import Random

import pyspiel

from chalicelib.engine import AfterBank, Deal, client_digest, deal_secret, replay, shuffle
from dev.bench.row import Row

DEALS = 500
MOVES, SPADES_MOVES = 57, 56
BAR = 4
REPLAY_BAR = 1
"""To replay a deal's log takes no longer than spades takes for a game."""


def rows() -> Iterator[Row]:
    """A move, and the replay of a whole deal, as ratios and by themselves; medians over the deals."""
    random = Random(1)
    spades = pyspiel.load_game("spades")
    moves, replays, games = [], [], []
    for number in range(DEALS):
        seconds, deal = _play(number, random)
        moves.append(seconds / MOVES)
        replays.append(_replay(deal))
        games.append(_play_spades(spades, random))
    move, whole, game = (statistics.median(seconds) for seconds in (moves, replays, games))
    yield Row("engine, legal_moves + play", move / (game / SPADES_MOVES), "x spades", BAR)
    yield Row("engine, replay of a deal", whole / game, "x a game of spades", REPLAY_BAR)
    yield Row("engine, legal_moves + play, by itself", 1e6 * move, "us")
    yield Row("engine, replay of a deal, by itself", 1e6 * whole, "us")


def _play(number: int, random: Random) -> tuple[float, Deal]:
    shuffled = shuffle(deal_secret(b"bench", number), client_digest(["", "", "", ""]))
    deal = Deal.start(shuffled.hands, shuffled.opener, AfterBank.FRESH)
    start = time.perf_counter()
    for _ in range(MOVES):
        deal = deal.play(random.choice(deal.legal_moves()))
    seconds = time.perf_counter() - start
    assert deal.result is not None
    return seconds, deal


def _replay(deal: Deal) -> float:
    start = time.perf_counter()
    again = replay(deal.hands, deal.opener, deal.after_bank, deal.codes)
    seconds = time.perf_counter() - start
    assert again == deal
    return seconds


def _play_spades(spades: pyspiel.Game, random: Random) -> float:
    state = spades.new_initial_state()
    while state.is_chance_node():
        state.apply_action(random.choice(state.legal_actions()))
    start = time.perf_counter()
    for _ in range(SPADES_MOVES):
        state.apply_action(random.choice(state.legal_actions()))
    seconds = time.perf_counter() - start
    assert state.is_terminal()
    return seconds
