"""What the people of a simulation do: open tables, join, move, repeat themselves, leave, stay away and come back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from random import Random

from chalicelib.engine import SEATS, AfterBank, Move, Seat
from chalicelib.match.cards import running_deal
from chalicelib.match.model import Match, Status
from chalicelib.match.view import Outcome
from chalicelib.service.errors import Failure
from chalicelib.service.people import accounts
from chalicelib.service.play import history, moves
from chalicelib.service.ports import Unavailable
from chalicelib.service.services import Services
from chalicelib.service.tables import leaving, matches, rematch, seats
from chalicelib.service.tables.matches import NewMatch, SeatRequest
from dev.simulation.people import DAY, HOUR, MINUTE, Player, any_player
from dev.simulation.record import Broken, Record
from dev.simulation.store import SeasonStore

_CLOCKS = (None, None, 5 * MINUTE, HOUR, DAY, 3 * DAY)
_DEALS = (1, 1, 1, 1, 2, 2, 4)


class Crowd:
    """All players. What they will do is put off with `later(seconds, act)`; `counts` tells what they did."""

    def __init__(
        self,
        services: Services,
        store: SeasonStore,
        random: Random,
        size: int,
        later: Callable[[int, Callable[[], None]], None],
        counts: Counter[str],
    ) -> None:
        self.services = services
        self.store = store
        self.random = random
        self.counts = counts
        self.record = Record()
        self._later = later
        self._players: dict[tuple[str, str], Player] = {}
        self._deleted: set[str] = set()
        self.people = [accounts.sign_up(services, f"P{at}").player.id for at in range(size)]
        store.on_save = self._saved

    def _told(self, ask: Callable[[], Outcome]) -> Outcome | None:
        """Ask until there is an answer, as a phone does; None for a refusal. Some ask once more without need."""
        self.store.lossy = True
        try:
            while True:
                try:
                    outcome = ask()
                    if self.random.random() < 0.03:
                        again = ask()
                        if again.view.version != outcome.view.version:
                            raise Broken("a repeated request has changed something")
                        self.counts["repeated requests"] += 1
                    break
                except Unavailable:
                    continue
        except Failure as failure:
            self.counts[f"refused: {failure.code}"] += 1
            return None
        finally:
            self.store.lossy = False
        self.record.acknowledged(outcome.view.id, outcome.events)
        return outcome

    def open_table(self) -> None:
        random, host = self.random, self._somebody()
        humans = random.choice((1, 2, 2, 3, 4, 4))
        friends = SEATS[1:humans]
        asked = {seat: SeatRequest("empty" if seat in friends else "bot", "easy") for seat in SEATS[1:]}
        setup = NewMatch(
            deals=16 if random.random() < 0.01 else random.choice(_DEALS),
            after_bank=random.choice(list(AfterBank)),
            turn_seconds=random.choice(_CLOCKS),
            spectators=random.random() < 0.5,
            take_over=random.random() < 0.5,
            seats=asked | {Seat.NORTH: SeatRequest("human")},
        )
        key = str(random.random())
        outcome = self._told(lambda: matches.create(self.services, host, setup, key))
        if outcome is None:
            return
        self.counts["matches"] += 1
        view = outcome.view
        if view.invite is not None:
            for seat in friends:
                if random.random() < 0.97:
                    self._later(random.randrange(2 * DAY), self._joining(view.id, view.invite.code, seat))
        if view.invite is not None and random.random() < 0.2:
            self._later(random.randrange(9 * DAY), self._joining(view.id, view.invite.code, random.choice(SEATS)))

    def _joining(self, match_id: str, code: str, seat: Seat) -> Callable[[], None]:
        def join() -> None:
            who = self._somebody()
            self._told(lambda: seats.sit(self.services, who, match_id, seat, code, "0a"))

        return join

    def _somebody(self) -> str:
        while True:
            player_id = self.random.choice(self.people)
            if player_id not in self._deleted:
                return player_id

    def _player(self, match_id: str, player_id: str) -> Player:
        key = match_id, player_id
        if key not in self._players:
            self._players[key] = player = any_player(self.random, player_id)
            self.counts[f"players: {player.kind}"] += 1
        return self._players[key]

    def _saved(self, match: Match) -> None:
        """Whoever is to move next will, some time; whoever is away comes back, perhaps."""
        if match.status is not Status.PLAYING:
            if match.status is Status.FINISHED and match.rematch_id is None and self.random.random() < 0.05:
                self._later(HOUR, lambda: self._rematch(match))
            return
        deal = running_deal(match)
        if deal is None or deal.turn is None:
            raise Broken("a running match without a turn")
        place = match.places[deal.turn]
        if place.present and place.player_id is not None:
            after = self._player(match.id, place.player_id).answers_after(self.random, match.rules.turn_seconds)
            if after is not None:
                number = match.base_move + len(deal.moves) + 1
                self._later(after, self._moving(match.id, place.player_id, number))
        for seat, each in zip(SEATS, match.places, strict=True):
            if each.away and each.player_id is not None and self.random.random() < 0.1:
                after = self._player(match.id, each.player_id).comes_back_after(self.random)
                if after is not None:
                    self._later(after, self._returning(match.id, each.player_id, seat))

    def _moving(self, match_id: str, player_id: str, number: int) -> Callable[[], None]:
        def make() -> None:
            match = self.store.match(match_id)
            deal = running_deal(match) if match is not None else None
            if match is None or deal is None or match.base_move + len(deal.moves) + 1 != number:
                self.counts["moves that came too late"] += 1
                return
            seat, chance = match.seat_of(player_id), self.random.random()
            if seat is not None and chance < 0.004:
                self.counts["left for good"] += 1
                self._quietly(lambda: leaving.leave(self.services, player_id, match_id, seat))
            elif chance < 0.005:
                self._deleted.add(player_id)
                self.counts["deleted accounts"] += 1
                self._quietly(lambda: accounts.delete_player(self.services, player_id))
            elif chance < 0.01:
                self._quietly(lambda: accounts.rename(self.services, player_id, f"Q{self.random.randrange(999)}"))
                self._move(match_id, player_id, number, self.random.choice(deal.legal_moves()))
            else:
                self._move(match_id, player_id, number, self.random.choice(deal.legal_moves()))

        return make

    def _move(self, match_id: str, player_id: str, number: int, move: Move) -> None:
        outcome = self._told(lambda: moves.make(self.services, player_id, match_id, number, move))
        if outcome is not None:
            self.counts["moves by players"] += 1
            if self.random.random() < 0.05:
                page = history.feed(
                    self.services, player_id, match_id, self.random.randrange(outcome.view.version), 1000
                )
                self.record.acknowledged(match_id, page.items)

    def _quietly(self, act: Callable[[], object]) -> None:
        """A request without an answer to keep, repeated while it has none."""
        self.store.lossy = True
        try:
            while True:
                try:
                    act()
                    return
                except Unavailable:
                    continue
        except Failure as failure:
            self.counts[f"refused: {failure.code}"] += 1
        finally:
            self.store.lossy = False

    def _returning(self, match_id: str, player_id: str, seat: Seat) -> Callable[[], None]:
        def come() -> None:
            match = self.store.match(match_id)
            if match is None or match.places[seat].player_id != player_id or not match.places[seat].away:
                return
            deal = running_deal(match)
            if deal is not None and deal.turn == seat and self.random.random() < 0.5:
                self.counts["back by a move"] += 1
                number = match.base_move + len(deal.moves) + 1
                self._move(match_id, player_id, number, self.random.choice(deal.legal_moves()))
            else:
                self.counts["back by a PUT"] += 1
                self._told(lambda: seats.sit(self.services, player_id, match_id, seat))

        return come

    def _rematch(self, match: Match) -> None:
        for player_id in (place.player_id for place in match.places):
            if player_id is None or player_id in self._deleted or self.random.random() < 0.2:
                continue
            if self._told(partial(rematch.rematch, self.services, player_id, match.id)) is not None:
                self.counts["rematches asked for"] += 1
