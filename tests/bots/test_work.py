"""How much a sharp bot works, and so how long it thinks, tells nothing that only it can see.

Work is counted in worlds drawn, cards played out and nodes of the solver, never in seconds.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from chalicelib.bots import belief, choose, sharp
from chalicelib.bots.endgame import Endgame
from chalicelib.bots.kernel import Hands, playout
from chalicelib.bots.seen import Seen, look
from chalicelib.bots.sharp import SOLVED, Sharp, choices
from chalicelib.bots.worlds import worlds
from chalicelib.engine import MOVES, SEATS, AfterBank, Deal, IllegalMove, Phase
from tests.bots.deals import played_into, random_deal


@dataclass
class Work:
    """Counted in one decision."""

    worlds: int = 0
    cards: int = 0
    """Played out."""
    nodes: int = 0

    def taken(self) -> tuple[int, int, int]:
        """What was counted since the last time."""
        counted = self.worlds, self.cards, self.nodes
        self.worlds = self.cards = self.nodes = 0
        return counted


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Work:
    counted = Work()

    def drawn(seen: Seen, rng: random.Random, count: int) -> Any:
        for hands in worlds(seen, rng, count):
            counted.worlds += 1
            yield hands

    def played(hands: Hands, *given: Any) -> int:
        counted.cards += sum(held.bit_count() for hand in hands for held in hand)
        return playout(hands, *given)

    def looked(self: Endgame, *given: Any) -> int:
        counted.nodes += 1
        return card(self, *given)

    card = Endgame._card
    monkeypatch.setattr(belief, "worlds", drawn)
    monkeypatch.setattr(sharp, "playout", played)
    monkeypatch.setattr("chalicelib.bots.auction.playout", played)
    monkeypatch.setattr(Endgame, "_card", looked)
    return counted


def with_another_hand(deal: Deal, rng: random.Random) -> Deal | None:
    """The same moves, seen by everybody alike, while the seat on turn holds other cards; None if these won't do."""
    assert deal.turn is not None
    opponent = deal.turn.next
    seen = look(deal.view(opponent))
    (hands,) = worlds(seen, rng, 1)
    north, east, south, west = (
        sum((hands[seat][suit] | seen.played[seat][suit]) << 13 * suit for suit in range(4)) for seat in SEATS
    )
    other = Deal.start((north, east, south, west), deal.opener, deal.after_bank)
    try:
        for code in deal.codes:
            other = other.play(MOVES[code])
    except IllegalMove:
        return None
    assert other.view(None) == deal.view(None)
    return other


def positions(count: int) -> list[list[Deal]]:
    """Moments of random deals, each with other hands that the one on turn might hold."""
    rng = random.Random(3)
    found: list[list[Deal]] = []
    while len(found) < count:
        deal = played_into(rng, random_deal(rng, rng.choice(list(AfterBank))), rng.randrange(53))
        others = [with_another_hand(deal, rng) for _ in range(5)]
        found.append([deal, *(other for other in others if other is not None)])
    return found


def test_the_same_work_with_any_hand(work: Work) -> None:
    """Many positions, each with hands of many choices and of none: the work is the same to the last node."""
    differing, forced, ends = 0, 0, 0
    for hands in positions(30):
        done = set()
        for deal in hands:
            assert deal.turn is not None
            choose(deal.view(deal.turn), "sharp", b"key")
            done.add(work.taken())
        assert 1 == len(done), (hands[0].turn, done)
        legal = {len(deal.legal_moves()) for deal in hands}
        differing += len(legal) > 1
        forced += 1 in legal and len(legal) > 1
        ends += len(hands[0].legal_moves()) in SOLVED
    assert differing > 10 and forced > 5 and ends > 1


@pytest.mark.parametrize("effort", [20, 80])
def test_work_follows_from_cards_alone(work: Work, effort: int) -> None:
    """In the play of the cards it is the same for all positions with as many cards in hand and on the table."""
    by_cards: dict[tuple[int, int], set[tuple[int, ...]]] = {}
    rng = random.Random(effort)
    for _ in range(16):
        deal = random_deal(rng, AfterBank.FRESH)
        while deal.turn is not None:
            if deal.phase is Phase.PLAY and len(deal.view(deal.turn).hand) > 1 and rng.random() < 0.3:
                seen = look(deal.view(deal.turn))
                Sharp(effort).play(seen, b"")
                at = seen.sizes[seen.seat], len(seen.on_table)
                by_cards.setdefault(at, set()).add(work.taken()[1:])
            deal = deal.play(rng.choice(deal.legal_moves()))
    assert len(by_cards) > 30
    assert dict.fromkeys(by_cards, 1) == {at: len(done) for at, done in by_cards.items()}


def test_a_card_of_one_kind_is_the_one_played() -> None:
    """Though it is thought about, the only choice is what comes of it."""
    rng = random.Random(8)
    tried = 0
    while tried < 10:
        deal = played_into(rng, random_deal(rng, AfterBank.FRESH), rng.randrange(20, 53))
        assert deal.turn is not None
        legal: Sequence[Any] = deal.legal_moves()
        if len(legal) == 1 and deal.phase is Phase.PLAY:
            tried += 1
            for level in ("easy", "steady", "sharp"):
                assert legal[0] == choose(deal.view(deal.turn), level, b"")
            assert 1 == len(choices(look(deal.view(deal.turn))))


def test_an_end_too_large_for_its_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where not even one world is solved in time, a playout answers."""
    monkeypatch.setattr(sharp, "SOLVED", {cards: sharp.Solved(1, (1, 1, 1, 1)) for cards in SOLVED})
    deal = played_into(random.Random(5), random_deal(random.Random(5), AfterBank.FRESH), 5 + 4 * 9)
    assert deal.turn is not None
    seen = look(deal.view(deal.turn))
    options = choices(seen)
    assert Sharp().judge(seen, b"", options).card in options
