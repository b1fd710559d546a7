"""Four players who believe nothing: each rebuilds the match from its feed alone, and compares every view with that."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from dev.driver import SEATS, Foursome, Json, Player
from dev.simulation.screen import Screen, from_feed
from dev.trust.promise import ensure


@dataclass
class Follower:
    """What one player knows of one match. Every method raises `Broken` where the API contradicts itself."""

    player: Player
    path: str
    seat: str
    events: list[Json] = field(default_factory=list)
    acknowledged: dict[int, Json] = field(default_factory=dict)
    """This player's moves that were answered 200, by number."""

    def __post_init__(self) -> None:
        self.screen = Screen(self.path.rpartition("/")[2], self.player.id)

    def read(self, page: Json, events: list[Json]) -> None:
        """New events, perhaps with some that are known: each number has one content, and none is left out."""
        for event in events:
            if event["version"] <= len(self.events):
                known = self.events[event["version"] - 1]
                ensure(event == known, f"event {event['version']} was {known}, is {event}")
            else:
                ensure(event["version"] == len(self.events) + 1, f"event {event['version']} after {len(self.events)}")
                self.events.append(event)
        self.screen.read({**page, "items": self.events[self.screen.version :]})

    def poll(self) -> None:
        """Read on in the feed."""
        more = True
        while more:
            page = self.player.get(f"{self.path}/events?after={len(self.events)}&limit=1000")
            self.read(page, page["items"])
            ensure(page["version"] == len(self.events), "the feed's version is not its last event's")
            more = page["more"]

    def look(self) -> Json:
        """The view as it is now, compared with the feed."""
        view = self.player.get(self.path)
        self.check(view)
        return view

    def check(self, view: Json) -> None:
        ensure(view["version"] >= len(self.events), f"version {view['version']} after {len(self.events)}")
        if view["version"] > len(self.events):
            self.poll()
        if view["version"] == len(self.events):  # else somebody moved meanwhile: that view is another moment's
            shown, seen = from_feed(self.screen.shown()), from_feed(view)
            shown.get("deal", {}).pop("tricks", None)  # which a view has on request only
            wrong = [name for name in seen | shown if seen.get(name) != shown.get(name)]
            ensure(not wrong, [(name, seen.get(name), shown.get(name)) for name in wrong])

    def make(self, view: Json, move: Json, times: int = 1) -> None:
        """Make a move, and perhaps send it again, as after a lost answer."""
        for _ in range(times):
            reply = self.player.move(view, move)
            ensure(reply.status == 200, f"{reply.status} {reply.code} to a legal move in turn")
            self.acknowledged[view["next_move"]] = move
            update = reply.body
            if update["events"] and update["events"][0]["version"] > len(self.events) + 1:
                self.poll()
            self.read(update["match"], update["events"])
            self.check(update["match"])

    def settle(self) -> None:
        """After it all: the whole feed, read again, has what was told, and every acknowledged move once, as it was
        sent."""
        told = self.player.events(self.path)
        ensure(told[: len(self.events)] == self.events, "events that were told are gone or changed")
        moves = [event for event in told if "move_number" in event]
        ensure([each["move_number"] for each in moves] == list(range(1, len(moves) + 1)), "a move is lost or doubled")
        for number, move in self.acknowledged.items():
            ensure(number <= len(moves), f"move {number} was acknowledged and is not in the feed")
            ensure({**move, "seat": self.seat}.items() <= moves[number - 1].items(), f"{move} is told otherwise")
        self.poll()
        self.look()


def followers_of(four: Foursome) -> list[Follower]:
    return [Follower(player, four.path, seat) for seat, player in zip(SEATS, four.players, strict=True)]


def play_on(
    followers: list[Follower], chance: Random, stopped: Callable[[], bool] = lambda: False, repeats: float = 0
) -> None:
    """They play to the end of the match, or until stopped; before each move somebody looks at the table."""
    while not stopped():
        view = chance.choice(followers).look()
        if view["status"] != "playing":
            return
        mover = followers[SEATS.index(view["deal"]["turn"])]
        view = mover.look()
        if view["you"]["legal_moves"]:
            mover.make(view, chance.choice(view["you"]["legal_moves"]), 2 if chance.random() < repeats else 1)


def ensure_alike(followers: list[Follower], after: int = 0) -> None:
    """All four see the same table, and were told the same above `after`, hands apart; no two hold one card."""
    views = [follower.look() for follower in followers]
    public = [
        {name: value for name, value in view.items() if name not in ("you", "poll_after_seconds")} for view in views
    ]
    feeds = [[{**event, "hand": None} for event in follower.events[after:]] for follower in followers]
    ensure(all(each == public[0] for each in public), "two players were shown different tables")
    ensure(all(feed == feeds[0] for feed in feeds), "two players were told different events")
    hands = [card for view in views for card in view["you"]["hand"]]
    ensure(len(hands) == len(set(hands)), "two hands hold one card")
