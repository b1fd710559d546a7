"""A player's screen, rebuilt from the feed's events alone, as by an app that never asks for the view.

It reads the JSON of the API and knows the rules only as a player does. `shown()` is a MatchView without the invite code
and the polling hint, which no feed has.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]

SEATS = ("north", "east", "south", "west")
NOT_IN_THE_FEED = frozenset({"invite", "poll_after_seconds"})


def next_to(seat: str, steps: int = 1) -> str:
    return SEATS[(SEATS.index(seat) + steps) % 4]


@dataclass
class ShownDeal:
    """One deal as the screen shows it."""

    number: int
    opener: str
    commitment: str
    hand: list[str]
    left: dict[str, int] = field(default_factory=lambda: dict.fromkeys(SEATS, 13))
    calls: list[Json] = field(default_factory=list)
    ser: str | None = None
    trick: list[Json] = field(default_factory=list)
    tricks: list[Json] = field(default_factory=list)
    pile: Json = field(default_factory=lambda: {"tricks": 0})
    banked: dict[str, int] = field(default_factory=lambda: {"ns": 0, "ew": 0})
    result: Json | None = None
    abandoned: bool = False

    @property
    def highest(self) -> Json:
        return max((call for call in self.calls if "number" in call), key=lambda call: int(call["number"]), default={})

    @property
    def leader(self) -> str:
        return str(self.tricks[-1]["winner"] if self.tricks else self.highest["seat"])

    @property
    def phase(self) -> str:
        if len(self.calls) < 4:
            return "auction"
        return "ser" if self.ser is None else "play" if len(self.tricks) < 13 else "done"

    @property
    def turn(self) -> str | None:
        if self.phase == "done" or self.abandoned:
            return None
        return next_to(self.opener, len(self.calls)) if len(self.calls) < 4 else next_to(self.leader, len(self.trick))

    def legal_moves(self) -> list[Json]:
        """What the player whose hand this is may do on their turn."""
        if self.phase == "auction":
            calls: list[Json] = [
                {"type": "call", "number": number} for number in range(max(7, self.highest.get("number", 6) + 1), 14)
            ]
            return calls + ([{"type": "pass"}] if self.calls else [])
        if self.phase == "ser":
            return [{"type": "ser", "suit": suit} for suit in "SHDC"]
        following = [card for card in self.hand if self.trick and card[1] == self.trick[0]["card"][1]]
        return [{"type": "play", "card": card} for card in following or self.hand]

    def read(self, event: Json, after_bank: str) -> None:
        seat = {"seat": event.get("seat")}
        match event["type"]:
            case "call":
                self.calls.append(seat | {"number": event["number"]})
            case "pass":
                self.calls.append(seat)
            case "ser":
                self.ser = event["suit"]
            case "play":
                self.trick.append(seat | {"card": event["card"]})
                self.left[event["seat"]] -= 1
                self.hand = [card for card in self.hand if card != event["card"]]
            case "trick_won":
                self.tricks.append({"leader": self.leader, "plays": self.trick, "winner": event["seat"]})
                self.trick, self.pile = [], {"tricks": self.pile["tricks"] + 1, "run_seat": event["seat"]}
            case "banked":
                self.banked[event["side"]] += event["tricks"]
                self.pile = {"tricks": 0} if after_bank == "fresh" else self.pile | {"tricks": 0}
            case "deal_scored":
                self.result = event["result"]
            case "match_abandoned":
                self.abandoned = True

    def shown(self) -> Json:
        shown: Json = {
            "deal_number": self.number,
            "opener": self.opener,
            "phase": self.phase,
            "turn": self.turn,
            "calls": self.calls,
            "ser": self.ser,
            "tricks": self.tricks,
            "pile": self.pile if self.phase == "play" else {"tricks": self.pile["tricks"]},
            "banked": self.banked,
            "commitment": self.commitment,
            "result": self.result,
            "last_trick": self.tricks[-1] if self.tricks else None,
        }
        if self.phase != "auction":
            shown |= {"declarer": self.highest["seat"], "contract": self.highest["number"]}
        if self.phase == "play":
            shown["trick"] = {"leader": self.leader, "plays": self.trick}
        return _present(shown)


@dataclass
class Screen:
    """One player's screen of one match; a spectator's for a player who has no seat."""

    match_id: str
    player_id: str
    version: int = 0
    stale: bool = False
    """The player has sat down among cards: the hand was dealt before, to a seat's eyes. Build the screen anew."""
    next_move: int = 1
    created: Json = field(default_factory=dict)
    status: str = "waiting"
    host: str | None = None
    rules: Json = field(default_factory=dict)
    seats: dict[str, Json] = field(
        default_factory=lambda: {seat: {"seat": seat, "type": "empty", "away": False, "left": False} for seat in SEATS}
    )
    deal: ShownDeal | None = None
    results: list[Json] = field(default_factory=list)
    result: Json | None = None
    rematch_id: str | None = None
    deadline_at: str | None = None

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
            self._read(event)
        self.deadline_at = page.get("deadline_at")

    def _read(self, event: Json) -> None:
        if "place" in event:
            before = self.mine
            self.seats[event["seat"]] = event["place"]
            self.stale |= self.mine is not None and before is None and self.deal is not None
        self.host = event.get("host_seat", self.host)
        self.rules = event.get("rules", self.rules)
        self.next_move = event.get("move_number", self.next_move - 1) + 1
        match event["type"]:
            case "match_created":
                self.created = event
            case "match_started":
                self.status = "playing"
            case "deal_started":
                self.deal = ShownDeal(event["deal_number"], event["opener"], event["commitment"], event.get("hand", []))
            case "deal_scored":
                self.results.append(event["result"])
            case "match_finished":
                self.status, self.result = "finished", event["match_result"]
            case "match_abandoned":
                self.status = "abandoned"
            case "rematch_created":
                self.rematch_id = event["rematch_id"]
        if self.deal is not None:
            self.deal.read(event, self.rules["after_bank"])

    def shown(self) -> Json:
        """What a MatchView has."""
        deal = self.deal
        scores = {side: sum(each["score"] for each in self.results if each["side"] == side) for side in ("ns", "ew")}
        shown: Json = {
            "id": self.match_id,
            "version": self.version,
            "status": self.status,
            "rules": self.rules,
            "spectators": self.created["spectators"],
            "created_at": self.created["at"],
            "next_move": self.next_move,
            "seats": [self._seat(seat) for seat in SEATS],
            "scores": scores,
            "commitments": self.created["commitments"],
            "host_seat": self.host,
            "deadline_at": self.deadline_at,
            "deal": None if deal is None else deal.shown(),
            "result": self.result,
            "rematch_id": self.rematch_id,
        }
        if self.mine is not None:
            legal = deal.legal_moves() if deal is not None and deal.turn == self.mine else []
            shown["you"] = {"seat": self.mine, "hand": [] if deal is None else deal.hand, "legal_moves": legal}
        before = len(self.results) - (self.status == "finished")
        if before > 0:
            shown["previous_deal"] = {"deal_number": before, "result": self.results[before - 1]}
        return _present(shown)

    def _seat(self, seat: str) -> Json:
        if self.deal is None or self.status != "playing":
            return self.seats[seat]
        return self.seats[seat] | {"cards_left": self.deal.left[seat]}


def _present(shown: Json) -> Json:
    return {name: value for name, value in shown.items() if value is not None}


def from_feed(view: Json) -> Json:
    """A MatchView as far as a feed can tell it; the order of legal moves means nothing."""
    shown = {name: value for name, value in view.items() if name not in NOT_IN_THE_FEED}
    if "you" in shown:
        legal = sorted(shown["you"]["legal_moves"], key=lambda move: sorted(map(str, move.items())))
        shown["you"] = shown["you"] | {"legal_moves": legal}
    return shown
