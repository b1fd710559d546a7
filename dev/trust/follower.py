"""A client that believes nothing: it follows a match by its feed alone and holds every view against what it knows."""

from __future__ import annotations

from dataclasses import dataclass, field

from dev.trust.phones import Phone
from dev.trust.tally import ensure
from dev.trust.transport import Json

MOVES = {"call": ("number",), "pass": (), "ser": ("suit",), "play": ("card",)}
"""Types of events that are moves, with what else tells them apart."""
OWN = frozenset(("you", "poll_after_seconds", "invite"))
"""Members of a view that differ from seat to seat (a spectator has no invite)."""


def move_in(event: Json) -> Json:
    """The body that makes the move an event tells of."""
    return {"type": event["type"], **{name: event[name] for name in MOVES[event["type"]]}}


def public(view: Json) -> Json:
    """What everybody at the table must be told alike."""
    return {name: value for name, value in view.items() if name not in OWN}


def without_hands(events: list[Json]) -> list[Json]:
    return [{name: value for name, value in event.items() if name != "hand"} for event in events]


@dataclass
class Follower:
    """One phone's knowledge of one match. Every method raises `Broken` where the API contradicts itself."""

    phone: Phone
    path: str
    seat: str
    events: list[Json] = field(default_factory=list)
    acknowledged: dict[int, Json] = field(default_factory=dict)
    """Moves of this phone's that were answered 200, by number."""
    made: list[Json] = field(default_factory=list, repr=False)
    """The events that are moves."""
    scores: dict[str, int] = field(default_factory=lambda: {"ns": 0, "ew": 0})
    deal: list[Json] = field(default_factory=list, repr=False)
    """The events of the running deal (or the last), from its `deal_started` on."""

    @property
    def version(self) -> int:
        return len(self.events)

    def take_in(self, events: list[Json]) -> None:
        """New events, perhaps with some that are known: each number has one content, and none is left out."""
        for event in events:
            version = event["version"]
            if version <= self.version:
                known = self.events[version - 1]
                ensure(event == known, f"event {version} was {known}, is {event}")
            else:
                ensure(version == self.version + 1, f"after event {self.version} comes {version}")
                self._note(event)

    def _note(self, event: Json) -> None:
        self.events.append(event)
        if event["type"] in MOVES:
            self.made.append(event)
            ensure(
                event["move_number"] == len(self.made),
                f"move {event['move_number']} is the feed's move {len(self.made)}",
            )
        elif event["type"] == "deal_scored":
            self.scores[event["result"]["side"]] += event["result"]["score"]
        elif event["type"] == "deal_started":
            self.deal = []
        self.deal.append(event)

    def poll(self) -> int:
        """Read on in the feed; how many events were new."""
        before = self.version
        while True:
            page = self.phone.get(f"{self.path}/events?after={self.version}&limit=1000")
            self.take_in(page["items"])
            ensure(page["version"] == self.version, "the feed's version is not its last event's")
            if not page["more"]:
                return self.version - before

    def make(self, view: Json, move: Json) -> Json:
        """Make a move until it is answered; the new view."""
        number = view["next_move"]
        update = self.phone.put(f"{self.path}/moves/{number}", move)
        self.acknowledged[number] = move
        if update["events"] and update["events"][0]["version"] > self.version + 1:
            self.poll()
        self.take_in(update["events"])
        after: Json = update["match"]
        self.check(after)
        return after

    def check(self, view: Json) -> None:
        """Hold a view (at the version the feed has been read to, or later) against the feed."""
        ensure(view["version"] >= self.version, f"version {view['version']} after {self.version}")
        if view["version"] > self.version:
            self.poll()
        if view["version"] < self.version:
            return  # somebody moved meanwhile: that view is another moment's
        made = len(self.made)
        ensure(view["next_move"] == made + 1, f"next_move {view['next_move']} after {made} moves")
        ensure(view["scores"] == self.scores, f"scores {view['scores']}, by the feed {self.scores}")
        self._check_cards(view)

    def _check_cards(self, view: Json) -> None:
        if not self.deal or self.deal[0]["type"] != "deal_started":
            return
        dealt = self.deal[0]
        played = [event for event in self.deal if event["type"] == "play"]
        cards = [event["card"] for event in played]
        ensure(len(set(cards)) == len(cards), "a card was played twice")
        for place in view["seats"]:
            gone = sum(event["seat"] == place["seat"] for event in played)
            left = 13 - gone if view["status"] == "playing" else None
            ensure(place.get("cards_left") == left, f"{place['seat']} has {place.get('cards_left')} cards left")
        if "hand" in dealt and "you" in view:
            left = [card for card in dealt["hand"] if card not in cards]
            ensure(sorted(view["you"]["hand"]) == sorted(left), "the hand is not what was dealt less what was played")
            own = [event["card"] for event in played if event["seat"] == self.seat]
            ensure(set(own) <= set(dealt["hand"]), "a card was played from another hand")

    def forget(self) -> list[Json]:
        """Begin again from nothing, but for what was acknowledged; the events that were known."""
        known, self.events = self.events, []
        self.made, self.deal, self.scores = [], [], {"ns": 0, "ew": 0}
        return known

    def check_acknowledged(self) -> int:
        """Every move that was acknowledged is in the feed, once, as it was sent; how many there are."""
        for number, move in self.acknowledged.items():
            ensure(number <= len(self.made), f"move {number} was acknowledged and is not in the feed")
            told = self.made[number - 1]  # each number is there once: `_note` has seen to it
            ensure(move_in(told) == move, f"move {number} was acknowledged as {move}, is {told}")
            ensure(told["seat"] == self.seat, f"move {number} is {told['seat']}'s")
        return len(self.acknowledged)


def ensure_alike(followers: list[Follower], views: list[Json], after: int = 0) -> int:
    """The same feed above `after`, hands apart, and the same public view for all; hands that share no card. Returns the
    version that is compared now."""
    feeds = [without_hands(follower.events[after:]) for follower in followers]
    ensure(all(feed == feeds[0] for feed in feeds), "two phones were told different events")
    ensure(all(public(view) == public(views[0]) for view in views), "two phones were shown different tables")
    hands = [card for view in views for card in view.get("you", {}).get("hand", ())]
    ensure(len(hands) == len(set(hands)), "two hands hold one card")
    return followers[0].version
