"""`make play`: you and three bots, in the terminal."""

from __future__ import annotations

import argparse
import random
import sys
import time
import uuid
from typing import Any
from urllib.parse import quote

from dev.play.client import Client, Refused, Unreachable
from dev.play.screen import Move, event_line, final, read_move, share, table

Json = dict[str, Any]
HELP = """
  Type a move from the list: a number or p(ass) to call, a suit (S H D C) to name the ser, a card (AS, 10h, ♦7) to play.
  Two tricks in a row by one player bank the whole pile for that pair. The declarer's pair must bank its contract.
  ? shows this, q leaves.
"""


class Quit(Exception):
    """The player leaves."""


def main() -> int:
    """Play one match; 0 when it was played or left, 1 when the server could not be had."""
    parser = argparse.ArgumentParser(prog="python -m dev.play", description=__doc__)
    parser.add_argument("--server", default="http://127.0.0.1:8000")
    parser.add_argument("--name", default="You")
    parser.add_argument("--deals", type=int, help="how many deals the match has (the server's default without)")
    parser.add_argument("--level", help="how well the bots play (the server's default without)")
    parser.add_argument("--daily", action="store_true", help="play today's set, the same cards for everybody")
    parser.add_argument("--code", help="play the challenge that this code leads to")
    parser.add_argument("--challenge", action="store_true", help="after the match, make a challenge of it")
    parser.add_argument("--pace", type=float, default=0.35, help="seconds between two events on the screen")
    parser.add_argument("--auto", action="store_true", help="play random legal moves to the end, without asking")
    parser.add_argument("--seed", type=int, help="makes --auto choose the same way again")
    options = parser.parse_args()
    try:
        Game(Client(options.server), options).play()
    except (Quit, KeyboardInterrupt):
        print("\nGood-bye.")
    except NotAChallenge:
        print("\nThis code leads to a table, not to a challenge: open it in the browser.", file=sys.stderr)
        return 1
    except (Refused, Unreachable) as fault:
        print(f"\n{fault}", file=sys.stderr)
        if isinstance(fault, Unreachable):
            print("Is it running? Start it with `make run` in another terminal.", file=sys.stderr)
        return 1
    return 0


class NotAChallenge(Exception):
    """The code leads elsewhere."""


class Game:
    """One match, from signing up to its end."""

    def __init__(self, client: Client, options: argparse.Namespace) -> None:
        self._client, self._options, self._chance = client, options, random.Random(options.seed)
        self._match: Json = {}

    def play(self) -> None:
        self._client.sign_up(self._options.name)
        set_id = self._set_id()
        self._show(self._client.call("PUT", f"/sets/{set_id}/entry") if set_id else self._new_match())
        while self._match["status"] in ("waiting", "playing"):
            if legal := self._match["you"]["legal_moves"]:
                print(table(self._match))
                self._move(self._chance.choice(legal) if self._options.auto else _ask(legal))
            else:
                self._wait()
        print(final(self._match))
        if set_id:
            print(share(self._client.call("GET", f"/sets/{set_id}")))
        elif self._options.challenge:
            print(share(self._client.call("POST", "/sets", {"match_id": self._match["id"]})))

    def _set_id(self) -> str | None:
        """The set that is to be played, if one is."""
        if self._options.code:
            found: str | None = self._client.call("GET", f"/invites/{quote(self._options.code)}").get("deal_set_id")
            if found is None:
                raise NotAChallenge
            return found
        return self._client.call("GET", "/sets/daily")["id"] if self._options.daily else None

    def _new_match(self) -> Json:
        wishes: Json = {} if self._options.deals is None else {"deals": self._options.deals}
        if self._options.level is not None:
            bot = {"type": "bot", "level": self._options.level}
            wishes["seats"] = {"north": {"type": "human"}, "east": bot, "south": bot, "west": bot}
        update: Json = self._client.call("POST", "/matches", wishes, {"Idempotency-Key": str(uuid.uuid4())})
        return update

    def _move(self, move: Move) -> None:
        """Make the move and tell what came of it."""
        address = f"/matches/{self._match['id']}"
        try:
            self._show(self._client.call("PUT", f"{address}/moves/{self._match['next_move']}", move))
        except Refused as refusal:
            if refusal.status not in (409, 422):
                raise
            print(f"  not taken: {refusal}")
            self._match = refusal.problem.get("current") or self._client.call("GET", address)

    def _wait(self) -> None:
        """Somebody else is to move: look again after the time the server asks for."""
        time.sleep(min(self._match["poll_after_seconds"], 5))
        events = f"/matches/{self._match['id']}/events?after={self._match['version']}&view=true"
        page = self._client.call("GET", events)
        same = self._match | {"poll_after_seconds": page["poll_after_seconds"]}
        self._show({"events": page["items"], "match": page.get("match", same)})

    def _show(self, update: Json) -> None:
        self._match = update["match"]
        for event in update["events"]:
            line = event_line(event, self._match["you"]["seat"])
            if line is not None:
                print(line, flush=True)
                time.sleep(0 if self._options.auto else self._options.pace)


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
        elif move := read_move(typed, legal):
            return move
        else:
            print("  That is not one of your moves (? for help).")


if __name__ == "__main__":
    sys.exit(main())
