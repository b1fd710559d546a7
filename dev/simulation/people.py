"""Who plays in a simulation, and how they are about it."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

MINUTE = 60
HOUR = 60 * MINUTE
DAY = 24 * HOUR

KINDS = ("fast", "fast", "slow", "gone", "returning")
"""One of these each, so twice as many fast ones."""


@dataclass
class Player:
    """A player's ways in one match."""

    id: str
    kind: str
    patience: int
    """Moves until a `gone` one is gone, or a `returning` one stays away for a while."""

    def answers_after(self, random: Random, turn_seconds: int | None) -> int | None:
        """Seconds until the player moves, now that it is their turn; None: not of themselves."""
        self.patience -= 1
        if self.kind == "gone" and self.patience < 0:
            return None
        if self.kind == "returning" and self.patience < 0:
            self.patience = random.randrange(5, 40)
            return random.randrange(HOUR, 10 * DAY)
        if self.kind == "slow":
            usual = turn_seconds or DAY
            return random.randrange(usual // 4, usual + usual // 20)
        return random.choice((5, 20, 60, 10 * MINUTE))

    def comes_back_after(self, random: Random) -> int | None:
        """Seconds until an away player is back; None: never."""
        if self.kind == "gone" or (self.kind == "slow" and random.random() < 0.3):
            return None
        return random.randrange(HOUR, 20 * DAY)


def any_player(random: Random, player_id: str) -> Player:
    return Player(player_id, random.choice(KINDS), random.randrange(3, 40))
