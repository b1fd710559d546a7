"""Check a deal that is over, from public data alone: `python -m dev.verify URL_OR_FILE DEAL [--seen COMMITMENT]`.

URL: a match, `http…/v1/matches/{match_id}`. Its deals are asked for with the access token in DO_DOONI_TOKEN, or else as
a guest, who may see a match that may be watched. FILE (`-`: the standard input): JSON as the API gives it, a deal, a
list of deals, or `{"match": …, "deals": […], "events": […]}`, where what is missing is not checked. DEAL: the deal's
number.

The shuffle is done here with the standard library alone (docs/fair-shuffle.md has the steps), so that nobody need trust
the server's own code. Exit: 0 all is as it should be, 1 something is not, 2 there was nothing to check.
"""

from __future__ import annotations

import argparse
import hashlib
import hmac
import json
import os
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chalicelib.api.present_deal import OUTCOME
from chalicelib.api.shapes import Shape
from chalicelib.engine import AfterBank, Deal, IllegalMove, MalformedMove, Seat, parse_move

Json = dict[str, Any]
SEATS = ("north", "east", "south", "west")
PACK = tuple(rank + suit for suit in "SHDC" for rank in "23456789TJQKA")


class Unusable(Exception):
    """There is nothing here that can be checked."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at; `right` is None where it could not be."""

    right: bool | None
    what: str

    def __str__(self) -> str:
        return f"{ {True: 'ok', False: 'WRONG', None: 'not checked'}[self.right]:<11}  {self.what}"


# the shuffle, anew ----------------------------------------------------------------------------------------------------


def digest_of(seeds: list[str]) -> bytes:
    """Step 4: of the four players' seeds."""
    return hashlib.sha256("\n".join(seeds).encode()).digest()


class Stream:
    """Steps 5 to 7: numbers drawn from the deal's key."""

    def __init__(self, deal_secret: bytes, client_digest: bytes) -> None:
        self._key = hmac.digest(deal_secret, client_digest, "sha256")
        self._bytes = self._stream()

    def _stream(self) -> Iterator[int]:
        counter = 0
        while True:
            yield from hmac.digest(self._key, counter.to_bytes(4, "big"), "sha256")
            counter += 1

    def draw(self, choices: int) -> int:
        """One of 0 … choices − 1, all equally likely."""
        return next(byte for byte in self._bytes if byte < 256 - 256 % choices) % choices


def dealt(deal_secret: bytes, client_digest: bytes) -> tuple[list[set[str]], str]:
    """Steps 8 to 10: the four hands, and the opener if this is a match's first deal."""
    stream, pack = Stream(deal_secret, client_digest), list(PACK)
    for last in range(51, 0, -1):
        other = stream.draw(last + 1)
        pack[last], pack[other] = pack[other], pack[last]
    return [set(pack[seat::4]) for seat in range(4)], SEATS[stream.draw(4)]


FOLLOWS = {
    ("calls", "declarer", "contract", "ser"): "the calls, the contract and the ser are right",
    ("tricks",): "the tricks and their winners are right",
    ("banks", "banked"): "what each side banked is right",
    ("phase", "result", "notation"): "the result is right",
}
"""What follows from the moves: members of a deal, and how they are told."""

# what is looked at ----------------------------------------------------------------------------------------------------


def verify(
    deal: Json, first: Json | None, seen: str | None, events: list[Json] | None = None, match: Json | None = None
) -> Iterator[Finding]:
    """Everything that can be checked of a deal. `first` is the match's first deal, `seen` a commitment noted before,
    `events` the feed of the match up to its start, `match` its view."""
    if "deal_secret" not in deal:
        raise Unusable("the deal's secret is not told yet: others may still play these cards")
    secret, seeds = bytes.fromhex(deal["deal_secret"]), [seat["client_seed"] for seat in deal["seats"]]
    digest = digest_of(seeds)
    hands, drawn = dealt(secret, digest)
    commitment = hashlib.sha256(secret).hexdigest()
    yield Finding(commitment == deal["commitment"], "the secret is the one of the deal's commitment")
    what = "the commitment is the one that was shown before the cards"
    yield Finding(None if seen is None else commitment == seen.lower(), what)
    yield Finding(digest.hex() == deal["client_digest"], "the players' seeds make the digest")
    yield Finding(_only_players_sent(deal), "no seed is a bot's")
    what = "the seeds, their order and who sent them are those of the feed"
    yield Finding(None if events is None else _as_in_the_feed(deal, events), what)
    yield Finding(hands == [set(seat["hand"]) for seat in deal["seats"]], "secret and seeds make the four hands")
    yield Finding(_opener_is_right(deal, first, drawn), "the opener is the one drawn, one seat on a deal")
    yield from _play(deal, match or {})


def _only_players_sent(deal: Json) -> bool:
    """Whether each seed came from somebody who sat at the start, each of them on one seat."""
    seats = [sender["seat"] for sender in deal["seed_order"]]
    players = [sender["player"].get("id") for sender in deal["seed_order"] if not sender["player"].get("deleted")]
    others = [seat["client_seed"] for seat in deal["seats"] if seat["seat"] not in seats]
    return None not in players and not any(others) and all(len(set(each)) == len(each) for each in (seats, players))


@dataclass(frozen=True, slots=True)
class Sent:
    """A seed, or none, from who sat down or sent another."""

    seat: str
    player: Json
    seed: str


def _sent(deal: Json) -> list[Sent]:
    seeds = {seat["seat"]: seat["client_seed"] for seat in deal["seats"]}
    return [Sent(sender["seat"], sender["player"], seeds[sender["seat"]]) for sender in deal["seed_order"]]


def sent(events: list[Json]) -> list[Sent] | None:
    """What was sent in the order in which the feed told it, up to the start; None if it does not get there."""
    seeds: dict[str, Sent] = {}
    for event in events:
        if event["type"] == "match_started":
            return list(seeds.values())
        if event["type"] in ("seat_taken", "seat_left"):
            seat, place = event["seat"], event["place"]
            seeds.pop(seat, None)
            if place["type"] == "human":
                seeds[seat] = Sent(seat, place["player"], event.get("client_seed", ""))
    return None


def _as_in_the_feed(deal: Json, events: list[Json]) -> bool:
    in_feed, own = sent(events), _sent(deal)
    return in_feed is not None and len(in_feed) == len(own) and all(map(_same, in_feed, own))


def _same(in_feed: Sent, own: Sent) -> bool:
    """A player may have deleted the account between the two readings."""
    gone = in_feed.player.get("deleted") or own.player.get("deleted")
    return (in_feed.seat, in_feed.seed) == (own.seat, own.seed) and (gone or in_feed.player["id"] == own.player["id"])


def last_word(deal: Json, events: list[Json] | None) -> str:
    """Who could still choose a seed when all the others had sent theirs; of the feed where there is one."""
    spoken = (sent(events) if events is not None else None) or _sent(deal)
    if not spoken:
        return "nobody sent a seed: the server alone made the cards"
    last = spoken[-1]
    name = "a deleted player" if last.player.get("deleted") else last.player.get("name") or last.player["id"]
    return f"{last.seat} ({name}) had the last word, " + (f"and sent {last.seed}" if last.seed else "and sent no seed")


def _opener_is_right(deal: Json, first: Json | None, drawn: str) -> bool | None:
    if deal["deal_number"] > 1:
        if first is None:
            return None
        secret = bytes.fromhex(first["deal_secret"])
        drawn = dealt(secret, digest_of([seat["client_seed"] for seat in first["seats"]]))[1]
    return bool(SEATS[(SEATS.index(drawn) + deal["deal_number"] - 1) % 4] == deal["opener"])


def _play(deal: Json, match: Json) -> Iterator[Finding]:
    """The rules' part: every move legal and of the right seat, and all the rest what follows of them."""
    hands = [sum(1 << PACK.index(card) for card in seat["hand"]) for seat in deal["seats"]]
    north, east, south, west = hands
    try:
        table = Deal.start((north, east, south, west), Seat.parse(deal["opener"]), AfterBank(deal["after_bank"]))
        for move in deal["moves"]:
            text = str(move.get("number") or move.get("suit") or move.get("card") or move["type"])
            table = table.play(parse_move(text), Seat.parse(move["seat"]))
    except (IllegalMove, MalformedMove) as fault:
        yield Finding(False, f"every move is legal ({fault})")
        return
    yield Finding(True, "every move is legal")
    right = Shape("", "", *OUTCOME)(table)
    for members, what in FOLLOWS.items():
        yield Finding(all(right.get(member) == deal.get(member) for member in members), what)
    if table.result is None:
        over = match.get("status") == "finished" or deal["deal_number"] < match.get("deal", {}).get("deal_number", 0)
        what = "given up before its end"
        yield Finding(None if not match else not over, what)


# where it comes from --------------------------------------------------------------------------------------------------


Found = tuple[list[Json], Json, list[Json] | None]
"""Deals, the match (empty where it is not there), and events up to the start."""


def _from_file(name: str) -> Found:
    """The deals in a file, and what else is there."""
    text = sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8")
    content = json.loads(text)
    if isinstance(content, list):
        return content, {}, None
    if "deals" in content:
        return content["deals"], content.get("match", {}), content.get("events")
    return [content], {}, None


def _from_server(url: str, number: int) -> Found:
    base, _, match_id = url.rstrip("/").partition("/matches/")
    match_id = match_id.partition("/")[0]
    if not match_id:
        raise Unusable("not the URL of a match: …/v1/matches/{match_id}")
    token = os.environ.get("DO_DOONI_TOKEN") or _ask(f"{base}/players", None, {})["tokens"]["access_token"]
    match = _ask(f"{base}/matches/{match_id}", token)
    deals = [_ask(f"{base}/matches/{match_id}/deals/{each}", token) for each in sorted({1, number})]
    events: list[Json] = []
    more: object = True
    while more and sent(events) is None:
        page = _ask(f"{base}/matches/{match_id}/events?after={len(events)}", token)
        events, more = events + page["items"], page["more"] and page["items"]
    return deals, match, events


def _ask(url: str, token: str | None, body: Json | None = None) -> Json:
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    data = None if body is None else json.dumps(body).encode()
    try:
        with urllib.request.urlopen(urllib.request.Request(url, data, headers), timeout=10) as answer:
            content: Json = json.load(answer)
            return content
    except urllib.error.HTTPError as refusal:
        with refusal:
            raise Unusable(f"{url}: {refusal.code} {refusal.reason}") from None


def main(arguments: list[str]) -> int:
    """Print a line for each finding."""
    parser = argparse.ArgumentParser(prog="python -m dev.verify", description="Check a deal that is over.")
    parser.add_argument("source", metavar="URL_OR_FILE")
    parser.add_argument("deal", metavar="DEAL", type=int)
    parser.add_argument("--seen", metavar="COMMITMENT", help="what you noted of the deal before it was dealt")
    options = parser.parse_args(arguments)
    try:
        remote = options.source.startswith(("http://", "https://"))
        deals, match, events = _from_server(options.source, options.deal) if remote else _from_file(options.source)
        by_number = {deal["deal_number"]: deal for deal in deals}
        if options.deal not in by_number:
            raise Unusable(f"deal {options.deal} is not here")
        commitments = match.get("commitments", [])
        seen = options.seen or (commitments[options.deal - 1] if len(commitments) >= options.deal else None)
        findings = list(verify(by_number[options.deal], by_number.get(1), seen, events, match))
        last = last_word(by_number[options.deal], events)
    except (Unusable, OSError) as fault:
        print(fault, file=sys.stderr)
        return 2
    except (ValueError, KeyError, TypeError, AttributeError, IndexError):
        print(f"{options.source}: not a deal as the API tells it", file=sys.stderr)
        return 2
    print("\n".join(map(str, findings)))
    print(f"{'':<11}  {last}")
    wrong = any(finding.right is False for finding in findings)
    print(
        "NOT as it should be" if wrong else "fair, as far as it was checked: see docs/fairness.md for what that proves"
    )
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
