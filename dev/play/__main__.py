"""`make play`: you and three bots, in the terminal."""

from __future__ import annotations

import argparse
import random
import sys
import time
from typing import Any

from dev.play.client import Client, Refused, Unreachable
from dev.play.screen import event_line, final, table
from dev.play.words import Move, read_move

Json = dict[str, Any]
HELP = """
  Type a move from the list: a number or p(ass) to call, a suit (S H D C) to name the ser, a card (AS, 10h, ♦7) to play.
  Two tricks in a row by one player bank the whole pile for that pair. The declarer's pair must bank its contract.
  ? shows this, q leaves.
"""


class Quit(Exception):
    """The player has had enough."""


def main() -> int:
    """Play one match; 0 when it was played or left, 1 when the server could not be had."""
    options = _options()
    try:
        _play(Client(options.server), options)
    except (Quit, KeyboardInterrupt):
        print("\nGood-bye.")
    except (Refused, Unreachable) as fault:
        print(f"\n{fault}", file=sys.stderr)
        if isinstance(fault, Unreachable):
            print("Is it running? Start it with `make run` in another terminal.", file=sys.stderr)
        return 1
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m dev.play", description=__doc__)
    parser.add_argument("--server", default="http://127.0.0.1:8000")
    parser.add_argument("--name", default="You")
    parser.add_argument("--deals", type=int, help="how many deals the match has (the server's default without)")
    parser.add_argument("--level", help="how well the bots play (the server's default without)")
    parser.add_argument("--pace", type=float, default=0.35, help="seconds between two events on the screen")
    parser.add_argument("--auto", action="store_true", help="play random legal moves to the end, without asking")
    parser.add_argument("--seed", type=int, help="makes --auto choose the same way again")
    return parser.parse_args()


def _play(client: Client, options: argparse.Namespace) -> None:
    client.sign_up(options.name)
    update = client.create_match(_wishes(options))
    chance, pace = random.Random(options.seed), 0 if options.auto else options.pace
    match = update["match"]
    _tell(update["events"], match, pace)
    while match["status"] in ("waiting", "playing"):
        if not match["you"]["legal_moves"]:
            match = _wait(client, match, pace)
            continue
        print(table(match))
        legal = match["you"]["legal_moves"]
        move = chance.choice(legal) if options.auto else _ask(legal)
        match = _move(client, match, move, pace)
    print(final(match))


def _wishes(options: argparse.Namespace) -> Json:
    """The body of the new match: {} (solo, me north) unless something else is wanted."""
    wishes: Json = {}
    if options.deals is not None:
        wishes["deals"] = options.deals
    if options.level is not None:
        bot = {"type": "bot", "level": options.level}
        wishes["seats"] = {"north": {"type": "human"}, "east": bot, "south": bot, "west": bot}
    return wishes


def _move(client: Client, match: Json, move: Move, pace: float) -> Json:
    """Make the move and tell what came of it; the match afterwards."""
    try:
        update = client.move(match["id"], match["next_move"], move)
    except Refused as refusal:
        if refusal.status not in (409, 422):
            raise
        print(f"  not taken: {refusal}")
        return refusal.current or client.match(match["id"])
    _tell(update["events"], update["match"], pace)
    seen: Json = update["match"]
    return seen


def _wait(client: Client, match: Json, pace: float) -> Json:
    """Somebody else is to move: look again after the time the server asks for."""
    time.sleep(min(match["poll_after_seconds"], 5))
    page = client.events(match["id"], match["version"])
    later: Json = page.get("match", match | {"poll_after_seconds": page["poll_after_seconds"]})
    _tell(page["items"], later, pace)
    return later


def _tell(events: list[Json], match: Json, pace: float) -> None:
    for event in events:
        line = event_line(event, match["you"]["seat"])
        if line is not None:
            print(line, flush=True)
            time.sleep(pace)


def _ask(legal: list[Move]) -> Move:
    while True:
        try:
            typed = input("  > ").strip()
        except EOFError:
            raise Quit from None
        if typed.lower() in ("q", "quit", "exit"):
            raise Quit
        if typed == "?":
            print(HELP)
            continue
        move = read_move(typed, legal)
        if move is not None:
            return move
        print("  That is not one of your moves (? for help).")


if __name__ == "__main__":
    sys.exit(main())
