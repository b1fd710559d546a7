"""From a match to the cards of its deals: the shuffle and the replay of the log."""

from __future__ import annotations

import functools

from chalicelib import engine
from chalicelib.engine import Deal, Seat, commitment, deal_secret, replay, shuffle
from chalicelib.match.model import ClosedDeal, Match, Status


def secret_of(match: Match, number: int) -> bytes:
    return deal_secret(match.secret, number)


def commitments(match: Match) -> tuple[str, ...]:
    """Of every deal of the match, in hex: shown from the moment the match exists."""
    return _commitments(match.secret, match.rules.deals)


@functools.lru_cache(maxsize=256)
def _commitments(secret: bytes, deals: int) -> tuple[str, ...]:
    # Told with every view, and the same as long as the match lasts.
    return tuple(commitment(deal_secret(secret, number)) for number in range(1, deals + 1))


def opener_of(match: Match, number: int) -> Seat:
    """R5: drawn with the first deal's shuffle, then one seat on with every deal."""
    first = match.first_opener
    if first is None:
        first = shuffle(secret_of(match, 1), match.client_digest).opener
    return engine.opener_of(first, number)


def deal_at_start(match: Match) -> Deal:
    """The running deal before its first move."""
    dealt = shuffle(secret_of(match, match.deal), match.client_digest)
    return Deal.start(dealt.hands, opener_of(match, match.deal), match.rules.after_bank)


def running_deal(match: Match) -> Deal | None:
    """The running deal as it stands; None before the start and after the end."""
    if match.status is not Status.PLAYING:
        return None
    dealt = shuffle(secret_of(match, match.deal), match.client_digest)
    return replay(dealt.hands, opener_of(match, match.deal), match.rules.after_bank, match.log.codes())


def closed_at_start(match: Match, closed: ClosedDeal) -> Deal:
    """A deal that is over, before its first move."""
    dealt = shuffle(closed.deal_secret, match.client_digest)
    return Deal.start(dealt.hands, closed.opener, match.rules.after_bank)


def closed_deal(match: Match, closed: ClosedDeal) -> Deal:
    """A deal that is over, as it ended."""
    dealt = shuffle(closed.deal_secret, match.client_digest)
    return replay(dealt.hands, closed.opener, match.rules.after_bank, closed.log.codes())
