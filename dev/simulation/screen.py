"""A player's screen, built of the feed's events alone, as an app would that never asks for the view.

It works on the JSON of the API and knows the game's rules only as a player does. `shown()` is a MatchView without what
no screen needs a feed for: the invite code and the polling hint.
"""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]

SEATS = ("north", "east", "south", "west")
SUITS = "SHDC"
NOT_OF_THE_FEED = frozenset({"invite", "poll_after_seconds"})


def next_to(seat: str, steps: int = 1) -> str:
    return SEATS[(SEATS.index(seat) + steps) % 4]


class Table:
    """One deal as it is played on the screen."""

    def __init__(self, event: Json) -> None:
        self.number: int = event["deal_number"]
        self.opener: str = event["opener"]
        self.commitment: str = event["commitment"]
        self.hand: list[str] = event.get("hand", [])
        self.left = dict.fromkeys(SEATS, 13)
        self.calls: list[Json] = []
        self.ser: str | None = None
        self.trick: list[Json] = []
        self.tricks: list[Json] = []
        self.pile = 0
        self.run_seat: str | None = None
        self.banked = {"ns": 0, "ew": 0}
        self.result: Json | None = None
        self.given_up = False

    @property
    def highest(self) -> Json:
        return max((call for call in self.calls if "number" in call), key=lambda call: int(call["number"]), default={})

    @property
    def leader(self) -> str:
        winner: str = self.tricks[-1]["winner"] if self.tricks else self.highest["seat"]
        return winner

    @property
    def phase(self) -> str:
        if len(self.calls) < 4:
            return "auction"
        if self.ser is None:
            return "ser"
        return "play" if len(self.tricks) < 13 else "done"

    @property
    def turn(self) -> str | None:
        if self.phase == "done" or self.given_up:
            return None
        if self.phase == "auction":
            return next_to(self.opener, len(self.calls))
        return next_to(self.leader, len(self.trick))

    def legal_moves(self) -> list[Json]:
        """What the player whose hand this is may do on their turn."""
        if self.phase == "auction":
            lowest = max(7, self.highest.get("number", 6) + 1)
            calls: list[Json] = [{"type": "call", "number": number} for number in range(lowest, 14)]
            return calls + ([{"type": "pass"}] if self.calls else [])
        if self.phase == "ser":
            return [{"type": "ser", "suit": suit} for suit in SUITS]
        led = self.trick[0]["card"][1] if self.trick else ""
        following = [card for card in self.hand if card[1] == led]
        return [{"type": "play", "card": card} for card in following or self.hand]

    def play(self, event: Json) -> None:
        self.trick.append({"seat": event["seat"], "card": event["card"]})
        self.left[event["seat"]] -= 1
        if event["card"] in self.hand:
            self.hand = [card for card in self.hand if card != event["card"]]

    def won(self, event: Json) -> None:
        self.tricks.append({"leader": self.leader, "plays": self.trick, "winner": event["seat"]})
        self.trick = []
        self.pile += 1
        self.run_seat = event["seat"]

    def bank(self, event: Json, after_bank: str) -> None:
        self.banked[event["side"]] += event["tricks"]
        self.pile = 0
        if after_bank == "fresh":
            self.run_seat = None

    def shown(self) -> Json:
        shown: Json = {
            "deal_number": self.number,
            "opener": self.opener,
            "phase": self.phase,
            "turn": self.turn,
            "calls": self.calls,
            "ser": self.ser,
            "tricks": self.tricks,
            "pile": {"tricks": self.pile},
            "banked": self.banked,
            "commitment": self.commitment,
            "result": self.result,
        }
        if self.phase != "auction":
            shown |= {"declarer": self.highest["seat"], "contract": self.highest["number"]}
        if self.tricks:
            shown["last_trick"] = self.tricks[-1]
        if self.phase == "play":
            shown["trick"] = {"leader": self.leader, "plays": self.trick}
            if self.run_seat is not None:
                shown["pile"]["run_seat"] = self.run_seat
        return {name: value for name, value in shown.items() if value is not None}


class Screen:
    """One player's (or, for a player who has no seat, a spectator's) screen of one match."""

    def __init__(self, match_id: str, player_id: str) -> None:
        self.match_id = match_id
        self.player_id = player_id
        self.version = 0
        self.stale = False
        """The player has sat down among cards: the hand was told before, to a seat's eyes. Build the screen anew."""
        self.next_move = 1
        self.created: Json = {}
        self.status = "waiting"
        self.host: str | None = None
        self.rules: Json = {}
        self.seats: dict[str, Json] = {
            seat: {"seat": seat, "type": "empty", "away": False, "left": False} for seat in SEATS
        }
        self.table: Table | None = None
        self.results: list[Json] = []
        self.result: Json | None = None
        self.rematch_id: str | None = None
        self.deadline_at: str | None = None

    @property
    def mine(self) -> str | None:
        for seat, place in self.seats.items():
            if place["type"] == "human" and place["player"].get("id") == self.player_id:
                return seat
        return None

    def read(self, page: Json) -> None:
        """A page of the feed: its events in order, each once, and the clock."""
        for event in page["items"]:
            if event["version"] != self.version + 1:
                raise ValueError(f"event {event['version']} after {self.version}")
            self.version = event["version"]
            self._happened(event)
        self.deadline_at = page.get("deadline_at")

    def _happened(self, event: Json) -> None:
        if "place" in event:
            before = self.mine
            self.seats[event["seat"]] = event["place"]
            self.stale |= self.mine is not None and before is None and self.table is not None
        self.host = event.get("host_seat", self.host)
        self.rules = event.get("rules", self.rules)
        self.next_move = event.get("move_number", self.next_move - 1) + 1
        match event["type"]:
            case "match_created":
                self.created = event
            case "match_started":
                self.status = "playing"
            case "deal_started":
                self.table = Table(event)
            case "match_finished":
                self.status, self.result = "finished", event["match_result"]
            case "match_abandoned":
                self.status = "abandoned"
                if self.table is not None:
                    self.table.given_up = True
            case "rematch_created":
                self.rematch_id = event["rematch_id"]
            case _ if self.table is not None:
                self._played(self.table, event)

    def _played(self, table: Table, event: Json) -> None:
        match event["type"]:
            case "call":
                table.calls.append({"seat": event["seat"], "number": event["number"]})
            case "pass":
                table.calls.append({"seat": event["seat"]})
            case "ser":
                table.ser = event["suit"]
            case "play":
                table.play(event)
            case "trick_won":
                table.won(event)
            case "banked":
                table.bank(event, self.rules["after_bank"])
            case "deal_scored":
                table.result = event["result"]
                self.results.append(event["result"])

    def shown(self) -> Json:
        """What a MatchView has."""
        table = self.table
        shown: Json = {
            "id": self.match_id,
            "version": self.version,
            "status": self.status,
            "rules": self.rules,
            "spectators": self.created["spectators"],
            "created_at": self.created["at"],
            "next_move": self.next_move,
            "seats": [self._seat(seat) for seat in SEATS],
            "scores": self._scores(),
            "commitments": self.created["commitments"],
            "host_seat": self.host,
            "deadline_at": self.deadline_at,
            "deal": None if table is None else table.shown(),
            "result": self.result,
            "rematch_id": self.rematch_id,
        }
        if self.mine is not None:
            mine = table is not None and table.turn == self.mine
            shown["you"] = {
                "seat": self.mine,
                "hand": [] if table is None else table.hand,
                "legal_moves": table.legal_moves() if table is not None and mine else [],
            }
        before = len(self.results) - (self.status == "finished")
        if before > 0:
            shown["previous_deal"] = {"deal_number": before, "result": self.results[before - 1]}
        return {name: value for name, value in shown.items() if value is not None}

    def _seat(self, seat: str) -> Json:
        if self.table is None or self.status != "playing":
            return self.seats[seat]
        return self.seats[seat] | {"cards_left": self.table.left[seat]}

    def _scores(self) -> Json:
        return {side: sum(each["score"] for each in self.results if each["side"] == side) for side in ("ns", "ew")}


def of_the_feed(view: Json) -> Json:
    """A MatchView as the feed can tell it; the order of legal moves means nothing."""
    shown = {name: value for name, value in view.items() if name not in NOT_OF_THE_FEED}
    if "you" in shown:
        legal = sorted(shown["you"]["legal_moves"], key=lambda move: sorted(map(str, move.items())))
        shown["you"] = shown["you"] | {"legal_moves": legal}
    return shown
